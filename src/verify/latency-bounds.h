/* SPDX-License-Identifier: MIT */
/*
 * The timing witness where only the time of a run is known. The average time of
 * a chained load, compared with each level's latency, bounds how many loads
 * each level can have served.
 */
#ifndef VERIFY_LATENCY_BOUNDS_H
#define VERIFY_LATENCY_BOUNDS_H

#include "verify/evidence.h"
#include "base/geometry.h"
#include "kernels/kernel.h"

/* Error of every level's share of the loads: interrupts load data, too. */
#define LATENCY_BOUNDS_SHARE 0.02

/*
 * NULL: the average time bounds the loads of each level; else the reason why
 * not. Only loads that wait for each other, in an order that no prefetcher can
 * predict, take their level's latency.
 */
const char *latency_bounds_refuses(const struct kernel *kernel,
			 const struct assay_shape *shape);

/* Of `loads` loads in `cycles` core cycles, `passes` times restarted. */
void latency_bounds_served(const struct geometry *g, double loads,
			   double cycles, double passes,
			   struct range served[SERVED_LEVELS]);

#endif
