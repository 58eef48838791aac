/* SPDX-License-Identifier: MIT */
/* The expectation rows of a walk that repeats: caches, TLBs, page walks. */
#ifndef KERNELS_CYCLIC_H
#define KERNELS_CYCLIC_H

#include "kernels/arithmetic.h"
#include "kernels/expect.h"

struct cyclic {
	struct footprint footprint;
	uint64_t passes;
	/* Loads per line and pass, one right after the other. */
	uint64_t loads;
};

void expect_cyclic(const struct cyclic *walk, const struct geometry *g,
		   bool warm, struct assay_expectation *out);

#endif
