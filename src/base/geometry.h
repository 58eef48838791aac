/* SPDX-License-Identifier: MIT */
/*
 * The memory hierarchy of one core as numbers: what a CPU file says, what the
 * simulator builds, and what closed forms compute with. A plain value.
 */
#ifndef BASE_GEOMETRY_H
#define BASE_GEOMETRY_H

#include <stdbool.h>
#include <stdint.h>

enum isa { ISA_X86_64, ISA_AARCH64, ISAS };

enum replacement {
#define POLICY(constant, ...) REPLACE_##constant,
#include "base/policies.def"
	REPLACEMENTS
};

/* What a level holds, relative to the levels nearer to the core. */
enum inclusion {
	INCLUDE_NON,	/* non-inclusive: fills and evicts without the others */
	INCLUDE_ALL,	/* inclusive: evicting a line evicts it above too */
	INCLUDE_EXCLUSIVE,	/* a hit moves the line up; victims move down */
	INCLUDE_VICTIM,	/* filled by victims only; a hit keeps the line */
	INCLUSIONS
};

enum cold_fill { COLD_INVALID_FIRST, COLD_POLICY_VICTIM };
enum copy_back { COPY_FETCH_FIRST, COPY_VICTIM_FIRST };

struct cache_geometry {
	bool present;
	uint32_t line_bytes;
	uint32_t sets;		/* per slice; any number >= 1 */
	uint32_t ways;
	uint32_t slices;	/* 1, or a hashed slice count */
	enum replacement policy;
	enum inclusion inclusion;
	bool write_through;	/* false: write-back */
	bool no_write_allocate;	/* false: write-allocate */
	bool silent_clean;	/* clean evictions are not reported below */
	bool loud_from_dram;	/* reports clean evictions of lines from memory
				 * even so */
	enum cold_fill cold;
	uint64_t only_bytes;	/* not present, but the kernel knows the size:
				 * sets and ways are not known */
};

struct tlb_geometry {
	bool present;
	uint32_t entries;
	uint32_t ways;		/* == entries: fully associative */
	enum replacement policy;
};

/* The TLBs that hold translations of one page size. */
struct tlbs {
	struct tlb_geometry dtlb, itlb, l2tlb, l2itlb, store_dtlb;
};

/* The first cache that a page walk's reads look up. */
enum walk_level { WALK_L1D, WALK_L2, WALK_L3, WALK_DRAM };

struct walker_geometry {
	enum walk_level reads_through;
	uint32_t levels;	/* descriptors read by a full walk */
	uint32_t cached_levels;	/* of levels, held in page-walk caches */
};

enum prefetch_kind {
	PREFETCH_NEXT_LINE,
	PREFETCH_ADJACENT_PAIR,
	PREFETCH_IP_STRIDE,
	PREFETCH_STREAM,
	PREFETCH_KINDS
};

struct prefetch_geometry {
	enum prefetch_kind kind;
	char name[32];
	bool on;
	uint8_t trains_on;	/* 1: L1D misses, 2: L2 lookups/misses */
	uint8_t fills;		/* 1: into L1D, 2: into L2 */
	bool page_bounded;	/* stays within 4 KiB */
	uint32_t window;	/* entries of its table */
	uint32_t degree;	/* lines per trigger */
	uint32_t distance;	/* lines ahead */
	uint32_t percent;	/* share of lines that trigger it; 0: all */
	bool upward_only;	/* ADJACENT_PAIR: only even brings odd */
	uint32_t longest_stride;	/* IP_STRIDE: in bytes; 0: any */
};
#define GEOMETRY_PREFETCHERS 8

enum predictor_kind { PREDICT_NONE, PREDICT_BIMODAL, PREDICT_TAGE };

struct predictor_geometry {
	enum predictor_kind kind;
	uint32_t entries;
	uint32_t history;	/* bits, TAGE */
	uint32_t return_stack;	/* entries */
	uint32_t wrong_path_walks;	/* page walks (reads at walker level)
					 * per mispredicted loop exit */
	uint32_t wrong_path_loads;	/* per mispredict; they find their data
					 * in L1D and move nothing */
};

/* Of base pages, and of the blocks of their tables. x86-64: those of 4 KiB. */
enum page_size {
	PAGE_4K, PAGE_16K, PAGE_64K,
	PAGE_2M, PAGE_32M, PAGE_512M, PAGE_1G,
	PAGE_SIZES
};

/* A page has 2^bits bytes. In page tables whose leaves at level 1 have
 * 2^granule bytes, the page is an entry at `level`; `levels` levels translate
 * 48 bits. */
struct page_shape {
	uint8_t bits, granule, level, levels;
};

static inline struct page_shape page_shape(enum page_size size)
{
	static const struct page_shape shapes[PAGE_SIZES] = {
		[PAGE_4K] = { 12, 12, 1, 5 },	/* or 57 bits */
		[PAGE_16K] = { 14, 14, 1, 4 },
		[PAGE_64K] = { 16, 16, 1, 3 },
		[PAGE_2M] = { 21, 12, 2, 5 },
		[PAGE_32M] = { 25, 14, 2, 4 },
		[PAGE_512M] = { 29, 16, 2, 3 },
		[PAGE_1G] = { 30, 12, 3, 5 },
	};

	return shapes[size];
}

enum page_map_kind {
	PAGE_MAP_IDENTITY,
	PAGE_MAP_RANDOM,	/* frames drawn without replacement */
	PAGE_MAP_RECORDED	/* frames[] given, of 4 KiB */
};

struct page_map {
	enum page_map_kind kind;
	enum page_size size;	/* of all pages */
	uint64_t seed;
	const uint64_t *frame;	/* RECORDED: frame of page i from the arena's
				 * start; borrowed */
	uint64_t frames;
};

/*
 * cycles = per_instruction * instructions
 *        + l1_hit * served_l1 + l2_hit * served_l2 + l3_hit * served_l3
 *        + (last cache's hit + dram_extra) * served_dram
 *        + dtlb_miss * dtlb_misses + page_walk * page_walks
 *        + mispredict * mispredicts + restart * passes
 * A model with few constants, never a simulation of a pipeline.
 */
struct cycle_model {
	double per_instruction, l1_hit, l2_hit, l3_hit, dram_extra;
	double dtlb_miss, page_walk, mispredict, restart;
	double ghz;
};

struct geometry {
	char name[64];
	enum isa isa;
	struct cache_geometry l1d, l1i, l2, l3;
	/* For the map's pages. */
	struct tlb_geometry dtlb, itlb, l2tlb, l2itlb;
	struct tlb_geometry store_dtlb;	/* if present, dtlb is not for stores */
	bool split_l2tlb;	/* l2tlb is for data only; for code is l2itlb,
				 * if it is present */
	struct walker_geometry walker;
	uint32_t prefetchers;
	struct prefetch_geometry prefetcher[GEOMETRY_PREFETCHERS];
	struct predictor_geometry predictor;
	enum copy_back copy_back;
	struct page_map page_map;
	uint64_t draw;	/* which draw of random replacement; 0: the first */
	struct cycle_model cycles;
	enum page_size page;	/* the system's usual page size */
	bool by_size;		/* `tlbs` is filled: a CPU file's */
	struct tlbs tlbs[PAGE_SIZES];
};

/* Total bytes; 0 if not known. */
static inline uint64_t cache_bytes(const struct cache_geometry *c)
{
	return c->present ? (uint64_t)c->line_bytes * c->sets * c->slices *
				    c->ways : c->only_bytes;
}

/*
 * The level of the first descriptor that a page walk reads; the walk goes down
 * to the level of the page. 0: the walk reads none.
 */
static inline unsigned walk_from(const struct geometry *g)
{
	const struct page_shape shape = page_shape(g->page_map.size);
	const unsigned cached = g->walker.cached_levels;
	const unsigned levels = g->walker.levels < shape.levels ?
				g->walker.levels : shape.levels;

	if (g->walker.levels == cached)
		return 0;
	return levels > cached + shape.level ? levels - cached : shape.level;
}

/* Does the ISA have pages of that size? */
static inline bool page_of_isa(enum page_size size, enum isa isa)
{
	return isa == ISA_AARCH64 || page_shape(size).granule == 12;
}

/* The hierarchy with this page map, and the TLBs of its pages. */
void geometry_place(struct geometry *g, const struct page_map *map);

/* Why the hierarchy lacks a signal of signals.def; NULL: the signal exists. */
const char *geometry_lacks(const struct geometry *g, const char *signal);

/* The words of the enums above, as CPU files and people spell them. */
extern const char *const isa_names[ISAS];
extern const char *const replacement_names[REPLACEMENTS];
extern const char *const inclusion_names[INCLUSIONS];
extern const char *const prefetch_names[PREFETCH_KINDS];
extern const char *const page_names[PAGE_SIZES];

/* Two without a size, and two of each: the identity, and a random one. */
#define PAGE_MAP_NAMES (2 + 2 * PAGE_SIZES)
extern const char *const page_map_names[PAGE_MAP_NAMES];

/* The page map called `name`, with seed 0. */
struct page_map geometry_page_map(const struct geometry *g, int name);
/* Its index; -1: recorded. */
int page_map_name(const struct page_map *map);

#endif
