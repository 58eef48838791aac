/* SPDX-License-Identifier: MIT */
/*
 * The slope estimator: counts of one shape at n, 2n and 4n units of work are
 * fitted by a line. The rise is the count per unit, the intercept is overhead,
 * and the distance of the middle point from the line is interference.
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
 * Fits y at x = units, 2 * units and 4 * units by least squares. If one y is
 * absent or an estimate, so are all results.
 */
void slope_fit(struct assay_slope *out, const struct assay_value y[3],
	       double units);

/* Compares .per_unit with .predicted, within .curvature (see assay.h). */
enum assay_verdict slope_verdict(const struct assay_slope *slope, double units);

/* The option that scales a kernel's work, or NULL. */
const char *slope_option(const struct kernel *kernel);

/* Gives r[0] the worst noise of the three records. */
void slope_noise(struct assay_record *const r[3]);

/*
 * Measures the shape at 2n and 4n, and fits all lines. `first` is the record at
 * n: the lines borrow names and reasons from it, and it gets the worst noise of
 * all three. -ASSAY_EINVAL if the kernel has no option that scales its work.
 */
int slope_measure(struct slopes *out, struct run *run,
		  const struct assay_shape *shape,
		  struct assay_record *first, struct assay_error *err);

#endif
