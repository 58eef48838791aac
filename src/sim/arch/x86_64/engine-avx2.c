/* SPDX-License-Identifier: MIT */
/* The engine with AVX2. */
#define LANES_TARGET __attribute__((target("avx2,bmi,bmi2,popcnt")))
#define ENGINE static LANES_TARGET
#define ENGINE_INLINE static inline __attribute__((always_inline)) LANES_TARGET
#include "sim/arch/x86_64/lanes-2x8.h"
#include "sim/arch/x86_64/records-2x4.h"
#include "sim/arch/x86_64/mapped-4.h"

#include "sim/arch/x86_64/engine-lanes.h"

const struct engine engine_avx2 = ENGINE_OPS("avx2");
