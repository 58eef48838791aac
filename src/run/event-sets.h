/* SPDX-License-Identifier: MIT */
/*
 * More events than counters: a shape is run once for every set of events that
 * fit the counters together. The results make one record, in which every event
 * was counted all the time. An event that cannot be counted even alone is
 * absent with its reason.
 */
#ifndef RUN_EVENT_SETS_H
#define RUN_EVENT_SETS_H

#include "run/run.h"
#include "events/packing.h"

/* The sets of one group, kept for the next shape. Zeroed: none found yet. */
struct event_sets {
	struct group group;
	struct packing packing;
	bool tried;		/* packing is that of group */
};

/*
 * As run_measure(), with as many runs of the shape as run->group has sets.
 * run->group is the same afterwards. *sets is filled and used again.
 */
int run_measure_sets(struct run *run, struct event_sets *sets,
		     const struct assay_shape *shape,
		     struct assay_record **out, struct assay_error *err);

#endif
