/* SPDX-License-Identifier: MIT */
/* The table from which a quantity is derived, and the results as rows. */
#ifndef HYPOTHESES_DERIVE_H
#define HYPOTHESES_DERIVE_H

#include "analysis/derive.h"
#include "run/run.h"

#define DERIVE_KERNELS 64	/* there are fewer kernels */

struct facts {	/* one row per shape, one column per event */
	struct assay *assay;
	const struct assay_deriving *how;
	const char *name;	/* of the quantity */
	int quantity;		/* -1: free text of a table */
	char (*event)[ASSAY_NAME];	/* room for DERIVE_COLUMNS names */
	unsigned events;
	double *count;		/* DERIVE_ROWS x events */
	bool *absent;		/* per event: absent in some run */
	double noise[DERIVE_COLUMNS];
	double right[DERIVE_ROWS], scale[DERIVE_ROWS], volume[DERIVE_ROWS];
	unsigned kernel[DERIVE_ROWS];	/* index into seen */
	const struct kernel *seen[DERIVE_KERNELS];
	unsigned kernels;
	char shape[DERIVE_ROWS][96];
	unsigned rows;
	struct derive_result result;
	struct event_sets event_sets;
	const char *machine;	/* of the table whose places are the runs;
				 * NULL: no table */
	char guessed[32];	/* caches with guessed sizes on which the
				 * quantity depends: "l2, l3"; "" */
};

/* Starts the search: no rows yet, `events` names in t->event. */
int derive_allocate(struct facts *t, struct assay_error *err);
void derive_add_event(struct facts *t, const char *event);
/* Copies the record's counts into a row. */
void derive_add_counts(struct facts *t, const struct assay_record *record,
		       unsigned row);
/* Searches, and emits the rows; *derived: a formula was found. */
int derive_solve(struct facts *t, bool *derived, struct assay_error *err);
/* Derives on each machine of the tables; *derived: on all of them. */
int derive_tables(struct facts *t, bool *derived, struct assay_error *err);

/* Row "search". */
int derive_emit_search(const struct facts *t);
/* Row "derived". */
int derive_emit_formula(const struct facts *t,
			const struct derive_formula *f);

#endif
