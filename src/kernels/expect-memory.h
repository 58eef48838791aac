/* SPDX-License-Identifier: MIT */
/*
 * The expectation rows of caches, TLBs and page walks: of patterns that repeat
 * (cyclic.c) and of evenly drawn lines (uniform.c). A row is left out where the
 * arithmetic does not hold for the hierarchy. Freestanding.
 */
#ifndef KERNELS_EXPECT_MEMORY_H
#define KERNELS_EXPECT_MEMORY_H

#include "kernels/arithmetic.h"
#include "kernels/expect.h"

/* What a pass does to each line, once or several times in a row. */
enum cyclic_kind {
	CYCLIC_LOADS,
	CYCLIC_STORES,
	CYCLIC_UPDATES,		/* a load and then a store of each line */
	CYCLIC_STORES_THEN_LOADS,	/* passes of stores and of loads by
					 * turns, stores first */
};

/* An access pattern that repeats in every pass. */
struct cyclic {
	struct footprint footprint;	/* .stores and .loads: from kind */
	enum cyclic_kind kind;
	uint64_t passes;	/* over the footprint */
	uint64_t loads, stores;	/* per pass, all lines together */
	uint64_t exits;		/* of loops, each of which may be mispredicted
				 * and walk on a wrong path */
};

/* warm: an identical run went before. */
void expect_cyclic(const struct cyclic *pattern, const struct geometry *g,
		   bool warm, struct assay_expectation *out);

/* Only the rows of TLBs and page walks. */
void expect_cyclic_tlbs(const struct cyclic *pattern, const struct geometry *g,
			bool warm, struct assay_expectation *out);

/*
 * Loads of evenly drawn lines of a buffer. Whatever a set of k lines holds, the
 * next load is of any of the k with equal chance, so it hits with ways / k
 * under every replacement policy. The band is that of the draws.
 */
void expect_uniform(uint64_t lines, uint64_t accesses,
		    const struct geometry *g, bool warm,
		    struct assay_expectation *out);

#endif
