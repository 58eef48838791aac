/* SPDX-License-Identifier: MIT */
/* Page maps: identity, keyed bijections, recorded frames. */
#include "base/access.h"
#include "sim/level.h"
#include "sim/pages.h"

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
	uint64_t seen[4] = { 0, 0, 0, 0 };
	unsigned pieces = 0;

	if (map->frames && !map->frame)
		return "the recorded page map has no frames";
	for (uint64_t i = 0; i < map->frames; i++) {
		const uint64_t piece = map->frame[i] >> PIECE_BITS;
		uint64_t *word = &seen[piece >> 6 & 3];

		if (piece >= 256)
			return "the recorded page map has frames beyond 256 GiB";
		pieces += !(*word >> (piece & 63) & 1);
		*word |= UINT64_C(1) << (piece & 63);
	}
	return pieces > room ?
	       "the recorded page map spans more of memory than is simulated" :
	       NULL;
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
	p->piece = carve_take(c, 2 * SPACE_PIECES);
}

void pages_reset(struct pages *p)
{
	words_fill((uint32_t *)p->slot, ~0u, PAGE_SLOTS *
		   sizeof(*p->slot) / 4);
	words_fill((uint32_t *)p->table, ~0u, PAGE_TABLES *
		   sizeof(*p->table) / 4);
	words_fill((uint32_t *)p->piece, ~0u, 2 * SPACE_PIECES / 4);
	if (p->map.kind == PAGE_MAP_RECORDED)
		return;
	for (unsigned i = 0; i < p->pieces / 2; i++) {
		p->piece[i] = (uint8_t)i;
		p->used |= 1u << i;
	}
}

/* The piece of simulated memory of a GiB; `which` counts addresses first,
 * then recorded memory. */
static uint32_t piece(struct pages *p, uint32_t which)
{
	const unsigned room = p->pieces - 1;
	unsigned at = which % room, tried;

	if (p->piece[which] != NO_PIECE)
		return p->piece[which];
	for (tried = 0; tried < room && p->used >> at & 1; tried++)
		at = (at + 1) % room;
	if (tried == room)
		p->aliases++;
	p->used |= 1u << at;
	p->piece[which] = (uint8_t)at;
	return at;
}

static uint32_t compact(struct pages *p, uint64_t page, uint32_t space)
{
	const uint32_t which = space + (uint32_t)(page >> PIECE_BITS);

	return piece(p, which) << PIECE_BITS |
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
	return compact(p, p->map.frame[page - ARENA_PAGE], SPACE_PIECES);
}

void pages_fill(struct pages *p, struct page_slot *slot, uint64_t page)
{
	const uint32_t virt = compact(p, page, 0);

	slot->page = page;
	slot->virt = virt;
	slot->frame = frame_of(p, page, virt);
}

void pages_fill_table(const struct pages *p, struct table_slot *slot,
		      uint32_t table)
{
	*slot = (struct table_slot){ table, pages_frame(p, table) };
}
