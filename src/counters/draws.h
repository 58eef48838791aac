/* SPDX-License-Identifier: MIT */
/*
 * Counts under random replacement are draws: another seed gives others. What
 * one draw says of the mean of all comes from the passes of a periodic kernel,
 * which are repetitions of one experiment: their counts are kept in batches of
 * equally many passes (batch means; batches become longer as the run does, so
 * that what one pass leaves to the next stays inside of them), and the spread
 * of the batches gives the standard error.
 *
 * A stream that is no repetition of anything, as that of a trace or a program,
 * is simulated with other draws beside: their spread is the error of one.
 *
 * For the first reason not every pass has to be simulated: after DRAWS_PASSES
 * of them the rest is taken to be like those after the first DRAWS_SETTLE.
 *
 * The error is that of passes like these: how the run came to them, and
 * whether another draw would stay with others for good, is not in it. Where
 * nothing was drawn since the simulator began, each draw counts the same.
 */
#ifndef COUNTERS_DRAWS_H
#define COUNTERS_DRAWS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/geometry.h"
#include "sim/sim.h"

#define DRAWS_SETTLE 16		/* passes that may differ from later ones */
#define DRAWS_PASSES 144	/* simulated at least; settling included */
#define DRAWS_BATCHES 16	/* at most; at least half as many */
#define DRAWS_REPLICAS 7	/* draws beside the first, where passes do not tell */

struct draws {
	bool extrapolate;	/* passes may be left out */
	bool periodic;		/* the run is one loop of passes */
	bool forwarded;		/* ... in which nothing was drawn any more */
	bool undrawn;		/* nothing ever was; set when a run has ended */
	uint64_t expected;	/* what the next pass will have left */
	uint64_t passes;	/* simulated in this run */
	uint64_t left_out;
	uint64_t length;	/* passes per batch */
	unsigned batches;	/* complete ones */
	uint64_t from[SIGNALS];	/* at the start of the open batch */
	uint64_t batch[DRAWS_BATCHES][SIGNALS];
};

/* Does anything in it replace at random? */
bool draws_possible(const struct geometry *g);

/* A run begins; `now` is what was counted so far. */
void draws_start(struct draws *d, const uint64_t *now);

/*
 * A pass has ended, and `left` follow it, of which the simulator will leave
 * out `forwarded`. Returns how many more to leave out.
 */
uint64_t draws_pass(struct draws *d, const uint64_t *now, uint64_t left,
		    uint64_t forwarded);

/* Adds the passes that were left out to what was counted in the run. */
void draws_complete(const struct draws *d, uint64_t *counted);

/* Passes of the run, and of these, those that are in batches. */
uint64_t draws_all(const struct draws *d);
uint64_t draws_batched(const struct draws *d);
/* Sum of a signal over these. */
uint64_t draws_sum(const struct draws *d, int signal);

/*
 * The standard error of a count over the whole run, seen as an estimate of the
 * mean over all draws; `count` gives it from signals. Negative: not known.
 */
double draws_error(const struct draws *d,
		   double (*count)(const void *ctx, const uint64_t *signal),
		   const void *ctx);

/*
 * The standard error of one draw of a count, seen as an estimate of the mean
 * over all draws: from the signals of n draws of the same stream, n >= 2.
 */
double draws_spread(const uint64_t *const *signal, unsigned n,
		    double (*count)(const void *ctx, const uint64_t *signal),
		    const void *ctx);

#endif
