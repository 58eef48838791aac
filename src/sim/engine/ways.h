/* SPDX-License-Identifier: MIT */
/*
 * The operations of a level that every access needs, over two primitives that
 * the including file defines, with ENGINE and ENGINE_INLINE, how functions are
 * declared there:
 *
 *   int ways_find(uint32_t stride, const uint32_t *lane, uint32_t key)
 *	the way that holds the key (flags do not matter), or -1
 *   void ways_rotate(uint32_t stride, uint32_t *lane, uint32_t way,
 *		      uint32_t entry)
 *	lanes 0 .. way - 1 move up by one; entry becomes lane 0
 */
#ifndef SIM_WAYS_H
#define SIM_WAYS_H

#include "sim/model/policy.h"

/* The way that holds the key, or -1. */
ENGINE_INLINE int level_find(const struct level *l, uint32_t set, uint32_t key)
{
	const uint32_t *lane = level_lanes(l, set);

	if ((lane[0] | LEVEL_FLAGS) == (key | LEVEL_FLAGS))
		return 0;
	return ways_find(l->stride, lane, key);
}

/* The first empty way, or -1; for QLRU's R2 the last one. */
ENGINE_INLINE int level_empty(const struct level *l, uint32_t set)
{
	const uint32_t *lane = level_lanes(l, set);
	int way;

	if (l->is->r == 2) {
		for (way = (int)l->ways - 1; way >= 0; way--)
			if (lane[way] == LEVEL_EMPTY)
				break;
		return way;
	}
	way = ways_find(l->stride, lane, LEVEL_EMPTY);
	return way < (int)l->ways ? way : -1;
}

/* The way that a new line will take. */
ENGINE_INLINE uint32_t level_victim(const struct level *l, uint32_t set)
{
	int way;

	if (l->is->ordered)
		return l->ways - 1;
	way = l->keep_holes ? -1 : level_empty(l, set);
	return way < 0 ? policy_victim(l, set) : (uint32_t)way;
}

/* A hit: returns where the entry is now. */
ENGINE_INLINE uint32_t *level_hit(const struct level *l, uint32_t set, uint32_t way)
{
	uint32_t *lane = level_lanes(l, set);

	if (l->policy == REPLACE_LRU) {
		if (way)
			ways_rotate(l->stride, lane, way, lane[way]);
		return lane;
	}
	if (!l->is->ordered)
		policy_hit(l, set, way);
	return lane + way;
}

/* Puts an entry there; returns what it replaces, LEVEL_EMPTY if nothing. */
ENGINE_INLINE uint32_t level_place(const struct level *l, uint32_t set, uint32_t way,
			    uint32_t entry)
{
	uint32_t *lane = level_lanes(l, set);
	const uint32_t old = lane[way];

	if (l->is->ordered) {
		ways_rotate(l->stride, lane, way, entry);
		return old;
	}
	lane[way] = entry;
	policy_fill(l, set, way);
	return old;
}

#endif
