/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rule 10 of session.h: addresses that are known ahead. */
#ifndef PLUGIN_PREDICT_ADDRESSES_AHEAD_H
#define PLUGIN_PREDICT_ADDRESSES_AHEAD_H

#include "plugin/callbacks/fault.h"
#include "plugin/feed/front.h"

/* A thread begins; or the shadow goes on behind such a block. */
void ahead_open(struct lane *lane);
void ahead_begin(struct lane *lane, enum flow flow, uint64_t fetched,
		 uint64_t after, uint64_t branch);
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

/* Where a reach's first and last line are soon found. */
struct found {
	struct filter_found *first, *last;
	uint64_t shown;		/* of the first */
};

/*
 * Are all of its accesses in lines that are soon found: of one line, or of two
 * of one page that whole accesses are in? One question, since how often there
 * are two cannot be foretold. paged: does it matter in which pages?
 */
static inline bool reach_is_found(struct filter *f, const struct reach *r,
				  uint64_t from, bool paged,
				  struct found *found)
{
	static const uint64_t other[] = { LINE_OTHER(false), LINE_OTHER(true) };
	enum { LINE = 1 << LINE_SHIFT, PAGE = 1 << PAGE_SHIFT };
	const uint64_t last = from + r->last;
	/* the bit of LINE tells both neighbours and unaligned addresses */
	const uint64_t torn = ((from & r->grain) + LINE - 1) |
			      (paged ? -(uint64_t)PAGE : 0);

	found->first = filter_place(&f->data, from, LINE_SHIFT);
	found->last = filter_place(&f->data, last, LINE_SHIFT);
	found->shown = filter_shown(found->first, from);
	return !((found->shown | filter_shown(found->last, last) |
		  ((from ^ last) & torn)) & other[r->loads_only]);
}

/* They are, and at that time. */
static inline void reach_touch(struct filter *f, const struct found *found,
			       uint64_t when, bool paged)
{
	found->first->touched = when;
	found->last->touched = when;
	if (paged)
		recent_touch(&f->data_pages,
			     (uint8_t)(found->shown >> FILTER_SLOT), when);
}

/* Of the block that runs, one that is not. */
void ahead_put(struct lane *lane, const struct reach *r, uint64_t from);

/* A block of that plan, which may end before its last access: it waits. */
void ahead_take(struct lane *lane, const struct plan *plan,
		const uint64_t *address);

#endif
