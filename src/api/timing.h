/* SPDX-License-Identifier: MIT */
/* The timing witness on a job's shapes (`--on time`). */
#ifndef API_TIMING_H
#define API_TIMING_H

#include "api/judge.h"
#include "api/rounds.h"

/*
 * The native port with its ticks counted against the system's clock. Returns
 * 0 or -ASSAY_EUNAVAIL where there is no usable counter.
 */
int timing_clock(struct time_clock *out, struct assay_error *err);

/* Times all shapes, in rounds, and hands out a result with a record for each.*/
int timing_run(struct run *run, struct judgement *judgement,
	       assay_result_fn *fn, void *ctx, struct assay_error *err);

/* The public form of what the rounds found. */
void timing_describe(struct assay_timing *out, const struct rounds_item *item);

#endif
