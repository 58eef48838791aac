/* SPDX-License-Identifier: MIT */
/*
 * One set-associative array with any replacement policy: a cache level (keys
 * are line numbers) or a TLB (keys are page numbers).
 *
 * Invariants
 * 1. An entry is number << 3 | flags; LEVEL_EMPTY has a number that is never
 *    used, and no flags. Lanes from `ways` to `stride` are always empty.
 * 2. LRU and FIFO sets are ordered: lane 0 is the newest, lane ways - 1 goes
 *    next. Other policies keep a line in its way, and their own words beside.
 * 3. What a set contains, its words, and the words that all sets share are the
 *    whole state: no clock.
 * 4. Empty lanes of an ordered set are its last ones, unless keep_holes.
 */
#ifndef SIM_LEVEL_H
#define SIM_LEVEL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/policies.h"
#include "sim/words.h"

#define LEVEL_DIRTY 1u
#define LEVEL_DRAM 2u		/* memory served it */
#define LEVEL_PREFETCHED 4u	/* by hardware, and not used since */
#define LEVEL_FLAGS 7u
#define LEVEL_EMPTY 0xfffffff8u
#define LEVEL_NUMBER_BITS 29
/* Of `moved`; a prefetcher may ask for lines behind all memory. */
#define LEVEL_PIECES 32

/* tree-PLRU: what a use of a way makes of its nodes. */
struct policy_touch {
	uint64_t keep, set;
};

struct level {
	uint32_t *entry;	/* sets * stride */
	uint64_t *word;		/* sets * words; the policy's */
	uint64_t *shared;	/* its words that all sets share */
	uint32_t sets;		/* of all slices */
	uint32_t ways, stride, words;
	uint32_t per_slice, slices;
	uint32_t mask;		/* sets - 1 if that can select a set, or 0 */
	uint32_t slice_mask;	/* the same of per_slice, with slices */
	/* NULL, or by number >> piece_bits, how many times 2^piece_bits the
	 * number was larger before pages.h renumbered it */
	const uint64_t *moved;
	unsigned piece_bits;
	uint32_t leaf_bits;	/* tree-PLRU: ways of a tree = 2^leaf_bits */
	struct policy_touch *touch;	/* ... and of each way */
	enum replacement policy;
	const struct policy *is;	/* its row of policies.def */
	bool keep_holes;
};

struct level_shape {
	uint32_t sets, slices, ways;	/* sets: per slice */
	enum replacement policy;
	enum cold_fill cold;
};

/* Why this cannot be simulated: a sentence; NULL: it can be. */
const char *level_refusal(const struct level_shape *shape);

/* Lays the level out in `c`. */
void level_build(struct level *l, const struct level_shape *shape,
		 struct carve *c);
/* Empties it. `seed` sets the generators of REPLACE_RANDOM. */
void level_reset(struct level *l, uint64_t seed);

/* The policy's words, and their state when empty. */
void policy_build(struct level *l, struct carve *c);
void policy_start(const struct level *l);	/* of those that sets share */
void policy_reset(const struct level *l, uint32_t set, uint64_t seed);

/* A hash of all that the set is. */
uint64_t level_hash(const struct level *l, uint32_t set);

static inline uint32_t level_slice(const struct level *l, uint64_t number)
{
	const uint32_t mixed = (uint32_t)(number ^ number >> 32) * 0x9e3779b1u;

	return (uint32_t)((uint64_t)mixed * l->slices >> 32);
}

/* Does a part of the number choose the set? */
static inline bool level_is_masked(const struct level *l)
{
	return l->mask || l->sets == 1;
}

static inline uint32_t level_set(const struct level *l, uint32_t key)
{
	uint64_t number = key >> 3;
	uint32_t set;

	if (l->mask)
		return key >> 3 & l->mask;
	if (l->sets == 1)
		return 0;
	if (l->moved)
		number += l->moved[number >> l->piece_bits & (LEVEL_PIECES - 1)]
			  << l->piece_bits;
	set = (uint32_t)(l->slice_mask ? number & l->slice_mask :
					 number % l->per_slice);
	return l->slices == 1 ? set :
	       level_slice(l, number) * l->per_slice + set;
}

static inline uint32_t level_stride(uint32_t ways)
{
	if (ways <= 4)
		return 4;
	return ways <= 8 ? 8 : (ways + 15) & ~15u;
}

static inline uint32_t *level_lanes(const struct level *l, uint32_t set)
{
	return l->entry + (size_t)set * l->stride;
}

/* Takes the entry of a way out; returns it. */
static inline uint32_t level_take(const struct level *l, uint32_t set,
				  uint32_t way)
{
	uint32_t *lane = level_lanes(l, set);
	const uint32_t old = lane[way];

	if (l->is->ordered && !l->keep_holes)
		for (; way + 1 < l->ways; way++) {
			lane[way] = lane[way + 1];
			WORDS_OWN_LOOP();
		}
	lane[way] = LEVEL_EMPTY;
	return old;
}

#endif
