/* SPDX-License-Identifier: MIT */
/*
 * Branches, many at a time. What they do is known beforehand, and so is the
 * history that each of them sees: a list of conditional ones is made, then all
 * places and tags in vectors, and only then one after the other is predicted
 * and trained. See predict.h for what that means.
 */
#ifndef SIM_ENGINE_BRANCHES_H
#define SIM_ENGINE_BRANCHES_H

#include "sim/state.h"

#define LISTED 64

/*
 * Where one looks, as 16 bits each: four tables, the longest history first; the
 * base twice, as nothing is shorter; 0 or TRAIN_TAKEN.
 */
union slots {
	uint64_t word[2];
	uint16_t of[8];
};
#define SLOT_BASE 0x10001u
#define SLOT_TAKEN SLOT(6)
#define SLOTS_BASE 0x500u	/* as ways_tags: bit 2 * slot */

struct listed {
	struct listing of;
	uint32_t given;
	uint64_t newest;	/* outcomes the other way round: bit 63 - k */
	uint64_t pc[LISTED + 8];
	_Alignas(64) union slots place[LISTED];
	uint64_t tag[LISTED];	/* 16 bits each, as in slots */
};

/* ---- the list ------------------------------------------------------------ */

#ifndef LISTS_8
/* None of the next eight: one after the other is as good. */
ENGINE_INLINE uint32_t list_8(struct listing *to, uint64_t *pc,
			      const struct sim_branch *of, uint32_t from)
{
	(void)to, (void)pc, (void)of, (void)from;
	return 0;
}
#endif

static inline uint64_t reversed(uint64_t x)
{
	x = (x >> 1 & UINT64_C(0x5555555555555555)) |
	    (x & UINT64_C(0x5555555555555555)) << 1;
	x = (x >> 2 & UINT64_C(0x3333333333333333)) |
	    (x & UINT64_C(0x3333333333333333)) << 2;
	x = (x >> 4 & UINT64_C(0x0f0f0f0f0f0f0f0f)) |
	    (x & UINT64_C(0x0f0f0f0f0f0f0f0f)) << 4;
	return __builtin_bswap64(x);
}

/* Those at the front, up to one that is several. */
ENGINE_INLINE void list(struct listed *l, const struct sim_branch *of, size_t n)
{
	const uint32_t most = n < LISTED ? (uint32_t)n : LISTED;
	struct listing to = { .count = 0 };
	uint32_t i = 0, some = 8;

	for (; some == 8 && i + 8 <= most; i += some)
		some = list_8(&to, l->pc, of + i, i);
	for (; i < most; i++) {
		const uint64_t record = of[i].record;
		const uint64_t differs = (record & ~BRANCH_TAKEN) ^ BRANCH_ONCE;
		const uint64_t is = !differs;

		if (differs - 1 < BRANCH_SEVERAL)
			break;
		l->pc[to.count] = of[i].pc;
		to.taken |= (record >> 56 & is) << (to.count & 63);
		to.conditional |= is << i;
		to.count += (uint32_t)is;
	}
	l->of = to;
	l->given = i;
	l->newest = reversed(to.taken);
}

/* Where number k is in those given. */
ENGINE_INLINE uint32_t listed_at(const struct listed *l, uint32_t k)
{
	uint64_t left = l->of.conditional;

	while (k--)
		left &= left - 1;
	return (uint32_t)__builtin_ctzll(left);
}

/* The history behind so many of them, at least one. */
ENGINE_INLINE void listed_shift(const struct listed *l, struct predictor *p,
				uint32_t count)
{
	const uint64_t *const old = p->history;
	const unsigned out = 64 - count;

	for (uint32_t word = p->words; word-- > 0;)
		p->history[word] = ((word ? old[word - 1] : l->newest) >> out |
				    old[word] << 1 << (count - 1)) &
				   p->mask[word];
}

/* ---- places and tags ----------------------------------------------------- */

typedef uint64_t eight __attribute__((vector_size(64), aligned(8), may_alias));

/* Bits that come behind others in a word: of the next so many branches. */
#define FOLLOWED(word, by, ahead) \
	((word) << (ahead) | (by) >> 1 >> (63 - (ahead)))

/* words_hash */
#define FOLDED(sum, word) ({ \
	const eight folded = ((sum) ^ (word)) * PREDICT_PLACE; \
	folded ^ folded >> 29; })

/* Eight of them from k on, for all tables. */
ENGINE_INLINE void hash_8(struct listed *l, const struct predictor *p,
			  const uint32_t words, uint32_t k)
{
	const eight zero = { 0 };
	const eight ahead = (eight){ 0, 1, 2, 3, 4, 5, 6, 7 } + k;
	const eight pc = *(const eight *)(l->pc + k);
	const eight newest = FOLLOWED(zero + p->history[0], zero + l->newest,
				      ahead);
	const eight mixed = pc * PREDICT_PLACE;
	const eight base = pc >> 2 & p->base_mask;
	const eight taken = (zero + l->of.taken) >> ahead & 1;
	eight place = zero, tag = zero, older = zero, half = zero;
	eight other;
	uint64_t first = 0;

	for (uint32_t word = words; word-- > 1;) {
		const eight some = FOLLOWED(zero + p->history[word],
					    zero + p->history[word - 1],
					    ahead);

		older = FOLDED(older, some & p->mask[word]);
		if (word == 1 && words > 2)
			half = FOLDED(zero, some & p->beyond);
	}
	for (uint32_t t = 0; words && t < PREDICT_TABLES; t++) {
		const eight fold = (newest & p->length[t]) ^
				   (t == 3 ? older : t == 2 ? half : zero);
		const eight hash = (mixed ^ fold) * PREDICT_MIX >> p->shift;

		first = first << 16 | p->first[1 + t];
		place = place << 16 | hash >> 16;
		tag = tag << 16 | (hash & 0xffff);
	}
	place += first;
	other = base * SLOT_BASE | taken * ((uint64_t)TRAIN_TAKEN << 32);
	*(eight *)l->place[k].word = __builtin_shuffle(place, other,
		(eight){ 0, 8, 1, 9, 2, 10, 3, 11 });
	*(eight *)l->place[k + 4].word = __builtin_shuffle(place, other,
		(eight){ 4, 12, 5, 13, 6, 14, 7, 15 });
	*(eight *)(l->tag + k) = tag;
}

/* ---- one after the other ------------------------------------------------- */

/* That of the lowest bit. */
ENGINE_INLINE uint32_t slot_of(const union slots *place, uint32_t bits)
{
	const uint32_t byte = (uint32_t)__builtin_ctz(bits) ^ SLOT(0) * 2;
	uint16_t slot;

	__builtin_memcpy(&slot, (const char *)place + byte, sizeof(slot));
	return slot;
}

/* From k on, up to the first one that is wrong. *found: by which slots. */
ENGINE_INLINE uint32_t train_with(const struct listed *l, const uint16_t *tags,
				  uint8_t *entry, uint32_t k, uint32_t *found,
				  const bool tagged)
{
	const union slots *place = l->place + k;
	const union slots *const end = l->place + l->of.count;
	uint32_t bits = SLOTS_BASE;

	for (const uint64_t *tag = l->tag + k; place < end; place++, tag++) {
		uint32_t at, old, other, what;

		if (tagged)
			bits = ways_tags(tags, place->of, *tag);
		at = slot_of(place, bits);
		other = entry[slot_of(place, bits & (bits - 1))];
		old = entry[at];
		what = old ^ place->of[SLOT_TAKEN];
		entry[at] = predictor_trained[what | ((old ^ other) &
						      ENTRY_TAKEN) *
					      (TRAIN_DECIDED / ENTRY_TAKEN)];
		if (__builtin_expect(what & TRAIN_WRONG, false))
			break;
	}
	*found = bits;
	return (uint32_t)(place - l->place);
}

ENGINE uint32_t train_tagged(const struct listed *l, const uint16_t *tags,
			     uint8_t *entry, uint32_t k, uint32_t *found)
{
	return train_with(l, tags, entry, k, found, true);
}

ENGINE uint32_t train_base(const struct listed *l, const uint16_t *tags,
			   uint8_t *entry, uint32_t k, uint32_t *found)
{
	return train_with(l, tags, entry, k, found, false);
}

/* After a mistake of slot `from`: predictor_allocate. */
ENGINE void give_room(const struct predictor *p, const union slots *place,
		      uint64_t tag, uint32_t from)
{
	for (uint32_t s = from; s--;) {
		const uint32_t at = place->of[SLOT(s)];

		if (p->entry[at] & ENTRY_USEFUL)
			continue;
		p->tag[at] = (uint16_t)(tag >> 16 * s);
		p->entry[at] = place->of[SLOT_TAKEN] ? 4 : 3;
		return;
	}
	for (uint32_t s = from; s--;)
		p->entry[place->of[SLOT(s)]] -= ENTRY_USE;
}

/* Those of the list, up to one that walks follow; how many. */
ENGINE_INLINE uint32_t train_all(struct sim *s, const struct listed *l,
				 const struct sim_branch *of, uint32_t *walks)
{
	const uint32_t after_loop = s->geometry.predictor.wrong_path_walks;
	const struct predictor *p = s->predictor;
	uint32_t found, k = 0;
	uint64_t wrong = 0;

	while (!*walks) {
		k = p->words ?
		    train_tagged(l, p->tag, p->entry, k, &found) :
		    train_base(l, p->tag, p->entry, k, &found);
		if (k == l->of.count)
			break;
		wrong++;
		if (p->words)
			give_room(p, &l->place[k], l->tag[k],
				  (uint32_t)__builtin_ctz(found) / 2);
		if (after_loop && !(l->of.taken >> k & 1) &&
		    flow_looped(s, of, listed_at(l, k)))
			*walks = after_loop;
		k++;
	}
	flow_mispredicted(s, wrong);
	return k;
}

/* ---- all of it ----------------------------------------------------------- */

/* The first so many of those given; the conditional ones have been trained. */
ENGINE_INLINE void branches_end(struct sim *s, const struct listed *l,
				const struct sim_branch *of, uint32_t given,
				uint32_t count)
{
	const uint64_t all = ~UINT64_C(0) >> (64 - given);
	const uint64_t conditional = l->of.conditional & all;

	flow_transfers(s, of, all & ~conditional);
	if (!count)
		return;
	s->core[SIGNAL_branches] += count;
	s->core[SIGNAL_branches_taken] += (uint64_t)__builtin_popcountll(
		l->of.taken & ~UINT64_C(0) >> (64 - count));
	listed_shift(l, s->predictor, count);
	flow_ended(s, of, 63 ^ (uint32_t)__builtin_clzll(conditional));
}

ENGINE_INLINE size_t branches_of(struct sim *s, const struct sim_branch *of,
				 size_t n, uint32_t *walks,
				 const uint32_t words)
{
	struct listed l;
	uint32_t count, given;

	list(&l, of, n);
	if (!l.given)
		return 0;
	for (uint32_t k = 0; k < l.of.count; k += 8)
		hash_8(&l, s->predictor, words, k);
	count = train_all(s, &l, of, walks);
	given = *walks ? listed_at(&l, count - 1) + 1 : l.given;
	branches_end(s, &l, of, given, count);
	return given;
}

/* Some of those at the front, as sim_branches; 0: the first is several. */
ENGINE size_t branches(struct sim *s, const struct sim_branch *of, size_t n,
		       uint32_t *walks)
{
	switch (s->predictor->words) {
	case 0:
		return branches_of(s, of, n, walks, 0);
	case 1:
		return branches_of(s, of, n, walks, 1);
	case 2:
		return branches_of(s, of, n, walks, 2);
	default:
		return branches_of(s, of, n, walks, PREDICT_WORDS);
	}
}

#endif
