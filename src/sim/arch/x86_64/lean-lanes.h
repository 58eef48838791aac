/* SPDX-License-Identifier: MIT */
/*
 * What the AVX2 and AVX-512 loops share: 8 entries or records at once, and sets
 * by their width. Included with LEAN_TARGET defined, behind the header that has
 * sets of 16 lanes.
 */
#ifndef SIM_ARCH_X86_64_LEAN_LANES_H
#define SIM_ARCH_X86_64_LEAN_LANES_H

#include "sim/arch/x86_64/lanes.h"
#include "sim/arch/x86_64/units.h"

/* The primitives of lean-loops.h for blocks of 8. */

LANES_INLINE bool odd(const uint32_t *key)
{
	return !_mm256_testz_si256(
		_mm256_loadu_si256((const __m256i *)key),
		_mm256_set1_epi32(LEVEL_FLAGS & ~LEVEL_DIRTY));
}

LANES_INLINE bool loads_only(const uint32_t *key)
{
	return _mm256_testz_si256(_mm256_loadu_si256((const __m256i *)key),
				  _mm256_set1_epi32(LEVEL_FLAGS));
}

LANES_INLINE bool loads_only_32(const uint32_t *key)
{
	__m256i all = _mm256_loadu_si256((const __m256i *)key);

#pragma GCC unroll 4
	for (int i = 8; i < 32; i += 8)
		all = _mm256_or_si256(all, _mm256_loadu_si256(
			(const __m256i *)(key + i)));
	return _mm256_testz_si256(all, _mm256_set1_epi32(LEVEL_FLAGS));
}

LANES_INLINE __m256i newest_of(const int lanes, const uint32_t *entry,
			       __m256i sets)
{
	if (lanes == 4)
		return _mm256_i32gather_epi32((const int *)entry, sets, 2);
	return _mm256_i32gather_epi32((const int *)entry, _mm256_slli_epi32(
		sets, __builtin_ctz((unsigned)lanes) - 3), 4);
}

LANES_INLINE unsigned fresh(const int lanes, const struct sets *s,
			    const uint32_t *key)
{
	const __m256i keys = _mm256_loadu_si256((const __m256i *)key);
	const __m256i sets = _mm256_and_si256(keys,
		_mm256_set1_epi32((int)s->within));
	const __m256i newest = newest_of(lanes, s->entry, sets);
	const __m256i dirty = _mm256_and_si256(newest, _mm256_set1_epi32(1));
	const __m256i differ = _mm256_andnot_si256(dirty,
		_mm256_xor_si256(newest, keys));

	return signs(_mm256_cmpeq_epi32(differ, _mm256_setzero_si256()));
}

LANES_INLINE unsigned others(const int lanes, const struct sets *s,
			     const uint32_t *key)
{
	(void)lanes;
	return others_8(s->within, key);
}

LANES_INLINE void split(const uint32_t *entry, uint32_t *key, uint32_t *dirty)
{
	const __m256i all = _mm256_loadu_si256((const __m256i *)entry);
	const __m256i numbers = _mm256_set1_epi32((int)~LEVEL_FLAGS);
	const __m256i both = _mm256_and_si256(all, _mm256_srli_epi32(all, 1));

	_mm256_store_si256((__m256i *)key, _mm256_and_si256(all, numbers));
	_mm256_store_si256((__m256i *)dirty,
			   _mm256_and_si256(both, _mm256_set1_epi32(1)));
}

LANES_INLINE void settle(const uint32_t *entry, uint32_t *line)
{
	const __m256i all = _mm256_loadu_si256((const __m256i *)entry);
	const __m256i numbers = _mm256_and_si256(all,
		_mm256_set1_epi32((int)~LEVEL_FLAGS));
	const __m256i both = _mm256_and_si256(_mm256_srli_epi32(all, 1),
		_mm256_and_si256(all, _mm256_set1_epi32(LEVEL_DIRTY)));

	_mm256_store_si256((__m256i *)line, _mm256_or_si256(numbers, both));
}

LANES_INLINE size_t keep_lanes(__m256i lanes, unsigned which, uint32_t *out)
{
	_mm256_storeu_si256((__m256i *)out, _mm256_permutevar8x32_epi32(
		lanes, lanes_of(which)));
	return (size_t)__builtin_popcount(which);
}

LANES_INLINE __m256i missing(const uint32_t *found)
{
	return _mm256_cmpeq_epi32(_mm256_loadu_si256((const __m256i *)found),
				  _mm256_setzero_si256());
}

LANES_INLINE unsigned absent(const uint32_t *found)
{
	return signs(missing(found));
}

LANES_INLINE size_t keep(const uint32_t *found, const uint32_t *key,
			 uint32_t *out)
{
	return keep_lanes(_mm256_loadu_si256((const __m256i *)key),
			  absent(found), out);
}

/*
 * Keys and the write-backs of old entries by turns, those of which the sign is
 * set. The vectors' halves are 0 1 4 5 and 2 3 6 7 of each.
 */
LANES_INLINE size_t keep_by_turns(__m256i keys, __m256i asked, __m256i olds,
				  __m256i dirty, uint32_t *out)
{
	const __m256i backs = _mm256_or_si256(olds,
		_mm256_set1_epi32(LEAN_WRITEBACK));
	const __m256i a = _mm256_unpacklo_epi32(keys, backs);
	const __m256i b = _mm256_unpackhi_epi32(keys, backs);
	const unsigned in_a = signs(_mm256_unpacklo_epi32(asked, dirty));
	const unsigned in_b = signs(_mm256_unpackhi_epi32(asked, dirty));
	const size_t first = keep_lanes(
		_mm256_permute2x128_si256(a, b, 0x20),
		(in_a & 0xf) | (in_b & 0xf) << 4, out);

	return first + keep_lanes(_mm256_permute2x128_si256(a, b, 0x31),
				  in_a >> 4 | (in_b & 0xf0), out + first);
}

LANES_INLINE size_t send(const uint32_t *found, const uint32_t *entry,
			 const uint32_t *old, uint32_t *out, uint32_t *lost)
{
	const __m256i all = _mm256_loadu_si256((const __m256i *)entry);
	const __m256i olds = _mm256_loadu_si256((const __m256i *)old);
	const __m256i missed = missing(found);
	const __m256i backs = _mm256_and_si256(missed, _mm256_srai_epi32(
		_mm256_slli_epi32(_mm256_and_si256(
			all, _mm256_srli_epi32(all, 1)), 31), 31));
	const __m256i asked = _mm256_andnot_si256(backs, missed);
	const __m256i dirty = _mm256_and_si256(missed,
		_mm256_slli_epi32(olds, 31));

	*lost += (uint32_t)__builtin_popcount(signs(backs));
	if (_mm256_testz_si256(dirty, dirty))
		return keep_lanes(all, signs(asked), out);
	return keep_by_turns(all, asked, olds, dirty, out);
}

LANES_INLINE uint32_t sum_of(__m256i lanes)
{
	uint32_t lane[8] __attribute__((aligned(32))), sum = 0;

	_mm256_store_si256((__m256i *)lane, lanes);
	for (int i = 0; i < 8; i++)
		sum += lane[i];
	return sum;
}

LANES_INLINE void codes(const uint32_t *entry, uint32_t n, uint32_t *low,
			uint32_t *high, uint32_t *both)
{
	const __m256i one = _mm256_set1_epi32(1);
	__m256i lows = _mm256_setzero_si256(), highs = lows, boths = lows;

	for (uint32_t i = 0; i < n; i += 8) {
		while (i + 32 <= n && loads_only_32(entry + i))
			i += 32;
		if (i >= n)
			break;
		const __m256i a = _mm256_loadu_si256((const __m256i *)
						     (entry + i));
		const __m256i b = _mm256_srli_epi32(a, 1);

		lows = _mm256_add_epi32(lows, _mm256_and_si256(a, one));
		highs = _mm256_add_epi32(highs, _mm256_and_si256(b, one));
		boths = _mm256_add_epi32(boths, _mm256_and_si256(
			_mm256_and_si256(a, b), one));
	}
	*low = sum_of(lows);
	*high = sum_of(highs);
	*both = sum_of(boths);
}

/* Sets of any of the three widths. */

LANES_INLINE uint32_t find(const int lanes, const uint32_t *set, uint32_t key)
{
	return lanes == 4 ? find_4(set, key) :
	       lanes == 8 ? find_8(set, key) : find_16(set, key);
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

LANES_INLINE void push_out(const int lanes, uint32_t *set, uint32_t last,
			   uint32_t entry)
{
	if (lanes == 16)
		push_out_16(set, last, entry);
	else
		push(lanes, set, last, entry);
}

LANES_INLINE bool enter(const int lanes, bool clean, uint32_t *set,
			const uint32_t *key)
{
	return lanes == 4 ? enter_4(clean, set, key) :
	       lanes == 8 ? enter_8(clean, set, key) :
			    enter_16(clean, set, key);
}

LANES_INLINE uint32_t find_at(const int lanes, const uint32_t *set,
			      const uint32_t *key)
{
	return lanes == 4 ? find_at_4(set, key) :
	       lanes == 8 ? find_at_8(set, key) : find_at_16(set, key);
}

LANES_INLINE uint32_t equal(const int lanes, const uint32_t *set,
			    const uint32_t *key)
{
	return lanes == 4 ? equal_4(set, key) :
	       lanes == 8 ? equal_8(set, key) : equal_16(set, key);
}

LANES_INLINE void turn_at(const int lanes, uint32_t *set, uint32_t found)
{
	if (lanes == 4)
		turn_at_4(set, found);
	else if (lanes == 8)
		turn_at_8(set, found);
	else
		turn_at_16(set, found);
}

LANES_INLINE void push_at(const int lanes, uint32_t *set, uint32_t found,
			  uint32_t entry)
{
	if (lanes == 4)
		push_at_4(set, found, entry);
	else if (lanes == 8)
		push_at_8(set, found, entry);
	else
		push_16(set, (uint32_t)__builtin_ctz(found), entry);
}

LANES_INLINE uint32_t receive(const int lanes, uint32_t *set,
			      const uint32_t *key)
{
	return lanes == 4 ? receive_4(set, key) :
	       lanes == 8 ? receive_8(set, key) : receive_16(set, key);
}

LANES_INLINE uint32_t take(const int lanes, uint32_t *entry, size_t index,
			   const uint32_t *key)
{
	uint32_t *set = (uint32_t *)((char *)entry +
				     index * (size_t)(lanes / 2));

	return lanes == 4 ? take_4(set, key) :
	       lanes == 8 ? take_8(entry, index, key) : take_16(set, key);
}

LANES_INLINE bool flagged(const int lanes, const uint32_t *set)
{
	return lanes == 4 ? flagged_4(set) :
	       lanes == 8 ? flagged_8(set) : flagged_16(set);
}

#endif
