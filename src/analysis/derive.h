/* SPDX-License-Identifier: MIT */
/*
 * Deriving a quantity from events: the smallest weighted sum of events that
 * gives the quantity on every run, or the proof that no sum of these events
 * does. (After Barry, Danalis and Dongarra, "Automated data analysis for
 * defining performance metrics from raw hardware events", 2024: noise filter,
 * QR with column pivoting, least squares; with error bounds, cross-validation
 * and rejection added.) derive.c and derive-floor.c are the only users of
 * LAPACKE.
 *
 *  1. Events that are 0 in every run, or whose repetitions differ by more than
 *     DERIVE_NOISE, are left out. Of events that count the same in every run
 *     (twins), one stands for all.
 *  2. QR with column pivoting gives the rank of the remaining columns. Least
 *     squares over all of them gives the smallest error that any sum can have:
 *     if that error is too large, the quantity cannot be derived.
 *  3. Sets of 1, 2, 3, 4 events are tried, smallest first; then of 5 and 6, if
 *     a sum of all columns is exact and no sum of four is. Weights come from
 *     least squares, or from least absolute errors, which a few runs with
 *     another cause do not distort. Weights are rounded to halves.
 *  4. A formula is exact in every run, or close: right in most runs where the
 *     quantity matters, and right in most runs where it does not. The formula
 *     is fitted again without each kernel and tested on that kernel.
 */
#ifndef ANALYSIS_DERIVE_H
#define ANALYSIS_DERIVE_H

#include <stdbool.h>

#include "assay/error.h"

#define DERIVE_TERMS 6
#define DERIVE_CLOSE 4		/* most events of a formula that is not exact */
#define DERIVE_FORMULAS 64
#define DERIVE_COLUMNS 256
#define DERIVE_ROWS 1024
#define DERIVE_EXACT 0.001	/* largest relative error of an exact formula */
#define DERIVE_RIGHT 0.02	/* largest error of a run that is right */
#define DERIVE_MOSTLY 0.75	/* least share of right runs; close formulas */
#define DERIVE_RUNS 8		/* least runs where the quantity matters */
#define DERIVE_NOISE 0.01	/* largest relative spread of repetitions */

/* Runs are rows, events are columns. All memory is the caller's. */
struct derive_problem {
	unsigned rows, columns;
	const double *count;	/* rows x columns, row after row */
	const double *right;	/* rows: the true quantity */
	const double *scale;	/* rows: > 0; the unit of errors */
	const double *volume;	/* rows: > 0; the largest possible quantity;
				 * the quantity matters from 1/20 of this */
	const unsigned *kernel;	/* rows: which kernel, 0 .. kernels - 1 */
	unsigned kernels;
	const double *noise;	/* columns: relative spread of repetitions */
};

struct derive_formula {
	unsigned terms;
	unsigned column[DERIVE_TERMS];
	double weight[DERIVE_TERMS];
	double bound[DERIVE_TERMS];	/* two standard errors of the fitted
					 * weight */
	bool snapped;		/* weights are whole or half numbers */
	double worst;		/* largest relative error */
	unsigned worst_row;
	unsigned right;		/* rows where the formula is right */
	unsigned held;		/* kernels where the formula is right when
				 * fitted without them */
	bool exact;
};

struct derive_result {
	unsigned used, silent, noisy, twins;	/* columns */
	unsigned twin_of[DERIVE_COLUMNS];	/* the column itself, or the
						 * twin that stands for it */
	unsigned rank;
	double floor;		/* largest error of the best sum of all columns
				 * in use */
	double floor_mean;	/* mean error of that sum */
	unsigned floor_row;	/* the row of its largest error */
	struct derive_formula formula[DERIVE_FORMULAS];	/* best first */
	unsigned formulas;	/* 0: the quantity cannot be derived */
};

/*
 * Searches for formulas of up to one term more than the smallest exact one.
 * wide: returns up to DERIVE_FORMULAS of them, otherwise up to 8. Returns 0;
 * -ASSAY_EINVAL for too few or too many rows, kernels or columns;
 * -ASSAY_EUNAVAIL without LAPACKE; -ASSAY_ENOMEM.
 */
int derive(const struct derive_problem *problem, bool wide,
	   struct derive_result *out, struct assay_error *err);

#endif
