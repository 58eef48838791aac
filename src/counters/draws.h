/* SPDX-License-Identifier: MIT */
/*
 * Standard errors of counts under random replacement. Such a count is one draw
 * of a random variable (another seed gives another count), and estimates the
 * mean over all draws. The error is found in one of two ways:
 *
 * - Batch means: the passes of a periodic kernel repeat one experiment. Their
 *   counts are kept in batches of equally many passes, and the spread of the
 *   batches gives the error. Batches become longer as the run does, so that
 *   what one pass leaves in the caches for the next stays within a batch. Hence
 *   not every pass has to be simulated: after DRAWS_PASSES passes, the rest is
 *   extrapolated from those after the first DRAWS_SETTLE.
 * - Replicas: a trace or a program does not repeat itself. It is simulated
 *   DRAWS_REPLICAS times more with other seeds, side by side, and the spread of
 *   the counts is the error of one.
 *
 * Batch means do not contain the error of the state in which the passes began:
 * another draw could reach another steady state. If nothing was replaced at
 * random since the simulator began, all draws have the same counts.
 */
#ifndef COUNTERS_DRAWS_H
#define COUNTERS_DRAWS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/geometry.h"
#include "sim/sim.h"

#define DRAWS_SETTLE 16		/* passes that may differ from later ones */
#define DRAWS_PASSES 144	/* simulated at least, settling included */
#define DRAWS_BATCHES 16	/* at most; at least half of them are filled */
#define DRAWS_REPLICAS 7	/* in addition to the first draw */

/* The batches of one run. */
struct draws {
	bool extrapolate;	/* passes may be left out */
	bool periodic;		/* the run is one loop of passes */
	bool forwarded;		/* the simulator left passes out: it found that
				 * they replace nothing at random */
	bool undrawn;		/* nothing was ever replaced at random; set at
				 * the end of a run */
	uint64_t expected;	/* passes that follow after the next one */
	uint64_t passes;	/* simulated in this run */
	uint64_t left_out;
	uint64_t length;	/* passes per batch */
	unsigned batches;	/* complete ones */
	uint64_t from[SIGNALS];	/* at the start of the open batch */
	uint64_t batch[DRAWS_BATCHES][SIGNALS];
};

/* Has a cache or TLB of this CPU random replacement? */
bool draws_possible(const struct geometry *g);

/* A run begins; now[]: the signals counted so far. */
void draws_start(struct draws *d, const uint64_t *now);

/*
 * A pass has ended with the signals now[]. `left` passes follow, of which the
 * simulator leaves out `forwarded`. Returns how many more to leave out.
 */
uint64_t draws_pass(struct draws *d, const uint64_t *now, uint64_t left,
		    uint64_t forwarded);

/* Adds the passes that were left out to the signals counted in the run. */
void draws_complete(const struct draws *d, uint64_t *counted);

/* Passes of the run, and passes in batches. */
uint64_t draws_all(const struct draws *d);
uint64_t draws_batched(const struct draws *d);
/* Sum of a signal over the passes in batches. */
uint64_t draws_sum(const struct draws *d, int signal);

/*
 * The standard error of a count over the run, by batch means; count() computes
 * the count from signals. Negative: not known.
 */
double draws_error(const struct draws *d,
		   double (*count)(const void *ctx, const uint64_t *signal),
		   const void *ctx);

/*
 * The standard error of one draw of a count, by replicas: signal[i] are the
 * signals of draw i of the same stream, n >= 2 draws.
 */
double draws_spread(const uint64_t *const *signal, unsigned n,
		    double (*count)(const void *ctx, const uint64_t *signal),
		    const void *ctx);

#endif
