/* SPDX-License-Identifier: MIT */
/* Timing kernels for single traits of a core. */
#ifndef TIMING_CACHE_TRAITS_H
#define TIMING_CACHE_TRAITS_H

#include "analysis/latency/levels.h"
#include "analysis/latency/cache-traits.h"
#include "assay/error.h"
#include "assay/row.h"
#include "base/arena.h"
#include "base/geometry.h"
#include "measure/time.h"

#define CACHE_TRAITS_BYTES ((uint64_t)64 << 20)	/* of both arenas */

struct cache_traits {
	struct trait line;	/* bytes */
	struct trait l1_ways, l2_ways;
	struct tlb_traits tlb;
	/* streams from memory; the line next to a missed one; a constant
	 * stride that lies in the L2 */
	struct trait stream, adjacent, stride;
	double stream_cycles, random_cycles;	/* evidence */
	double pair_cycles, apart_cycles;
	double stride_cycles, shuffled_cycles;
	/* what contradicts, of line, l1_ways, l2_ways; "": nothing does */
	char line_why[160], l1_why[160], l2_why[160];
};

/*
 * small: 4 KiB pages, CACHE_TRAITS_BYTES; large: the same in huge pages, or small
 * again. l1, l2: bytes of the first levels and l1_cycles, l2_cycles theirs;
 * l3_cycles: of what lies behind. 0: not known.
 */
struct cache_traits_input {
	const struct arena *small, *large;
	uint64_t l1, l2;
	double l1_cycles, l2_cycles, l3_cycles;
};

void cache_traits_measure(const struct time_clock *clock,
		    const struct cache_traits_input *input, struct cache_traits *out);

/*
 * Traits that do not multiply out with the sizes that are reported, or timed
 * (the first of the levels), lose their trust.
 */
void cache_traits_check(struct cache_traits *traits, const struct geometry *reported,
		  const struct level_found *level, size_t levels);

/*
 * Rows "trait" {trait, value, reported, trust, evidence, finding}. reported:
 * caches and TLBs as the kernel and the CPU tell them. Returns 0 or
 * -ASSAY_ESTOP.
 */
int cache_traits_emit(const struct cache_traits *traits, const struct geometry *reported,
		assay_row_fn *fn, void *ctx);

#endif
