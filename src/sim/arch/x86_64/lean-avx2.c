/* SPDX-License-Identifier: MIT */
/* The loops of lean.h with AVX2; 16 lanes are two halves. */
#define LEAN_TARGET __attribute__((target("avx2,bmi,bmi2,popcnt")))
#include "sim/arch/x86_64/lanes-2x8.h"
#include "sim/arch/x86_64/lean-lanes.h"

LANES_INLINE uint32_t find(const int lanes, const uint32_t *set, uint32_t key)
{
	if (lanes == 4)
		return find_4(set, key);
	if (lanes == 8)
		return find_8(set, key);
	return find_16(set, key);
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

LANES_INLINE uint32_t find_at(const int lanes, const uint32_t *set,
			      const uint32_t *key)
{
	return lanes == 4 ? find_at_4(set, key) :
	       lanes == 8 ? find_at_8(set, key) : find_at_16(set, key);
}

LANES_INLINE uint32_t equal(const int lanes, const uint32_t *set,
			    const uint32_t *key)
{
	return lanes == 4 ? equal_4(set, key) :
	       lanes == 8 ? equal_8(set, key) : equal_16(set, key);
}

LANES_INLINE void turn_at(const int lanes, uint32_t *set, uint32_t found)
{
	if (lanes == 4)
		turn_at_4(set, found);
	else if (lanes == 8)
		turn_at_8(set, found);
	else
		turn_at_16(set, found);
}

LANES_INLINE bool turn_to(const int lanes, uint32_t *entry, size_t offset,
			  const uint32_t *key)
{
	uint32_t *set, found;

	if (lanes >= 8 && turn_to_8(entry, offset, key))
		return true;
	__asm__("" : "+r"(offset));	/* an address only now */
	set = (uint32_t *)((char *)entry + offset);
	found = lanes == 4 ? equal_4(set, key) :
		lanes == 16 ? equal_8(set + 8, key) << 8 : 0;
	if (found)
		turn_at(lanes, set, found);
	return found;
}

LANES_INLINE void push_at(const int lanes, uint32_t *set, uint32_t found,
			  uint32_t entry)
{
	if (lanes == 4)
		push_at_4(set, found, entry);
	else if (lanes == 8)
		push_at_8(set, found, entry);
	else
		push_16(set, (uint32_t)__builtin_ctz(found), entry);
}

LANES_INLINE uint32_t take(const int lanes, uint32_t *entry, size_t offset,
			   const uint32_t *key, uint32_t *out)
{
	uint32_t *set = (uint32_t *)((char *)entry + offset);

	return lanes == 4 ? take_4(set, key, out) :
	       lanes == 8 ? take_8(entry, offset, key, out) :
			    take_16(set, key, out);
}

LANES_INLINE bool flagged(const int lanes, const uint32_t *set)
{
	return lanes == 4 ? flagged_4(set) :
	       lanes == 8 ? flagged_8(set) : flagged_16(set);
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

#define BLIND_LANES 8
#define TURN_LANES 16

#include "sim/lean-loops.h"

LEAN_LEVELS

const struct lean_ops lean_avx2 = LEAN_OPS("avx2", decode);
