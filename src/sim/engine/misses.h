/* SPDX-License-Identifier: MIT */
/*
 * What engine/caches.h says of a miss in L1D, for the caches of most CPUs: an
 * L2, all levels write-back and write-allocate, fetch first. Every set is
 * looked for once, and so is where its column counts: a line that another one
 * replaces is in its column. What happens rarely is left to the rules.
 */
#ifndef SIM_ENGINE_MISSES_H
#define SIM_ENGINE_MISSES_H

#include "sim/engine/caches.h"

ENGINE_INLINE bool level_holds(const struct level *l, uint32_t key)
{
	return level_find(l, level_set(l, key), key) >= 0;
}

/* L1D and L2, as much of them as a function knows beforehand. */
struct upper {
	const struct level *l1d, *l2;
};

/* A level of which these are known: what is for others is left out. */
ENGINE_INLINE struct level known(const struct level *l, uint32_t stride,
				 enum replacement policy)
{
	struct level k = *l;

	k.stride = stride;
	k.policy = policy;
	k.is = &policies[policy];
	k.keep_holes = false;
	if (!k.is->ordered) {
		k.ways = stride;
		k.words = 1;
		k.leaf_bits = (uint32_t)__builtin_ctz(stride);
	}
	if (!k.mask)
		__builtin_unreachable();
	return k;
}

/* An inclusive level has evicted the line, which is seldom still above. */
ENGINE_INLINE uint32_t leave_above(struct sim *s, const struct upper *u,
				   enum place at, uint32_t key)
{
	if (may_be_code(s, key) || level_holds(u->l1d, key) ||
	    (at == PLACE_L3 && level_holds(u->l2, key)))
		return remove_above(s, at, key);
	return 0;
}

ENGINE_INLINE bool is_silent(const struct cache *c, uint32_t entry)
{
	return !(entry & LEVEL_DIRTY) && c->silent_clean &&
	       !(entry & LEVEL_DRAM && c->loud_from_dram);
}

ENGINE_INLINE void leave_l3(struct sim *s, uint32_t entry, uint64_t *n)
{
	const struct upper u = { &s->cache[PLACE_L1D].lines,
				 &s->cache[PLACE_L2].lines };

	if (entry == LEVEL_EMPTY)
		return;
	if (s->cache[PLACE_L3].inclusion == INCLUDE_ALL)
		entry |= leave_above(s, &u, PLACE_L3, entry);
	n[SIGNAL_l3_evict_clean + (entry & LEVEL_DIRTY)]++;
	n[SIGNAL_dram_write] += entry & LEVEL_DIRTY;
}

/* Puts an entry into a level; returns what had to leave. */
ENGINE_INLINE uint32_t replace_entry(const struct level *l, uint32_t set,
				     uint32_t entry)
{
	return level_place(l, set, level_victim(l, set), entry);
}

ENGINE void arrive_l3(struct sim *s, uint32_t entry, uint64_t *n)
{
	const struct level *l = &s->cache[PLACE_L3].lines;
	const uint32_t set = level_set(l, entry);
	const int way = level_find(l, set, entry);

	n[SIGNAL_l3_writeback]++;
	if (way >= 0) {
		*level_hit(l, set, (uint32_t)way) |= entry & LEVEL_DIRTY;
		return;
	}
	n[SIGNAL_l3_writeback_miss]++;
	leave_l3(s, replace_entry(l, set, entry & ~LEVEL_PREFETCHED), n);
}

ENGINE_INLINE void leave_l2(struct sim *s, const struct upper *u,
			    uint32_t entry, uint64_t *n)
{
	const struct cache *c = &s->cache[PLACE_L2];
	bool silent;

	if (entry == LEVEL_EMPTY)
		return;
	if (c->inclusion == INCLUDE_ALL)
		entry |= leave_above(s, u, PLACE_L2, entry);
	silent = is_silent(c, entry);
	count_l2_eviction(n, entry, silent);
	if (c->below == PLACE_MEMORY)
		n[SIGNAL_dram_write] += entry & LEVEL_DIRTY;
	else if (entry & LEVEL_DIRTY ||
		 (!silent && s->cache[PLACE_L3].takes_clean))
		arrive_l3(s, entry, n);
}

ENGINE_INLINE void arrive_l2(struct sim *s, const struct upper *u,
			     uint32_t entry)
{
	const struct level *l = u->l2;
	const uint32_t set = level_set(l, entry);
	const int way = level_find(l, set, entry);
	uint64_t *n = count_far(s, entry);

	n[SIGNAL_l2_writeback]++;
	if (way >= 0) {
		*level_hit(l, set, (uint32_t)way) |= entry & LEVEL_DIRTY;
		return;
	}
	n[SIGNAL_l2_writeback_miss]++;
	n[SIGNAL_l2_fill]++;
	leave_l2(s, u, replace_entry(l, set, entry & ~LEVEL_PREFETCHED), n);
}

/* The flags that the line comes with. */
ENGINE_INLINE uint32_t get_memory(struct sim *s, uint64_t *n)
{
	n[SIGNAL_dram_read]++;
	s->served = PLACE_MEMORY;
	return s->keeps_dram ? LEVEL_DRAM : 0;
}

ENGINE uint32_t get_l3(struct sim *s, uint32_t key, enum cause cause,
		       uint64_t *n)
{
	const struct cache *c = &s->cache[PLACE_L3];
	const struct level *l = &c->lines;
	const uint32_t set = level_set(l, key);
	const int way = level_find(l, set, key);
	uint32_t flags;

	n[SIGNAL_l3_load + cause]++;
	if (way >= 0)
		return fetch_hit(s, PLACE_L3, key, cause, false, (uint32_t)way);
	n[SIGNAL_l3_load_miss + cause]++;
	flags = get_memory(s, n);
	if (!c->takes_clean)
		leave_l3(s, replace_entry(l, set, key | flags), n);
	return flags;
}

ENGINE_INLINE uint32_t get_below_l2(struct sim *s, uint32_t key,
				    enum cause cause, uint64_t *n)
{
	return s->cache[PLACE_L2].below == PLACE_L3 ?
	       get_l3(s, key, cause, n) : get_memory(s, n);
}

ENGINE_INLINE uint32_t hit_l2(struct sim *s, const struct level *l,
			      uint32_t set, uint32_t way, uint32_t key,
			      enum cause cause, bool top)
{
	uint32_t *held, flags;

	s->served = PLACE_L2;
	if (s->cache[PLACE_L2].inclusion == INCLUDE_EXCLUSIVE && !top) {
		flags = level_take(&s->cache[PLACE_L2].lines, set, way);
		if (flags & LEVEL_PREFETCHED)
			first_use(s, key, cause);
		return flags & LEVEL_DIRTY;
	}
	held = level_hit(l, set, way);
	if (*held & LEVEL_PREFETCHED && cause != CAUSE_PREFETCH) {
		*held &= ~LEVEL_PREFETCHED;
		if (s->trains[2])
			prefetchers_train(s, 2, key >> 3, 0);
	}
	return 0;
}

/* top: of what asks, L2 is the highest level. */
ENGINE_INLINE uint32_t get_l2(struct sim *s, const struct upper *u,
			      uint32_t key, enum cause cause, bool top,
			      uint64_t *n)
{
	const struct cache *c = &s->cache[PLACE_L2];
	const struct level *l = u->l2;
	const uint32_t set = level_set(l, key);
	const int way = level_find(l, set, key);
	uint32_t flags;

	n[SIGNAL_l2_load + cause]++;
	if (way >= 0)
		return hit_l2(s, l, set, (uint32_t)way, key, cause, top);
	n[SIGNAL_l2_load_miss + cause]++;
	if (s->trains[2])
		prefetchers_train(s, 2, key >> 3, 0);
	flags = get_below_l2(s, key, cause, n);
	if (!top && c->takes_clean)
		return flags;
	n[SIGNAL_l2_fill]++;
	leave_l2(s, u, replace_entry(l, set, key | flags), n);
	return flags & LEVEL_DRAM;
}

ENGINE_INLINE void leave_l1d(struct sim *s, const struct upper *u,
			     uint32_t entry, uint64_t *n)
{
	const struct cache *c = &s->cache[PLACE_L1D];

	if (entry == LEVEL_EMPTY)
		return;
	n[SIGNAL_l1d_evict_clean + (entry & LEVEL_DIRTY)]++;
	if (entry & LEVEL_DIRTY ||
	    (s->cache[PLACE_L2].takes_clean && !is_silent(c, entry)))
		arrive_l2(s, u, entry);
}

/* Gets a line into L1D. */
ENGINE_INLINE void get_l1d(struct sim *s, const struct upper *u, uint32_t key,
			   enum cause cause, uint32_t flags, uint64_t *near,
			   uint64_t *far)
{
	const struct level *l = u->l1d;
	uint32_t came = get_l2(s, u, key, cause, false, far);

	if (!s->cache[PLACE_L2].takes_clean)
		came &= ~LEVEL_DRAM;
	if (came & ~flags)
		tell_near(s, key | came | flags);
	leave_l1d(s, u, replace_entry(l, level_set(l, key),
				      key | came | flags), near);
}

ENGINE_INLINE void miss_in(struct sim *s, const struct upper *u, uint32_t key,
			   bool store, uint64_t line, uint32_t pc)
{
	uint64_t *near = count_near(s, key), *far = count_far(s, key);

	near[SIGNAL_l1d_load + store]++;
	near[SIGNAL_l1d_load_miss + store]++;
	if (s->trains[1])
		prefetchers_train(s, 1, line, pc);
	get_l1d(s, u, key, store ? CAUSE_STORE : CAUSE_LOAD,
		store ? LEVEL_DIRTY : 0, near, far);
	far[s->served == PLACE_L2 ? SIGNAL_served_l2 :
	    s->served == PLACE_L3 ? SIGNAL_served_l3 : SIGNAL_served_dram]++;
}

ENGINE void miss_in_any(struct sim *s, uint32_t key, bool store, uint64_t line,
			uint32_t pc)
{
	const struct upper u = { &s->cache[PLACE_L1D].lines,
				 &s->cache[PLACE_L2].lines };

	miss_in(s, &u, key, store, line, pc);
}

/* The pairs of L1D and L2 that CPU files have most: lanes and policies. */
#define MISS_IN(name, lanes1, policy1, lanes2, policy2) \
ENGINE void miss_in_##name(struct sim *s, uint32_t key, bool store, \
			   uint64_t line, uint32_t pc) \
{ \
	const struct level l1d = known(&s->cache[PLACE_L1D].lines, lanes1, \
				       REPLACE_##policy1); \
	const struct level l2 = known(&s->cache[PLACE_L2].lines, lanes2, \
				      REPLACE_##policy2); \
	const struct upper u = { &l1d, &l2 }; \
\
	miss_in(s, &u, key, store, line, pc); \
}
#include "sim/engine/pairs.def"
#undef MISS_IN

ENGINE_INLINE void miss_quickly(struct sim *s, uint32_t key, bool store,
				uint64_t line, uint32_t pc)
{
	switch (s->misses) {
#define MISS_IN(name, ...) \
	case MISSES_##name: \
		miss_in_##name(s, key, store, line, pc); \
		break;
#include "sim/engine/pairs.def"
#undef MISS_IN
	default:
		miss_in_any(s, key, store, line, pc);
		break;
	}
}

/* Walks through L1D, which has missed, and past it. */
ENGINE void walk_l1d_quickly(struct sim *s, uint32_t key)
{
	const struct upper u = { &s->cache[PLACE_L1D].lines,
				 &s->cache[PLACE_L2].lines };

	get_l1d(s, &u, key, CAUSE_WALK, 0, count_near(s, key),
		count_far(s, key));
}

ENGINE void walk_quickly(struct sim *s, uint32_t key)
{
	const struct upper u = { &s->cache[PLACE_L1D].lines,
				 &s->cache[PLACE_L2].lines };

	get_l2(s, &u, key, CAUSE_WALK, true, count_far(s, key));
}

#endif
