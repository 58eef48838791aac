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

LANES_INLINE void locate(const int lanes, const struct sets *s,
			 const uint32_t *key, uint32_t *offset)
{
	const __m256i keys = _mm256_loadu_si256((const __m256i *)key);
	const __m256i sets = _mm256_and_si256(keys,
		_mm256_set1_epi32((int)s->within));

	_mm256_store_si256((__m256i *)offset,
			   _mm256_slli_epi32(sets, __builtin_ctz((unsigned)
								 lanes / 2)));
	__asm__("" : "+m"(*(uint32_t (*)[8])offset));
}

LANES_INLINE unsigned fresh(const int lanes, const struct sets *s,
			    const uint32_t *key)
{
	const __m256i keys = _mm256_loadu_si256((const __m256i *)key);
	const __m256i sets = _mm256_and_si256(keys,
		_mm256_set1_epi32((int)s->within));
	const __m256i newest = _mm256_i32gather_epi32((const int *)s->entry,
		_mm256_slli_epi32(sets, __builtin_ctz((unsigned)lanes) - 3 < 0 ?
				  0 : __builtin_ctz((unsigned)lanes) - 3),
		lanes == 4 ? 2 : 4);
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

LANES_INLINE size_t keep(const uint32_t *key, unsigned kept, uint32_t *out)
{
	_mm256_storeu_si256((__m256i *)out, _mm256_permutevar8x32_epi32(
		_mm256_loadu_si256((const __m256i *)key), lanes_of(kept)));
	return (size_t)__builtin_popcount(kept);
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

/*
 * Decoding: 8 records as 8 low and 8 high halves; until the end, their order is
 * 0 1 4 5 2 3 6 7.
 */

#define HALVES(a, b, which) \
	_mm256_castps_si256(_mm256_shuffle_ps(_mm256_castsi256_ps(a), \
					      _mm256_castsi256_ps(b), which))

/* Of each half: 1 << log2 of the access's bytes. */
LANES_INLINE __m256i bytes_of(__m256i high)
{
	const __m256i log2 = _mm256_and_si256(_mm256_srli_epi32(high, 24),
					      _mm256_set1_epi32(15));

	return _mm256_sllv_epi32(_mm256_set1_epi32(1), log2);
}

struct decoder {
	__m256i within, line, other, numbers;
	__m256i small;		/* where 8 bytes may begin at most */
	__m256i odd;		/* other, sizes above 8, and high halves */
	__m128i right, left;
};

struct halves {
	__m256i low, high;
};

LANES_INLINE struct halves halves_of(const uint64_t *record)
{
	const __m256i a = _mm256_loadu_si256((const __m256i *)record);
	const __m256i b = _mm256_loadu_si256((const __m256i *)(record + 4));

	return (struct halves){ HALVES(a, b, 0x88), HALVES(a, b, 0xdd) };
}

/* A bit in each that is no load or store of one line. */
LANES_INLINE __m256i wrong_of(const struct decoder *d, struct halves h)
{
	const __m256i end = _mm256_add_epi32(bytes_of(h.high),
		_mm256_and_si256(h.low, d->within));

	return _mm256_or_si256(_mm256_cmpgt_epi32(end, d->line),
			       _mm256_and_si256(h.high, d->other));
}

/* ... and in some more, with less work. */
LANES_INLINE __m256i doubtful(const struct decoder *d, struct halves h)
{
	return _mm256_or_si256(
		_mm256_cmpgt_epi32(_mm256_and_si256(h.low, d->within),
				   d->small),
		_mm256_and_si256(h.high, d->odd));
}

/* Writes the keys; returns the kinds. low: are addresses below 2^32? */
LANES_INLINE __m256i keys_of(const struct decoder *d, struct halves h,
			     bool low, uint32_t *key)
{
	const __m256i kind = _mm256_srli_epi32(h.high, 28);
	__m256i number = _mm256_srl_epi32(h.low, d->right);

	if (!low)
		number = _mm256_or_si256(number,
					 _mm256_sll_epi32(h.high, d->left));
	number = _mm256_and_si256(number, d->numbers);
	_mm256_storeu_si256((__m256i *)key, _mm256_permute4x64_epi64(
		_mm256_or_si256(number, kind), 0xd8));
	return kind;
}

LANES_INLINE bool none(__m256i a, __m256i b)
{
	const __m256i both = _mm256_or_si256(a, b);

	return _mm256_testz_si256(both, both);
}

LEAN_TARGET static size_t decode(const uint64_t *record, size_t n,
				 unsigned line_shift, uint64_t limit,
				 uint32_t *key, uint64_t *stores)
{
	const struct decoder d = {
		.within = _mm256_set1_epi32((int)(1u << line_shift) - 1),
		.line = _mm256_set1_epi32((int)(1u << line_shift)),
		.other = _mm256_set1_epi32((int)(7u << 29 |
			(0xffffu & ~(uint32_t)((limit - 1) >> 32)))),
		.small = _mm256_set1_epi32((int)(1u << line_shift) - 8),
		.odd = _mm256_set1_epi32((int)(7u << 29 | 12u << 24 | 0xffffu)),
		.numbers = _mm256_set1_epi32((int)~LEVEL_FLAGS),
		.right = _mm_cvtsi32_si128((int)line_shift - 3),
		.left = _mm_cvtsi32_si128(35 - (int)line_shift),
	};
	__m256i stored = _mm256_setzero_si256(), kinds;
	struct halves a, b;
	size_t i = 0;

	for (; i + 16 <= n; i += 16) {
		a = halves_of(record + i);
		b = halves_of(record + i + 8);
		if (__builtin_expect(none(doubtful(&d, a), doubtful(&d, b)),
				     1))
			kinds = _mm256_add_epi32(
				keys_of(&d, a, true, key + i),
				keys_of(&d, b, true, key + i + 8));
		else if (none(wrong_of(&d, a), wrong_of(&d, b)))
			kinds = _mm256_add_epi32(
				keys_of(&d, a, false, key + i),
				keys_of(&d, b, false, key + i + 8));
		else
			break;
		stored = _mm256_add_epi32(stored, kinds);
	}
	for (; i + 8 <= n; i += 8) {
		a = halves_of(record + i);
		if (!none(wrong_of(&d, a), wrong_of(&d, a)))
			break;
		stored = _mm256_add_epi32(stored,
					  keys_of(&d, a, false, key + i));
	}
	*stores += sum_of(stored);
	return i;
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

LANES_INLINE uint32_t take(const int lanes, uint32_t *entry, size_t offset,
			   const uint32_t *key, uint32_t *out)
{
	uint32_t *set = (uint32_t *)((char *)entry + offset);

	return lanes == 4 ? take_4(set, key, out) :
	       lanes == 8 ? take_8(entry, offset, key, out) :
			    take_16(set, key, out);
}

LANES_INLINE bool flagged(const int lanes, const uint32_t *set)
{
	return lanes == 4 ? flagged_4(set) :
	       lanes == 8 ? flagged_8(set) : flagged_16(set);
}

#endif
