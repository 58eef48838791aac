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

static void reset_set(struct recent *r, uint32_t set)
{
	const uint32_t first = set * r->ways;

	r->set[set] = (struct recent_set){
		.newest = (uint8_t)first,
		.oldest = (uint8_t)(first + r->ways - 1)
	};
	for (uint32_t i = 0; i < r->ways; i++)
		r->at[first + i] = (struct recent_page){
			.page = RECENT_NONE, .next = RECENT_END, .told = true,
			.newer = (uint8_t)(i ? first + i - 1 : RECENT_END),
			.older = (uint8_t)(i + 1 < r->ways ? first + i + 1 :
							     RECENT_END)
		};
}

void recent_reset(struct recent *r)
{
	memset(r->bucket, RECENT_END, sizeof(r->bucket));
	for (uint32_t set = 0; set < r->sets && r->ways; set++)
		reset_set(r, set);
	r->last = r->ways ? RECENT_NONE : 0;
	r->last_at = 0;
}

static struct recent_set *set_of(struct recent *r, uint64_t page)
{
	return &r->set[page & (r->sets - 1)];
}

static void to_front(struct recent *r, struct recent_set *set, uint32_t at)
{
	struct recent_page *p = &r->at[at];

	if (set->newest == at)
		return;
	r->at[p->newer].older = p->older;
	if (p->older == RECENT_END)
		set->oldest = p->newer;
	else
		r->at[p->older].newer = p->newer;
	p->newer = RECENT_END;
	p->older = set->newest;
	r->at[set->newest].newer = (uint8_t)at;
	set->newest = (uint8_t)at;
}

void recent_renew(struct recent *r, uint32_t at)
{
	struct recent_set *set = set_of(r, r->at[at].page);

	to_front(r, set, at);
	set->untold += r->at[at].told;
	r->at[at].told = false;
}

/* The newest, as far back as any is not told; these are told in their order. */
static void tell(struct recent *r, struct recent_set *set, uint64_t **out)
{
	uint8_t order[RECENT_PAGES];
	uint32_t n = 0;

	for (uint32_t at = set->newest; set->untold; at = r->at[at].older) {
		set->untold -= !r->at[at].told;
		r->at[at].told = true;
		order[n++] = (uint8_t)at;
	}
	while (n--)
		*(*out)++ = access_pack(ACCESS_TOUCH,
					r->code ? ACCESS_CODE : 0, 0,
					r->at[order[n]].page << r->shift);
}

void recent_tell(struct recent *r, uint64_t **out)
{
	for (uint32_t set = 0; set < r->sets && r->ways; set++)
		tell(r, &r->set[set], out);
}

static void drop(struct recent *r, uint32_t at)
{
	uint8_t *link = &r->bucket[r->at[at].page % RECENT_BUCKETS];

	if (r->at[at].page == RECENT_NONE)
		return;
	while (*link != at)
		link = &r->at[*link].next;
	*link = r->at[at].next;
}

/* In place of the oldest of its set. */
static void enter(struct recent *r, struct recent_set *set, uint64_t page)
{
	uint8_t *bucket = &r->bucket[page % RECENT_BUCKETS];
	const uint32_t at = set->oldest;

	drop(r, at);
	r->at[at].page = page;
	r->at[at].next = *bucket;
	*bucket = (uint8_t)at;
	to_front(r, set, at);
	r->last = page;
	r->last_at = at;
}

bool recent_feed(struct recent *r, uint64_t page, uint64_t **out)
{
	const bool known = page == r->last || recent_hit(r, page);
	struct recent_set *set = set_of(r, page);

	if (!known) {
		tell(r, set, out);
		enter(r, set, page);
		return false;
	}
	set->untold -= !r->at[r->last_at].told;
	r->at[r->last_at].told = true;
	return true;
}
