/* SPDX-License-Identifier: MIT */
/* Sets of 16 lanes in one AVX-512 vector. Included with LEAN_TARGET defined. */
#ifndef SIM_ARCH_X86_64_LANES_16_H
#define SIM_ARCH_X86_64_LANES_16_H

#include "sim/arch/x86_64/lanes.h"

LANES_INLINE uint32_t find_16(const uint32_t *set, uint32_t key)
{
	const __m512i lanes = _mm512_load_si512(set);
	const __m512i want = _mm512_set1_epi32((int)key);

	return _mm512_testn_epi32_mask(_mm512_xor_si512(lanes, want),
				       _mm512_set1_epi32((int)~LEVEL_FLAGS));
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
 * it was not there; returns if it was.
 */
LANES_INLINE bool renew_16(uint32_t *set, uint32_t last, uint32_t key)
{
	const __m512i lanes = _mm512_load_si512(set);
	const __m512i want = _mm512_set1_epi32((int)key);
	const uint32_t found = _mm512_cmpeq_epi32_mask(lanes, want);
	const uint32_t way = found | 1u << last;

	/* lanes up to the lowest of these get the one before them */
	_mm512_store_si512(set, _mm512_mask_alignr_epi32(
		lanes, (__mmask16)(way ^ (way - 1)), lanes, want, 15));
	return found;
}

#define RENEW_MANY

/* The same of 32 to 64 lanes. */
LANES_INLINE bool renew_many(const uint32_t stride, uint32_t *set,
			     uint32_t last, uint32_t key)
{
	const __m512i want = _mm512_set1_epi32((int)key);
	__m512i before = want, lanes;
	uint64_t found = 0, way;

	for (uint32_t w = 0; w < stride; w += 16)
		found |= (uint64_t)_mm512_cmpeq_epi32_mask(
			_mm512_load_si512(set + w), want) << w;
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

#endif
