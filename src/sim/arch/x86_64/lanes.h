/* SPDX-License-Identifier: MIT */
/*
 * Sets of 4 and 8 lanes in vectors: searching one, and turning it by a
 * permutation from a table. Included with LANES_TARGET defined.
 */
#ifndef SIM_ARCH_X86_64_LANES_H
#define SIM_ARCH_X86_64_LANES_H

/* What follows takes constants through functions. */
#ifndef __OPTIMIZE__
#pragma GCC optimize("O1")
#endif

#include <immintrin.h>

#include "sim/model/level.h"

#define LANES_INLINE static inline __attribute__((always_inline)) LANES_TARGET

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

/* A key in all lanes; gcc takes a way round through a scalar register. */
LANES_INLINE __m128i all_4(const uint32_t *key)
{
	__m128i keys;

	__asm__("vpbroadcastd %1, %0" : "=x"(keys) : "m"(*key));
	return keys;
}

LANES_INLINE __m256i all_8(const uint32_t *key)
{
	__m256i keys;

	__asm__("vpbroadcastd %1, %0" : "=x"(keys) : "m"(*key));
	return keys;
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
 * it was not there; returns a bit for where it was, or 0.
 */
LANES_INLINE uint32_t renew_4(uint32_t *set, uint32_t last,
			      const uint32_t *key)
{
	const __m128i lanes = _mm_load_si128((const __m128i *)set);
	const __m128i want = all_4(key);
	const uint32_t found = (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(
		_mm_cmpeq_epi32(lanes, want)));
	const uint8_t (*const rows)[8] = renew_of_4[last];
	const __m128i from = _mm_cvtepu8_epi32(_mm_loadu_si32(rows[found]));
	const __m128i turned = _mm_castps_si128(_mm_permutevar_ps(
		_mm_castsi128_ps(lanes), from));

	_mm_store_si128((__m128i *)set, _mm_blend_epi32(turned, want, 1));
	return found;
}

/* Entries without flags, to the last bit. */

LANES_INLINE uint32_t equal_8(const uint32_t *set, const uint32_t *key)
{
	__m256i same;

	__asm__("vpbroadcastd %1, %0\n\tvpcmpeqd %2, %0, %0"
		: "=&x"(same) : "m"(*key), "m"(*(const __m256i *)set));
	return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(same));
}

/* By a mask, of which the lowest bit counts. */

LANES_INLINE unsigned signs(__m256i lanes)
{
	return (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(lanes));
}

/* A bit for each of 8 keys that does not repeat. */
LANES_INLINE unsigned others_8(uint32_t within, const uint32_t *key)
{
	const __m256i keys = _mm256_loadu_si256((const __m256i *)key);
	const __m256i one = _mm256_loadu_si256((const __m256i *)(key - 1));
	const __m256i two = _mm256_loadu_si256((const __m256i *)(key - 2));
	const __m256i apart = _mm256_and_si256(_mm256_xor_si256(keys, one),
					       _mm256_set1_epi32((int)within));
	const __m256i again = _mm256_or_si256(_mm256_cmpeq_epi32(keys, one),
		_mm256_and_si256(apart, _mm256_cmpeq_epi32(keys, two)));

	return signs(_mm256_cmpeq_epi32(again, _mm256_setzero_si256()));
}

/* Which lanes are in a mask, as bytes of a word from the lowest on. */
#define IN(mask, i) ((mask) >> (i) & 1)
#define BELOW_3(mask) (IN(mask, 0) + IN(mask, 1) + IN(mask, 2))
#define BELOW_5(mask) (BELOW_3(mask) + IN(mask, 3) + IN(mask, 4))
#define LANE(mask, i, below) (UINT64_C(i) * IN(mask, i) << 8 * (below))
#define LANES_1(mask) \
	(LANE(mask, 1, IN(mask, 0)) | \
	 LANE(mask, 2, IN(mask, 0) + IN(mask, 1)) | \
	 LANE(mask, 3, BELOW_3(mask)) | \
	 LANE(mask, 4, BELOW_3(mask) + IN(mask, 3)) | \
	 LANE(mask, 5, BELOW_5(mask)) | \
	 LANE(mask, 6, BELOW_5(mask) + IN(mask, 5)) | \
	 LANE(mask, 7, (BELOW_5(mask) + IN(mask, 5) + IN(mask, 6)) & 7))
#define LANES_4(mask) LANES_1(mask), LANES_1((mask) + 1), \
	LANES_1((mask) + 2), LANES_1((mask) + 3)
#define LANES_16(mask) LANES_4(mask), LANES_4((mask) + 4), \
	LANES_4((mask) + 8), LANES_4((mask) + 12)
#define LANES_64(mask) LANES_16(mask), LANES_16((mask) + 16), \
	LANES_16((mask) + 32), LANES_16((mask) + 48)

static const uint64_t lanes_in[256] __attribute__((aligned(64))) = {
	LANES_64(0), LANES_64(64), LANES_64(128), LANES_64(192)
};

LANES_INLINE __m256i lanes_of(unsigned mask)
{
	return _mm256_cvtepu8_epi32(
		_mm_loadl_epi64((const __m128i *)(lanes_in + mask)));
}

#endif
