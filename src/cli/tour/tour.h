/* SPDX-License-Identifier: MIT */
/* What the tour has seen, and how it is shown. */
#ifndef CLI_COMMANDS_TOUR_H
#define CLI_COMMANDS_TOUR_H

#include "cli/context.h"

#define TOUR_POINTS 64

/* Per access. */
enum tour_value { TOUR_L1D_RATIO, TOUR_L2_MISSES, TOUR_CYCLES, TOUR_VALUES };

/* Absent where it was not counted. */
struct tour_side { struct assay_value value[TOUR_VALUES]; };

struct tour_point {
	uint64_t elements;
	unsigned page_maps;	/* that were simulated */
	struct tour_side sim;	/* with the first of them */
	struct tour_side low, high;	/* of all */
	struct tour_side published;
	struct assay_value ns;	/* per access, on this machine */
};

struct tour {
	struct tour_point point[TOUR_POINTS];
	size_t points;
};

/* How a published value lies to the simulated range; NEAR: beside the range,
 * by at most 1 % or 0.001. */
enum tour_place { TOUR_INSIDE, TOUR_NEAR, TOUR_OUTSIDE, TOUR_UNKNOWN };
enum tour_place tour_place(const struct tour_point *p, enum tour_value v);

/* The answer and the table; for people with -v the plot, too. */
void tour_show(struct context *context, const struct tour *tour);

#endif
