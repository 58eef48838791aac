/* SPDX-License-Identifier: MIT */
/*
 * Decodes four records at once where the page map chooses frames. Four loads of
 * whole slots are faster than two gathers. Included with LANES_TARGET defined.
 */
#ifndef SIM_ARCH_X86_64_MAPPED_4_H
#define SIM_ARCH_X86_64_MAPPED_4_H

#include "sim/arch/x86_64/lanes.h"
#include "sim/engine/engine.h"

_Static_assert(sizeof(struct page_slot) == 16 &&
	       offsetof(struct page_slot, virt) == 8 &&
	       offsetof(struct page_slot, frame) == 12,
	       "a slot is loaded as two words");

LANES_INLINE __m128i page_slot_of(const struct pages *p, uint64_t record)
{
	return _mm_loadu_si128((const __m128i *)&p->slot[
		record >> PAGE_BITS & (PAGE_SLOTS - 1)]);
}

/* The slots of two records, two records apart. */
LANES_INLINE __m256i slots_of(const struct pages *p, const uint64_t *record)
{
	return _mm256_inserti128_si256(
		_mm256_castsi128_si256(page_slot_of(p, record[0])),
		page_slot_of(p, record[2]), 1);
}

/* The low half of each of four words. */
LANES_INLINE __m128i low_halves(__m256i words)
{
	return _mm256_castsi256_si128(_mm256_permutevar8x32_epi32(
		words, _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7)));
}

/* Each shifted right, and the kept bits moved three to the left. */
LANES_INLINE __m256i field(__m256i word, unsigned right, uint64_t kept)
{
	return _mm256_slli_epi64(_mm256_and_si256(
		_mm256_srl_epi64(word, _mm_cvtsi32_si128((int)right)),
		_mm256_set1_epi64x((int64_t)kept)), 3);
}

ENGINE_INLINE bool ways_mapped_4(const struct pages *p, unsigned tlb_shift,
				 const uint64_t *record, uint32_t *key,
				 uint32_t *page, uint64_t *stores)
{
	const unsigned within = PAGE_BITS - p->line_shift;
	const __m256i r = _mm256_loadu_si256((const __m256i *)record);
	const __m256i number = _mm256_srli_epi64(_mm256_slli_epi64(r, 16),
						 16 + PAGE_BITS);
	const __m256i even = slots_of(p, record);
	const __m256i odd = slots_of(p, record + 1);
	const __m256i tag = _mm256_unpacklo_epi64(even, odd);
	const __m256i both = _mm256_unpackhi_epi64(even, odd);
	const __m256i last = _mm256_add_epi64(_mm256_sllv_epi64(
			_mm256_set1_epi64x(1), _mm256_and_si256(
				_mm256_srli_epi64(r, 56),
				_mm256_set1_epi64x(15))),
		_mm256_and_si256(r, _mm256_set1_epi64x(
			(1 << p->line_shift) - 1)));
	const __m256i right = _mm256_andnot_si256(
		_mm256_cmpgt_epi64(last, _mm256_set1_epi64x(
			1 << p->line_shift)),
		_mm256_cmpeq_epi64(tag, number));
	const __m256i kind = _mm256_srli_epi64(r, 60);
	const __m256i frame = _mm256_sll_epi64(_mm256_srli_epi64(both, 32),
		_mm_cvtsi32_si128((int)within + 3));

	if (_mm256_movemask_epi8(right) != -1 ||
	    !_mm256_testz_si256(kind, _mm256_set1_epi64x(14)))
		return false;
	*stores += (uint64_t)__builtin_popcount((unsigned)_mm256_movemask_pd(
		_mm256_castsi256_pd(_mm256_slli_epi64(r, 63 - 60))));
	_mm_storeu_si128((__m128i *)key, low_halves(_mm256_or_si256(
		_mm256_or_si256(frame, kind),
		field(r, p->line_shift, (1u << within) - 1))));
	_mm_storeu_si128((__m128i *)page, low_halves(field(
		both, tlb_shift, UINT32_MAX >> tlb_shift)));
	return true;
}

#endif
