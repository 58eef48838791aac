/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rule 2 of recent.h, and what a set loses. */
#include <string.h>

#include "base/access.h"
#include "recent.h"

void recent_init(struct recent *r, const struct tlb_geometry *t,
		 enum page_map_kind pages, bool code)
{
	const uint32_t sets = t->present ? t->entries / t->ways : 1;

	r->code = code;
	r->shift = !t->present ? 63 : pages == PAGE_MAP_RANDOM_2M ? 21 : 12;
	r->ways = !t->present ? 0 : t->policy == REPLACE_LRU ? t->ways : 1;
	r->sets = 1;
	if (t->policy == REPLACE_LRU && !(sets & (sets - 1)) &&
	    sets <= RECENT_PAGES)
		r->sets = sets;
	if (r->ways > RECENT_PAGES / r->sets)
		r->ways = RECENT_PAGES / r->sets;
	recent_reset(r);
}

void recent_reset(struct recent *r)
{
	memset(r->quick, 0xff, sizeof(r->quick));
	memset(r->touched, 0, sizeof(r->touched));
	memset(r->settled, 0, sizeof(r->settled));
	for (uint32_t i = 0; i < RECENT_PAGES; i++)
		r->at[i] = (struct recent_page){ .page = RECENT_NONE };
	r->clock = 0;
	r->hidden = 0;
}

/* ---- finding ------------------------------------------------------------- */

static uint32_t set_of(const struct recent *r, uint64_t page)
{
	return (uint32_t)page & (r->sets - 1);
}

static void show(struct recent *r, uint32_t slot)
{
	const uint64_t page = r->at[slot].page, at = page % RECENT_QUICK;

	r->hidden += r->quick[at] != RECENT_NONE;
	r->quick[at] = page;
	r->slot[at] = (uint8_t)slot;
}

static void remove_page(struct recent *r, uint32_t slot)
{
	uint64_t *quick = &r->quick[r->at[slot].page % RECENT_QUICK];

	if (r->at[slot].page == RECENT_NONE)
		return;
	if (*quick == r->at[slot].page)
		*quick = RECENT_NONE;
	else
		r->hidden--;
}

bool recent_find(struct recent *r, uint64_t page)
{
	const uint32_t first = set_of(r, page) * r->ways;

	if (!r->hidden)
		return false;
	for (uint32_t i = first; i < first + r->ways; i++)
		if (r->at[i].page == page) {
			r->hidden--;
			show(r, i);
			r->touched[i] = ++r->clock;
			return true;
		}
	return false;
}

/* ---- order --------------------------------------------------------------- */

/* Of a set, what was touched since it was in order. */
struct touches {
	uint32_t n, oldest;	/* of all that are in it */
	uint64_t told;		/* when the last of the others was */
	uint8_t slot[RECENT_PAGES];	/* in their order */
};

static void collect(const struct recent *r, uint32_t set, struct touches *t)
{
	const uint32_t first = set * r->ways;
	const uint64_t settled = r->settled[set];
	uint64_t least = UINT64_MAX;

	t->n = 0;
	t->told = 0;
	t->oldest = first;
	for (uint32_t i = first; i < first + r->ways; i++) {
		const uint64_t touched = r->touched[i];

		t->slot[t->n] = (uint8_t)i;
		t->n += touched > settled;
		t->told = touched > settled || touched < t->told ? t->told :
								   touched;
		t->oldest = touched < least ? i : t->oldest;
		least = touched < least ? touched : least;
	}
}

static void sort(const struct recent *r, struct touches *t)
{
	for (uint32_t i = 1; i < t->n; i++) {
		const uint8_t slot = t->slot[i];
		uint32_t at = i;

		for (; at && r->touched[t->slot[at - 1]] > r->touched[slot];
		     at--)
			t->slot[at] = t->slot[at - 1];
		t->slot[at] = slot;
	}
}

static uint64_t touch_of(const struct recent *r, uint32_t slot)
{
	return access_pack(ACCESS_TOUCH, r->code ? ACCESS_CODE : 0, 0,
			   r->at[slot].page << r->shift);
}

/* Those at the begin whose order is what was told need no touch. Returns where
 * the oldest is. */
static uint32_t settle(struct recent *r, uint32_t set, uint64_t **out)
{
	struct touches t;
	uint32_t i = 0;

	collect(r, set, &t);
	if (!t.n)
		return t.oldest;
	sort(r, &t);
	for (; i < t.n && r->at[t.slot[i]].told > t.told; i++)
		t.told = r->at[t.slot[i]].told;
	for (; i < t.n; i++)
		*(*out)++ = touch_of(r, t.slot[i]);
	for (i = 0; i < t.n; i++)
		r->at[t.slot[i]].told = r->touched[t.slot[i]];
	r->settled[set] = r->touched[t.slot[t.n - 1]];
	return t.oldest;
}

void recent_tell(struct recent *r, uint64_t **out)
{
	for (uint32_t set = 0; set < r->sets && r->ways; set++)
		settle(r, set, out);
}

void recent_enter(struct recent *r, uint64_t page, uint64_t **out)
{
	const uint32_t set = set_of(r, page), slot = settle(r, set, out);

	remove_page(r, slot);
	r->at[slot].page = page;
	r->at[slot].told = r->touched[slot] = r->settled[set] = ++r->clock;
	show(r, slot);
}
