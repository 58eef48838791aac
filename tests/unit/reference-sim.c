/* SPDX-License-Identifier: MIT */
/* See reference-sim.h. Written for being obviously right, not for speed. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/access.h"
#include "reference-box.h"
#include "reference-prefetch.h"
#include "reference-sim.h"

#define COMBINING 8
#define MEMORY 3
#define L1I 4		/* index in box[] */
#define BOXES 5
#define GIB (UINT64_C(1) << 30)

struct reference {
	struct geometry g;
	struct box box[BOXES], dtlb, store_dtlb, itlb, l2tlb, l2itlb;
	struct prefetching *prefetching;
	bool issuing;		/* what prefetchers want is being fetched */
	uint64_t combining[COMBINING];	/* lines, newest first */
	uint64_t code;		/* the PC's base */
	struct reference_report report;
};

/* Why a line is looked up. */
enum why { LOAD, STORE, WALK, FETCH, PREFETCH };

static const struct {
	enum signal lookup[5], miss[5], writeback, writeback_miss;
	enum signal passed, passed_miss, clean, dirty, removed, removed_dirty;
} names[] = {
	{ .lookup = { SIGNAL_l1d_load, SIGNAL_l1d_store, SIGNAL_l1d_walk,
		      SIGNALS, SIGNAL_l1d_prefetch },
	  .miss = { SIGNAL_l1d_load_miss, SIGNAL_l1d_store_miss,
		    SIGNAL_l1d_walk_miss, SIGNALS, SIGNAL_l1d_prefetch_fill },
	  .clean = SIGNAL_l1d_evict_clean, .dirty = SIGNAL_l1d_evict_dirty,
	  .removed = SIGNAL_l1d_invalidate,
	  .removed_dirty = SIGNAL_l1d_flush_dirty },
#define LOOKUPS(n, miss) { \
	SIGNAL_##n##_load##miss, SIGNAL_##n##_store##miss, \
	SIGNAL_##n##_walk##miss, SIGNAL_##n##_fetch##miss, \
	SIGNAL_##n##_prefetch##miss }
#define LEVEL(n) { \
	LOOKUPS(n, ), LOOKUPS(n, _miss), SIGNAL_##n##_writeback, \
	SIGNAL_##n##_writeback_miss, SIGNAL_##n##_write_through, \
	SIGNAL_##n##_write_through_miss, SIGNAL_##n##_evict_clean, \
	SIGNAL_##n##_evict_dirty, SIGNAL_##n##_invalidate, \
	SIGNAL_##n##_flush_dirty }
	LEVEL(l2), LEVEL(l3),
};

static void count(struct reference *r, enum signal what)
{
	r->report.signal[what]++;
}

static void cache_new(struct box *b, const struct cache_geometry *g,
		      uint32_t shortest)
{
	box_new(b, g->present, g->sets, g->slices, g->ways, g->policy);
	b->inclusion = g->inclusion;
	if (g->present)
		b->lines = g->line_bytes / shortest;
	b->write_through = g->write_through;
	b->no_allocate = g->no_write_allocate;
	b->silent = g->silent_clean;
	b->loud = g->loud_from_dram;
	b->policy_first = g->cold == COLD_POLICY_VICTIM;
}

static void tlb_new(struct box *b, const struct tlb_geometry *g)
{
	box_new(b, g->present, g->ways ? g->entries / g->ways : 0, 1, g->ways,
		g->policy);
}

struct reference *reference_new(const struct geometry *geometry)
{
	struct reference *r = calloc(1, sizeof(*r));

	r->g = *geometry;
	r->code = ACCESS_CODE_BASE;
	r->prefetching = prefetching_new(&r->g);
	for (int i = 0; i < COMBINING; i++)
		r->combining[i] = NONE;
	cache_new(&r->box[0], &geometry->l1d, geometry->l1d.line_bytes);
	cache_new(&r->box[1], &geometry->l2, geometry->l1d.line_bytes);
	cache_new(&r->box[2], &geometry->l3, geometry->l1d.line_bytes);
	cache_new(&r->box[L1I], &geometry->l1i, geometry->l1d.line_bytes);
	tlb_new(&r->dtlb, &geometry->dtlb);
	tlb_new(&r->store_dtlb, &geometry->store_dtlb);
	tlb_new(&r->itlb, &geometry->itlb);
	tlb_new(&r->l2tlb, &geometry->l2tlb);
	tlb_new(&r->l2itlb, &geometry->l2itlb);
	return r;
}

void reference_free(struct reference *r)
{
	for (int i = 0; i < BOXES; i++)
		box_free(&r->box[i]);
	box_free(&r->dtlb);
	box_free(&r->store_dtlb);
	box_free(&r->itlb);
	box_free(&r->l2tlb);
	box_free(&r->l2itlb);
	prefetching_free(r->prefetching);
	free(r);
}

static void put(struct box *b, struct line *l, struct line new)
{
	l->what = new.what / b->lines * b->lines;
	l->dirty = new.dirty;
	l->dram = new.dram;
	l->ahead = new.ahead;
	box_use(b, l, true);
}

static int below(const struct reference *r, int at)
{
	int next = at == L1I ? 1 : at + 1;

	while (next < MEMORY && !r->box[next].present)
		next++;
	return next;
}

static bool on_victims(const struct reference *r, int at)
{
	return at < MEMORY && (r->box[at].inclusion == INCLUDE_EXCLUSIVE ||
			       r->box[at].inclusion == INCLUDE_VICTIM);
}

static void write_memory(struct reference *r)
{
	r->report.memory_writes++;
	count(r, SIGNAL_dram_write);
}

static void evict(struct reference *r, int at, struct line old);

/* A line enters a cache, whose way was chosen. */
static void enter(struct reference *r, int at, struct line *l,
		  struct line new)
{
	const struct line old = *l;

	put(&r->box[at], l, new);
	evict(r, at, old);
}

/* A whole line arrives from above. */
static void write_line(struct reference *r, int at, struct line new)
{
	struct box *b = &r->box[at];
	struct line *l;

	if (at == MEMORY) {
		if (new.dirty)
			write_memory(r);
		return;
	}
	r->report.cache[at].writes++;
	count(r, names[at].writeback);
	l = box_find(b, new.what);
	if (!l) {
		r->report.cache[at].write_misses++;
		count(r, names[at].writeback_miss);
	}
	if (new.dirty && b->write_through)
		write_line(r, below(r, at), new);
	if (l) {
		l->dirty |= new.dirty && !b->write_through;
		box_use(b, l, false);
		return;
	}
	if (b->no_allocate && !on_victims(r, at)) {
		if (new.dirty && !b->write_through)
			write_line(r, below(r, at), new);
		return;
	}
	if (at == 1)
		count(r, SIGNAL_l2_fill);
	new.dirty &= !b->write_through;
	new.dram &= on_victims(r, at);	/* else it was written since */
	new.ahead = false;
	enter(r, at, box_room(b, new.what), new);
}

/* By a flush, or from below; returns: it was dirty. */
static bool take_out(struct reference *r, int at, uint64_t what)
{
	struct line *l = NULL;

	if (r->box[at].present)
		l = box_find(&r->box[at], what);
	if (!l)
		return false;
	l->what = NONE;
	if (at == L1I)
		return l->dirty;
	count(r, names[at].removed);
	if (l->dirty)
		count(r, names[at].removed_dirty);
	return l->dirty;
}

static void count_eviction(struct reference *r, int at, const struct line *old,
			   bool silent)
{
	if (at == L1I)
		return;
	r->report.cache[at].writebacks += old->dirty;
	count(r, old->dirty ? names[at].dirty : names[at].clean);
	if (at != 1)
		return;
	count(r, silent ? SIGNAL_l2_evict_silent : SIGNAL_l2_evict_non_silent);
	if (old->ahead)
		count(r, SIGNAL_l2_evict_prefetch_unused);
}

static void evict(struct reference *r, int at, struct line old)
{
	const struct box *b = &r->box[at];
	const int next = below(r, at);
	bool silent;

	if (old.what == NONE)
		return;
	if (at != L1I && at > 0 && b->inclusion == INCLUDE_ALL) {
		for (uint64_t i = old.what; i < old.what + b->lines; i++) {
			for (int above = 0; above < at; above++)
				old.dirty |= take_out(r, above, i);
			old.dirty |= take_out(r, L1I, i);
		}
	}
	silent = !old.dirty && b->silent && !(b->loud && old.dram);
	count_eviction(r, at, &old, silent);
	if (!old.dirty && (silent || !on_victims(r, next)))
		return;
	if (at == L1I && next == 1)
		count(r, SIGNAL_l2_code_victim);
	write_line(r, next, old);
}

/* What a line brings with it from below: is it dirty, was it in memory? */
struct came { bool dirty, dram; };

static struct came read_line(struct reference *r, int at, uint64_t what,
			     enum why why, bool top, int *from);

/* Returns whether memory had the line. */
static bool bring(struct reference *r, int at, struct line new, enum why why,
		  int *from)
{
	struct box *b = &r->box[at];
	struct line *l, old;
	struct came came;

	if (at == 1)
		count(r, SIGNAL_l2_fill);
	if (r->g.copy_back == COPY_VICTIM_FIRST) {
		l = box_room(b, new.what);
		old = *l;
		l->what = NONE;
		evict(r, at, old);
		came = read_line(r, below(r, at), new.what, why, false, from);
	} else {
		came = read_line(r, below(r, at), new.what, why, false, from);
		l = box_room(b, new.what);
	}
	new.dirty |= came.dirty;
	new.dram = came.dram;
	enter(r, at, l, new);
	return came.dram;
}

static void train(struct reference *r, int at, uint64_t what, enum why why,
		  uint32_t pc)
{
	if (at == 0 && (why == LOAD || why == STORE))
		prefetching_train(r->prefetching, 1, what, pc);
	if (at == 1 && why != PREFETCH)
		prefetching_train(r->prefetching, 2, what, 0);
}

/* A demand for a line that is there, in L1D by an instruction at `pc`. */
static void use_again(struct reference *r, int at, struct line *l,
		      enum why why, uint32_t pc)
{
	box_use(&r->box[at], l, false);
	if (!l->ahead || why == PREFETCH || (at == 0 && why == WALK))
		return;
	l->ahead = false;
	train(r, at, l->what, why, pc);
}

/* In L1D; PREFETCH: by an instruction. Returns who had the line. */
static int read_near(struct reference *r, uint64_t what, enum why why,
		     uint32_t pc)
{
	struct line *l = box_find(&r->box[0], what);
	int from = 0;

	r->report.cache[0].reads++;
	count(r, names[0].lookup[why]);
	if (l) {
		use_again(r, 0, l, why, pc);
		return 0;
	}
	r->report.cache[0].read_misses++;
	count(r, names[0].miss[why]);
	train(r, 0, what, why, pc);
	bring(r, 0, (struct line){ .what = what }, why, &from);
	if (why == PREFETCH)
		count(r, from == 1 ? SIGNAL_l1d_software_l2 :
			 from == 2 ? SIGNAL_l1d_software_l3 :
				     SIGNAL_l1d_software_dram);
	return from;
}

/* A line is wanted above, or by a walk; *from says who had it. */
static struct came read_line(struct reference *r, int at, uint64_t what,
			     enum why why, bool top, int *from)
{
	struct box *b = &r->box[at];
	struct came came = { false, false };
	struct line *l;

	*from = at;
	if (at == MEMORY) {
		r->report.memory_reads++;
		count(r, SIGNAL_dram_read);
		came.dram = true;
		return came;
	}
	r->report.cache[at].reads++;
	count(r, names[at].lookup[why]);
	l = box_find(b, what);
	if (l && b->inclusion == INCLUDE_EXCLUSIVE && !top) {
		if (l->ahead)
			train(r, at, what, why, 0);
		came.dirty = l->dirty;
		l->what = NONE;
		return came;
	}
	if (l) {
		use_again(r, at, l, why, 0);
		return came;
	}
	r->report.cache[at].read_misses++;
	count(r, names[at].miss[why]);
	train(r, at, what, why, 0);
	if (on_victims(r, at) && !top)
		return read_line(r, below(r, at), what, why, false, from);
	came.dram = bring(r, at, (struct line){ .what = what }, why, from);
	return came;
}

/* A part of a line is written by a store, which the level above passed on;
 * returns who had the line. */
static int write_part(struct reference *r, int at, uint64_t what)
{
	struct box *b = &r->box[at];
	struct line *l;
	int from;

	if (at == MEMORY) {
		write_memory(r);
		return MEMORY;
	}
	r->report.cache[at].writes++;
	count(r, names[at].passed);
	l = box_find(b, what);
	if (l) {
		box_use(b, l, false);
		if (b->write_through)
			write_part(r, below(r, at), what);
		else
			l->dirty = true;
		return at;
	}
	r->report.cache[at].write_misses++;
	count(r, names[at].passed_miss);
	if (b->no_allocate || on_victims(r, at))
		return write_part(r, below(r, at), what);
	r->report.reads_to_write++;
	bring(r, at, (struct line){ .what = what, .dirty = !b->write_through },
	      STORE, &from);
	if (b->write_through)
		write_part(r, below(r, at), what);
	return from;
}

static int pass_on(struct reference *r, uint64_t what)
{
	count(r, SIGNAL_l1d_write_through);
	return write_part(r, below(r, 0), what);
}

/* Returns who had the line. */
static int store(struct reference *r, uint64_t what, uint32_t pc)
{
	struct box *b = &r->box[0];
	struct line *l = box_find(b, what);
	int from = 0;

	r->report.cache[0].writes++;
	count(r, SIGNAL_l1d_store);
	if (l) {
		use_again(r, 0, l, STORE, pc);
		l->dirty |= !b->write_through;
	} else {
		r->report.cache[0].write_misses++;
		count(r, SIGNAL_l1d_store_miss);
		train(r, 0, what, STORE, pc);
		if (b->no_allocate)
			return pass_on(r, what);
		r->report.reads_to_write++;
		bring(r, 0, (struct line){ .what = what,
					   .dirty = !b->write_through },
		      STORE, &from);
	}
	if (b->write_through)
		pass_on(r, what);
	return from;
}

/* Lines of L1D in the longest line. */
static uint64_t longest(const struct reference *r)
{
	uint64_t lines = 1;

	for (int at = 0; at < MEMORY; at++)
		if (r->box[at].present && r->box[at].lines > lines)
			lines = r->box[at].lines;
	return lines;
}

static void flush(struct reference *r, uint64_t what)
{
	const uint64_t lines = longest(r), first = what / lines * lines;
	bool dirty = false;

	for (int at = 0; at < BOXES; at++)
		for (uint64_t i = first; at != MEMORY && i < first + lines; i++)
			dirty |= take_out(r, at, i);
	if (dirty)
		write_memory(r);
}

/* Is the line among those that are being gathered? It is the newest now. */
static bool gathered(struct reference *r, uint64_t what)
{
	int at = 0;
	bool found;

	while (at < COMBINING - 1 && r->combining[at] != what)
		at++;
	found = r->combining[at] == what;
	memmove(r->combining + 1, r->combining, (size_t)at * sizeof(what));
	r->combining[0] = what;
	return found;
}

/* A streaming store; returns who had the line. */
static int store_past(struct reference *r, uint64_t what)
{
	const uint64_t lines = longest(r), first = what / lines * lines;
	bool cached = false;

	for (int at = 0; at < BOXES; at++)
		for (uint64_t i = first; i < first + lines; i++)
			cached |= at != MEMORY && r->box[at].present &&
				  box_find(&r->box[at], i);
	flush(r, what);
	if (gathered(r, what) && !cached)
		return 0;
	count(r, SIGNAL_nt_store_line);
	write_memory(r);
	return MEMORY;
}

static void code(struct reference *r, uint64_t what)
{
	struct line *l;
	int from;

	if (!r->box[L1I].present)
		return;
	r->report.code_reads++;
	count(r, SIGNAL_l1i_fetch);
	l = box_find(&r->box[L1I], what);
	if (l) {
		box_use(&r->box[L1I], l, false);
		return;
	}
	r->report.code_misses++;
	count(r, SIGNAL_l1i_miss);
	bring(r, L1I, (struct line){ .what = what }, FETCH, &from);
}

/* translation */

static bool tlb_has(struct box *tlb, uint64_t page)
{
	struct line *l = box_find(tlb, page);

	if (l)
		box_use(tlb, l, false);
	return l;
}

static void tlb_put(struct box *tlb, uint64_t page)
{
	put(tlb, box_room(tlb, page), (struct line){ .what = page });
}

static void issue(struct reference *r);

/* Bytes of a page, and of the smallest one of the same tables. */
static const uint64_t page_bytes[PAGE_SIZES] = {
	[PAGE_4K] = 4096, [PAGE_16K] = 16384, [PAGE_64K] = 65536,
	[PAGE_2M] = 2097152, [PAGE_32M] = 33554432, [PAGE_512M] = 536870912,
	[PAGE_1G] = GIB,
};

static uint64_t least_page(const struct reference *r)
{
	switch (r->g.page_map.size) {
	case PAGE_16K: case PAGE_32M:
		return 16384;
	case PAGE_64K: case PAGE_512M:
		return 65536;
	default:
		return 4096;
	}
}

static uint64_t bytes_of_page(const struct reference *r)
{
	return page_bytes[r->g.page_map.size];
}

/* A table is as large as the smallest page: what one descriptor of it is for. */
static uint64_t translates(const struct reference *r, unsigned level)
{
	uint64_t bytes = least_page(r);

	while (--level)
		bytes *= least_page(r) / 8;
	return bytes;
}

/* Where a walk begins: tables of large pages have fewer levels. */
static unsigned first_level(const struct reference *r)
{
	const uint64_t least = least_page(r);
	unsigned levels = r->g.walker.levels;

	if (least == 16384 && levels > 4)
		levels = 4;
	if (least == 65536 && levels > 3)
		levels = 3;
	if (levels <= r->g.walker.cached_levels)
		return 1;
	return levels - r->g.walker.cached_levels;
}

/*
 * Descriptors lie in the last GiB, 128 MiB per level, 8 bytes each; that of the
 * page is always read.
 */
static void walk(struct reference *r, uint64_t page)
{
	const uint64_t virt = page * bytes_of_page(r);
	static const int starts[] = { 0, 1, 2, MEMORY };
	const uint64_t simulated = UINT64_C(1) << 29;
	uint64_t line_bytes = r->g.l1d.line_bytes;
	uint64_t top = simulated * line_bytes;
	int at = starts[r->g.walker.reads_through], from;
	unsigned level = first_level(r);

	if (top > 32 * GIB)
		top = 32 * GIB;
	while (at < MEMORY && !r->box[at].present)
		at++;
	r->report.walks++;
	if (r->g.walker.levels == r->g.walker.cached_levels)
		return;
	while (translates(r, level) < bytes_of_page(r))
		level++;
	for (; level && translates(r, level) >= bytes_of_page(r); level--) {
		const uint64_t address = top - GIB +
			(uint64_t)(level - 1) * (GIB / 8) +
			virt / translates(r, level) * 8;

		r->report.walk_reads++;
		count(r, SIGNAL_walk_reads);
		if (at == 0)
			read_near(r, address / line_bytes, WALK, 0);
		else
			read_line(r, at, address / line_bytes, WALK, true,
				  &from);
		issue(r);
	}
}

/* After a miss in a first-level TLB. */
static void refill(struct reference *r, struct box *tlb, uint64_t page,
		   enum signal walks)
{
	const bool of_code = tlb == &r->itlb;
	struct box *next = of_code && r->g.split_l2tlb ? &r->l2itlb : &r->l2tlb;

	if (next->present)
		count(r, of_code ? SIGNAL_l2tlb_code : SIGNAL_l2tlb_data);
	if (!next->present || !tlb_has(next, page)) {
		r->report.l2tlb_misses += next->present;
		if (next->present)
			count(r, of_code ? SIGNAL_l2tlb_code_miss :
					   SIGNAL_l2tlb_data_miss);
		count(r, walks);
		walk(r, page);
		if (next->present)
			tlb_put(next, page);
	}
	tlb_put(tlb, page);
}

static void translate_data(struct reference *r, uint64_t page, bool stores)
{
	struct box *tlb = stores && r->store_dtlb.present ? &r->store_dtlb :
							    &r->dtlb;

	if (!r->dtlb.present)
		return;
	count(r, stores ? SIGNAL_dtlb_store : SIGNAL_dtlb_load);
	if (tlb_has(tlb, page))
		return;
	r->report.dtlb_misses++;
	count(r, stores ? SIGNAL_dtlb_store_miss : SIGNAL_dtlb_load_miss);
	refill(r, tlb, page,
	       stores ? SIGNAL_walks_store : SIGNAL_walks_load);
}

static void translate_code(struct reference *r, uint64_t page)
{
	if (!r->itlb.present)
		return;
	count(r, SIGNAL_itlb_fetch);
	if (tlb_has(&r->itlb, page))
		return;
	r->report.itlb_misses++;
	count(r, SIGNAL_itlb_miss);
	refill(r, &r->itlb, page, SIGNAL_walks_code);
}

static void translate_ahead(struct reference *r, uint64_t page)
{
	if (!r->dtlb.present || tlb_has(&r->dtlb, page))
		return;
	count(r, SIGNAL_dtlb_prefetch_fill);
	refill(r, &r->dtlb, page, SIGNAL_walks_load);
}

/* what prefetchers want */

/* Returns who had the line, of what was not in the level yet; or 0. */
static int fetch_ahead(struct reference *r, int at, uint64_t line,
		       enum signal lookup, enum signal miss)
{
	const struct line new = { .what = line, .ahead = true };
	int from;

	count(r, lookup);
	if (box_find(&r->box[at], line))
		return 0;
	count(r, miss);
	bring(r, at, new, PREFETCH, &from);
	return from;
}

static void fetch_ahead_near(struct reference *r, uint64_t line)
{
	const int from = fetch_ahead(r, 0, line, SIGNAL_l1d_prefetch,
				     SIGNAL_l1d_prefetch_fill);

	if (from)
		count(r, from == 1 ? SIGNAL_l1d_prefetch_l2 :
			 from == 2 ? SIGNAL_l1d_prefetch_l3 :
				     SIGNAL_l1d_prefetch_dram);
}

/* What L2's own prefetchers want. */
static void fetch_ahead_own(struct reference *r, uint64_t line)
{
	const int from = fetch_ahead(r, 1, line, SIGNAL_l2_own_prefetch,
				     SIGNAL_l2_prefetch_fill);

	if (from && r->box[2].present)
		count(r, SIGNAL_l3_own_prefetch);
	if (from == MEMORY && r->box[2].present)
		count(r, SIGNAL_l3_own_prefetch_miss);
}

static void fetch_wanted(struct reference *r, const struct wanted *w)
{
	const uint64_t page = 4096 / r->g.l1d.line_bytes;
	const bool near = w->by->trains_on == 1;

	if (near && w->line >= (UINT64_C(1) << 48) / r->g.l1d.line_bytes)
		return;
	if (near && w->line / page != w->from / page)
		translate_ahead(r, w->line * r->g.l1d.line_bytes /
				   bytes_of_page(r));
	if (w->line >= (UINT64_C(1) << 29) - 1)	/* no memory is there */
		return;
	if (w->by->fills == 1)
		fetch_ahead_near(r, w->line);
	else if (near)
		fetch_ahead(r, 1, w->line, SIGNAL_l2_prefetch,
			    SIGNAL_l2_prefetch_miss);
	else
		fetch_ahead_own(r, w->line);
}

/* Behind a lookup. What walks make them want meanwhile comes last. */
static void issue(struct reference *r)
{
	struct wanted w;

	if (r->issuing)
		return;
	r->issuing = true;
	while (prefetching_next(r->prefetching, &w))
		fetch_wanted(r, &w);
	r->issuing = false;
}

/* records */

static void serve(struct reference *r, int from)
{
	r->report.served[from]++;
	count(r, SIGNAL_served_l1 + (unsigned)from);
}

static void line(struct reference *r, enum access_kind kind, uint64_t what,
		 uint32_t pc)
{
	switch (kind) {
	case ACCESS_LOAD:
		serve(r, read_near(r, what, LOAD, pc));
		break;
	case ACCESS_STORE:
		serve(r, store(r, what, pc));
		break;
	case ACCESS_STORE_NT:
		serve(r, store_past(r, what));
		break;
	case ACCESS_FLUSH:
		flush(r, what);
		break;
	case ACCESS_PREFETCH:
		read_near(r, what, PREFETCH, pc);
		break;
	default:
		code(r, what);
		break;
	}
	issue(r);
}

/* All lines of an access, each page translated once; returns how many. */
static unsigned lines(struct reference *r, uint64_t record, uint64_t bytes)
{
	const enum access_kind kind = access_kind(record);
	const uint64_t line_bytes = r->g.l1d.line_bytes;
	const uint64_t first = access_operand(record);
	const uint64_t last = first + bytes - 1;
	const uint32_t pc = (uint32_t)(r->code + 4 * access_site(record));
	uint64_t page = NONE;
	unsigned n = 0;

	for (uint64_t l = first / line_bytes; l <= last / line_bytes; l++) {
		if (l * line_bytes / bytes_of_page(r) != page) {
			page = l * line_bytes / bytes_of_page(r);
			if (kind == ACCESS_FETCH)
				translate_code(r, page);
			else
				translate_data(r, page, kind == ACCESS_STORE ||
						kind == ACCESS_STORE_NT);
		}
		line(r, kind, l, pc);
		n++;
	}
	return n;
}

static void record(struct reference *r, uint64_t record)
{
	const uint64_t bytes = UINT64_C(1) << access_log2_bytes(record);

	switch (access_kind(record)) {
	case ACCESS_LOAD:
	case ACCESS_STORE:
	case ACCESS_STORE_NT:
		count(r, access_kind(record) == ACCESS_LOAD ? SIGNAL_loads :
							      SIGNAL_stores);
		r->report.signal[SIGNAL_split_lines] +=
			lines(r, record, bytes) - 1;
		break;
	case ACCESS_FLUSH:
		count(r, SIGNAL_flushes);
		lines(r, record, 1);
		break;
	case ACCESS_PREFETCH:
		count(r, SIGNAL_software_prefetches);
		lines(r, record, 1);
		break;
	case ACCESS_FETCH:
		lines(r, record, bytes);
		break;
	case ACCESS_RETIRE:
		r->report.signal[SIGNAL_instructions] +=
			access_operand(record);
		break;
	case ACCESS_PC:
		r->code = access_operand(record);
		break;
	default:
		break;
	}
}

void reference_feed(struct reference *r, const uint64_t *records, size_t n)
{
	for (size_t i = 0; i < n; i++)
		record(r, records[i]);
}

const struct reference_report *reference_report(const struct reference *r)
{
	return &r->report;
}
