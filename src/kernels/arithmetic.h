/* SPDX-License-Identifier: MIT */
/*
 * Set arithmetic: how many lines and pages a periodic access pattern must miss,
 * by counting lines per set. It shares no code with the simulator and uses only
 * what can be proven. Freestanding.
 *
 * A pattern accesses each line of a footprint once per pass, in the same order
 * in every pass. In each set that is a cycle of k lines:
 * 1. k <= ways: after the first pass all lines hit, under any policy that
 *    fills invalid ways first.
 * 2. k > ways, LRU or FIFO: every line is evicted before its next access, so
 *    all miss.
 * 3. k > ways, any other policy: at least k - ways miss, at most k.
 * 4. If the set index of a lower level contains the upper level's, all lines of
 *    an upper set that 1 or 2 decide arrive in the lower level, or none.
 */
#ifndef KERNELS_ARITHMETIC_H
#define KERNELS_ARITHMETIC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/geometry.h"

#define LINE_BYTES 64
#define LINES_PER_PAGE 64	/* of 4 KiB */

struct footprint {
	uint64_t lines;		/* distinct lines, >= 1 */
	uint64_t step;		/* lines from one to the next in memory, >= 1 */
	bool paged;		/* lines of one 4 KiB page come in a row */
	bool ordered;		/* lines come in the order of memory */
	bool stores, loads;	/* kinds of access to each line */
};

/* low == high: exact. low <= likely <= high. */
struct bounds {
	uint64_t low, high;
	double likely;
};

enum { LEVEL_L1D, LEVEL_L2, LEVEL_L3, LEVELS };

/* Misses per pass, in all passes but the first. */
struct misses {
	struct bounds level[LEVELS];	/* absent level: as the level above */
	struct bounds dtlb, l2tlb;	/* absent l2tlb: as dtlb */
	bool caches, tlbs;	/* false: no arithmetic holds for them */
	/*
	 * Lines of page tables take ways of sets: further misses per level,
	 * at most, once (in the second pass) and in every pass.
	 */
	uint64_t once[LEVELS], each[LEVELS];
	/* Lines held after a pass; bounds only if misses are not exact. */
	struct bounds resident[LEVELS];
	bool settled[LEVELS];	/* misses exact, and LRU or FIFO */
	uint64_t wrong_path_walks;	/* at most, per mispredicted exit */
};

/*
 * The pages, of `page` lines each, that the footprint lies in. A step between
 * one and two pages gives one line per page, and leaves out a page at times.
 */
uint64_t footprint_pages(const struct footprint *f, uint64_t page);

/* Do the lines of each page of the page map come in a row? */
bool footprint_paged(const struct footprint *f, const struct geometry *g);

/* Lines of a page of the page map. */
static inline uint64_t page_lines(const struct geometry *g)
{
	return (UINT64_C(1) << page_shape(g->page_map.size).bits) / LINE_BYTES;
}

/* Fills `out` for a periodic pattern over the footprint on this hierarchy. */
void cyclic_misses(const struct footprint *f, const struct geometry *g,
		   struct misses *out);

static inline struct bounds bounds_exactly(uint64_t n)
{
	return (struct bounds){ n, n, (double)n };
}

static inline struct bounds bounds_between(uint64_t low, uint64_t high)
{
	return (struct bounds){ low, high, (double)(low + high) / 2 };
}

static inline void bounds_add(struct bounds *sum, struct bounds b)
{
	sum->low += b.low;
	sum->high += b.high;
	sum->likely += b.likely;
}

/* a - b, not below 0 */
static inline uint64_t arithmetic_less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

static inline uint64_t common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/*
 * Is the victim the line that was used (LRU) or filled (FIFO) longest ago? Then
 * a cycle of more lines than ways always misses.
 */
static inline bool evicts_oldest(enum replacement policy)
{
	return policy == REPLACE_LRU || policy == REPLACE_FIFO;
}

/* Lines in set t when `lines` go round `sets` sets. */
static inline uint64_t lines_in_set(uint64_t lines, uint64_t sets, uint64_t t)
{
	return lines / sets + (t % sets < lines % sets);
}

/* Is any prefetcher on? */
bool prefetches(const struct geometry *g);

/* Is an L1D prefetcher on that crosses pages, and so uses the TLBs? */
bool translates_ahead(const struct geometry *g);

/* Absent, or of the line size that kernels know and not empty. */
bool usable_cache(const struct cache_geometry *c);

/* The part of cyclic_misses() about pages (paging.c): dtlb, l2tlb and tlbs. */
void cyclic_tlb_misses(const struct footprint *f, const struct geometry *g,
		       struct misses *out);

double square_root(double x);
double power_of(double x, uint64_t n);

#endif
