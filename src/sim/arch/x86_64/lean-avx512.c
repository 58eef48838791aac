/* SPDX-License-Identifier: MIT */
/* The loops of lean.h with AVX-512 for sets of 16 lanes. */
#define LEAN_TARGET __attribute__((target( \
	"avx2,bmi,bmi2,popcnt,avx512f,avx512vl,avx512bw")))
#include "sim/arch/x86_64/lanes-16.h"
#include "sim/arch/x86_64/lean-lanes.h"

LANES_INLINE uint32_t find(const int lanes, const uint32_t *set, uint32_t key)
{
	return lanes == 4 ? find_4(set, key) :
	       lanes == 8 ? find_8(set, key) : find_16(set, key);
}

LANES_INLINE void turn(const int lanes, uint32_t *set, uint32_t way)
{
	if (lanes == 4)
		turn_4(set, way);
	else if (lanes == 8)
		turn_8(set, way);
	else
		push_16(set, way, set[way]);
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

#include "sim/lean-loops.h"

LEAN_LEVELS

const struct lean_ops lean_avx512 = LEAN_OPS("avx512", decode);
