/* SPDX-License-Identifier: MIT */
/*
 * The functions of a kernel that follows a list, included by chase.c and
 * pages.c after they have defined list_of(shape, arena) and the options PASSES
 * and ACCESSES.
 */
#include "kernels/kernel.h"
#include "kernels/list.h"
#include "kernels/shape.h"

static uint64_t accesses(const struct assay_shape *shape)
{
	return count_of(shape, ACCESSES);
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

	list_run(&list, count_of(shape, PASSES));
}

static void trace(const struct assay_shape *shape, struct arena *arena,
		  enum isa isa, struct access_trace *port)
{
	struct list list = list_of(shape, arena);

	list_trace(&list, count_of(shape, PASSES), isa, port);
}

static void expect(const struct assay_shape *shape, enum isa isa,
		   const struct geometry *geometry, bool warm,
		   struct assay_expectation *out)
{
	struct list list = list_of(shape, NULL);

	list_expect(&list, count_of(shape, PASSES), isa, geometry, warm, out);
}
