/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The filter behind its L0 entries. */
#include <string.h>

#include "plugin/filter/filter.h"

/* ---- where lines are ----------------------------------------------------- */

static uint64_t moved(const struct filter *f, uint64_t address)
{
	return f->move ? f->move(address) : address;
}

/* Low addresses have frames and page tables that depend on nothing else, ... */
static bool is_low(const struct filter *f, uint64_t page)
{
	return page >> PIECE_BITS < f->map.pieces / 2;
}

/* ... and of the others it may not matter. */
static bool is_known(const struct filter *f, uint64_t page)
{
	return filter_within_pages(f) || is_low(f, page);
}

static uint8_t slot_of(const struct tlb_order *r, uint64_t page)
{
	return tlb_order_slot(r, page << PAGE_BITS >> r->shift);
}

static __attribute__((noinline)) void
enter_frame(const struct filter *f, struct filter_frame *at, uint64_t page)
{
	const uint64_t place = moved(f, page << PAGE_BITS) >> PAGE_BITS;

	at->tag = (uint32_t)(page / FILTER_FRAMES);
	at->frame = filter_within_pages(f) ? 0 : is_known(f, place) ?
		    pages_frame(&f->map, (uint32_t)place) : FILTER_NO_FRAME;
	at->slot[0] = slot_of(&f->data_pages, page);
	at->slot[1] = slot_of(&f->code_pages, page);
	at->slot[2] = slot_of(&f->store_pages, page);
}

/* The line's page. */
static inline struct filter_frame *frame_of(struct filter *f, uint64_t line)
{
	const uint64_t page = line >> (PAGE_BITS - f->line_shift);
	struct filter_frame *at = &f->frame[page % FILTER_FRAMES];

	if (__builtin_expect(at->tag != page / FILTER_FRAMES, false))
		enter_frame(f, at, page);
	return at;
}

/* The line's number in simulated memory, or another one of its class and set;
 * FILTER_NONE: unknown. */
static inline uint64_t place_in(const struct filter *f,
				const struct filter_frame *at, uint64_t line)
{
	const unsigned shift = PAGE_BITS - f->line_shift;

	return at->frame == FILTER_NO_FRAME ? FILTER_NONE :
	       (uint64_t)at->frame << shift |
	       (line & ((UINT64_C(1) << shift) - 1));
}

uint64_t filter_descriptor(const struct filter *f, unsigned level,
			   uint64_t page)
{
	const struct page_tables tables = pages_tables(&f->map, level);

	return pages_descriptor(&f->map, &tables, (uint32_t)page);
}

/* ---- L0 ------------------------------------------------------------------ */

/* The key of an empty entry: a line that belongs into another entry. */
static inline uint64_t no_line(const struct filter_lines *l, uint64_t at)
{
	return (at ^ 1) << l->line_shift;
}

static inline void l0_clear(struct filter_lines *l, uint64_t at)
{
	l->l0[at].key = no_line(l, at);
}

static inline bool in_l0(const struct filter_lines *l, uint64_t line)
{
	const uint64_t address = line << l->line_shift;

	return !(l0_differs(&l->l0[line % FILTER_L0], address) &
		 L0_MISS(l->line_shift, true)) && address < L0_CLEAN;
}

/* When the line was touched last, if L0 has it. */
static inline uint64_t touched(const struct filter_lines *l, uint64_t entry,
			       uint64_t else_at)
{
	const uint64_t line = entry >> 1;

	return in_l0(l, line) ? l->l0[line % FILTER_L0].touched :
				   else_at;
}

/* The line before the newest is the newest now. */
static inline void swap_lines(struct filter_class *c)
{
	const uint64_t entry = c->before;
	const uint32_t set = c->before_set;

	c->before = c->newest;
	c->before_set = c->newest_set;
	c->newest = entry;
	c->newest_set = set;
}

/* Applies the deferred order of a class's two lines. A line that L0 does not
 * have was the older one, or was touched at c->touched. */
static inline void settle(const struct filter_lines *l, struct filter_class *c)
{
	c->touched = touched(l, c->newest, c->touched);
	if (touched(l, c->before, 0) > c->touched)
		swap_lines(c);
}

static inline void l0_evict(struct filter_lines *l, uint64_t at)
{
	settle(l, &l->class[l->class_at[at]]);
	l0_clear(l, at);
}

static void reset_lines(struct filter_lines *l)
{
	for (uint64_t i = 0; i < FILTER_L0; i++)
		l0_clear(l, i);
	memset(l->in_l0, 0, sizeof(l->in_l0));
	memset(l->class, 0xff, sizeof(l->class));
}

void filter_reset(struct filter *f)
{
	f->map.table = f->table;	/* f may be a copy */
	reset_lines(&f->data);
	reset_lines(&f->code);
	tlb_order_reset(&f->data_pages);
	tlb_order_reset(&f->code_pages);
	tlb_order_reset(&f->store_pages);
	for (int i = 0; i < FILTER_FRAMES; i++) {
		f->frame[i].slot[0] = tlb_order_slot(&f->data_pages, 0);
		f->frame[i].slot[1] = tlb_order_slot(&f->code_pages, 0);
		f->frame[i].slot[2] = tlb_order_slot(&f->store_pages, 0);
	}
}

/* The newest of its class is touched. */
static inline void l0_put(const struct filter *f, struct filter_lines *l,
			struct filter_class *c, uint8_t slot)
{
	const uint64_t line = c->newest >> 1, at = line % FILTER_L0;
	struct l0_entry *q = &l->l0[at];

	c->touched = f->clock;
	if (__builtin_expect(slot == TLB_ORDER_NOWHERE ||
			     line << l->line_shift >= L0_CLEAN, false))
		return;		/* rule 4; or it has no key */
	if (!in_l0(l, line) && q->key != no_line(l, at))
		l0_evict(l, at);
	q->key = line << l->line_shift | (uint64_t)slot << L0_SLOT |
		 (c->newest & 1 && f->stores == FILTER_DATA ? 0 : L0_CLEAN);
	q->touched = c->touched;
	l->class_at[at] = (uint8_t)(c - l->class);
	l->in_l0[slot] |= UINT64_C(1)
			  << (line & ((1u << (PAGE_BITS - f->line_shift)) - 1));
}

/* Its class is settled. */
static inline void l0_drop(struct filter_lines *l, uint64_t entry)
{
	if (in_l0(l, entry >> 1))
		l0_clear(l, (entry >> 1) % FILTER_L0);
}

/* All lines of a page that has the slot no more. */
static inline void l0_drop_page(const struct filter *f, struct filter_lines *l,
				uint8_t slot, uint64_t page)
{
	uint64_t bits = l->in_l0[slot];

	for (; bits; bits &= bits - 1) {
		const uint64_t line = (page << (PAGE_BITS - f->line_shift)) +
				      (uint64_t)__builtin_ctzll(bits);

		if (in_l0(l, line))
			l0_evict(l, line % FILTER_L0);
	}
	l->in_l0[slot] = 0;
}

/* ---- classes ------------------------------------------------------------- */

/* What the simulator must know before the class changes. */
static inline void flush_class(const struct filter *f,
			      const struct filter_lines *l,
			      struct filter_class *c, uint64_t **out)
{
	uint64_t newest;

	if (c->newest == FILTER_NONE)
		return;
	settle(l, c);
	newest = c->newest & ~UINT64_C(1);
	if (__builtin_expect(newest == c->flushed, true))
		return;
	*(*out)++ = access_pack(ACCESS_TOUCH, ACCESS_LINE |
				(l->code ? ACCESS_CODE : 0), 0,
				newest >> 1 << f->line_shift &
				ACCESS_OPERAND_MASK);
	c->flushed = newest;
}

static inline void forget_class(const struct filter *f, struct filter_lines *l,
				struct filter_class *c, uint64_t **out)
{
	c->pending = FILTER_NONE;
	if (c->newest == FILTER_NONE)
		return;
	flush_class(f, l, c, out);
	l0_drop(l, c->newest);
	l0_drop(l, c->before);
	c->newest = c->before = FILTER_NONE;
}

static __attribute__((noinline)) void
forget_classes(const struct filter *f, struct filter_lines *l, uint64_t line,
	       uint64_t **out)
{
	const uint64_t lines = UINT64_C(1) << (PAGE_BITS - f->line_shift);

	for (uint64_t i = line & (lines - 1) & f->mask; i <= f->mask;
	     i += lines)
		forget_class(f, l, &l->class[i], out);
}

/* place: FILTER_NONE, wherever the line can be. */
static inline void forget(const struct filter *f, struct filter_lines *l,
			  uint64_t line, uint64_t place, uint64_t **out)
{
	if (__builtin_expect(place == FILTER_NONE, false))
		forget_classes(f, l, line, out);
	else
		forget_class(f, l, &l->class[place & f->mask], out);
}

/* Those that a lower level may evict for the line. */
static inline void forget_set(const struct filter *f, struct filter_lines *l,
			      uint64_t line, uint64_t place, uint64_t **out)
{
	const uint32_t set = (uint32_t)(place & f->set_mask);
	struct filter_class *c = &l->class[place & f->mask];

	if (__builtin_expect(place == FILTER_NONE, false)) {
		forget_classes(f, l, line, out);
		return;
	}
	settle(l, c);
	if (c->newest_set == set)
		c->pending = FILTER_NONE;
	if (c->newest != FILTER_NONE && c->newest_set == set) {
		forget_class(f, l, c, out);
	} else if (c->before_set == set) {
		l0_drop(l, c->before);
		c->before = FILTER_NONE;
	}
}

/* One of the two is fed; it is in L1, and all else stays there. */
static inline bool is_there(struct filter_class *c, uint64_t line)
{
	if (c->before >> 1 == line)
		swap_lines(c);
	if (c->pending == line)
		c->newest = line << 1;
	c->pending = FILTER_NONE;
	return c->newest >> 1 == line;
}

/* Can the walk of a wrong path evict it? */
static bool wrong_path_evicts(const struct filter *f,
			      const struct filter_lines *l, uint64_t place)
{
	return l->wrong_path_walks && !((place ^ f->wrong_path) &
			      (l->walked ? f->mask : f->set_mask));
}

/* Another line is fed, and the newest then. */
static inline void remember(const struct filter *f, struct filter_lines *l,
			    struct filter_class *c, uint64_t line,
			    uint64_t place, uint64_t **out)
{
	const uint32_t set = (uint32_t)(place & f->set_mask);

	flush_class(f, l, c, out);
	l0_drop(l, c->before);
	c->before = l->two && !(f->shared && c->newest_set == set) ?
		    c->newest : FILTER_NONE;
	c->before_set = c->newest_set;
	if (c->before == FILTER_NONE)
		l0_drop(l, c->newest);
	if (wrong_path_evicts(f, l, place)) {
		l0_drop(l, c->before);
		c->newest = c->before = FILTER_NONE;
		return;
	}
	c->newest = l->after_hit ? FILTER_NONE : line << 1;
	c->pending = l->after_hit ? line : FILTER_NONE;
	c->newest_set = set;
}

static inline __attribute__((always_inline)) void
feed_line(struct filter *f, struct filter_lines *l, uint64_t line,
	  uint64_t place, uint8_t slot, bool store, uint64_t **out)
{
	struct filter_class *c = &l->class[place & f->mask];

	if (place == FILTER_NONE || !is_there(c, line)) {
		if (f->shared)
			forget_set(f, l->code ? &f->data : &f->code, line,
				   place, out);
		if (place == FILTER_NONE)
			forget(f, l, line, place, out);
		else if (l->on)
			remember(f, l, c, line, place, out);
	}
	if (place == FILTER_NONE || c->newest >> 1 != line)
		return;
	c->newest |= store;
	c->flushed = line << 1;
	l0_put(f, l, c, slot);
}

/* ---- pages --------------------------------------------------------------- */

static inline struct tlb_order *pages_of(struct filter *f,
				      enum filter_pages which)
{
	return which == FILTER_CODE ? &f->code_pages :
	       which == FILTER_STORES ? &f->store_pages : &f->data_pages;
}

static void forget_all(const struct filter *f, struct filter_lines *l,
		       uint64_t **out)
{
	for (uint64_t i = 0; i <= f->mask; i++)
		forget_class(f, l, &l->class[i], out);
}

/* What it reads changes L1. Where a descriptor of a high page lies in its table
 * depends on where the map puts that page. */
static void walk(struct filter *f, uint64_t address, uint64_t **out)
{
	const uint64_t page = moved(f, address) >> PAGE_BITS;

	if (!is_low(f, page)) {
		forget_all(f, &f->data, out);
		if (f->shared)
			forget_all(f, &f->code, out);
		return;
	}
	for (unsigned level = f->walk_from; level <= f->walk_to; level++) {
		const uint64_t at = filter_descriptor(f, level, page);

		if (f->data.walked)
			forget(f, &f->data, at, at, out);
		else
			forget_set(f, &f->data, at, at, out);
		if (f->shared)
			forget_set(f, &f->code, at, at, out);
	}
}

/* A page has that slot now. Large pages are several of the frames' pages. */
static void set_slot(struct filter *f, enum filter_pages which, uint64_t page,
		     uint8_t slot)
{
	const unsigned up = pages_of(f, which)->shift - PAGE_BITS;
	const uint64_t pages = UINT64_C(1) << up;

	for (uint64_t i = 0; i < pages && i < FILTER_FRAMES; i++) {
		const uint64_t at = ((page << up) + i) % FILTER_FRAMES;
		const uint64_t small = (uint64_t)f->frame[at].tag *
				       FILTER_FRAMES + at;

		if (small >> up == page)
			f->frame[at].slot[which] = slot;
	}
}

/* A slot has another page than `left`, whose lines L0 loses. */
static void l0_drop_left(const struct filter *f, struct filter_lines *l,
			 bool large, uint8_t slot, uint64_t left)
{
	if (!large) {
		l0_drop_page(f, l, slot, left);
		return;
	}
	for (uint64_t i = 0; i < FILTER_L0; i++)
		if (l->l0[i].key >> L0_SLOT == slot &&
		    l->l0[i].key != no_line(l, i))
			l0_evict(l, i);
}

static __attribute__((noinline)) uint8_t
enter_page(struct filter *f, enum filter_pages which, uint64_t address,
	   uint64_t **out)
{
	struct tlb_order *pages = pages_of(f, which);
	const uint64_t page = address >> pages->shift;
	uint64_t left;
	const uint8_t slot = tlb_order_enter(pages, page, ++f->clock, &left,
					     out);

	if (left != TLB_ORDER_NONE) {
		set_slot(f, which, left, TLB_ORDER_NOWHERE);
		if (which != FILTER_STORES)
			l0_drop_left(f, which ? &f->code : &f->data,
				     pages->shift > PAGE_BITS, slot, left);
	}
	set_slot(f, which, page, slot);
	if (f->walks)
		walk(f, address, out);
	return slot;
}

/* ---- at work ------------------------------------------------------------- */

/* Where an access is: place_in, and its page's slot, and that of L0's TLB. */
struct spot {
	uint64_t place;
	uint8_t slot, l0_slot;
	enum filter_pages which;
};

static inline struct spot spot_of(struct filter *f, uint64_t line,
				  enum filter_pages which)
{
	const struct filter_frame *at;

	if (!f->framed)
		return (struct spot){ line, 0, 0, which };
	at = frame_of(f, line);
	return (struct spot){ place_in(f, at, line), at->slot[which],
			      at->slot[which & FILTER_CODE], which };
}

static inline enum filter_pages pages_for(const struct filter *f, bool store)
{
	return store ? f->stores : FILTER_DATA;
}

/* A page is used by something that is fed. */
static inline void feed_page(struct filter *f, struct spot *at,
			     uint64_t address, uint64_t **out)
{
	if (at->slot != TLB_ORDER_NOWHERE)
		tlb_order_feed(pages_of(f, at->which), at->slot, ++f->clock);
	else
		at->slot = enter_page(f, at->which, address, out);
	if (at->which != FILTER_STORES)
		at->l0_slot = at->slot;
}

/* One of the last two of its class (any: or not dirty), in a known page? Then
 * it is the newest, and its page was touched. */
static inline bool is_known_line(struct filter *f, struct filter_lines *l,
				 uint64_t line, struct spot at, bool any)
{
	struct filter_class *c = &l->class[at.place & f->mask];

	if (at.place == FILTER_NONE || at.slot == TLB_ORDER_NOWHERE)
		return false;
	if ((c->newest | any) != (line << 1 | 1)) {
		if ((c->before | any) != (line << 1 | 1))
			return false;
		swap_lines(c);
	}
	tlb_order_touch(pages_of(f, at.which), at.slot, ++f->clock);
	l0_put(f, l, c, at.l0_slot);
	return true;
}

/* The second page can bring about no touches: the first is not fed yet. */
static void order_pages(struct filter *f, uint64_t from, uint64_t last,
			enum filter_pages which, uint64_t **out)
{
	if ((from ^ last) >> PAGE_BITS)
		tlb_order_flush(pages_of(f, which), out);
}

static void feed_lines(struct filter *f, uint64_t from, uint64_t last,
		       bool store, uint64_t **out)
{
	const enum filter_pages which = pages_for(f, store);
	const uint64_t end = last >> f->line_shift;

	order_pages(f, from, last, which, out);
	for (uint64_t i = from >> f->line_shift; i <= end; i++) {
		struct spot at = spot_of(f, i, which);

		feed_page(f, &at, i << f->line_shift, out);
		feed_line(f, &f->data, i, at.place, at.l0_slot, store, out);
	}
}

/* A streaming store takes a lower level's whole line out of all caches. */
static void forget_streamed(struct filter *f, uint64_t line, uint64_t **out)
{
	const uint64_t first = line >> f->longer << f->longer;

	for (uint64_t i = first; i >> f->longer == first >> f->longer; i++) {
		const uint64_t place = spot_of(f, i, f->stores).place;

		forget(f, &f->data, i, place, out);
		forget(f, &f->code, i, place, out);
	}
}

void filter_streamed(struct filter *f, uint64_t from, uint64_t last,
		     uint64_t **out)
{
	const uint64_t line[] = { from >> f->line_shift,
				  last >> f->line_shift };

	order_pages(f, from, last, f->stores, out);
	for (int i = 0; i < 2; i++) {
		struct spot at = spot_of(f, line[i], f->stores);

		forget_streamed(f, line[i], out);
		feed_page(f, &at, line[i] << f->line_shift, out);
	}
}

static bool filter_line(struct filter *f, uint64_t from, bool store,
			uint64_t **out)
{
	const uint64_t line = from >> f->line_shift;
	struct spot at = spot_of(f, line, pages_for(f, store));

	if (is_known_line(f, &f->data, line, at, !store))
		return true;
	feed_page(f, &at, from, out);
	feed_line(f, &f->data, line, at.place, at.l0_slot, store, out);
	return false;
}

bool filter_data(struct filter *f, uint64_t from, uint64_t last, bool store,
		 uint64_t **out)
{
	if (!((from ^ last) >> f->line_shift))
		return filter_line(f, from, store, out);
	feed_lines(f, from, last, store, out);
	return false;
}

bool filter_code(struct filter *f, uint64_t line, uint64_t **out)
{
	struct spot at = spot_of(f, line, FILTER_CODE);

	if (is_known_line(f, &f->code, line, at, true))
		return true;
	feed_page(f, &at, line << f->line_shift, out);
	feed_line(f, &f->code, line, at.place, at.l0_slot, false, out);
	return false;
}
