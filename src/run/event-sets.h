/* SPDX-License-Identifier: MIT */
/*
 * More events than counters: a shape is run once for every set of events that
 * can be counted together, and one record has them all, each counted the whole
 * time. What cannot be counted even alone is absent with its reason.
 */
#ifndef RUN_EVENT_SETS_H
#define RUN_EVENT_SETS_H

#include "run/run.h"
#include "events/packing.h"

/* Sets are tried once for one group. Zeroed: nothing was tried yet. */
struct event_sets {
	struct group group;
	struct packing packing;
	bool tried;
};

/* As run_measure, of run->group (unchanged afterwards). */
int run_measure_sets(struct run *run, struct event_sets *event_sets,
		       const struct assay_shape *shape,
		       struct assay_record **out, struct assay_error *err);

#endif
