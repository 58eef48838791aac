/* SPDX-License-Identifier: MIT */
/* The rows that include/assay/ci.h promises. */
#ifndef CI_ROWS_H
#define CI_ROWS_H

#include "ci/measure.h"

/* Who gets the rows, and what they are about. */
struct ci_rows {
	const char *benchmark;
	assay_row_fn *fn;
	void *ctx;
	unsigned most;		/* rows "line" of each budget */
	struct assay_ci_outcome *outcome;	/* is added to */
};

/* Judges each budget, and emits its rows. Returns 0, -ASSAY_ENOMEM or
 * -ASSAY_ESTOP. */
int ci_rows_budgets(const struct ci_rows *rows, const struct ci_measurement *m,
		    const struct ci_side *base, const struct ci_side *head,
		    struct assay_error *err);

/* Remarks on what was run: threads, processes, accesses left out. Returns 0 or
 * -ASSAY_ESTOP. */
int ci_rows_remarks(const struct ci_rows *rows, const struct ci_side *side);
int ci_rows_remark(const struct ci_rows *rows, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
