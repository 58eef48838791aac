/* SPDX-License-Identifier: MIT */
/*
 * Data TLBs, for loads and stores or one for each, code TLBs, the second level,
 * shared or one for each, and the page walker. A miss in the second level walks, then fills both; walk caches are a
 * constant number of upper descriptors that never have to be read.
 */
#ifndef SIM_ENGINE_TLBS_H
#define SIM_ENGINE_TLBS_H

#include "sim/engine/engine.h"
#include "sim/engine/ways.h"

ENGINE_INLINE void steps_add(struct sim *s, uint32_t key, uint64_t line,
			     uint32_t pc);

struct tlb_counts {
	enum signal l2tlb, l2tlb_miss, walks;
	bool of_code;
	enum sim_look look;
};

static const struct tlb_counts load_counts = {
	SIGNAL_l2tlb_data, SIGNAL_l2tlb_data_miss, SIGNAL_walks_load, false,
	LOOK_LOAD
};
static const struct tlb_counts store_counts = {
	SIGNAL_l2tlb_data, SIGNAL_l2tlb_data_miss, SIGNAL_walks_store, false,
	LOOK_STORE
};
static const struct tlb_counts code_counts = {
	SIGNAL_l2tlb_code, SIGNAL_l2tlb_code_miss, SIGNAL_walks_code, true,
	LOOK_FETCH
};

ENGINE_INLINE bool tlb_hit(const struct level *l, uint32_t key)
{
	const uint32_t set = level_set(l, key);
	const int way = level_find(l, set, key);

	if (way >= 0)
		level_hit(l, set, (uint32_t)way);
	return way >= 0;
}

ENGINE_INLINE void tlb_fill(const struct level *l, uint32_t key)
{
	const uint32_t set = level_set(l, key);

	level_place(l, set, level_victim(l, set), key);
}

ENGINE_INLINE void read_descriptor(struct sim *s, uint32_t virt, unsigned level)
{
	const struct page_tables tables = pages_tables(&s->pages, level);

	s->core[SIGNAL_walk_reads]++;
	steps_add(s, pages_descriptor(&s->pages, &tables, virt) << 3 |
		     STEP_WALK, 0, 0);
}

/* The level of a page's own descriptor. */
ENGINE_INLINE unsigned walk_leaf(const struct sim *s)
{
	return s->pages.shape.level;
}

/* How many descriptors a walk reads: down to the leaf. */
ENGINE_INLINE unsigned walk_reads(const struct sim *s)
{
	return s->walk_first ? s->walk_first - walk_leaf(s) + 1 : 0;
}

ENGINE_INLINE void walk_tables(struct sim *s, uint32_t virt, enum signal walks)
{
	s->core[walks]++;
	for (unsigned up = walk_reads(s); up; up--)
		read_descriptor(s, virt, walk_leaf(s) + up - 1);
}

/* Of ENGINE_TELL. */
ENGINE_INLINE unsigned tlb_looked(bool hit)
{
	return LOOK_KEEPS | (hit ? LOOK_HIT : 0);
}

/* After a first-level miss: the second level, and the walk. */
ENGINE void tlb_refill(struct sim *s, uint32_t virt,
		       const struct tlb_counts *counts)
{
	const struct level *second = s->second[counts->of_code];
	const uint32_t key = virt >> s->tlb_shift << 3;
	bool hit;

	if (second) {
		s->core[counts->l2tlb]++;
		hit = tlb_hit(second, key);
		ENGINE_TELL(s, counts->of_code && second == &s->l2itlb ?
			    PART_L2ITLB : PART_L2TLB, counts->look |
			    tlb_looked(hit), key >> 3);
		if (hit)
			return;
		s->core[counts->l2tlb_miss]++;
	}
	walk_tables(s, virt, counts->walks);
	if (second)
		tlb_fill(second, key);
}

/* A data lookup, which the caller counts. */
ENGINE void tlb_lookup(struct sim *s, uint32_t virt, bool store)
{
	const uint32_t key = virt >> s->tlb_shift << 3;
	const struct level *first = s->first[store];

	const bool hit = tlb_hit(first, key);

	s->last_virt = key | (store & s->split_dtlb);
	ENGINE_TELL(s, store & s->split_dtlb ? PART_STORE_DTLB : PART_DTLB,
		    (store ? LOOK_STORE : LOOK_LOAD) | tlb_looked(hit),
		    key >> 3);
	if (hit)
		return;
	s->core[SIGNAL_dtlb_load_miss + store]++;
	tlb_refill(s, virt, store ? &store_counts : &load_counts);
	tlb_fill(first, key);
}

ENGINE void tlb_data(struct sim *s, uint32_t virt, enum step_kind kind)
{
	const bool store = kind == STEP_STORE || kind == STEP_STORE_NT;

	s->core[SIGNAL_dtlb_load + store]++;
	tlb_lookup(s, virt, store);
}

ENGINE void tlb_code(struct sim *s, uint32_t virt)
{
	const uint32_t key = virt >> s->tlb_shift << 3;

	const bool hit = tlb_hit(&s->itlb, key);

	s->core[SIGNAL_itlb_fetch]++;
	ENGINE_TELL(s, PART_ITLB, LOOK_FETCH | tlb_looked(hit), key >> 3);
	if (hit)
		return;
	s->core[SIGNAL_itlb_miss]++;
	tlb_refill(s, virt, &code_counts);
	tlb_fill(&s->itlb, key);
}

/* See ACCESS_TOUCH. */
ENGINE void tlb_touch(struct sim *s, uint64_t address, bool code, bool store)
{
	const struct page_slot *slot = pages_slot(&s->pages,
						  address >> PAGE_BITS);
	const uint32_t key = slot->virt >> s->tlb_shift << 3;

	if (code ? s->has_itlb : s->has_dtlb)
		tlb_hit(code ? &s->itlb : s->first[store], key);
	if (!code)
		s->last_virt = LEVEL_EMPTY;
}

ENGINE void tlb_prefetch(struct sim *s, uint32_t virt)
{
	const uint32_t key = virt >> s->tlb_shift << 3;
	bool hit;

	if (!s->has_dtlb)
		return;
	s->last_virt = LEVEL_EMPTY;
	hit = tlb_hit(&s->dtlb, key);
	ENGINE_TELL(s, PART_DTLB, LOOK_PREFETCH | tlb_looked(hit), key >> 3);
	if (hit)
		return;
	s->core[SIGNAL_dtlb_prefetch_fill]++;
	tlb_refill(s, virt, &load_counts);
	tlb_fill(&s->dtlb, key);
}

ENGINE void tlb_wrong_path(struct sim *s, uint32_t walks)
{
	s->core[SIGNAL_wrong_path_loads] += walks;
	s->core[SIGNAL_walks_wrong_path] += walks;
	while (walks--)
		read_descriptor(s, 0, s->walk_first ? s->walk_first :
						      walk_leaf(s));
}

#endif
