/* SPDX-License-Identifier: MIT */
/* What policies start with, and tree-PLRU's table. */
#include "sim/model/policy.h"

static uint32_t tree_ways(uint32_t ways)
{
	return ways & (0u - ways);
}

static struct policy_touch touch_of(uint32_t leaves, uint32_t way)
{
	const uint32_t first = way / leaves * (leaves - 1);
	struct policy_touch t = { ~UINT64_C(0), 0 };
	uint32_t node = 0;

	for (uint32_t half = leaves / 2; half; half /= 2) {
		const uint32_t upper = way & half ? 1 : 0;
		const uint64_t bit = UINT64_C(1) << (first + node);

		t.keep &= ~bit;
		t.set |= upper ? 0 : bit;
		node = 2 * node + 1 + upper;
	}
	return t;
}

void policy_build(struct level *l, struct carve *c)
{
	const uint32_t leaves = tree_ways(l->ways);

	l->words = policy_words(l->is, l->ways);
	l->word = carve_take(c, (size_t)l->sets * l->words * 8);
	l->shared = carve_take(c, l->is->level_words * 8u);
	if (l->is->family != FAMILY_TREE)
		return;
	l->leaf_bits = (uint32_t)__builtin_ctz(leaves);
	l->touch = carve_take(c, l->ways * sizeof(*l->touch));
	for (uint32_t way = 0; l->touch && way < l->ways; way++)
		l->touch[way] = touch_of(leaves, way);
}

void policy_start(const struct level *l)
{
	if (l->is->family == FAMILY_DRRIP) {
		l->shared[DRRIP_SELECTOR] = DRRIP_EVEN;
		l->shared[DRRIP_FILLS] = 0;
	}
}

void policy_reset(const struct level *l, uint32_t set, uint64_t seed)
{
	uint64_t *word = policy_word(l, set);

	word[0] = 0;
	if (l->is->family == FAMILY_RANDOM)
		word[0] = words_mix(seed ^ words_mix(set + 1)) | 1;
	if (has_ages(l))
		word[0] = low_bits(l->ways) * 3;
	if (l->words > 1)
		word[1] = UINT64_C(0xfedcba9876543210);
}
