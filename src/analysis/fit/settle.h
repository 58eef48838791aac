/* SPDX-License-Identifier: MIT */
/*
 * Counts of a real machine: how far they are from the truth, and how far from
 * themselves, are two questions. The repetitions of a shape become one row, of
 * their medians, which bias is measured on; how far they lie apart stands
 * beside it as that row's range, which is repeatability. What is interrupted
 * once in a while moves the range and not the median.
 */
#ifndef ANALYSIS_FIT_SETTLE_H
#define ANALYSIS_FIT_SETTLE_H

#include "analysis/fit/fit.h"

struct fit_settled {
	struct fit_panel panel;
	size_t *first;		/* rows of the panel: the first of the rows
				 * that each stands for */
	/* what the panel points to */
	struct fit_row *row;
	struct fit_column *column;
	double *cells;
};

/* Rows of a shape must follow each other. Returns 0 or -1: out of memory. */
int fit_settle(const struct fit_panel *panel, struct fit_settled *out);
void fit_settled_fini(struct fit_settled *settled);

#endif
