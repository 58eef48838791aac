/* SPDX-License-Identifier: MIT */
/*
 * A batch of loads and stores through LRU TLBs with a power of two of sets:
 * TLBs do not depend on caches, so the data TLB takes the whole batch, the
 * second level takes the list of those that missed, and its misses are the
 * walks, which are put before their accesses in the list of steps. None of it
 * branches on what was found: an index is always written, and kept by moving
 * on.
 *
 * Over five more primitives of the including file:
 *
 *   bool ways_newest_8(const struct level *l, const uint32_t *key)
 *	is each of 8 keys the newest of its set?
 *   bool ways_renew(uint32_t stride, uint32_t last, uint32_t *set,
 *		     const uint32_t *key)
 *	makes *key the newest, in place of lane `last` if it was not there;
 *	was it? Nothing in the set has flags.
 *   void ways_pages_16(uint32_t *to, const uint32_t *from, unsigned shift)
 *	each without its last `shift` bits, as a key
 *   uint32_t ways_changes_8(uint32_t within, const uint32_t *key,
 *			       uint32_t first, uint32_t *at)
 *	the places of those of 8 keys that differ from key[-1], and from
 *	key[-2] or key[-1] is of the same set: has the same bits of `within`;
 *	key[0] is at `first`; may write 8; returns how many
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
	uint32_t key[BATCH + STEPS_AHEAD];
	uint32_t room[STEPS_AHEAD + BATCH + STEPS_AHEAD];
	uint32_t *page;		/* its TLB entry; in room, behind no pages */
} __attribute__((aligned(64)));

ENGINE_INLINE void batch_begin(struct batch *b)
{
	b->page = b->room + STEPS_AHEAD;
	b->page[-1] = b->page[-2] = UINT32_MAX;
}

/* Places in a batch, ascending. */
struct places {
	uint32_t count, at[BATCH];
};

/* Accesses that are not asked again whether all of them change nothing. */
#define UNLIKE 64

/*
 * The places from `from` to `end` whose lookups may change something: not
 * those that repeat the page before, or the one before that which is the
 * newest of another set still.
 */
ENGINE_INLINE uint32_t places_of_change(const struct level *l,
					const uint32_t *page, uint32_t from,
					uint32_t end, uint32_t *at)
{
	const uint32_t within = (l->sets - 1) << 3;
	uint32_t count = 0;

	for (; from + 8 <= end; from += 8)
		count += ways_changes_8(within, page + from, from, at + count);
	while (from < end)
		at[count++] = from++;
	return count;
}

ENGINE_INLINE uint32_t *set_at(uint32_t *entry, const uint32_t lanes,
			       uint32_t within, uint32_t key)
{
	return (uint32_t *)((char *)entry +
			    (size_t)(key & within) * (lanes / 2));
}

/* What was not found, of all of a batch. */
ENGINE_INLINE void renew_all(const struct level *l, const uint32_t lanes,
			     const uint32_t *page, size_t n,
			     struct places *missed)
{
	const uint32_t within = (l->sets - 1) << 3, last = l->ways - 1;
	uint32_t *const entry = l->entry;
	uint32_t i = 0, end, changes, at[UNLIKE + 8];
	size_t count = 0;

	while (i < n) {
		if (i + 8 <= n && ways_newest_8(l, page + i)) {
			i += 8;
			continue;
		}
		end = n - i < UNLIKE ? (uint32_t)n : i + UNLIKE;
		changes = places_of_change(l, page, i, end, at);
		for (size_t k = 0; k < changes; k++) {
			const uint32_t *key = page + at[k];

			missed->at[count] = at[k];
			count += !ways_renew(lanes, last,
					     set_at(entry, lanes, within, *key),
					     key);
		}
		i = end;
	}
	missed->count = (uint32_t)count;
}

/* Of what missed before; the rest misses here too. */
ENGINE_INLINE void renew_listed(const struct level *l, const uint32_t lanes,
				const uint32_t *page, struct places *missed)
{
	const uint32_t within = (l->sets - 1) << 3, last = l->ways - 1;
	uint32_t *const entry = l->entry;
	const size_t n = missed->count;
	size_t count = 0;

	for (size_t i = 0; i < n; i++) {
		const uint32_t *key = page + missed->at[i];

		missed->at[count] = missed->at[i];
		count += !ways_renew(lanes, last,
				     set_at(entry, lanes, within, *key), key);
	}
	missed->count = (uint32_t)count;
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
		count += !ways_renew(lanes, l->ways - 1, set, page + i);
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

/* Writes up to 16 keys more; returns where the copy ends. */
ENGINE_INLINE uint32_t *copy_keys(uint32_t *to, const uint32_t *from,
				  const uint32_t *end)
{
	uint32_t *const stop = to + (end - from);

	do {
		ways_copy_16(to, from);
		to += 16;
		from += 16;
	} while (from < end);
	return stop;
}

/* All of a batch becomes steps, its walks before their accesses. */
ENGINE void steps_of_batch(struct sim *s, const struct batch *b, uint32_t n,
			   const struct places *walks, uint32_t reads)
{
	const uint32_t *from = b->key, *end;
	const unsigned leaf = walk_leaf(s), shift = s->tlb_shift;
	struct steps *steps = &s->steps;
	struct page_tables tables[5];	/* from the leaves up */
	uint32_t *to;

	if (steps->count + n + walks->count * reads > STEPS)
		steps_drain(s);
	to = steps->key + steps->count;
	for (uint32_t up = 0; up < reads; up++)
		tables[up] = pages_tables(&s->pages, leaf + up);
	for (uint32_t i = 0; i < walks->count; i++) {
		const uint32_t virt = b->page[walks->at[i]] >> 3 << shift;

		end = b->key + walks->at[i];
		to = copy_keys(to, from, end);
		from = end;
		for (uint32_t up = reads; up--;)
			*to++ = pages_descriptor(&s->pages, tables + up, virt)
				<< 3 | STEP_WALK;
	}
	copy_keys(to, from, b->key + n);
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
