/* SPDX-License-Identifier: MIT */
/*
 * The timing witness for one shape: which level served its accesses, without
 * a counter. It knows nothing of simulator, closed form and events, so verify
 * and judge may hold it against them.
 */
#ifndef TIMING_TIME_PIE_H
#define TIMING_TIME_PIE_H

#include "timing/classify.h"
#include "run/metrics.h"

struct time_pie {
	struct classify_result result;
	uint64_t accesses;	/* of the shape, that the shares are of */
	char stamps[96];	/* by which clock, where there is a choice */
	char sample[80];	/* where a pass was too long; or "" */
	char note[480];		/* bars and self-check in words */
};

/* Can it be asked about this kernel? The reason if not, else NULL. */
const char *time_pie_refuses(const struct kernel *kernel);

/*
 * Measures (about 0.3 s). cpu: pinned by the caller already. Returns 0, and
 * then out->result.mix.why says if there is no answer; -ASSAY_ENOMEM,
 * -ASSAY_EUNAVAIL. The kernel must be one that is not refused.
 */
int time_pie_measure(struct run *run, const struct assay_shape *shape,
		    struct time_pie *out, struct assay_error *err);

/* Does the job ask for a pie that cannot be had? -ASSAY_EINVAL; else 0. */
int time_pie_check(const struct run *run, struct assay_error *err);

/*
 * With job->pie: pins, measures and adds the pie, which borrows from *out.
 * Without it: nothing.
 */
int time_pie_add(struct run *run, const struct assay_shape *shape,
		  struct derived_metrics *derived_metrics, struct time_pie *out,
		  struct assay_error *err);

/* As a pie of accesses, "time", with bars; borrows from the witness. */
void time_pie_shares(const struct time_pie *witness, struct assay_pie *out);

/*
 * served_l1, served_l2, served_l3 and served_dram of the shape: values, and
 * the 95 % band; everything else is absent.
 */
void time_pie_quantities(const struct time_pie *witness,
			struct assay_quantities *value,
			struct assay_quantities *low,
			struct assay_quantities *high);

#endif
