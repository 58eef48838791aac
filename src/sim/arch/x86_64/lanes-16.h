/* SPDX-License-Identifier: MIT */
/* Sets of 16 lanes in one AVX-512 vector. Included with LANES_TARGET defined. */
#ifndef SIM_ARCH_X86_64_LANES_16_H
#define SIM_ARCH_X86_64_LANES_16_H

#include "sim/arch/x86_64/lanes.h"
#include "sim/arch/x86_64/masks.h"

LANES_INLINE __m512i all_16(const uint32_t *key)
{
	__m512i keys;

	__asm__("vpbroadcastd %1, %0" : "=v"(keys) : "m"(*key));
	return keys;
}

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

/* Makes *key the newest of a set of 32 to 64 lanes; was the key there? */
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
 * Makes n keys the newest, one after the other, of one set of 16 to 64 lanes
 * that is kept in registers.
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

#endif
