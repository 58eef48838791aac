/* SPDX-License-Identifier: MIT */
/*
 * A batch of loads and stores through LRU TLBs with a power of two of sets:
 * TLBs do not depend on caches, so the data TLB takes the whole batch, the
 * second level takes the list of those that missed, and its misses are the
 * walks, which are put before their accesses in the list of steps. None of it
 * branches on what was found: an index is always written, and kept by moving
 * on.
 *
 * Over three more primitives of the including file:
 *
 *   bool ways_newest_8(const struct level *l, const uint32_t *key)
 *	is each of 8 keys the newest of its set?
 *   bool ways_renew(uint32_t stride, uint32_t last, uint32_t *set,
 *		     uint32_t key)
 *	makes the key the newest, in place of lane `last` if it was not there;
 *	was it? Nothing in the set has flags.
 *   void ways_copy_16(uint32_t *to, const uint32_t *from)
 *
 * and, if WAYS_RENEW_RUN is defined, for sets of up to so many lanes:
 *
 *   uint32_t ways_renew_run(uint32_t stride, uint32_t last, uint32_t *set,
 *			       const uint32_t *key, size_t n, uint32_t *missed)
 *	as ways_renew for n keys; which were not there, and how many
 */
#ifndef SIM_ENGINE_TRANSLATE_H
#define SIM_ENGINE_TRANSLATE_H

#include "sim/engine-tlbs.h"

ENGINE void steps_drain(struct sim *s);

/* Decoded at a time. */
#define BATCH 256

struct batch {
	/* page: its TLB entry */
	uint32_t key[BATCH + STEPS_AHEAD], page[BATCH + STEPS_AHEAD];
} __attribute__((aligned(64)));

/* Places in a batch, ascending. */
struct places {
	uint32_t count, at[BATCH];
};

/* Accesses that are not asked again whether all of them change nothing. */
#define UNLIKE 32

/* What was not found, of all of a batch. */
ENGINE_INLINE void renew_all(const struct level *l, const uint32_t lanes,
			     const uint32_t *page, size_t n,
			     struct places *missed)
{
	const uint32_t mask = l->sets - 1, last = l->ways - 1;
	uint32_t *const entry = l->entry;
	uint32_t count = 0, i = 0, end;

	while (i < n) {
		if (i + 8 <= n && ways_newest_8(l, page + i)) {
			i += 8;
			continue;
		}
		end = n - i < UNLIKE ? (uint32_t)n : i + UNLIKE;
		for (; i < end; i++) {
			const uint32_t key = page[i];
			uint32_t *set = entry +
					(size_t)(key >> 3 & mask) * lanes;

			if (*set == key)
				continue;
			missed->at[count] = i;
			count += !ways_renew(lanes, last, set, key);
		}
	}
	missed->count = count;
}

/* Of what missed before; the rest misses here too. */
ENGINE_INLINE void renew_listed(const struct level *l, const uint32_t lanes,
				const uint32_t *page, struct places *missed)
{
	const uint32_t mask = l->sets - 1, last = l->ways - 1;
	uint32_t *const entry = l->entry;
	uint32_t count = 0;

	for (uint32_t i = 0; i < missed->count; i++) {
		const uint32_t at = missed->at[i], key = page[at];

		missed->at[count] = at;
		count += !ways_renew(lanes, last, entry +
				     (size_t)(key >> 3 & mask) * lanes, key);
	}
	missed->count = count;
}

/* The same of a single set: accesses by turns to two pages are no search. */
ENGINE_INLINE void renew_alone(const struct level *l, const uint32_t lanes,
			       const uint32_t *page, size_t n,
			       struct places *missed)
{
#ifdef WAYS_RENEW_RUN
	if (lanes <= WAYS_RENEW_RUN) {
		missed->count = ways_renew_run(lanes, l->ways - 1, l->entry,
					       page, n, missed->at);
		return;
	}
#endif
	uint32_t *set = l->entry, count = 0;

	for (uint32_t i = 0; i < n; i++) {
		const uint32_t key = page[i];

		if (*set == key)
			continue;
		if (set[1] == key) {
			set[1] = set[0];
			set[0] = key;
			continue;
		}
		missed->at[count] = i;
		count += !ways_renew(lanes, l->ways - 1, set, key);
	}
	missed->count = count;
}

ENGINE void first_tlb_alone(const struct level *l, const uint32_t *page,
			    size_t n, struct places *missed)
{
	switch (l->stride) {
	case 16:
		renew_alone(l, 16, page, n, missed);
		break;
	case 32:
		renew_alone(l, 32, page, n, missed);
		break;
	case 48:
		renew_alone(l, 48, page, n, missed);
		break;
	case 64:
		renew_alone(l, 64, page, n, missed);
		break;
	default:
		renew_alone(l, l->stride, page, n, missed);
		break;
	}
}

ENGINE void first_tlb(const struct level *l, const uint32_t *page, size_t n,
		      struct places *missed)
{
	if (l->sets == 1 && l->ways > 8) {
		first_tlb_alone(l, page, n, missed);
		return;
	}
	switch (l->stride) {
	case 4:
		renew_all(l, 4, page, n, missed);
		break;
	case 8:
		renew_all(l, 8, page, n, missed);
		break;
	case 16:
		renew_all(l, 16, page, n, missed);
		break;
	default:
		renew_all(l, l->stride, page, n, missed);
		break;
	}
}

ENGINE void second_tlb(const struct level *l, const uint32_t *page,
		       struct places *missed)
{
	switch (l->stride) {
	case 4:
		renew_listed(l, 4, page, missed);
		break;
	case 8:
		renew_listed(l, 8, page, missed);
		break;
	case 16:
		renew_listed(l, 16, page, missed);
		break;
	default:
		renew_listed(l, l->stride, page, missed);
		break;
	}
}

/* The stores among them. */
ENGINE uint64_t stores_of(const struct batch *b, const struct places *places)
{
	uint64_t stores = 0;

	for (uint32_t i = 0; i < places->count; i++)
		stores += b->key[places->at[i]] & 1;
	return stores;
}

/* Writes up to 16 keys more. */
ENGINE_INLINE void copy_keys(uint32_t *to, const uint32_t *from, uint32_t n)
{
	uint32_t i = 0;

	do {
		ways_copy_16(to + i, from + i);
		i += 16;
	} while (i < n);
}

/* All of a batch becomes steps, its walks before their accesses. */
ENGINE void steps_of_batch(struct sim *s, const struct batch *b, uint32_t n,
			   const struct places *walks, uint32_t reads)
{
	struct steps *steps = &s->steps;
	uint32_t *to, from = 0;

	if (steps->count + n + walks->count * reads > STEPS)
		steps_drain(s);
	to = steps->key + steps->count;
	for (uint32_t i = 0; i < walks->count; i++) {
		const uint32_t at = walks->at[i];
		const uint32_t virt = b->page[at] >> 3 << s->tlb_shift;

		copy_keys(to, b->key + from, at - from);
		to += at - from;
		from = at;
		for (uint32_t up = reads; up; up--)
			*to++ = pages_descriptor(&s->pages, virt,
						 walk_leaf(s) + up - 1) << 3 |
				STEP_WALK;
	}
	copy_keys(to, b->key + from, n - from);
	steps->count += n + walks->count * reads;
	steps->of[STEP_WALK] += walks->count * reads;
}

/* What the first level has missed, in the second; the walks are left. */
ENGINE void look_up_second(struct sim *s, const struct batch *b,
			   struct places *missed)
{
	s->core[SIGNAL_l2tlb_data] += missed->count;
	second_tlb(&s->l2tlb, b->page, missed);
	s->core[SIGNAL_l2tlb_data_miss] += missed->count;
}

/* stored: some of the batch are stores. */
ENGINE void count_walks(struct sim *s, const struct batch *b,
			const struct places *walks, uint32_t reads,
			bool stored)
{
	const uint64_t stores = stored ? stores_of(b, walks) : 0;

	s->core[SIGNAL_walks_store] += stores;
	s->core[SIGNAL_walks_load] += walks->count - stores;
	s->core[SIGNAL_walk_reads] += (uint64_t)walks->count * reads;
}

/* How many of a batch's accesses the list of steps has room for. */
ENGINE_INLINE size_t batch_most(const struct sim *s)
{
	const size_t most = STEPS / (1 + walk_reads(s));

	return most < BATCH ? most : BATCH;
}

/* n accesses, at most batch_most(). */
ENGINE void batch_translate(struct sim *s, const struct batch *b, size_t n,
			    uint64_t stores)
{
	const uint32_t reads = walk_reads(s);
	struct places missed;
	uint64_t missing;	/* stores */

	first_tlb(&s->dtlb, b->page, n, &missed);
	s->last_virt = b->page[n - 1];
	if (missed.count) {
		missing = stores ? stores_of(b, &missed) : 0;
		s->core[SIGNAL_dtlb_store_miss] += missing;
		s->core[SIGNAL_dtlb_load_miss] += missed.count - missing;
		if (s->has_l2tlb)
			look_up_second(s, b, &missed);
		count_walks(s, b, &missed, reads, missing > 0);
	}
	steps_of_batch(s, b, (uint32_t)n, &missed, reads);
	s->steps.of[STEP_STORE] += (uint32_t)stores;
	s->steps.of[STEP_LOAD] += (uint32_t)(n - stores);
	if (s->steps.count == STEPS)	/* no room for one more */
		steps_drain(s);
}

#endif
