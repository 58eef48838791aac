/* SPDX-License-Identifier: MIT */
/*
 * chase: follows a linked list of 64-byte elements to its end, pass after pass.
 * Each load needs the data of the load before, so loads neither overlap nor are
 * reordered; in a random order no prefetcher can predict them either. Several
 * chains side by side show how many loads a core keeps in flight.
 */
#include "kernels/arithmetic.h"
#include "kernels/kernel.h"
#include "kernels/list.h"
#include "kernels/shape.h"

enum { ELEMENTS, PASSES, ACCESSES, ORDER, SEED, CHAINS };

static const struct kernel_option options[] = {
	[ELEMENTS] = {
		.name = "elements", .kind = ASSAY_OPTION_COUNT,
		.min = 1, .max = 1 << 26, .initial = 4096,
		.unit = "lines", .help = "length of the list, 64 bytes each",
	},
	[PASSES] = {
		.name = "passes", .kind = ASSAY_OPTION_COUNT,
		.min = 1, .max = LIST_MOST_ACCESSES, .initial = -1,
		.derived = "accesses / elements, or about 2^20 / elements",
		.unit = "passes", .help = "how often the list is walked",
	},
	[ACCESSES] = {
		.name = "accesses", .kind = ASSAY_OPTION_COUNT,
		.min = 1, .max = LIST_MOST_ACCESSES, .initial = -1,
		.derived = "elements * passes", .unit = "loads",
		.help = "loads in all; rounded down to whole passes",
	},
	[ORDER] = {
		.name = "order", .kind = ASSAY_OPTION_CHOICE,
		.initial = LIST_SHUFFLED, .words = list_orders,
		.help = "linear; ping-pong: first, last, second ...; shuffled: "
			"one random cycle (Sattolo); fisher-yates: a random "
			"order of visiting; page-local: random pages, all "
			"lines of one in a row",
	},
	[SEED] = {
		.name = "seed", .kind = ASSAY_OPTION_COUNT,
		.min = 0, .max = INT64_MAX, .initial = 1,
		.help = "of the random orders",
	},
	[CHAINS] = {
		.name = "chains", .kind = ASSAY_OPTION_COUNT,
		.min = 1, .max = 4, .initial = 1, .power_of_two = true,
		.unit = "lists", .help = "lists walked side by side",
	},
};

static int resolve(struct assay_shape *shape, struct assay_error *err)
{
	int64_t elements = option_value(shape, ELEMENTS);
	int64_t passes = option_value(shape, PASSES);
	int64_t accesses = option_value(shape, ACCESSES);
	const char *wrong = list_resolve(elements, &passes, &accesses);

	if (!wrong && elements % option_value(shape, CHAINS))
		wrong = "'elements' must be a multiple of 'chains'";
	if (wrong)
		return shape_refuse(err, wrong);
	shape->option[PASSES].value = passes;
	shape->option[ACCESSES].value = accesses;
	return 0;
}

static uint64_t arena_bytes(const struct assay_shape *shape)
{
	return count_of(shape, ELEMENTS) * LINE_BYTES;
}

static struct list list_of(const struct assay_shape *shape,
			   const struct arena *arena)
{
	return (struct list){
		.base = arena ? arena->base : NULL,
		.elements = count_of(shape, ELEMENTS),
		.spacing = LINE_BYTES,
		.chains = count_of(shape, CHAINS),
		.order = (enum list_order)option_value(shape, ORDER),
		.seed = count_of(shape, SEED),
	};
}

#include "kernels/list-kernel.h"

const struct kernel chase_kernel = {
	.name = "chase",
	.summary = "walks a linked list of cache lines",
	.exercises = "load latency, every cache level, the data TLB",
	.source = "pointer chasing; the Cortex-A72 data access series of "
		  "P. J. Drongowski, 2021",
	KERNEL_SHOWS(ASSAY_Q_l1d_refills, ASSAY_Q_served_dram,
		     ASSAY_Q_dtlb_misses),
	KERNEL_OPTIONS(options),
	.size_option = "elements",
	.size_default = "32..65536",
	.resolve = resolve,
	KERNEL_ARENA,
	.cycle = cycle,
	KERNEL_BODY,
};
