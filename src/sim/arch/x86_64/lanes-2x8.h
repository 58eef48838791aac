/* SPDX-License-Identifier: MIT */
/* Sets of 16 lanes as two halves. Included with LEAN_TARGET defined. */
#ifndef SIM_ARCH_X86_64_LANES_2X8_H
#define SIM_ARCH_X86_64_LANES_2X8_H

#include "sim/arch/x86_64/lanes.h"

/* Lane 7 of the low half becomes lane 8. */
LANES_INLINE void push_16(uint32_t *set, uint32_t way, uint32_t entry)
{
	__m256i low, high;

	if (way < 8) {
		push_8(set, way, entry);
		return;
	}
	low = turned_8(set, 7);
	high = turned_8(set + 8, way - 8);
	_mm256_store_si256((__m256i *)(set + 8),
			   _mm256_blend_epi32(high, low, 1));
	_mm256_store_si256((__m256i *)set,
			   _mm256_blend_epi32(low, _mm256_castsi128_si256(
				_mm_cvtsi32_si128((int)entry)), 1));
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

#endif
