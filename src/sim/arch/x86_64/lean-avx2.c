/* SPDX-License-Identifier: MIT */
/* The loops of lean.h with AVX2; 16 lanes are two halves. */
#define LEAN_TARGET __attribute__((target("avx2,bmi,bmi2,popcnt")))
#include "sim/arch/x86_64/lean-lanes.h"

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

LANES_INLINE uint32_t find(const int lanes, const uint32_t *set, uint32_t key)
{
	if (lanes == 4)
		return find_4(set, key);
	if (lanes == 8)
		return find_8(set, key);
	return find_16(set, key);
}

LANES_INLINE void turn(const int lanes, uint32_t *set, uint32_t way)
{
	if (lanes == 4)
		turn_4(set, way);
	else if (lanes == 8)
		turn_8(set, way);
	else
		push_16(set, way, set[way]);
}

LANES_INLINE void push(const int lanes, uint32_t *set, uint32_t way,
		       uint32_t entry)
{
	if (lanes == 4)
		push_4(set, way, entry);
	else if (lanes == 8)
		push_8(set, way, entry);
	else
		push_16(set, way, entry);
}

#include "sim/lean-loops.h"

LEAN_LEVELS

const struct lean_ops lean_avx2 = LEAN_OPS("avx2", decode);
