/* SPDX-License-Identifier: MIT */
/* Least squares by Gauss-Jordan elimination. See least.h. */
#include "analysis/fit/least.h"

#include <math.h>

void least_add(struct least *l, const double *x, double y)
{
	long double size = 1 + fabs(y), w;

	for (unsigned i = 0; i < l->unknowns; i++)
		size = fmaxl(size, fabsl((long double)x[i]));
	w = l->weight == LEAST_SHARES ? 1 / size : 1;
	for (unsigned i = 0; i < l->unknowns; i++) {
		for (unsigned j = 0; j < l->unknowns; j++)
			l->a[i][j] += w * x[i] * w * x[j];
		l->b[i] += w * x[i] * w * y;
	}
}

static void eliminate(long double a[][LEAST_UNKNOWNS + 1], unsigned n,
		      unsigned from)
{
	for (unsigned i = 0; i < n; i++) {
		long double k = i == from ? 0 : a[i][from] / a[from][from];

		for (unsigned j = 0; j <= n; j++)
			a[i][j] -= k * a[from][j];
	}
}

bool least_solve(const struct least *l, double *out)
{
	long double a[LEAST_UNKNOWNS][LEAST_UNKNOWNS + 1];
	unsigned n = l->unknowns;

	for (unsigned i = 0; i < n; i++) {
		for (unsigned j = 0; j < n; j++)
			a[i][j] = l->a[i][j];
		a[i][n] = l->b[i];
	}
	for (unsigned i = 0; i < n; i++) {
		if (fabsl(a[i][i]) <= 1e-9L * l->a[i][i] || l->a[i][i] == 0)
			return false;
		eliminate(a, n, i);
	}
	for (unsigned i = 0; i < n; i++)
		out[i] = (double)(a[i][n] / a[i][i]);
	return true;
}

double least_snap(double value)
{
	static const double parts[] = { 1, 2, 3, 4, 5, 6, 8, 16, 1000 };

	for (unsigned i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		double near = round(value * parts[i]) / parts[i];

		if (fabs(near - value) < 1e-5 * (1 + fabs(value)))
			return near;
	}
	return value;
}
