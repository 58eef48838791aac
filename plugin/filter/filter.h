/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fast filter: accesses that can only hit and change no state are counted,
 * and not fed to the simulator.
 *
 * Lines fall into classes, such that all lines of a set of L1, and of a lower
 * level that evicts from L1, are of one class: by the line's frame, if there is
 * one page map and it is known for the page, else by the place in the page.
 *
 * 1. An access to the newest line of its class hits, and the replacement state
 *    stays (a store: if the line is dirty). With LRU and tree-PLRU an access to
 *    the line before it only swaps the two. The order of the two is deferred:
 *    an L0 entry notes the time of each hit, and the order is flushed to the
 *    simulator (ACCESS_TOUCH) before another line of the class is fed.
 * 2. Where a lower level evicts from L1, a line that misses L1 may evict any
 *    line of its own set there, from L1D, L1I or both; so may a page walk. Such
 *    a set is a part of a class: its lines are dropped from the filter.
 * 3. A page that is certainly in its TLB only gets a new time (tlb-order.h).
 * 4. Where stores have a data TLB of their own, L0 entries know the slots of
 *    loads' pages only, so no store hits L0.
 * 5. With a policy that is settling and not repeatable (base/policies.def) a
 *    line becomes the newest of its class when it is fed twice in a row: the
 *    second access hits, and further hits change nothing.
 */
#ifndef PLUGIN_FILTER_FILTER_H
#define PLUGIN_FILTER_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/access.h"
#include "base/geometry.h"
#include "plugin/filter/tlb-order.h"
#include "sim/model/pages.h"

#define FILTER_CLASSES 256
#define FILTER_L0 512
#define FILTER_FRAMES 4096
#define FILTER_NONE UINT64_MAX
/* Most records that are to be fed before one access or line of code. */
#define FILTER_MOST_BEFORE (3 * TLB_ORDER_PAGES + 2 * FILTER_CLASSES)

/* The simulated address of a program's address; NULL: the same. */
typedef uint64_t filter_move(uint64_t address);

/* The last two lines of a class: line number * 2, + 1 if dirty; or FILTER_NONE.
 * Hits in L0 may have swapped them since. */
struct filter_class {
	uint64_t newest, before;
	uint64_t flushed;	/* the simulator's newest of the two */
	uint64_t touched;	/* when the newest was, at least */
	uint64_t pending;	/* rule 5: the line that was fed once */
	uint32_t newest_set, before_set;	/* rule 2 */
};

/* A line of a class that a single comparison finds. */
struct l0_entry {
	uint64_t key;		/* its address, below L0_CLEAN; that bit;
				 * and its page's slot in tlb-order.h */
	uint64_t touched;	/* when */
};
#define L0_CLEAN (UINT64_C(1) << 48)
#define L0_SLOT 56

struct filter_lines {
	bool on, two;		/* rule 1; for the one before, too */
	bool after_hit;		/* rule 5 */
	bool code;
	bool wrong_path_walks;	/* can change the cache */
	bool walked;		/* page walks read through the cache */
	unsigned line_shift;
	struct l0_entry l0[FILTER_L0];	/* by their low bits */
	uint8_t class_at[FILTER_L0];
	/* By slot of tlb-order.h: lines of the page that were in L0. */
	uint64_t in_l0[TLB_ORDER_PAGES];
	_Alignas(32) struct filter_class class[FILTER_CLASSES];
};

/* Which TLB. */
enum filter_pages { FILTER_DATA, FILTER_CODE, FILTER_STORES };

struct filter_frame {
	uint32_t tag;		/* of the page: its bits above the index */
	uint32_t frame;
	uint8_t slot[3];	/* of the page, by enum filter_pages */
};
#define FILTER_NO_FRAME UINT32_MAX	/* unknown; as a tag: no page */

struct filter {
	struct filter_lines data, code;
	uint64_t clock;		/* of touches */
	struct tlb_order data_pages, code_pages, store_pages;
	enum filter_pages stores;	/* DATA; or STORES, rule 4 */
	bool shared;		/* rule 2 */
	bool walks;		/* walks can change L1 */
	bool framed;		/* of lines, their frame or slot is needed */
	unsigned line_shift;
	unsigned longer;	/* log2 of L1's lines in a lower level's */
	unsigned walk_from, walk_to;	/* levels, as in sim/model/pages.h */
	uint64_t wrong_path;		/* where walks of wrong paths read */
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

/* A streaming store is to be fed, behind the records that are added at *out. */
void filter_streamed(struct filter *f, uint64_t from, uint64_t last,
		     uint64_t **out);

/*
 * Can a load or store, or a line of code, be counted as a hit and no more? If
 * not, it is to be fed, behind the records that are added at *out.
 */
bool filter_data(struct filter *f, uint64_t from, uint64_t last, bool store,
		 uint64_t **out);
bool filter_code(struct filter *f, uint64_t line, uint64_t **out);

/* For filter_init (geometry-fit.c): the line that a walk for that page of
 * simulated addresses reads. */
uint64_t filter_descriptor(const struct filter *f, unsigned level,
			   uint64_t page);

/* Do a line's class and set depend on its place in the page alone? */
static inline bool filter_within_pages(const struct filter *f)
{
	return !((f->mask | f->set_mask) >> (PAGE_BITS - f->line_shift));
}

static inline struct l0_entry *l0_entry(struct filter_lines *l,
					uint64_t address, unsigned line_shift)
{
	return &l->l0[(address >> line_shift) % FILTER_L0];
}

/* Bits in which the address differs from the entry's. Without one of L0_MISS
 * the access hits L0, and L0_SLOT has the page's slot. */
static inline uint64_t l0_differs(const struct l0_entry *entry,
				  uint64_t address)
{
	return entry->key ^ address;
}

/* any: of a load, which may hit a clean line, too. */
#define L0_MISS(line_shift, any) \
	((UINT64_C(1) << L0_SLOT) - (UINT64_C(1) << (line_shift)) - \
	 ((any) ? L0_CLEAN : 0))

/* Can a line of code, or a load or store of one line, be counted as a hit by
 * its L0 entry? If not, filter_data or filter_code must be asked. */
static inline bool filter_l0_hit(struct filter *f, enum filter_pages which,
				 uint64_t address, unsigned line_shift,
				 bool any)
{
	const bool code = which == FILTER_CODE;
	struct l0_entry *entry = l0_entry(code ? &f->code : &f->data, address,
					  line_shift);
	const uint64_t differs = l0_differs(entry, address);

	if (__builtin_expect(differs & L0_MISS(line_shift, any), false))
		return false;
	entry->touched = ++f->clock;
	tlb_order_touch(code ? &f->code_pages : &f->data_pages,
			(uint8_t)(differs >> L0_SLOT), f->clock);
	return true;
}

#endif
