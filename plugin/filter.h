/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What need not be fed because it changes nothing but counts.
 *
 * Lines fall into classes, so that all lines of a set of any cache that matters
 * are of one class: by where the page map puts them, as far as it is known and
 * there is but one, and else by their place in their page.
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
#include "sim/pages.h"

#define FILTER_CLASSES 256
#define FILTER_QUICK 256
#define FILTER_FRAMES 4096
#define FILTER_NONE UINT64_MAX
/* That one access or line of code writes before it, or filter_tell. */
#define FILTER_MOST_BEFORE (2 * (RECENT_PAGES + FILTER_CLASSES))

/* Where the simulator takes an address to be; NULL: there. */
typedef uint64_t filter_move(uint64_t address);

/* Lines * 2, + 1 if dirty. */
struct filter_lines {
	bool on, two;		/* rule 1; for the one before, too */
	bool code;
	uint64_t quick[FILTER_QUICK];	/* newest ones, by their low bits */
	uint64_t newest[FILTER_CLASSES], before[FILTER_CLASSES];
	uint64_t told[FILTER_CLASSES];	/* which the simulator takes for the
					 * newest */
};

struct filter_frame {
	uint32_t tag;		/* of the page: its bits above the index */
	uint32_t frame;
};
#define FILTER_NO_FRAME UINT32_MAX	/* it is unknown; as a tag: no page is */

struct filter {
	struct filter_lines data, code;
	struct recent data_pages, code_pages;
	bool shared;		/* rule 2 */
	bool walks;		/* walks can change L1 */
	unsigned line_shift;
	unsigned walk_from, walk_to;	/* levels, as in sim/pages.h */
	uint64_t stray;		/* the class that walks of wrong paths can
				 * change; FILTER_NONE: there is none */
	uint64_t mask;		/* of places of lines: their class */
	filter_move *move;
	struct pages map;
	struct table_slot table[PAGE_TABLES];	/* its */
	struct filter_frame frame[FILTER_FRAMES];	/* by page */
};

/* several: page maps are simulated at once. */
void filter_init(struct filter *f, const struct geometry *g, bool several,
		 filter_move *move);

/* What the simulator is to know before another uses it, at most
 * FILTER_MOST_BEFORE records. */
void filter_tell(struct filter *f, uint64_t **out);

/* Another has used the simulator since. */
void filter_reset(struct filter *f);

/* A streaming store, which leaves the caches, is fed. */
void filter_streamed(struct filter *f, uint64_t from, uint64_t last,
		     uint64_t **out);

/*
 * May it be counted as a hit, and no more? If not, it is fed, and *out is moved
 * on behind what is to be fed before it. A load or store, and a line of code.
 */
bool filter_data(struct filter *f, uint64_t from, uint64_t last, bool store,
		 uint64_t **out);
bool filter_code(struct filter *f, uint64_t line, uint64_t **out);

/* The same of loads and stores of one line (any: or one that is not dirty);
 * if not, nothing is fed yet. */
bool filter_hit(struct filter *f, uint64_t from, bool any);

/* Is it the newest of its class, and dirty (any: or not)? Some of these are
 * not known here. */
static inline bool filter_is_newest(const struct filter_lines *l,
				    uint64_t line, bool any)
{
	return (l->quick[line % FILTER_QUICK] | any) == (line << 1 | 1);
}

/* The same of a line of code, and a load or store of one line (any: or one
 * that is not dirty), that are soon found; false: it must be asked above. */
static inline bool filter_quick(struct filter_lines *l, struct recent *pages,
				uint64_t address, unsigned line_shift,
				bool any)
{
	return filter_is_newest(l, address >> line_shift, any) &&
	       recent_quick(pages, address >> pages->shift);
}

#endif
