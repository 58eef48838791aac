/* SPDX-License-Identifier: MIT */
/*
 * pages: follows a linked list with one element in each page. Many pages need
 * few lines, so TLB misses show before any cache is full.
 */
#include "kernels/arithmetic.h"
#include "kernels/kernel.h"
#include "kernels/list.h"
#include "kernels/shape.h"

enum { PAGES, PASSES, ACCESSES, ORDER, SPREAD, SEED };

static const struct kernel_option options[] = {
	[PAGES] = {
		.name = "pages", .kind = ASSAY_OPTION_COUNT,
		.min = 1, .max = 1 << 20, .initial = 64,
		.unit = "pages", .help = "how many pages, one element in each",
	},
	[PASSES] = {
		.name = "passes", .kind = ASSAY_OPTION_COUNT,
		.min = 1, .max = LIST_MOST_ACCESSES, .initial = -1,
		.derived = "accesses / pages, or about 2^20 / pages",
		.unit = "passes", .help = "how often the list is walked",
	},
	[ACCESSES] = {
		.name = "accesses", .kind = ASSAY_OPTION_COUNT,
		.min = 1, .max = LIST_MOST_ACCESSES, .initial = -1,
		.derived = "pages * passes", .unit = "loads",
		.help = "loads in all; rounded down to whole passes",
	},
	[ORDER] = {
		.name = "order", .kind = ASSAY_OPTION_CHOICE,
		.initial = LIST_SHUFFLED, .words = list_orders,
		.help = "as for chase, of pages",
	},
	[SPREAD] = {
		.name = "spread", .kind = ASSAY_OPTION_FLAG, .initial = 1,
		.help = "each element one line further into its page than the "
			"one before, so that they lie in different cache sets "
			"(one page in 65 is left out); off: all at the start "
			"of their pages",
	},
	[SEED] = {
		.name = "seed", .kind = ASSAY_OPTION_COUNT,
		.min = 0, .max = INT64_MAX, .initial = 1,
		.help = "of the random orders",
	},
};

static int resolve(struct assay_shape *shape, struct assay_error *err)
{
	const char *wrong = list_resolve(option_value(shape, PAGES),
					 &shape->option[PASSES].value,
					 &shape->option[ACCESSES].value);

	return wrong ? shape_refuse(err, wrong) : 0;
}

/* Lines from one element to the next. */
static uint64_t step(const struct assay_shape *shape)
{
	return LINES_PER_PAGE + count_of(shape, SPREAD);
}

static uint64_t arena_bytes(const struct assay_shape *shape)
{
	return count_of(shape, PAGES) * step(shape) * LINE_BYTES;
}

static struct list list_of(const struct assay_shape *shape,
			   const struct arena *arena)
{
	enum list_order order = (enum list_order)option_value(shape, ORDER);

	return (struct list){
		.base = arena ? arena->base : NULL,
		.elements = count_of(shape, PAGES),
		.spacing = step(shape) * LINE_BYTES,
		.chains = 1,
		/* a page has one element: any order is page-local */
		.order = order == LIST_PAGE_LOCAL ? LIST_FISHER_YATES : order,
		.seed = count_of(shape, SEED),
	};
}

#include "kernels/list-kernel.h"

const struct kernel pages_kernel = {
	.name = "pages",
	.summary = "walks a linked list with one element per page",
	.exercises = "data TLBs and page walks",
	.source = "pointer chasing, one line per page",
	KERNEL_SHOWS(ASSAY_Q_dtlb_misses, ASSAY_Q_l2tlb_misses,
		     ASSAY_Q_page_walks),
	KERNEL_OPTIONS(options),
	.size_option = "pages",
	.size_default = "8..4096",
	.resolve = resolve,
	KERNEL_ARENA,
	.cycle = cycle,
	KERNEL_BODY,
};
