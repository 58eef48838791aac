/* SPDX-License-Identifier: MIT */
/* What a saved record says of its kernel and shape. */
#ifndef RUN_SAVED_H
#define RUN_SAVED_H

#include "assay.h"
#include "kernels/kernel.h"

/* The shape with all of the kernel's options; false: it is none of ours. */
bool saved_shape(struct assay_shape *out, const struct kernel *kernel,
		 const struct assay_shape *saved);

/* "stride 16 MiB store": the kernel, its size, and words that are no default. */
void saved_shape_text(char *out, size_t room, const struct kernel *kernel,
		      const struct assay_shape *shape);

/* An option of the shape by its name (a flag is 0 or 1, a choice its index),
 * or "accesses"; absent if the kernel has none such. */
struct assay_value saved_number(const struct kernel *kernel,
				const struct assay_shape *shape,
				const char *name);

#endif
