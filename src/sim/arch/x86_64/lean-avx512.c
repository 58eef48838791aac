/* SPDX-License-Identifier: MIT */
/* The loops of lean.h with AVX-512 for sets of 16 lanes. */
#define LEAN_TARGET __attribute__((target( \
	"avx2,bmi,bmi2,popcnt,avx512f,avx512vl,avx512bw,avx512dq")))
#include "sim/arch/x86_64/lanes-16.h"
#include "sim/arch/x86_64/records-8.h"

LANES_INLINE bool turn_to(const int lanes, uint32_t *entry, size_t index,
			  const uint32_t *key)
{
	uint32_t *set, found;

	if (lanes >= 8 && turn_to_8(entry, index, lanes / 2, key))
		return true;
	if (lanes == 8)
		return false;
	__asm__("" : "+r"(index));	/* an address only now */
	set = (uint32_t *)((char *)entry + index * (size_t)(lanes / 2));
	found = equal(lanes, set, key);
	if (found)
		turn_at(lanes, set, found);
	return found;
}

LANES_INLINE uint32_t near(const int lanes, const uint32_t *set,
			   const uint32_t *key)
{
	return find_at(lanes, set, key);
}

LANES_INLINE uint32_t beyond(const int lanes, const uint32_t *set,
			     const uint32_t *key)
{
	(void)lanes;
	(void)set;
	(void)key;
	return 0;
}

LANES_INLINE void turn_near(const int lanes, uint32_t *set, uint32_t found)
{
	turn_at(lanes, set, found);
}

#define BLIND_LANES 16
#define BLIND_TRAIN_LANES 16
#define TURN_LANES 16
#define TURN_FAR_LANES 8	/* lines are anywhere in far sets */

#include "sim/lean-loops.h"

LEAN_LEVELS

const struct lean_ops lean_avx512 = LEAN_OPS("avx512", decode);
