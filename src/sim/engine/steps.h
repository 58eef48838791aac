/* SPDX-License-Identifier: MIT */
/*
 * What each kind of step does to the caches, and the loop over a list of them.
 */
#ifndef SIM_ENGINE_STEPS_H
#define SIM_ENGINE_STEPS_H

#include "sim/engine/ahead.h"

ENGINE bool hierarchy_flush(struct sim *s, uint32_t key);

ENGINE_INLINE void count_served(struct sim *s, uint32_t key)
{
	static const enum signal served[] = {
		[PLACE_L1D] = SIGNAL_served_l1,
		[PLACE_L1I] = SIGNAL_served_l1,
		[PLACE_L2] = SIGNAL_served_l2,
		[PLACE_L3] = SIGNAL_served_l3,
		[PLACE_MEMORY] = SIGNAL_served_dram,
	};

	if (s->served == PLACE_L1D)
		count_near(s, key)[SIGNAL_served_l1]++;
	else
		count_far(s, key)[served[s->served]]++;
}

ENGINE_INLINE void use(struct sim *s, uint32_t *held, uint64_t line, uint32_t pc)
{
	if (!(*held & LEVEL_PREFETCHED))
		return;
	*held &= ~LEVEL_PREFETCHED;
	if (s->trains[1])
		prefetchers_train(s, 1, line, pc);
}

/* What a line brings into L1D besides itself must not differ by pass. */
ENGINE_INLINE void fill_l1d(struct sim *s, uint32_t key, enum cause cause,
		     uint32_t flags)
{
	const uint32_t entry = bring(s, PLACE_L1D, key, cause, flags);

	if ((entry & LEVEL_FLAGS) != flags)
		tell_near(s, entry);
}

ENGINE void store_miss(struct sim *s, uint32_t key)
{
	struct cache *c = &s->cache[PLACE_L1D];
	enum place served;

	if (c->no_write_allocate) {
		count_near(s, key)[SIGNAL_l1d_write_through]++;
		write_below(s, c->below, key);
		return;
	}
	fill_l1d(s, key, CAUSE_STORE, c->write_through ? 0 : LEVEL_DIRTY);
	if (!c->write_through)
		return;
	count_near(s, key)[SIGNAL_l1d_write_through]++;
	served = s->served;
	write_below(s, c->below, key);
	s->served = served;
}

ENGINE void store_hit(struct sim *s, uint32_t key, uint32_t *held)
{
	struct cache *c = &s->cache[PLACE_L1D];

	if (!c->write_through) {
		*held |= LEVEL_DIRTY;
		return;
	}
	count_near(s, key)[SIGNAL_l1d_write_through]++;
	write_below(s, c->below, key);
}

ENGINE void demand_miss(struct sim *s, uint32_t key, bool store, uint64_t line,
			uint32_t pc)
{
	uint64_t *n = count_near(s, key);

	n[SIGNAL_l1d_load + store]++;
	n[SIGNAL_l1d_load_miss + store]++;
	if (s->trains[1])
		prefetchers_train(s, 1, line, pc);
	if (store)
		store_miss(s, key);
	else
		fill_l1d(s, key, CAUSE_LOAD, 0);
	count_served(s, key);
}

ENGINE void demand(struct sim *s, uint32_t key, bool store, uint64_t line,
		   uint32_t pc)
{
	const struct level *l = &s->cache[PLACE_L1D].lines;
	const uint32_t set = level_set(l, key);
	const int way = level_find(l, set, key);

	ENGINE_TELL(s, PART_L1D, (store ? LOOK_STORE : LOOK_LOAD) |
		    looked(way) |
		    (store && s->cache[PLACE_L1D].no_write_allocate ?
		     0 : LOOK_KEEPS) |
		    (way >= 0 ? unused(level_lanes(l, set)[way]) : 0),
		    key >> 3);
	if (way < 0) {
		demand_miss(s, key, store, line, pc);
	} else {
		uint64_t *n = count_near(s, key);
		uint32_t *held = level_hit(l, set, (uint32_t)way);

		n[SIGNAL_l1d_load + store]++;
		use(s, held, line, pc);
		if (store)
			store_hit(s, key, held);
		s->served = PLACE_L1D;
		n[SIGNAL_served_l1]++;
	}
}

ENGINE void walk_read(struct sim *s, uint32_t key)
{
	const struct level *l = &s->cache[PLACE_L1D].lines;
	uint64_t *n;
	uint32_t set;
	int way;

	if (s->walk_place != PLACE_L1D) {
		fetch(s, s->walk_place, key, CAUSE_WALK, true);
		return;
	}
	n = count_near(s, key);
	n[SIGNAL_l1d_walk]++;
	set = level_set(l, key);
	way = level_find(l, set, key);
	ENGINE_TELL(s, PART_L1D, LOOK_WALK | looked(way) | LOOK_KEEPS,
		    key >> 3);
	if (way >= 0) {
		level_hit(l, set, (uint32_t)way);
		return;
	}
	n[SIGNAL_l1d_walk_miss]++;
	fill_l1d(s, key, CAUSE_WALK, 0);
}

ENGINE void code_fetch(struct sim *s, uint32_t key)
{
	const struct level *l = &s->cache[PLACE_L1I].lines;
	uint32_t set, entry;
	int way;

	if (!s->cache[PLACE_L1I].present)
		return;
	count_near(s, key)[SIGNAL_l1i_fetch]++;
	set = level_set(l, key);
	way = level_find(l, set, key);
	ENGINE_TELL(s, PART_L1I, LOOK_FETCH | looked(way) | LOOK_KEEPS,
		    key >> 3);
	if (way >= 0) {
		level_hit(l, set, (uint32_t)way);
		return;
	}
	count_near(s, key)[SIGNAL_l1i_miss]++;
	s->code_frames[code_frame(s, key) / 64] |=
		UINT64_C(1) << code_frame(s, key) % 64;
	entry = bring(s, PLACE_L1I, key, CAUSE_FETCH, 0);
	if (entry & LEVEL_FLAGS)
		tell_near(s, entry);
}

/* What is still to be done when L1I has such a line already. */
ENGINE void code_below(struct sim *s, uint32_t key)
{
	fetch(s, s->cache[PLACE_L1I].below, key, CAUSE_FETCH, false);
}

_Static_assert(PLACE_L3 == PLACE_L2 + 1 && PLACE_MEMORY == PLACE_L2 + 2 &&
	       SIGNAL_l1d_prefetch_dram == SIGNAL_l1d_prefetch_l2 + 2 &&
	       SIGNAL_l1d_software_dram == SIGNAL_l1d_software_l2 + 2,
	       "prefetch_l1d adds a place");

/* flags: 0: an instruction's. */
ENGINE void prefetch_l1d(struct sim *s, uint32_t key, uint32_t flags)
{
	const enum signal from_l2 = flags ? SIGNAL_l1d_prefetch_l2 :
					    SIGNAL_l1d_software_l2;
	const struct level *l = &s->cache[PLACE_L1D].lines;
	const uint32_t set = level_set(l, key);
	const int way = level_find(l, set, key);

	ENGINE_TELL(s, PART_L1D, LOOK_PREFETCH | looked(way) | LOOK_KEEPS,
		    key >> 3);
	count_near(s, key)[SIGNAL_l1d_prefetch]++;
	if (way >= 0) {
		if (!flags)
			level_hit(l, set, (uint32_t)way);
		return;
	}
	count_near(s, key)[SIGNAL_l1d_prefetch_fill]++;
	fill_l1d(s, key, CAUSE_PREFETCH, flags);
	count_far(s, key)[from_l2 + (s->served - PLACE_L2)]++;
}

ENGINE void prefetch_l2(struct sim *s, uint32_t key, bool own)
{
	const struct cache *c = &s->cache[PLACE_L2];
	const uint32_t set = level_set(&c->lines, key);
	const int way = level_find(&c->lines, set, key);
	uint64_t *n = count_far(s, key);

	ENGINE_TELL(s, PART_L2, LOOK_PREFETCH | looked(way) | LOOK_KEEPS,
		    key_in(c, key) >> 3);
	n[own ? SIGNAL_l2_own_prefetch : SIGNAL_l2_prefetch]++;
	if (way >= 0)
		return;
	n[own ? SIGNAL_l2_prefetch_fill : SIGNAL_l2_prefetch_miss]++;
	n[SIGNAL_l2_fill]++;
	bring(s, PLACE_L2, key, CAUSE_PREFETCH, LEVEL_PREFETCHED);
	if (own && c->below == PLACE_L3) {
		n[SIGNAL_l3_own_prefetch]++;
		n[SIGNAL_l3_own_prefetch_miss] += s->served == PLACE_MEMORY;
	}
}

ENGINE void hierarchy_prefetch(struct sim *s, uint32_t key, unsigned trains_on,
			unsigned fills)
{
	if (fills == 1)
		prefetch_l1d(s, key, LEVEL_PREFETCHED);
	else
		prefetch_l2(s, key, trains_on == 2);
}

ENGINE bool combined(struct sim *s, uint32_t line)
{
	unsigned at = 0;
	bool open;

	while (at < COMBINING - 1 && s->combining[at] != line)
		at++;
	open = s->combining[at] == line;
	for (; at; at--)
		s->combining[at] = s->combining[at - 1];
	s->combining[0] = line;
	return open;
}

/* Returns whether any cache had the line. */
ENGINE bool hierarchy_flush(struct sim *s, uint32_t key)
{
	const uint32_t first = key >> 3 >> s->longest << s->longest << 3;
	const uint32_t end = first + (8u << s->longest);
	bool held = false;
	uint32_t flags = 0;

	for (int at = PLACE_L1D; at < CACHES; at++)
		for (uint32_t one = first; one != end; one += 8) {
			held |= holds(&s->cache[at], one);
			flags |= remove_line(s, (enum place)at, one);
		}
	if (flags & LEVEL_DIRTY)
		write_memory(s, key);
	return held;
}

/* A streaming store: rule 5 of sim.h. */
ENGINE void store_nt(struct sim *s, uint32_t key)
{
	const bool held = hierarchy_flush(s, key);
	uint64_t *n = count_far(s, key);	/* as caches know the line */

	if (combined(s, key >> 3) && !held) {
		n[SIGNAL_served_l1]++;
		return;
	}
	n[SIGNAL_nt_store_line]++;
	n[SIGNAL_dram_write]++;
	n[SIGNAL_served_dram]++;
}

ENGINE void hierarchy_step(struct sim *s, uint32_t key, uint64_t line, uint32_t pc)
{
	switch ((enum step_kind)(key & LEVEL_FLAGS)) {
	case STEP_LOAD:
		demand(s, key, false, line, pc);
		break;
	case STEP_STORE:
		demand(s, key & ~LEVEL_FLAGS, true, line, pc);
		break;
	case STEP_WALK:
		walk_read(s, key & ~LEVEL_FLAGS);
		break;
	case STEP_STORE_NT:
		store_nt(s, key & ~LEVEL_FLAGS);
		break;
	case STEP_FETCH:
		code_fetch(s, key & ~LEVEL_FLAGS);
		break;
	case STEP_FLUSH:
		hierarchy_flush(s, key & ~LEVEL_FLAGS);
		break;
	case STEP_PREFETCH:
		prefetch_l1d(s, key & ~LEVEL_FLAGS, 0);
		break;
	case STEP_CODE:
		code_below(s, key & ~LEVEL_FLAGS);
		break;
	}
}

/*
 * Does nothing but fetches change L1I, and do no steps that wait? Then hits
 * need not wait for the steps before them.
 */
ENGINE bool code_alone(const struct sim *s)
{
	return s->code_apart && !s->grouped && !s->steps.of[STEP_FETCH] &&
	       !s->steps.of[STEP_FLUSH] && !s->steps.of[STEP_STORE_NT];
}

ENGINE_INLINE bool code_hits(struct sim *s, uint32_t key)
{
	const struct level *l = &s->cache[PLACE_L1I].lines;
	const uint32_t set = level_set(l, key);
	const int way = level_find(l, set, key);

	if (way < 0)
		return false;
	level_hit(l, set, (uint32_t)way);
	s->total[SIGNAL_l1i_fetch]++;
	return true;
}

/* It has missed; the caller adds STEP_CODE. */
ENGINE void code_enters(struct sim *s, uint32_t key)
{
	const struct level *l = &s->cache[PLACE_L1I].lines;
	const uint32_t set = level_set(l, key);

	s->total[SIGNAL_l1i_fetch]++;
	s->total[SIGNAL_l1i_miss]++;
	s->code_frames[code_frame(s, key) / 64] |=
		UINT64_C(1) << code_frame(s, key) % 64;
	level_place(l, set, level_victim(l, set), key);
}

enum found { FOUND_ANYTHING, FOUND_CODE, FOUND_WALK, FOUND_HIT, FOUND_MISS };

ENGINE_INLINE enum found other_than_data(uint32_t key)
{
	return (key & LEVEL_FLAGS) == STEP_FETCH ? FOUND_CODE :
	       (key & LEVEL_FLAGS) == STEP_WALK ? FOUND_WALK : FOUND_ANYTHING;
}

/*
 * Most accesses are loads and stores that hit in L1D. These are done here, and
 * only counted at the end. prefetched: lines may have this flag.
 */
ENGINE_INLINE enum found front(const struct hierarchy *h, bool prefetched,
			       uint32_t key)
{
	const struct level *l = h->l1d;
	const uint32_t number = key >> 3 & (l->sets - 1);
	uint32_t *set = level_lanes(l, number);
	int way;

	if (h->front == FRONT_NONE)
		return FOUND_ANYTHING;
	if ((key & LEVEL_FLAGS) > STEP_STORE)
		return other_than_data(key);
	if (h->front == FRONT_LRU && (*set ^ key) <= LEVEL_DIRTY) {
		*set |= key & LEVEL_DIRTY;
		return FOUND_HIT;
	}
	way = ways_find(l->stride, set, key);
	if (way < 0)
		return FOUND_MISS;
	if (prefetched && set[way] & LEVEL_PREFETCHED)
		return FOUND_ANYTHING;
	if (h->front == FRONT_LRU) {
		ways_rotate(l->stride, set, (uint32_t)way,
			    set[way] | (key & LEVEL_DIRTY));
		return FOUND_HIT;
	}
	if (key & ~set[way] & LEVEL_DIRTY)
		set[way] |= LEVEL_DIRTY;
	policy_hit(l, number, (uint32_t)way);
	return FOUND_HIT;
}

ENGINE_INLINE void count_hit(struct sim *s, uint32_t key)
{
	uint64_t *n = count_near(s, key);

	n[SIGNAL_l1d_load + (key & 1)]++;
	n[SIGNAL_served_l1]++;
}

/* A step that is not a hit of a load or store in L1D, as far as that; true:
 * L1D has missed it. */
ENGINE_INLINE bool run_other(struct sim *s, const struct hierarchy *h,
			     const struct steps *steps, uint32_t i,
			     enum found found)
{
	const uint32_t key = steps->key[i];

	if (found == FOUND_MISS && !h->by_rules)
		return true;
	if (found == FOUND_MISS)
		demand_miss(s, key & ~LEVEL_FLAGS, key & 1, steps->line[i],
			    steps->pc[i]);
	else if (found == FOUND_WALK && !h->by_rules &&
		 s->walk_place <= PLACE_L2)
		return !walk_in(s, h, key & ~LEVEL_FLAGS);
	else if (found != FOUND_CODE || s->grouped ||
		 !s->cache[PLACE_L1I].present ||
		 !code_hits(s, key & ~LEVEL_FLAGS))
		hierarchy_step(s, key, steps->line[i], steps->pc[i]);
	return false;
}

/* Steps from..end - 1; returns how many of them missed L1D. */
ENGINE_INLINE uint32_t run_group(struct sim *s, const struct hierarchy *h,
				 const struct steps *steps, uint32_t from,
				 uint32_t end, uint64_t *hits)
{
	const bool grouped = s->grouped, prefetched = s->trains[1];
	uint32_t missed = 0;

	for (uint32_t i = from; i < end; i++) {
		const uint32_t key = steps->key[i];
		const enum found found = front(h, prefetched, key);

		if (found == FOUND_HIT) {
			if (grouped)
				count_hit(s, key);
			else
				hits[key & 1]++;
			continue;
		}
		missed += found == FOUND_MISS;
		if (run_other(s, h, steps, i, found))
			miss_in(s, h, key & ~LEVEL_FLAGS,
				(enum cause)(key & LEVEL_FLAGS),
				steps->line[i], steps->pc[i]);
		if (s->requests)
			prefetchers_issue(s);
	}
	return missed;
}

/* One loop for all hierarchies, where compiling one each takes longer than the
 * loops save: sanitizers, sim_watch. */
#ifdef ENGINE_ONE_LOOP
ENGINE __attribute__((noinline))
#else
ENGINE_INLINE
#endif
void run_steps(struct sim *s, const struct steps *steps,
	       const struct hierarchy *h)
{
	uint64_t hits[2] = { 0, 0 };

	for (uint32_t i = 0, end; i < steps->count; i = end) {
		end = ahead_to(s, h, steps, i);
		s->missed = run_group(s, h, steps, i, end, hits);
	}
	s->total[SIGNAL_l1d_load] += hits[0];
	s->total[SIGNAL_l1d_store] += hits[1];
	s->total[SIGNAL_served_l1] += hits[0] + hits[1];
}

#define HIERARCHY(name, ways1, policy1, ways2, policy2, inclusion2, \
		  ways3, policy3, inclusion3, sliced3, longer) \
ENGINE void run_##name(struct sim *s, const struct steps *steps) \
{ \
	const struct level l1d = known(&s->cache[PLACE_L1D].lines, ways1, \
				       REPLACE_##policy1, false); \
	const struct level l2 = known(&s->cache[PLACE_L2].lines, ways2, \
				      REPLACE_##policy2, false); \
	const struct level l3 = known(&s->cache[PLACE_L3].lines, ways3, \
				      REPLACE_##policy3, sliced3); \
	const struct hierarchy h = { \
		&l1d, &l2, &l3, front_by(REPLACE_##policy1), false, ways3, \
		INCLUDE_##inclusion2, INCLUDE_##inclusion3, longer \
	}; \
\
	run_steps(s, steps, &h); \
}
#include "sim/engine/hierarchies.def"
#undef HIERARCHY

ENGINE void run_any(struct sim *s, const struct steps *steps)
{
	const struct cache *l2 = &s->cache[PLACE_L2], *l3 = l2 + 1;
	const struct hierarchy h = {
		&s->cache[PLACE_L1D].lines, &l2->lines, &l3->lines, s->front,
		!s->misses, l3->present, l2->inclusion, l3->inclusion,
		s->longest
	};

	run_steps(s, steps, &h);
}

ENGINE void hierarchy_run(struct sim *s, const struct steps *steps)
{
	s->draining = true;
	switch (s->misses) {
#define HIERARCHY(name, ...) \
	case MISSES_##name: \
		run_##name(s, steps); \
		break;
#include "sim/engine/hierarchies.def"
#undef HIERARCHY
	default:
		run_any(s, steps);
		break;
	}
	s->draining = false;
}

#endif
