/* SPDX-License-Identifier: MIT */
/*
 * Traits of a core from latencies: line size, ways, TLB reach, the cost of a
 * page walk, prefetchers. Each function takes a few latencies in cycles per
 * access and returns a trait with its trust; latencies that do not decide give
 * TRAIT_NONE. src/timing/cache-traits.c measures the latencies.
 */
#ifndef ANALYSIS_LATENCY_CACHE_TRAITS_H
#define ANALYSIS_LATENCY_CACHE_TRAITS_H

#include <stddef.h>
#include <stdint.h>

/* CONTRADICTED: other facts of the cache exclude the value. UNDECIDED: they
 * do, but the machine was too busy to say so. */
enum trait_trust {
	TRAIT_NONE, TRAIT_LOW, TRAIT_MEDIUM, TRAIT_HIGH, TRAIT_CONTRADICTED,
	TRAIT_UNDECIDED
};
extern const char *const trait_trust_words[];

struct trait {
	double value;		/* undefined with TRAIT_NONE */
	double to;		/* the trait lies from value to this; 0: it is
				 * exactly value */
	enum trait_trust trust;
};

/*
 * Line size: cycles of n pairs of accesses, the two `gap` bytes (ascending)
 * apart. The second access hits if it is to the same line.
 */
struct trait trait_line(const double *gap, const double *cycles, size_t n);

/*
 * Ways: cycles[k] are those of walking k + 1 lines of one set, k < n. hit and
 * miss: cycles of this level and of the next one.
 */
struct trait trait_ways(const double *cycles, size_t n, double hit,
			double miss);

/*
 * Ways of a physically indexed cache of `bytes`: the ways found at several
 * places in memory must agree, and the number of sets must be a power of two.
 * Physically scattered pages violate one or the other.
 */
struct trait trait_agreed_ways(const struct trait *found, size_t places,
			       double bytes, double line);

/*
 * A cache's other traits: as reported, and the range of its capacity as timed.
 * 0: not known.
 */
struct trait_cache {
	uint32_t ways, sets, line;
	double low, high;	/* bytes */
};

/*
 * ways x sets x line is the size of a cache. A measured factor whose product
 * with the reported other two is neither the reported size nor within the timed
 * range becomes TRAIT_CONTRADICTED, and why has the arithmetic; else "".
 */
void trait_check_ways(struct trait *ways, const struct trait_cache *cache,
		      char *why, size_t room);
void trait_check_line(struct trait *line, const struct trait_cache *cache,
		      char *why, size_t room);

/* Cycles with one line per page, and with as many lines side by side. */
struct tlb_point { double pages, spread, packed; };

struct tlb_traits {
	struct trait first, second;	/* pages */
	struct trait first_miss;	/* cycles added by a hit in the second
					 * TLB */
	struct trait walk;		/* cycles added by a page walk */
};

/*
 * Points ascending in pages. The reach of the second TLB is a lower bound: that
 * TLB also holds entries for code and is set-associative, so page walks begin
 * before all its entries are in use.
 */
void trait_tlbs(const struct tlb_point *point, size_t n,
		struct tlb_traits *out);

/* Is an order of accesses faster than one without prefetching? 1: yes. */
struct trait trait_prefetch(double with, double without);

#endif
