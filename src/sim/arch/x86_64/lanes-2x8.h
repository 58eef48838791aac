/* SPDX-License-Identifier: MIT */
/* Sets of 16 lanes as two halves. Included with LANES_TARGET defined. */
#ifndef SIM_ARCH_X86_64_LANES_2X8_H
#define SIM_ARCH_X86_64_LANES_2X8_H

#include "sim/arch/x86_64/lanes.h"

/* The lanes, each one further up; the last one of `before` comes in. */
LANES_INLINE __m256i shifted_8(__m256i lanes, __m256i before)
{
	return _mm256_alignr_epi8(lanes, _mm256_permute2x128_si256(
		before, lanes, 0x21), 12);
}

/* ...; 0 comes in. */
LANES_INLINE __m256i shifted_from_0_8(__m256i lanes)
{
	return _mm256_alignr_epi8(lanes, _mm256_permute2x128_si256(
		lanes, lanes, 0x08), 12);
}

/* Row p: which lanes move up when lane p goes first. */
#define ONES_UP_TO(p) { \
	-(0 <= (p)), -(1 <= (p)), -(2 <= (p)), -(3 <= (p)), \
	-(4 <= (p)), -(5 <= (p)), -(6 <= (p)), -(7 <= (p)), \
	-(8 <= (p)), -(9 <= (p)), -(10 <= (p)), -(11 <= (p)), \
	-(12 <= (p)), -(13 <= (p)), -(14 <= (p)), -(15 <= (p)) }
static const int32_t moved_16[16][16] __attribute__((aligned(64))) = {
	ONES_UP_TO(0), ONES_UP_TO(1), ONES_UP_TO(2), ONES_UP_TO(3),
	ONES_UP_TO(4), ONES_UP_TO(5), ONES_UP_TO(6), ONES_UP_TO(7),
	ONES_UP_TO(8), ONES_UP_TO(9), ONES_UP_TO(10), ONES_UP_TO(11),
	ONES_UP_TO(12), ONES_UP_TO(13), ONES_UP_TO(14), ONES_UP_TO(15)
};

/* The lanes up to `way` move up by one, and `first` becomes the first. */
LANES_INLINE void turn_16(uint32_t *set, __m256i low, __m256i high,
			  uint32_t way, __m128i first)
{
	const __m256i *moved = (const __m256i *)moved_16[way];
	const __m256i lows = _mm256_blendv_epi8(low, shifted_from_0_8(low),
						_mm256_load_si256(moved));

	_mm256_store_si256((__m256i *)(set + 8), _mm256_blendv_epi8(
		high, shifted_8(high, low), _mm256_load_si256(moved + 1)));
	_mm256_store_si256((__m256i *)set, _mm256_or_si256(
		lows, _mm256_zextsi128_si256(first)));
}

LANES_INLINE uint32_t bits_of_16(__m256i low, __m256i high)
{
	return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(low)) |
	       (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(high)) << 8;
}

LANES_INLINE void push_16(uint32_t *set, uint32_t way, uint32_t entry)
{
	turn_16(set, _mm256_load_si256((const __m256i *)set),
		_mm256_load_si256((const __m256i *)(set + 8)), way,
		_mm_cvtsi32_si128((int)entry));
}

/* Nothing is the quickest answer. */
LANES_INLINE uint32_t find_16(const uint32_t *set, uint32_t key)
{
	const __m256i low = same_8(set, key), high = same_8(set + 8, key);
	const __m256i either = _mm256_or_si256(low, high);

	if (_mm256_testz_si256(either, either))
		return 0;
	return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(low)) |
	       (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(high)) << 8;
}

/*
 * Makes the key the newest of lanes without flags, in place of lane `last` if
 * it was not there; returns a bit for where it was, or 0.
 */
LANES_INLINE uint32_t renew_16(uint32_t *set, uint32_t last,
			       const uint32_t *key)
{
	const __m256i want = all_8(key);
	const __m256i low = _mm256_load_si256((const __m256i *)set);
	const __m256i high = _mm256_load_si256((const __m256i *)(set + 8));
	const uint32_t found = bits_of_16(_mm256_cmpeq_epi32(low, want),
					  _mm256_cmpeq_epi32(high, want));

	turn_16(set, low, high, (uint32_t)__builtin_ctz(found | 1u << last),
		_mm_loadu_si32(key));
	return found;
}

#endif
