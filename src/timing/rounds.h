/* SPDX-License-Identifier: MIT */
/*
 * Timing several items (shapes) in rounds: in each round some chunks of every
 * item, so that the samples of an item are spread over time. An item is done
 * when its error is small enough (analysis/latency/series.h).
 */
#ifndef TIMING_ROUNDS_H
#define TIMING_ROUNDS_H

#include "analysis/latency/series.h"
#include "measure/time.h"

struct rounds_item {
	struct timed timed;
	struct time_sample *sample;	/* of chunks; freed by rounds_fini() */
	size_t samples, room;
	unsigned repeated;	/* rounds done again: too many torn chunks */
	bool disturbed;		/* a repeated round had too many, too */
	double ns;		/* time that the item took, repetitions too */
	enum series_state state;
	struct series_summary summary;
};

struct rounds_config {
	struct series_rule rule;
	bool (*stopped)(void *ctx);	/* asked before each slice; or NULL */
	void *stopped_ctx;
	unsigned most_rounds;	/* at least 1 */
	double slice_ns;	/* of one item in one round */
	double chunk_ns;	/* of one chunk, at most */
	unsigned enough;	/* accesses after which a chunk may end earlier;
				 * 0: it may not */
	double budget_ns;	/* per item, summed over all items; 0: no limit.
				 * No round is begun that would exceed the sum,
				 * except the second one, which may take it to
				 * twice the sum. Nothing is repeated then */
};
extern const struct rounds_config rounds_default_config;

/*
 * Fills sample, state and summary of every item (its `timed` is given).
 * Returns 0, -ASSAY_ENOMEM or -ASSAY_ESTOP; rounds_fini in any case.
 */
int rounds_run(const struct time_clock *clock,
	       const struct rounds_config *config, struct rounds_item *item,
	       size_t items);
void rounds_fini(struct rounds_item *item, size_t items);

#endif
