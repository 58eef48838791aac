/* SPDX-License-Identifier: MIT */
/* What prefetchers are made of, for those that issue their requests. */
#ifndef SIM_PREFETCH_H
#define SIM_PREFETCH_H

#include "sim/state.h"

#define REQUESTS 1024

struct stride {
	uint32_t pc, sure;
	uint64_t line, stride;
};

struct prefetcher {
	struct prefetch_geometry g;
	uint32_t window, degree, distance, next;
	uint64_t *line;		/* stream: a ring */
	uint16_t *near;		/* stream: lines of the ring per bucket */
	struct stride *stride;
};

/* Not issued yet: sim.requests of them. */
struct request {
	uint64_t line, from;
	const struct prefetcher *by;
};

struct prefetchers {
	uint32_t count;
	uint32_t of_l1d;	/* the first so many train on L1D, others on L2 */
	struct prefetcher one[GEOMETRY_PREFETCHERS];
	struct request request[REQUESTS];
};

#endif
