/* SPDX-License-Identifier: MIT */
/*
 * The records of kernels, replayed: times per access, events per access,
 * predictions with their terms, and true pies, by the option that varies.
 */
#ifndef CLI_PLOTS_RUN_POINTS_H
#define CLI_PLOTS_RUN_POINTS_H

#include "cli/plots/run-file.h"

enum { POINTS_MOST = 512, POINT_LEVELS = 4, POINT_TERMS = 400 };

struct run_point {
	double x;		/* of the varying option; NaN: it has none */
	double ns, cycles;	/* per access; NaN: not known */
	double modelled;	/* cycles per access by the CPU file's costs of
				 * what is true of the run; NaN */
	double accesses, passes;
	double served[POINT_LEVELS];	/* the true pie; NaN */
	double event[ASSAY_EVENTS];	/* counts; NaN */
	double measured[ASSAY_QUANTITIES], predicted[ASSAY_QUANTITIES];
	bool simulated[ASSAY_QUANTITIES];	/* measured is the truth */
};

struct run_points {
	const struct assay_record *record;	/* the first one */
	const char *x_name;	/* "elements"; NULL: nothing varies */
	bool x_bytes;		/* x is a size */
	struct run_point *point;
	size_t points;
	struct report_mark mark[3];	/* the caches of the CPU; bytes */
	size_t marks;
	struct kept_rows terms;	/* rows "term" of the last shape */
	char why[300];		/* why records are left out; or "" */
};

/* Returns 0, or -ASSAY_ENOMEM. No record of a kernel: no points. */
int run_points_make(struct run_points *out, const struct context *context,
		    const struct run_file *run, struct assay_error *err);
void run_points_fini(struct run_points *points);

#endif
