/* SPDX-License-Identifier: MIT */
/* Sets of 16 lanes as two halves. Included with LEAN_TARGET defined. */
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

/* All are ways as a rule. */
LANES_INLINE void push_out_16(uint32_t *set, uint32_t last, uint32_t entry)
{
	const __m256i low = _mm256_load_si256((const __m256i *)set);
	const __m256i high = _mm256_load_si256((const __m256i *)(set + 8));

	if (__builtin_expect(last != 15, 0)) {
		push_16(set, last, entry);
		return;
	}
	_mm256_store_si256((__m256i *)(set + 8), shifted_8(high, low));
	_mm256_store_si256((__m256i *)set, shifted_8(
		low, _mm256_set1_epi32((int)entry)));
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
	const __m256i same = _mm256_or_si256(same_as_8(clean, low, first),
					     same_as_8(clean, high, first));

	if (__builtin_expect(_mm256_movemask_epi8(same), 0))
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
			     const uint32_t *key)
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
	return found;
}

LANES_INLINE uint32_t take_16(uint32_t *set, const uint32_t *key)
{
	return renew_16(set, 15, key);
}

/* receive() of lean-loops.h: `held` is the entry that was there, or 0. */

LANES_INLINE uint32_t receive_4(uint32_t *set, const uint32_t *key)
{
	const __m128i numbers = _mm_set1_epi32((int)~LEVEL_FLAGS);
	const __m128i lanes = _mm_load_si128((const __m128i *)set);
	const __m128i same = _mm_cmpeq_epi32(_mm_and_si128(lanes, numbers),
		_mm_and_si128(all_4(key), numbers));
	const uint32_t found = (uint32_t)_mm_movemask_ps(
		_mm_castsi128_ps(same));
	const __m128i row = row_at_4(found);
	const __m128i turned = _mm_castps_si128(_mm_permutevar_ps(
		_mm_castsi128_ps(lanes), row));
	const __m128i held = _mm_castps_si128(_mm_permutevar_ps(
		_mm_castsi128_ps(_mm_and_si128(lanes, same)), row));

	_mm_store_si128((__m128i *)set, _mm_blend_epi32(turned,
		_mm_or_si128(held, _mm_loadu_si32(key)), 1));
	return found;
}

LANES_INLINE uint32_t receive_8(uint32_t *set, const uint32_t *key)
{
	const __m256i numbers = _mm256_set1_epi32((int)~LEVEL_FLAGS);
	const __m256i lanes = _mm256_load_si256((const __m256i *)set);
	const __m256i keys = all_8(key);
	const __m256i same = _mm256_cmpeq_epi32(
		_mm256_and_si256(lanes, numbers),
		_mm256_and_si256(keys, numbers));
	const uint32_t found = (uint32_t)_mm256_movemask_ps(
		_mm256_castsi256_ps(same));
	const __m256i row = row_at_8(found);
	const __m256i held = _mm256_permutevar8x32_epi32(
		_mm256_and_si256(lanes, same), row);

	_mm256_store_si256((__m256i *)set, _mm256_blend_epi32(
		_mm256_permutevar8x32_epi32(lanes, row),
		_mm256_or_si256(held, keys), 1));
	return found;
}

LANES_INLINE uint32_t receive_16(uint32_t *set, const uint32_t *key)
{
	const __m256i numbers = _mm256_set1_epi32((int)~LEVEL_FLAGS);
	const __m256i low = _mm256_load_si256((const __m256i *)set);
	const __m256i high = _mm256_load_si256((const __m256i *)(set + 8));
	const __m256i keys = _mm256_and_si256(all_8(key), numbers);
	const uint32_t found = bits_of_16(
		_mm256_cmpeq_epi32(_mm256_and_si256(low, numbers), keys),
		_mm256_cmpeq_epi32(_mm256_and_si256(high, numbers), keys));
	const uint32_t way = (uint32_t)__builtin_ctz(found | 1u << 15);
	const uint32_t flags = set[way] & (found ? LEVEL_FLAGS : 0);

	turn_16(set, low, high, way, _mm_cvtsi32_si128((int)(*key | flags)));
	return found;
}

LANES_INLINE bool flagged_16(const uint32_t *set)
{
	return flagged_8(set) || flagged_8(set + 8);
}

#endif
