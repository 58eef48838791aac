/* SPDX-License-Identifier: MIT */
/*
 * The reference's prefetchers, as docs/cpu-file.md has them, without
 * `percent`. They say which lines they want; fetching is the caller's.
 */
#ifndef TESTS_REFERENCE_PREFETCH_H
#define TESTS_REFERENCE_PREFETCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/geometry.h"

struct prefetching;

/* What one of them wants, because of the line `from`. */
struct wanted {
	uint64_t line, from;
	const struct prefetch_geometry *by;
};

/* Borrows the geometry. */
struct prefetching *prefetching_new(const struct geometry *g);
void prefetching_free(struct prefetching *p);
/* Of L1D (1) with virtual lines and the PC, or of L2 (2) with physical ones. */
void prefetching_train(struct prefetching *p, unsigned level, uint64_t line,
		       uint32_t pc);
/* The oldest that is still wanted; false: nothing is. */
bool prefetching_next(struct prefetching *p, struct wanted *w);

#endif
