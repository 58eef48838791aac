/* SPDX-License-Identifier: MIT */
/*
 * The engine: records to steps to caches. Its code is headers (engine-*.h), so
 * that each vector unit gets one compilation of all of it, in which the search
 * of a set is inlined.
 */
#ifndef SIM_ENGINE_H
#define SIM_ENGINE_H

#include "sim/state.h"

struct engine {
	const char *name;
	void (*feed)(struct sim *s, const uint64_t *record, size_t records);
	/* As sim_outcomes, if there is a predictor of at most
	 * FLOW_MOST_LISTED entries. */
	size_t (*outcomes)(struct sim *s, const uint64_t *outcome, size_t n,
			   uint32_t *after, uint64_t *wrong);
	/* A prefetcher's request: trained by L1D or L2 (1, 2), for which. */
	void (*prefetch)(struct sim *s, uint32_t key, unsigned trains_on,
			 unsigned fills);
	/* A prefetcher's translation: fills, and is no lookup. */
	void (*translate)(struct sim *s, uint32_t virt);
	/*
	 * Takes loads and stores of one line each below `limit` (a power of
	 * two, at least 2^32) from the front of n records, in blocks, until a
	 * record is something else. Returns how many; writes as many keys,
	 * and up to 16 more. The number of stores is added to *stores.
	 */
	size_t (*decode)(const uint64_t *record, size_t n, unsigned line_shift,
			 uint64_t limit, uint32_t *key, uint64_t *stores);
};

extern const struct engine engine_portable, engine_watched;

/* What only engine_watched does: see sim_watch. */
#ifndef ENGINE_TELL
#define ENGINE_TELL(s, part, look, number) ((void)0)
#endif

/*
 * The fastest that this machine can run, but for so many that are faster; NULL:
 * there are no more. arch/<isa>/cpu.c.
 */
const struct engine *engine_best(unsigned but);

/* About what the second cache of the machine that simulates has for a level. */
#define ENGINE_NEAR_BYTES (512u << 10)

#define ENGINE_OPS(title) { \
	.name = title, \
	.feed = feed, \
	.outcomes = outcomes, \
	.prefetch = hierarchy_prefetch, \
	.translate = tlb_prefetch, \
	.decode = decode, \
}

#endif
