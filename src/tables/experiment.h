/* SPDX-License-Identifier: MIT */
/* Experiment files: truths of the programs of a family of tables
 * (docs/table-file.md). */
#ifndef TABLES_EXPERIMENT_H
#define TABLES_EXPERIMENT_H

#include "tables/binding.h"

struct experiment;

/* Reads the file, and adds its `map` and `given` to b. Expressions of the file
 * may use the same names as expressions of --map. */
int experiment_open(struct experiment **out, const char *path,
		    struct bindings *b, struct assay_error *err);
void experiment_close(struct experiment *e);

/* The quantity that an event counts; "" if the file does not name the event. */
const char *experiment_quantity(const struct experiment *e, const char *event);
/*
 * Fills the truth of a row whose program and quantity the file knows. Returns 0
 * or -ASSAY_EPARSE: the row already has a truth, an operand is no number, or
 * the truth is below 0.
 */
int experiment_truth(const struct experiment *e, const struct look *look,
		     struct judge_row *row, struct assay_error *err);

#endif
