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
 * 3. A TLB need not be told of a page that it surely has (recent.h).
 */
#ifndef PLUGIN_FILTER_H
#define PLUGIN_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/access.h"
#include "base/geometry.h"
#include "recent.h"

#define FILTER_CLASSES 64
#define FILTER_NONE UINT64_MAX
/* That one access or line of code writes before it. */
#define FILTER_MOST_BEFORE (2 * RECENT_PAGES)

struct filter {
	bool data_on, code_on;
	bool shared;		/* rule 2 */
	bool walks;		/* walks can change L1 */
	bool strays;		/* so can those of wrong paths; all class 0 */
	unsigned line_shift;
	uint64_t mask;		/* of lines: their class */
	uint64_t data[FILTER_CLASSES];	/* line * 2, + 1 if dirty */
	uint64_t code[FILTER_CLASSES];	/* line * 2 */
	struct recent data_pages, code_pages;
};

void filter_init(struct filter *f, const struct geometry *g);

/* What the simulator is to know before another uses it, at most
 * FILTER_MOST_BEFORE records. */
void filter_tell(struct filter *f, uint64_t **out);

/* Another has used the simulator since. */
void filter_reset(struct filter *f);

/* A page, by address, is used by something that is fed, after *out. */
void filter_touch(struct filter *f, struct recent *pages, uint64_t address,
		  uint64_t **out);

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

static inline void filter_touch_data(struct filter *f, uint64_t from,
				     uint64_t last, uint64_t **out)
{
	if (!f->data_pages.ways)
		return;
	filter_touch(f, &f->data_pages, from, out);
	if ((last ^ from) >> 12)
		filter_touch(f, &f->data_pages, last, out);
}

/* A load or store that is fed; *out: what is to be fed before it. */
static inline void filter_fed(struct filter *f, uint64_t from, uint64_t last,
			      bool store, uint64_t **out)
{
	const uint64_t end = last >> f->line_shift;

	for (uint64_t i = from >> f->line_shift; i <= end; i++)
		filter_remember(f, i, store);
	filter_touch_data(f, from, last, out);
}

/* A streaming store, which leaves the caches, is fed. */
static inline void filter_streamed(struct filter *f, uint64_t from,
				   uint64_t last, uint64_t **out)
{
	filter_forget(f, from >> f->line_shift);
	filter_forget(f, last >> f->line_shift);
	filter_touch_data(f, from, last, out);
}

/* A load or store: may it be counted as a hit, and no more? */
static inline bool filter_data(struct filter *f, uint64_t from,
			       uint64_t bytes, bool store)
{
	const uint64_t line = from >> f->line_shift;
	const uint64_t page = from >> f->data_pages.shift;

	if (__builtin_expect((f->data[line & f->mask] | !store) !=
			     (line << 1 | 1) ||
			     (from + bytes - 1) >> f->line_shift != line,
			     false))
		return false;
	return page == f->data_pages.last || !f->data_pages.ways ||
	       recent_hit(&f->data_pages, page);
}

/* A line of code: may it be counted only? */
static inline bool filter_code(struct filter *f, uint64_t line)
{
	const uint64_t page = line << f->line_shift >> f->code_pages.shift;

	return f->code[line & f->mask] == line << 1 &&
	       (page == f->code_pages.last || !f->code_pages.ways ||
		recent_hit(&f->code_pages, page));
}

/* One that is fed; *out: what is to be fed before it. */
static inline void filter_code_fed(struct filter *f, uint64_t line,
				   uint64_t **out)
{
	if (f->shared)
		f->data[line & f->mask] = FILTER_NONE;
	if (f->code_on && (!f->strays || line & f->mask))
		f->code[line & f->mask] = line << 1;
	if (f->code_pages.ways)
		filter_touch(f, &f->code_pages, line << f->line_shift, out);
}

#endif
