/* SPDX-License-Identifier: MIT */
/* From settings with lists and ranges to resolved shapes, one by one. */
#ifndef RUN_SWEEP_H
#define RUN_SWEEP_H

#include "assay.h"
#include "kernels/kernel.h"

#define SWEEP_AXES ASSAY_SHAPE_OPTIONS
#define SWEEP_SHAPES 100000

/* One option and all the values that it takes. */
struct sweep_axis {
	const char *name;
	int64_t *value;
	unsigned values;
};

struct sweep {
	const struct kernel *kernel;
	struct sweep_axis axis[SWEEP_AXES];
	unsigned axes;
	unsigned shapes;	/* product over the axes; >= 1 */
};

/*
 * Parses all settings. Errors name the option: -ASSAY_EINVAL, -ASSAY_ERANGE,
 * -ASSAY_ENOENT. Each shape is checked when it is made.
 */
int sweep_init(struct sweep *out, const struct kernel *kernel,
	       const struct assay_setting *setting, size_t settings,
	       struct assay_error *err);
void sweep_fini(struct sweep *sweep);

/* Shape number index; the last axis varies fastest. */
int sweep_shape(const struct sweep *sweep, unsigned index,
		struct assay_shape *out, struct assay_error *err);

#endif
