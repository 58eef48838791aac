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
	r->shift = pages == PAGE_MAP_RANDOM_2M ? 21 : 12;
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
	memset(r->page, 0xff, sizeof(r->page));
	memset(r->stamp, 0, sizeof(r->stamp));
	memset(r->told, 0, sizeof(r->told));
	r->last = RECENT_NONE;
	r->last_at = 0;
	r->clock = 0;
}

static uint32_t set_of(const struct recent *r, uint64_t page)
{
	return (uint32_t)(page & (r->sets - 1)) * r->ways;
}

int recent_search(struct recent *r, uint64_t page)
{
	const uint32_t set = set_of(r, page);

	for (uint32_t at = set; at < set + r->ways; at++)
		if (r->page[at] == page) {
			r->place[page % RECENT_PLACES] = (uint8_t)at;
			return (int)at;
		}
	return -1;
}

static uint32_t oldest(const struct recent *r, uint32_t set)
{
	uint32_t old = set;

	for (uint32_t at = set + 1; at < set + r->ways; at++)
		if (r->stamp[at] < r->stamp[old])
			old = at;
	return old;
}

/* Touched first of those that are not told; none: UINT64_MAX. */
static uint64_t first_untold(const struct recent *r, uint32_t set)
{
	uint64_t first = UINT64_MAX;

	for (uint32_t at = set; at < set + r->ways; at++)
		if (r->stamp[at] != r->told[at] && r->stamp[at] < first)
			first = r->stamp[at];
	return first;
}

static void tell(struct recent *r, uint32_t set, uint64_t **out)
{
	const uint64_t first = first_untold(r, set);
	uint8_t order[RECENT_PAGES];
	uint32_t n = 0;

	for (uint32_t at = set; at < set + r->ways; at++) {
		uint32_t i = n;

		if (r->stamp[at] < first)
			continue;
		for (; i && r->stamp[order[i - 1]] > r->stamp[at]; i--)
			order[i] = order[i - 1];
		order[i] = (uint8_t)at;
		n++;
	}
	for (uint32_t i = 0; i < n; i++) {
		r->told[order[i]] = r->stamp[order[i]];
		*(*out)++ = access_pack(ACCESS_TOUCH,
					r->code ? ACCESS_CODE : 0, 0,
					r->page[order[i]] << r->shift);
	}
}

void recent_tell(struct recent *r, uint64_t **out)
{
	for (uint32_t set = 0; set < r->sets * r->ways; set += r->ways)
		tell(r, set, out);
}

bool recent_feed(struct recent *r, uint64_t page, uint64_t **out)
{
	const bool known = page == r->last || recent_hit(r, page);

	if (!known) {
		const uint32_t set = set_of(r, page);

		tell(r, set, out);
		r->last = page;
		r->last_at = oldest(r, set);
		r->page[r->last_at] = page;
		r->place[page % RECENT_PLACES] = (uint8_t)r->last_at;
		r->stamp[r->last_at] = ++r->clock;
	}
	r->told[r->last_at] = r->stamp[r->last_at];
	return known;
}
