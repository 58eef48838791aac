/* SPDX-License-Identifier: MIT */
/* A signal handler ends a native run of a kernel. */
#include "run/ending.h"

#include <setjmp.h>
#include <signal.h>

#include "assay.h"
#include "base/text.h"

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

int ending_step(void (*fn)(void *ctx), void *ctx, struct assay_error *err)
{
	if (sigsetjmp(ending.back, 1))
		return error_set(err, -ASSAY_ESTOP, "stopped");
	ending.running = 1;
	fn(ctx);
	ending.running = 0;
	return 0;
}

struct preparing {
	const struct kernel *kernel;
	const struct assay_shape *shape;
	struct arena *arena;
};

static void prepare(void *ctx)
{
	const struct preparing *p = ctx;

	p->kernel->prepare(p->shape, p->arena);
}

int ending_prepare(const struct kernel *kernel, const struct assay_shape *shape,
		   struct arena *arena, struct assay_error *err)
{
	struct preparing p = { kernel, shape, arena };

	return ending_step(prepare, &p, err);
}

void assay_end_kernel(void)
{
	if (!ending.running)
		return;
	ending.running = 0;
	siglongjmp(ending.back, 1);
}
