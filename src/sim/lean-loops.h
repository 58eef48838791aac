/* SPDX-License-Identifier: MIT */
/*
 * The loops of lean.h over primitives that the including file defines:
 *
 *   LEAN_TARGET	attribute of every function
 *   uint32_t find(int lanes, const uint32_t *set, uint32_t key)
 *	a bit for the lane of the set that holds the key (no flags), or 0
 *   void turn(int lanes, uint32_t *set, uint32_t way)
 *	makes lane `way` the newest
 *   void push(int lanes, uint32_t *set, uint32_t way, uint32_t entry)
 *	makes `entry` the newest in place of lane `way`
 *
 * and for blocks of 8 entries:
 *
 *   bool odd(const uint32_t *key)
 *	are there others than loads and stores?
 *   unsigned storing(const uint32_t *key)
 *	a bit for each store
 *   void locate(int lanes, const struct sets *s, const uint32_t *key,
 *		 uint32_t *offset)
 *	the offset in s->entry of each key's set
 *   unsigned fresh(const struct sets *s, const uint32_t *offset,
 *		    const uint32_t *key)
 *	a bit for each load and store that changes nothing: its line is the
 *	newest of its set, and dirty if it stores
 *   void split(const uint32_t *entry, uint32_t *key, uint32_t *dirty)
 *	each without its code; and 1 if it is a write-back
 *   void codes(const uint32_t *entry, uint32_t n, uint32_t *low,
 *		uint32_t *high, uint32_t *both)
 *	how many of n entries have bit 0, bit 1, both; may look at more up to a
 *	multiple of 8, which have none
 *
 * The lists are written without branches on what was found: an entry is always
 * written, and kept by moving on.
 */
#ifndef SIM_LEAN_LOOPS_H
#define SIM_LEAN_LOOPS_H

#define LEAN_INLINE static inline __attribute__((always_inline)) LEAN_TARGET

#define GROUP 128	/* entries that go by what the first 8 are like */

LEAN_INLINE struct sets sets_of(const struct level *l)
{
	struct sets s = { l->entry, l->mask, l->ways - 1, LEVEL_EMPTY };

	__asm__("" : "+r"(s.empty));	/* compared best in a register */
	return s;
}

LEAN_INLINE uint32_t *set_of(const int lanes, const struct sets *s,
			     uint32_t key)
{
	return s->entry + (size_t)(key >> 3 & s->mask) * lanes;
}

/* What the list asks for, by code; the end is padded, with code 0. */
LEAN_INLINE void count_codes(struct lean_list *list, uint32_t *entry)
{
	const uint32_t n = list->entries;
	uint32_t low, high, both;

	for (uint32_t i = n; i < n + LEAN_AHEAD; i++)
		entry[i] = 0;
	codes(entry, n, &low, &high, &both);
	list->of[LEAN_WRITEBACK] = both;
	list->of[STEP_STORE] = low - both;
	list->of[STEP_WALK] = high - both;
	list->of[STEP_LOAD] = n - low - high + both;
}

/* Two stores that are not to become one. */
#define APART(pointer) __asm__("" : "+r"(pointer))

/* The end of a list, and how many lines have dropped out. */
struct tail {
	uint32_t *out;
	uint32_t lines;
};

/* L1D */

/* A miss has put out `old`; it asks below for what `entry` says. */
LEAN_INLINE void ask(const struct sets *s, struct tail *t, unsigned how,
		     uint32_t entry, uint32_t old)
{
	*t->out++ = entry;
	if (!(how & LEAN_CLEAN)) {
		APART(t->out);
		*t->out = old | LEAN_WRITEBACK;
		t->out += old & LEVEL_DIRTY;
	}
	t->lines += old < s->empty;
}

/* The hit needs the key in a vector only, so only the miss loads it. */
LEAN_INLINE void load(const int lanes, const struct sets *s, unsigned how,
		      uint32_t offset, const uint32_t *in, struct tail *t)
{
	const uint32_t found = find(lanes, s->entry + offset, *in);
	uint32_t *set, old;

	if (__builtin_expect(found != 0, 1)) {
		turn(lanes, s->entry + offset,
		     (uint32_t)__builtin_ctz(found));
		return;
	}
	APART(in);
	set = s->entry + offset;
	old = set[s->last];
	push(lanes, set, s->last, *in);
	ask(s, t, how, *in, old);
}

/* A load, a store, or a walk that reads through L1D. */
LEAN_INLINE void any(const int lanes, const struct sets *s, unsigned how,
		     uint32_t entry, struct tail *t)
{
	const uint32_t key = entry & ~LEVEL_FLAGS, dirty = entry & LEVEL_DIRTY;
	uint32_t *set = set_of(lanes, s, entry), found, way, old;

	if (entry & STEP_WALK && how & LEAN_PASSES_WALKS) {
		*t->out++ = entry;
		return;
	}
	if (!((*set ^ key) & ~LEVEL_FLAGS)) {
		if (dirty & ~*set)
			*set |= dirty;
		return;
	}
	found = find(lanes, set, key);
	way = found ? (uint32_t)__builtin_ctz(found) : s->last;
	old = set[way];
	push(lanes, set, way, (found ? old : key) | dirty);
	if (!found)
		ask(s, t, how, entry, old);
}

LEAN_INLINE void some(const int lanes, const struct sets *s, unsigned how,
		      const uint32_t *in, uint32_t n, struct tail *t)
{
	for (uint32_t i = 0; i < n; i++)
		any(lanes, s, how, in[i], t);
}

/* Eight entries; look: those that change nothing are worth looking for. */
LEAN_INLINE void block(const int lanes, const struct sets *s, unsigned how,
		       const uint32_t *in, bool look, struct tail *t)
{
	uint32_t offset[8] __attribute__((aligned(32)));

	if (how & LEAN_WALKS && odd(in)) {
		some(lanes, s, how, in, 8, t);
		return;
	}
	locate(lanes, s, in, offset);
	if (look && fresh(s, offset, in) == 0xff)
		return;
	if (!(how & LEAN_CLEAN) && storing(in)) {
		some(lanes, s, how, in, 8, t);
		return;
	}
#pragma GCC unroll 8
	for (int i = 0; i < 8; i++) {
		const uint32_t newest = s->entry[offset[i]];

		if (!look || (newest | LEVEL_DIRTY) != (in[i] | LEVEL_DIRTY))
			load(lanes, s, how, offset[i], in + i, t);
	}
}

/* Do loads and stores often find their line newest here? */
LEAN_INLINE bool worth_looking(const int lanes, const struct sets *s,
			       const uint32_t *in)
{
	uint32_t offset[8] __attribute__((aligned(32)));

	locate(lanes, s, in, offset);
	return __builtin_popcount(fresh(s, offset, in)) > 2;
}

LEAN_INLINE struct lean_list first_level(const int lanes,
					 const struct level *l, unsigned how,
					 const uint32_t *in, uint32_t n,
					 uint32_t *out)
{
	const struct sets s = sets_of(l);
	struct tail t = { out, 0 };
	struct lean_list list = { .missed = 0 };
	uint32_t i = 0;

	while (i + 8 <= n) {
		const uint32_t end = n - i < GROUP ? n & ~7u : i + GROUP;

		if (worth_looking(lanes, &s, in + i))
			for (; i < end; i += 8)
				block(lanes, &s, how, in + i, true, &t);
		else
			for (; i < end; i += 8)
				block(lanes, &s, how, in + i, false, &t);
	}
	some(lanes, &s, how, in + i, n - i, &t);
	list.entries = (uint32_t)(t.out - out);
	list.evicted = t.lines;
	count_codes(&list, out);
	return list;
}

/* L2, L3 */

/* What 8 entries are; dirty: 1 for a write-back. */
struct lot {
	uint32_t offset[8], key[8], dirty[8];
} __attribute__((aligned(32)));

/* Only a write-back makes its line dirty. */
LEAN_INLINE void seek(const int lanes, const struct sets *s, unsigned how,
		      const struct lot *lot, uint32_t i, const uint32_t *in,
		      struct lean_list *list, struct tail *t)
{
	uint32_t *set = s->entry + lot->offset[i];
	const uint32_t found = find(lanes, set, lot->key[i]);
	const uint32_t dirty = how & LEAN_CLEAN ? 0 : lot->dirty[i];
	uint32_t way, old;

	if (found) {
		way = (uint32_t)__builtin_ctz(found);
		if (how & LEAN_CLEAN)
			turn(lanes, set, way);
		else
			push(lanes, set, way, set[way] | dirty);
		return;
	}
	old = set[s->last];
	APART(lot);
	push(lanes, set, s->last, lot->key[i] | dirty);
	t->lines += old < s->empty;
	*t->out = *in;
	t->out += how & LEAN_CLEAN ? 1 : dirty ^ 1;
	if (how & LEAN_CLEAN)
		return;
	APART(t->out);
	*t->out = old | LEAN_WRITEBACK;
	t->out += old & LEVEL_DIRTY;
	list->missed++;
}

LEAN_INLINE void fetch_sets(const int lanes, const struct sets *s,
			    const uint32_t *in)
{
	uint32_t offset[8] __attribute__((aligned(32)));

	locate(lanes, s, in, offset);
	for (int i = 0; i < 8; i++)
		__builtin_prefetch(s->entry + offset[i], 1);
}

LEAN_INLINE void lot_of(const int lanes, const struct sets *s, unsigned how,
			const uint32_t *in, struct lot *lot)
{
	locate(lanes, s, in, lot->offset);
	split(in, lot->key, lot->dirty);
	if (how & LEAN_FAR)
		fetch_sets(lanes, s, in + 8);
}

LEAN_INLINE struct lean_list lower_level(const int lanes,
					 const struct level *l, unsigned how,
					 const uint32_t *in, uint32_t n,
					 uint32_t *out)
{
	const struct sets s = sets_of(l);
	struct lean_list list = { .missed = 0 };
	struct tail t = { out, 0 };
	struct lot lot;

	for (; n >= 8; n -= 8, in += 8) {
		lot_of(lanes, &s, how, in, &lot);
#pragma GCC unroll 8
		for (uint32_t i = 0; i < 8; i++)
			seek(lanes, &s, how, &lot, i, in + i, &list, &t);
	}
	if (n)
		lot_of(lanes, &s, how, in, &lot);
	for (uint32_t i = 0; i < n; i++)
		seek(lanes, &s, how, &lot, i, in + i, &list, &t);
	list.entries = (uint32_t)(t.out - out);
	list.evicted = t.lines;
	count_codes(&list, out);
	if (how & LEAN_CLEAN)
		list.missed = list.entries;
	return list;
}

/* The instances, by lanes; how is a constant in each branch. */

#define LEAN_FIRST(lanes) \
LEAN_TARGET static struct lean_list first_##lanes(const struct level *l, \
	unsigned how, const uint32_t *in, uint32_t n, uint32_t *out) \
{ \
	switch (how) { \
	case 0: \
		return first_level(lanes, l, 0, in, n, out); \
	case LEAN_CLEAN: \
		return first_level(lanes, l, LEAN_CLEAN, in, n, out); \
	default: \
		return first_level(lanes, l, LEAN_WALKS | \
				   (how & LEAN_PASSES_WALKS), in, n, out); \
	} \
}

#define LEAN_LOWER(lanes) \
LEAN_TARGET static struct lean_list lower_##lanes(const struct level *l, \
	unsigned how, const uint32_t *in, uint32_t n, uint32_t *out) \
{ \
	switch (how) { \
	case 0: \
		return lower_level(lanes, l, 0, in, n, out); \
	case LEAN_CLEAN: \
		return lower_level(lanes, l, LEAN_CLEAN, in, n, out); \
	case LEAN_FAR: \
		return lower_level(lanes, l, LEAN_FAR, in, n, out); \
	default: \
		return lower_level(lanes, l, LEAN_CLEAN | LEAN_FAR, in, n, \
				   out); \
	} \
}

#include "sim/lean-train.h"

#define LEAN_LEVELS \
	LEAN_FIRST(4) LEAN_FIRST(8) LEAN_FIRST(16) \
	LEAN_LOWER(4) LEAN_LOWER(8) LEAN_LOWER(16) \
	LEAN_TRAIN(4) LEAN_TRAIN(8) LEAN_TRAIN(16)

#define LEAN_OPS(title, decoder) { \
	.name = title, \
	.decode = decoder, \
	.first = { first_4, first_8, first_16 }, \
	.lower = { lower_4, lower_8, lower_16 }, \
	.train = { train_4, train_8, train_16 }, \
}

#endif
