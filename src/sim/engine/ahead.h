/* SPDX-License-Identifier: MIT */
/*
 * Sets of large levels are seldom in the caches of the machine that simulates,
 * so a miss waits for memory at each level. Before a group of steps is
 * simulated, the sets that the group behind it will need are therefore
 * prefetched, level by level. Nothing is changed: what steps change until then
 * makes a prefetch useless, never wrong.
 */
#ifndef SIM_ENGINE_AHEAD_H
#define SIM_ENGINE_AHEAD_H

#include "sim/engine/misses.h"

#define AHEAD_GROUP 8
/* A group with fewer misses in L1D than this needs no prefetches behind it. */
#define AHEAD_LEAST 2

ENGINE_INLINE void ahead_set(const struct level *l, uint32_t set)
{
	const char *lanes = (const char *)level_lanes(l, set);

	__builtin_prefetch(lanes);
	if (l->stride > 16)
		__builtin_prefetch(lanes + 64);
	if (l->words)
		__builtin_prefetch(policy_word(l, set));
}

/* The entry that the next fill of a full set replaces, as far as the state of
 * the set tells. */
ENGINE_INLINE uint32_t ahead_victim(const struct level *l, uint32_t set)
{
	const uint32_t *lane = level_lanes(l, set);

	switch (l->is->family) {
	case FAMILY_TREE:
		return lane[tree_victim(l, policy_word(l, set))];
	case FAMILY_BIT:
		return lane[bit_victim(l, policy_word(l, set))];
	case FAMILY_QLRU:
		return lane[qlru_victim(l, policy_word(l, set))];
	default:
		return lane[l->ways - 1];
	}
}

/* The keys of `from` that the level does not hold; returns their number. */
ENGINE_INLINE uint32_t ahead_missed(const struct level *l, const uint32_t *from,
				    uint32_t n, uint32_t *to)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < n; i++) {
		to[count] = from[i];
		count += !level_holds(l, from[i]);
	}
	return count;
}

ENGINE_INLINE void ahead_group(const struct sim *s, const struct hierarchy *h,
			       const uint32_t *key, uint32_t n)
{
	const struct level *l2 = h->l2, *l3 = h->l3;
	uint32_t missed[AHEAD_GROUP];

	if (!s->ahead_l2 && !s->ahead_l3) {
		for (uint32_t i = 0; i < n; i++)
			__builtin_prefetch(level_lanes(l2, level_set(l2,
						key_below(h, key[i]))));
		return;
	}
	n = ahead_missed(h->l1d, key, n, missed);
	for (uint32_t i = 0; i < n; i++) {
		missed[i] = key_below(h, missed[i]);
		ahead_set(l2, level_set(l2, missed[i]));
	}
	if (!s->ahead_l3)
		return;
	n = ahead_missed(l2, missed, n, missed);
	for (uint32_t i = 0; i < n; i++) {
		ahead_set(l3, level_set(l3, missed[i]));
		if (takes_clean(h->l3_inclusion))
			ahead_set(l3, level_set(l3, ahead_victim(l2,
				level_set(l2, missed[i]))));
	}
}

/* Where the group of steps that begins at `from` ends; memory has the time that
 * this group takes to deliver the sets of the next one. */
ENGINE_INLINE uint32_t ahead_to(const struct sim *s, const struct hierarchy *h,
				const struct steps *steps, uint32_t from)
{
	const uint32_t count = steps->count, next = from + AHEAD_GROUP;

	if (next >= count)
		return count;
	if (s->missed >= AHEAD_LEAST && s->ahead)
		ahead_group(s, h, steps->key + next,
			    count - next < AHEAD_GROUP ? count - next :
							 AHEAD_GROUP);
	return next;
}

#endif
