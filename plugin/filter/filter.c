/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is not soon found. */
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

static uint8_t slot_of(const struct recent *r, uint64_t page)
{
	return recent_slot(r, page << PAGE_BITS >> r->shift);
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

/* ---- what is soon found -------------------------------------------------- */

/* A line of another place is none. */
static inline uint64_t no_line(const struct filter_lines *l, uint64_t at)
{
	return (at ^ 1) << l->line_shift;
}

static inline void clear(struct filter_lines *l, uint64_t at)
{
	l->quick[at].key = no_line(l, at);
}

static inline bool is_shown(const struct filter_lines *l, uint64_t line)
{
	const uint64_t address = line << l->line_shift;

	return !(filter_shown(&l->quick[line % FILTER_QUICK], address) &
		 FILTER_OTHER(l->line_shift, true)) && address < FILTER_CLEAN;
}

/* When it was touched last, as far as that is soon found. */
static inline uint64_t touched(const struct filter_lines *l, uint64_t entry,
			       uint64_t else_at)
{
	const uint64_t line = entry >> 1;

	return is_shown(l, line) ? l->quick[line % FILTER_QUICK].touched :
				   else_at;
}

/* The line before the newest is the newest now. */
static inline void turn(struct filter_class *c)
{
	const uint64_t entry = c->before;
	const uint32_t set = c->before_set;

	c->before = c->newest;
	c->before_set = c->newest_set;
	c->newest = entry;
	c->newest_set = set;
}

/* What was soon found has not turned its class. Where one of the two is not
 * shown, it was the older one then, or was touched at c->touched. */
static inline void settle(const struct filter_lines *l, struct filter_class *c)
{
	c->touched = touched(l, c->newest, c->touched);
	if (touched(l, c->before, 0) > c->touched)
		turn(c);
}

static inline void take_out(struct filter_lines *l, uint64_t at)
{
	settle(l, &l->class[l->class_at[at]]);
	clear(l, at);
}

static void reset_lines(struct filter_lines *l)
{
	for (uint64_t i = 0; i < FILTER_QUICK; i++)
		clear(l, i);
	memset(l->shown, 0, sizeof(l->shown));
	memset(l->class, 0xff, sizeof(l->class));
}

void filter_reset(struct filter *f)
{
	f->map.table = f->table;	/* f may be a copy */
	reset_lines(&f->data);
	reset_lines(&f->code);
	recent_reset(&f->data_pages);
	recent_reset(&f->code_pages);
	recent_reset(&f->store_pages);
	for (int i = 0; i < FILTER_FRAMES; i++) {
		f->frame[i].slot[0] = recent_slot(&f->data_pages, 0);
		f->frame[i].slot[1] = recent_slot(&f->code_pages, 0);
		f->frame[i].slot[2] = recent_slot(&f->store_pages, 0);
	}
}

/* The newest of its class is touched. */
static inline void show(const struct filter *f, struct filter_lines *l,
			struct filter_class *c, uint8_t slot)
{
	const uint64_t line = c->newest >> 1, at = line % FILTER_QUICK;
	struct filter_found *q = &l->quick[at];

	c->touched = f->clock;
	if (__builtin_expect(slot == RECENT_NOWHERE ||
			     line << l->line_shift >= FILTER_CLEAN, false))
		return;		/* rule 4; or it has no key */
	if (!is_shown(l, line) && q->key != no_line(l, at))
		take_out(l, at);
	q->key = line << l->line_shift | (uint64_t)slot << FILTER_SLOT |
		 (c->newest & 1 && f->stores == FILTER_DATA ? 0 : FILTER_CLEAN);
	q->touched = c->touched;
	l->class_at[at] = (uint8_t)(c - l->class);
	l->shown[slot] |= UINT64_C(1)
			  << (line & ((1u << (PAGE_BITS - f->line_shift)) - 1));
}

/* Its class is settled. */
static inline void hide(struct filter_lines *l, uint64_t entry)
{
	if (is_shown(l, entry >> 1))
		clear(l, (entry >> 1) % FILTER_QUICK);
}

/* All lines of a page that has the slot no more. */
static inline void hide_page(const struct filter *f, struct filter_lines *l,
			     uint8_t slot, uint64_t page)
{
	uint64_t bits = l->shown[slot];

	for (; bits; bits &= bits - 1) {
		const uint64_t line = (page << (PAGE_BITS - f->line_shift)) +
				      (uint64_t)__builtin_ctzll(bits);

		if (is_shown(l, line))
			take_out(l, line % FILTER_QUICK);
	}
	l->shown[slot] = 0;
}

/* ---- classes ------------------------------------------------------------- */

/* What the simulator must know before the class changes. */
static inline void tell_class(const struct filter *f,
			      const struct filter_lines *l,
			      struct filter_class *c, uint64_t **out)
{
	uint64_t newest;

	if (c->newest == FILTER_NONE)
		return;
	settle(l, c);
	newest = c->newest & ~UINT64_C(1);
	if (__builtin_expect(newest == c->told, true))
		return;
	*(*out)++ = access_pack(ACCESS_TOUCH, ACCESS_LINE |
				(l->code ? ACCESS_CODE : 0), 0,
				newest >> 1 << f->line_shift &
				ACCESS_OPERAND_MASK);
	c->told = newest;
}

static inline void forget_class(const struct filter *f, struct filter_lines *l,
				struct filter_class *c, uint64_t **out)
{
	c->pending = FILTER_NONE;
	if (c->newest == FILTER_NONE)
		return;
	tell_class(f, l, c, out);
	hide(l, c->newest);
	hide(l, c->before);
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
		hide(l, c->before);
		c->before = FILTER_NONE;
	}
}

/* One of the two is fed; it is in L1, and all else stays there. */
static inline bool is_there(struct filter_class *c, uint64_t line)
{
	if (c->before >> 1 == line)
		turn(c);
	if (c->pending == line)
		c->newest = line << 1;
	c->pending = FILTER_NONE;
	return c->newest >> 1 == line;
}

/* Can the walk of a wrong path evict it? */
static bool may_stray(const struct filter *f, const struct filter_lines *l,
		      uint64_t place)
{
	return l->strays && !((place ^ f->stray) &
			      (l->walked ? f->mask : f->set_mask));
}

/* Another line is fed, and the newest then. */
static inline void remember(const struct filter *f, struct filter_lines *l,
			    struct filter_class *c, uint64_t line,
			    uint64_t place, uint64_t **out)
{
	const uint32_t set = (uint32_t)(place & f->set_mask);

	tell_class(f, l, c, out);
	hide(l, c->before);
	c->before = l->two && !(f->shared && c->newest_set == set) ?
		    c->newest : FILTER_NONE;
	c->before_set = c->newest_set;
	if (c->before == FILTER_NONE)
		hide(l, c->newest);
	if (may_stray(f, l, place)) {
		hide(l, c->before);
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
	c->told = line << 1;
	show(f, l, c, slot);
}

/* ---- pages --------------------------------------------------------------- */

static inline struct recent *pages_of(struct filter *f,
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

/* The same of pages of 2 MiB, which are parts of many frames. */
static void move_large(struct filter *f, enum filter_pages which,
		       uint64_t left, uint64_t page, uint8_t slot)
{
	const unsigned up = pages_of(f, which)->shift - PAGE_BITS;
	struct filter_lines *l = which == FILTER_CODE ? &f->code : &f->data;

	for (uint64_t i = 0; i < FILTER_QUICK && which != FILTER_STORES; i++)
		if (l->quick[i].key >> FILTER_SLOT == slot &&
		    l->quick[i].key != no_line(l, i))
			take_out(l, i);
	for (uint64_t i = 0; i < FILTER_FRAMES; i++) {
		struct filter_frame *at = &f->frame[i];
		const uint64_t large = ((uint64_t)at->tag * FILTER_FRAMES +
					i) >> up;

		if (large == left)
			at->slot[which] = RECENT_NOWHERE;
		if (large == page)
			at->slot[which] = slot;
	}
}

static __attribute__((noinline)) uint8_t
enter_page(struct filter *f, enum filter_pages which, uint64_t address,
	   uint64_t **out)
{
	struct recent *pages = pages_of(f, which);
	const uint64_t page = address >> pages->shift;
	struct filter_frame *at = &f->frame[page % FILTER_FRAMES];
	uint64_t left;
	const uint8_t slot = recent_enter(pages, page, ++f->clock, &left, out);

	if (pages->shift > PAGE_BITS) {
		move_large(f, which, left, page, slot);
	} else {
		at->slot[which] = slot;
		at = &f->frame[left % FILTER_FRAMES];
		if (left != RECENT_NONE) {
			if (which != FILTER_STORES)
				hide_page(f, which ? &f->code : &f->data, slot,
					  left);
			if (at->tag == left / FILTER_FRAMES)
				at->slot[which] = RECENT_NOWHERE;
		}
	}
	if (f->walks)
		walk(f, address, out);
	return slot;
}

/* ---- at work ------------------------------------------------------------- */

/* Where an access is: place_in, and its page's slot; shown: in what is soon
 * found. */
struct spot {
	uint64_t place;
	uint8_t slot, shown;
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
	if (at->slot != RECENT_NOWHERE)
		recent_feed(pages_of(f, at->which), at->slot, ++f->clock);
	else
		at->slot = enter_page(f, at->which, address, out);
	if (at->which != FILTER_STORES)
		at->shown = at->slot;
}

/* One of the last two of its class (any: or not dirty), in a known page? Then
 * it is the newest, and its page was touched. */
static inline bool is_known_line(struct filter *f, struct filter_lines *l,
				 uint64_t line, struct spot at, bool any)
{
	struct filter_class *c = &l->class[at.place & f->mask];

	if (at.place == FILTER_NONE || at.slot == RECENT_NOWHERE)
		return false;
	if ((c->newest | any) != (line << 1 | 1)) {
		if ((c->before | any) != (line << 1 | 1))
			return false;
		turn(c);
	}
	recent_touch(pages_of(f, at.which), at.slot, ++f->clock);
	show(f, l, c, at.shown);
	return true;
}

/* The second page can bring about no touches: the first is not fed yet. */
static void order_pages(struct filter *f, uint64_t from, uint64_t last,
			enum filter_pages which, uint64_t **out)
{
	if ((from ^ last) >> PAGE_BITS)
		recent_tell(pages_of(f, which), out);
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
		feed_line(f, &f->data, i, at.place, at.shown, store, out);
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

		forget(f, &f->data, line[i], at.place, out);
		forget(f, &f->code, line[i], at.place, out);
		feed_page(f, &at, line[i] << f->line_shift, out);
	}
}

static bool filter_line(struct filter *f, uint64_t from, bool store, uint64_t **out)
{
	const uint64_t line = from >> f->line_shift;
	struct spot at = spot_of(f, line, pages_for(f, store));

	if (is_known_line(f, &f->data, line, at, !store))
		return true;
	feed_page(f, &at, from, out);
	feed_line(f, &f->data, line, at.place, at.shown, store, out);
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
	feed_line(f, &f->code, line, at.place, at.shown, false, out);
	return false;
}
