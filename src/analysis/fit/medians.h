/* SPDX-License-Identifier: MIT */
/*
 * Repetitions on a real machine, reduced to one row per shape: the median of
 * the repetitions, on which bias is measured, and beside the median their
 * range, which is the repeatability. An occasional interrupt widens the range
 * and leaves the median alone.
 */
#ifndef ANALYSIS_FIT_MEDIANS_H
#define ANALYSIS_FIT_MEDIANS_H

#include "analysis/fit/fit.h"

struct fit_medians {
	struct fit_panel panel;
	size_t *first;		/* per row of the panel: the first of the
				 * original rows that the row stands for */
	/* owned; the panel points to these */
	struct fit_row *row;
	struct fit_column *column;
	double *cells;
};

/*
 * Reduces a panel whose rows are grouped by shape. Returns 0, or -1 if memory
 * is out; the caller frees *out with fit_medians_fini().
 */
int fit_medians(const struct fit_panel *panel, struct fit_medians *out);
void fit_medians_fini(struct fit_medians *settled);

#endif
