/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What need not be fed because it changes nothing but counts.
 *
 * Lines fall into classes by their address within a page, so that all lines of
 * a set of any cache that matters are of one class, whatever the page map.
 *
 * 1. An access to the line that was the last of its class hits, and the policy
 *    is where it was (a store: if the line is dirty). The same holds for code.
 *    With LRU or a tree, so does one to the line before that one, but for the
 *    order of the two, which is told before anything else of the class is fed.
 * 2. Where a lower level evicts from L1, a record may evict any line of its
 *    class: data the code's, code the data's, and a page walk both; and the
 *    line before the newest, which it has not heard of for long.
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
/* That one access or line of code writes before it, or filter_tell. */
#define FILTER_MOST_BEFORE (2 * (RECENT_PAGES + FILTER_CLASSES))

/* Of each class; line * 2, + 1 if dirty. */
struct filter_lines {
	bool on, two;		/* rule 1; for the one before, too */
	bool code;
	uint64_t newest[FILTER_CLASSES], before[FILTER_CLASSES];
	uint64_t told[FILTER_CLASSES];	/* which the simulator takes for the
					 * newest; line * 2 */
};

struct filter {
	struct filter_lines data, code;
	bool shared;		/* rule 2 */
	bool walks;		/* walks can change L1 */
	bool strays;		/* so can those of wrong paths; all class 0 */
	unsigned line_shift;
	uint64_t mask;		/* of lines: their class */
	struct recent data_pages, code_pages;
};

void filter_init(struct filter *f, const struct geometry *g);

/* What the simulator is to know before another uses it, at most
 * FILTER_MOST_BEFORE records. */
void filter_tell(struct filter *f, uint64_t **out);

/* Another has used the simulator since. */
void filter_reset(struct filter *f);

/* What a walk reads changes L1. */
void filter_walk(struct filter *f, uint64_t page, uint64_t **out);

/* A page, by address, is used by something that is fed, after *out. */
static inline void filter_touch(struct filter *f, struct recent *pages,
				uint64_t address, uint64_t **out)
{
	if (!recent_feed(pages, address >> pages->shift, out) && f->walks)
		filter_walk(f, address >> 12, out);
}

/* What the simulator must know before the class changes. */
static inline void filter_tell_class(const struct filter *f,
				     struct filter_lines *l, uint64_t class,
				     uint64_t **out)
{
	const uint64_t newest = l->newest[class] & ~UINT64_C(1);

	if (__builtin_expect(newest == l->told[class] ||
			     l->newest[class] == FILTER_NONE, true))
		return;
	*(*out)++ = access_pack(ACCESS_TOUCH, ACCESS_LINE |
				(l->code ? ACCESS_CODE : 0), 0,
				newest >> 1 << f->line_shift);
	l->told[class] = newest;
}

static inline void filter_forget_class(const struct filter *f,
				       struct filter_lines *l, uint64_t class,
				       uint64_t **out)
{
	filter_tell_class(f, l, class, out);
	l->newest[class] = l->before[class] = FILTER_NONE;
}

static inline void filter_forget(struct filter *f, uint64_t line,
				 uint64_t **out)
{
	filter_forget_class(f, &f->data, line & f->mask, out);
	filter_forget_class(f, &f->code, line & f->mask, out);
}

/* It is fed, and the newest then. */
static inline void filter_remember(struct filter *f, struct filter_lines *l,
				   uint64_t line, bool store, uint64_t **out)
{
	const uint64_t class = line & f->mask, newest = l->newest[class];
	uint64_t entry = line << 1;

	if (!l->on || (f->strays && !class))
		return;
	if (newest >> 1 == line) {
		entry = newest;
	} else {
		if (l->before[class] >> 1 == line)
			entry = l->before[class];
		else
			filter_tell_class(f, l, class, out);
		l->before[class] = l->two && !f->shared ? newest : FILTER_NONE;
	}
	l->newest[class] = entry | store;
	l->told[class] = line << 1;
}

/* The line before the newest of its class is the newest now. */
static inline bool filter_turn(struct filter *f, struct filter_lines *l,
			       uint64_t line)
{
	const uint64_t class = line & f->mask, entry = l->before[class];

	l->before[class] = l->newest[class];
	l->newest[class] = entry;
	return true;
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

	for (uint64_t i = from >> f->line_shift; i <= end; i++) {
		if (f->shared)
			filter_forget_class(f, &f->code, i & f->mask, out);
		filter_remember(f, &f->data, i, store, out);
	}
	filter_touch_data(f, from, last, out);
}

/* A streaming store, which leaves the caches, is fed. */
static inline void filter_streamed(struct filter *f, uint64_t from,
				   uint64_t last, uint64_t **out)
{
	filter_forget(f, from >> f->line_shift, out);
	filter_forget(f, last >> f->line_shift, out);
	filter_touch_data(f, from, last, out);
}

/* Is the page known? Then it was touched. */
static inline bool filter_page(struct recent *pages, uint64_t address)
{
	return recent_hit(pages, address >> pages->shift);
}

/* A load or store: may it be counted as a hit, and no more? */
static inline bool filter_data(struct filter *f, uint64_t from,
			       uint64_t bytes, bool store)
{
	const uint64_t line = from >> f->line_shift, class = line & f->mask;

	if ((from + bytes - 1) >> f->line_shift != line)
		return false;
	if ((f->data.newest[class] | !store) == (line << 1 | 1))
		return filter_page(&f->data_pages, from);
	return (f->data.before[class] | !store) == (line << 1 | 1) &&
	       filter_page(&f->data_pages, from) &&
	       filter_turn(f, &f->data, line);
}

/* A line of code: may it be counted only? */
static inline bool filter_code(struct filter *f, uint64_t line)
{
	const uint64_t address = line << f->line_shift, class = line & f->mask;

	if (f->code.newest[class] == line << 1)
		return filter_page(&f->code_pages, address);
	return f->code.before[class] == line << 1 &&
	       filter_page(&f->code_pages, address) &&
	       filter_turn(f, &f->code, line);
}

/* One that is fed; *out: what is to be fed before it. */
static inline void filter_code_fed(struct filter *f, uint64_t line,
				   uint64_t **out)
{
	if (f->shared)
		filter_forget_class(f, &f->data, line & f->mask, out);
	filter_remember(f, &f->code, line, false, out);
	if (f->code_pages.ways)
		filter_touch(f, &f->code_pages, line << f->line_shift, out);
}

#endif
