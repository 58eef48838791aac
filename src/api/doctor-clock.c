/* SPDX-License-Identifier: MIT */
/*
 * The doctor's finding on the counter that times single loads: its step decides
 * which levels the pie by time can tell apart.
 */
#include <stdio.h>

#include "api/doctor-now.h"
#include "base/row.h"

/* A load's cost of one level and the next, on cores of today, in ns. */
#define NEAR_NS 1.5	/* less than L2 - L1 */
#define CACHES_NS 8	/* about L3 - L2 */
#define MEMORY_NS 50	/* about memory - L3 */

static const char *effect_of(double step)
{
	if (step <= NEAR_NS)
		return "";
	if (step <= CACHES_NS)
		return "one load in L1 looks like one in L2: shares of the two "
		       "need many loads, or the average";
	if (step <= MEMORY_NS)
		return "single loads in L1, L2 and L3 look alike: shares of "
		       "these need many loads, and of L1 and L2 the average";
	return "only memory can be told from caches by single loads";
}

int doctor_clock(const struct time_clock *clock, assay_row_fn *fn, void *ctx)
{
	const double step = clock->loads.granule / clock->loads.ticks_per_ns;
	const char *name = clock->port->stamp_name;
	const char *effect = effect_of(step);
	char evidence[128];

	snprintf(evidence, sizeof(evidence), "%s, in steps of %.2f ns",
		 name ? name : "the time-stamp counter", step);
	const struct assay_field field[] = {
		field_text("part", "measured"),
		field_text("what", "clock of single loads"),
		field_text("state", *effect ? "info" : "ok"),
		field_text("evidence", evidence),
		field_text("effect", effect),
		field_text("cure", *effect && time_cycles &&
			   !clock->port->stamp ? "as root: sysctl "
			   "kernel.perf_user_access=1: then it is the cycle "
			   "counter" : ""),
	};

	return row_emit(fn, ctx, "finding", field,
			sizeof(field) / sizeof(field[0]));
}
