/* SPDX-License-Identifier: MIT */
/* The rows of caches and TLBs of matmul. Freestanding. */
#ifndef KERNELS_MATMUL_H
#define KERNELS_MATMUL_H

#include <stdbool.h>
#include <stdint.h>

#include "assay/expectation.h"
#include "base/geometry.h"

/* The three matrices start on pages, one after the other. */
#define MATMUL_ALIGN 4096

struct matmul {
	uint64_t n;
	bool interchange;
};

/* Misses by loads of A, loads of B, loads of C, and stores to C. */
struct matmul_misses {
	uint64_t a, b, c_load, c_store;
};

/*
 * Counts the misses of one run in an LRU cache or TLB whose units are `per`
 * doubles (matmul-visits.c); warm: an identical run went before. False: n or
 * the cache is too large for counting visit by visit.
 */
bool matmul_visits(const struct matmul *m, uint64_t per, uint64_t sets,
		   uint64_t ways, bool warm, struct matmul_misses *out);

/* Adds the rows that hold on this hierarchy (matmul-memory.c). */
void matmul_expect_memory(const struct matmul *m, const struct geometry *g,
			  bool warm, struct assay_expectation *out);

#endif
