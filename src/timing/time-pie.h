/* SPDX-License-Identifier: MIT */
/*
 * The pie by time of one shape (`--pie`): which level served its accesses,
 * without a counter. It is a witness of its own: it uses no simulator, no
 * closed form and no event, so verify and judge can compare those with it.
 */
#ifndef TIMING_TIME_PIE_H
#define TIMING_TIME_PIE_H

#include "timing/classify.h"
#include "run/metrics.h"

struct time_pie {
	struct classify_result result;
	uint64_t accesses;	/* of the shape; the shares are parts of them */
	char stamps[96];	/* the clock, if the ISA has several; or "" */
	char sample[80];	/* the replayed part of a long pass; or "" */
	char note[480];		/* bars and self-check in words */
};

/* Why there can be no pie for this kernel (static); NULL: there can. */
const char *time_pie_refuses(const struct kernel *kernel);

/*
 * Measures (about 0.3 s) on the caller's pinned thread. The kernel must not be
 * refused. Returns 0 (out->result.mix.why: the reason if there is no answer),
 * -ASSAY_ENOMEM, -ASSAY_ERANGE or -ASSAY_EUNAVAIL.
 */
int time_pie_measure(struct run *run, const struct assay_shape *shape,
		     struct time_pie *out, struct assay_error *err);

/* -ASSAY_EINVAL if the job asks for a pie that is not possible; else 0. */
int time_pie_check(const struct run *run, struct assay_error *err);

/*
 * If job->pie is set: pins the thread, measures, and adds a pie to *derived,
 * which borrows from *out. Else does nothing.
 */
int time_pie_add(struct run *run, const struct assay_shape *shape,
		 struct derived_metrics *derived, struct time_pie *out,
		 struct assay_error *err);

/*
 * served_l1, served_l2, served_l3 and served_dram of the shape, with the bounds
 * of their 95 % bars; everything else is absent.
 */
void time_pie_quantities(const struct time_pie *pie,
			 struct assay_quantities *value,
			 struct assay_quantities *low,
			 struct assay_quantities *high);

#endif
