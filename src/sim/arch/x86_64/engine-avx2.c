/* SPDX-License-Identifier: MIT */
/* The engine with AVX2. */
#define LEAN_TARGET __attribute__((target("avx2,bmi,bmi2,popcnt")))
#define ENGINE static LEAN_TARGET
#define ENGINE_INLINE static inline __attribute__((always_inline)) LEAN_TARGET
#include "sim/arch/x86_64/lanes-2x8.h"

#include "sim/arch/x86_64/engine-lanes.h"

const struct engine engine_avx2 = ENGINE_OPS("avx2", &lean_avx2);
