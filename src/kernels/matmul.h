/* SPDX-License-Identifier: MIT */
/* matmul's rows of caches and TLBs (matmul-memory.c), for matmul.c. */
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

void matmul_expect_memory(const struct matmul *m, const struct geometry *g,
			  bool warm, struct assay_expectation *out);

#endif
