/* SPDX-License-Identifier: MIT */
/*
 * The fast way through plain hierarchies: L1D, L2 and L3 all LRU, write-back,
 * write-allocate and non-inclusive, at most 16 ways, a power of two of sets,
 * fetch before copy-back, and prefetchers at L2 only. Nothing flows up in these,
 * so each level can take a whole batch before the next one does; a level's
 * output is the list of what it asks and sends below, in the order of the rules
 * of engine-caches.h.
 *
 * The loops are written once (lean-loops.h) over one primitive per vector unit.
 * They work on the same arrays as the engine, so the two can alternate.
 */
#ifndef SIM_LEAN_H
#define SIM_LEAN_H

#include "sim/state.h"

/* What an entry of a list asks for: a step's kind, or one of these. */
enum { LEAN_WRITEBACK = 3, LEAN_PREFETCH = 4 };
#define LEAN_CODES 4		/* load, store, walk, write-back */

/* How a level treats its list. */
enum {
	LEAN_CLEAN = 1,		/* nothing was ever stored */
	LEAN_WALKS = 2,		/* L1D: page walks are in the list ... */
	LEAN_PASSES_WALKS = 4,	/* ... and start at the next level */
	LEAN_FAR = 2,		/* lower: its sets are not in a near cache */
	LEAN_FULL = 8,		/* no way is empty: what misses, evicts */
	LEAN_BLINDLY = 16,	/* the list before ended with many misses, */
	LEAN_ANEW = 32,		/* ... or hardly a hit */
	LEAN_RECENT = 64,	/* L1D: the list before had no miss */
	/* one of the lists until that is asked again; lower: until misses that
	 * come in a pattern are taken LEAN_BLINDLY again */
	LEAN_REST = 128,
	LEAN_RESTS = 15 * LEAN_REST,
	LEAN_LOADS = 16 * LEAN_REST,	/* LEAN_CLEAN, and only loads ask */
};

/* What a level did with a list. */
struct lean_list {
	uint32_t entries;		/* of the list for the next level */
	uint32_t of[LEAN_CODES];	/* by what they ask for */
	uint32_t missed;	/* of what came in */
	uint32_t evicted;	/* lines that dropped out, clean or dirty */
	uint32_t unused;	/* of these, prefetched and not used */
	uint32_t prefetches;	/* entries that ask for a prefetcher */
	uint32_t held;		/* what prefetchers wanted and was there */
	uint32_t turns;		/* to one that trains, from others */
	bool patterned;		/* what trains is foreseen by the last ones */
	unsigned next;		/* of LEAN_BLINDLY .. LEAN_RESTS, for the next */
};

/*
 * Takes n entries; writes at most 2 n to `out`, and pads it with LEAN_AHEAD
 * zeros. The input of a lower level is padded so too.
 */
#define LEAN_AHEAD 24
typedef struct lean_list lean_level_fn(const struct level *l, unsigned how,
				       const uint32_t *in, uint32_t n,
				       uint32_t *out);

/*
 * An L2 with prefetchers: takes up to *n entries, as far as its output fits
 * `room`; *n becomes how many.
 */
typedef struct lean_list lean_train_fn(struct sim *s, const uint32_t *in,
				       uint32_t *n, uint32_t *out,
				       uint32_t room);

/*
 * Takes loads and stores of one line each below `limit` (a power of two, at
 * least 2^32) from the front of n records, in blocks, until one is something
 * else. Returns how many; writes as many keys. *stores is added to.
 */
typedef size_t lean_decode_fn(const uint64_t *record, size_t n,
			      unsigned line_shift, uint64_t limit,
			      uint32_t *key, uint64_t *stores);

/* What the loops keep of a level in registers. */
struct sets {
	uint32_t *entry;
	uint32_t within;	/* of a key: which set it is */
	uint32_t last;
	uint32_t empty;		/* LEVEL_EMPTY */
};

struct lean_ops {
	const char *name;
	lean_decode_fn *decode;
	lean_level_fn *first[3];	/* L1D of up to 4, 8, 16 ways */
	lean_level_fn *lower[3];	/* L2, L3 */
	lean_train_fn *train[3];	/* L2 with prefetchers */
	/* How many of n words are equal, from the front. */
	uint32_t (*same)(const uint32_t *a, const uint32_t *b, uint32_t n);
	/* Where the first of n words is that is `like`; n: nowhere. */
	uint32_t (*find)(const uint32_t *word, uint32_t n, uint32_t like);
	/* How many of n steps are loads, stores and walks: by STEP_LOAD, ... */
	void (*kinds)(const uint32_t *key, uint32_t n, uint32_t *of);
	/* How many of a level's n entries are LEAN_PREFETCH, padded. */
	uint32_t (*prefetches)(const uint32_t *entry, uint32_t n);
};

extern const struct lean_ops lean_scalar;

/* Can this simulator's caches be driven this way? */
bool lean_possible(const struct sim *s);
/* The same, as far as its caches tell that are built. */
bool lean_plain(const struct sim *s);

/*
 * Takes loads, stores and walks through the caches, at most STEPS and of[] by
 * kind; counts them in n[]. Returns how many lines the level below L1D has
 * missed, or was to prefetch.
 */
uint64_t lean_take(struct sim *s, const uint32_t *key, uint32_t steps,
		   const uint32_t *of, uint64_t *n);

#endif
