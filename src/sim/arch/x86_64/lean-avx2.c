/* SPDX-License-Identifier: MIT */
/* The loops of lean.h with AVX2; 16 lanes are two halves. */
#define LEAN_TARGET __attribute__((target("avx2,bmi,bmi2,popcnt")))
#include "sim/arch/x86_64/lanes-2x8.h"
#include "sim/arch/x86_64/records-2x4.h"

LANES_INLINE bool turn_to(const int lanes, uint32_t *entry, size_t index,
			  const uint32_t *key)
{
	uint32_t *set, found;

	if (lanes >= 8 && turn_to_8(entry, index, lanes / 2, key))
		return true;
	__asm__("" : "+r"(index));	/* an address only now */
	set = (uint32_t *)((char *)entry + index * (size_t)(lanes / 2));
	found = lanes == 4 ? equal_4(set, key) :
		lanes == 16 ? equal_8(set + 8, key) << 8 : 0;
	if (found)
		turn_at(lanes, set, found);
	return found;
}

/* Sets of two halves are searched one after the other. */

LANES_INLINE uint32_t near(const int lanes, const uint32_t *set,
			   const uint32_t *key)
{
	return lanes == 4 ? find_at_4(set, key) : find_at_8(set, key);
}

LANES_INLINE uint32_t beyond(const int lanes, const uint32_t *set,
			     const uint32_t *key)
{
	return lanes == 16 ? find_at_8(set + 8, key) << 8 : 0;
}

LANES_INLINE void turn_near(const int lanes, uint32_t *set, uint32_t found)
{
	if (lanes == 4)
		turn_at_4(set, found);
	else
		turn_at_8(set, found);
}

LANES_INLINE size_t interleave(const uint32_t *key, const uint32_t *old,
			       uint32_t *out)
{
	const __m256i olds = _mm256_loadu_si256((const __m256i *)old);

	return keep_by_turns(_mm256_loadu_si256((const __m256i *)key),
			     _mm256_set1_epi32(-1), olds,
			     _mm256_slli_epi32(olds, 31), out);
}

LANES_INLINE bool flagged_in_8(const uint32_t *entry, const size_t *index)
{
	__m256i all = _mm256_setzero_si256();

#pragma GCC unroll 8
	for (int i = 0; i < 8; i++)
		__asm__("vpor (%2,%3,4), %1, %0"	/* gcc would load, too */
			: "=x"(all)
			: "x"(all), "r"(entry), "r"(index[i])
			: "memory");
	return !_mm256_testz_si256(all, _mm256_set1_epi32(LEVEL_FLAGS));
}

#define CAREFUL_LANES 8
#define BLIND_LANES 16
#define BLIND_TRAIN_LANES 16
#define TURN_LANES 16
#define TURN_FAR_LANES 16

#include "sim/lean-loops.h"

LEAN_LEVELS

const struct lean_ops lean_avx2 = LEAN_OPS("avx2", decode);
