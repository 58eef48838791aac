/* SPDX-License-Identifier: MIT */
/* Writing expectations: a row, its terms, its band. Freestanding. */
#ifndef KERNELS_EXPECT_H
#define KERNELS_EXPECT_H

#include <stdint.h>

#include "assay/expectation.h"

/* What a piece of a body does each time it is executed. */
struct cost {
	unsigned instructions, loads, stores, branches;
};

/*
 * Adds an exact row of no terms (value 0) for the quantity. Never NULL: what
 * does not fit into the expectation would be a mistake of the kernel (traps).
 */
struct assay_expected *expect_row(struct assay_expectation *out,
				  enum assay_quantity quantity);

/* Adds a term to the row; value, low and high grow by it. Returns the row. */
struct assay_expected *expect_term(struct assay_expected *row,
				   const char *name, const char *formula,
				   double value, const char *reason);

/* The same for `count` times something that costs `each`. Returns the row. */
struct assay_expected *expect_cost(struct assay_expected *row,
				   const char *name, double each,
				   const char *formula, double count,
				   const char *reason);

/* Gives the row a band and the condition under which it holds. */
void expect_band(struct assay_expected *row, double low, double high,
		 const char *condition);

/* A row of one exact term. */
struct assay_expected *expect_exact(struct assay_expectation *out,
				    enum assay_quantity quantity,
				    const char *name, const char *formula,
				    double value, const char *reason);

#endif
