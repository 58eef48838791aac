/* SPDX-License-Identifier: MIT */
/*
 * What timing says of a core beside its levels: line size, ways, TLB reach, the
 * cost of a page walk, prefetchers. Each from a few latencies, in cycles; where
 * they do not decide, the answer is that they do not.
 */
#ifndef ANALYSIS_LATENCY_CACHE_TRAITS_H
#define ANALYSIS_LATENCY_CACHE_TRAITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* CONTRADICTED: what else is known of the cache leaves no room for the value. */
enum trait_trust {
	TRAIT_NONE, TRAIT_LOW, TRAIT_MEDIUM, TRAIT_HIGH, TRAIT_CONTRADICTED
};
extern const char *const trait_trust_words[];

struct trait {
	double value;		/* undefined with TRAIT_NONE */
	double to;		/* it lies between value and this; 0: exact */
	enum trait_trust trust;
};

/*
 * Line size: pairs of accesses `gap` bytes apart (ascending), cycles per
 * access. Within a line the second one hits.
 */
struct trait trait_line(const double *gap, const double *cycles, size_t n);

/*
 * Ways: cycles[k] of k + 1 lines of one set, k < n. hit and miss: cycles of
 * this level and of the next one.
 */
struct trait trait_ways(const double *cycles, size_t n, double hit,
			double miss);

/*
 * Ways of a cache of so many bytes that is looked up by physical address:
 * `found` in several places in memory must agree and leave a number of sets
 * that is a power of two. Scattered pages would show anything, or nothing.
 */
struct trait trait_agreed_ways(const struct trait *found, size_t places,
			       double bytes, double line);

/*
 * What is known of a cache beside its measured trait: as reported, and the
 * range of its capacity as timed. 0: not known.
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

/* Pages that each have one line in use, beside as many lines packed. */
struct tlb_point { double pages, spread, packed; };

struct tlb_traits {
	struct trait first, second;	/* pages */
	struct trait first_miss;	/* cycles that the second TLB adds */
	struct trait walk;		/* cycles that a walk adds */
};

/*
 * Points ascending in pages. The second TLB has entries for code too and is
 * looked up by sets, so walks begin before it is full.
 */
void trait_tlbs(const struct tlb_point *point, size_t n,
		struct tlb_traits *out);

/*
 * Is something faster than it would be without a prefetcher? value: 1 yes, 0
 * no.
 */
struct trait trait_prefetch(double with, double without);

#endif
