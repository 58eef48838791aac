/* SPDX-License-Identifier: MIT */
/* The engine with AVX2. */
#define LEAN_TARGET __attribute__((target("avx2,bmi,bmi2,popcnt")))
#define ENGINE static LEAN_TARGET
#define ENGINE_INLINE static inline __attribute__((always_inline)) LEAN_TARGET
#include "sim/arch/x86_64/lanes-2x8.h"

#define WAYS_NEAR 16
ENGINE_INLINE bool ways_turn_8(uint32_t stride, uint32_t within,
			       uint32_t *entry, const uint32_t *key)
{
#pragma GCC unroll 8
	for (int i = 0; i < 8; i++)
		if (!turn_to_8(entry, key[i] & within, (int)stride / 2,
			       key + i))
			return false;
	return true;
}

#include "sim/arch/x86_64/engine-lanes.h"

const struct engine engine_avx2 = ENGINE_OPS("avx2", &lean_avx2);
