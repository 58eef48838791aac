/* SPDX-License-Identifier: MIT */
/* A resolved shape from words such as "chase", "elements=5", "order=linear". */
#ifndef TESTS_KERNEL_SHAPE_H
#define TESTS_KERNEL_SHAPE_H

#include "kernels/kernel.h"

/* The ends of all counted code (arch/count.h). */
extern const unsigned char __start_assay_kernels[], __stop_assay_kernels[];

/* words: NULL-terminated. Returns NULL and fills err if anything is wrong. */
const struct kernel *shape_make(struct assay_shape *out,
				const char *const *words,
				struct assay_error *err);

/* The same from one text with single spaces. */
const struct kernel *shape_text(struct assay_shape *out, const char *text,
				struct assay_error *err);

/* Memory for the shape, prepared; ends the program if there is none. */
void shape_arena(struct arena *out, const struct kernel *kernel,
		 const struct assay_shape *shape);
void shape_arena_free(struct arena *arena);

#endif
