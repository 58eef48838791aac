/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rule 10 of session.h: addresses that are known ahead. */
#ifndef PLUGIN_AHEAD_H
#define PLUGIN_AHEAD_H

#include "fault.h"
#include "front.h"

/* A thread begins; or the shadow goes on behind such a block. */
void ahead_open(struct lane *lane);
void ahead_begin(struct lane *lane, enum flow flow, uint64_t fetched,
		 uint64_t after);
/* Hands over what the block before has done. */
void ahead_settle(struct lane *lane);
/* A block without a plan. */
static inline void ahead_run(struct lane *lane, const struct block *b)
{
	ahead_settle(lane);
	run_block(lane, b);
}

/* It ends there. */
void ahead_fault(struct lane *lane, const struct fault *fault);

/* What QEMU reports of a step that is direct. */
void ahead_direct(struct lane *lane, const struct planned_step *step,
		  qemu_plugin_meminfo_t info, uint64_t address);

/* Is nothing of the block before to be handed over? */
static inline bool ahead_waits(const struct lane *lane)
{
	return (lane->done ^ lane->limit) | lane->part.bytes;
}

/* Loads, and stores in the upper half, as struct lane has them. */
static inline uint64_t reach_hits(uint32_t hits)
{
	return (uint16_t)hits | (uint64_t)(hits >> 16) << 32;
}

/*
 * Are all of its accesses in lines that are soon found: of one line, or of two
 * of one page that whole accesses are in? One question, since how often there
 * are two cannot be foretold. *slot: their page's.
 */
static inline bool reach_is_found(const struct filter *f,
				  const struct reach *r, uint64_t from,
				  uint8_t *slot)
{
	const uint64_t last = from + r->last, both = from ^ last;
	const uint64_t shown = filter_shown(&f->data, from >> LINE_SHIFT);
	const uint64_t other = filter_shown(&f->data, last >> LINE_SHIFT);
	const bool apart = (both >> LINE_SHIFT != 0) &
			   (((from & r->grain) | both >> PAGE_SHIFT) != 0);

	*slot = (uint8_t)shown;
	return !(((shown | other) >= FILTER_BELOW(r->loads_only)) | apart);
}

/* It is; when, by the clock of data_pages. */
static inline void reach_touch(struct filter *f, const struct reach *r,
			       uint64_t from, uint8_t slot, uint64_t when)
{
	const uint64_t line = from >> LINE_SHIFT;
	const uint64_t other = (from + r->last) >> LINE_SHIFT;

	f->data_pages.touched[slot] = when;
	f->data.quick[line % FILTER_QUICK].touched = when;
	f->data.quick[other % FILTER_QUICK].touched = when;
}

/* Of the block that runs, one that is not. */
void ahead_put(struct lane *lane, const struct reach *r, uint64_t from);

/* A block of that plan, which may end before its last access: it waits. */
void ahead_take(struct lane *lane, const struct plan *plan,
		const uint64_t *address);

#endif
