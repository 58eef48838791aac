/* SPDX-License-Identifier: MIT */
/* What is true of the programs of a family of tables (docs/table-file.md). */
#ifndef TABLES_EXPERIMENT_H
#define TABLES_EXPERIMENT_H

#include "tables/binding.h"

struct experiment;

/* Reads the file, and its `map` and `given` into b; expressions may name what
 * those of --map may. */
int experiment_open(struct experiment **out, const char *path,
		    struct bindings *b, struct assay_error *err);
void experiment_close(struct experiment *e);

/* The quantity that an event claims; "" if the file does not say. */
const char *experiment_quantity(const struct experiment *e, const char *event);
/*
 * Fills the truth of a row whose program and quantity the file knows. Returns
 * 0 or -ASSAY_EPARSE: the row has one of its own, or an operand is no number.
 */
int experiment_truth(const struct experiment *e, const struct look *look,
		     struct judge_row *row, struct assay_error *err);

#endif
