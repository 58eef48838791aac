/* SPDX-License-Identifier: MIT */
/*
 * Decoding 8 records in a vector with AVX-512. Included with ENGINE defined,
 * behind lanes-16.h.
 */
#ifndef SIM_ARCH_X86_64_RECORDS_8_H
#define SIM_ARCH_X86_64_RECORDS_8_H

#include "sim/arch/x86_64/lanes.h"
#include "sim/arch/x86_64/masks.h"

struct decoder {
	__m512i within, line, numbers;
	__m512i small;		/* where 8 bytes may begin at most */
	__m512i other;		/* kinds but load and store, and addresses */
	__m512i odd;		/* ... and sizes above 8 */
	__m128i right;
};

/* Does one not lie in a line, or is no load or store? */
LANES_INLINE bool wrong(const struct decoder *d, __m512i record)
{
	const __m512i log2 = _mm512_and_si512(
		_mm512_srli_epi64(record, 56), _mm512_set1_epi64(15));
	const __m512i end = _mm512_add_epi64(
		_mm512_sllv_epi64(_mm512_set1_epi64(1), log2),
		_mm512_and_si512(record, d->within));

	return MASK(_mm512_cmpgt_epi64_mask(end, d->line)) |
	       MASK(_mm512_test_epi64_mask(record, d->other));
}

/* ... or is a large one? With less work. */
LANES_INLINE bool doubtful(const struct decoder *d, __m512i a, __m512i b)
{
	const __mmask8 far_a = MASK(_mm512_cmpgt_epi64_mask(
		_mm512_and_si512(a, d->within), d->small));
	const __mmask8 far_b = MASK(_mm512_cmpgt_epi64_mask(
		_mm512_and_si512(b, d->within), d->small));

	return far_a | far_b |
	       MASK(_mm512_test_epi64_mask(_mm512_or_si512(a, b), d->odd));
}

/* Writes the keys; returns the kinds. */
LANES_INLINE __m512i keys_of(const struct decoder *d, __m512i record,
			     uint32_t *key)
{
	const __m512i kind = _mm512_srli_epi64(record, 60);
	const __m512i number = _mm512_srl_epi64(record, d->right);

	/* numbers, or else the kind */
	_mm256_storeu_si256((__m256i *)key, _mm512_cvtepi64_epi32(
		_mm512_ternarylogic_epi64(d->numbers, number, kind, 0xca)));
	return kind;
}

ENGINE size_t decode(const uint64_t *record, size_t n, unsigned line_shift,
		     uint64_t limit, uint32_t *key, uint64_t *stores)
{
	const uint64_t other = UINT64_C(7) << 61 |
			       (ACCESS_OPERAND_MASK & ~(limit - 1));
	const struct decoder d = {
		.within = _mm512_set1_epi64((1 << line_shift) - 1),
		.line = _mm512_set1_epi64(1 << line_shift),
		.numbers = _mm512_set1_epi64(~(int64_t)LEVEL_FLAGS),
		.small = _mm512_set1_epi64((1 << line_shift) - 8),
		.other = _mm512_set1_epi64((int64_t)other),
		.odd = _mm512_set1_epi64((int64_t)(other |
						   UINT64_C(12) << 56)),
		.right = _mm_cvtsi32_si128((int)line_shift - 3),
	};
	__m512i stored = _mm512_setzero_si512(), a, b;
	size_t i = 0;

	for (; i + 16 <= n; i += 16) {
		a = _mm512_loadu_si512(record + i);
		b = _mm512_loadu_si512(record + i + 8);
		if (__builtin_expect(doubtful(&d, a, b), 0) &&
		    (wrong(&d, a) || wrong(&d, b)))
			break;
		stored = _mm512_add_epi64(stored, _mm512_add_epi64(
			keys_of(&d, a, key + i), keys_of(&d, b, key + i + 8)));
	}
	for (; i + 8 <= n; i += 8) {
		a = _mm512_loadu_si512(record + i);
		if (wrong(&d, a))
			break;
		stored = _mm512_add_epi64(stored, keys_of(&d, a, key + i));
	}
	*stores += (uint64_t)_mm512_reduce_add_epi64(stored);
	return i;
}

#endif
