/* SPDX-License-Identifier: MIT */
/* Predicted against measured, and the word for it. */
#ifndef ANALYSIS_VERDICT_H
#define ANALYSIS_VERDICT_H

#include "assay/expectation.h"
#include "assay/record.h"

enum verdict {
	VERDICT_AGREES,		/* inside the band */
	VERDICT_DISAGREES,
	VERDICT_INCONCLUSIVE,	/* an estimate, or no band */
	VERDICT_UNAVAILABLE,	/* absent; .why says why */
	VERDICTS
};
extern const char *const verdict_names[VERDICTS];

struct comparison {
	const struct assay_expected *expected;
	struct assay_value measured;
	enum verdict verdict;
	double error;		/* measured - predicted; 0 if unavailable */
};

void compare_quantity(const struct assay_expected *expected,
		      struct assay_value measured, struct comparison *out);

#endif
