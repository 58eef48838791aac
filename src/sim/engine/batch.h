/* SPDX-License-Identifier: MIT */
/*
 * Loads and stores of one line each, many at a time: records are decoded into
 * keys and pages, the pages go through the TLBs (engine/translate.h), and what
 * these make of them are the next steps. All else is left to engine/records.h.
 */
#ifndef SIM_ENGINE_BATCH_H
#define SIM_ENGINE_BATCH_H

#include "sim/engine/translate.h"

/* Addresses are lines: pages follow from the keys. */
ENGINE size_t decode_plain(struct sim *s, struct batch *b,
			   const uint64_t *record, size_t n, uint64_t *stores)
{
	const unsigned shift = PAGE_BITS - s->line_shift + s->tlb_shift + 3;
	const size_t taken = s->engine->decode(record, n, s->line_shift,
					       s->plain_limit, b->key, stores);

	for (size_t i = 0; i < taken; i += 16)
		ways_pages_16(b->page + i, b->key + i, shift);
	return taken;
}

/* Records of the next batch: too much comes before it to be foreseen. */
ENGINE_INLINE void fetch_records(const uint64_t *record, size_t n)
{
	for (size_t i = 0; i < n && i < BATCH; i += 8)
		__builtin_prefetch(record + i);
}

/* One load or store of one line; false: the record is something else. */
ENGINE_INLINE bool decode_one(struct pages *pages, unsigned tlb_shift,
			      uint64_t record, uint32_t *key, uint32_t *page)
{
	const unsigned line_shift = pages->line_shift;
	const unsigned within_page = PAGE_BITS - line_shift;
	const uint64_t address = access_operand(record);
	const uint64_t last = address +
			      (UINT64_C(1) << access_log2_bytes(record)) - 1;
	const struct page_slot *slot;

	if (record >> 61 || (address ^ last) >> line_shift)
		return false;
	slot = pages_slot(pages, address >> PAGE_BITS);
	*key = (slot->frame << within_page |
		((uint32_t)(address >> line_shift) & ((1u << within_page) - 1)))
	       << 3 | (uint32_t)(record >> 60);
	*page = slot->virt >> tlb_shift << 3;
	return true;
}

ENGINE size_t decode_mapped(struct sim *s, struct batch *b,
			    const uint64_t *record, size_t n, uint64_t *stores)
{
	const unsigned tlb_shift = s->tlb_shift;
	struct pages *pages = &s->pages;
	size_t i = 0;

	while (i < n) {
		if (i + 4 <= n &&
		    ways_mapped_4(pages, tlb_shift, record + i, b->key + i,
				  b->page + i, stores)) {
			i += 4;
			continue;
		}
		if (!decode_one(pages, tlb_shift, record[i], b->key + i,
				b->page + i))
			break;
		*stores += record[i++] >> 60;
	}
	return i;
}

ENGINE_INLINE void step_plainly(struct sim *s, uint32_t key)
{
	struct steps *steps = &s->steps;

	steps->key[steps->count++] = key;
	steps->of[key & 1]++;
	if (steps->count == STEPS)
		steps_drain(s);
}

/* As far as L2: the caches' list needs L1 for itself. */
ENGINE_INLINE void fetch_next_list(const uint64_t *record, size_t n)
{
	for (size_t i = 0; i < n && i < STEPS; i += 8)
		__builtin_prefetch(record + i, 0, 2);
}

/* Straight to the caches' list. */
ENGINE size_t feed_untranslated(struct sim *s, const uint64_t *record,
				size_t records, uint64_t *stores)
{
	struct steps *steps = &s->steps;
	const size_t room = STEPS - steps->count;
	const size_t taken = s->engine->decode(record,
		records < room ? records : room, s->line_shift,
		s->plain_limit, steps->key + steps->count, stores);

	steps->count += (uint32_t)taken;
	steps->of[STEP_LOAD] += (uint32_t)(taken - *stores);
	steps->of[STEP_STORE] += (uint32_t)*stores;
	if (steps->count == STEPS) {
		fetch_next_list(record + taken, records - taken);
		steps_drain(s);
	}
	return taken;
}

/* The plain loads and stores at the front, or some of them; how many. */
ENGINE size_t feed_batch(struct sim *s, const uint64_t *record, size_t records)
{
	const size_t most = batch_most(s), n = records < most ? records : most;
	uint64_t stores = 0;
	struct batch b;
	size_t taken;

	batch_begin(&b);
	if (!s->has_dtlb && s->plain_limit)
		taken = feed_untranslated(s, record, records, &stores);
	else if (s->plain_limit)
		taken = decode_plain(s, &b, record, n, &stores);
	else
		taken = decode_mapped(s, &b, record, n, &stores);
	s->core[SIGNAL_loads] += taken - stores;
	s->core[SIGNAL_stores] += stores;
	if (s->has_dtlb && taken) {
		fetch_records(record + taken, records - taken);
		s->core[SIGNAL_dtlb_load] += taken - stores;
		s->core[SIGNAL_dtlb_store] += stores;
		batch_translate(s, &b, taken, stores);
	} else if (!s->plain_limit) {
		for (size_t i = 0; i < taken; i++)
			step_plainly(s, b.key[i]);
	}
	return taken;
}

#endif
