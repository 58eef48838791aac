/* SPDX-License-Identifier: MIT */
/*
 * A formula on one record, split into its parts: the amount that each event
 * adds, and, on the software PMU, the amount that each signal inside the events
 * adds. The signals explain why a formula is wrong.
 */
#ifndef ANALYSIS_TERMS_H
#define ANALYSIS_TERMS_H

#include <stdbool.h>

#include "analysis/formulas/formula.h"

/*
 * As formula_value(), but absent events are read as 0, as tools do that do not
 * check. *zeroed: the first such event, or NULL.
 */
struct assay_value formula_value_careless(const struct formula_file *file,
					  const struct formula *formula,
					  const struct assay_record *record,
					  const char **zeroed);

/*
 * The formula as a weighted sum of events at the record's counts: the sum of
 * weight[e] times the count of file->event[e]. min() and max() become the
 * argument that they choose there. False: the formula is not such a sum (it
 * multiplies or divides events); weight[] is then undefined.
 */
bool formula_weights(const struct formula_file *file,
		     const struct formula *formula,
		     const struct assay_record *record, double *weight);

/*
 * Why the formula gives `said` instead of `right`, in one clause, from the
 * signals that are no demand accesses: "L2D_CACHE counts L2 lookups by lines
 * leaving L1D (+9 023)". out: "" if the record has no signals.
 */
void formula_cause(char *out, size_t room, const struct formula_file *file,
		   const struct formula *formula,
		   const struct assay_record *record, double said,
		   double right);

/*
 * Writes "+ A - 2 B": the difference of two weighted sums (formula_weights())
 * of events of two files, a minus b.
 */
void formula_difference(char *out, size_t room,
			const struct formula_file *file_a, const double *a,
			const struct formula_file *file_b, const double *b);

#endif
