/* SPDX-License-Identifier: MIT */
/*
 * The shares of L1, L2, L3 and memory among the accesses of a target, from the
 * times of single accesses. Blocks of the target's accesses alternate with
 * blocks of calibration lines; analysis/latency/mixture.h makes shares of both.
 * No counter, no simulator and no closed form is read.
 */
#ifndef TIMING_CLASSIFY_H
#define TIMING_CLASSIFY_H

#include "analysis/latency/mixture.h"
#include "timing/calibration.h"

/* The accesses that are classified by level. */
struct classify_target {
	/* Runs the target untimed until its lines are in the caches as in its
	 * steady state; called after calibration blocks. Or NULL. */
	void (*warm)(void *ctx, const struct time_clock *clock);
	/* The same before each block, in a few us; or NULL. */
	void (*place)(void *ctx, const struct time_clock *clock);
	/* Times the next MIX_BLOCK accesses. */
	void (*block)(void *ctx, const struct time_clock *clock,
		      uint32_t *ticks);
	/* Mean ns of the next few thousand accesses, timed together; NULL:
	 * not possible, so there is no self-check. */
	double (*untimed)(void *ctx, const struct time_clock *clock);
	bool over_l1;		/* .untimed leaves the time of an L1 hit out */
	/* Accesses in .untimed that are never in a block (stores): how many per
	 * access in a block, and their mean *ticks. NULL: none. */
	double (*others)(void *ctx, double *ticks);
	void *ctx;
};

/* Phases alternate: calibration, target, calibration, ... calibration. */
struct classify_config {
	unsigned phases;	/* of the target */
	unsigned blocks;	/* in each phase of the target */
	unsigned calibration_blocks;	/* in each phase of calibration */
	bool (*stopped)(void *ctx);	/* asked before each phase; or NULL */
	void *stopped_ctx;
};
extern const struct classify_config classify_default_config;

struct classify_result {
	struct mix_result mix;
	double cost_ns[MIX_LEVELS];	/* of one access */
	double average_ns;	/* by .untimed; 0: not measured */
	double predicted_ns;	/* sum of share * cost */
	bool by_average;	/* L1 and L2 were told apart by average_ns,
				 * because the counter's steps are too coarse */
	bool consistent;	/* average_ns and predicted_ns agree */
	bool noisy;		/* a bar is longer than 3 points, and more
				 * blocks did not help */
	const char *note;	/* what makes the result doubtful (static); or
				 * "" */
};

/*
 * lines: laid out by calibration_lay(). Returns 0 (out->mix.why: the reason if
 * there is no answer), -ASSAY_ENOMEM or -ASSAY_ESTOP.
 */
int classify(const struct time_clock *clock,
	     const struct classify_config *config,
	     const struct classify_target *target,
	     struct calibration_lines *lines, struct classify_result *out);

/* The target that is a pointer chase; *chase must outlive *out. */
struct classify_chase {
	struct timed timed;
	unsigned next;		/* the chain of the next block */
	double least;		/* ticks: the quickest .place so far */
};
void classify_chase_target(struct classify_target *out,
			   struct classify_chase *chase);

#endif
