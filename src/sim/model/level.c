/* SPDX-License-Identifier: MIT */
/* Layout, emptying and the rarer operations of a level. */
#include "sim/model/level.h"

#define MOST_ENTRIES (UINT32_C(1) << 27)

const char *level_refusal(const struct level_shape *shape)
{
	uint64_t entries;

	if (!shape->sets || !shape->ways || !shape->slices)
		return "it has no entries";
	entries = (uint64_t)shape->sets * shape->slices;
	if (entries > MOST_ENTRIES || entries * shape->ways > MOST_ENTRIES)
		return "it has more than 2^27 entries";
	if ((unsigned)shape->policy >= REPLACEMENTS)
		return "its replacement policy is unknown";
	return policy_refusal(shape->policy, shape->ways);
}

void level_build(struct level *l, const struct level_shape *shape,
		 struct carve *c)
{
	l->policy = shape->policy;
	l->is = &policies[shape->policy];
	l->keep_holes = shape->cold == COLD_POLICY_VICTIM;
	l->per_slice = shape->sets;
	l->slices = shape->slices;
	l->sets = shape->sets * shape->slices;
	l->mask = l->slices == 1 && !(l->sets & (l->sets - 1)) ?
		  l->sets - 1 : 0;
	l->slice_mask = l->per_slice & (l->per_slice - 1) ? 0 :
			l->per_slice - 1;
	l->ways = shape->ways;
	l->stride = level_stride(shape->ways);
	l->entry = carve_take(c, (size_t)l->sets * l->stride * 4);
	policy_build(l, c);
}

void level_reset(struct level *l, uint64_t seed)
{
	words_fill(l->entry, LEVEL_EMPTY, (size_t)l->sets * l->stride);
	policy_start(l);
	if (l->words)
		for (uint32_t set = 0; set < l->sets; set++)
			policy_reset(l, set, seed);
}

uint64_t level_hash(const struct level *l, uint32_t set)
{
	const uint32_t *lane = level_lanes(l, set);
	const uint64_t *word = l->word + (size_t)set * l->words;
	uint64_t hash = set;

	for (uint32_t w = 0; w < l->ways; w += 2)
		hash = words_hash(hash, (uint64_t)lane[w] << 32 |
					lane[w + 1 < l->stride ? w + 1 : w]);
	for (uint32_t w = 0; w < l->words; w++)
		hash = words_hash(hash, word[w]);
	return words_mix(hash);
}
