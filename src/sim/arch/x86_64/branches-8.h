/* SPDX-License-Identifier: MIT */
/* Eight branches at a time with AVX-512. Included with ENGINE_INLINE defined. */
#ifndef SIM_ARCH_X86_64_BRANCHES_8_H
#define SIM_ARCH_X86_64_BRANCHES_8_H

#include <immintrin.h>

#include "sim/state.h"

#define LISTS_8

/* Adds those at `from` on, up to one that is several; how many. */
ENGINE_INLINE uint32_t list_8(struct listing *to, uint64_t *pc,
			      const struct sim_branch *of, uint32_t from)
{
	const __m512i even = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14);
	const __m512i odd = _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15);
	const __m512i taken = _mm512_set1_epi64(BRANCH_TAKEN);
	const __m512i one = _mm512_set1_epi64(1);
	const __m512i low = _mm512_loadu_si512(of);
	const __m512i high = _mm512_loadu_si512(of + 4);
	const __m512i record = _mm512_permutex2var_epi64(low, odd, high);
	const __m512i differs = _mm512_xor_si512(
		_mm512_andnot_si512(taken, record),
		_mm512_set1_epi64((int64_t)BRANCH_ONCE));
	const uint32_t several = _mm512_cmplt_epu64_mask(
		_mm512_sub_epi64(differs, one),
		_mm512_set1_epi64(BRANCH_SEVERAL));
	const uint32_t given = (uint32_t)__builtin_ctz(several | 1u << 8);
	const uint32_t is = _mm512_testn_epi64_mask(differs, differs) &
			    ((1u << given) - 1);
	const uint32_t outcomes = _mm512_test_epi64_mask(record, taken);

	_mm512_storeu_si512(pc + to->count, _mm512_maskz_compress_epi64(
		(__mmask8)is, _mm512_permutex2var_epi64(low, even, high)));
	to->conditional |= (uint64_t)is << from;
	to->taken |= (uint64_t)_pext_u32(outcomes, is) << (to->count & 63);
	to->count += (uint32_t)__builtin_popcount(is);
	return given;
}

#endif
