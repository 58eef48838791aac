/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pages that are surely in a TLB, and what order it must know them in.
 *
 * 1. Of each set of an LRU TLB those touched last are in it, as many as it has
 *    ways. Of another TLB it is the page touched last of all.
 * 2. A touch of such a page only makes it the newest of its set. That matters
 *    when the set loses a page, so it need not be told before: but then all
 *    touches since the first one that was not told are, in their order.
 */
#ifndef PLUGIN_RECENT_H
#define PLUGIN_RECENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/geometry.h"

#define RECENT_PAGES 192
#define RECENT_BUCKETS 1024
#define RECENT_NONE UINT64_MAX

struct recent_page {
	uint64_t page;
	uint8_t newer, older;	/* of the set; RECENT_END: there is none */
	uint8_t next;		/* in its bucket, or RECENT_END */
	bool told;		/* its last touch */
};
#define RECENT_END 255

struct recent_set {
	uint8_t newest, oldest;
	uint8_t untold;		/* so many pages */
};

struct recent {
	uint64_t last;		/* the page touched last (without a TLB there is
				 * one page, 0, in which all is), and ... */
	uint32_t last_at;	/* ... where it is below */
	uint32_t ways;		/* 0: there is no TLB */
	uint32_t sets;		/* a power of two */
	unsigned shift;		/* log2 of a page's bytes */
	bool code;
	struct recent_page at[RECENT_PAGES];	/* set by set */
	struct recent_set set[RECENT_PAGES];
	uint8_t bucket[RECENT_BUCKETS];		/* by page */
};

void recent_init(struct recent *r, const struct tlb_geometry *t,
		 enum page_map_kind pages, bool code);

/* Another has used the TLB since; all is told. */
void recent_reset(struct recent *r);

/* Makes it the newest of its set, not told. */
void recent_renew(struct recent *r, uint32_t at);

/*
 * Something that is fed touches the page. *out: here go the records to be fed
 * before, at most as many as a set has ways; it is moved on. Returns whether
 * the page was known.
 */
bool recent_feed(struct recent *r, uint64_t page, uint64_t **out);

/* All that is not told, at most RECENT_PAGES records. */
void recent_tell(struct recent *r, uint64_t **out);

/* Another page than the last one is touched. Is it known? If so, that is all
 * there is to do. */
static inline bool recent_hit(struct recent *r, uint64_t page)
{
	uint32_t at = r->bucket[page % RECENT_BUCKETS];

	while (at != RECENT_END && r->at[at].page != page)
		at = r->at[at].next;
	if (at == RECENT_END)
		return false;
	recent_renew(r, at);
	r->last = page;
	r->last_at = at;
	return true;
}

#endif
