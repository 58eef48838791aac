/* SPDX-License-Identifier: MIT */
/*
 * From addresses to simulated memory.
 *
 * Simulated memory is 2^(29 + log2(line)) bytes (32 GiB for lines of 64), so
 * that a line number fits an entry of a level. Address space is taken in pieces
 * of 1 GiB, which get a piece of simulated memory's size when they are first
 * touched: the lower half of simulated memory belongs to the addresses that
 * equal it, the last piece to the page tables, the others to whoever comes
 * first. When none is left, pieces share and `aliases` counts them. What a piece
 * was before, in an address of up to 52 bits, is remembered: sets and slices are
 * chosen by that (level_set).
 *
 * A page has a number in this compact space (virt, what TLBs hold) and a frame
 * (where its lines are), which the page map chooses:
 *   identity	frame = virt; the same address gives the same line
 *   random	a keyed bijection of all frames, so no two pages share one;
 *		larger pages go to frames of their size
 *   recorded	the frames given, pieces of 1 GiB renumbered as above
 */
#ifndef SIM_PAGES_H
#define SIM_PAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/geometry.h"
#include "sim/words.h"

#define PAGE_BITS 12
#define PIECE_BITS 18		/* 2^18 pages of 4 KiB: 1 GiB */
#define PIECES 32		/* of simulated memory, at most */
#define PHYSICAL_BITS 52	/* of recorded frames' addresses */
#define PAGE_SLOTS 8192
#define PAGE_TABLES 64
#define PAGE_ROUNDS 6

struct page_slot {
	uint64_t page;		/* address >> 12 */
	uint32_t virt, frame;
};

/* Where a page of the page tables is. */
struct table_slot {
	uint32_t table, frame;
};

struct pages {
	struct page_slot *slot;	/* PAGE_SLOTS, direct-mapped */
	struct table_slot *table;	/* PAGE_TABLES, direct-mapped */
	uint64_t round[PAGE_ROUNDS];	/* keys of the bijection */
	uint8_t *piece;		/* of each GiB of addresses, or 0xff */
	struct page_map map;
	struct page_shape shape;
	unsigned line_shift;	/* log2(line bytes) */
	unsigned frame_bits;
	unsigned pieces;
	uint32_t used;		/* bit per piece */
	uint32_t recorded;	/* the same, of recorded frames */
	/* By piece: how many pieces further up its addresses, and its frames,
	 * are in truth (modulo 2^64); and is any of them not 0? */
	uint64_t virt_moved[PIECES], frame_moved[PIECES];
	bool moved;
	uint64_t aliases;
};

/* Why this map cannot be simulated; NULL: it can be. */
const char *pages_refusal(const struct page_map *map, uint32_t line_bytes);
/* What pages_frame needs, and pages_tables but for its slots. */
void pages_key(struct pages *p, const struct page_map *map,
	       uint32_t line_bytes);
void pages_build(struct pages *p, const struct page_map *map,
		 uint32_t line_bytes, struct carve *c);
void pages_reset(struct pages *p);
void pages_fill(struct pages *p, struct page_slot *slot, uint64_t page);

/* Where page `page` (address >> 12) is. */
static inline const struct page_slot *pages_slot(struct pages *p,
						 uint64_t page)
{
	struct page_slot *slot = &p->slot[page & (PAGE_SLOTS - 1)];

	if (slot->page != page)
		pages_fill(p, slot, page);
	return slot;
}

/* The frame of a page of the compact space. */
uint32_t pages_frame(const struct pages *p, uint32_t virt);

void pages_fill_table(const struct pages *p, struct table_slot *slot,
		      uint32_t table);

/* The tables of one level of a walk (1: the smallest pages'). */
struct page_tables {
	struct table_slot *slot;
	uint32_t first;		/* of them; the others are the next */
	unsigned up, line_shift;
};

static inline struct page_tables pages_tables(const struct pages *p,
					      unsigned level)
{
	const unsigned up = p->shape.granule - PAGE_BITS +
			    (p->shape.granule - 3u) * (level - 1);

	/* one descriptor is enough for all of a level above its 32 bits */
	return (struct page_tables){
		p->table, (p->pieces - 1) << PIECE_BITS | (level - 1) << 15,
		up < 31 ? up : 31, p->line_shift
	};
}

/* The line of the descriptor that translates page virt there. */
static inline uint32_t pages_descriptor(const struct pages *p,
					const struct page_tables *t,
					uint32_t virt)
{
	const uint32_t index = virt >> t->up, table = t->first | index >> 9;
	struct table_slot *slot = &t->slot[table % PAGE_TABLES];

	if (slot->table != table)
		pages_fill_table(p, slot, table);
	return slot->frame << (PAGE_BITS - t->line_shift) |
	       (index & 511) * 8 >> t->line_shift;
}

/* With an identity map, addresses below this are places of memory. */
static inline uint64_t pages_identical(const struct pages *p)
{
	return UINT64_C(1) << (PAGE_BITS + p->frame_bits - 1);
}

/* log2 of pages per entry of a TLB. */
static inline unsigned pages_tlb_shift(const struct pages *p)
{
	return p->shape.bits - PAGE_BITS;
}

#endif
