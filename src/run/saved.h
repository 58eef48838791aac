/* SPDX-License-Identifier: MIT */
/* Kernel and shape of a saved record, in terms of the kernels of this build. */
#ifndef RUN_SAVED_H
#define RUN_SAVED_H

#include "assay.h"
#include "kernels/kernel.h"

/* Makes *out of a saved shape, with all options of the kernel. False: the saved
 * options are not valid for this kernel. */
bool saved_shape(struct assay_shape *out, const struct kernel *kernel,
		 const struct assay_shape *saved);

/* "stride 16 MiB store": kernel, size, and choices that differ from default. */
void saved_shape_text(char *out, size_t room, const struct kernel *kernel,
		      const struct assay_shape *shape);

/* An option of the shape by its name (a flag is 0 or 1, a choice its index),
 * or "accesses"; absent if the kernel has no such option. */
struct assay_value saved_number(const struct kernel *kernel,
				const struct assay_shape *shape,
				const char *name);

/* Did assay's kernel run? Other people's code made the counts of a published
 * table. */
bool saved_own_code(const struct assay_record *record, enum isa isa);

#endif
