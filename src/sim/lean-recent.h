/* SPDX-License-Identifier: MIT */
/*
 * Lists of which L1D has every line before they begin. Then nothing leaves it,
 * and each set ends with the lines of the list in the order in which they were
 * used last, in front of the others in their old order; so it is enough to take
 * the last use of each line, and the last store to it. A use that is left in
 * beside does no harm, since it is one more hit.
 *
 * Whether it is such a list shows while these are taken: if one misses, the
 * sets become what they were, and the list is taken entry by entry.
 */
#ifndef SIM_LEAN_RECENT_H
#define SIM_LEAN_RECENT_H

#include "sim/words.h"

#define RECENT 512	/* lines that are told apart for sure, if side by side */
#define RECENT_KEYS (2 * RECENT)	/* loaded, stored */
#define SAVED 2048	/* entries of a level at most */

/* No key has all bits. */
LEAN_INLINE void forget(uint32_t *recent)
{
	for (int i = 0; i < RECENT_KEYS; i += 16) {
		__builtin_memset(recent + i, 0xff, 64);
		WORDS_OWN_LOOP();
	}
}

/* Where a line's loads are remembered, or its stores. */
LEAN_INLINE uint32_t *recent_slot(uint32_t *recent, uint32_t key)
{
	return (uint32_t *)((char *)recent + (key * 5 & (RECENT_KEYS - 1) * 4));
}

/* A branch for each: these are foreseen, and it is less to compute. */
LEAN_INLINE bool all_recent(uint32_t *recent, const uint32_t *key)
{
#pragma GCC unroll 8
	for (int i = 0; i < 8; i++)
		if (*recent_slot(recent, key[i]) != key[i])
			return false;
	return true;
}

/* If it was not remembered, it goes in front of those at `last`. */
LEAN_INLINE uint32_t *put_last(uint32_t *recent, uint32_t key, uint32_t *last)
{
	uint32_t *slot = recent_slot(recent, key);

	const uint32_t known = *slot == key;

	last[-1] = key;
	last += (ptrdiff_t)known - 1;
	*slot = key;
	return last;
}

/*
 * The last loads and stores of each line, in order, and perhaps some more. They
 * end at `end`, and are a multiple of 8; returns where they begin.
 */
LEAN_INLINE uint32_t *last_uses(const uint32_t *in, size_t n, uint32_t *end)
{
	uint32_t recent[RECENT_KEYS] __attribute__((aligned(64)));
	uint32_t *last = end;

	forget(recent);
	while (n % 8)
		last = put_last(recent, in[--n], last);
	for (in += n; n; n -= 8) {
		in -= 8;
		if (all_recent(recent, in))
			continue;
		APART(in);	/* no slot is kept for this */
#pragma GCC unroll 8
		for (int i = 7; i >= 0; i--)
			last = put_last(recent, in[i], last);
	}
	for (; (end - last) % 8; last--)
		last[-1] = *last;
	return last;
}

/* Blocks of 16. */
LEAN_INLINE void copy_entries(uint32_t *to, const uint32_t *from, size_t n)
{
	for (size_t i = 0; i < n; i += 16) {
		__builtin_memcpy(to + i, from + i, 64);
		WORDS_OWN_LOOP();
	}
}

LEAN_INLINE bool can_be_saved(const struct level *l)
{
	const size_t entries = (size_t)l->sets * l->stride;

	return entries <= SAVED && entries % 16 == 0;
}

typedef size_t recent_fn(blocks_fn *fn, const struct level *l, unsigned how,
			 const uint32_t *in, size_t n, struct written *w);

/*
 * Takes the list if all of it hits; otherwise changes nothing but *w, and
 * returns 0. fn: entry by entry, where hits are the rule. Returns how many it
 * took.
 */
LEAN_INLINE size_t take_recent(blocks_fn *fn, const struct level *l,
			       unsigned how, const uint32_t *in, size_t n,
			       struct written *w)
{
	const size_t entries = (size_t)l->sets * l->stride;
	uint32_t last[STEPS + 16], saved[SAVED] __attribute__((aligned(64)));
	uint32_t *end = last + STEPS + 16;
	const uint32_t *begin = last_uses(in, n, end);
	const struct sets s = sets_of(l);

	copy_entries(saved, l->entry, entries);
	fn(&s, how, begin, end, w);
	if (!w->n)
		return (size_t)(end - begin);
	copy_entries(l->entry, saved, entries);
	return 0;
}

/* How the next list is to begin if this one, which missed so often, was not. */
LEAN_INLINE unsigned next_recent(const struct level *l, unsigned how, size_t n,
				 size_t missed)
{
	if (how & LEAN_RESTS)
		return (how & LEAN_RESTS) - LEAN_REST;
	return !missed && n >= FEW && can_be_saved(l) ? LEAN_RECENT : 0;
}

#endif
