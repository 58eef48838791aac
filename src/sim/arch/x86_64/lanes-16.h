/* SPDX-License-Identifier: MIT */
/* Sets of 16 lanes in one AVX-512 vector. Included with LEAN_TARGET defined. */
#ifndef SIM_ARCH_X86_64_LANES_16_H
#define SIM_ARCH_X86_64_LANES_16_H

#include "sim/arch/x86_64/lanes.h"
#include "sim/arch/x86_64/masks.h"

/* Row p: where the lanes come from when lane p goes first. */
static const uint8_t turn_of_16[16][16] __attribute__((aligned(64))) = {
	{ 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 },
	{ 1, 0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 },
	{ 2, 0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 },
	{ 3, 0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 },
	{ 4, 0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 },
	{ 5, 0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 },
	{ 6, 0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15 },
	{ 7, 0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 15 },
	{ 8, 0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15 },
	{ 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15 },
	{ 10, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15 },
	{ 11, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14, 15 },
	{ 12, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15 },
	{ 13, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15 },
	{ 14, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15 },
	{ 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14 },
};

LANES_INLINE __m512i all_16(const uint32_t *key)
{
	__m512i keys;

	__asm__("vpbroadcastd %1, %0" : "=v"(keys) : "m"(*key));
	return keys;
}

/*
 * The lanes up to the lowest of a mask; all if it is empty. In mask registers:
 * the way through a general one takes longer than all the rest.
 */
#define UP_TO(name, type) \
LANES_INLINE type name(type found) \
{ \
	__mmask16 all; \
	type lanes; \
\
	__asm__("kxnorw %0, %0, %0" : "=k"(all)); \
	__asm__("kaddw %2, %1, %0\n\tkxorw %0, %1, %0" \
		: "=&k"(lanes) : "k"(found), "k"(all)); \
	return lanes; \
}
UP_TO(up_to_8, __mmask8)
UP_TO(up_to_16, __mmask16)

LANES_INLINE uint32_t find_16(const uint32_t *set, uint32_t key)
{
	const __m512i lanes = _mm512_load_si512(set);
	const __m512i want = _mm512_set1_epi32((int)key);

	return MASK(_mm512_testn_epi32_mask(
		_mm512_xor_si512(lanes, want),
		_mm512_set1_epi32((int)~LEVEL_FLAGS)));
}

LANES_INLINE void push_16(uint32_t *set, uint32_t way, uint32_t entry)
{
	const __m512i lanes = _mm512_load_si512(set);

	_mm512_store_si512(set, _mm512_mask_alignr_epi32(
		lanes, (__mmask16)((2u << way) - 1), lanes,
		_mm512_set1_epi32((int)entry), 15));
}

LANES_INLINE void push_out_16(uint32_t *set, uint32_t last, uint32_t entry)
{
	push_16(set, last, entry);
}

/*
 * Makes the key the newest of lanes without flags, in place of lane `last` if
 * it was not there; returns a bit for where it was, or 0.
 */
LANES_INLINE uint32_t renew_16(uint32_t *set, uint32_t last,
			       const uint32_t *key)
{
	const __m512i lanes = _mm512_load_si512(set);
	const __m512i want = all_16(key);
	const uint32_t found = MASK(
		_mm512_cmpeq_epi32_mask(lanes, want));
	const uint32_t way = found | 1u << last;

	/* lanes up to the lowest of these get the one before them */
	_mm512_store_si512(set, _mm512_mask_alignr_epi32(
		lanes, (__mmask16)_blsmsk_u32(way), lanes, want, 15));
	return found;
}

#define RENEW_MANY

/* The same of 32 to 64 lanes. */
LANES_INLINE bool renew_many(const uint32_t stride, uint32_t *set,
			     uint32_t last, const uint32_t *key)
{
	const __m512i want = all_16(key);
	__m512i before = want, lanes;
	uint64_t found = 0, way;

	for (uint32_t w = 0; w < stride; w += 16)
		found |= (uint64_t)MASK(_mm512_cmpeq_epi32_mask(
			_mm512_load_si512(set + w), want)) << w;
	way = found | UINT64_C(1) << last;
	way ^= way - 1;
	for (uint32_t w = 0; w < stride; w += 16) {
		lanes = _mm512_load_si512(set + w);
		_mm512_store_si512(set + w, _mm512_mask_alignr_epi32(
			lanes, (__mmask16)(way >> w), lanes, before, 15));
		before = lanes;
	}
	return found;
}

/*
 * The same of one set of 16 to 64 lanes for n keys, with the set in registers.
 * Returns how many were not there, and which of the keys these are.
 */
LANES_INLINE uint32_t renew_run(const uint32_t stride, uint32_t last,
				uint32_t *set, const uint32_t *key, size_t n,
				uint32_t *missed)
{
	const uint64_t all = (UINT64_C(2) << last) - 1;
	uint32_t newest = set[0], second = set[1], count = 0;
	__m512i lanes[4];

#pragma GCC unroll 4
	for (uint32_t w = 0; w < stride / 16; w++)
		lanes[w] = _mm512_load_si512(set + 16 * w);
	for (uint32_t i = 0; i < n; i++) {
		const __m512i want = _mm512_set1_epi32((int)key[i]);
		uint64_t found = 0;

		if (key[i] == newest)
			continue;
		if (key[i] == second) {
			lanes[0] = _mm512_mask_shuffle_epi32(
				lanes[0], 3, lanes[0], _MM_PERM_DCAB);
			second = newest;
			newest = key[i];
			continue;
		}
#pragma GCC unroll 4
		for (uint32_t w = 0; w < stride / 16; w++)
			found |= (uint64_t)MASK(_mm512_cmpeq_epi32_mask(
				lanes[w], want)) << 16 * w;
		/* a branch, so that one key need not wait for another */
		if (found) {
			found ^= found - 1;
		} else {
			missed[count++] = i;
			found = all;
		}
#pragma GCC unroll 4
		for (uint32_t w = stride / 16; w-- > 0;)
			lanes[w] = _mm512_mask_alignr_epi32(
				lanes[w], (__mmask16)(found >> 16 * w),
				lanes[w], w ? lanes[w - 1] : want, 15);
		second = newest;
		newest = key[i];
	}
#pragma GCC unroll 4
	for (uint32_t w = 0; w < stride / 16; w++)
		_mm512_store_si512(set + 16 * w, lanes[w]);
	return count;
}

LANES_INLINE bool enter_8(bool clean, uint32_t *set, const uint32_t *key)
{
	const __m256i lanes = _mm256_load_si256((const __m256i *)set);
	const __m256i first = all_8(key);

	/* through a mask register takes longer */
	if (__builtin_expect(holds_8(clean, lanes, first), 0))
		return false;
	_mm256_store_si256((__m256i *)set,
			   _mm256_alignr_epi32(lanes, first, 7));
	return true;
}

LANES_INLINE bool enter_16(bool clean, uint32_t *set, const uint32_t *key)
{
	const __m512i lanes = _mm512_load_si512(set), first = all_16(key);

	if (__builtin_expect(clean ? _mm512_cmpeq_epi32_mask(lanes, first) :
			     _mm512_cmple_epu32_mask(
				_mm512_xor_si512(lanes, first),
				_mm512_set1_epi32(LEVEL_FLAGS)), 0))
		return false;
	_mm512_store_si512(set, _mm512_alignr_epi32(lanes, first, 15));
	return true;
}

LANES_INLINE uint32_t find_at_16(const uint32_t *set, const uint32_t *key)
{
	return MASK(_mm512_testn_epi32_mask(
		_mm512_xor_si512(_mm512_load_si512(set), all_16(key)),
		_mm512_set1_epi32((int)~LEVEL_FLAGS)));
}

LANES_INLINE uint32_t equal_16(const uint32_t *set, const uint32_t *key)
{
	return MASK(_mm512_cmpeq_epi32_mask(_mm512_load_si512(set),
						  all_16(key)));
}

LANES_INLINE void turn_at_16(uint32_t *set, uint32_t found)
{
	const __m512i from = _mm512_cvtepu8_epi32(_mm_load_si128(
		(const __m128i *)turn_of_16[__builtin_ctz(found)]));

	_mm512_store_si512(set, _mm512_permutexvar_epi32(
		from, _mm512_load_si512(set)));
}

LANES_INLINE uint32_t take_8(uint32_t *entry, size_t index,
			     const uint32_t *key)
{
	uint32_t *set = entry + index;
	const __m256i lanes = _mm256_load_si256((const __m256i *)set);
	const __m256i keys = all_8(key);
	const __mmask8 found = MASK(_mm256_cmpeq_epi32_mask(lanes, keys));

	/* these get the one before them */
	_mm256_store_si256((__m256i *)set, _mm256_mask_alignr_epi32(
		lanes, up_to_8(found), lanes, keys, 7));
	return found;
}

LANES_INLINE uint32_t take_16(uint32_t *set, const uint32_t *key)
{
	const __m512i lanes = _mm512_load_si512(set), keys = all_16(key);
	const __mmask16 found = MASK(_mm512_cmpeq_epi32_mask(lanes, keys));

	_mm512_store_si512(set, _mm512_mask_alignr_epi32(
		lanes, up_to_16(found), lanes, keys, 15));
	return found;
}

/* receive() of lean-loops.h: `held` is the entry that was there, or 0. */

LANES_INLINE uint32_t receive_4(uint32_t *set, const uint32_t *key)
{
	const __m128i numbers = _mm_set1_epi32((int)~LEVEL_FLAGS);
	const __m128i lanes = _mm_load_si128((const __m128i *)set);
	const __m128i keys = all_4(key);
	const __mmask8 found = MASK(_mm_testn_epi32_mask(
		_mm_xor_si128(lanes, keys), numbers));
	const __m128i held = _mm_maskz_compress_epi32(found, lanes);
	const __m128i turned = _mm_mask_alignr_epi32(
		lanes, up_to_8(found), lanes, keys, 3);

	_mm_store_si128((__m128i *)set, _mm_or_si128(turned, held));
	return found;
}

LANES_INLINE uint32_t receive_8(uint32_t *set, const uint32_t *key)
{
	const __m256i numbers = _mm256_set1_epi32((int)~LEVEL_FLAGS);
	const __m256i lanes = _mm256_load_si256((const __m256i *)set);
	const __m256i keys = all_8(key);
	const __mmask8 found = MASK(_mm256_testn_epi32_mask(
		_mm256_xor_si256(lanes, keys), numbers));
	const __m256i held = _mm256_maskz_compress_epi32(found, lanes);
	const __m256i turned = _mm256_mask_alignr_epi32(
		lanes, up_to_8(found), lanes, keys, 7);

	_mm256_store_si256((__m256i *)set, _mm256_or_si256(turned, held));
	return found;
}

LANES_INLINE uint32_t receive_16(uint32_t *set, const uint32_t *key)
{
	const __m512i numbers = _mm512_set1_epi32((int)~LEVEL_FLAGS);
	const __m512i lanes = _mm512_load_si512(set);
	const __m512i keys = all_16(key);
	const __mmask16 found = MASK(_mm512_testn_epi32_mask(
		_mm512_xor_si512(lanes, keys), numbers));
	const __m512i held = _mm512_maskz_compress_epi32(found, lanes);

	_mm512_store_si512(set, _mm512_or_si512(held, _mm512_mask_alignr_epi32(
		lanes, up_to_16(found), lanes, keys, 15)));
	return found;
}

/* Each of 8 keys, and behind it the write-back of `old` if that was dirty. */
LANES_INLINE size_t interleave(const uint32_t *key, const uint32_t *old,
				 uint32_t *out)
{
	const __m512i by_turns = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19,
						   4, 20, 5, 21, 6, 22, 7, 23);
	const __m512i keys = _mm512_castsi256_si512(
		_mm256_loadu_si256((const __m256i *)key));
	const __m512i olds = _mm512_castsi256_si512(
		_mm256_loadu_si256((const __m256i *)old));
	const __m512i both = _mm512_permutex2var_epi32(keys, by_turns, olds);
	const uint32_t which = 0x5555 | MASK(_mm512_test_epi32_mask(
		both, _mm512_set1_epi32(LEVEL_DIRTY)));

	_mm512_storeu_si512(out, _mm512_maskz_compress_epi32(
		(__mmask16)which, _mm512_mask_or_epi32(both, 0xaaaa, both,
			_mm512_set1_epi32(LEVEL_FLAGS & 3))));
	return (size_t)__builtin_popcount(which);
}

LANES_INLINE bool flagged_16(const uint32_t *set)
{
	return _mm512_test_epi32_mask(_mm512_load_si512(set),
				      _mm512_set1_epi32(LEVEL_FLAGS));
}

#endif
