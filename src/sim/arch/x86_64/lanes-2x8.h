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

/* The lanes, each one further up; the last one of `before` comes in. */
LANES_INLINE __m256i shifted_8(__m256i lanes, __m256i before)
{
	return _mm256_permutevar8x32_epi32(
		_mm256_blend_epi32(lanes, before, 0x80),
		_mm256_setr_epi32(7, 0, 1, 2, 3, 4, 5, 6));
}

LANES_INLINE bool enter_8(bool clean, uint32_t *set, const uint32_t *key)
{
	const __m256i lanes = _mm256_load_si256((const __m256i *)set);
	const __m256i first = all_8(key);

	if (__builtin_expect(holds_8(clean, lanes, first), 0))
		return false;
	_mm256_store_si256((__m256i *)set, shifted_8(lanes, first));
	return true;
}

LANES_INLINE bool enter_16(bool clean, uint32_t *set, const uint32_t *key)
{
	const __m256i low = _mm256_load_si256((const __m256i *)set);
	const __m256i high = _mm256_load_si256((const __m256i *)(set + 8));
	const __m256i first = all_8(key);

	if (__builtin_expect(holds_8(clean, low, first) ||
			     holds_8(clean, high, first), 0))
		return false;
	_mm256_store_si256((__m256i *)(set + 8), shifted_8(high, low));
	_mm256_store_si256((__m256i *)set, shifted_8(low, first));
	return true;
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

/* The lanes before `way` move up by one; `before` comes in. */
LANES_INLINE __m256i moved_8(__m256i lanes, __m256i before, __m256i way,
			     __m256i number)
{
	return _mm256_blendv_epi8(shifted_8(lanes, before), lanes,
				  _mm256_cmpgt_epi32(number, way));
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
	const uint32_t found = (uint32_t)_mm256_movemask_ps(
		_mm256_castsi256_ps(_mm256_cmpeq_epi32(low, want))) |
		(uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(
			_mm256_cmpeq_epi32(high, want))) << 8;
	const __m256i way = _mm256_set1_epi32(
		__builtin_ctz(found | 1u << last));

	_mm256_store_si256((__m256i *)set, moved_8(low, want, way,
		_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)));
	_mm256_store_si256((__m256i *)(set + 8), moved_8(high, low, way,
		_mm256_setr_epi32(8, 9, 10, 11, 12, 13, 14, 15)));
	return found;
}

LANES_INLINE uint32_t equal_16(const uint32_t *set, const uint32_t *key)
{
	const uint32_t low = equal_8(set, key);

	return low ? low : equal_8(set + 8, key) << 8;
}

LANES_INLINE uint32_t find_at_16(const uint32_t *set, const uint32_t *key)
{
	return find_at_8(set, key) | find_at_8(set + 8, key) << 8;
}

LANES_INLINE void turn_at_16(uint32_t *set, uint32_t found)
{
	uint32_t way;

	if (found & 0xff) {
		turn_at_8(set, found & 0xff);
		return;
	}
	way = (uint32_t)__builtin_ctz(found);
	push_16(set, way, set[way]);
}

/* With the set by its index in units of 4 bytes, which gcc would add. */
LANES_INLINE uint32_t take_8(uint32_t *entry, size_t index,
			     const uint32_t *key, uint32_t *out)
{
	const __m256i keys = all_8(key);
	__m256i same, lanes;
	uint32_t found;

	__asm__("vpcmpeqd (%2,%3,4), %1, %0"
		: "=x"(same)
		: "x"(keys), "r"(entry), "r"(index) : "memory");
	found = (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(same));
	__asm__("vpermd (%2,%3,4), %1, %0"
		: "=x"(lanes)
		: "x"(row_at_8(found)), "r"(entry), "r"(index) : "memory");
	_mm256_store_si256((__m256i *)(entry + index),
			   _mm256_blend_epi32(lanes, keys, 1));
	__asm__("vmovd %x1, %0" : "=m"(*out) : "x"(keys));
	return found;
}

LANES_INLINE uint32_t take_16(uint32_t *set, const uint32_t *key, uint32_t *out)
{
	const uint32_t found = equal_16(set, key);

	*out = *key;
	push_16(set, (uint32_t)__builtin_ctz(found | 1u << 15), *out);
	return found;
}

LANES_INLINE bool flagged_16(const uint32_t *set)
{
	return flagged_8(set) || flagged_8(set + 8);
}

#endif
