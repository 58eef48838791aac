/* SPDX-License-Identifier: MIT */
/*
 * The linear system of a derivation, shared by derive.c and derive-floor.c: a
 * row per run and a column per event that is used, both sides divided by the
 * row's scale.
 */
#ifndef ANALYSIS_DERIVE_SYSTEM_H
#define ANALYSIS_DERIVE_SYSTEM_H

#include <stddef.h>

#include "analysis/derive.h"

struct derive_system {
	const struct derive_problem *p;
	struct derive_result *out;
	unsigned column[DERIVE_COLUMNS];	/* of the problem, in use */
	unsigned columns;
	double *a;		/* rows x columns: counts / scale */
	double *b;		/* rows: the quantity / scale */
	double *gram;		/* columns x columns: transposed a * a */
	double *ab;		/* columns: transposed a * b */
	struct assay_error *err;
};

static inline double derive_at(const struct derive_system *d, unsigned row,
			       unsigned i)
{
	return d->a[(size_t)row * d->columns + i];
}

/*
 * Sets the rank of a, and the smallest error that any weighted sum of all
 * columns has, in d->out. Returns 0 or -ASSAY_ENOMEM.
 */
int derive_floor(struct derive_system *d);

#endif
