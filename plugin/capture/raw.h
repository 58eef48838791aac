/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rule 11 of session.h. A word: bits 63..60 say what it is and 47..0 the
 * operand, most often the address of what is in it in this process.
 */
#ifndef PLUGIN_CAPTURE_RAW_H
#define PLUGIN_CAPTURE_RAW_H

#include "plugin/callbacks/fault.h"
#include "plugin/callbacks/lane.h"
#include "plugin/decode/block.h"
#include "plugin/feed/front.h"

enum raw {
	RAW_AHEAD,		/* of a plan, | how many reaches' addresses
				 * follow */
	RAW_OPEN,		/* a thread begins */
	RAW_SETTLE,		/* it is done with all before */
	RAW_ENTER,		/* operand: enum flow; and three words: struct
				 * lane's fetched, after and branch */
	RAW_LEAVE,		/* the other shadow goes on */
	RAW_BLOCK,		/* of a block without one */
	RAW_FIRST,		/* the same, and its first access's address */
	RAW_PLAIN,		/* operand: the address of an access */
	RAW_DIRECT,		/* of a struct planned_step; its address, too */
	RAW_ODD,		/* of a struct step_info; its address, too */
	RAW_FAULT		/* operand: its address */
};

#define RAW_KIND 60
#define RAW_STORE (UINT64_C(1) << 59)	/* of accesses, and of a fault */
#define RAW_NOWHERE (UINT64_C(1) << 58)	/* struct fault */
#define RAW_SIZE 55			/* its log2, in 3 bits */
#define RAW_REACHES UINT64_C(63)	/* of a plan, which begins a line */

/* Into the thread's buffer. */
void raw_open(struct lane *lane);
void raw_settle(struct lane *lane);
void raw_block(struct lane *lane, const struct block *b);
void raw_first(struct lane *lane, const struct block *b,
	       qemu_plugin_meminfo_t info, uint64_t address);
void raw_plain(struct lane *lane, qemu_plugin_meminfo_t info,
	       uint64_t address);
void raw_odd(struct lane *lane, const struct step_info *step,
	     qemu_plugin_meminfo_t info, uint64_t address);
void raw_fault(struct lane *lane, const struct fault *fault);
void raw_unfault(struct lane *lane);

/* What QEMU reports of a step that is direct; the callback's data is it. */
qemu_mem_fn raw_direct;

static inline const void *raw_operand(uint64_t word)
{
	return (const void *)(uintptr_t)(word & ACCESS_OPERAND_MASK);
}

/* Of RAW_AHEAD. */
static inline const struct plan *raw_plan(uint64_t word)
{
	return (const struct plan *)(uintptr_t)(word & ~RAW_REACHES);
}

static inline uint64_t raw_plan_word(const struct plan *plan)
{
	return (uintptr_t)plan | plan->reaches;
}

/* An access's, as QEMU gave it. */
static inline qemu_plugin_meminfo_t raw_info(uint64_t word)
{
	return (word & RAW_STORE ? 1u << STORE_BIT : 0) |
	       (uint32_t)(word >> RAW_SIZE & SIZE_MASK) << SIZE_BIT;
}

static inline uint64_t raw_word(enum raw kind, const void *of)
{
	return (uint64_t)kind << RAW_KIND | (uintptr_t)of;
}

#endif
