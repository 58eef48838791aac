/* SPDX-License-Identifier: MIT */
/*
 * Least squares with one to three unknowns, and rounding of the results to
 * plausible numbers. Sums are kept in long double; the caller starts with a
 * struct least of 0 and the number of unknowns.
 */
#ifndef ANALYSIS_FIT_LEAST_H
#define ANALYSIS_FIT_LEAST_H

#include <stdbool.h>

#define LEAST_UNKNOWNS 3

/*
 * The residual that is minimised: LEAST_SHARES divides each row's by the row's
 * largest number, so that small rows count as much as large ones; LEAST_SIZES
 * takes residuals as they are, as rounded numbers need it.
 */
enum least_weight { LEAST_SHARES, LEAST_SIZES, LEAST_WEIGHTS };

/* The normal equations, summed over rows. */
struct least {
	unsigned unknowns;
	enum least_weight weight;
	long double a[LEAST_UNKNOWNS][LEAST_UNKNOWNS], b[LEAST_UNKNOWNS];
};

/* Adds a row: y = sum of x[i] * unknown i. */
void least_add(struct least *l, const double *x, double y);

/* False: the columns are linearly dependent. */
bool least_solve(const struct least *l, double *out);

/*
 * The nearest whole number, half, third, quarter, fifth, sixth, eighth,
 * sixteenth or thousandth within 1e-5; otherwise the value itself.
 */
double least_snap(double value);

#endif
