/* SPDX-License-Identifier: MIT */
/*
 * A target of the pie by time for any kernel that loads: the addresses that
 * the kernel's traced body reaches are recorded, and loaded again in that
 * order, one at a time, so no load overlaps another.
 *
 * - Passes that repeat are recorded once and replayed again and again.
 * - Stores and software prefetches are replayed as loads that do not count;
 *   flushes and streaming stores as flushes.
 * - Of a pass that is too long to be kept, only stretches are replayed, spread
 *   over the pass. The accesses right before a stretch are replayed untimed;
 *   lines that the pass used long before the stretch are where the other
 *   stretches left them.
 * - No closed form and no simulator is used.
 */
#ifndef TIMING_REPLAY_LOADS_H
#define TIMING_REPLAY_LOADS_H

#include "timing/classify.h"

#define REPLAY_STRETCHES 16	/* as many as classify() has phases */

/* A recorded pass; a step is one access of it. */
struct replay_loads {
	void **list;		/* addresses, owned; low bits: kind of step */
	uint64_t steps, room, next;	/* kept; allocated; to replay next */
	uint64_t total;		/* steps of the pass, kept or not */
	bool sampled;		/* only the stretches at start[] are kept */
	uint64_t start[REPLAY_STRETCHES];	/* by number in the pass */
	unsigned recorded;	/* stretches, while recording */
	unsigned phase;		/* selects the stretch to replay */
	uint64_t loads;		/* of the pass */
	uint64_t others;	/* stores of the pass, which are demand accesses
				 * too */
	uint64_t flushes;
	uint64_t seed;		/* for the untimed steps between timed ones */
	uintptr_t host;		/* the arena's address */
	bool no_memory;
	double other_ticks;	/* sum over timed steps that do not count */
	uint64_t others_timed;
};

/*
 * Records a pass of a prepared shape. Returns 0 (out->loads may be 0),
 * -ASSAY_ENOMEM, or -ASSAY_ERANGE: the pass has too many accesses. A pass with
 * flushes must fit without sampling, so its limit is lower. Free *out with
 * replay_loads_fini() in any case.
 */
int replay_loads_record(struct replay_loads *out, const struct kernel *kernel,
			const struct assay_shape *shape, struct arena *arena,
			enum isa isa, struct assay_error *err);
void replay_loads_fini(struct replay_loads *replay);

/* The target that replays the pass, which must have loads and outlive *out. */
void replay_loads_target(struct classify_target *out,
			 struct replay_loads *replay);

#endif
