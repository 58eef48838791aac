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
 *    order of the two, which is told before anything else of the class is fed:
 *    what is soon found only notes when.
 * 2. Where a lower level evicts from L1, what misses L1 may evict any line of
 *    its own set there: from L1D, or L1I, or both. So may a page walk. Such a
 *    set is a part of a class.
 * 3. A TLB need not be told of a page that it surely has (recent.h).
 * 4. Where stores have a data TLB of their own, what is soon found knows of the
 *    loads' pages only: no store is.
 * 5. With SRRIP a hit changes nothing only if the access before it, to the same
 *    line, was a hit: a line counts as the newest when it is fed twice in a row.
 */
#ifndef PLUGIN_FILTER_FILTER_H
#define PLUGIN_FILTER_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/access.h"
#include "base/geometry.h"
#include "plugin/filter/tlb-order.h"
#include "sim/pages.h"

#define FILTER_CLASSES 256
#define FILTER_QUICK 512
#define FILTER_FRAMES 4096
#define FILTER_NONE UINT64_MAX
/* That one access or line of code writes before it. */
#define FILTER_MOST_BEFORE (3 * RECENT_PAGES + 2 * FILTER_CLASSES)

/* Where the simulator takes an address to be; NULL: there. */
typedef uint64_t filter_move(uint64_t address);

/* Its last two lines, * 2, + 1 if dirty; or FILTER_NONE. What is soon found may
 * have turned them since. */
struct filter_class {
	uint64_t newest, before;
	uint64_t told;		/* which the simulator takes for the newest */
	uint64_t touched;	/* when the newest was, at least */
	uint64_t pending;	/* rule 5: the line that was fed last */
	uint32_t newest_set, before_set;	/* rule 2 */
};

/* One of the two of a class. */
struct filter_found {
	uint64_t key;		/* its address, below FILTER_CLEAN; that bit;
				 * and its page's slot in recent.h */
	uint64_t touched;	/* when */
};
#define FILTER_CLEAN (UINT64_C(1) << 48)
#define FILTER_SLOT 56

struct filter_lines {
	bool on, two;		/* rule 1; for the one before, too */
	bool after_hit;		/* rule 5 */
	bool code;
	bool strays;		/* walks of wrong paths can change it */
	bool walked;		/* and walks read through it */
	unsigned line_shift;
	struct filter_found quick[FILTER_QUICK];	/* by their low bits */
	uint8_t class_at[FILTER_QUICK];
	/* By slot, which lines of its page were there since it has it. */
	uint64_t shown[RECENT_PAGES];
	_Alignas(32) struct filter_class class[FILTER_CLASSES];
};

/* Which TLB. */
enum filter_pages { FILTER_DATA, FILTER_CODE, FILTER_STORES };

struct filter_frame {
	uint32_t tag;		/* of the page: its bits above the index */
	uint32_t frame;
	uint8_t slot[3];	/* of the page, by enum filter_pages */
};
#define FILTER_NO_FRAME UINT32_MAX	/* it is unknown; as a tag: no page is */

struct filter {
	struct filter_lines data, code;
	uint64_t clock;		/* of touches */
	struct recent data_pages, code_pages, store_pages;
	enum filter_pages stores;	/* DATA; or STORES, rule 4 */
	bool shared;		/* rule 2 */
	bool walks;		/* walks can change L1 */
	bool framed;		/* of lines, their frame or slot is needed */
	unsigned line_shift;
	unsigned walk_from, walk_to;	/* levels, as in sim/pages.h */
	uint64_t stray;		/* where walks of wrong paths read */
	uint64_t mask;		/* of places of lines: their class, ... */
	uint64_t set_mask;	/* ... and what of one is evicted together */
	filter_move *move;
	struct pages map;
	struct table_slot table[PAGE_TABLES];	/* its */
	struct filter_frame frame[FILTER_FRAMES];	/* by page */
};

/* several: page maps are simulated at once. */
void filter_init(struct filter *f, const struct geometry *g, bool several,
		 filter_move *move);

/* The simulator begins anew. */
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

/* For fit.c, which has filter_init: the line that a walk for that page of
 * simulated addresses reads. */
uint64_t filter_descriptor(const struct filter *f, unsigned level,
			   uint64_t page);

/* Do classes, and sets, depend on nothing but the place in a page? */
static inline bool filter_within_pages(const struct filter *f)
{
	return !((f->mask | f->set_mask) >> (PAGE_BITS - f->line_shift));
}

static inline struct filter_found *filter_place(struct filter_lines *l,
						uint64_t address,
						unsigned line_shift)
{
	return &l->quick[(address >> line_shift) % FILTER_QUICK];
}

/* What it has of FILTER_OTHER: then it is none of the two of its class, or not
 * dirty. If nothing, its page's slot is at FILTER_SLOT. Some of the two are not
 * known here. */
static inline uint64_t filter_shown(const struct filter_found *place,
				    uint64_t address)
{
	return place->key ^ address;
}

#define FILTER_OTHER(line_shift, any) \
	((UINT64_C(1) << FILTER_SLOT) - (UINT64_C(1) << (line_shift)) - \
	 ((any) ? FILTER_CLEAN : 0))

/* It is, and is the newest now. */
static inline void filter_touch(struct filter *f, struct recent *pages,
				struct filter_found *place, uint64_t shown)
{
	place->touched = ++f->clock;
	recent_touch(pages, (uint8_t)(shown >> FILTER_SLOT), f->clock);
}

/* The same of a line of code, and a load or store of one line (any: or one
 * that is not dirty), that are soon found; false: it must be asked above. */
static inline bool filter_quick(struct filter *f, enum filter_pages which,
				uint64_t address, unsigned line_shift,
				bool any)
{
	struct filter_lines *l = which == FILTER_CODE ? &f->code : &f->data;
	struct filter_found *place = filter_place(l, address, line_shift);
	const uint64_t shown = filter_shown(place, address);

	if (__builtin_expect(shown & FILTER_OTHER(line_shift, any), false))
		return false;
	filter_touch(f, which == FILTER_CODE ? &f->code_pages : &f->data_pages,
		     place, shown);
	return true;
}

#endif
