/* SPDX-License-Identifier: MIT */
/*
 * The loops of lean.h over primitives that the including file defines:
 *
 *   LEAN_TARGET	attribute of every function
 *   uint32_t find(int lanes, const uint32_t *set, uint32_t key)
 *	a bit for the lane of the set that holds the key (no flags), or 0
 *   uint32_t find_at(int lanes, const uint32_t *set, const uint32_t *key)
 *	the same; the key is in memory only
 *   uint32_t near(..), beyond(..)
 *	the same among the lanes that are quickest to search, and among the
 *	others
 *   bool flagged(int lanes, const uint32_t *set)
 *	has one?
 *   void push(int lanes, uint32_t *set, uint32_t way, uint32_t entry)
 *	makes `entry` the newest in place of lane `way`
 *   void push_out(int lanes, uint32_t *set, uint32_t last, uint32_t entry)
 *	the same in place of the last way
 *   bool enter(int lanes, bool clean, uint32_t *set, const uint32_t *key)
 *	the same in place of the last lane, if the key is not there; it is in
 *	memory, without flags. clean: no entry of the set has one, either
 *   void push_at(int lanes, uint32_t *set, uint32_t found, uint32_t entry)
 *	the same; the lane is the lowest bit of `found`
 *   void turn_at(int lanes, uint32_t *set, uint32_t found)
 *	makes that lane the newest
 *   bool turn_to(int lanes, uint32_t *entry, size_t index,
 *		  const uint32_t *key)
 *	the same for the set at an index in units of lanes / 2 bytes (the bits
 *	of the key that select it), if it holds the key to the last bit
 *   void turn_near(..)
 *	the same for what near() has found
 *   uint32_t take(int lanes, uint32_t *entry, size_t index,
 *		   const uint32_t *key)
 *	in the set at such an index, where no entry has a flag, and all lanes
 *	are ways: makes the key the newest in its own place, or that of
 *	the oldest. Returns a bit for where it was, or 0
 *   uint32_t receive(int lanes, uint32_t *set, const uint32_t *line)
 *	where all lanes are ways: makes the line the newest, in its own place,
 *	with its flags, or that of the oldest; and dirty, if *line is. Returns
 *	a bit for where it was, or 0
 *   BLIND_LANES
 *	the most for which finding nothing costs no more than finding
 *   BLIND_TRAIN_LANES
 *	the same where it is undone if a prefetcher asks
 *   TURN_LANES
 *	the most for which turn_to() takes less than near() and turn_near()
 *   TURN_FAR_LANES
 *	the same in levels whose sets are not in a near cache
 *
 * and for blocks of 8 entries; those with an `out` return how many they write
 * there, and may write as many as they take, or twice that with an `old`:
 *
 *   size_t interleave(const uint32_t *key, const uint32_t *old,
 *			 uint32_t *out)
 *	each key, and behind it the write-back of `old` if that was dirty
 *   unsigned absent(const uint32_t *found)
 *	a bit for each that is 0
 *   size_t keep(const uint32_t *found, const uint32_t *key, uint32_t *out)
 *	those of which `found` is 0
 *   size_t send(const uint32_t *found, const uint32_t *entry,
 *		   const uint32_t *old, uint32_t *out, uint32_t *lost)
 *	those of which `found` is 0, if they are no write-backs: these are added
 *	to *lost; and behind each the write-back of `old` if that was dirty
 *   bool odd(const uint32_t *key)
 *	are there others than loads and stores?
 *   bool loads_only(const uint32_t *key), loads_only_32(..)
 *	has no key a code or flag? the same of 32
 *   unsigned fresh(int lanes, const struct sets *s, const uint32_t *key)
 *	a bit for each load and store that changes nothing: its line is the
 *	newest of its set, and dirty if it stores
 *   unsigned others(int lanes, const struct sets *s, const uint32_t *key)
 *	a bit for each that does not equal key[-1], or key[-2] where key[-1]
 *	is of another set
 *   size_t copy_others(const struct sets *s, const uint32_t *key,
 *			uint32_t *out)
 *	copies those; returns how many. It takes THIN_STEP keys, and may write
 *	as many
 *   void split(const uint32_t *entry, uint32_t *key, uint32_t *dirty)
 *	each without its code; and 1 if it is a write-back
 *   void settle(const uint32_t *entry, uint32_t *line)
 *	each as a lower level has it: without its code, dirty if it is a
 *	write-back
 *   void codes(const uint32_t *entry, uint32_t n, uint32_t *low,
 *		uint32_t *high, uint32_t *both)
 *	how many of n entries have bit 0, bit 1, both; may look at more up to a
 *	multiple of 8, which have none
 *
 * With CAREFUL_LANES defined, a set of so many lanes takes less work if it has no
 * flag, and there is also:
 *
 *   bool flagged_in_8(const uint32_t *entry, const size_t *index)
 *	has an entry a flag, in 8 sets of so many lanes at indices that are the
 *	bits of keys that select them?
 *
 * The lists are written without branches on what was found: an entry is always
 * written, and kept by moving on. Where misses are not rare, sets are turned
 * without one either: what is not found takes the place of the last. What these
 * put out is written when many are done: a store whose address depends on what
 * was found holds up the loads behind it.
 */
#ifndef SIM_LEAN_LOOPS_H
#define SIM_LEAN_LOOPS_H

#define LEAN_INLINE static inline __attribute__((always_inline)) LEAN_TARGET

#define GROUP 512	/* entries that go by what the first 8 are like */
#define SAMPLE 32	/* ... and a list by so many */
#define FEW 128		/* less tell nothing of those that follow */
#define LOTS 128	/* the same of a lower level, by those before */

LEAN_INLINE struct sets sets_of(const struct level *l)
{
	struct sets s = {
		.entry = l->entry, .within = l->mask << 3, .last = l->ways - 1,
		.empty = LEVEL_EMPTY
	};

	__asm__("" : "+r"(s.empty));	/* compared best in a register */
	return s;
}

LEAN_INLINE uint32_t *set_of(const int lanes, const struct sets *s,
			     uint32_t key)
{
	return (uint32_t *)((char *)s->entry +
			    (size_t)(key & s->within) * (size_t)(lanes / 2));
}

/* What the list asks for, by code; the end is padded, with code 0. */
LEAN_INLINE void count_codes(struct lean_list *list, unsigned how,
			     uint32_t *entry)
{
	const uint32_t n = list->entries;
	uint32_t low, high, both;

	for (uint32_t i = n; i < n + LEAN_AHEAD; i++)
		entry[i] = 0;
	if (how & LEAN_LOADS) {
		list->of[STEP_LOAD] = n;
		return;
	}
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

/* A list by its entries, where the next one is written without a branch. */
struct written {
	uint32_t *out;
	size_t n;
	uint32_t lines, lost;	/* dropped out; written back, but not there */
	/* lower: of those taken blindly, not as the last but one, and all */
	uint32_t changed, compared;
};

/* L1D */

/* If missed (0, 1), `entry` has put out `old`, or nothing: 0. */
LEAN_INLINE void put_out(struct written *w, unsigned how, uint32_t entry,
			 uint32_t old, uint32_t missed)
{
	w->out[w->n] = entry;
	w->n += missed;
	if (!(how & LEAN_CLEAN)) {
		w->out[w->n] = old | LEAN_WRITEBACK;
		w->n += old & missed;
	}
}

/* A miss has put out `old`; it asks below for what `entry` says. */
LEAN_INLINE void ask(const struct sets *s, struct written *w, unsigned how,
		     uint32_t entry, uint32_t old)
{
	put_out(w, how, entry, old, 1);
	w->lines += old < s->empty;
}

LEAN_INLINE void load(const int lanes, const struct sets *s, unsigned how,
		      const uint32_t *in, struct written *w)
{
	size_t index = *in & s->within;
	uint32_t *set, old, found;

	if (how & LEAN_CLEAN) {
		if (turn_to(lanes, s->entry, index, in))
			return;
		set = set_of(lanes, s, *in);
	} else {
		set = set_of(lanes, s, *in);
		found = find_at(lanes, set, in);
		if (__builtin_expect(found != 0, 1)) {
			turn_at(lanes, set, found);
			return;
		}
	}
	old = set[s->last];
	push_out(lanes, set, s->last, *in);
	ask(s, w, how, *in, old);
}

#include "sim/lean-blind.h"

/* A load, a store, or a walk that reads through L1D. */
LEAN_INLINE void any(const int lanes, const struct sets *s, unsigned how,
		     uint32_t entry, struct written *w)
{
	const uint32_t key = entry & ~LEVEL_FLAGS, dirty = entry & LEVEL_DIRTY;
	uint32_t *set = set_of(lanes, s, entry), found, way, old;

	if (entry & STEP_WALK && how & LEAN_PASSES_WALKS) {
		put_out(w, how, entry, 0, 1);
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
		ask(s, w, how, entry, old);
}

LEAN_INLINE void some(const int lanes, const struct sets *s, unsigned how,
		      const uint32_t *in, size_t n, struct written *w)
{
	for (size_t i = 0; i < n; i++)
		any(lanes, s, how, in[i], w);
}

/* How a group of entries is treated. */
enum manner {
	IN_TURN,	/* hits are the rule, or not all ways are taken */
	LOOKING,	/* ... and many change nothing */
	BLINDLY,	/* both are common */
	ANEW,		/* misses are the rule */
	MANNERS
};

LEAN_INLINE bool careful(const int lanes, unsigned how)
{
	return lanes == CAREFUL_LANES && !(how & LEAN_CLEAN);
}

/* Is there a walk that does not read here? */
LEAN_INLINE bool passing(unsigned how, const uint32_t *in)
{
	return how & LEAN_PASSES_WALKS && odd(in);
}

LEAN_INLINE void block(const int lanes, const struct sets *s, unsigned how,
		       enum manner manner, const uint32_t *in,
		       struct written *w)
{
	if (manner == LOOKING && fresh(lanes, s, in) == 0xff)
		return;
	if (manner == ANEW && !passing(how, in)) {
		blindly(lanes, s, how, in, 8, w);
		return;
	}
	if (!(how & LEAN_CLEAN) && !loads_only(in)) {
		some(lanes, s, how, in, 8, w);
		return;
	}
#pragma GCC unroll 8
	for (int i = 0; i < 8; i++)
		/* new but for the newest's LEVEL_DIRTY */
		if (manner != LOOKING ||
		    (*set_of(lanes, s, in[i]) ^ in[i]) > LEVEL_DIRTY)
			load(lanes, s, how, in + i, w);
}

/* A function for each, so that the compiler has registers enough. */
typedef void blocks_fn(const struct sets *s, unsigned how, const uint32_t *in,
		       const uint32_t *end, struct written *w);

LEAN_INLINE void blocks(const int lanes, const struct sets *s, unsigned how,
			enum manner manner, const uint32_t *in,
			const uint32_t *end, struct written *w)
{
	const struct sets sets = *s;
	struct written own = *w;
	const uint32_t *from;

	while (in < end) {
		const bool loads = manner >= BLINDLY && loads_only(in);

		from = in;
		if (manner == ANEW && loads) {
			in += all_anew(lanes, &sets, how, false, in,
				       (size_t)(end - in), &own);
			continue;
		}
		if (manner == BLINDLY && loads && careful(lanes, how)) {
			in = careful_loads(&sets, in, end, &own);
			continue;
		}
		while (manner == BLINDLY && in < end && !passing(how, in) &&
		       !(careful(lanes, how) && loads_only(in)))
			in += 8;
		if (in > from) {
			blindly(lanes, &sets, how, from, (size_t)(in - from),
				&own);
		} else {
			block(lanes, &sets, how, manner, in, &own);
			in += 8;
		}
	}
	*w = own;
}

/* How to go on with full sets after so many misses and write-backs of n. */
LEAN_INLINE enum manner next_manner(size_t passed, size_t n)
{
	return passed * 16 < n ? IN_TURN :
	       passed * 16 <= n * 15 ? BLINDLY : ANEW;
}

/* How the next list is told of it, and by it. */
LEAN_INLINE unsigned manner_how(enum manner manner)
{
	return manner == ANEW ? LEAN_ANEW : manner == BLINDLY ? LEAN_BLINDLY : 0;
}

LEAN_INLINE enum manner how_manner(unsigned how)
{
	return how & LEAN_ANEW ? ANEW : how & LEAN_BLINDLY ? BLINDLY : IN_TURN;
}

/* Do loads and stores often find their line newest here? */
LEAN_INLINE bool worth_looking(const int lanes, const struct sets *s,
			       const uint32_t *in)
{
	return __builtin_popcount(fresh(lanes, s, in)) > 2;
}

/*
 * can: are all ways taken, and as many as lanes? Returns how the next list is
 * to begin.
 */
LEAN_INLINE unsigned groups(const int lanes, blocks_fn *const *fn,
			const struct sets *s, unsigned how, bool can,
			const uint32_t *in, size_t n, struct written *w)
{
	enum manner next = can ? how_manner(how) : IN_TURN;

	while (n >= 8) {
		const size_t take = n < GROUP ? n & ~(size_t)7 : GROUP;
		const uint32_t *end = in + take;
		const size_t before = w->n;
		const enum manner manner =
			next == IN_TURN && worth_looking(lanes, s, in) ?
				LOOKING : next;

		fn[manner](s, how, in, end, w);
		if (can && take >= FEW)
			next = next_manner(w->n - before, take);
		in = end;
		n -= take;
	}
	some(lanes, s, how, in, n, w);
	return manner_how(next);
}

/* Of the first ones, do many repeat one of the two before them? */
LEAN_INLINE bool repetitive(const int lanes, const struct sets *s,
			    const uint32_t *in, size_t n)
{
	int kept = 0;

	if (n < 2 + SAMPLE)
		return false;
	for (size_t i = 2; i < 2 + SAMPLE; i += 8)
		kept += __builtin_popcount(others(lanes, s, in + i));
	return kept * 4 <= SAMPLE * 3;
}

/*
 * Leaves out those that repeat the one before, or the one before that which is
 * newest still: they change nothing. Returns how many are kept.
 */
LEAN_INLINE size_t thin(const struct sets *s, const uint32_t *in, size_t n,
			uint32_t *out)
{
	size_t i, kept = 2;

	out[0] = in[0];
	out[1] = in[1];
#pragma GCC unroll 2
	for (i = 2; i + THIN_STEP <= n; i += THIN_STEP)
		kept += copy_others(s, in + i, out + kept);
	for (; i < n; i++)
		out[kept++] = in[i];
	return kept;
}

#include "sim/lean-recent.h"

/* L1D's list in its manner; returns the next one's. */
LEAN_INLINE unsigned each(const int lanes, blocks_fn *const *fn,
			  const struct level *l, unsigned how,
			  const uint32_t *in, size_t n, struct written *w)
{
	const bool can = how & LEAN_FULL && l->ways == (uint32_t)lanes;
	uint32_t thinned[STEPS + THIN_STEP];
	const struct sets s = sets_of(l);

	if (how & LEAN_PASSES_WALKS || !repetitive(lanes, &s, in, n))
		return groups(lanes, fn, &s, how, can, in, n, w);
	return groups(lanes, fn, &s, how, can, thinned,
		      thin(&s, in, n, thinned), w);
}

/* fn: by LEAN_CLEAN and manner; recent: take_recent() by them. */
LEAN_INLINE struct lean_list first_level(const int lanes,
					 blocks_fn *const (*fn)[MANNERS],
					 recent_fn *recent,
					 const struct level *l, unsigned how,
					 const uint32_t *in, uint32_t n,
					 uint32_t *out)
{
	struct lean_list list = { .missed = 0 };
	struct written w = { .out = out };
	size_t taken = 0;

	fn += how & LEAN_CLEAN;
	if (how & LEAN_RECENT && n >= FEW && !(how & LEAN_WALKS))
		taken = recent((*fn)[IN_TURN], l, how, in, n, &w);
	if (taken) {
		list.next = taken <= n / 2 ? LEAN_RECENT : LEAN_RESTS;
	} else {
		if (w.n)
			how |= LEAN_RESTS;
		w.n = w.lines = 0;
		list.next = each(lanes, *fn, l, how, in, n, &w);
		list.next |= next_recent(l, how, n, w.n);
	}
	list.entries = (uint32_t)w.n;
	count_codes(&list, how, out);
	list.evicted = w.lines;
	if (how & LEAN_FULL)
		list.evicted = list.entries - list.of[LEAN_WRITEBACK] -
			(how & LEAN_PASSES_WALKS ? list.of[STEP_WALK] : 0);
	return list;
}

#include "sim/lean-lower.h"
#include "sim/lean-train.h"
#include "sim/lean-words.h"
#include "sim/lean-instances.h"

#endif
