/* SPDX-License-Identifier: MIT */
/*
 * Part of a kernel that walks a list, once it has said which: list_of(shape,
 * arena) and the options PASSES and ACCESSES. What all such kernels do alike.
 */
#include "kernels/kernel.h"
#include "kernels/list.h"
#include "kernels/option.h"

static uint64_t accesses(const struct assay_shape *shape)
{
	return (uint64_t)option_value(shape, ACCESSES);
}

static void prepare(const struct assay_shape *shape, struct arena *arena)
{
	struct list list = list_of(shape, arena);

	list_link(&list);
}

static unsigned cycle(const struct assay_shape *shape, struct arena *arena,
		      void **head)
{
	struct list list = list_of(shape, arena);

	return list_close(&list, head);
}

static void run(const struct assay_shape *shape, struct arena *arena)
{
	struct list list = list_of(shape, arena);

	list_run(&list, (uint64_t)option_value(shape, PASSES));
}

static void trace(const struct assay_shape *shape, struct arena *arena,
		  enum isa isa, struct access_trace *port)
{
	struct list list = list_of(shape, arena);

	list_trace(&list, (uint64_t)option_value(shape, PASSES), isa, port);
}
