/* SPDX-License-Identifier: MIT */
/*
 * A whole list of steps through an L1D and an L2 of pairs.def, where nothing
 * but lines and their dirtiness goes up or down: what engine/steps.h does for
 * each step by functions is one loop here, that knows the policies, and counts
 * what it did at the end. Steps that are neither loads, stores nor walks go by
 * the rules in between.
 */
#ifndef SIM_ENGINE_PAIRS_H
#define SIM_ENGINE_PAIRS_H

#include "sim/engine/steps.h"

/* Loads, stores, walks: as in enum cause. */
#define PAIR_CAUSES 3

struct pair {
	bool inclusive;		/* L2 */
	bool l3, l3_takes_clean;
	bool walks_l1d;
	uint64_t hits[2], misses[2];	/* L1D: loads and stores */
	uint64_t walks, walk_misses;
	uint64_t evicted[2];	/* ... by dirtiness */
	uint64_t asked[PAIR_CAUSES], missed[PAIR_CAUSES];	/* L2 */
	uint64_t left[2];	/* ... by dirtiness */
	uint64_t by_l3[PAIR_CAUSES];
};

ENGINE_INLINE void pair_leave_l2(struct sim *s, const struct upper *u,
				 struct pair *p, uint32_t entry)
{
	if (entry == LEVEL_EMPTY)
		return;
	if (p->inclusive)
		entry |= leave_above(s, u, PLACE_L2, entry);
	p->left[entry & LEVEL_DIRTY]++;
	if (p->l3 && (p->l3_takes_clean || entry & LEVEL_DIRTY))
		arrive_l3(s, entry, s->total);
}

/* From L2, which then has it. */
ENGINE_INLINE void pair_get(struct sim *s, const struct upper *u,
			    struct pair *p, uint32_t key, enum cause cause)
{
	const struct level *l = u->l2;
	const uint32_t set = level_set(l, key);
	const int way = ways_find(l->stride, level_lanes(l, set), key);
	uint32_t flags = 0;

	p->asked[cause]++;
	if (way >= 0) {
		level_hit(l, set, (uint32_t)way);
		return;
	}
	p->missed[cause]++;
	if (p->l3) {
		flags = get_l3(s, key, cause, s->total);
		p->by_l3[cause] += s->served == PLACE_L3;
	}
	pair_leave_l2(s, u, p, replace_entry(l, set, key | flags));
}

/* L1D has missed it. */
ENGINE_INLINE void pair_fill(struct sim *s, const struct upper *u,
			     struct pair *p, uint32_t key, enum cause cause,
			     uint32_t dirty)
{
	const struct level *l = u->l1d;
	uint32_t entry;

	pair_get(s, u, p, key, cause);
	entry = replace_entry(l, level_set(l, key), key | dirty);
	p->evicted[entry & LEVEL_DIRTY] += entry != LEVEL_EMPTY;
	if (entry & LEVEL_DIRTY)
		arrive_l2(s, u, entry);
}

ENGINE_INLINE void pair_walk(struct sim *s, const struct upper *u,
			     struct pair *p, uint32_t key)
{
	const struct level *l = u->l1d;
	const uint32_t set = level_set(l, key);
	int way;

	if (!p->walks_l1d) {
		pair_get(s, u, p, key, CAUSE_WALK);
		return;
	}
	way = ways_find(l->stride, level_lanes(l, set), key);
	p->walks++;
	if (way >= 0) {
		level_hit(l, set, (uint32_t)way);
		return;
	}
	p->walk_misses++;
	pair_fill(s, u, p, key, CAUSE_WALK, 0);
}

ENGINE void pair_count_l1d(uint64_t *n, const struct pair *p)
{
	for (int store = 0; store < 2; store++) {
		n[SIGNAL_l1d_load + store] += p->hits[store] +
					      p->misses[store];
		n[SIGNAL_l1d_load_miss + store] += p->misses[store];
		n[SIGNAL_served_l1] += p->hits[store];
		n[SIGNAL_l1d_evict_clean + store] += p->evicted[store];
	}
	n[SIGNAL_l1d_walk] += p->walks;
	n[SIGNAL_l1d_walk_miss] += p->walk_misses;
}

/* What L3 itself does is counted there. */
ENGINE void pair_count_l2(uint64_t *n, const struct pair *p)
{
	for (int cause = 0; cause < PAIR_CAUSES; cause++) {
		n[SIGNAL_l2_load + cause] += p->asked[cause];
		n[SIGNAL_l2_load_miss + cause] += p->missed[cause];
		n[SIGNAL_l2_fill] += p->missed[cause];
		n[SIGNAL_dram_read] += p->l3 ? 0 : p->missed[cause];
	}
	for (int cause = 0; cause < CAUSE_WALK; cause++) {
		n[SIGNAL_served_l2] += p->asked[cause] - p->missed[cause];
		n[SIGNAL_served_l3] += p->by_l3[cause];
		n[SIGNAL_served_dram] += p->missed[cause] - p->by_l3[cause];
	}
	n[SIGNAL_l2_evict_clean] += p->left[0];
	n[SIGNAL_l2_evict_dirty] += p->left[1];
	n[SIGNAL_l2_evict_non_silent] += p->left[0] + p->left[1];
	n[SIGNAL_dram_write] += p->l3 ? 0 : p->left[1];
}

/* Another kind of step, or a hit that is not only counted. */
ENGINE void pair_other(struct sim *s, uint32_t key)
{
	if ((key & LEVEL_FLAGS) == STEP_FETCH && s->cache[PLACE_L1I].present &&
	    code_hits(s, key & ~LEVEL_FLAGS))
		return;
	hierarchy_step(s, key, 0, 0);
}

ENGINE_INLINE void pair_group(struct sim *s, const struct steps *steps,
			      uint32_t from, uint32_t end,
			      const struct upper *u, struct pair *p,
			      const enum front how)
{
	uint32_t hits = 0, stores = 0;

	for (uint32_t i = from; i < end; i++) {
		const uint32_t key = steps->key[i], line = key & ~LEVEL_FLAGS;
		const uint32_t store = key & 1;

		switch (front(u->l1d, u->l1d->stride, how, false, key)) {
		case FOUND_HIT:
			hits++;
			stores += store;
			break;
		case FOUND_MISS:
			p->misses[store]++;
			pair_fill(s, u, p, line,
				  store ? CAUSE_STORE : CAUSE_LOAD,
				  store ? LEVEL_DIRTY : 0);
			break;
		default:
			if ((key & LEVEL_FLAGS) == STEP_WALK)
				pair_walk(s, u, p, line);
			else
				pair_other(s, key);
			break;
		}
	}
	p->hits[0] += hits - stores;
	p->hits[1] += stores;
}

ENGINE_INLINE void pair_steps(struct sim *s, const struct steps *steps,
			      const struct upper *u, struct pair *p,
			      const enum front how)
{
	for (uint32_t i = 0, end; i < steps->count; i = end) {
		const uint64_t before = p->misses[0] + p->misses[1];

		end = ahead_to(s, steps, i);
		pair_group(s, steps, i, end, u, p, how);
		s->missed = (uint32_t)(p->misses[0] + p->misses[1] - before);
	}
}

ENGINE_INLINE void pair_run(struct sim *s, const struct steps *steps,
			    const struct upper *u, const enum front how)
{
	const struct cache *l3 = &s->cache[PLACE_L3];
	struct pair p = {
		.inclusive = s->cache[PLACE_L2].inclusion == INCLUDE_ALL,
		.l3 = l3->present,
		.l3_takes_clean = l3->present && l3->takes_clean,
		.walks_l1d = s->walk_place == PLACE_L1D
	};

	s->draining = true;
	pair_steps(s, steps, u, &p, how);
	s->draining = false;
	pair_count_l1d(s->total, &p);
	pair_count_l2(s->total, &p);
}

#define MISS_IN(name, lanes1, policy1, lanes2, policy2) \
ENGINE void pair_run_##name(struct sim *s, const struct steps *steps) \
{ \
	const struct level l1d = known(&s->cache[PLACE_L1D].lines, lanes1, \
				       REPLACE_##policy1); \
	const struct level l2 = known(&s->cache[PLACE_L2].lines, lanes2, \
				      REPLACE_##policy2); \
	const struct upper u = { &l1d, &l2 }; \
\
	pair_run(s, steps, &u, front_by(REPLACE_##policy1)); \
}
#include "sim/engine/pairs.def"
#undef MISS_IN

/* false: it must be done by the rules. */
ENGINE bool pairs_run(struct sim *s, const struct steps *steps)
{
	if (!s->paired || s->grouped)
		return false;
	switch (s->misses) {
#define MISS_IN(name, ...) \
	case MISSES_##name: \
		pair_run_##name(s, steps); \
		return true;
#include "sim/engine/pairs.def"
#undef MISS_IN
	default:
		return false;
	}
}

#endif
