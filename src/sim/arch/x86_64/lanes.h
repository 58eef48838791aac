/* SPDX-License-Identifier: MIT */
/*
 * Sets of 4 and 8 lanes in vectors: searching one, and turning it by a
 * permutation from a table. Included with LEAN_TARGET defined.
 */
#ifndef SIM_ARCH_X86_64_LANES_H
#define SIM_ARCH_X86_64_LANES_H

#include <immintrin.h>

#include "sim/level.h"

#define LANES_INLINE static inline __attribute__((always_inline)) LEAN_TARGET

/* Row p: where the lanes come from when lane p goes first. */
static const uint8_t turn_of_8[8][8] __attribute__((aligned(64))) = {
	{ 0, 1, 2, 3, 4, 5, 6, 7 }, { 1, 0, 2, 3, 4, 5, 6, 7 },
	{ 2, 0, 1, 3, 4, 5, 6, 7 }, { 3, 0, 1, 2, 4, 5, 6, 7 },
	{ 4, 0, 1, 2, 3, 5, 6, 7 }, { 5, 0, 1, 2, 3, 4, 6, 7 },
	{ 6, 0, 1, 2, 3, 4, 5, 7 }, { 7, 0, 1, 2, 3, 4, 5, 6 },
};

LANES_INLINE __m128i turned_4(const uint32_t *set, uint32_t way)
{
	const __m128i lanes = _mm_load_si128((const __m128i *)set);
	const __m128i from = _mm_cvtepu8_epi32(
		_mm_loadl_epi64((const __m128i *)turn_of_8[way]));

	return _mm_castps_si128(_mm_permutevar_ps(_mm_castsi128_ps(lanes),
						  from));
}

LANES_INLINE __m256i turned_8(const uint32_t *set, uint32_t way)
{
	const __m256i lanes = _mm256_load_si256((const __m256i *)set);
	const __m256i from = _mm256_cvtepu8_epi32(
		_mm_loadl_epi64((const __m128i *)turn_of_8[way]));

	return _mm256_permutevar8x32_epi32(lanes, from);
}

LANES_INLINE uint32_t find_4(const uint32_t *set, uint32_t key)
{
	const __m128i numbers = _mm_set1_epi32((int)~LEVEL_FLAGS);
	const __m128i lanes = _mm_load_si128((const __m128i *)set);
	const __m128i same = _mm_cmpeq_epi32(_mm_and_si128(lanes, numbers),
					     _mm_set1_epi32((int)key));

	return (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(same));
}

LANES_INLINE __m256i same_8(const uint32_t *set, uint32_t key)
{
	const __m256i numbers = _mm256_set1_epi32((int)~LEVEL_FLAGS);
	const __m256i lanes = _mm256_load_si256((const __m256i *)set);

	return _mm256_cmpeq_epi32(_mm256_and_si256(lanes, numbers),
				  _mm256_set1_epi32((int)key));
}

LANES_INLINE uint32_t find_8(const uint32_t *set, uint32_t key)
{
	return (uint32_t)_mm256_movemask_ps(
		_mm256_castsi256_ps(same_8(set, key)));
}

LANES_INLINE void turn_4(uint32_t *set, uint32_t way)
{
	_mm_store_si128((__m128i *)set, turned_4(set, way));
}

LANES_INLINE void turn_8(uint32_t *set, uint32_t way)
{
	_mm256_store_si256((__m256i *)set, turned_8(set, way));
}

LANES_INLINE void push_4(uint32_t *set, uint32_t way, uint32_t entry)
{
	_mm_store_si128((__m128i *)set,
			_mm_blend_epi32(turned_4(set, way),
					_mm_cvtsi32_si128((int)entry), 1));
}

LANES_INLINE void push_8(uint32_t *set, uint32_t way, uint32_t entry)
{
	const __m256i first = _mm256_castsi128_si256(
		_mm_cvtsi32_si128((int)entry));

	_mm256_store_si256((__m256i *)set,
			   _mm256_blend_epi32(turned_8(set, way), first, 1));
}

/* Row `found`: where lanes come from when this one goes first, or `last`. */
#define ROWS_OF_4(...) { \
	__VA_ARGS__, { 0, 1, 2, 3 }, { 1, 0, 2, 3 }, { 0 }, { 2, 0, 1, 3 }, \
	{ 0 }, { 0 }, { 0 }, { 3, 0, 1, 2 } }
static const uint8_t renew_of_4[4][9][8] __attribute__((aligned(64))) = {
	ROWS_OF_4({ 0, 1, 2, 3 }), ROWS_OF_4({ 1, 0, 2, 3 }),
	ROWS_OF_4({ 2, 0, 1, 3 }), ROWS_OF_4({ 3, 0, 1, 2 }),
};

/*
 * Makes the key the newest of lanes without flags, in place of lane `last` if
 * it was not there; returns if it was.
 */
LANES_INLINE bool renew_4(uint32_t *set, uint32_t last, uint32_t key)
{
	const __m128i lanes = _mm_load_si128((const __m128i *)set);
	const __m128i want = _mm_set1_epi32((int)key);
	const uint32_t found = (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(
		_mm_cmpeq_epi32(lanes, want)));
	const __m128i from = _mm_cvtepu8_epi32(_mm_loadl_epi64(
		(const __m128i *)renew_of_4[last][found]));
	const __m128i turned = _mm_castps_si128(_mm_permutevar_ps(
		_mm_castsi128_ps(lanes), from));

	_mm_store_si128((__m128i *)set, _mm_blend_epi32(turned, want, 1));
	return found;
}

#endif
