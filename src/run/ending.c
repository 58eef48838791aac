/* SPDX-License-Identifier: MIT */
/* A signal handler ends a native run of a kernel. */
#include "run/ending.h"

#include <setjmp.h>
#include <signal.h>

#include "assay.h"

/* What a signal handler has to know of its thread. */
static _Thread_local struct {
	void (*run)(const struct assay_shape *shape, struct arena *arena);
	volatile sig_atomic_t running;
	sigjmp_buf back;	/* in ending_call() */
} ending;

static void run(const struct assay_shape *shape, struct arena *arena)
{
	ending.running = 1;
	ending.run(shape, arena);
	ending.running = 0;
}

struct kernel ending_kernel(const struct kernel *kernel)
{
	struct kernel copy = *kernel;

	ending.run = kernel->run;
	copy.run = run;
	return copy;
}

int ending_call(int (*fn)(void *ctx), void *ctx)
{
	return sigsetjmp(ending.back, 1) ? -ASSAY_ESTOP : fn(ctx);
}

void assay_end_kernel(void)
{
	if (!ending.running)
		return;
	ending.running = 0;
	siglongjmp(ending.back, 1);
}
