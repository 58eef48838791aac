/* SPDX-License-Identifier: MIT */
/*
 * The software PMU's engine: an exact trace-driven model of one core's memory
 * hierarchy as its PMU reports it. Freestanding: no allocation, no libc; the
 * caller gives the memory.
 *
 * Rules that change counts
 * 1. A miss fetches the line first and copies the victim back after
 *    (copy_back FETCH_FIRST, Dinero's order), unless the geometry says
 *    VICTIM_FIRST.
 * 2. A write-back that misses allocates in the level below; it counts in
 *    *_writeback and *_writeback_miss, never in a demand signal.
 * 3. An access that crosses a line is one lookup per line.
 * 4. Invalid ways are filled first, lowest way first, unless COLD_POLICY_VICTIM.
 * 5. A streaming store's line leaves all caches, and is written back if it was
 *    dirty there. It goes to memory whole, through one of 8 write-combining
 *    buffers, of which the least recently used gives way: further streaming
 *    stores to a line in a buffer join it (served_l1), unless a cache has got
 *    the line since.
 */
#ifndef SIM_SIM_H
#define SIM_SIM_H

#include <stddef.h>
#include <stdint.h>

#include "base/access.h"
#include "base/geometry.h"

enum signal {
#define X(name, sentence) SIGNAL_##name,
#include "base/signals.def"
#undef X
	SIGNALS
};

struct sim;

/* The caches in the order of lookup, then the TLBs. */
enum sim_part {
	PART_L1D, PART_L1I, PART_L2, PART_L3,
	PART_DTLB, PART_STORE_DTLB, PART_ITLB, PART_L2TLB, PART_L2ITLB,
	PARTS
};

/* What a part of a watched simulator tells: a lookup by its cause, with flags,
 * or that a line or page has left the part. */
enum sim_look {
	LOOK_LOAD, LOOK_STORE, LOOK_WALK, LOOK_FETCH, LOOK_PREFETCH,
	LOOK_WRITE_BACK,	/* of a line or a store from the level above */
	LOOK_EVICTED,		/* another line took its place */
	LOOK_REMOVED,		/* by a flush, or by an inclusive level */
	LOOKS,
	LOOK_KINDS = 7,		/* a mask */
	LOOK_HIT = 8,
	LOOK_UNUSED = 16,	/* a prefetcher brought the line, and this is
				 * the first use, or the line was never used */
	LOOK_KEEPS = 32		/* the part takes what misses */
};

/* number: of the line (in lines of the part) or page. */
typedef void sim_watch_fn(void *ctx, enum sim_part part, unsigned look,
			  uint32_t number);

/*
 * Bytes of memory that sim_init needs for this geometry; 0 if the geometry
 * cannot be simulated, and then *why (may be NULL) gets one sentence.
 */
size_t sim_bytes(const struct geometry *geometry, const char **why);

/*
 * Builds a simulator in memory (64-byte aligned, sim_bytes() long, any
 * content): all caches and TLBs empty, all signals 0. The geometry is copied.
 */
struct sim *sim_init(void *memory, const struct geometry *geometry);

void sim_feed(struct sim *sim, const uint64_t *record, size_t records);

/* From now on each lookup is told to fn, and simulated by the rules alone:
 * slowly, with the same counts. */
void sim_watch(struct sim *sim, sim_watch_fn *fn, void *ctx);

/* The numbers of an address's line and page, as sim_watch tells them of L1 and
 * of TLBs. */
void sim_place(struct sim *sim, uint64_t address, uint32_t *line,
	       uint32_t *page);

/*
 * A BRANCH, CALL, RETURN or JUMP record of the instruction at pc, now, whatever
 * of the stream is still to be fed: the predictor acts on nothing else, unless
 * it returns how many walks of a wrong path follow. Those are to be fed where
 * the branch is in the stream, as ACCESS_WRONG_PATH.
 */
uint32_t sim_flow(struct sim *sim, uint64_t pc, uint64_t record);

/*
 * Predicts n conditional branches, one after the other, each once. An
 * outcome is the PC * 2, + 1 if it is taken; bit 63 of the PC is as bit 62. The
 * places of those that walks follow are put into after[], which has room for n.
 * Returns how many these are; *walks: how many follow each. wrong[] gets a bit
 * for each that was mispredicted, 64 to a word from the lowest on; or NULL.
 */
#define SIM_TAKEN UINT64_C(1)
size_t sim_outcomes(struct sim *sim, const uint64_t *outcome, size_t n,
		    uint32_t *after, uint32_t *walks, uint64_t *wrong);

/* Predicts n CALL and RETURN records; and n JUMP records at the addresses pc[].
 * The return stack and the targets of jumps do not depend on each other. */
void sim_calls(struct sim *sim, const uint64_t *record, size_t n);
void sim_jumps(struct sim *sim, const uint64_t *pc, const uint64_t *record,
	       size_t n);

/* As access_sink.pass: exact fast-forward of periodic kernels. Where no pass
 * is left, or it has accounted for all that were, a new run begins. */
uint64_t sim_pass(struct sim *sim, uint64_t left);

/* Off: every access is simulated. Counts are the same. Default: on. */
void sim_set_fast_forward(struct sim *sim, int on);

/* Forgets the passes seen so far; call between runs. State is kept. */
void sim_new_run(struct sim *sim);

/* A hash of all generators of random replacement: each draw changes it. */
uint64_t sim_generators(const struct sim *sim);

/*
 * The signals counted since sim_init: SIGNALS numbers, borrowed. They are true
 * until the next call of the simulator.
 */
const uint64_t *sim_signals(struct sim *sim);

/* Marked passes that were accounted for without simulating them, since
 * sim_init. */
uint64_t sim_fast_forwarded(const struct sim *sim);

#endif
