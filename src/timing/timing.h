/* SPDX-License-Identifier: MIT */
/* The timing witness on a job's shapes (`--on time`). */
#ifndef TIMING_TIMING_H
#define TIMING_TIMING_H

#include "run/metrics.h"
#include "timing/rounds.h"

/* Times all shapes, in rounds, and hands out a result with a record for each.*/
int timing_run(struct run *run, struct derived_metrics *derived_metrics,
	       assay_result_fn *fn, void *ctx, struct assay_error *err);

/* The public form of what the rounds found. */
void timing_describe(struct assay_timing *out, const struct rounds_item *item);

#endif
