/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rule 11 of session.h: into the buffers. */
#include "front.h"
#include "raw.h"

static inline uint64_t access_word(enum raw kind, qemu_plugin_meminfo_t info)
{
	return (uint64_t)kind << RAW_KIND |
	       (info >> STORE_BIT & 1 ? RAW_STORE : 0) |
	       (uint64_t)(info >> SIZE_BIT & SIZE_MASK) << RAW_SIZE;
}

static inline void put(struct lane *lane, uint64_t word)
{
	*lane->at++ = word;
	move_on(lane);
}

static inline void put_two(struct lane *lane, uint64_t word, uint64_t other)
{
	lane->at[0] = word;
	lane->at[1] = other;
	lane->at += 2;
	move_on(lane);
}

void raw_open(struct lane *lane)
{
	lane->ahead.compared = NULL;
	lane->last = 0;
	lane->flow = FLOW_NEXT;
	lane->fetched = UINT64_MAX;
	put(lane, raw_word(RAW_OPEN, NULL));
}

void raw_settle(struct lane *lane)
{
	put(lane, raw_word(RAW_SETTLE, NULL));
}

void raw_block(struct lane *lane, const struct block *b)
{
	lane->last = raw_word(RAW_BLOCK, b);
	put(lane, lane->last);
}

void raw_first(struct lane *lane, const struct block *b,
	       qemu_plugin_meminfo_t info, uint64_t address)
{
	lane->last = access_word(RAW_FIRST, info) | (uintptr_t)b;
	put_two(lane, lane->last, address);
}

void raw_plain(struct lane *lane, qemu_plugin_meminfo_t info, uint64_t address)
{
	put(lane, access_word(RAW_PLAIN, info) |
		  (address & ACCESS_OPERAND_MASK));
}

void raw_odd(struct lane *lane, const struct step_info *step,
	     qemu_plugin_meminfo_t info, uint64_t address)
{
	put_two(lane, access_word(RAW_ODD, info) | (uintptr_t)step, address);
}

void raw_direct(struct lane *lane, const struct planned_step *step,
		qemu_plugin_meminfo_t info, uint64_t address)
{
	put_two(lane, access_word(RAW_DIRECT, info) | (uintptr_t)step,
		address);
}

/* There is room: move_on has seen to it. */
void raw_fault(struct lane *lane, const struct fault *fault)
{
	lane->ahead.left = true;
	*lane->at++ = (uint64_t)RAW_FAULT << RAW_KIND |
		      (fault->store ? RAW_STORE : 0) |
		      (fault->nowhere ? RAW_NOWHERE : 0) |
		      (fault->address & ACCESS_OPERAND_MASK);
}

void raw_unfault(struct lane *lane)
{
	lane->ahead.left = false;
	lane->at--;
}
