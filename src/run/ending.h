/* SPDX-License-Identifier: MIT */
/*
 * A native run of a kernel is a loop that asks nobody. So a signal handler ends
 * the loop by a jump: assay_end_kernel().
 */
#ifndef RUN_ENDING_H
#define RUN_ENDING_H

#include "kernels/kernel.h"

/*
 * A copy of the kernel, for this thread's next ending_call(): the handler ends
 * runs of the copy. The jump's target is set outside of the run, so that a
 * counted run has two more stores and no system call.
 */
struct kernel ending_kernel(const struct kernel *kernel);

/* Returns fn(ctx); or -ASSAY_ESTOP if a run of the copy was ended within fn,
 * which did not go on. */
int ending_call(int (*fn)(void *ctx), void *ctx);

/*
 * Calls fn, which takes neither memory nor a lock, and which the handler ends.
 * Not within an ending_call(). Returns 0, or -ASSAY_ESTOP, "stopped".
 */
int ending_step(void (*fn)(void *ctx), void *ctx, struct assay_error *err);
/* The same for kernel->prepare(). */
int ending_prepare(const struct kernel *kernel, const struct assay_shape *shape,
		   struct arena *arena, struct assay_error *err);

#endif
