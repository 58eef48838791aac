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
 *   uint32_t ways_renew_8(uint32_t stride, uint32_t last, uint32_t within,
 *			     uint32_t *entry, const uint32_t *key,
 *			     const uint32_t *at, uint32_t *to_key,
 *			     uint32_t *to_at)
 *	makes each of 8 keys the newest of its set, in place of lane `last` if
 *	it was not there; copies those that were not, and what is beside them
 *	in `at`. May write 8, and over what it reads; returns how many. No
 *	entry has flags
 *   void ways_pages_16(uint32_t *to, const uint32_t *from, unsigned shift)
 *	each without its last `shift` bits, as a key
 *   uint32_t ways_changes_8(uint32_t within, const uint32_t *key,
 *			       uint32_t first, uint32_t *to_key,
 *			       uint32_t *to_at)
 *	those of 8 keys that differ from key[-1], and from key[-2] or key[-1]
 *	is of the same set: has the same bits of `within`; and their places:
 *	key[0] is at `first`. May write 8; returns how many
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

#include "sim/engine/tlbs.h"

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

/* Places in a batch, ascending, and the pages that are looked up there. */
struct places {
	uint32_t count;
	uint32_t at[BATCH + STEPS_AHEAD], page[BATCH + STEPS_AHEAD];
};

/* The same to go through a first level. */
struct listed_pages {
	uint32_t count;
	uint32_t at[BATCH + STEPS_AHEAD];
	uint32_t *page;		/* in room, behind no pages */
	uint32_t room[STEPS_AHEAD + BATCH + STEPS_AHEAD];
};

ENGINE_INLINE void listed_begin(struct listed_pages *p)
{
	p->count = 0;
	p->page = p->room + STEPS_AHEAD;
	p->page[-1] = p->page[-2] = UINT32_MAX;
}

ENGINE_INLINE void listed_add(struct listed_pages *p, uint32_t page,
			      uint32_t at)
{
	p->page[p->count] = page;
	p->at[p->count++] = at;
}

/*
 * Those from `from` to `end` whose lookups may change something: not those that
 * repeat the page before, or the one before that which is the newest of another
 * set still.
 */
ENGINE_INLINE void changes_of(const struct level *l, const uint32_t *page,
			      uint32_t from, uint32_t end, struct places *to)
{
	const uint32_t within = (l->sets - 1) << 3;
	uint32_t count = 0;

	for (; from + 8 <= end; from += 8)
		count += ways_changes_8(within, page + from, from,
					to->page + count, to->at + count);
	for (; from < end; from++) {
		to->page[count] = page[from];
		to->at[count++] = from;
	}
	to->count = count;
}

/*
 * Looks all in the list up, and adds those that are not found to another one,
 * which may be the same.
 */
ENGINE_INLINE void renew(const struct level *l, const uint32_t lanes,
			 const struct places *list, uint32_t count,
			 struct places *to)
{
	const uint32_t within = (l->sets - 1) << 3, last = l->ways - 1;
	const uint32_t n = list->count;
	uint32_t *const entry = l->entry;
	uint32_t i;

	for (i = 0; i + 8 <= n; i += 8)
		count += ways_renew_8(lanes, last, within, entry,
				      list->page + i, list->at + i,
				      to->page + count, to->at + count);
	for (; i < n; i++) {
		const uint32_t one = list->page[i], place = list->at[i];
		const uint32_t set = (one & within) >> 3;

		to->page[count] = one;
		to->at[count] = place;
		count += !ways_renew(lanes, last, entry + (size_t)set * lanes,
				     &one);
	}
	to->count = count;
}

/* What was not found, of all of a batch. */
ENGINE_INLINE void renew_all(const struct level *l, const uint32_t lanes,
			     const uint32_t *page, size_t n,
			     struct places *missed)
{
	struct places changes;
	uint32_t from = 0;

	while (from + 8 <= n && ways_newest_8(l, page + from))
		from += 8;
	changes_of(l, page, from, (uint32_t)n, &changes);
	renew(l, lanes, &changes, 0, missed);
}

/* Of what missed before; the rest misses here too. */
ENGINE_INLINE void renew_listed(const struct level *l, const uint32_t lanes,
				struct places *missed)
{
	renew(l, lanes, missed, 0, missed);
}

/* The pages at the places that are known. */
ENGINE_INLINE void pages_of(const uint32_t *page, struct places *places)
{
	for (uint32_t i = 0; i < places->count; i++)
		places->page[i] = page[places->at[i]];
}

/* Looks pages up in a TLB of a single set. Accesses that alternate between two
 * pages need no search. */
ENGINE_INLINE void renew_alone(const struct level *l, const uint32_t lanes,
			       const uint32_t *page, size_t n,
			       struct places *missed)
{
#ifdef WAYS_RENEW_RUN
	if (lanes <= WAYS_RENEW_RUN) {
		missed->count = ways_renew_run(lanes, l->ways - 1, l->entry,
					       page, n, missed->at);
		pages_of(page, missed);
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
		missed->page[count] = key;
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
	case 80:
		renew_alone(l, 80, page, n, missed);
		break;
	case 96:
		renew_alone(l, 96, page, n, missed);
		break;
	case 160:
		renew_alone(l, 160, page, n, missed);
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

/* Which of them a first level has missed. */
ENGINE void look_up_first(const struct level *l, const struct listed_pages *p,
			  struct places *missed)
{
	missed->count = 0;	/* nothing else is to be cleared */
	if (!p->count)
		return;
	if (l->policy == REPLACE_LRU && level_is_masked(l)) {
		first_tlb(l, p->page, p->count, missed);
	} else {
		for (uint32_t i = 0; i < p->count; i++) {
			if (tlb_hit(l, p->page[i]))
				continue;
			tlb_fill(l, p->page[i]);
			missed->page[missed->count] = p->page[i];
			missed->at[missed->count++] = i;
		}
	}
	for (uint32_t i = 0; i < missed->count; i++)
		missed->at[i] = p->at[missed->at[i]];
}

/* Looks pages up where loads and stores have a first-level TLB each. No place
 * is of both. */
ENGINE void look_up_apart(const struct sim *s, const struct listed_pages *of,
			  struct places *missed)
{
	struct places each[2];
	uint32_t next[2] = { 0, 0 };

	look_up_first(s->first[0], of, each);
	look_up_first(s->first[1], of + 1, each + 1);
	missed->count = each[0].count + each[1].count;
	for (uint32_t i = 0; i < missed->count; i++) {
		const bool store = next[0] == each[0].count ||
				   (next[1] < each[1].count &&
				    each[1].at[next[1]] < each[0].at[next[0]]);
		const uint32_t from = next[store]++;

		missed->at[i] = each[store].at[from];
		missed->page[i] = each[store].page[from];
	}
}

ENGINE void second_tlb(const struct level *l, struct places *missed)
{
	switch (l->stride) {
	case 4:
		renew_listed(l, 4, missed);
		break;
	case 8:
		renew_listed(l, 8, missed);
		break;
	case 16:
		renew_listed(l, 16, missed);
		break;
	default:
		renew_listed(l, l->stride, missed);
		break;
	}
}

/* The stores among them. */
ENGINE uint64_t stores_of(const struct batch *b, const struct places *places)
{
	uint64_t stores = 0;

#pragma GCC unroll 8
	for (uint32_t i = 0; i < places->count; i++)
		stores += b->key[places->at[i]] & 1;
	return stores;
}

/* Writes up to 16 keys more. */
ENGINE_INLINE void copy_keys(uint32_t *to, const uint32_t *from,
			     const uint32_t *end)
{
	do {
		ways_copy_16(to, from);
		to += 16;
		from += 16;
	} while (from < end);
}

/* What one level of the walks reads, `apart` from each other. */
ENGINE_INLINE void read_level(const struct sim *s, unsigned level,
			      const struct places *walks, uint32_t *to,
			      uint32_t apart)
{
	const struct page_tables tables = pages_tables(&s->pages, level);
	const unsigned shift = s->tlb_shift;

	for (uint32_t i = 0; i < walks->count; i++) {
		const uint32_t virt = walks->page[i] >> 3 << shift;

		to[i * apart] = pages_descriptor(&s->pages, &tables, virt)
				<< 3 | STEP_WALK;
	}
}

/* `reads` descriptors for each walk go before its access. */
ENGINE_INLINE void merge(uint32_t *to, const struct batch *b, uint32_t n,
			 const struct places *walks, const uint32_t *read,
			 const uint32_t reads)
{
	const uint32_t *from = b->key, *end;

	for (uint32_t i = 0; i < walks->count; i++) {
		end = b->key + walks->at[i];
		copy_keys(to, from, end);
		to += end - from;
		from = end;
		for (uint32_t k = 0; k < reads; k++)
			*to++ = *read++;
	}
	copy_keys(to, from, b->key + n);
}

/* All of a batch becomes steps, its walks before their accesses. */
ENGINE void steps_of_batch(struct sim *s, const struct batch *b, uint32_t n,
			   const struct places *walks, uint32_t reads)
{
	struct steps *steps = &s->steps;
	uint32_t *to, read[STEPS];

	if (steps->count + n + walks->count * reads > STEPS)
		steps_drain(s);
	to = steps->key + steps->count;
	for (uint32_t up = 0; up < reads; up++)
		read_level(s, walk_leaf(s) + up, walks, read + reads - 1 - up,
			   reads);
	if (reads == 1)
		merge(to, b, n, walks, read, 1);
	else
		merge(to, b, n, walks, read, reads);
	steps->count += n + walks->count * reads;
	steps->of[STEP_WALK] += walks->count * reads;
}

/* What the first level has missed, in the second; the walks are left. */
ENGINE void look_up_second(struct sim *s, struct places *missed)
{
	s->core[SIGNAL_l2tlb_data] += missed->count;
	second_tlb(s->second[0], missed);
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

/* What missed the first level, of n keys; they become steps. */
ENGINE_INLINE void batch_refill(struct sim *s, const struct batch *b, size_t n,
				struct places *missed, uint64_t stores)
{
	const uint32_t reads = walk_reads(s);
	uint64_t missing;	/* stores */

	if (missed->count) {
		missing = stores ? stores_of(b, missed) : 0;
		s->core[SIGNAL_dtlb_store_miss] += missing;
		s->core[SIGNAL_dtlb_load_miss] += missed->count - missing;
		if (s->second[0])
			look_up_second(s, missed);
		count_walks(s, b, missed, reads, missing > 0);
	}
	steps_of_batch(s, b, (uint32_t)n, missed, reads);
}

/* In the first level, or levels. */
ENGINE_INLINE void batch_look_up(const struct sim *s, const struct batch *b,
				 size_t n, uint64_t stores,
				 struct places *missed)
{
	struct listed_pages of[2];

	if (!s->split_dtlb || !stores || stores == n) {
		first_tlb(s->first[stores > 0], b->page, n, missed);
		return;
	}
	listed_begin(of);
	listed_begin(of + 1);
	for (uint32_t i = 0; i < n; i++)
		listed_add(&of[b->key[i] & 1], b->page[i], i);
	look_up_apart(s, of, missed);
}

/* n accesses, at most batch_most(). */
ENGINE void batch_translate(struct sim *s, const struct batch *b, size_t n,
			    uint64_t stores)
{
	struct places missed;

	batch_look_up(s, b, n, stores, &missed);
	s->last_virt = b->page[n - 1] | (b->key[n - 1] & s->split_dtlb);
	batch_refill(s, b, n, &missed, stores);
	s->steps.of[STEP_STORE] += (uint32_t)stores;
	s->steps.of[STEP_LOAD] += (uint32_t)(n - stores);
	if (s->steps.count == STEPS)	/* no room for one more */
		steps_drain(s);
}

#endif
