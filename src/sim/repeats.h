/* SPDX-License-Identifier: MIT */
/*
 * Streams that do the same again without saying so. The steps of a plain
 * hierarchy (lean.h) are compared with those before; once a pass, which is what
 * goes again, is known to leave the caches as it has found them, the next ones
 * like it are only compared, and counted when somebody asks.
 *
 * Why what was counted in one pass holds for the next
 * 1. If L1D is the same before and after a pass, down to order and flags, the
 *    next pass of the same steps asks the same of the levels below, and leaves
 *    L1D so again.
 * 2. A level below that has everything it is asked for, and is asked for no
 *    prefetch, loses nothing, and the order of its sets is that of the last
 *    uses. The same list again finds the same, and leaves the same. It trains
 *    no prefetcher: no line is used for the first time any more.
 * 3. Else, without prefetchers: LRU puts the lines of a list in the order of
 *    their last uses, in front of the others, whatever was there before. So a
 *    level that takes one list again and again holds the same lines after each,
 *    and from the second one on they are dirty alike: either what a line needs
 *    for that is in the list behind where it is filled, or it is never filled
 *    and was in the first two. What it asks below is the same from the third
 *    on. L2's first such list is that of the pass in which L1D came to be the
 *    same, L3's is made of L2's third, so L3 asks for the same from the fifth
 *    pass on (REPEATS_SETTLED).
 */
#ifndef SIM_REPEATS_H
#define SIM_REPEATS_H

#include "sim/state.h"

#define REPEATS_LINES 8u	/* steps of a pass, to lines that a cache holds, ... */
#define REPEATS_MOST 131072u	/* ... but no more than so many, ... */
#define REPEATS_MOST_LEAST 4096u	/* ... or so few */
#define REPEATS_LEAST 512u	/* steps of the shortest pass */
#define REPEATS_LIKE 8u		/* steps that are taken for a new pass */
#define REPEATS_SETTLED 5u
#define REPEATS_PATIENCE 16u	/* passes that are simulated, until given up */

struct repeats {
	uint32_t most;		/* steps of a pass */
	uint32_t length;	/* of this one, in steps; 0: it is looked for */
	/* looking: where the like of these steps comes again */
	uint32_t like[REPEATS_LIKE];
	bool liked;		/* there are such steps, ... */
	uint32_t since;		/* ... so long ago */
	uint32_t idle, tries;	/* steps until the next attempt; how many were */
	/* length: */
	uint32_t *past;		/* so many steps; the next one goes to ... */
	uint32_t at;
	uint32_t left;		/* of this pass */
	uint32_t differed;	/* where this one or the last did from its last */
	bool alike;		/* it goes as the last one, until now, ... */
	bool put_off;		/* ... and is not simulated: see `count` */
	uint32_t steady;	/* passes that left L1D as it was, until now */
	uint32_t patience;
	uint64_t passes;	/* put off, and not counted yet */
	uint64_t disturbed;	/* of this pass: see lean_take */
	uint64_t count[SIGNALS];	/* of this pass; if put off, of a whole one */
	uint32_t *l1d;		/* as the last pass has left it */
	uint64_t left_out;	/* steps, since sim_init */
};

/* NULL: the hierarchy is not plain. */
struct repeats *repeats_build(const struct sim *s, struct carve *c);
void repeats_reset(struct repeats *r);

/* The steps: takes them through the caches, or puts them off. */
void repeats_take(struct sim *s, const struct steps *steps);

/* Does what was put off. What comes next need not be steps of a pass. */
void repeats_settle(struct sim *s);

#endif
