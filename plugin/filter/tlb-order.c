/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The epochs of tlb-order.h. */
#include <string.h>

#include "base/access.h"
#include "plugin/filter/tlb-order.h"
#include "sim/model/pages.h"

void tlb_order_init(struct tlb_order *r, const struct tlb_geometry *t,
		 enum page_size pages, unsigned touch)
{
	const uint32_t sets = t->present ? t->entries / t->ways : 1;
	const unsigned bits = page_shape(pages).bits;
	/* a map gives the bits above anew */
	const bool placed = t->policy == REPLACE_LRU &&
			    (uint64_t)sets << bits <=
			    UINT64_C(1) << (PIECE_BITS + PAGE_BITS);

	r->touch = touch;
	r->shift = !t->present ? 63 : bits;
	r->ways = !t->present ? 0 : placed ? t->ways : 1;
	r->sets = 1;
	if (placed && !(sets & (sets - 1)) && sets <= TLB_ORDER_PAGES)
		r->sets = sets;
	tlb_order_reset(r);
}

static void begin_epoch(struct tlb_order *r, uint64_t when)
{
	r->began = when;
	r->pages = 0;
	memset(r->used, 0, r->sets);
}

void tlb_order_reset(struct tlb_order *r)
{
	begin_epoch(r, r->ways ? 1 : 0);
	memset(r->slot, 0, sizeof(r->slot));
}

/* Slots in the order of their touches: few are not in it already. */
static void sort(const struct tlb_order *r, uint8_t *order)
{
	for (uint32_t i = 0; i < r->pages; i++) {
		uint32_t k = i;

		for (; k && r->touched[order[k - 1]] > r->touched[i]; k--)
			order[k] = order[k - 1];
		order[k] = (uint8_t)i;
	}
}

/* Those at the begin whose order is what was fed need no touch. */
void tlb_order_flush(struct tlb_order *r, uint64_t when, uint64_t **out)
{
	uint8_t order[TLB_ORDER_PAGES];
	uint64_t fed = 0;
	uint32_t i = 0;

	sort(r, order);
	for (; i < r->pages && r->fed[order[i]] > fed; i++)
		fed = r->fed[order[i]];
	for (; i < r->pages; i++)
		*(*out)++ = access_pack(ACCESS_TOUCH, r->touch, 0,
					r->page[order[i]] << r->shift);
	begin_epoch(r, when);
}

uint8_t tlb_order_enter(struct tlb_order *r, uint64_t page, uint64_t when,
		     uint64_t **out)
{
	const uint32_t set = (uint32_t)page & (r->sets - 1);
	uint8_t slot;

	if (r->used[set] == r->ways || r->pages == TLB_ORDER_PAGES)
		tlb_order_flush(r, when, out);
	slot = (uint8_t)r->pages++;
	r->used[set]++;
	r->page[slot] = page;
	r->slot[page % TLB_ORDER_FINDS] = slot;
	tlb_order_feed(r, slot, when);
	return slot;
}
