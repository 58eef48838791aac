/* SPDX-License-Identifier: MIT */
/*
 * Rounds over several things to time, so that the samples of each are spread
 * over time; each leaves the rounds when its answer is good enough.
 */
#ifndef TIMING_ROUNDS_H
#define TIMING_ROUNDS_H

#include "analysis/latency/series.h"
#include "measure/time.h"

struct rounds_item {
	struct timed timed;
	struct time_sample *sample;	/* owned; rounds_fini frees it */
	size_t samples, room;
	unsigned repeated;	/* rounds done again: too many torn samples */
	bool disturbed;		/* and in vain */
	double ns;		/* that all of it took, repetitions too */
	enum series_state state;
	struct series_summary summary;
};

struct rounds_config {
	struct series_rule rule;
	unsigned most_rounds;	/* at least 1 */
	double slice_ns;	/* of one item in one round */
	double chunk_ns;	/* at most */
	unsigned enough;	/* accesses: a chunk that has so many may be
				 * shorter; 0: no */
	double budget_ns;	/* for each item, of the time that all take: no
				 * round is begun that would not fit, but the
				 * second one if it fits into twice that; then
				 * nothing is repeated either. 0: no limit */
};
extern const struct rounds_config rounds_default_config;

/*
 * Fills sample, state and summary of every item (its `timed` is given).
 * Returns 0 or -ASSAY_ENOMEM; rounds_fini in either case.
 */
int rounds_run(const struct time_clock *clock, const struct rounds_config *plan,
	       struct rounds_item *item, size_t items);
void rounds_fini(struct rounds_item *item, size_t items);

#endif
