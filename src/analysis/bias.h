/* SPDX-License-Identifier: MIT */
/*
 * How far from the truth, and how far from itself: two questions. Counts that
 * repeat to eight digits can all be wrong by the same share.
 */
#ifndef ANALYSIS_BIAS_H
#define ANALYSIS_BIAS_H

#include <stdbool.h>
#include <stddef.h>

#include "assay/expectation.h"

struct bias {
	bool outside;	/* the mean lies outside the band */
	bool repeatable;	/* spread: at most a hundredth of the bias, or a
				 * millionth; false if there was one run only */
	unsigned runs;
	double share;	/* (mean - predicted) / predicted; infinite if nothing
			 * was predicted and something counted */
	double spread;	/* (most - least) / mean; 0 for no counts at all */
};

/* Of `runs` >= 1 values of one quantity. */
void bias_of(const struct assay_expected *expected, const double *value,
	     unsigned runs, struct bias *out);

/*
 * "repeatable but biased by +0.53 %", "biased by ..., not repeatable (spread
 * ...)", "repeatable and as predicted (spread 0 %)", ... Always terminated; returns out.
 */
const char *bias_text(const struct bias *bias, char *out, size_t room);

#endif
