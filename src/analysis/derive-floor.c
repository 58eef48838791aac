/* SPDX-License-Identifier: MIT */
/*
 * The smallest error that any weighted sum of the events can have, by QR with
 * column pivoting. See derive-system.h.
 */
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/derive-system.h"
#include "base/text.h"

/* The columns of a, scaled to unit length: events count different amounts. */
static double *unit_columns(const struct derive_system *d)
{
	const unsigned n = d->columns, rows = d->p->rows;
	double *q = calloc((size_t)rows * n, sizeof(*q));

	for (unsigned i = 0; q && i < n; i++) {
		double length = sqrt(d->gram[(size_t)i * n + i]);

		for (unsigned r = 0; r < rows; r++)
			q[(size_t)r * n + i] = derive_at(d, r, i) / length;
	}
	return q;
}

/* b minus its part in the span of the first `rank` columns of Q. */
static void residual(const double *q, unsigned columns, unsigned rows,
		     unsigned rank, double *b)
{
	for (unsigned i = 0; i < rank; i++) {
		double along = 0;

		for (unsigned r = 0; r < rows; r++)
			along += q[(size_t)r * columns + i] * b[r];
		for (unsigned r = 0; r < rows; r++)
			b[r] -= along * q[(size_t)r * columns + i];
	}
}

int derive_floor(struct derive_system *d)
{
	const unsigned n = d->columns, rows = d->p->rows;
	const unsigned least = n < rows ? n : rows;
	double *q = unit_columns(d), *tau = calloc(least + 1, sizeof(*tau));
	double *rest = calloc(rows, sizeof(*rest));
	lapack_int *pivot = calloc(n + 1, sizeof(*pivot));
	int rc = q && tau && pivot && rest ? 0 : -1;

	if (rc == 0)
		rc = LAPACKE_dgeqp3(LAPACK_ROW_MAJOR, (lapack_int)rows,
				    (lapack_int)n, q, (lapack_int)n, pivot,
				    tau);
	while (rc == 0 && d->out->rank < least &&
	       fabs(q[(size_t)d->out->rank * n + d->out->rank]) > 1e-9)
		d->out->rank++;
	if (rc == 0)
		rc = LAPACKE_dorgqr(LAPACK_ROW_MAJOR, (lapack_int)rows,
				    (lapack_int)least, (lapack_int)least, q,
				    (lapack_int)n, tau);
	if (rc == 0) {
		memcpy(rest, d->b, rows * sizeof(*rest));
		residual(q, n, rows, d->out->rank, rest);
	}
	for (unsigned r = 0; r < rows && rc == 0; r++) {
		d->out->floor_mean += fabs(rest[r]) / rows;
		if (fabs(rest[r]) <= d->out->floor)
			continue;
		d->out->floor = fabs(rest[r]);
		d->out->floor_row = r;
	}
	free(q);
	free(tau);
	free(rest);
	free(pivot);
	return rc ? error_memory(d->err) : 0;
}
