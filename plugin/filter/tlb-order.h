/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pages that are certainly in a TLB, and their deferred LRU order.
 *
 * 1. Each set of an LRU TLB holds the pages that were touched last, as many as
 *    it has ways. Of a TLB with another policy, or with large pages whose sets
 *    depend on the page map, only the page touched last of all is certain.
 * 2. A touch of such a page makes it the newest of its set, which matters only
 *    when the set loses a page. So the order is deferred: it is flushed
 *    (ACCESS_TOUCH) before the set would lose another page than the one that
 *    was touched longest ago.
 */
#ifndef PLUGIN_FILTER_TLB_ORDER_H
#define PLUGIN_FILTER_TLB_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/geometry.h"

#define TLB_ORDER_PAGES 192
#define TLB_ORDER_NONE UINT64_MAX
#define TLB_ORDER_NOWHERE 255	/* no slot */
#define TLB_ORDER_SLOTS 256	/* any that fits */
#define TLB_ORDER_ALIKE 256

/* By slot, set by set. */
struct tlb_order {
	uint64_t clock;		/* of the simulator's touches */
	uint32_t ways;		/* 0: there is no TLB */
	uint32_t sets;		/* a power of two */
	unsigned shift;		/* log2 of a page's bytes */
	unsigned touch;		/* flags of its ACCESS_TOUCH */
	uint64_t page[TLB_ORDER_PAGES];
	uint64_t touched[TLB_ORDER_SLOTS];	/* caller's time; 0: never */
	uint64_t flushed[TLB_ORDER_PAGES];	/* the simulator's last touch */
	uint8_t alike[TLB_ORDER_ALIKE];	/* pages that have a slot, by their low
					 * bits: most that are asked for have
					 * none */
};

void tlb_order_init(struct tlb_order *r, const struct tlb_geometry *t,
		 enum page_size pages, unsigned touch);

/* The TLB is empty. */
void tlb_order_reset(struct tlb_order *r);

/* Writes the deferred order of all sets, at most TLB_ORDER_PAGES records. */
void tlb_order_flush(struct tlb_order *r, uint64_t **out);

/* Where the page is; without a TLB 0. */
uint8_t tlb_order_slot(const struct tlb_order *r, uint64_t page);

/*
 * Something that is fed touches a page that has no slot: it gets one, and
 * *left is the page that had it, or TLB_ORDER_NONE. when: later than any
 * before.
 * *out: here go the records to be fed before, at most as many as a set has
 * ways; it is moved on.
 */
uint8_t tlb_order_enter(struct tlb_order *r, uint64_t page, uint64_t when,
		     uint64_t *left, uint64_t **out);

/* By something that is not fed. */
static inline void tlb_order_touch(struct tlb_order *r, uint8_t slot,
				   uint64_t when)
{
	r->touched[slot] = when;
}

static inline void tlb_order_feed(struct tlb_order *r, uint8_t slot,
				  uint64_t when)
{
	tlb_order_touch(r, slot, when);
	r->flushed[slot] = ++r->clock;
}

#endif
