/* SPDX-License-Identifier: MIT */
/* Eight branches at a time with AVX-512. Included with ENGINE_INLINE defined. */
#ifndef SIM_ARCH_X86_64_BRANCHES_8_H
#define SIM_ARCH_X86_64_BRANCHES_8_H

#include <immintrin.h>

#include "sim/arch/x86_64/masks.h"
#include "sim/sim.h"

#define TAKEN_8

/* Bit k: is number k taken? */
ENGINE_INLINE uint64_t taken_8(const uint64_t *outcome)
{
	return MASK(_mm512_test_epi64_mask(_mm512_loadu_si512(outcome),
					   _mm512_set1_epi64(SIM_TAKEN)));
}

#endif
