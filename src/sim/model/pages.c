/* SPDX-License-Identifier: MIT */
/* Page maps: identity, keyed bijections, recorded frames. */
#include "base/access.h"
#include "sim/model/level.h"
#include "sim/model/pages.h"

#define SPACE_PIECES (UINT32_C(1) << (ACCESS_OPERAND_BITS - 30))
#define NO_PIECE 0xff
#define ARENA_PAGE (ACCESS_ARENA_BASE >> PAGE_BITS)

static unsigned frame_bits(uint32_t line_bytes)
{
	const unsigned bits = LEVEL_NUMBER_BITS - PAGE_BITS +
			      (unsigned)__builtin_ctz(line_bytes);

	return bits < 23 ? bits : 23;
}

static const char *recorded_refusal(const struct page_map *map, unsigned room)
{
	uint64_t seen[PIECES];
	unsigned pieces = 0, k;

	if (map->frames && !map->frame)
		return "the recorded page map has no frames";
	for (uint64_t i = 0; i < map->frames; i++) {
		const uint64_t piece = map->frame[i] >> PIECE_BITS;

		if (map->frame[i] >> (PHYSICAL_BITS - PAGE_BITS))
			return "the recorded page map has frames beyond 52 bits of address";
		for (k = 0; k < pieces && seen[k] != piece; k++)
			;
		if (k == room)
			return "the recorded page map spans more of memory than is simulated";
		seen[k] = piece;
		pieces += k == pieces;
	}
	return NULL;
}

const char *pages_refusal(const struct page_map *map, uint32_t line_bytes)
{
	if ((unsigned)map->kind > PAGE_MAP_RECORDED ||
	    (unsigned)map->size >= PAGE_SIZES)
		return "the page map is unknown";
	if (map->kind != PAGE_MAP_RECORDED)
		return NULL;
	return recorded_refusal(map, (1u << (frame_bits(line_bytes) -
					     PIECE_BITS)) - 2);
}

void pages_key(struct pages *p, const struct page_map *map,
	       uint32_t line_bytes)
{
	p->map = *map;
	p->shape = page_shape(map->size);
	p->line_shift = (unsigned)__builtin_ctz(line_bytes);
	p->frame_bits = frame_bits(line_bytes);
	p->pieces = 1u << (p->frame_bits - PIECE_BITS);
	for (unsigned round = 0; round < PAGE_ROUNDS; round++)
		p->round[round] = words_mix(map->seed + round + 1);
}

void pages_build(struct pages *p, const struct page_map *map,
		 uint32_t line_bytes, struct carve *c)
{
	pages_key(p, map, line_bytes);
	p->slot = carve_take(c, PAGE_SLOTS * sizeof(*p->slot));
	p->table = carve_take(c, PAGE_TABLES * sizeof(*p->table));
	p->piece = carve_take(c, SPACE_PIECES);
}

void pages_reset(struct pages *p)
{
	words_fill((uint32_t *)p->slot, ~0u, PAGE_SLOTS *
		   sizeof(*p->slot) / 4);
	words_fill((uint32_t *)p->table, ~0u, PAGE_TABLES *
		   sizeof(*p->table) / 4);
	words_fill((uint32_t *)p->piece, ~0u, SPACE_PIECES / 4);
	if (p->map.kind == PAGE_MAP_RECORDED)
		return;
	for (unsigned i = 0; i < p->pieces / 2; i++) {
		p->piece[i] = (uint8_t)i;
		p->used |= 1u << i;
	}
}

/* A free piece, best the one of that number; if there is none, a shared one. */
static unsigned take_piece(struct pages *p, uint64_t best)
{
	const unsigned room = p->pieces - 1;
	unsigned at = (unsigned)(best % room), tried;

	for (tried = 0; tried < room && p->used >> at & 1; tried++)
		at = (at + 1) % room;
	if (tried == room)
		p->aliases++;
	p->used |= 1u << at;
	return at;
}

static void move_piece(struct pages *p, uint64_t *moved, unsigned at,
		       uint64_t from)
{
	moved[at] = from - at;
	p->moved |= from != at;
}

/* The piece of simulated memory of a GiB of addresses. */
static unsigned address_piece(struct pages *p, uint32_t gib)
{
	unsigned at = p->piece[gib];

	if (at != NO_PIECE)
		return at;
	at = take_piece(p, gib);
	p->piece[gib] = (uint8_t)at;
	move_piece(p, p->virt_moved, at, gib);
	if (p->map.kind != PAGE_MAP_RANDOM)
		move_piece(p, p->frame_moved, at, gib);
	return at;
}

/* The piece for a GiB of recorded physical frames; few pieces are searched. */
static unsigned frame_piece(struct pages *p, uint64_t gib)
{
	unsigned at;

	for (at = 0; at < p->pieces; at++)
		if (p->recorded >> at & 1 && p->frame_moved[at] + at == gib)
			return at;
	at = take_piece(p, gib);
	p->recorded |= 1u << at;
	move_piece(p, p->frame_moved, at, gib);
	return at;
}

static uint32_t within_piece(unsigned piece, uint64_t page)
{
	return piece << PIECE_BITS |
	       (uint32_t)(page & ((1u << PIECE_BITS) - 1));
}

/* A bijection of numbers of `bits` bits; the highest one stays. */
static uint32_t shuffle(const uint64_t *key, uint32_t x, unsigned bits)
{
	const unsigned low = bits / 2;
	const uint32_t low_mask = (1u << low) - 1;
	const uint32_t all = (1u << bits) - 1;

	if (x == all)
		return x;
	do {
		for (unsigned i = 0; i < PAGE_ROUNDS; i++)
			if (i & 1)
				x ^= (uint32_t)words_mix(key[i] ^ x >> low) &
				     low_mask;
			else
				x ^= ((uint32_t)words_mix(key[i] ^
							  (x & low_mask))
				      << low) & all;
	} while (x == all);
	return x;
}

uint32_t pages_frame(const struct pages *p, uint32_t virt)
{
	const unsigned within = pages_tlb_shift(p);

	if (p->map.kind != PAGE_MAP_RANDOM)
		return virt;
	return shuffle(p->round, virt >> within, p->frame_bits - within)
		       << within |
	       (virt & ((1u << within) - 1));
}

static uint32_t frame_of(struct pages *p, uint64_t page, uint32_t virt)
{
	if (p->map.kind != PAGE_MAP_RECORDED ||
	    page - ARENA_PAGE >= p->map.frames)
		return pages_frame(p, virt);
	page = p->map.frame[page - ARENA_PAGE];
	return within_piece(frame_piece(p, page >> PIECE_BITS), page);
}

void pages_fill(struct pages *p, struct page_slot *slot, uint64_t page)
{
	const uint32_t virt = within_piece(
		address_piece(p, (uint32_t)(page >> PIECE_BITS)), page);

	slot->page = page;
	slot->virt = virt;
	slot->frame = frame_of(p, page, virt);
}

void pages_fill_table(const struct pages *p, struct table_slot *slot,
		      uint32_t table)
{
	*slot = (struct table_slot){ table, pages_frame(p, table) };
}
