/* SPDX-License-Identifier: MIT */
/*
 * What the AVX2 and AVX-512 engines share: sets of any number of lanes, in
 * pieces of 4, 8 and 16. Included with ENGINE and ENGINE_INLINE defined, and
 * for 16 lanes find_16 and push_16.
 */
#ifndef SIM_ARCH_X86_64_ENGINE_LANES_H
#define SIM_ARCH_X86_64_ENGINE_LANES_H

#include "sim/arch/x86_64/lanes.h"
#include "sim/arch/x86_64/units.h"

ENGINE_INLINE int first_of(uint32_t found)
{
	return found ? __builtin_ctz(found) : -1;
}

ENGINE_INLINE int ways_find(uint32_t stride, const uint32_t *lane,
			    uint32_t key)
{
	const uint32_t number = key & ~LEVEL_FLAGS;
	uint32_t found;

	if (stride == 4)
		return first_of(find_4(lane, number));
	if (stride == 8)
		return first_of(find_8(lane, number));
	for (uint32_t w = 0; w < stride; w += 16) {
		found = find_16(lane + w, number);
		if (found)
			return (int)w + __builtin_ctz(found);
	}
	return -1;
}

/* Sixteen lanes at a time, from the last ones that move. */
ENGINE_INLINE void ways_rotate(uint32_t stride, uint32_t *lane, uint32_t way,
			       uint32_t entry)
{
	if (stride == 4) {
		push_4(lane, way, entry);
		return;
	}
	if (stride == 8) {
		push_8(lane, way, entry);
		return;
	}
	while (way >= 16) {
		const uint32_t part = way & ~15u;

		push_16(lane + part, way - part, lane[part - 1]);
		way = part - 1;
	}
	push_16(lane, way, entry);
}

ENGINE_INLINE void ways_copy_16(uint32_t *to, const uint32_t *from)
{
	const __m256i low = _mm256_loadu_si256((const __m256i *)from);
	const __m256i high = _mm256_loadu_si256((const __m256i *)(from + 8));

	_mm256_storeu_si256((__m256i *)to, low);
	_mm256_storeu_si256((__m256i *)(to + 8), high);
}

ENGINE_INLINE void ways_pages_16(uint32_t *to, const uint32_t *from,
				 unsigned shift)
{
	const __m128i by = _mm_cvtsi32_si128((int)shift);

	for (int i = 0; i < 16; i += 8) {
		const __m256i keys = _mm256_loadu_si256((const __m256i *)
							(from + i));

		_mm256_storeu_si256((__m256i *)(to + i), _mm256_slli_epi32(
			_mm256_srl_epi32(keys, by), 3));
	}
}

ENGINE_INLINE bool ways_newest_8(const struct level *l, const uint32_t *key)
{
	const __m256i keys = _mm256_loadu_si256((const __m256i *)key);
	const __m256i set = _mm256_and_si256(_mm256_srli_epi32(keys, 3),
		_mm256_set1_epi32((int)(l->sets - 1)));
	const __m256i newest = _mm256_i32gather_epi32((const int *)l->entry,
		_mm256_mullo_epi32(set, _mm256_set1_epi32((int)l->stride)),
		4);
	const __m256i differ = _mm256_xor_si256(keys, newest);

	return _mm256_testz_si256(differ, differ);
}

/* Those of 8 keys with a bit, and what is beside them; may write 8. */
ENGINE_INLINE uint32_t keep_both(unsigned kept, __m256i keys, __m256i at,
				 uint32_t *to_key, uint32_t *to_at)
{
	const __m256i from = lanes_of(kept);

	_mm256_storeu_si256((__m256i *)to_key,
			    _mm256_permutevar8x32_epi32(keys, from));
	_mm256_storeu_si256((__m256i *)to_at,
			    _mm256_permutevar8x32_epi32(at, from));
	return (uint32_t)__builtin_popcount(kept);
}

ENGINE_INLINE uint32_t ways_changes_8(uint32_t within, const uint32_t *key,
				      uint32_t first, uint32_t *to_key,
				      uint32_t *to_at)
{
	const __m256i at = _mm256_add_epi32(
		_mm256_set1_epi32((int)first),
		_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));

	return keep_both(others_8(within, key),
			 _mm256_loadu_si256((const __m256i *)key), at, to_key,
			 to_at);
}

/* An index of the lane that goes first: where it was found, or the last. */
ENGINE_INLINE uint32_t goes_first(uint32_t found, uint32_t last)
{
	return (uint32_t)__builtin_ctz(found | 1u << last);
}

/* Not 0 if it was there. */
ENGINE_INLINE uint32_t ways_renew(uint32_t stride, uint32_t last, uint32_t *set,
				  const uint32_t *key)
{
	uint32_t found;
	int way;

	if (stride == 4)
		return renew_4(set, last, key);
	if (stride == 8) {
		found = equal_8(set, key);
		push_8(set, goes_first(found, last), *key);
		return found;
	}
	if (stride == 16)
		return renew_16(set, last, key);
#ifdef RENEW_MANY
	if (stride <= 64)
		return renew_many(stride, set, last, key);
#endif
	way = ways_find(stride, set, *key);
	ways_rotate(stride, set, way < 0 ? last : (uint32_t)way, *key);
	return way >= 0;
}

ENGINE_INLINE uint32_t ways_renew_8(uint32_t stride, uint32_t last,
				    uint32_t within, uint32_t *entry,
				    const uint32_t *key, const uint32_t *at,
				    uint32_t *to_key, uint32_t *to_at)
{
	const __m256i keys = _mm256_loadu_si256((const __m256i *)key);
	const __m256i places = _mm256_loadu_si256((const __m256i *)at);
	uint8_t missed = 0;

#pragma GCC unroll 8
	for (int i = 0; i < 8; i++) {
		const size_t set = key[i] & within;	/* times 8 */
		const uint32_t found = ways_renew(stride, last, (uint32_t *)
			((char *)entry + set * (stride / 2)), key + i);

		/* the next higher bit */
		__asm__("cmp $1, %1\n\trcrb $1, %0"
			: "+r"(missed) : "r"(found) : "cc");
	}
	return keep_both(missed, keys, places, to_key, to_at);
}

#ifdef RENEW_MANY
#define WAYS_RENEW_RUN RUN_LANES
ENGINE_INLINE uint32_t ways_renew_run(uint32_t stride, uint32_t last,
				      uint32_t *set, const uint32_t *key,
				      size_t n, uint32_t *missed)
{
	return renew_run(stride, last, set, key, n, missed);
}
#endif

/* Zeros beyond the fourth are equal, and so the base is found. */
ENGINE_INLINE uint32_t ways_tags(const uint16_t *tag, const uint16_t *at,
				 uint64_t want)
{
	__m128i has = _mm_cvtsi32_si128(tag[at[0]]);

	has = _mm_insert_epi16(has, tag[at[1]], 1);
	has = _mm_insert_epi16(has, tag[at[2]], 2);
	has = _mm_insert_epi16(has, tag[at[3]], 3);
	has = _mm_cmpeq_epi16(has, _mm_cvtsi64_si128((int64_t)want));
	return (uint32_t)_mm_movemask_epi8(has) & 0x5555;
}

#include "sim/engine/branches.h"
#include "sim/engine/records.h"

#endif
