/* SPDX-License-Identifier: MIT */
/*
 * Deriving a quantity from events: the smallest sum of events, with small
 * weights, that gives the quantity on every run; or the proof that no sum of
 * these events does. (After Barry, Danalis and Dongarra, "Automated data
 * analysis for defining performance metrics from raw hardware events", 2024:
 * noise filter, QR with column pivoting, least squares; with error bounds,
 * cross-validation and rejection added.) Only user of LAPACKE.
 *
 *  1. Events that are 0 everywhere, or whose repetitions differ by more than
 *     DERIVE_NOISE, say nothing and are left out; of events that count the
 *     same everywhere one stands for all (its twins).
 *  2. QR with column pivoting gives the rank of what is left, and least
 *     squares over all of it the smallest error that any sum can have: if
 *     that is too large, the quantity cannot be derived.
 *  3. Sets of 1, 2, 3, 4 events are tried, smallest first. Weights are least
 *     squares, or, where some runs have a cause that the events do not see,
 *     least absolute errors; snapped to halves.
 *  4. What is found is exact in every run, or close: right in most runs where
 *     the quantity matters, and in most where it does not. It is fitted again
 *     without each kernel and tested on that one.
 */
#ifndef ANALYSIS_DERIVE_H
#define ANALYSIS_DERIVE_H

#include <stdbool.h>

#include "assay/error.h"

#define DERIVE_TERMS 4
#define DERIVE_FORMULAS 64
#define DERIVE_COLUMNS 256
#define DERIVE_EXACT 0.001	/* largest relative error of an exact one */
#define DERIVE_RIGHT 0.02	/* error of a run that a close one gets right */
#define DERIVE_MOSTLY 0.75	/* share of runs that it must get right */
#define DERIVE_RUNS 8		/* runs at least where the quantity matters */
#define DERIVE_NOISE 0.01

/* Runs are rows, events are columns. All memory is the caller's. */
struct derive_problem {
	unsigned rows, columns;
	const double *count;	/* rows x columns, row after row */
	const double *right;	/* rows: the quantity, from a witness */
	const double *scale;	/* rows: > 0; errors are relative to it */
	const double *volume;	/* rows: > 0; all that could be counted; the
				 * quantity matters from 1/20 of it */
	const unsigned *kernel;	/* rows: which kernel, 0 .. kernels - 1 */
	unsigned kernels;
	const double *noise;	/* columns: relative spread of repetitions */
};

struct derive_formula {
	unsigned terms;
	unsigned column[DERIVE_TERMS];
	double weight[DERIVE_TERMS];
	double bound[DERIVE_TERMS];	/* two standard errors of the weight
					 * that was fitted */
	bool snapped;		/* weights are whole or half numbers */
	double worst;		/* largest relative error */
	unsigned worst_row;
	unsigned right;		/* rows that it gets right */
	unsigned held;		/* kernels that it gets right if fitted
				 * without them */
	bool exact;
};

struct derive_result {
	unsigned used, silent, noisy, twins;	/* columns */
	unsigned twin_of[DERIVE_COLUMNS];	/* itself, or the one that
						 * stands for it */
	unsigned rank;
	double floor;		/* largest error of the best sum of all */
	double floor_mean;	/* and its mean error */
	unsigned floor_row;
	struct derive_formula formula[DERIVE_FORMULAS];	/* best first */
	unsigned formulas;	/* 0: it cannot be derived */
};

/*
 * wide: all formulas that are exact, up to one term more than the smallest;
 * else only those of the two smallest sizes, at most 8. Returns 0;
 * -ASSAY_EINVAL if there are fewer rows than can decide; -ASSAY_ENOMEM.
 */
int derive(const struct derive_problem *problem, bool wide,
	   struct derive_result *out, struct assay_error *err);

#endif
