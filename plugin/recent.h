/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pages that are surely in a TLB, and what order it must know them in.
 *
 * 1. Of each set of an LRU TLB those touched last are in it, as many as it has
 *    ways. Of another TLB it is the page touched last of all.
 * 2. A touch of such a page only makes it the newest of its set. That matters
 *    when the set loses a page, so it need not be told before: then touches
 *    are told until what is told is in the order of what was touched.
 */
#ifndef PLUGIN_RECENT_H
#define PLUGIN_RECENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/geometry.h"

#define RECENT_PAGES 192
#define RECENT_WAYS 64		/* more of a set are not remembered */
#define RECENT_QUICK 256
#define RECENT_LAST 8
#define RECENT_NONE UINT64_MAX

struct recent_page {
	uint64_t page;
	uint64_t told;		/* when it was touched last so that it was
				 * told */
	uint8_t newer, older;	/* of the set, when it was in order;
				 * RECENT_END: there is none */
};
#define RECENT_END 255

struct recent_set {
	uint64_t settled;	/* when it was in order */
	uint8_t newest, oldest;	/* then */
};

struct recent {
	uint64_t clock;		/* of touches */
	uint32_t ways;		/* 0: there is no TLB */
	uint32_t sets;		/* a power of two */
	unsigned shift;		/* log2 of a page's bytes */
	bool code;
	/* Pages by their low bits, where they are below, and how many others
	 * with these bits there are. */
	uint64_t quick[RECENT_QUICK];
	uint8_t slot[RECENT_QUICK], hidden[RECENT_QUICK];
	uint64_t touched[RECENT_PAGES];	/* set by set: when */
	uint8_t last[RECENT_LAST];	/* touches, by their time */
	struct recent_page at[RECENT_PAGES];
	struct recent_set set[RECENT_PAGES];
};

void recent_init(struct recent *r, const struct tlb_geometry *t,
		 enum page_map_kind pages, bool code);

/* Another has used the TLB since; all is told. */
void recent_reset(struct recent *r);

/* All that is not told, at most RECENT_PAGES records. */
void recent_tell(struct recent *r, uint64_t **out);

/* What is not found soon: the page, which is touched then; or it enters its
 * set, and records to be fed before go to *out. */
bool recent_find(struct recent *r, uint64_t page);
void recent_enter(struct recent *r, uint64_t page, uint64_t **out);

static inline void recent_touch(struct recent *r, uint8_t slot)
{
	r->touched[slot] = ++r->clock;
	r->last[r->clock % RECENT_LAST] = slot;
}

/* Is it found soon? Then it was touched. */
static inline bool recent_quick(struct recent *r, uint64_t page)
{
	const uint64_t at = page % RECENT_QUICK;

	if (!r->ways)
		return true;
	if (__builtin_expect(r->quick[at] != page, false))
		return false;
	recent_touch(r, r->slot[at]);
	return true;
}

/* Is the page known? Then it was touched, and that is all there is to do. */
static inline bool recent_hit(struct recent *r, uint64_t page)
{
	return recent_quick(r, page) || recent_find(r, page);
}

/*
 * Something that is fed touches the page. *out: here go the records to be fed
 * before, at most as many as a set has ways; it is moved on. Returns whether
 * the page was known.
 */
static inline bool recent_feed(struct recent *r, uint64_t page, uint64_t **out)
{
	uint32_t slot;

	if (!recent_hit(r, page)) {
		recent_enter(r, page, out);
		return false;
	}
	slot = r->slot[page % RECENT_QUICK];
	r->at[slot].told = r->touched[slot];
	return true;
}

#endif
