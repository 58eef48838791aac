/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What need not be fed because it changes nothing but counts.
 *
 * Lines fall into classes by their address within a page, so that all lines of
 * a set of any cache that matters are of one class, whatever the page map.
 *
 * 1. An access to the line that was the last of its class hits, and the policy
 *    is where it was (a store: if the line is dirty). The same holds for code.
 * 2. Where a lower level evicts from L1, a record may evict any line of its
 *    class: data the code's, code the data's, and a page walk both.
 * 3. Pages touched since the last reset are in the TLB if they are no more
 *    than its ways. A hit moves its page to the front. Only the last such hit
 *    of each page matters, and only when something else is fed: it waits until
 *    then, and the waiting ones are fed in their order.
 */
#ifndef PLUGIN_FILTER_H
#define PLUGIN_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/access.h"
#include "base/geometry.h"

#define FILTER_CLASSES 64
#define FILTER_PAGES 64		/* direct-mapped */
#define FILTER_WAITING 16
#define FILTER_NONE UINT64_MAX

struct filter_page {
	uint64_t page;
	uint64_t epoch;		/* of its last touch; others: not known */
	uint64_t record;	/* waits, if ... */
	uint64_t stamp;		/* ... this is not 0 */
	uint32_t site;		/* of it */
};

/* A TLB's pages; most 0: there is no TLB. */
struct filter_pages {
	uint64_t last;
	uint64_t epoch;
	uint32_t known, most;
	struct filter_page page[FILTER_PAGES];
};

struct filter {
	bool data_on, code_on;
	bool shared;		/* rule 2 */
	bool walks;		/* walks can change L1 */
	bool strays;		/* so can those of wrong paths; all class 0 */
	unsigned line_shift;
	uint64_t mask;		/* of lines: their class */
	uint64_t data[FILTER_CLASSES];	/* line * 2, + 1 if dirty */
	uint64_t code[FILTER_CLASSES];	/* line * 2 */
	struct filter_pages data_pages, code_pages;
	uint64_t clock;
	uint64_t waiting_classes;	/* bit per class */
	uint32_t waiting;
	uint8_t waits[FILTER_WAITING];	/* indices of pages */
};

void filter_init(struct filter *f, const struct geometry *g);

/* The page is used by something that is fed. */
void filter_touch(struct filter *f, struct filter_pages *pages, uint64_t page);

/* Another has used the simulator since; nothing waits. */
void filter_reset(struct filter *f);

/* The waiting ones in their order; none waits after that. */
uint32_t filter_release(struct filter *f, struct filter_page **out);

static inline void filter_forget(struct filter *f, uint64_t line)
{
	f->data[line & f->mask] = FILTER_NONE;
	f->code[line & f->mask] = FILTER_NONE;
}

static inline void filter_remember(struct filter *f, uint64_t line, bool store)
{
	uint64_t *known = &f->data[line & f->mask];

	if (f->shared)
		f->code[line & f->mask] = FILTER_NONE;
	if (f->data_on && (!f->strays || line & f->mask))
		*known = *known >> 1 == line ? *known | store :
					       line << 1 | store;
}

/* A load or store that is fed. */
static inline void filter_fed(struct filter *f, uint64_t from, uint64_t last,
			      bool store)
{
	const uint64_t end = last >> f->line_shift;

	for (uint64_t i = from >> f->line_shift; i <= end; i++)
		filter_remember(f, i, store);
	if (!f->data_pages.most)
		return;
	filter_touch(f, &f->data_pages, from >> 12);
	if (last >> 12 != from >> 12)
		filter_touch(f, &f->data_pages, last >> 12);
}

/* Another page than the last one: does it hit? */
static inline struct filter_page *filter_known(struct filter_pages *pages,
					       uint64_t page)
{
	struct filter_page *p = &pages->page[page % FILTER_PAGES];

	return p->page == page && p->epoch == pages->epoch ? p : NULL;
}

/* A streaming store, which leaves the caches, is fed. */
static inline void filter_streamed(struct filter *f, uint64_t from,
				   uint64_t last)
{
	filter_forget(f, from >> f->line_shift);
	filter_forget(f, last >> f->line_shift);
	if (!f->data_pages.most)
		return;
	filter_touch(f, &f->data_pages, from >> 12);
	filter_touch(f, &f->data_pages, last >> 12);
}

enum filter_answer { FILTER_FEED, FILTER_DROP, FILTER_WAITS };

/*
 * A load or store of one line or more. FEED: release, call filter_fed, feed
 * it. DROP: count it as a hit. WAITS: put it into *at with filter_wait; if
 * something waits there already (its stamp is not 0), count that as a hit.
 */
static inline enum filter_answer filter_data(struct filter *f, uint64_t from,
					     uint64_t bytes, bool store,
					     struct filter_page **at)
{
	const uint64_t line = from >> f->line_shift, page = from >> 12;

	if (__builtin_expect((f->data[line & f->mask] | !store) !=
			     (line << 1 | 1) ||
			     (from + bytes - 1) >> f->line_shift != line,
			     false))
		return FILTER_FEED;
	if (page == f->data_pages.last || !f->data_pages.most)
		return FILTER_DROP;
	*at = filter_known(&f->data_pages, page);
	if (!*at)
		return FILTER_FEED;
	f->data_pages.last = page;
	return FILTER_WAITS;
}

static inline void filter_wait(struct filter *f, struct filter_page *p,
			       uint64_t record, uint32_t site)
{
	const uint64_t line = access_operand(record) >> f->line_shift;

	if (!p->stamp)
		f->waits[f->waiting++] = (uint8_t)(p - f->data_pages.page);
	p->record = record;
	p->site = site;
	p->stamp = ++f->clock;
	f->waiting_classes |= UINT64_C(1) << (line & f->mask);
}

/* A line of code: may it be counted only? */
static inline bool filter_code(struct filter *f, uint64_t line)
{
	return f->code[line & f->mask] == line << 1 &&
	       (!f->code_pages.most ||
		line << f->line_shift >> 12 == f->code_pages.last);
}

/* One that is fed; are those that wait to be released before? */
static inline bool filter_code_fed(struct filter *f, uint64_t line)
{
	const uint64_t page = line << f->line_shift >> 12;
	const bool walks = f->walks && f->code_pages.most &&
			   page != f->code_pages.last &&
			   !filter_known(&f->code_pages, page);

	if (f->shared)
		f->data[line & f->mask] = FILTER_NONE;
	if (f->code_on && (!f->strays || line & f->mask))
		f->code[line & f->mask] = line << 1;
	if (f->code_pages.most)
		filter_touch(f, &f->code_pages, page);
	return walks ||
	       (f->shared && f->waiting_classes >> (line & f->mask) & 1);
}

#endif
