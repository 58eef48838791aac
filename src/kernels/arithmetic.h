/* SPDX-License-Identifier: MIT */
/*
 * Set arithmetic: what a periodic walk over evenly spaced lines must miss, by
 * counting lines per set. One of the three witnesses: it knows nothing of the
 * simulator, and uses only what is provable.
 *
 * A walk touches each of its lines once per pass, in the same order in every
 * pass. Per set that is a cycle of k lines:
 * 1. k <= ways: after the first pass everything hits, under any policy that
 *    fills invalid ways first.
 * 2. k > ways, LRU or FIFO: every line is gone before it comes again, all miss.
 * 3. k > ways, any other policy: at least k - ways miss, at most k.
 * 4. A set of a lower level whose index contains the upper one's sees all of
 *    the upper set's lines or none, wherever 1 or 2 decide the upper level.
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
	bool paged;		/* those of each 4 KiB are visited together, */
	bool ordered;		/* and all of them in the order of memory */
	bool stores;		/* lines are written to */
	bool loads;		/* ... and read as well */
};

/* low == high: exact. likely lies between. */
struct bounds {
	uint64_t low, high;
	double likely;
};

enum { LEVEL_L1D, LEVEL_L2, LEVEL_L3, LEVELS };

/* Misses per pass once the first pass is over. */
struct misses {
	struct bounds level[LEVELS];	/* absent level: as the one before */
	struct bounds dtlb, l2tlb;	/* absent l2tlb: as dtlb */
	bool caches, tlbs;	/* false: nothing can be said of them */
	/*
	 * Page-table lines disturb sets: misses that may come on top, per
	 * level, once (in the second pass) and in every pass.
	 */
	uint64_t once[LEVELS], each[LEVELS];
	/* Lines held after a pass; known only where the misses are exact. */
	struct bounds resident[LEVELS];
	bool settled[LEVELS];	/* misses exact, and LRU or FIFO */
	uint64_t wrong_path_walks;	/* at most, per mispredicted exit */
};

/*
 * How many pages, of so many lines each, the footprint lies in. A step between one and two pages is
 * one line per page, with a page left out now and then.
 */
uint64_t footprint_pages(const struct footprint *f, uint64_t page);

/* Are the lines of each page visited together? */
bool footprint_paged(const struct footprint *f, const struct geometry *g);

/* Lines of one of the map's pages. */
static inline uint64_t page_lines(const struct geometry *g)
{
	return (UINT64_C(1) << page_shape(g->page_map.size).bits) / LINE_BYTES;
}

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

/* Does an overfull set miss always in a cycle? */
static inline bool is_stack(enum replacement policy)
{
	return policy == REPLACE_LRU || policy == REPLACE_FIFO;
}

/* Lines in set t when `lines` go round `sets` sets. */
static inline uint64_t lines_in_set(uint64_t lines, uint64_t sets, uint64_t t)
{
	return lines / sets + (t % sets < lines % sets);
}

/* Does a prefetcher that is on go into other pages, and translate them? */
bool translates_ahead(const struct geometry *g);

/* The part about pages: fills dtlb, l2tlb and tlbs (paging.c). */
void cyclic_tlb_misses(const struct footprint *f, const struct geometry *g,
		       struct misses *out);

double square_root(double x);

#endif
