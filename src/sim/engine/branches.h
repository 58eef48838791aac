/* SPDX-License-Identifier: MIT */
/*
 * Conditional branches, many at a time. What they do is known beforehand, and
 * so is the history that each of them sees: first all places and tags are found
 * in vectors, and only then one after the other is predicted and trained. See
 * predict.h for what that means.
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
	const uint64_t *outcome;	/* see sim_outcomes */
	uint32_t count;		/* at least 1 */
	uint64_t taken;		/* bit k: of number k */
	uint64_t newest;	/* the other way round: bit 63 - k */
	_Alignas(64) union slots place[LISTED];
	uint64_t tag[LISTED];	/* 16 bits each, as in slots */
};

/* ---- the list ------------------------------------------------------------ */

typedef uint64_t eight __attribute__((vector_size(64), aligned(8), may_alias));
typedef int64_t eight_signed
	__attribute__((vector_size(64), aligned(8), may_alias));

#ifndef TAKEN_8
/* Bit k: is number k taken? */
ENGINE_INLINE uint64_t taken_8(const uint64_t *outcome)
{
	uint64_t taken = 0;

	for (uint32_t k = 0; k < 8; k++)
		taken |= (outcome[k] & SIM_TAKEN) << k;
	return taken;
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

/* room: for the last ones, of which there may be no eight. */
ENGINE_INLINE void list(struct listed *l, const uint64_t *outcome,
			uint32_t count, uint64_t *room)
{
	uint64_t taken = 0;

	l->outcome = outcome;
	l->count = count;
	if (count < LISTED) {
		for (uint32_t k = 0; k < count; k++)
			room[k] = outcome[k];
		for (uint32_t k = count; k % 8; k++)
			room[k] = 0;
		l->outcome = room;
	}
	for (uint32_t k = 0; k < count; k += 8)
		taken |= taken_8(l->outcome + k) << k;
	l->taken = taken;
	l->newest = reversed(taken);
}

/* The history behind them. */
ENGINE_INLINE void listed_shift(const struct listed *l, struct predictor *p)
{
	const uint64_t *const old = p->history;
	const uint32_t count = l->count;

	for (uint32_t word = p->words; word-- > 0;)
		p->history[word] = ((word ? old[word - 1] : l->newest) >>
				    (64 - count) | old[word] << 1 <<
				    (count - 1)) & p->mask[word];
}

/* ---- places and tags ----------------------------------------------------- */

/* Bits that come behind others in a word: of the next so many branches. */
#define FOLLOWED(word, by, ahead) \
	((word) << (ahead) | (by) >> 1 >> (63 - (ahead)))

/* words_hash */
#define FOLDED(sum, word) ({ \
	const eight folded = ((sum) ^ (word)) * PREDICT_PLACE; \
	folded ^ folded >> 29; })

#define EVEN_SLOTS UINT64_C(0x0000ffff0000ffff)

/* Eight of them from k on, for all tables. */
ENGINE_INLINE void hash_8(struct listed *l, const struct predictor *p,
			  const uint32_t words, uint32_t k)
{
	const eight zero = { 0 };
	const eight ahead = (eight){ 0, 1, 2, 3, 4, 5, 6, 7 } + k;
	const eight pc = (eight)(*(const eight_signed *)(l->outcome + k) >> 1);
	const eight newest = FOLLOWED(zero + p->history[0], zero + l->newest,
				      ahead);
	const eight mixed = pc * PREDICT_PLACE;
	const eight base = pc >> 2 & p->base_mask;
	const eight taken = *(const eight *)(l->outcome + k) & SIM_TAKEN;
	eight hash[PREDICT_TABLES] = { zero, zero, zero, zero };
	eight place, tag, older = zero, half = zero;
	eight other, even, odd;
	const uint32_t tables = words ? PREDICT_TABLES : 0;
	uint64_t first = 0;

	for (uint32_t word = words; word-- > 1;) {
		const eight some = FOLLOWED(zero + p->history[word],
					    zero + p->history[word - 1],
					    ahead);

		older = FOLDED(older, some & p->mask[word]);
		if (word == 1 && words > 2)
			half = FOLDED(zero, some & p->beyond);
	}
#pragma GCC unroll 4
	for (uint32_t t = 0; t < tables; t++) {
		const eight fold = (newest & p->length[t]) ^
				   (t == 3 ? older : t == 2 ? half : zero);

		hash[t] = (mixed ^ fold) * PREDICT_MIX >> p->shift;
		first = first << 16 | p->first[1 + t];
	}
	/* 16 bits of tag each, and at most as many of place */
	even = hash[3] | hash[1] << 32;
	odd = hash[2] | hash[0] << 32;
	place = (even >> 16 & EVEN_SLOTS) | (odd & ~EVEN_SLOTS);
	tag = (even & EVEN_SLOTS) | (odd << 16 & ~EVEN_SLOTS);
	place += first;
	other = base * SLOT_BASE | taken * ((uint64_t)TRAIN_TAKEN << 32);
	*(eight *)l->place[k].word = __builtin_shufflevector(
		place, other, 0, 8, 1, 9, 2, 10, 3, 11);
	*(eight *)l->place[k + 4].word = __builtin_shufflevector(
		place, other, 4, 12, 5, 13, 6, 14, 7, 15);
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
	const union slots *const end = l->place + l->count;
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
	const uint32_t longer = (1u << from) - 1;
	uint32_t room = 0, s;

	/* not the first that has room is asked for: that is no surprise */
	for (s = 0; s < PREDICT_TABLES; s++)
		room |= !(p->entry[place->of[SLOT(s)]] & ENTRY_USEFUL) << s;
	room &= longer;
	if (room) {
		const uint32_t last = 31 ^ (uint32_t)__builtin_clz(room);
		const uint32_t at = place->of[SLOT(last)];

		p->tag[at] = (uint16_t)(tag >> 16 * last);
		p->entry[at] = place->of[SLOT_TAKEN] ? 4 : 3;
		return;
	}
	for (s = 0; s < PREDICT_TABLES; s++)
		p->entry[place->of[SLOT(s)]] -= (longer >> s & 1) * ENTRY_USE;
}

/* All of the list, whose first one is number `first`. Adds those that walks
 * follow; returns how many. *wrong: a bit for each mistake. */
ENGINE_INLINE size_t train_all(struct sim *s, const struct listed *l,
			       uint32_t first, uint32_t *after,
			       uint64_t *wrong)
{
	const bool walks = s->geometry.predictor.wrong_path_walks;
	const struct predictor *p = s->predictor;
	uint32_t found, k = 0;
	size_t ends = 0;

	*wrong = 0;
	for (;; k++) {
		k = p->words ?
		    train_tagged(l, p->tag, p->entry, k, &found) :
		    train_base(l, p->tag, p->entry, k, &found);
		if (k == l->count)
			break;
		*wrong |= UINT64_C(1) << k;
		if (p->words)
			give_room(p, &l->place[k], l->tag[k],
				  (uint32_t)__builtin_ctz(found) / 2);
		if (walks && !(l->taken >> k & 1) &&
		    flow_looped(s, l->outcome, k))
			after[ends++] = first + k;
	}
	flow_mispredicted(s, (uint64_t)__builtin_popcountll(*wrong));
	return ends;
}

/* ---- all of it ----------------------------------------------------------- */

ENGINE_INLINE size_t outcomes_of(struct sim *s, const uint64_t *outcome,
				 size_t n, uint32_t *after, uint64_t *wrong,
				 const uint32_t words)
{
	uint64_t room[LISTED], taken = 0, mistakes;
	struct listed l;
	size_t ends = 0;

	for (size_t i = 0; i < n; i += LISTED) {
		list(&l, outcome + i, n - i < LISTED ? (uint32_t)(n - i) :
						       LISTED, room);
		for (uint32_t k = 0; k < l.count; k += 8)
			hash_8(&l, s->predictor, words, k);
		ends += train_all(s, &l, (uint32_t)i, after + ends, &mistakes);
		if (wrong)
			wrong[i / LISTED] = mistakes;
		listed_shift(&l, s->predictor);
		flow_ended(s, l.outcome, l.count);
		taken += (uint64_t)__builtin_popcountll(l.taken);
	}
	s->core[SIGNAL_branches] += n;
	s->core[SIGNAL_branches_taken] += taken;
	return ends;
}

/* As sim_outcomes. */
ENGINE size_t outcomes(struct sim *s, const uint64_t *outcome, size_t n,
		       uint32_t *after, uint64_t *wrong)
{
	switch (s->predictor->words) {
	case 0:
		return outcomes_of(s, outcome, n, after, wrong, 0);
	case 1:
		return outcomes_of(s, outcome, n, after, wrong, 1);
	case 2:
		return outcomes_of(s, outcome, n, after, wrong, 2);
	default:
		return outcomes_of(s, outcome, n, after, wrong, PREDICT_WORDS);
	}
}

#endif
