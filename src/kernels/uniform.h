/* SPDX-License-Identifier: MIT */
/*
 * The expectation rows of loads at evenly drawn lines of a buffer. Whatever a
 * set has kept, the next line is any of its k with the same chance, so it hits
 * with ways / k under every policy; what is left is the chance of the draw.
 */
#ifndef KERNELS_UNIFORM_H
#define KERNELS_UNIFORM_H

#include "kernels/arithmetic.h"
#include "kernels/expect.h"

void expect_uniform(uint64_t lines, uint64_t accesses,
		    const struct geometry *g, bool warm,
		    struct assay_expectation *out);

#endif
