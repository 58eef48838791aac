/* SPDX-License-Identifier: MIT */
/*
 * Traits of this core's caches, by timing alone: line size, ways, TLB reach,
 * prefetchers. Here are the loops that measure latencies, in core cycles per
 * access; analysis/latency/cache-traits.h decides what the latencies mean.
 */
#ifndef TIMING_CACHE_TRAITS_H
#define TIMING_CACHE_TRAITS_H

#include "analysis/latency/levels.h"
#include "analysis/latency/cache-traits.h"
#include "assay/row.h"
#include "base/arena.h"
#include "base/geometry.h"
#include "measure/time.h"

#define CACHE_TRAITS_BYTES ((uint64_t)64 << 20)	/* of each arena */

struct cache_traits {
	struct trait line;	/* bytes */
	struct trait l1_ways, l2_ways;
	struct tlb_traits tlb;
	/* Prefetchers: of streams from memory; of the line next to a missed
	 * one; of a constant stride, among lines in the L2. */
	struct trait stream, adjacent, stride;
	/* Their evidence, cycles per access with and without a pattern. */
	double stream_cycles, random_cycles;
	double pair_cycles, apart_cycles;
	double stride_cycles, shuffled_cycles;
	double off;		/* share of the time off the CPU */
	/* What contradicts line, l1_ways, l2_ways; "": nothing. Filled by
	 * cache_traits_check(). */
	char line_why[240], l1_why[240], l2_why[240];
};

struct cache_traits_input {
	/* CACHE_TRAITS_BYTES each. large: in huge pages if there are any */
	const struct arena *small, *large;
	uint64_t l1, l2;	/* bytes of L1D and L2; 0: not known */
	/* Cycles per access served by L1D, by L2, and by the level behind. */
	double l1_cycles, l2_cycles, l3_cycles;
};

/* A trait that the latencies do not show has trust TRAIT_NONE. */
void cache_traits_measure(const struct time_clock *clock,
			  const struct cache_traits_input *input,
			  struct cache_traits *out);

/*
 * Removes the trust from traits that contradict the arithmetic (ways * sets *
 * line = size) of the reported or the timed sizes. On a busy CPU
 * (traits->off) such a trait is TRAIT_UNDECIDED. level[]: the timed levels.
 */
void cache_traits_check(struct cache_traits *traits,
			const struct geometry *reported,
			const struct level_found *level, size_t levels);

/*
 * Rows "trait" {trait, value, reported, trust, evidence, finding}. reported:
 * caches and TLBs as the kernel and CPUID report them. Returns 0 or
 * -ASSAY_ESTOP.
 */
int cache_traits_emit(const struct cache_traits *traits,
		      const struct geometry *reported, assay_row_fn *fn,
		      void *ctx);

#endif
