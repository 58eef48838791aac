/* SPDX-License-Identifier: MIT */
/*
 * The pie by time: shares of L1, L2, L3 and memory among the accesses of a walk
 * along pointers, from the times of single accesses. It reads no counter, no
 * simulator and no closed form.
 */
#ifndef TIMING_CLASSIFY_H
#define TIMING_CLASSIFY_H

#include "analysis/latency/mixture.h"
#include "timing/calibration.h"

/* What is asked about. */
struct classify_target {
	/* Brings everything where it is when this has gone on for ever, after
	 * the levels' chains went through the caches; or NULL. */
	void (*warm)(void *ctx, const struct time_clock *clock);
	/* Before each block: brings its lines where they are to be; or NULL. */
	void (*place)(void *ctx, const struct time_clock *clock);
	/* Times the next MIX_BLOCK accesses. */
	void (*block)(void *ctx, const struct time_clock *clock,
		      uint32_t *ticks);
	/* ns per access without stamps, of the next few thousand accesses;
	 * NULL: there is no such thing, and no self-check. */
	double (*untimed)(void *ctx, const struct time_clock *clock);
	bool over_l1;		/* what it says is over an L1 hit */
	/* Accesses among them that are in no block: how many for each that is,
	 * and their mean ticks; NULL: none. */
	double (*others)(void *ctx, double *ticks);
	void *ctx;
};

struct classify_config {
	unsigned phases;	/* the target's turns; known ones between */
	unsigned blocks;	/* of the target in each of its turns */
	unsigned calibration_blocks;	/* of known accesses in each of theirs */
};
extern const struct classify_config classify_default_config;

struct classify_result {
	struct mix_result mix;
	double cost_ns[MIX_LEVELS];	/* of one access */
	double average_ns;	/* measured without stamps; 0: not */
	double predicted_ns;	/* sum of share * cost */
	bool by_average;	/* L1 : L2 comes from the average, since the
				 * counter's steps are too coarse for it */
	bool consistent;	/* average and prediction agree */
	bool noisy;		/* a bar is longer than 3 points, and more
				 * blocks did not help */
	const char *note;	/* what is wrong; or "" */
};

/* Returns 0 (out->mix.why: no answer), -ASSAY_ENOMEM. */
int classify(const struct time_clock *clock, const struct classify_config *plan,
	     const struct classify_target *target,
	     struct calibration_lines *levels, struct classify_result *out);

/* The target that is a timed walk. */
struct classify_chase {
	struct timed timed;
	unsigned turn;
	double least;		/* ticks that it took to go on */
};
void classify_chase_target(struct classify_target *out,
			  struct classify_chase *walk);

#endif
