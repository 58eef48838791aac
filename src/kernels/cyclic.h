/* SPDX-License-Identifier: MIT */
/* The expectation rows of a walk that repeats: caches, TLBs, page walks. */
#ifndef KERNELS_CYCLIC_H
#define KERNELS_CYCLIC_H

#include "kernels/arithmetic.h"
#include "kernels/expect.h"

/* What a pass does to each line, once or several times in a row. */
enum cyclic_kind {
	CYCLIC_LOADS,
	CYCLIC_STORES,
	CYCLIC_UPDATES,		/* a load and then a store of each line */
	CYCLIC_STORES_THEN_LOADS,	/* a pass of each, in turn */
};

struct cyclic {
	struct footprint footprint;	/* .stores and .loads are set here */
	enum cyclic_kind kind;
	uint64_t passes;	/* over the footprint */
	/* Accesses per pass, all lines together. */
	uint64_t loads, stores;
	uint64_t exits;		/* loops left that could walk a wrong path */
};

void expect_cyclic(const struct cyclic *walk, const struct geometry *g,
		   bool warm, struct assay_expectation *out);

/* Only the rows of TLBs and page walks. */
void expect_cyclic_tlbs(const struct cyclic *walk, const struct geometry *g,
			bool warm, struct assay_expectation *out);

#endif
