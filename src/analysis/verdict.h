/* SPDX-License-Identifier: MIT */
/*
 * A predicted value against measured ones: the verdict on one value, and the
 * bias and the spread of several. Bias (distance from the prediction) and
 * spread (distance from each other) are two answers: counts that repeat to
 * eight digits can all be wrong by the same share.
 */
#ifndef ANALYSIS_VERDICT_H
#define ANALYSIS_VERDICT_H

#include <stdbool.h>
#include <stddef.h>

#include "assay/expectation.h"

enum verdict {
	VERDICT_AGREES,		/* inside the band */
	VERDICT_DISAGREES,
	VERDICT_INCONCLUSIVE,	/* an estimate, or no band was predicted */
	VERDICT_UNAVAILABLE,	/* not measured; measured.why has the reason */
	VERDICTS
};
extern const char *const verdict_names[VERDICTS];

struct comparison {
	const struct assay_expected *expected;	/* borrowed */
	struct assay_value measured;
	enum verdict verdict;
	double error;		/* measured - predicted; 0 if unavailable */
};

void compare_quantity(const struct assay_expected *expected,
		      struct assay_value measured, struct comparison *out);

struct bias {
	bool outside;	/* the mean lies outside the predicted band */
	bool repeatable;	/* the spread is at most a hundredth of the
				 * bias, or a millionth; false for one run */
	unsigned runs;
	double share;	/* (mean - predicted) / predicted; infinite if the
			 * prediction is 0 and the mean is not */
	double spread;	/* (largest - smallest) / mean; 0 if the mean is 0 */
};

/* Bias and spread of the values of one quantity in `runs` >= 1 repetitions. */
void bias_of(const struct assay_expected *expected, const double *value,
	     unsigned runs, struct bias *out);

/*
 * Writes "repeatable but biased by +0.53 %", "biased by ..., not repeatable
 * (spread ...)", "repeatable and as predicted (spread 0 %)" ... into `room`
 * bytes, NUL-terminated. Returns out.
 */
const char *bias_text(const struct bias *bias, char *out, size_t room);

#endif
