/* SPDX-License-Identifier: MIT */
/* What a provider read for one event in one repetition. */
#ifndef ASSAY_COUNT_H
#define ASSAY_COUNT_H

#include <stdint.h>

#include "assay/export.h"

enum assay_count_state {
	ASSAY_COUNT_PRESENT,	/* counted the whole time */
	ASSAY_COUNT_SCALED,	/* counted a part of the time: an estimate */
	ASSAY_COUNT_ABSENT,	/* not counted: .why says why */
};

/*
 * .value is what the counter showed, never scaled; assay_count_estimate()
 * scales it. enabled and running are in ns; both 0 where the provider has no
 * such notion (sim), and then the count is PRESENT for the whole run. A
 * simulator that replaces at random and left out passes gives passes instead:
 * all of the run, and those that .value is of.
 *
 * .error is the standard error of the (scaled) count seen as an estimate of
 * the mean over all draws of random replacement; 0: it does not depend on the
 * draw; negative: not known.
 */
struct assay_count {
	uint64_t value;
	uint64_t enabled;
	uint64_t running;
	enum assay_count_state state;
	const char *why;	/* ABSENT only; borrowed, see assay_value */
	double error;
};

/* value * enabled / running, rounded; value itself if PRESENT. */
ASSAY_API uint64_t assay_count_estimate(const struct assay_count *count);

#endif
