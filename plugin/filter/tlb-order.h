/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pages that are surely in a TLB, and what order it must know them in.
 *
 * 1. Of each set of an LRU TLB those touched last are in it, as many as it has
 *    ways. Of another TLB it is the page touched last of all, and where large
 *    pages' sets depend on the page map.
 * 2. A touch of such a page only makes it the newest of its set. That matters
 *    when the set loses a page, so it need not be told before: then all are,
 *    if another one than the oldest would be lost.
 */
#ifndef PLUGIN_FILTER_TLB_ORDER_H
#define PLUGIN_FILTER_TLB_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/geometry.h"

#define RECENT_PAGES 192
#define RECENT_NONE UINT64_MAX
#define RECENT_NOWHERE 255	/* no slot */
#define RECENT_SLOTS 256	/* any that fits */
#define RECENT_ALIKE 256

/* By slot, set by set. */
struct recent {
	uint64_t clock;		/* of what is told */
	uint32_t ways;		/* 0: there is no TLB */
	uint32_t sets;		/* a power of two */
	unsigned shift;		/* log2 of a page's bytes */
	unsigned touch;		/* flags of its ACCESS_TOUCH */
	uint64_t page[RECENT_PAGES];
	uint64_t touched[RECENT_SLOTS];	/* when, as the caller says; 0: never */
	uint64_t told[RECENT_PAGES];	/* the last touch that was, when */
	uint8_t alike[RECENT_ALIKE];	/* pages that have a slot, by their low
					 * bits: most that are asked for have
					 * none */
};

void recent_init(struct recent *r, const struct tlb_geometry *t,
		 enum page_size pages, unsigned touch);

/* Another has used the TLB since; all is told. */
void recent_reset(struct recent *r);

/* All that is not told, at most RECENT_PAGES records. */
void recent_tell(struct recent *r, uint64_t **out);

/* Where the page is; without a TLB 0. */
uint8_t recent_slot(const struct recent *r, uint64_t page);

/*
 * Something that is fed touches a page that has no slot: it gets one, and
 * *left is the page that had it, or RECENT_NONE. when: later than any before.
 * *out: here go the records to be fed before, at most as many as a set has
 * ways; it is moved on.
 */
uint8_t recent_enter(struct recent *r, uint64_t page, uint64_t when,
		     uint64_t *left, uint64_t **out);

/* By something that is not fed. */
static inline void recent_touch(struct recent *r, uint8_t slot, uint64_t when)
{
	r->touched[slot] = when;
}

static inline void recent_feed(struct recent *r, uint8_t slot, uint64_t when)
{
	recent_touch(r, slot, when);
	r->told[slot] = ++r->clock;
}

#endif
