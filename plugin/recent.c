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
	if (r->ways > RECENT_WAYS)
		r->ways = RECENT_WAYS;
	recent_reset(r);
}

static void reset_set(struct recent *r, uint32_t set)
{
	const uint32_t first = set * r->ways;

	r->set[set] = (struct recent_set){
		0, (uint8_t)first, (uint8_t)(first + r->ways - 1)
	};
	for (uint32_t i = 0; i < r->ways; i++)
		r->at[first + i] = (struct recent_page){
			RECENT_NONE, 0,
			(uint8_t)(i ? first + i - 1 : RECENT_END),
			(uint8_t)(i + 1 < r->ways ? first + i + 1 : RECENT_END)
		};
}

void recent_reset(struct recent *r)
{
	memset(r->quick, 0xff, sizeof(r->quick));
	memset(r->hidden, 0, sizeof(r->hidden));
	memset(r->touched, 0, sizeof(r->touched));
	for (uint32_t set = 0; set < r->sets && r->ways; set++)
		reset_set(r, set);
	r->clock = 0;
}

/* ---- finding ------------------------------------------------------------- */

static uint32_t set_of(const struct recent *r, uint64_t page)
{
	return (uint32_t)page & (r->sets - 1);
}

static void show(struct recent *r, uint32_t slot)
{
	const uint64_t page = r->at[slot].page, at = page % RECENT_QUICK;

	r->hidden[at] += r->quick[at] != RECENT_NONE;
	r->quick[at] = page;
	r->slot[at] = (uint8_t)slot;
}

static void remove_page(struct recent *r, uint32_t slot)
{
	const uint64_t page = r->at[slot].page, at = page % RECENT_QUICK;

	if (page == RECENT_NONE)
		return;
	if (r->quick[at] == page)
		r->quick[at] = RECENT_NONE;
	else
		r->hidden[at]--;
}

bool recent_find(struct recent *r, uint64_t page)
{
	const uint32_t first = set_of(r, page) * r->ways;

	if (!r->hidden[page % RECENT_QUICK])
		return false;
	for (uint32_t i = first; i < first + r->ways; i++)
		if (r->at[i].page == page) {
			r->hidden[page % RECENT_QUICK]--;
			show(r, i);
			recent_touch(r, (uint8_t)i);
			return true;
		}
	return false;
}

/* ---- order --------------------------------------------------------------- */

static void to_front(struct recent *r, struct recent_set *set, uint32_t slot)
{
	struct recent_page *p = &r->at[slot];

	if (set->newest == slot)
		return;
	r->at[p->newer].older = p->older;
	if (p->older == RECENT_END)
		set->oldest = p->newer;
	else
		r->at[p->older].newer = p->newer;
	p->newer = RECENT_END;
	p->older = set->newest;
	r->at[set->newest].newer = (uint8_t)slot;
	set->newest = (uint8_t)slot;
}

/* A bit for each of a set that was touched since it was in order. */
static uint64_t touched_since(const struct recent *r, uint32_t first,
			      uint64_t settled)
{
	uint64_t bits = 0;

	if (r->clock - settled <= RECENT_LAST) {
		for (uint64_t when = settled + 1; when <= r->clock; when++) {
			const uint32_t i = r->last[when % RECENT_LAST] - first;

			if (i < r->ways)
				bits |= UINT64_C(1) << i;
		}
		return bits;
	}
	for (uint32_t i = 0; i < r->ways; i++)
		bits |= (uint64_t)(r->touched[first + i] > settled) << i;
	return bits;
}

/* They become the order of their touches; returns how many. */
static uint32_t sort(const struct recent *r, uint32_t first, uint64_t bits,
		     uint8_t *order)
{
	uint32_t n = 0, at;

	for (; bits; bits &= bits - 1) {
		const uint32_t slot = first + (uint32_t)__builtin_ctzll(bits);

		for (at = n++; at && r->touched[order[at - 1]] >
				     r->touched[slot]; at--)
			order[at] = order[at - 1];
		order[at] = (uint8_t)slot;
	}
	return n;
}

/* When the newest of the others was told. */
static uint64_t others_told(const struct recent *r, uint32_t set,
			    uint64_t bits)
{
	uint32_t at = r->set[set].newest;

	while (at != RECENT_END && bits >> (at - set * r->ways) & 1)
		at = r->at[at].older;
	return at == RECENT_END ? 0 : r->at[at].told;
}

static uint64_t touch_of(const struct recent *r, uint32_t slot)
{
	return access_pack(ACCESS_TOUCH, r->code ? ACCESS_CODE : 0, 0,
			   r->at[slot].page << r->shift);
}

/* Those at the begin whose order is what was told need no touch. */
static void settle(struct recent *r, uint32_t set, uint64_t **out)
{
	const uint32_t first = set * r->ways;
	const uint64_t bits = touched_since(r, first, r->set[set].settled);
	uint64_t told = others_told(r, set, bits);
	uint8_t order[RECENT_WAYS];
	const uint32_t n = sort(r, first, bits, order);
	uint32_t i = 0;

	for (; i < n && r->at[order[i]].told > told; i++)
		told = r->at[order[i]].told;
	for (; i < n; i++)
		*(*out)++ = touch_of(r, order[i]);
	for (i = 0; i < n; i++) {
		r->at[order[i]].told = r->touched[order[i]];
		to_front(r, &r->set[set], order[i]);
	}
	r->set[set].settled = r->clock;
}

void recent_tell(struct recent *r, uint64_t **out)
{
	for (uint32_t set = 0; set < r->sets && r->ways; set++)
		settle(r, set, out);
}

void recent_enter(struct recent *r, uint64_t page, uint64_t **out)
{
	struct recent_set *set = &r->set[set_of(r, page)];
	uint32_t slot;

	if (set->settled != r->clock)
		settle(r, set_of(r, page), out);
	slot = set->oldest;
	remove_page(r, slot);
	r->at[slot].page = page;
	recent_touch(r, (uint8_t)slot);
	r->at[slot].told = set->settled = r->clock;
	show(r, slot);
	to_front(r, set, slot);
}
