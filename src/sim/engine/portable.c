/* SPDX-License-Identifier: MIT */
/* The engine for any CPU. */
#define ENGINE static
#define ENGINE_INLINE static inline
#include "sim/engine/engine.h"

ENGINE_INLINE int ways_find(uint32_t stride, const uint32_t *lane,
			    uint32_t key)
{
	for (uint32_t w = 0; w < stride; w++)
		if ((lane[w] | LEVEL_FLAGS) == (key | LEVEL_FLAGS))
			return (int)w;
	return -1;
}

ENGINE_INLINE void ways_rotate(uint32_t stride, uint32_t *lane, uint32_t way,
			       uint32_t entry)
{
	(void)stride;
	for (; way; way--) {
		lane[way] = lane[way - 1];
		WORDS_OWN_LOOP();
	}
	lane[0] = entry;
}

ENGINE_INLINE bool ways_newest_8(const struct level *l, const uint32_t *key)
{
	uint32_t differ = 0;

	for (int i = 0; i < 8; i++)
		differ |= *level_lanes(l, key[i] >> 3 & (l->sets - 1)) ^
			  key[i];
	return !differ;
}

ENGINE_INLINE bool ways_renew(uint32_t stride, uint32_t last, uint32_t *set,
			      const uint32_t *key)
{
	const int way = *set == *key ? 0 : ways_find(stride, set, *key);

	ways_rotate(stride, set, way < 0 ? last : (uint32_t)way, *key);
	return way >= 0;
}

ENGINE_INLINE uint32_t ways_renew_8(uint32_t stride, uint32_t last,
				    uint32_t within, uint32_t *entry,
				    const uint32_t *key, const uint32_t *at,
				    uint32_t *to_key, uint32_t *to_at)
{
	uint32_t count = 0;

	for (int i = 0; i < 8; i++) {
		const uint32_t one = key[i], place = at[i];
		const size_t set = (one & within) >> 3;

		to_key[count] = one;
		to_at[count] = place;
		count += !ways_renew(stride, last, entry + set * stride, &one);
	}
	return count;
}

ENGINE_INLINE uint32_t ways_changes_8(uint32_t within, const uint32_t *key,
				      uint32_t first, uint32_t *to_key,
				      uint32_t *to_at)
{
	uint32_t count = 0;

	for (int i = 0; i < 8; i++) {
		const uint32_t one = key[i - 1], two = key[i - 2];

		to_key[count] = key[i];
		to_at[count] = first + (uint32_t)i;
		count += key[i] != one &&
			 (key[i] != two || !((key[i] ^ one) & within));
	}
	return count;
}

ENGINE_INLINE void ways_pages_16(uint32_t *to, const uint32_t *from,
				 unsigned shift)
{
	for (int i = 0; i < 16; i++)
		to[i] = from[i] >> shift << 3;
}

ENGINE_INLINE void ways_copy_16(uint32_t *to, const uint32_t *from)
{
	for (int i = 0; i < 16; i++) {
		to[i] = from[i];
		WORDS_OWN_LOOP();
	}
}

ENGINE_INLINE uint32_t ways_tags(const uint16_t *tag, const uint16_t *at,
				 uint64_t want)
{
	uint32_t found = 0x500;

	for (uint32_t s = 0; s < 4; s++)
		found |= (uint32_t)(tag[at[SLOT(s)]] ==
				    (uint16_t)(want >> 16 * s)) << 2 * s;
	return found;
}

ENGINE_INLINE bool ways_mapped_4(const struct pages *p, unsigned tlb_shift,
				 const uint64_t *record, uint32_t *key,
				 uint32_t *page, uint64_t *stores)
{
	(void)p, (void)tlb_shift, (void)record, (void)key, (void)page;
	(void)stores;
	return false;
}

ENGINE size_t decode(const uint64_t *record, size_t n, unsigned line_shift,
		     uint64_t limit, uint32_t *key, uint64_t *stores)
{
	const uint64_t within = (UINT64_C(1) << line_shift) - 1;
	size_t i;

	for (i = 0; i < n; i++) {
		const uint64_t r = record[i], address = access_operand(r);
		const uint64_t end = (address & within) +
				     (UINT64_C(1) << access_log2_bytes(r)) - 1;

		if (r >> 61 || address >= limit || end > within)
			break;
		key[i] = (uint32_t)(address >> line_shift) << 3 |
			 (uint32_t)(r >> 60);
		*stores += r >> 60;
	}
	return i;
}

#include "sim/engine/branches.h"
#include "sim/engine/records.h"

const struct engine engine_portable = ENGINE_OPS("portable");
