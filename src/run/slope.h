/* SPDX-License-Identifier: MIT */
/*
 * The slope estimator: the same shape at n, 2n and 4n units of work. What grows
 * with the work is the per-unit count; what does not is overhead; what fits no
 * line is interference.
 */
#ifndef RUN_SLOPE_H
#define RUN_SLOPE_H

#include "run/metrics.h"

#define SLOPE_LINES (ASSAY_EVENTS + ASSAY_QUANTITIES)

struct slopes {
	struct assay_slope line[SLOPE_LINES];
	size_t lines;
};

/*
 * y at x = 1, 2 and 4 times `units`: least squares. Absent or estimated in one
 * is absent or estimated in all.
 */
void slope_fit(struct assay_slope *out, const struct assay_value y[3],
	       double units);

/* What .per_unit and .curvature say of .predicted (see assay.h). */
enum assay_verdict slope_verdict(const struct assay_slope *slope, double units);

/* The option that scales a kernel's work, or NULL. */
const char *slope_option(const struct kernel *kernel);

/* The first record of three that make one answer gets the worst noise of all. */
void slope_noise(struct assay_record *const r[3]);

/*
 * Measures the shape at 2n and 4n; `first` is its record at n, and the lines
 * borrow their reasons from it; it gets the others' noise. -ASSAY_EINVAL if the
 * kernel has nothing to scale.
 */
int slope_measure(struct slopes *out, struct run *run,
		  const struct assay_shape *shape,
		  struct assay_record *first, struct assay_error *err);

#endif
