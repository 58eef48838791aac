/* SPDX-License-Identifier: MIT */
/*
 * Batches of what programs do: loads and stores, those that cross a line, lines
 * of code and touches, in any order. Which of them comes next cannot be
 * foreseen, so nothing depends on it: keys, pages of data and pages of code are
 * written each time, and kept by moving on. The code TLB knows nothing of data,
 * and the data TLB nothing of code; what both have missed goes on to the second
 * level in the order in which it came. Lines of code are steps like the others,
 * or looked up at once where nothing else changes L1I.
 */
#ifndef SIM_ENGINE_MIXED_H
#define SIM_ENGINE_MIXED_H

#include "sim/engine/batch.h"
#include "sim/engine/steps.h"

struct mixed {
	struct batch b;
	uint32_t keys;
	struct listed_pages data, code;
	uint64_t accesses, stores;
	uint64_t counted;	/* of the others: see COUNTED */
	uint64_t split[2], lookups[2];	/* loads, stores; in two pages */
	uint64_t alone, entered;	/* lines of code: looked up at once, and
					 * those of them that L1I has missed */
};

/* Fields of a word, of so many bits. */
enum counted {
	COUNT_FETCHES, COUNT_TOUCHED_DATA,
	COUNT_TOUCHED_CODE
};
#define COUNTED_BITS 11
#define COUNTED(what) (UINT64_C(1) << COUNTED_BITS * (what))
#define MOST_COUNTED ((1u << COUNTED_BITS) - 1)

/* Marks of pages where loads and stores have a TLB each: that of a key says
 * what it is. */
enum { APART_STORE = 1, APART_LOAD = 2, APART = 3 };

/* What a record adds; nothing: it is not taken. */
struct mixed_kind {
	uint8_t key, data, code;	/* 0 or 1 of each list */
	uint8_t step;
	uint8_t sized;		/* its bytes are some */
	uint64_t counted;
	uint8_t apart;		/* how a page without a key is marked */
};
#define TOUCHES 16		/* by flags */

static const struct mixed_kind mixed_kinds[TOUCHES + 16] = {
	[ACCESS_FETCH] = { 1, 0, 1, STEP_FETCH, 15, COUNTED(COUNT_FETCHES), 0 },
	/* the page is there, so a lookup is all it needs */
	[TOUCHES] = { 0, 1, 0, STEP_LOAD, 0, 0, APART_LOAD },
	[TOUCHES + ACCESS_STORED] = { 0, 1, 0, STEP_LOAD, 0, 0, APART_STORE },
	[TOUCHES + ACCESS_CODE] = { 0, 0, 1, STEP_LOAD, 0, 0, 0 },
	/* its hit is counted later, and taken back here */
	[TOUCHES + ACCESS_LINE] = {
		1, 0, 0, STEP_LOAD, 0, COUNTED(COUNT_TOUCHED_DATA), 0
	},
	[TOUCHES + ACCESS_LINE + ACCESS_CODE] = {
		1, 0, 0, STEP_FETCH, 0, COUNTED(COUNT_TOUCHED_CODE), 0
	},
};

ENGINE_INLINE const struct mixed_kind *mixed_kind(uint64_t record)
{
	const uint32_t kind = (uint32_t)access_kind(record);
	const uint32_t touch = TOUCHES + access_log2_bytes(record);

	return &mixed_kinds[kind == ACCESS_TOUCH ? touch : kind];
}

ENGINE_INLINE uint32_t mixed_key(const struct sim *s,
				 const struct page_slot *slot, uint64_t line)
{
	const unsigned within_page = PAGE_BITS - s->line_shift;
	const uint32_t within = (uint32_t)line & ((1u << within_page) - 1);

	return (slot->frame << within_page | within) << 3;
}

/* Writes one in any case. */
ENGINE_INLINE void mixed_page(const struct sim *s, struct listed_pages *p,
			      const struct page_slot *slot, uint32_t key,
			      uint32_t pages, uint32_t mark)
{
	p->at[p->count] = key;
	p->page[p->count] = slot->virt >> s->tlb_shift << 3 | mark;
	p->count += pages;
}

/* The second line of a load or store. */
ENGINE_INLINE void mixed_second(struct sim *s, struct mixed *m, uint64_t record,
				uint64_t last, uint32_t data)
{
	const uint64_t address = access_operand(record);
	const uint64_t line = last >> s->line_shift;
	const uint32_t store = (uint32_t)(record >> 60);
	const struct page_slot *slot = pages_slot(&s->pages, last >> PAGE_BITS);

	if ((address ^ last) >> PAGE_BITS >> s->tlb_shift) {
		mixed_page(s, &m->data, slot, m->keys, data, 0);
		m->lookups[store]++;
	}
	m->b.key[m->keys++] = mixed_key(s, slot, line) | store;
	m->split[store]++;
}

/* Must it be a step by itself if it misses, and does it? */
ENGINE_INLINE bool code_must_wait(const struct sim *s, uint32_t key)
{
	const struct level *l1i = &s->cache[PLACE_L1I].lines;

	return !s->code_ahead && level_find(l1i, level_set(l1i, key), key) < 0;
}

/* Can a hit and a miss in L1I be the same? */
ENGINE_INLINE bool code_renews(const struct sim *s)
{
	const struct level *l1i = &s->cache[PLACE_L1I].lines;

	return s->code_ahead && l1i->policy == REPLACE_LRU &&
	       !l1i->keep_holes && l1i->stride <= 16;
}

/* Makes it the newest of its set; was it there? */
ENGINE_INLINE bool code_renew(struct sim *s, uint32_t key)
{
	const struct level *l1i = &s->cache[PLACE_L1I].lines;
	const uint32_t last = l1i->ways - 1;
	uint32_t *const set = level_lanes(l1i, level_set(l1i, key));

	switch (l1i->stride) {
	case 4:
		return ways_renew(4, last, set, &key);
	case 8:
		return ways_renew(8, last, set, &key);
	default:
		return ways_renew(16, last, set, &key);
	}
}

/* A line of code, looked up at once. */
ENGINE_INLINE void mixed_alone(struct sim *s, struct mixed *m, uint32_t key)
{
	m->alone++;
	if (code_hits(s, key))
		return;
	code_enters(s, key);
	m->b.key[m->keys++] = key | STEP_CODE;
	m->entered++;
}

/* The same, with no branch on what is found. */
ENGINE_INLINE void mixed_renewed(struct sim *s, struct mixed *m, uint32_t key)
{
	const bool missed = !code_renew(s, key);
	const uint32_t frame = code_frame(s, key);

	s->code_frames[frame / 64] |= UINT64_C(1) << frame % 64;
	m->b.key[m->keys] = key | STEP_CODE;
	m->keys += missed;
	m->entered += missed;
	m->alone++;
	s->total[SIGNAL_l1i_fetch]++;
	s->total[SIGNAL_l1i_miss] += missed;
}

/* What is constant for all of a batch. */
struct mixed_how {
	uint32_t data, code;	/* there are such TLBs: 1 */
	uint32_t apart;		/* marks to be put on pages */
	uint32_t refused;	/* a step, if it is not 0 */
	bool renews;		/* see code_renews */
};

/* A load or store of up to two lines; false: of more. */
ENGINE_INLINE bool mixed_access(struct sim *s, struct mixed *m, uint64_t record,
				const struct mixed_how *how)
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
	mixed_page(s, &m->data, slot, m->keys, how->data, 0);
	m->b.key[m->keys++] = mixed_key(s, slot, line) | store;
	m->accesses++;
	m->stores += store;
	if (__builtin_expect(more != 0, false))
		mixed_second(s, m, record, last, how->data);
	return true;
}

/* Anything else; false: it is not taken. */
ENGINE_INLINE bool mixed_other(struct sim *s, struct mixed *m, uint64_t record,
			       const struct mixed_how *how, const bool alone)
{
	const struct mixed_kind *kind = mixed_kind(record);
	const uint64_t address = access_operand(record);
	const uint64_t line = address >> s->line_shift;
	const struct page_slot *slot;
	uint32_t key;

	if (__builtin_expect(!(kind->key | kind->data | kind->code) ||
			     kind->step & how->refused ||
			     access_log2_bytes(record) & kind->sized, false))
		return false;
	slot = pages_slot(&s->pages, address >> PAGE_BITS);
	key = mixed_key(s, slot, line);
	if (alone && kind->step == STEP_FETCH && !how->renews &&
	    code_must_wait(s, key))
		return false;
	m->counted += kind->counted;
	if (alone && kind->step == STEP_FETCH) {
		if (how->code)
			mixed_page(s, &m->code, slot, m->keys, kind->code, 0);
		if (how->renews)
			mixed_renewed(s, m, key);
		else
			mixed_alone(s, m, key);
		return true;
	}
	if (how->data)
		mixed_page(s, &m->data, slot, m->keys, kind->data,
			   kind->apart & how->apart);
	if (how->code)
		mixed_page(s, &m->code, slot, m->keys, kind->code, 0);
	m->b.key[m->keys] = key | kind->step;
	m->keys += kind->key;
	return true;
}

/* false: it is not taken. */
ENGINE_INLINE bool mixed_take(struct sim *s, struct mixed *m, uint64_t record,
			      const struct mixed_how *how, const bool alone)
{
	return record >> 61 ? mixed_other(s, m, record, how, alone) :
			      mixed_access(s, m, record, how);
}

/* ---- at the end of a batch ----------------------------------------------- */

ENGINE_INLINE uint32_t counted(const struct mixed *m, enum counted what)
{
	return (uint32_t)(m->counted >> COUNTED_BITS * what) & MOST_COUNTED;
}

ENGINE void mixed_count(struct sim *s, const struct mixed *m)
{
	const uint32_t fetches = counted(m, COUNT_FETCHES);
	const uint32_t touched[] = { counted(m, COUNT_TOUCHED_DATA), 0 };
	const uint32_t code = counted(m, COUNT_TOUCHED_CODE);
	uint64_t *n = s->core;

	for (int store = 0; store < 2; store++) {
		const uint64_t accesses = store ? m->stores :
						  m->accesses - m->stores;

		n[SIGNAL_loads + store] += accesses;
		if (s->has_dtlb)
			n[SIGNAL_dtlb_load + store] += accesses +
						       m->lookups[store];
		s->steps.of[STEP_LOAD + store] += (uint32_t)(accesses +
			m->split[store] + touched[store]);
	}
	n[SIGNAL_split_lines] += m->split[0] + m->split[1];
	s->steps.of[STEP_FETCH] += fetches + code - (uint32_t)m->alone;
	s->steps.of[STEP_CODE] += (uint32_t)m->entered;
	if (s->has_itlb)
		n[SIGNAL_itlb_fetch] += fetches;
	s->total[SIGNAL_l1d_load] -= touched[0];
	s->total[SIGNAL_served_l1] -= touched[0];
	s->total[SIGNAL_l1i_fetch] -= code;
}

#define OF_CODE 0x80000000u	/* of a place that both kinds are in */

/* Those of code first, where both come before the same key: of an access that
 * key is its own. */
ENGINE void mixed_merge(const struct places *data, const struct places *code,
			struct places *to)
{
	uint32_t d = 0, c = 0;

	for (to->count = 0; d < data->count || c < code->count; to->count++) {
		const bool is_code = d == data->count || (c < code->count &&
			code->at[c] <= data->at[d]);

		to->at[to->count] = is_code ? code->at[c] | OF_CODE :
					      data->at[d];
		to->page[to->count] = is_code ? code->page[c] : data->page[d];
		c += is_code;
		d += !is_code;
	}
}

/* What both have missed, in their second level, or levels; `all`: the rest. */
ENGINE void mixed_look_up_second(struct sim *s, struct places *data,
				 struct places *code, struct places *all)
{
	const struct level *const *second = s->second;

	if (second[0])
		s->core[SIGNAL_l2tlb_data] += data->count;
	if (second[1])
		s->core[SIGNAL_l2tlb_code] += code->count;
	if (second[0] != second[1] && second[0])
		second_tlb(second[0], data);
	if (second[0] != second[1] && second[1])
		second_tlb(second[1], code);
	mixed_merge(data, code, all);
	if (second[0] == second[1] && second[0])
		second_tlb(second[0], all);
}

/* As batch_refill, with pages of code. */
ENGINE void mixed_refill(struct sim *s, const struct mixed *m,
			 struct places *data, struct places *code)
{
	const uint64_t stores = stores_of(&m->b, data);
	const uint32_t reads = walk_reads(s);
	uint64_t *n = s->core;
	struct places all;
	uint32_t of_code = 0, written = 0;

	n[SIGNAL_dtlb_store_miss] += stores;
	n[SIGNAL_dtlb_load_miss] += data->count - stores;
	n[SIGNAL_itlb_miss] += code->count;
	mixed_look_up_second(s, data, code, &all);
	for (uint32_t i = 0; i < all.count; i++) {
		const bool is_code = all.at[i] & OF_CODE;

		all.at[i] &= ~OF_CODE;
		of_code += is_code;
		if (!is_code)
			written += m->b.key[all.at[i]] & 1;
	}
	if (s->second[0])
		n[SIGNAL_l2tlb_data_miss] += all.count - of_code;
	if (s->second[1])
		n[SIGNAL_l2tlb_code_miss] += of_code;
	n[SIGNAL_walks_code] += of_code;
	n[SIGNAL_walks_store] += written;
	n[SIGNAL_walks_load] += all.count - of_code - written;
	n[SIGNAL_walk_reads] += (uint64_t)all.count * reads;
	steps_of_batch(s, &m->b, m->keys, &all, reads);
}

/* Pages of data where loads and stores have a TLB each. */
ENGINE void mixed_look_up_apart(const struct sim *s, const struct mixed *m,
				struct places *missed)
{
	struct listed_pages of[2];

	listed_begin(of);
	listed_begin(of + 1);
	for (uint32_t i = 0; i < m->data.count; i++) {
		const uint32_t page = m->data.page[i], at = m->data.at[i];
		const uint32_t store = page & APART ? page & APART_STORE :
						      m->b.key[at] & 1;

		listed_add(&of[store], page & ~(uint32_t)APART, at);
	}
	look_up_apart(s, of, missed);
}

ENGINE void mixed_translate(struct sim *s, const struct mixed *m)
{
	struct places data, code;

	if (s->split_dtlb) {
		mixed_look_up_apart(s, m, &data);
		s->last_virt = LEVEL_EMPTY;
	} else {
		look_up_first(&s->dtlb, &m->data, &data);
		if (m->data.count)
			s->last_virt = m->data.page[m->data.count - 1];
	}
	look_up_first(&s->itlb, &m->code, &code);
	if (code.count)
		mixed_refill(s, m, &data, &code);
	else if (m->keys)
		batch_refill(s, &m->b, m->keys, &data,
			     m->stores);
}

/* Those at the front, or some of them; how many. */
ENGINE_INLINE size_t mixed_take_all(struct sim *s, struct mixed *m,
				    const uint64_t *record, size_t records,
				    const bool alone)
{
	const struct mixed_how how = {
		s->has_dtlb, s->has_itlb, s->split_dtlb ? APART : 0,
		s->cache[PLACE_L1I].present ? 0 : STEP_FETCH,
		alone && code_renews(s)
	};
	const size_t most = batch_most(s) - 1;	/* one may be two */
	size_t i;

	for (i = 0; i < records && m->keys < most &&
		    m->data.count + m->code.count < most; i++)
		if (!mixed_take(s, m, record[i], &how, alone))
			break;
	return i;
}

/* The same. *plain: all of them are loads and stores. */
ENGINE size_t feed_mixed(struct sim *s, const uint64_t *record, size_t records,
			 bool *plain)
{
	const size_t n = records < MOST_COUNTED ? records : MOST_COUNTED;
	struct mixed m;
	size_t taken;

	listed_begin(&m.data);
	listed_begin(&m.code);
	m.keys = 0;
	m.accesses = m.stores = m.counted = m.alone = m.entered = 0;
	m.split[0] = m.split[1] = m.lookups[0] = m.lookups[1] = 0;
	taken = code_alone(s) ? mixed_take_all(s, &m, record, n, true) :
				mixed_take_all(s, &m, record, n, false);
	*plain = taken && !(m.split[0] | m.split[1]) &&
		 m.accesses == taken;
	mixed_translate(s, &m);
	mixed_count(s, &m);
	if (s->steps.count == STEPS)
		steps_drain(s);
	return taken;
}

#endif
