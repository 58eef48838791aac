/* SPDX-License-Identifier: MIT */
/* What the tour has seen, and how it is shown. */
#ifndef CLI_COMMANDS_TOUR_H
#define CLI_COMMANDS_TOUR_H

#include "cli/context.h"

#define TOUR_POINTS 64

/* Per access; absent where not counted. */
struct tour_side { struct assay_value l1d_ratio, l2_misses, cycles; };

struct tour_point {
	uint64_t elements;
	struct tour_side sim, published;
	struct assay_value ns;	/* per access, on this machine */
};

struct tour {
	struct tour_point point[TOUR_POINTS];
	size_t points;
};

/* The table, and for people the plot and what it all means. */
void tour_show(struct context *context, const struct tour *tour);

#endif
