/* SPDX-License-Identifier: MIT */
/*
 * Replacement policies that keep a line in its way, each on one or two words
 * per set; a row of base/policies.def each.
 *
 * tree-PLRU: ways = trees * 2^k, trees odd; word 0 holds the nodes (a set bit
 *   points to the upper half as the next victim), word 1 the trees in LRU
 *   order, four bits each, newest lowest. One tree is plain tree-PLRU; three
 *   of four ways are what Ice Lake's L1D was measured to be.
 * bit-PLRU: one bit per way, set by use; the use that would set the last one
 *   clears all others. The lowest clear way goes.
 * random: one generator per set, drawn only when a line must go.
 * SRRIP: two bits per way; in at 2, to 0 on a hit; the lowest way at 3 goes,
 *   after all have aged until there is one.
 * DRRIP: as SRRIP, but new lines are in at 2 (SRRIP), or at 3 and each 32nd of
 *   the level at 2 (BRRIP). Of each 32 sets the first always fills as SRRIP
 *   does, the second as BRRIP. A counter of the level starts at 512, goes up to
 *   1023 with fills of the first, down to 0 with fills of the second; above
 *   512, all other sets fill as BRRIP (Jaleel et al., ISCA 2010).
 * QLRU: two-bit ages as named by Abel and Reineke (nanoBench, ISPASS 2020):
 *   Hxy: a hit turns age 3 into x, 2 into y, others into 0. Mx: in at x.
 *   R0: the lowest empty way, else the lowest way of age 3. R1: the same, and
 *   the lowest way if none has age 3. R2: as R0 with the highest empty way.
 *   U0: if no way has age 3 after an access, all age until one has; U1: all
 *   but the one that was accessed, which is left out of the question too. U2:
 *   if no way has age 3, all age by one; U3: all but the one that was
 *   accessed. Empty ways start at age 3.
 */
#ifndef SIM_POLICY_H
#define SIM_POLICY_H

#include "sim/model/level.h"

#define POLICY_INLINE static inline __attribute__((always_inline))

POLICY_INLINE uint64_t *policy_word(const struct level *l, uint32_t set)
{
	return l->word + (size_t)set * l->words;
}

/* The words of policy state that a set with this number of ways has. */
POLICY_INLINE uint32_t policy_words(const struct policy *is, uint32_t ways)
{
	return is->set_words + (is->family == FAMILY_TREE && ways & (ways - 1));
}

/* tree-PLRU */

POLICY_INLINE void tree_order(uint64_t *order, uint32_t tree)
{
	uint64_t before = 0;
	unsigned at = 0;

	while ((*order >> at & 15) != tree)
		at += 4;
	before = *order & ((UINT64_C(1) << at) - 1);
	*order &= at == 60 ? 0 : ~UINT64_C(0) << (at + 4);
	*order |= before << 4 | tree;
}

/* All nodes above the way point away from it. */
POLICY_INLINE void tree_touch(const struct level *l, uint64_t *word,
			      uint32_t way)
{
	word[0] = (word[0] & l->touch[way].keep) | l->touch[way].set;
	if (l->words > 1)
		tree_order(&word[1], way >> l->leaf_bits);
}

/* By the nodes of a tree's upper three levels: the node below that they choose. */
#define TREE_DOWN(nodes, node) (2 * (node) + ((nodes) >> ((node) - 1) & 1))
#define TREE_1(n) TREE_DOWN(n, TREE_DOWN(n, TREE_DOWN(n, 1)))
#define TREE_4(n) TREE_1(n), TREE_1(n + 1), TREE_1(n + 2), TREE_1(n + 3)
#define TREE_16(n) TREE_4(n), TREE_4(n + 4), TREE_4(n + 8), TREE_4(n + 12)
#define TREE_64(n) TREE_16(n), TREE_16(n + 16), TREE_16(n + 32), TREE_16(n + 48)
static const uint8_t tree_below_3[128] = { TREE_64(0), TREE_64(64) };

POLICY_INLINE uint32_t tree_victim(const struct level *l, const uint64_t *word)
{
	uint32_t tree = 0, node = 1, bits = l->leaf_bits;
	uint64_t nodes = word[0];

	if (l->words > 1) {
		tree = word[1] >> 4 * ((l->ways >> l->leaf_bits) - 1) & 15;
		nodes >>= tree * ((1u << l->leaf_bits) - 1);
	}
	if (bits >= 3) {
		node = tree_below_3[nodes & 127];
		bits -= 3;
	}
	for (; bits; bits--)
		node = (uint32_t)TREE_DOWN(nodes, node);
	return (tree << l->leaf_bits) + node - (1u << l->leaf_bits);
}

/* bit-PLRU */

POLICY_INLINE uint64_t all_ways(uint32_t ways)
{
	return ~UINT64_C(0) >> (64 - ways);
}

POLICY_INLINE void bit_touch(const struct level *l, uint64_t *word,
			     uint32_t way)
{
	const uint64_t bit = UINT64_C(1) << way, used = *word | bit;

	*word = used == all_ways(l->ways) ? bit : used;
}

POLICY_INLINE uint32_t bit_victim(const struct level *l, const uint64_t *word)
{
	const uint64_t clear = ~*word & all_ways(l->ways);

	return clear ? (uint32_t)__builtin_ctzll(clear) : 0;
}

/* ages of two bits: SRRIP, DRRIP, QLRU */

POLICY_INLINE bool has_ages(const struct level *l)
{
	return l->is->family == FAMILY_RRIP || l->is->family == FAMILY_DRRIP ||
	       l->is->family == FAMILY_QLRU;
}

POLICY_INLINE uint64_t low_bits(uint32_t ways)
{
	return UINT64_C(0x5555555555555555) >> (64 - 2 * ways);
}

POLICY_INLINE uint32_t age(uint64_t word, uint32_t way)
{
	return word >> 2 * way & 3;
}

POLICY_INLINE void age_set(uint64_t *word, uint32_t way, uint32_t to)
{
	*word = (*word & ~(UINT64_C(3) << 2 * way)) | (uint64_t)to << 2 * way;
}

/* The low bit of every way whose age is 3. */
POLICY_INLINE uint64_t aged(const struct level *l, uint64_t word)
{
	return word & word >> 1 & low_bits(l->ways);
}

POLICY_INLINE uint32_t srrip_victim(const struct level *l, uint64_t *word)
{
	while (!aged(l, *word))
		*word += low_bits(l->ways);
	return (uint32_t)__builtin_ctzll(aged(l, *word)) / 2;
}

/* If no way of `asked` has age 3, those of `low` age: by one, or, if they are
 * the same ones, until one has it. */
POLICY_INLINE void qlru_update(uint64_t *word, uint64_t asked, uint64_t low,
			       bool by_one)
{
	const uint64_t ones = *word & asked, twos = *word >> 1 & asked;

	if (ones & twos)
		return;
	*word += by_one || twos ? low : ones ? 2 * low : 3 * low;
}

/* An access to this way has set its age. */
POLICY_INLINE void qlru_age(const struct level *l, uint64_t *word,
			    uint32_t way)
{
	const unsigned u = l->is->u;
	const uint64_t all = low_bits(l->ways);
	const uint64_t others = all & ~(UINT64_C(1) << 2 * way);

	qlru_update(word, u == 1 ? others : all, u & 1 ? others : all, u & 2);
}

POLICY_INLINE void qlru_hit(const struct level *l, uint64_t *word,
			    uint32_t way)
{
	const unsigned hit = (unsigned)l->is->hit3 << 6 | l->is->hit2 << 4;

	age_set(word, way, hit >> 2 * age(*word, way) & 3);
	qlru_age(l, word, way);
}

/* A lone way under U1 never gets to age 3; R1 takes the lowest way. */
POLICY_INLINE uint32_t qlru_victim(const struct level *l, const uint64_t *word)
{
	const uint64_t old = aged(l, *word);

	return old ? (uint32_t)__builtin_ctzll(old) / 2 : 0;
}

POLICY_INLINE uint32_t random_victim(const struct level *l, uint64_t *word)
{
	*word ^= *word << 13;
	*word ^= *word >> 7;
	*word ^= *word << 17;
	return (uint32_t)((*word >> 32) * l->ways >> 32);
}

enum { DRRIP_SELECTOR, DRRIP_FILLS };	/* words that sets share */
enum { DRRIP_DUEL = 32, DRRIP_RARE = 32, DRRIP_EVEN = 512, DRRIP_MOST = 1023 };

/* The age of a new line. */
POLICY_INLINE uint32_t drrip_age(const struct level *l, uint32_t set)
{
	const uint32_t of_duel = set % DRRIP_DUEL;
	uint64_t *selector = &l->shared[DRRIP_SELECTOR];

	if (of_duel == 0)
		*selector += *selector < DRRIP_MOST;
	else if (of_duel == 1)
		*selector -= *selector > 0;
	if (of_duel == 0 || (of_duel > 1 && *selector <= DRRIP_EVEN))
		return l->is->m;
	return ++l->shared[DRRIP_FILLS] % DRRIP_RARE ? 3 : l->is->m;
}

/* The policy's reaction to a hit in, and a fill of, a way (not ordered). */

POLICY_INLINE void policy_hit(const struct level *l, uint32_t set,
			      uint32_t way)
{
	uint64_t *word = policy_word(l, set);

	switch (l->is->family) {
	case FAMILY_TREE:
		tree_touch(l, word, way);
		break;
	case FAMILY_BIT:
		bit_touch(l, word, way);
		break;
	case FAMILY_RRIP:
	case FAMILY_DRRIP:
		age_set(word, way, 0);
		break;
	case FAMILY_QLRU:
		qlru_hit(l, word, way);
		break;
	default:
		break;
	}
}

POLICY_INLINE void policy_fill(const struct level *l, uint32_t set,
			       uint32_t way)
{
	uint64_t *word = policy_word(l, set);

	switch (l->is->family) {
	case FAMILY_TREE:
		tree_touch(l, word, way);
		break;
	case FAMILY_BIT:
		bit_touch(l, word, way);
		break;
	case FAMILY_RRIP:
		age_set(word, way, l->is->m);
		break;
	case FAMILY_DRRIP:
		age_set(word, way, drrip_age(l, set));
		break;
	case FAMILY_QLRU:
		age_set(word, way, l->is->m);
		qlru_age(l, word, way);
		break;
	default:
		break;
	}
}

/* The way that goes next (not ordered); may draw a random number. */
POLICY_INLINE uint32_t policy_victim(const struct level *l, uint32_t set)
{
	uint64_t *word = policy_word(l, set);

	switch (l->is->family) {
	case FAMILY_TREE:
		return tree_victim(l, word);
	case FAMILY_BIT:
		return bit_victim(l, word);
	case FAMILY_RANDOM:
		return random_victim(l, word);
	case FAMILY_RRIP:
	case FAMILY_DRRIP:
		return srrip_victim(l, word);
	case FAMILY_QLRU:
		return qlru_victim(l, word);
	default:
		return l->ways - 1;
	}
}

#endif
