/* SPDX-License-Identifier: MIT */
/*
 * Expectations: what a shape must give, per quantity, as a sum of named terms
 * with their reasons, and a band.
 */
#ifndef ASSAY_EXPECTATION_H
#define ASSAY_EXPECTATION_H

#include <stdbool.h>
#include <stddef.h>

#include "assay/quantity.h"

#define ASSAY_EXPECT_TERMS 8
#define ASSAY_EXPECT_ROWS 32

struct assay_term {
	const char *name;	/* "demand", "page walks", ... static */
	const char *formula;	/* "elements * passes"; static */
	double each;		/* the formula is multiplied by this: what one
				 * of it costs on this ISA; else 1 */
	double value;
	const char *reason;	/* one sentence; static */
};

struct assay_expected {
	enum assay_quantity quantity;
	double value;		/* sum of the terms */
	double low, high;	/* the band; low == value == high if exact */
	bool exact;
	const char *condition;	/* when this holds; NULL: always. Static */
	unsigned terms;
	struct assay_term term[ASSAY_EXPECT_TERMS];
};

struct assay_expectation {
	unsigned rows;
	struct assay_expected row[ASSAY_EXPECT_ROWS];
};

/* The row of a quantity, or NULL: nothing is predicted for it. */
ASSAY_API const struct assay_expected *
assay_expectation_find(const struct assay_expectation *e,
		       enum assay_quantity quantity);

/*
 * The whole formula of a term, "3 * elements * passes", always terminated.
 * Returns out.
 */
ASSAY_API const char *assay_term_formula(const struct assay_term *term,
					 char *out, size_t room);

#endif
