/* SPDX-License-Identifier: MIT */
/*
 * The timing witness where only a run's whole time is known: what an average
 * load of a chain took, between what each level takes, bounds how many loads
 * each of them can have served.
 */
#ifndef VERIFY_LATENCY_BOUNDS_H
#define VERIFY_LATENCY_BOUNDS_H

#include "verify/evidence.h"
#include "base/geometry.h"
#include "kernels/kernel.h"

/* No share is known better, since interrupts load, too. */
#define LATENCY_BOUNDS_SHARE 0.02

/*
 * NULL: the average says who served this shape; else why not. Only loads that
 * wait for each other, in an order that no prefetcher can foresee, take what
 * their level takes.
 */
const char *latency_bounds_refuses(const struct kernel *kernel,
			 const struct assay_shape *shape);

/* Of `loads` loads in `cycles` core cycles, `passes` times restarted. */
void latency_bounds_served(const struct geometry *g, double loads, double cycles,
		 double passes, struct range served[SERVED_LEVELS]);

#endif
