/* SPDX-License-Identifier: MIT */
/* Renames the ways of sets; see turn.h. */
#include "sim/fast-forward/turn.h"

#include "sim/model/policy.h"

#define MOST_WAYS 64
#define MOST_WORDS 2
#define COURSE 256

/* One state of a set, and its ways by name. */
struct view {
	const struct level *level;
	const uint32_t *lane;
	const uint64_t *word;
	uint32_t course;	/* fills until the words are the same again */
	uint8_t way[COURSE];	/* that each of them goes to */
	uint8_t named[MOST_WAYS];	/* the way of each name */
};

/* images */

void image_build(struct image *i, const struct level *l, struct carve *c)
{
	i->entry = carve_take(c, (size_t)l->sets * l->stride * 4);
	i->word = carve_take(c, (size_t)l->sets * l->words * 8);
}

void image_take(const struct image *i, const struct level *l)
{
	const size_t entries = (size_t)l->sets * l->stride;
	const size_t words = (size_t)l->sets * l->words;

	for (size_t n = 0; n < entries; n += 4) {
		for (size_t e = n; e < n + 4; e++)
			i->entry[e] = l->entry[e];
		WORDS_OWN_LOOP();
	}
	for (size_t n = 0; n < words; n++) {
		i->word[n] = l->word[n];
		WORDS_OWN_LOOP();
	}
}

static struct view view_of(const struct level *l, const uint32_t *entry,
			   const uint64_t *word, uint32_t set)
{
	return (struct view){
		.level = l, .lane = entry + (size_t)set * l->stride,
		.word = word + (size_t)set * l->words,
	};
}

/* trees */

/* The way of a tree that `rank` leads to, if 0 always leads to the victim. */
static uint32_t tree_leaf(const struct level *l, uint64_t nodes, uint32_t rank)
{
	uint32_t node = 1;

	for (uint32_t bits = l->leaf_bits; bits; bits--)
		node = 2 * node + (uint32_t)((nodes >> (node - 1) ^
					      rank >> (bits - 1)) & 1);
	return node - (1u << l->leaf_bits);
}

static uint32_t trees_of(const struct level *l)
{
	return l->ways >> l->leaf_bits;
}

/* Names are ranks: the oldest tree's first, and victims first. */
static void name_by_tree(struct view *v)
{
	const struct level *l = v->level;
	const uint32_t trees = trees_of(l), leaves = 1u << l->leaf_bits;

	for (uint32_t i = 0; i < trees; i++) {
		const uint32_t tree = l->words == 1 ? 0 :
			v->word[1] >> 4 * (trees - 1 - i) & 15;
		const uint64_t nodes = v->word[0] >> tree * (leaves - 1);

		for (uint32_t rank = 0; rank < leaves; rank++)
			v->named[i * leaves + rank] = (uint8_t)
				(tree * leaves + tree_leaf(l, nodes, rank));
	}
}

/* The nodes of a tree whose leaves are named so. */
static uint64_t tree_nodes(const struct level *l, const uint8_t *named)
{
	const uint32_t leaves = 1u << l->leaf_bits;
	uint64_t nodes = 0;

	for (uint32_t rank = 0; rank < leaves; rank++) {
		const uint32_t leaf = named[rank] & (leaves - 1);
		uint32_t node = 1;

		for (uint32_t bits = l->leaf_bits; bits; bits--) {
			const uint32_t up = leaf >> (bits - 1) & 1;

			nodes |= (uint64_t)(up ^ (rank >> (bits - 1) & 1))
				 << (node - 1);
			node = 2 * node + up;
		}
	}
	return nodes;
}

/* The words of a set whose ways are named so. */
static void words_by_tree(const struct level *l, const uint8_t *named,
			  uint64_t *word)
{
	const uint32_t trees = trees_of(l), leaves = 1u << l->leaf_bits;

	word[0] = 0;
	for (uint32_t i = 0; i < trees; i++) {
		const uint32_t tree = named[i * leaves] >> l->leaf_bits;
		const unsigned rank = 4 * (trees - 1 - i);

		word[0] |= tree_nodes(l, named + i * leaves)
			   << tree * (leaves - 1);
		if (l->words > 1)
			word[1] = (word[1] & ~(UINT64_C(15) << rank)) |
				  (uint64_t)tree << rank;
	}
}

/* courses */

static bool same_words(const struct level *l, const uint64_t *a,
		       const uint64_t *b)
{
	for (uint32_t w = 0; w < l->words; w++)
		if (a[w] != b[w])
			return false;
	return true;
}

/* A level of one set, whose words are elsewhere. */
static struct level lone_set(const struct level *l, uint64_t *word,
			     const uint64_t *from)
{
	struct level lone = *l;

	for (uint32_t w = 0; w < l->words; w++)
		word[w] = from[w];
	lone.word = word;
	return lone;
}

static uint32_t fill_next(const struct level *lone)
{
	const uint32_t way = policy_victim(lone, 0);

	policy_fill(lone, 0, way);
	return way;
}

/* Names are the order of fills. False: the words do not go round. */
static bool name_by_course(struct view *v)
{
	uint64_t word[MOST_WORDS], seen = 0;
	const struct level lone = lone_set(v->level, word, v->word);
	uint32_t names = 0;

	for (uint32_t i = 0; i < COURSE; i++) {
		const uint32_t way = fill_next(&lone);

		v->way[i] = (uint8_t)way;
		if (!(seen >> way & 1))
			v->named[names++] = (uint8_t)way;
		seen |= UINT64_C(1) << way;
		if (same_words(&lone, word, v->word)) {
			v->course = i + 1;
			return names == lone.ways;
		}
	}
	return false;
}

/* After how many fills are the words those of the other? `course`: never. */
static uint32_t fills_between(const struct view *then, const struct view *now)
{
	uint64_t word[MOST_WORDS];
	const struct level lone = lone_set(then->level, word, then->word);
	uint32_t fills = 0;

	while (fills < then->course && !same_words(&lone, word, now->word)) {
		fill_next(&lone);
		fills++;
	}
	return fills;
}

static bool same_course(const struct view *a, const struct view *b)
{
	uint8_t to[MOST_WAYS];

	if (fills_between(a, b) == a->course)	/* else the course is one */
		return false;
	for (uint32_t n = 0; n < a->level->ways; n++)
		to[a->named[n]] = b->named[n];
	for (uint32_t i = 0; i < a->course; i++)
		if (to[a->way[i]] != b->way[i])
			return false;
	return true;
}

/* both */

static bool by_tree(const struct level *l, enum turn_by by)
{
	return l->policy == REPLACE_TREE_PLRU && by >= TURN_BY_USES;
}

static bool turns(const struct level *l, enum turn_by by)
{
	if (l->is->ordered || l->policy == REPLACE_RANDOM ||
	    l->is->level_words)
		return false;
	return by_tree(l, by) || by == TURN_BY_FILLS;
}

static bool same_set(const struct view *a, const struct view *b)
{
	for (uint32_t w = 0; w < a->level->ways; w++)
		if (a->lane[w] != b->lane[w])
			return false;
	return same_words(a->level, a->word, b->word);
}

/* Names the ways of both; false: there is no renaming that is respected. */
static bool name_both(struct view *a, struct view *b, enum turn_by by)
{
	if (!by_tree(a->level, by))
		return name_by_course(a) && name_by_course(b) &&
		       same_course(a, b);
	name_by_tree(a);
	name_by_tree(b);
	return true;
}

static bool alike(struct view *then, struct view *now, enum turn_by by)
{
	const struct level *l = then->level;

	if (same_set(then, now))
		return true;
	if (!turns(l, by) || !name_both(then, now, by))
		return false;
	for (uint32_t n = 0; n < l->ways; n++) {
		const uint32_t entry = then->lane[then->named[n]];

		if (entry == LEVEL_EMPTY || entry != now->lane[now->named[n]])
			return false;
	}
	return true;
}

bool turn_alike(const struct level *l, const struct image *then,
		enum turn_by by)
{
	for (uint32_t set = 0; set < l->sets; set++) {
		struct view old = view_of(l, then->entry, then->word, set);
		struct view new = view_of(l, l->entry, l->word, set);

		if (!alike(&old, &new, by))
			return false;
	}
	return true;
}

/* to[w]: where way w is after the renaming was done so often. */
static void repeat(uint8_t *to, const uint8_t *once, uint32_t ways,
		   uint64_t times)
{
	uint8_t power[MOST_WAYS], twice[MOST_WAYS];

	for (uint32_t w = 0; w < ways; w++) {
		power[w] = once[w];
		to[w] = (uint8_t)w;
	}
	for (; times; times >>= 1) {
		for (uint32_t w = 0; w < ways; w++) {
			if (times & 1)
				to[w] = power[to[w]];
			twice[w] = power[power[w]];
		}
		for (uint32_t w = 0; w < ways; w++)
			power[w] = twice[w];
	}
}

/* The words after as many fills more, `passes` times. */
static void words_by_course(const struct view *then, const struct view *now,
			    uint64_t *word, uint64_t passes)
{
	const struct level lone = lone_set(now->level, word, now->word);
	uint64_t fills = passes % then->course * fills_between(then, now) %
			 then->course;

	for (; fills; fills--)
		fill_next(&lone);
}

static void turn_set(const struct level *l, uint32_t set, struct view *then,
		     struct view *now, enum turn_by by, uint64_t passes)
{
	uint8_t once[MOST_WAYS], to[MOST_WAYS], named[MOST_WAYS];
	uint32_t *lane = level_lanes(l, set), old[MOST_WAYS];
	uint64_t word[MOST_WORDS], *kept = policy_word(l, set);

	name_both(then, now, by);
	for (uint32_t n = 0; n < l->ways; n++)
		once[then->named[n]] = now->named[n];
	repeat(to, once, l->ways, passes);
	for (uint32_t w = 0; w < l->ways; w++)
		old[w] = lane[w];
	for (uint32_t n = 0; n < l->ways; n++) {
		named[n] = to[now->named[n]];
		lane[named[n]] = old[now->named[n]];
	}
	lone_set(l, word, now->word);
	if (by_tree(l, by))
		words_by_tree(l, named, word);
	else
		words_by_course(then, now, word, passes);
	for (uint32_t w = 0; w < l->words; w++)
		kept[w] = word[w];
}

void turn_on(const struct level *l, const struct image *then, enum turn_by by,
	     uint64_t passes)
{
	for (uint32_t set = 0; set < l->sets; set++) {
		struct view old = view_of(l, then->entry, then->word, set);
		struct view new = view_of(l, l->entry, l->word, set);

		if (!same_set(&old, &new))
			turn_set(l, set, &old, &new, by, passes);
	}
}
