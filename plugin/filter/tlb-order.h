/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pages that are certainly in a TLB, and their deferred LRU order.
 *
 * 1. An epoch of an LRU TLB is a time in which no set has more pages than ways:
 *    no page of the epoch leaves the TLB. Of a TLB with another policy, or with
 *    large pages whose sets depend on the page map, an epoch has one page.
 * 2. A touch of a page of the epoch makes it the newest of its set, which
 *    matters only when a set loses a page. So the order is deferred: it is
 *    flushed (ACCESS_TOUCH) at the end of the epoch.
 */
#ifndef PLUGIN_FILTER_TLB_ORDER_H
#define PLUGIN_FILTER_TLB_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/geometry.h"

#define TLB_ORDER_PAGES 192
#define TLB_ORDER_NOWHERE 255	/* no slot */
#define TLB_ORDER_SLOTS 256	/* any that fits */
#define TLB_ORDER_FINDS 1024

struct tlb_order {
	uint64_t began;		/* the epoch: caller's time */
	uint32_t ways;		/* 0: there is no TLB */
	uint32_t sets;		/* a power of two */
	unsigned shift;		/* log2 of a page's bytes */
	unsigned touch;		/* flags of its ACCESS_TOUCH */
	uint32_t pages;		/* of the epoch; each has a slot */
	uint64_t page[TLB_ORDER_SLOTS];
	uint64_t touched[TLB_ORDER_SLOTS];	/* caller's time */
	uint64_t fed[TLB_ORDER_SLOTS];	/* the last touch that was fed */
	uint8_t used[TLB_ORDER_PAGES];	/* slots of the set's pages */
	uint8_t slot[TLB_ORDER_FINDS];	/* perhaps, by a page's low bits */
};

void tlb_order_init(struct tlb_order *r, const struct tlb_geometry *t,
		 enum page_size pages, unsigned touch);

/* The TLB is empty. */
void tlb_order_reset(struct tlb_order *r);

/* The epoch ends: writes the deferred order, at most TLB_ORDER_PAGES records.
 * when: later than any touch. */
void tlb_order_flush(struct tlb_order *r, uint64_t when, uint64_t **out);

/*
 * Something that is fed touches a page that has no slot: it gets one. when:
 * later than any touch. *out: here go the records to be fed before; it is moved
 * on.
 */
uint8_t tlb_order_enter(struct tlb_order *r, uint64_t page, uint64_t when,
		     uint64_t **out);

/* Where the page is; without a TLB 0. A page may lose its slot to another, and
 * get one more in the same epoch. */
static inline uint8_t tlb_order_slot(const struct tlb_order *r, uint64_t page)
{
	const uint8_t slot = r->slot[page % TLB_ORDER_FINDS];

	if (!r->ways)
		return 0;
	return slot < r->pages && r->page[slot] == page ? slot :
							   TLB_ORDER_NOWHERE;
}

/* By something that is not fed. */
static inline void tlb_order_touch(struct tlb_order *r, uint8_t slot,
				   uint64_t when)
{
	r->touched[slot] = when;
}

static inline void tlb_order_feed(struct tlb_order *r, uint8_t slot,
				  uint64_t when)
{
	r->touched[slot] = r->fed[slot] = when;
}

#endif
