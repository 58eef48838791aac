/* SPDX-License-Identifier: MIT */
/*
 * What a formula is made of on one record: how much each event adds, and,
 * where the record knows it (the software PMU), how much each signal inside
 * the events adds. This is what explains why a formula is wrong.
 */
#ifndef ANALYSIS_TERMS_H
#define ANALYSIS_TERMS_H

#include <stdbool.h>

#include "analysis/formulas/formula.h"

/*
 * As formula_value, but an event that is absent is read as 0, as a program
 * does that does not check. *zeroed: the first such event, or NULL.
 */
struct assay_value formula_value_careless(const struct formula_file *file,
					  const struct formula *formula,
					  const struct assay_record *record,
					  const char **zeroed);

/*
 * The formula as a sum over events at the record's counts: weight[e] times
 * file->event[e]. min and max are what they are there. False: it is no such
 * sum (a product or a quotient of events); weight[] is then of no use.
 */
bool formula_weights(const struct formula_file *file,
		     const struct formula *formula,
		     const struct assay_record *record, double *weight);

/*
 * Why the formula said `said` where `right` is right, in one clause, from the
 * signals that are no demand accesses: "L2D_CACHE counts L2 lookups by lines
 * leaving L1D (9 023)". `out` is "" if the record does not say.
 */
void formula_cause(char *out, size_t room, const struct formula_file *file,
		   const struct formula *formula,
		   const struct assay_record *record, double said,
		   double right);

/* "+ A - 2 B": the difference of two sums over events of two files. */
void formula_difference(char *out, size_t room,
			const struct formula_file *file_a, const double *a,
			const struct formula_file *file_b, const double *b);

#endif
