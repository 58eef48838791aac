/* SPDX-License-Identifier: MIT */
/*
 * A sweep: settings with lists ("A,B,C") and ranges ("A..B", "A..B/N": N values
 * per doubling) become axes; their product is the shapes, made one by one.
 */
#ifndef RUN_SWEEP_H
#define RUN_SWEEP_H

#include "assay.h"
#include "kernels/kernel.h"

#define SWEEP_AXES ASSAY_SHAPE_OPTIONS
#define SWEEP_SHAPES 100000	/* at most, and values of one axis */

/* One option and all its values. */
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
	bool range;		/* a value was given as A..B */
};

/*
 * Parses all settings; free *out with sweep_fini(). Errors name the option:
 * -ASSAY_EINVAL, -ASSAY_ERANGE, -ASSAY_ENOENT. Shapes are not checked yet.
 */
int sweep_init(struct sweep *out, const struct kernel *kernel,
	       const struct assay_setting *setting, size_t settings,
	       struct assay_error *err);
void sweep_fini(struct sweep *sweep);

/* Makes shape number `index`, 0 <= index < shapes; the last axis varies
 * fastest. Returns 0, or why the kernel refuses the shape. */
int sweep_shape(const struct sweep *sweep, unsigned index,
		struct assay_shape *out, struct assay_error *err);

#endif
