/* SPDX-License-Identifier: MIT */
/*
 * What engine/caches.h says of a miss in L1D, for the caches of most CPUs: an
 * L2, all levels write-back and write-allocate, fetch first, lines of one size
 * from L2 on; and if these are longer than those of L1D, no inclusive level.
 * Every set is
 * looked for once, and so is where its column counts: a line that another one
 * replaces is in its column. What happens rarely is left to the rules.
 */
#ifndef SIM_ENGINE_MISSES_H
#define SIM_ENGINE_MISSES_H

#include "sim/engine/caches.h"

/* The levels, as much of them as a function knows when it is compiled. */
struct hierarchy {
	const struct level *l1d, *l2, *l3;
	enum front front;
	bool by_rules;		/* misses are left to engine/caches.h */
	bool has_l3;
	enum inclusion l2_inclusion, l3_inclusion;
	unsigned longer;	/* a line of L2 and L3: 2^longer of L1D */
};

/* The line of L2 and L3 that a line of L1D lies in. */
ENGINE_INLINE uint32_t key_below(const struct hierarchy *h, uint32_t key)
{
	return key >> 3 >> h->longer << 3 | (key & LEVEL_FLAGS);
}

ENGINE_INLINE bool takes_clean(enum inclusion inclusion)
{
	return inclusion == INCLUDE_EXCLUSIVE || inclusion == INCLUDE_VICTIM;
}

/*
 * A level of which these are known, and by what a set is chosen: a mask, or
 * slices of 2^n sets. What is for others is left out.
 */
ENGINE_INLINE struct level known(const struct level *l, uint32_t ways,
				 enum replacement policy, bool sliced)
{
	struct level k = *l;

	k.ways = ways;
	k.stride = level_stride(ways);
	k.policy = policy;
	k.is = &policies[policy];
	k.words = policy_words(k.is, ways);
	k.leaf_bits = (uint32_t)__builtin_ctz(ways | 1u << 31);
	k.keep_holes = false;
	/* a CPU without this level has 0 ways here */
	if (ways && (sliced ? k.mask || !k.slice_mask || k.slices == 1 ||
			      k.sets == 1 : !k.mask))
		__builtin_unreachable();
	return k;
}

/* The way that holds the key, or -1. */
ENGINE_INLINE int search(const struct level *l, uint32_t set, uint32_t key)
{
	return ways_find(l->stride, level_lanes(l, set), key);
}

ENGINE_INLINE bool level_holds(const struct level *l, uint32_t key)
{
	return search(l, level_set(l, key), key) >= 0;
}

/* An inclusive level has evicted the line, which is seldom still above. */
ENGINE_INLINE uint32_t leave_above(struct sim *s, const struct hierarchy *h,
				   enum place at, uint32_t key)
{
	if (may_be_code(s, key) || level_holds(h->l1d, key) ||
	    (at == PLACE_L3 && level_holds(h->l2, key)))
		return remove_above(s, at, key);
	return 0;
}

/* Puts an entry into a level; returns what had to leave. */
ENGINE_INLINE uint32_t replace_entry(const struct level *l, uint32_t set,
				     uint32_t entry)
{
	return level_place(l, set, level_victim(l, set), entry);
}

ENGINE_INLINE void leave_l3(struct sim *s, const struct hierarchy *h,
			    uint32_t entry, uint64_t *n)
{
	if (entry == LEVEL_EMPTY)
		return;
	if (h->l3_inclusion == INCLUDE_ALL)
		entry |= leave_above(s, h, PLACE_L3, entry & ~LEVEL_FLAGS);
	n[SIGNAL_l3_evict_clean + (entry & LEVEL_DIRTY)]++;
	n[SIGNAL_dram_write] += entry & LEVEL_DIRTY;
}

ENGINE_INLINE void arrive_l3(struct sim *s, const struct hierarchy *h,
			     uint32_t entry, uint64_t *n)
{
	const struct level *l = h->l3;
	const uint32_t set = level_set(l, entry);
	const int way = search(l, set, entry);

	n[SIGNAL_l3_writeback]++;
	if (way >= 0) {
		uint32_t *held = level_hit(l, set, (uint32_t)way);

		if (entry & LEVEL_DIRTY)
			*held |= LEVEL_DIRTY;
		return;
	}
	n[SIGNAL_l3_writeback_miss]++;
	leave_l3(s, h, replace_entry(l, set, entry & ~LEVEL_PREFETCHED), n);
}

ENGINE_INLINE void leave_l2(struct sim *s, const struct hierarchy *h,
			    uint32_t entry, uint64_t *n)
{
	const struct cache *c = &s->cache[PLACE_L2];
	bool silent;

	if (entry == LEVEL_EMPTY)
		return;
	if (h->l2_inclusion == INCLUDE_ALL)
		entry |= leave_above(s, h, PLACE_L2, entry & ~LEVEL_FLAGS);
	silent = is_silent(c, entry);
	count_l2_eviction(n, entry, silent);
	if (!h->has_l3)
		n[SIGNAL_dram_write] += entry & LEVEL_DIRTY;
	else if (entry & LEVEL_DIRTY ||
		 (!silent && takes_clean(h->l3_inclusion)))
		arrive_l3(s, h, entry, n);
}

ENGINE_INLINE void arrive_l2(struct sim *s, const struct hierarchy *h,
			     uint32_t entry)
{
	const struct level *l = h->l2;
	const uint32_t own = key_below(h, entry), set = level_set(l, own);
	const int way = search(l, set, own);
	uint64_t *n = count_far(s, entry);

	n[SIGNAL_l2_writeback]++;
	if (way >= 0) {
		*level_hit(l, set, (uint32_t)way) |= entry & LEVEL_DIRTY;
		return;
	}
	n[SIGNAL_l2_writeback_miss]++;
	n[SIGNAL_l2_fill]++;
	leave_l2(s, h, replace_entry(l, set, own & ~LEVEL_PREFETCHED), n);
}

ENGINE_INLINE uint32_t get_memory(struct sim *s, uint64_t *n)
{
	n[SIGNAL_dram_read]++;
	s->served = PLACE_MEMORY;
	return s->keeps_dram ? LEVEL_DRAM : 0;
}

ENGINE_INLINE uint32_t get_l3(struct sim *s, const struct hierarchy *h,
			      uint32_t key, enum cause cause, uint64_t *n)
{
	const struct level *l = h->l3;
	const uint32_t set = level_set(l, key);
	const int way = search(l, set, key);
	uint32_t flags;

	n[SIGNAL_l3_load + cause]++;
	if (way >= 0) {
		s->served = PLACE_L3;
		if (h->l3_inclusion == INCLUDE_EXCLUSIVE)
			return level_take(l, set, (uint32_t)way) & LEVEL_DIRTY;
		level_hit(l, set, (uint32_t)way);
		return 0;
	}
	n[SIGNAL_l3_load_miss + cause]++;
	flags = get_memory(s, n);
	if (!takes_clean(h->l3_inclusion))
		leave_l3(s, h, replace_entry(l, set, key | flags), n);
	return flags;
}

ENGINE_INLINE uint32_t hit_l2(struct sim *s, const struct hierarchy *h,
			      uint32_t set, uint32_t way, uint32_t key,
			      enum cause cause, bool top)
{
	uint32_t *held, flags;

	s->served = PLACE_L2;
	if (h->l2_inclusion == INCLUDE_EXCLUSIVE && !top) {
		flags = level_take(h->l2, set, way);
		if (flags & LEVEL_PREFETCHED)
			first_use(s, key, cause);
		return flags & LEVEL_DIRTY;
	}
	held = level_hit(h->l2, set, way);
	if (*held & LEVEL_PREFETCHED) {
		*held &= ~LEVEL_PREFETCHED;
		first_use(s, key, cause);
	}
	return 0;
}

/* top: of what asks, L2 is the highest level. */
ENGINE_INLINE uint32_t get_l2(struct sim *s, const struct hierarchy *h,
			      uint32_t key, enum cause cause, bool top,
			      uint64_t *n)
{
	const struct level *l = h->l2;
	const uint32_t own = key_below(h, key), set = level_set(l, own);
	const int way = search(l, set, own);
	uint32_t flags;

	n[SIGNAL_l2_load + cause]++;
	if (way >= 0)
		return hit_l2(s, h, set, (uint32_t)way, key, cause, top);
	n[SIGNAL_l2_load_miss + cause]++;
	first_use(s, key, cause);
	flags = h->has_l3 ? get_l3(s, h, own, cause, n) : get_memory(s, n);
	if (!top && takes_clean(h->l2_inclusion))
		return flags;
	n[SIGNAL_l2_fill]++;
	leave_l2(s, h, replace_entry(l, set, own | flags), n);
	return flags & LEVEL_DRAM;
}

ENGINE_INLINE void leave_l1d(struct sim *s, const struct hierarchy *h,
			     uint32_t entry, uint64_t *n)
{
	const struct cache *c = &s->cache[PLACE_L1D];

	if (entry == LEVEL_EMPTY)
		return;
	n[SIGNAL_l1d_evict_clean + (entry & LEVEL_DIRTY)]++;
	if (entry & LEVEL_DIRTY ||
	    (takes_clean(h->l2_inclusion) && !is_silent(c, entry)))
		arrive_l2(s, h, entry);
}

_Static_assert(STEP_LOAD == (int)CAUSE_LOAD && STEP_STORE == (int)CAUSE_STORE &&
	       STEP_WALK == (int)CAUSE_WALK &&
	       SIGNAL_l1d_load + CAUSE_WALK == SIGNAL_l1d_walk &&
	       SIGNAL_l1d_load_miss + CAUSE_WALK == SIGNAL_l1d_walk_miss &&
	       SIGNAL_served_l2 + 2 == SIGNAL_served_dram,
	       "kinds of steps and signals are in the order of causes");

/* A load, a store, or a walk through L1D has missed it. */
ENGINE_INLINE void miss_in(struct sim *s, const struct hierarchy *h,
			   uint32_t key, enum cause cause, uint64_t line,
			   uint32_t pc)
{
	const struct level *l = h->l1d;
	const uint32_t flags = cause == CAUSE_STORE ? LEVEL_DIRTY : 0;
	uint64_t *near = count_near(s, key), *far = count_far(s, key);
	uint32_t came;

	near[SIGNAL_l1d_load + cause]++;
	near[SIGNAL_l1d_load_miss + cause]++;
	if (cause != CAUSE_WALK && s->trains[1])
		prefetchers_train(s, 1, line, pc);
	came = get_l2(s, h, key, cause, false, far);
	if (!takes_clean(h->l2_inclusion))
		came &= ~LEVEL_DRAM;
	if (came & ~flags)
		tell_near(s, key | came | flags);
	leave_l1d(s, h, replace_entry(l, level_set(l, key),
				      key | came | flags), near);
	if (cause != CAUSE_WALK)
		far[SIGNAL_served_l2 + (s->served - PLACE_L2)]++;
}

/* A walk; false: it has missed in L1D. */
ENGINE_INLINE bool walk_in(struct sim *s, const struct hierarchy *h,
			   uint32_t key)
{
	uint32_t set;
	int way;

	if (s->walk_place == PLACE_L2) {
		get_l2(s, h, key, CAUSE_WALK, true, count_far(s, key));
		return true;
	}
	set = level_set(h->l1d, key);
	way = search(h->l1d, set, key);
	if (way < 0)
		return false;
	count_near(s, key)[SIGNAL_l1d_walk]++;
	level_hit(h->l1d, set, (uint32_t)way);
	return true;
}

#endif
