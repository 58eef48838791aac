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

#define RUN_LANES 160

/* The lowest bit; there is one. */
LANES_INLINE uint32_t lowest_of(const uint64_t *word)
{
	uint32_t at = 0;

	while (!word[at])
		at++;
	return 64 * at + (uint32_t)__builtin_ctzll(word[at]);
}

/*
 * Makes n keys the newest, one after the other, of one set of 16 to 160 lanes
 * that is kept in registers.
 * Returns how many were not there, and which of the keys these are.
 */
LANES_INLINE uint32_t renew_run(const uint32_t stride, uint32_t last,
				uint32_t *set, const uint32_t *key, size_t n,
				uint32_t *missed)
{
	const __m512i place = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
						10, 11, 12, 13, 14, 15);
	uint32_t newest = set[0], second = set[1], count = 0;
	__m512i lanes[RUN_LANES / 16];

#pragma GCC unroll 10
	for (uint32_t w = 0; w < stride / 16; w++)
		lanes[w] = _mm512_load_si512(set + 16 * w);
	for (uint32_t i = 0; i < n; i++) {
		const __m512i want = _mm512_set1_epi32((int)key[i]);
		uint64_t found[(RUN_LANES + 63) / 64] = { 0 };
		uint32_t way = last;
		__m512i moved;

		if (key[i] == newest)
			continue;
		if (key[i] == second) {
			lanes[0] = _mm512_mask_shuffle_epi32(
				lanes[0], 3, lanes[0], _MM_PERM_DCAB);
			second = newest;
			newest = key[i];
			continue;
		}
#pragma GCC unroll 10
		for (uint32_t w = 0; w < stride / 16; w++)
			found[w / 4] |= (uint64_t)MASK(_mm512_cmpeq_epi32_mask(
				lanes[w], want)) << 16 * (w % 4);
		/* a branch, so that one key need not wait for another */
		if (found[0] | found[1] | found[2])
			way = lowest_of(found);
		else
			missed[count++] = i;
		moved = _mm512_set1_epi32((int)way);
#pragma GCC unroll 10
		for (uint32_t w = stride / 16; w-- > 0;)
			lanes[w] = _mm512_mask_alignr_epi32(
				lanes[w], _mm512_cmple_epi32_mask(
					_mm512_add_epi32(place, _mm512_set1_epi32(
						(int)(16 * w))), moved),
				lanes[w], w ? lanes[w - 1] : want, 15);
		second = newest;
		newest = key[i];
	}
#pragma GCC unroll 10
	for (uint32_t w = 0; w < stride / 16; w++)
		_mm512_store_si512(set + 16 * w, lanes[w]);
	return count;
}

#endif
