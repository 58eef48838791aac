/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rule 2 of tlb-order.h, and what a set loses. */
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
	if (placed && !(sets & (sets - 1)) &&
	    sets <= TLB_ORDER_PAGES)
		r->sets = sets;
	if (r->ways > TLB_ORDER_PAGES / r->sets)
		r->ways = TLB_ORDER_PAGES / r->sets;
	tlb_order_reset(r);
}

void tlb_order_reset(struct tlb_order *r)
{
	memset(r->page, 0xff, sizeof(r->page));
	memset(r->touched, 0, sizeof(r->touched));
	memset(r->flushed, 0, sizeof(r->flushed));
	memset(r->alike, 0, sizeof(r->alike));
	r->clock = 0;
}

static uint32_t first_of(const struct tlb_order *r, uint64_t page)
{
	return ((uint32_t)page & (r->sets - 1)) * r->ways;
}

uint8_t tlb_order_slot(const struct tlb_order *r, uint64_t page)
{
	const uint32_t first = first_of(r, page);

	if (!r->ways)
		return 0;
	if (!r->alike[page % TLB_ORDER_ALIKE])
		return TLB_ORDER_NOWHERE;
	for (uint32_t i = first; i < first + r->ways; i++)
		if (r->page[i] == page)
			return (uint8_t)i;
	return TLB_ORDER_NOWHERE;
}

/* ---- order --------------------------------------------------------------- */

static inline uint64_t least(uint64_t a, uint64_t b)
{
	return b < a ? b : a;
}

/* Touches with their slot within the set, in the order of the touches. */
static inline uint64_t stamp(const uint64_t *when, uint32_t i)
{
	return when[i] << 8 | i;
}

/* Of four at a time, so that none waits for another. */
static uint32_t oldest(const uint64_t *touched, uint32_t n)
{
	uint64_t of[4] = { UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX };
	uint32_t i = 0;

	for (; i + 4 <= n; i += 4) {
		of[0] = least(of[0], stamp(touched, i));
		of[1] = least(of[1], stamp(touched, i + 1));
		of[2] = least(of[2], stamp(touched, i + 2));
		of[3] = least(of[3], stamp(touched, i + 3));
	}
	for (; i < n; i++)
		of[0] = least(of[0], stamp(touched, i));
	return (uint8_t)least(least(of[0], of[1]), least(of[2], of[3]));
}

/* Was another one flushed before it? */
static bool is_later(const uint64_t *flushed, uint32_t n, uint32_t at)
{
	uint64_t later = 0;

	for (uint32_t i = 0; i < n; i++)
		later |= flushed[i] - flushed[at];
	return later >> 63;
}

static inline void report(struct tlb_order *r, uint32_t slot, uint64_t **out)
{
	*(*out)++ = access_pack(ACCESS_TOUCH, r->touch, 0,
				r->page[slot] << r->shift);
	r->flushed[slot] = ++r->clock;
}

/* A set's slots by their touches. */
static void sort(const uint64_t *touched, uint32_t n, uint8_t *order)
{
	uint64_t key[TLB_ORDER_PAGES];

	for (uint32_t i = 0; i < n; i++)
		key[i] = stamp(touched, i);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t rank = 0;

		for (uint32_t k = 0; k < n; k++)
			rank += (uint32_t)((key[k] - key[i]) >> 63);
		order[rank] = (uint8_t)i;
	}
}

/* Those at the begin whose order is what was flushed need no touch. */
static void flush_set(struct tlb_order *r, uint32_t first, uint64_t **out)
{
	uint8_t order[TLB_ORDER_PAGES];
	uint64_t flushed = 0;
	uint32_t i = 0;

	sort(r->touched + first, r->ways, order);
	while (i < r->ways && r->page[first + order[i]] == TLB_ORDER_NONE)
		i++;
	for (; i < r->ways && r->flushed[first + order[i]] > flushed; i++)
		flushed = r->flushed[first + order[i]];
	for (; i < r->ways; i++)
		report(r, first + order[i], out);
}

uint8_t tlb_order_enter(struct tlb_order *r, uint64_t page, uint64_t when,
		     uint64_t *left, uint64_t **out)
{
	const uint32_t first = first_of(r, page);
	const uint32_t slot = first + oldest(r->touched + first, r->ways);

	*left = r->page[slot];
	if (*left != TLB_ORDER_NONE) {
		if (is_later(r->flushed + first, r->ways, slot - first))
			flush_set(r, first, out);
		r->alike[*left % TLB_ORDER_ALIKE]--;
	}
	r->page[slot] = page;
	r->alike[page % TLB_ORDER_ALIKE]++;
	tlb_order_feed(r, (uint8_t)slot, when);
	return (uint8_t)slot;
}

void tlb_order_flush(struct tlb_order *r, uint64_t **out)
{
	for (uint32_t set = 0; set < r->sets; set++)
		flush_set(r, set * r->ways, out);
}
