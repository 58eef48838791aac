/* SPDX-License-Identifier: MIT */
/*
 * Decoding 16 records in vectors of 4 with AVX2. Included with ENGINE defined,
 * behind lanes-2x8.h.
 */
#ifndef SIM_ARCH_X86_64_RECORDS_2X4_H
#define SIM_ARCH_X86_64_RECORDS_2X4_H

#include "sim/arch/x86_64/lanes.h"

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

LANES_INLINE uint32_t sum_of(__m256i lanes)
{
	uint32_t lane[8] __attribute__((aligned(32))), sum = 0;

	_mm256_store_si256((__m256i *)lane, lanes);
	for (int i = 0; i < 8; i++)
		sum += lane[i];
	return sum;
}

ENGINE size_t decode(const uint64_t *record, size_t n, unsigned line_shift,
		     uint64_t limit, uint32_t *key, uint64_t *stores)
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

#endif
