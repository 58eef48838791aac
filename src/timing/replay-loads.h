/* SPDX-License-Identifier: MIT */
/*
 * A kernel's accesses one by one, for the pie by time: its traced body says in
 * which order it reaches which addresses, and they are loaded in that order,
 * each on its own. So any kernel that loads can be asked, not only walks along
 * pointers; what is seen is what its loads find when none overlaps another.
 * Passes that repeat are replayed as one, again and again. Stores and software
 * prefetches are replayed as loads that do not count, flushes and streaming
 * stores as flushes. Of a pass that is too long to be kept, stretches all over
 * it are replayed, each behind what came right before it; what was touched last
 * long before a stretch is then where the other stretches left it. No closed
 * form and no simulator is asked.
 */
#ifndef TIMING_REPLAY_LOADS_H
#define TIMING_REPLAY_LOADS_H

#include "timing/classify.h"

#define REPLAY_STRETCHES 16	/* as many as the pie by time has turns */

struct replay_loads {
	void **list;		/* owned; what is to be done in the low bits */
	uint64_t steps, room, next;
	uint64_t total;		/* of the pass; steps: what of it is kept */
	bool sampled;		/* stretches that begin at these steps of it */
	uint64_t start[REPLAY_STRETCHES];
	unsigned taken, turn;
	uint64_t loads, others;	/* demand accesses of a pass */
	uint64_t seed;		/* of how far to go between timed ones */
	uintptr_t host;
	bool no_memory;
	uint64_t flushes;
	double other_ticks;	/* of those that were timed and do not count */
	uint64_t others_timed;
};

/*
 * The steps of a prepared shape. Returns 0 (out->loads may be 0), -ASSAY_ENOMEM,
 * -ASSAY_ERANGE: a pass of so many accesses, or of fewer that flushes, is not
 * replayed. replay_loads_fini in any case.
 */
int replay_loads_record(struct replay_loads *out, const struct kernel *kernel,
	       const struct assay_shape *shape, struct arena *arena,
	       enum isa isa, struct assay_error *err);
void replay_loads_fini(struct replay_loads *steps);

/* The target that replays them; there must be loads. */
void replay_loads_target(struct classify_target *out, struct replay_loads *steps);

#endif
