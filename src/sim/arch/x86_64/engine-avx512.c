/* SPDX-License-Identifier: MIT */
/* The engine with AVX-512. */
#define LANES_TARGET __attribute__((target( \
	"avx2,bmi,bmi2,popcnt,avx512f,avx512vl,avx512bw,avx512dq")))
#define ENGINE static LANES_TARGET
#define ENGINE_INLINE static inline __attribute__((always_inline)) LANES_TARGET
#include "sim/arch/x86_64/branches-8.h"
#include "sim/arch/x86_64/lanes-16.h"
#include "sim/arch/x86_64/records-8.h"
#include "sim/arch/x86_64/mapped-4.h"

#include "sim/arch/x86_64/engine-lanes.h"

const struct engine engine_avx512 = ENGINE_OPS("avx512");
