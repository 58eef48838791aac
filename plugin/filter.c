/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a geometry lets the filter work, and its rarer steps. */
#include <string.h>

#include "filter.h"

/* ---- what the geometry allows ------------------------------------------- */

/* Does a hit right after any access of the same line change nothing? */
static bool settled_policy(enum replacement policy)
{
	return policy == REPLACE_LRU || policy == REPLACE_TREE_PLRU ||
	       policy == REPLACE_BIT_PLRU || policy == REPLACE_FIFO ||
	       policy == REPLACE_RANDOM;
}

/* Are the last two lines of a set kept, and is their order all they leave? */
static bool keeps_two(const struct cache_geometry *l1)
{
	return l1->ways > 1 && (l1->policy == REPLACE_LRU ||
				l1->policy == REPLACE_TREE_PLRU);
}

static bool even(const struct cache_geometry *c)
{
	return c->slices <= 1 && !(c->sets & (c->sets - 1));
}

static bool evicts_above(const struct cache_geometry *c)
{
	return c->present && c->inclusion == INCLUDE_ALL;
}

static bool works_for(const struct cache_geometry *l1)
{
	return l1->present && settled_policy(l1->policy) && even(l1) &&
	       l1->line_bytes >= 64 && l1->line_bytes <= 4096;
}

static bool prefetches(const struct geometry *g, bool harmless)
{
	for (uint32_t i = 0; i < g->prefetchers; i++)
		if (g->prefetcher[i].on &&
		    (!harmless || g->prefetcher[i].fills == 1 ||
		     g->prefetcher[i].trains_on == 1 ||
		     !g->prefetcher[i].page_bounded))
			return true;
	return false;
}

static bool works_at_all(const struct geometry *g)
{
	const struct cache_geometry *lower[] = { &g->l2, &g->l3 };
	bool shared = false;

	for (int i = 0; i < 2; i++) {
		shared |= evicts_above(lower[i]);
		if (evicts_above(lower[i]) && !even(lower[i]))
			return false;
	}
	/* the upper levels of a walk are not followed */
	return !prefetches(g, !shared) &&
	       g->walker.levels - g->walker.cached_levels <= 2;
}

static void narrow(uint64_t *classes, const struct cache_geometry *c)
{
	if (c->present && c->sets < *classes)
		*classes = c->sets;
}

static uint64_t choose_mask(const struct geometry *g, bool blind)
{
	uint64_t classes = blind ? 4096 / g->l1d.line_bytes : FILTER_CLASSES;

	narrow(&classes, &g->l1d);
	narrow(&classes, &g->l1i);
	if (evicts_above(&g->l2))
		narrow(&classes, &g->l2);
	if (evicts_above(&g->l3))
		narrow(&classes, &g->l3);
	return classes - 1;
}

/* ---- where lines are ----------------------------------------------------- */

static uint64_t moved(const struct filter *f, uint64_t address)
{
	return f->move ? f->move(address) : address;
}

/* Classes may be places in pages, and low addresses have frames that depend on
 * nothing else. */
static bool is_known(const struct filter *f, uint64_t page)
{
	return !(f->mask >> (PAGE_BITS - f->line_shift)) ||
	       page >> PIECE_BITS < f->map.pieces / 2;
}

static __attribute__((noinline)) void
enter_frame(const struct filter *f, struct filter_frame *at, uint64_t page)
{
	const uint64_t place = moved(f, page << PAGE_BITS) >> PAGE_BITS;

	at->tag = (uint32_t)(page / FILTER_FRAMES);
	at->frame = is_known(f, place) ?
		    pages_frame(&f->map, (uint32_t)place) : FILTER_NO_FRAME;
}

/* The line's number in simulated memory, or another one of its class;
 * FILTER_NONE: unknown. */
static inline uint64_t place_of(struct filter *f, uint64_t line)
{
	const unsigned shift = PAGE_BITS - f->line_shift;
	const uint64_t page = line >> shift;
	struct filter_frame *at = &f->frame[page % FILTER_FRAMES];

	if (!(f->mask >> shift))
		return line;
	if (__builtin_expect(at->tag != page / FILTER_FRAMES, false))
		enter_frame(f, at, page);
	return at->frame == FILTER_NO_FRAME ? FILTER_NONE :
	       (uint64_t)at->frame << shift |
	       (line & ((UINT64_C(1) << shift) - 1));
}

/* The same of what a walk for that page reads there. */
static uint64_t descriptor(const struct filter *f, unsigned level,
			   uint64_t page)
{
	const struct page_tables tables = pages_tables(&f->map, level);

	return pages_descriptor(&f->map, &tables, (uint32_t)page);
}

/* ---- beginning ----------------------------------------------------------- */

static void init_lines(struct filter *f, const struct geometry *g, bool blind)
{
	const bool works = works_at_all(g);

	f->line_shift = (unsigned)__builtin_ctz(g->l1d.line_bytes);
	f->data.on = works && works_for(&g->l1d) && !g->l1d.write_through &&
		     !g->l1d.no_write_allocate &&
		     (!g->dtlb.present || settled_policy(g->dtlb.policy));
	f->code.on = works && works_for(&g->l1i) &&
		     (!g->itlb.present || settled_policy(g->itlb.policy));
	f->data.two = keeps_two(&g->l1d);
	f->code.two = keeps_two(&g->l1i);
	f->code.code = true;
	f->shared = evicts_above(&g->l2) || evicts_above(&g->l3);
	f->mask = choose_mask(g, blind);
}

static void init_walks(struct filter *f, const struct geometry *g)
{
	const struct walker_geometry *w = &g->walker;
	const bool changes = f->shared || w->reads_through == WALK_L1D;
	const unsigned last = w->levels - w->cached_levels;

	f->walks = (g->dtlb.present || g->itlb.present) && changes;
	f->walk_from = g->page_map.kind == PAGE_MAP_RANDOM_2M ? 2 : 1;
	f->walk_to = last && last < f->walk_from ? f->walk_from : last;
	f->stray = FILTER_NONE;
	if (g->predictor.kind != PREDICT_NONE &&
	    g->predictor.wrong_path_walks && changes)
		f->stray = descriptor(f, last ? last : 1, 0) & f->mask;
}

void filter_init(struct filter *f, const struct geometry *g, bool several,
		 filter_move *move)
{
	memset(f, 0, sizeof(*f));
	f->move = move;
	pages_key(&f->map, &g->page_map, g->l1d.line_bytes);
	memset(f->table, 0xff, sizeof(f->table));
	memset(f->frame, 0xff, sizeof(f->frame));
	f->map.table = f->table;
	init_lines(f, g, several || g->page_map.kind == PAGE_MAP_RECORDED);
	init_walks(f, g);
	recent_init(&f->data_pages, &g->dtlb, g->page_map.kind, false);
	recent_init(&f->code_pages, &g->itlb, g->page_map.kind, true);
	filter_reset(f);
}

static void reset_lines(struct filter_lines *l)
{
	memset(l->quick, 0xff, sizeof(l->quick));
	memset(l->newest, 0xff, sizeof(l->newest));
	memset(l->before, 0xff, sizeof(l->before));
	memset(l->told, 0xff, sizeof(l->told));
}

void filter_reset(struct filter *f)
{
	f->map.table = f->table;	/* f may be a copy */
	reset_lines(&f->data);
	reset_lines(&f->code);
	recent_reset(&f->data_pages);
	recent_reset(&f->code_pages);
}

/* ---- classes ------------------------------------------------------------- */

static void show(struct filter_lines *l, uint64_t entry)
{
	l->quick[(entry >> 1) % FILTER_QUICK] = entry;
}

static void hide(struct filter_lines *l, uint64_t entry)
{
	uint64_t *quick = &l->quick[(entry >> 1) % FILTER_QUICK];

	if (*quick == entry)
		*quick = FILTER_NONE;
}

/* What the simulator must know before the class changes. */
static inline void tell_class(const struct filter *f, struct filter_lines *l,
			      uint64_t class, uint64_t **out)
{
	const uint64_t newest = l->newest[class] & ~UINT64_C(1);

	if (__builtin_expect(newest == l->told[class] ||
			     l->newest[class] == FILTER_NONE, true))
		return;
	*(*out)++ = access_pack(ACCESS_TOUCH, ACCESS_LINE |
				(l->code ? ACCESS_CODE : 0), 0,
				newest >> 1 << f->line_shift &
				ACCESS_OPERAND_MASK);
	l->told[class] = newest;
}

static inline void forget_class(struct filter *f, struct filter_lines *l,
				uint64_t class, uint64_t **out)
{
	if (l->newest[class] == FILTER_NONE)
		return;
	tell_class(f, l, class, out);
	hide(l, l->newest[class]);
	l->newest[class] = l->before[class] = FILTER_NONE;
}

static __attribute__((noinline)) void
forget_classes(struct filter *f, struct filter_lines *l, uint64_t line,
	       uint64_t **out)
{
	const uint64_t lines = UINT64_C(1) << (PAGE_BITS - f->line_shift);

	for (uint64_t i = line & (lines - 1) & f->mask; i <= f->mask;
	     i += lines)
		forget_class(f, l, i, out);
}

/* place: FILTER_NONE, wherever the line can be. */
static inline void forget(struct filter *f, struct filter_lines *l,
			  uint64_t line, uint64_t place, uint64_t **out)
{
	if (__builtin_expect(place == FILTER_NONE, false))
		forget_classes(f, l, line, out);
	else
		forget_class(f, l, place & f->mask, out);
}

/* It is fed, and the newest then. */
static inline void remember(struct filter *f, struct filter_lines *l,
			    uint64_t line, uint64_t place, bool store,
			    uint64_t **out)
{
	const uint64_t class = place & f->mask;
	uint64_t newest, entry = line << 1;

	if (!l->on || class == f->stray)
		return;
	newest = l->newest[class];
	if (newest >> 1 == line) {
		entry = newest;
	} else {
		if (l->before[class] >> 1 == line)
			entry = l->before[class];
		else
			tell_class(f, l, class, out);
		hide(l, newest);
		l->before[class] = l->two && !f->shared ? newest : FILTER_NONE;
	}
	l->newest[class] = entry | store;
	l->told[class] = line << 1;
	show(l, l->newest[class]);
}

static inline __attribute__((always_inline)) void
feed_line(struct filter *f, struct filter_lines *l, uint64_t line,
	  uint64_t place, bool store, uint64_t **out)
{
	if (f->shared)
		forget(f, l->code ? &f->data : &f->code, line, place, out);
	if (place == FILTER_NONE)
		forget(f, l, line, place, out);
	else
		remember(f, l, line, place, store, out);
}

/* ---- pages --------------------------------------------------------------- */

/* What it reads changes L1. */
static void walk(struct filter *f, uint64_t address, uint64_t **out)
{
	const uint64_t page = moved(f, address) >> PAGE_BITS;

	for (unsigned level = f->walk_from; level <= f->walk_to; level++) {
		const uint64_t at = descriptor(f, level, page);
		const uint64_t place = is_known(f, page) ? at : FILTER_NONE;

		forget(f, &f->data, at, place, out);
		forget(f, &f->code, at, place, out);
	}
}

/* A page is used by something that is fed. */
static inline void touch(struct filter *f, struct recent *pages,
			 uint64_t address, uint64_t **out)
{
	if (!recent_feed(pages, address >> pages->shift, out) && f->walks)
		walk(f, address, out);
}

static inline void touch_data(struct filter *f, uint64_t from,
			      uint64_t last, uint64_t **out)
{
	if (!f->data_pages.ways)
		return;
	touch(f, &f->data_pages, from, out);
	if ((last ^ from) >> PAGE_BITS)
		touch(f, &f->data_pages, last, out);
}

/* ---- at work ------------------------------------------------------------- */

void filter_streamed(struct filter *f, uint64_t from, uint64_t last,
		     uint64_t **out)
{
	const uint64_t line[] = { from >> f->line_shift,
				  last >> f->line_shift };

	for (int i = 0; i < 2; i++) {
		const uint64_t place = place_of(f, line[i]);

		forget(f, &f->data, line[i], place, out);
		forget(f, &f->code, line[i], place, out);
	}
	touch_data(f, from, last, out);
}

/* The line before the newest of its class is the newest now. */
static void turn(struct filter_lines *l, uint64_t class)
{
	const uint64_t entry = l->before[class];

	hide(l, l->newest[class]);
	l->before[class] = l->newest[class];
	l->newest[class] = entry;
}

/* One of the last two of its class (any: or not dirty), in a known page? Then
 * it is the newest, and its page was touched. */
static inline bool is_known_line(struct filter *f, struct filter_lines *l,
				 struct recent *pages, uint64_t address,
				 uint64_t place, bool any)
{
	const uint64_t line = address >> f->line_shift, class = place & f->mask;
	const bool newest = (l->newest[class] | any) == (line << 1 | 1);

	if (place == FILTER_NONE ||
	    (!newest && (l->before[class] | any) != (line << 1 | 1)) ||
	    !recent_hit(pages, address >> pages->shift))
		return false;
	if (!newest)
		turn(l, class);
	show(l, l->newest[class]);
	return true;
}

static void feed_lines(struct filter *f, uint64_t from, uint64_t last,
		       bool store, uint64_t **out)
{
	const uint64_t end = last >> f->line_shift;

	for (uint64_t i = from >> f->line_shift; i <= end; i++)
		feed_line(f, &f->data, i, place_of(f, i), store, out);
}

bool filter_hit(struct filter *f, uint64_t from, bool any)
{
	return is_known_line(f, &f->data, &f->data_pages, from,
			     place_of(f, from >> f->line_shift), any);
}

bool filter_data(struct filter *f, uint64_t from, uint64_t last, bool store,
		 uint64_t **out)
{
	const uint64_t line = from >> f->line_shift;
	uint64_t place;

	if (last >> f->line_shift != line) {
		feed_lines(f, from, last, store, out);
		touch_data(f, from, last, out);
		return false;
	}
	place = place_of(f, line);
	if (is_known_line(f, &f->data, &f->data_pages, from, place, !store))
		return true;
	feed_line(f, &f->data, line, place, store, out);
	touch_data(f, from, last, out);
	return false;
}

bool filter_code(struct filter *f, uint64_t line, uint64_t **out)
{
	const uint64_t place = place_of(f, line);
	const uint64_t from = line << f->line_shift;

	if (is_known_line(f, &f->code, &f->code_pages, from, place, true))
		return true;
	feed_line(f, &f->code, line, place, false, out);
	if (f->code_pages.ways)
		touch(f, &f->code_pages, from, out);
	return false;
}

void filter_tell(struct filter *f, uint64_t **out)
{
	for (uint64_t class = 0; class <= f->mask; class++) {
		tell_class(f, &f->data, class, out);
		tell_class(f, &f->code, class, out);
	}
	recent_tell(&f->data_pages, out);
	recent_tell(&f->code_pages, out);
}
