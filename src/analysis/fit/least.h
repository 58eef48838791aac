/* SPDX-License-Identifier: MIT */
/* Least squares of one to three unknowns, and numbers that mean something. */
#ifndef ANALYSIS_FIT_LEAST_H
#define ANALYSIS_FIT_LEAST_H

#include <stdbool.h>

#define LEAST_UNKNOWNS 3

/*
 * Shares: a row counts by how far it is off in relation to its size, which
 * small rows need. Sizes: by how far it is off, which rounded numbers need.
 */
enum least_weight { LEAST_SHARES, LEAST_SIZES, LEAST_WEIGHTS };

/* Sums over rows: normal equations. */
struct least {
	unsigned unknowns;
	enum least_weight weight;
	long double a[LEAST_UNKNOWNS][LEAST_UNKNOWNS], b[LEAST_UNKNOWNS];
};

/* One more row: y = sum of x[i] * unknown i. */
void least_add(struct least *l, const double *x, double y);

/* False: the columns do not tell the unknowns apart. */
bool least_solve(const struct least *l, double *out);

/*
 * The nearest number with few digits: a whole one, a half, a third ..., or one
 * with three decimals. Itself, if none is near.
 */
double least_snap(double value);

#endif
