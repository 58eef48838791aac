/* SPDX-License-Identifier: MIT */
/*
 * Replacement policies that keep a line in its way, each on one or two words
 * per set.
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
 * QLRU: two-bit ages as named by Abel and Reineke (nanoBench, ISPASS 2020):
 *   Hxy: a hit turns age 3 into x, 2 into y, others into 0. M1: in at 1.
 *   R0: the lowest empty way, else the lowest way of age 3. R2: the same with
 *   the highest empty way. U0: if no way has age 3 after an access, all age
 *   until one has; U1: all but the one that was accessed, which is left out
 *   of the question too. Empty ways start at age 3.
 */
#include "sim/level.h"

static uint64_t *words_of(const struct level *l, uint32_t set)
{
	return l->word + (size_t)set * l->words;
}

/* tree-PLRU */

static uint32_t tree_ways(uint32_t ways)
{
	return ways & (0u - ways);
}

static void order_touch(uint64_t *order, uint32_t tree)
{
	uint64_t before = 0;
	unsigned at = 0;

	while ((*order >> at & 15) != tree)
		at += 4;
	before = *order & ((UINT64_C(1) << at) - 1);
	*order &= at == 60 ? 0 : ~UINT64_C(0) << (at + 4);
	*order |= before << 4 | tree;
}

/* The nodes above a way, and what its use writes into them. */
static void tree_path(const struct level *l, uint32_t way, uint64_t *path)
{
	const uint32_t leaves = tree_ways(l->ways), leaf = way % leaves;
	const uint32_t first = way / leaves * (leaves - 1);
	uint32_t node = 0;

	path[0] = 0;
	path[1] = 0;
	for (uint32_t half = leaves / 2; half; half /= 2) {
		const uint32_t upper = leaf & half ? 1 : 0;
		const uint64_t bit = UINT64_C(1) << (first + node);

		path[0] |= bit;
		path[1] |= upper ? 0 : bit;
		node = 2 * node + 1 + upper;
	}
}

static void tree_touch(const struct level *l, uint64_t *word, uint32_t way)
{
	const uint64_t *path = l->path + (size_t)2 * way;

	word[0] = (word[0] & ~path[0]) | path[1];
	if (l->words > 1)
		order_touch(&word[1], way / tree_ways(l->ways));
}

static uint32_t tree_victim(const struct level *l, const uint64_t *word)
{
	const uint32_t leaves = tree_ways(l->ways);
	const uint32_t trees = l->ways / leaves;
	const uint32_t tree = trees > 1 ? word[1] >> 4 * (trees - 1) & 15 : 0;
	const uint32_t first = tree * (leaves - 1);
	uint32_t node = 0, leaf = 0;

	for (uint32_t half = leaves / 2; half; half /= 2) {
		const uint32_t upper = word[0] >> (first + node) & 1;

		leaf |= upper ? half : 0;
		node = 2 * node + 1 + upper;
	}
	return tree * leaves + leaf;
}

/* bit-PLRU */

static uint64_t all_ways(uint32_t ways)
{
	return ways == 64 ? ~UINT64_C(0) : (UINT64_C(1) << ways) - 1;
}

static void bit_touch(const struct level *l, uint64_t *word, uint32_t way)
{
	*word |= UINT64_C(1) << way;
	if (*word == all_ways(l->ways))
		*word = UINT64_C(1) << way;
}

static uint32_t bit_victim(const struct level *l, const uint64_t *word)
{
	const uint64_t clear = ~*word & all_ways(l->ways);

	return clear ? (uint32_t)__builtin_ctzll(clear) : 0;
}

/* ages of two bits: SRRIP, QLRU */

static uint64_t low_bits(uint32_t ways)
{
	return UINT64_C(0x5555555555555555) >> (64 - 2 * ways);
}

static uint32_t age(uint64_t word, uint32_t way)
{
	return word >> 2 * way & 3;
}

static void age_set(uint64_t *word, uint32_t way, uint32_t to)
{
	*word = (*word & ~(UINT64_C(3) << 2 * way)) | (uint64_t)to << 2 * way;
}

/* The low bit of every way whose age is `of`. */
static uint64_t aged(const struct level *l, uint64_t word, uint32_t of)
{
	const uint64_t low = low_bits(l->ways);
	const uint64_t x = ~(word ^ low * of);

	return x & x >> 1 & low;
}

static uint32_t srrip_victim(const struct level *l, uint64_t *word)
{
	while (!aged(l, *word, 3))
		*word += low_bits(l->ways);
	return (uint32_t)__builtin_ctzll(aged(l, *word, 3)) / 2;
}

/* All but the spared way (or -1) age until one of them has age 3. */
static void qlru_update(const struct level *l, uint64_t *word, int spared)
{
	uint64_t low = low_bits(l->ways), ages, by;

	if (spared >= 0)
		low &= ~(UINT64_C(1) << 2 * spared);
	ages = *word & low * 3;
	if (ages & ages >> 1 & low)
		return;
	if (ages >> 1 & low)
		by = 1;
	else
		by = ages & low ? 2 : 3;
	*word += low * by;
}

static int qlru_spared(const struct level *l, uint32_t way)
{
	return l->policy == REPLACE_QLRU_H00_M1_R2_U1 ? (int)way : -1;
}

static void qlru_hit(const struct level *l, uint64_t *word, uint32_t way)
{
	const bool h11 = l->policy == REPLACE_QLRU_H11_M1_R0_U0;

	age_set(word, way, h11 && age(*word, way) >= 2 ? 1 : 0);
	qlru_update(l, word, qlru_spared(l, way));
}

/* A lone way under U1 never gets to age 3. */
static uint32_t qlru_victim(const struct level *l, const uint64_t *word)
{
	const uint64_t old = aged(l, *word, 3);

	return old ? (uint32_t)__builtin_ctzll(old) / 2 : 0;
}

static uint32_t random_victim(const struct level *l, uint64_t *word)
{
	*word ^= *word << 13;
	*word ^= *word >> 7;
	*word ^= *word << 17;
	return (uint32_t)((*word >> 32) * l->ways >> 32);
}

uint32_t policy_words(enum replacement policy, uint32_t ways)
{
	if (policy == REPLACE_LRU || policy == REPLACE_FIFO)
		return 0;
	return policy == REPLACE_TREE_PLRU && ways != tree_ways(ways) ? 2 : 1;
}

uint32_t policy_paths(enum replacement policy, uint32_t ways)
{
	return policy == REPLACE_TREE_PLRU ? 2 * ways : 0;
}

void policy_prepare(const struct level *l)
{
	if (l->policy == REPLACE_TREE_PLRU)
		for (uint32_t way = 0; way < l->ways; way++)
			tree_path(l, way, l->path + (size_t)2 * way);
}

void policy_reset(const struct level *l, uint32_t set, uint64_t seed)
{
	uint64_t *word = words_of(l, set);

	word[0] = 0;
	if (l->policy == REPLACE_RANDOM)
		word[0] = words_mix(seed ^ words_mix(set + 1)) | 1;
	if (l->policy >= REPLACE_SRRIP)
		word[0] = low_bits(l->ways) * 3;
	if (l->words > 1)
		word[1] = UINT64_C(0xfedcba9876543210);
}

void policy_hit(const struct level *l, uint32_t set, uint32_t way)
{
	uint64_t *word = words_of(l, set);

	switch (l->policy) {
	case REPLACE_TREE_PLRU:
		tree_touch(l, word, way);
		break;
	case REPLACE_BIT_PLRU:
		bit_touch(l, word, way);
		break;
	case REPLACE_SRRIP:
		age_set(word, way, 0);
		break;
	case REPLACE_QLRU_H00_M1_R2_U1:
	case REPLACE_QLRU_H11_M1_R0_U0:
		qlru_hit(l, word, way);
		break;
	default:
		break;
	}
}

void policy_fill(const struct level *l, uint32_t set, uint32_t way)
{
	uint64_t *word = words_of(l, set);

	switch (l->policy) {
	case REPLACE_TREE_PLRU:
		tree_touch(l, word, way);
		break;
	case REPLACE_BIT_PLRU:
		bit_touch(l, word, way);
		break;
	case REPLACE_SRRIP:
		age_set(word, way, 2);
		break;
	case REPLACE_QLRU_H00_M1_R2_U1:
	case REPLACE_QLRU_H11_M1_R0_U0:
		age_set(word, way, 1);
		qlru_update(l, word, qlru_spared(l, way));
		break;
	default:
		break;
	}
}

uint32_t policy_victim(const struct level *l, uint32_t set)
{
	uint64_t *word = words_of(l, set);

	switch (l->policy) {
	case REPLACE_TREE_PLRU:
		return tree_victim(l, word);
	case REPLACE_BIT_PLRU:
		return bit_victim(l, word);
	case REPLACE_RANDOM:
		return random_victim(l, word);
	case REPLACE_SRRIP:
		return srrip_victim(l, word);
	case REPLACE_QLRU_H00_M1_R2_U1:
	case REPLACE_QLRU_H11_M1_R0_U0:
		return qlru_victim(l, word);
	default:
		return l->ways - 1;
	}
}
