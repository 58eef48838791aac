/* SPDX-License-Identifier: MIT */
/*
 * Batches of what programs do: loads and stores, those that cross a line, lines
 * of code and touches, in any order. The code TLB knows nothing of
 * data, and the data TLB nothing of code, as long as both hit; so the batch
 * ends where a page of code misses. Lines of code are steps like the others, or
 * looked up at once where nothing else changes L1I.
 */
#ifndef SIM_ENGINE_MIXED_H
#define SIM_ENGINE_MIXED_H

#include "sim/engine-batch.h"
#include "sim/engine-pairs.h"

struct mixed {
	struct batch b;
	uint32_t keys, pages;
	uint32_t at[BATCH + STEPS_AHEAD];	/* of a page: its key */
	uint64_t accesses[2], lookups[2];	/* loads, stores */
	uint64_t splits, fetches, steps[2], others;
	uint64_t touched[2];	/* lines, of data and code */
	uint32_t waiting;	/* lines of code that are steps, ... */
	uint32_t entered;	/* ... and those that L1I has missed */
};

ENGINE_INLINE void mixed_key(struct sim *s, struct mixed *m,
			     const struct page_slot *slot, uint64_t line,
			     uint32_t kind)
{
	const unsigned within_page = PAGE_BITS - s->line_shift;
	const uint32_t within = (uint32_t)line & ((1u << within_page) - 1);

	m->b.key[m->keys++] = (slot->frame << within_page | within) << 3 | kind;
}

ENGINE_INLINE void mixed_page(struct sim *s, struct mixed *m,
			      const struct page_slot *slot)
{
	if (!s->has_dtlb)
		return;
	m->at[m->pages] = m->keys;
	m->b.page[m->pages++] = slot->virt >> s->tlb_shift << 3;
}

/* A load or store of up to two lines; false: of more. */
ENGINE_INLINE bool mixed_access(struct sim *s, struct mixed *m, uint64_t record)
{
	const uint64_t address = access_operand(record);
	const uint64_t last = address +
			      (UINT64_C(1) << access_log2_bytes(record)) - 1;
	const uint64_t line = address >> s->line_shift;
	const uint64_t more = (last >> s->line_shift) - line;
	const uint32_t store = (uint32_t)(record >> 60);
	const struct page_slot *slot;

	if (__builtin_expect(more > 1 || last > ACCESS_OPERAND_MASK, false))
		return false;
	slot = pages_slot(&s->pages, address >> PAGE_BITS);
	mixed_page(s, m, slot);
	mixed_key(s, m, slot, line, store);
	m->accesses[store]++;
	if (__builtin_expect(!more, true))
		return true;
	if ((address ^ last) >> PAGE_BITS) {
		slot = pages_slot(&s->pages, last >> PAGE_BITS);
		mixed_page(s, m, slot);
		m->lookups[store]++;
	}
	mixed_key(s, m, slot, line + 1, store);
	m->steps[store]++;
	m->splits++;
	return true;
}

/* In an LRU TLB the first of a set is the newest. */
ENGINE_INLINE bool code_page_hits(struct sim *s, const struct page_slot *slot)
{
	const struct level *l = &s->itlb;
	const uint32_t key = slot->virt >> s->tlb_shift << 3;

	if (l->policy == REPLACE_LRU && *level_lanes(l, level_set(l, key)) == key)
		return true;
	return hit(l, key);
}

/* It misses, and must be a step by itself. */
ENGINE_INLINE bool code_must_wait(const struct sim *s, uint32_t key)
{
	const struct level *l1i = &s->cache[PLACE_L1I].lines;

	return !s->code_ahead && level_find(l1i, level_set(l1i, key), key) < 0;
}

/* Looked up at once. */
ENGINE_INLINE void mixed_alone(struct sim *s, struct mixed *m, uint32_t key)
{
	if (code_hits(s, key))
		return;
	code_enters(s, key);
	m->b.key[m->keys++] = key | STEP_CODE;
	m->entered++;
}

/* A line of code, and its page if that is looked up; false: one of them
 * misses, or may. */
ENGINE_INLINE bool mixed_code(struct sim *s, struct mixed *m, uint64_t address,
			      bool alone, bool paged)
{
	const uint64_t line = address >> s->line_shift;
	const unsigned within_page = PAGE_BITS - s->line_shift;
	const struct page_slot *slot = pages_slot(&s->pages,
						  address >> PAGE_BITS);
	const uint32_t key = (slot->frame << within_page |
		((uint32_t)line & ((1u << within_page) - 1))) << 3;

	/* a page is not looked up twice: of some policies that is more */
	if ((alone && code_must_wait(s, key)) ||
	    (paged && !code_page_hits(s, slot)))
		return false;
	if (alone) {
		mixed_alone(s, m, key);
		return true;
	}
	m->b.key[m->keys++] = key | STEP_FETCH;
	m->waiting++;
	return true;
}

ENGINE_INLINE bool mixed_fetch(struct sim *s, struct mixed *m, uint64_t record,
			       bool alone)
{
	if (access_log2_bytes(record) ||
	    !mixed_code(s, m, access_operand(record), alone, s->has_itlb))
		return false;
	m->fetches++;
	return true;
}

/* Its hit is counted later, and taken back here. */
ENGINE_INLINE bool mixed_touch_line(struct sim *s, struct mixed *m,
				    uint64_t record, bool alone)
{
	const uint64_t address = access_operand(record);
	const bool code = access_log2_bytes(record) & ACCESS_CODE;

	if (code && !(s->cache[PLACE_L1I].present &&
		      mixed_code(s, m, address, alone, false)))
		return false;
	if (!code) {
		mixed_key(s, m, pages_slot(&s->pages, address >> PAGE_BITS),
			  address >> s->line_shift, STEP_LOAD);
		m->steps[0]++;
	}
	m->touched[code]++;
	return true;
}

/* See ACCESS_TOUCH: the page is there, so a lookup is all it needs. */
ENGINE_INLINE bool mixed_touch(struct sim *s, struct mixed *m, uint64_t record,
			       bool alone)
{
	const uint64_t address = access_operand(record);
	const struct page_slot *slot = pages_slot(&s->pages,
						  address >> PAGE_BITS);

	if (access_log2_bytes(record) & ACCESS_LINE)
		return mixed_touch_line(s, m, record, alone);
	if (!(access_log2_bytes(record) & ACCESS_CODE))
		mixed_page(s, m, slot);
	else if (s->has_itlb)
		code_page_hits(s, slot);
	return true;
}

ENGINE_INLINE bool mixed_take(struct sim *s, struct mixed *m, uint64_t record,
			      bool alone)
{
	if (record >> 61 == 0)
		return mixed_access(s, m, record);
	m->others++;
	if (access_kind(record) == ACCESS_FETCH)
		return s->cache[PLACE_L1I].present &&
		       mixed_fetch(s, m, record, alone);
	return access_kind(record) == ACCESS_TOUCH &&
	       mixed_touch(s, m, record, alone);
}

ENGINE void mixed_count(struct sim *s, const struct mixed *m)
{
	uint64_t *n = s->core;

	for (int store = 0; store < 2; store++) {
		n[SIGNAL_loads + store] += m->accesses[store];
		if (s->has_dtlb)
			n[SIGNAL_dtlb_load + store] += m->accesses[store] +
						       m->lookups[store];
		s->steps.of[STEP_LOAD + store] += (uint32_t)
			(m->accesses[store] + m->steps[store]);
	}
	n[SIGNAL_split_lines] += m->splits;
	s->steps.of[STEP_FETCH] += m->waiting;
	s->steps.of[STEP_CODE] += m->entered;
	if (s->has_itlb)
		n[SIGNAL_itlb_fetch] += m->fetches;
	s->total[SIGNAL_l1d_load] -= m->touched[0];
	s->total[SIGNAL_served_l1] -= m->touched[0];
	s->total[SIGNAL_l1i_fetch] -= m->touched[1];
}

ENGINE void mixed_translate(struct sim *s, struct mixed *m)
{
	struct places missed;

	missed.count = 0;	/* nothing else is to be cleared */
	if (m->pages) {
		first_tlb(&s->dtlb, m->b.page, m->pages, &missed);
		s->last_virt = m->b.page[m->pages - 1];
	}
	for (uint32_t i = 0; i < missed.count; i++)
		missed.at[i] = m->at[missed.at[i]];
	if (m->keys)
		batch_refill(s, &m->b, m->keys, &missed, m->accesses[1]);
}

/* Those at the front, or some of them; how many. *plain: all of them are loads
 * and stores. */
ENGINE size_t feed_mixed(struct sim *s, const uint64_t *record, size_t records,
			 bool *plain)
{
	const size_t most = batch_most(s) - 1;	/* one may be two */
	const bool alone = code_alone(s);
	struct mixed m;
	size_t i;

	batch_begin(&m.b);
	m.keys = m.pages = 0;
	m.accesses[0] = m.accesses[1] = m.lookups[0] = m.lookups[1] = 0;
	m.steps[0] = m.steps[1] = m.splits = m.fetches = m.others = 0;
	m.touched[0] = m.touched[1] = m.waiting = m.entered = 0;
	for (i = 0; i < records && m.keys < most && m.pages < most; i++)
		if (!mixed_take(s, &m, record[i], alone))
			break;
	*plain = i && !m.others && !m.splits;
	mixed_translate(s, &m);
	mixed_count(s, &m);
	if (s->steps.count == STEPS)
		steps_drain(s);
	return i;
}

#endif
