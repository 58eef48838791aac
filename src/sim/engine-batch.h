/* SPDX-License-Identifier: MIT */
/*
 * Loads and stores of one line each, many at a time: records are decoded into
 * keys and pages, the pages go through the data TLB, and what it makes of them
 * are the next steps. All else is left to engine-records.h.
 *
 * Over one more primitive of the including file:
 *
 *   bool ways_newest_8(const struct level *l, const uint32_t *key)
 *	is each of 8 keys the newest of its set? (LRU, sets a power of two)
 */
#ifndef SIM_ENGINE_BATCH_H
#define SIM_ENGINE_BATCH_H

#include "sim/engine-tlbs.h"

ENGINE void steps_drain(struct sim *s);

/* Decoded at a time. */
#define BATCH 256

struct batch {
	uint32_t key[BATCH], page[BATCH];	/* page: its TLB entry */
} __attribute__((aligned(32)));

/* Addresses are lines: pages follow from the keys. */
ENGINE size_t decode_plain(struct sim *s, struct batch *b,
			   const uint64_t *record, size_t n, uint64_t *stores)
{
	const unsigned shift = PAGE_BITS - s->line_shift + s->tlb_shift + 3;
	const size_t taken = s->engine->lean->decode(record, n, s->line_shift,
						     s->plain_limit, b->key,
						     stores);

	for (size_t i = 0; i < taken; i++)
		b->page[i] = b->key[i] >> shift << 3;
	return taken;
}

ENGINE size_t decode_mapped(struct sim *s, struct batch *b,
			    const uint64_t *record, size_t n, uint64_t *stores)
{
	const unsigned line_shift = s->line_shift, tlb_shift = s->tlb_shift;
	const unsigned within_page = PAGE_BITS - line_shift;
	const uint32_t lines = (1u << within_page) - 1;
	struct pages *pages = &s->pages;
	uint64_t stored = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		const uint64_t r = record[i], address = access_operand(r);
		const uint64_t last = address +
				      (UINT64_C(1) << access_log2_bytes(r)) - 1;
		const struct page_slot *slot;

		if (r >> 61 || (address ^ last) >> line_shift)
			break;
		slot = pages_slot(pages, address >> PAGE_BITS);
		b->key[i] = (slot->frame << within_page |
			     ((uint32_t)(address >> line_shift) & lines)) << 3 |
			    (uint32_t)(r >> 60);
		b->page[i] = slot->virt >> tlb_shift << 3;
		stored += r >> 60;
	}
	*stores += stored;
	return i;
}

/* An LRU set: makes the key the newest; false: it was not there. */
ENGINE_INLINE bool renew(const struct level *l, const uint32_t lanes,
			 uint32_t *set, uint32_t key)
{
	const int way = ways_find(lanes, set, key);

	ways_rotate(lanes, set, way < 0 ? l->ways - 1 : (uint32_t)way, key);
	return way >= 0;
}

/* Neither TLB had it, and the walk goes first only in its reads. */
ENGINE void batch_walk(struct sim *s, uint32_t key, bool store)
{
	const struct counts *counts = store ? &store_counts : &load_counts;

	if (s->has_l2tlb)
		s->core[counts->l2tlb_miss]++;
	walk(s, key >> 3 << s->tlb_shift, counts->walks);
}

/* After a miss in the data TLB. */
ENGINE_INLINE void look_up_second(struct sim *s, const struct level *l,
				  uint32_t key, bool store)
{
	uint32_t *set = level_lanes(l, key >> 3 & (l->sets - 1));
	bool found;

	s->core[SIGNAL_l2tlb_data]++;
	if (*set == key)
		return;
	switch (l->stride) {
	case 4:
		found = renew(l, 4, set, key);
		break;
	case 8:
		found = renew(l, 8, set, key);
		break;
	case 16:
		found = renew(l, 16, set, key);
		break;
	default:
		found = renew(l, l->stride, set, key);
		break;
	}
	if (!found)
		batch_walk(s, key, store);
}

/* One lookup, LRU and sets a power of two in both TLBs. */
ENGINE_INLINE void look_up(struct sim *s, const struct level *l,
			   const uint32_t lanes, uint32_t key, bool store)
{
	uint32_t *set = l->entry + (size_t)(key >> 3 & (l->sets - 1)) * lanes;

	if (*set == key)
		return;
	/* few pages by turns: no search through all of a large set */
	if (lanes > 8 && set[1] == key) {
		set[1] = set[0];
		set[0] = key;
		return;
	}
	if (renew(l, lanes, set, key))
		return;
	s->core[SIGNAL_dtlb_load_miss + store]++;
	if (s->has_l2tlb)
		look_up_second(s, &s->l2tlb, key, store);
	else
		batch_walk(s, key, store);
}

ENGINE_INLINE void step_plainly(struct sim *s, uint32_t key)
{
	struct steps *steps = &s->steps;

	steps->key[steps->count++] = key;
	steps->of[key & 1]++;
	if (steps->count == STEPS)
		steps_drain(s);
}

/* The caller has made sure that there is room. */
ENGINE_INLINE void eight_steps(struct sim *s, const uint32_t *key)
{
	struct steps *steps = &s->steps;
	uint32_t *to = steps->key + steps->count, stores = 0;

	for (int i = 0; i < 8; i++) {
		to[i] = key[i];
		stores += key[i] & 1;
	}
	steps->count += 8;
	steps->of[STEP_STORE] += stores;
	steps->of[STEP_LOAD] += 8 - stores;
	if (steps->count == STEPS)
		steps_drain(s);
}

ENGINE_INLINE void look_up_all(struct sim *s, const uint32_t lanes,
			       const struct batch *b, size_t n)
{
	const struct level *l = &s->dtlb;
	size_t i = 0, end;

	while (i < n) {
		end = n - i < 8 ? n : i + 8;
		if (end - i == 8 && s->steps.count + 8 <= STEPS &&
		    ways_newest_8(l, b->page + i)) {
			eight_steps(s, b->key + i);
			i += 8;
			continue;
		}
		for (; i < end; i++) {
			look_up(s, l, lanes, b->page[i], b->key[i] & 1);
			step_plainly(s, b->key[i]);
		}
	}
	s->last_virt = b->page[n - 1];
}

ENGINE void batch_translate(struct sim *s, const struct batch *b, size_t n)
{
	switch (s->dtlb.stride) {
	case 4:
		look_up_all(s, 4, b, n);
		break;
	case 32:
		look_up_all(s, 32, b, n);
		break;
	default:
		look_up_all(s, s->dtlb.stride, b, n);
		break;
	}
}

/* Straight to the caches' list. */
ENGINE size_t feed_untranslated(struct sim *s, const uint64_t *record,
				size_t records, uint64_t *stores)
{
	struct steps *steps = &s->steps;
	const size_t room = STEPS - steps->count;
	const size_t taken = s->engine->lean->decode(record,
		records < room ? records : room, s->line_shift,
		s->plain_limit, steps->key + steps->count, stores);

	steps->count += (uint32_t)taken;
	steps->of[STEP_LOAD] += (uint32_t)(taken - *stores);
	steps->of[STEP_STORE] += (uint32_t)*stores;
	if (steps->count == STEPS)
		steps_drain(s);
	return taken;
}

/* The plain loads and stores at the front, or some of them; how many. */
ENGINE size_t feed_batch(struct sim *s, const uint64_t *record, size_t records)
{
	const size_t n = records < BATCH ? records : BATCH;
	uint64_t stores = 0;
	struct batch b;
	size_t taken;

	if (!s->has_dtlb && s->plain_limit)
		taken = feed_untranslated(s, record, records, &stores);
	else if (s->plain_limit)
		taken = decode_plain(s, &b, record, n, &stores);
	else
		taken = decode_mapped(s, &b, record, n, &stores);
	s->core[SIGNAL_loads] += taken - stores;
	s->core[SIGNAL_stores] += stores;
	if (s->has_dtlb && taken) {
		s->core[SIGNAL_dtlb_load] += taken - stores;
		s->core[SIGNAL_dtlb_store] += stores;
		batch_translate(s, &b, taken);
	} else if (!s->plain_limit) {
		for (size_t i = 0; i < taken; i++)
			step_plainly(s, b.key[i]);
	}
	return taken;
}

#endif
