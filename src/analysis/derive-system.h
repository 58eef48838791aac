/* SPDX-License-Identifier: MIT */
/* A quantity being derived: what the parts of that share. */
#ifndef ANALYSIS_DERIVING_H
#define ANALYSIS_DERIVING_H

#include <stddef.h>

#include "analysis/derive.h"

struct deriving {
	const struct derive_problem *p;
	struct derive_result *out;
	unsigned column[DERIVE_COLUMNS];	/* those in use */
	unsigned columns;
	double *a;		/* rows x columns in use, scaled by row */
	double *b;		/* rows, scaled */
	double *gram;		/* columns x columns: a' a */
	double *ab;		/* columns: a' b */
	struct assay_error *err;
};

static inline double deriving_at(const struct deriving *d, unsigned row, unsigned i)
{
	return d->a[(size_t)row * d->columns + i];
}

/* Rank, and the smallest error of any sum, into d->out. 0 or -ASSAY_ENOMEM. */
int deriving_floor(struct deriving *d);

#endif
