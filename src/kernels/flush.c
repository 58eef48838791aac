/* SPDX-License-Identifier: MIT */
/*
 * flush: cleans and invalidates each of a few lines, then loads them one after
 * the other; each load's address is the data of the load before. Every load
 * must come from memory: there are exactly as many refills as loads.
 */
#include "kernels/access.h"
#include "kernels/counts.h"
#include "kernels/expect-memory.h"
#include "kernels/kernel.h"
#include "kernels/list.h"
#include "kernels/shape.h"

enum { LINES, ITERATIONS, SPACING };
enum { SITE_FLUSH = 2, SITE_FLUSHED = 5, SITE_LOAD = 8, SITE_LOADED = 10,
       SITE_ITERATION = 12, SITE_RETURN = 13 };

/*
 * arch/<isa>/flush.S: flushes each of the list's lines, which lie `spacing`
 * bytes apart, then loads along the list to its NULL, iterations (>= 1) times.
 */
void flush_run(void *list, uint64_t lines, uint64_t iterations,
		uint64_t spacing);

static const struct kernel_option options[] = {
	[LINES] = {
		.name = "lines", .kind = ASSAY_OPTION_COUNT,
		.min = 1, .max = 1 << 16, .initial = 3,
		.unit = "lines", .help = "lines that are flushed and loaded",
	},
	[ITERATIONS] = {
		.name = "iterations", .kind = ASSAY_OPTION_COUNT,
		.min = 1, .max = INT64_C(1) << 32, .initial = 20,
		.unit = "iterations",
		.help = "how often the lines are flushed and loaded",
	},
	[SPACING] = {
		.name = "spacing", .kind = ASSAY_OPTION_BYTES,
		.min = LINE_BYTES, .max = 1 << 20, .initial = 4160,
		.unit = "bytes",
		.help = "from line to line, a multiple of 64; by default a "
			"page and a line, beyond what prefetchers reach",
	},
};

static int resolve(struct assay_shape *shape, struct assay_error *err)
{
	if (option_value(shape, SPACING) % LINE_BYTES)
		return shape_refuse(err, "'spacing' must be a multiple of 64");
	return 0;
}

static uint64_t arena_bytes(const struct assay_shape *shape)
{
	return (count_of(shape, LINES) - 1) * count_of(shape, SPACING) +
	       LINE_BYTES;
}

static uint64_t accesses(const struct assay_shape *shape)
{
	return count_of(shape, LINES) * count_of(shape, ITERATIONS);
}

static void prepare(const struct assay_shape *shape, struct arena *arena)
{
	struct list list = {
		.base = arena->base, .elements = count_of(shape, LINES),
		.spacing = count_of(shape, SPACING), .chains = 1,
	};

	list_link(&list);
}

static void run(const struct assay_shape *shape, struct arena *arena)
{
	flush_run(arena->base, count_of(shape, LINES),
		  count_of(shape, ITERATIONS), count_of(shape, SPACING));
}

struct chain {
	const unsigned char *base;
	uint64_t lines, spacing;
};

static void flush_and_load(const void *ctx, struct access_trace *port)
{
	const struct chain *c = ctx;

	for (uint64_t i = 0; i < c->lines; i++)
		access_note(port, ACCESS_FLUSH, 0, SITE_FLUSH,
			    c->base + i * c->spacing);
	access_branch_run(port, SITE_FLUSHED, c->lines);
	for (uint64_t i = 0; i < c->lines; i++)
		access_note(port, ACCESS_LOAD, 3, SITE_LOAD,
			    c->base + i * c->spacing);
	access_branch_run(port, SITE_LOADED, c->lines);
}

static const struct code_term terms[] = {
	{ ASSAY_Q_instructions, "flushes", FLUSH_FLUSH, "lines * iterations",
	  "flush, advance, count down, branch" },
	{ ASSAY_Q_instructions, "loads", FLUSH_LOAD, "lines * iterations",
	  "load, compare, branch" },
	{ ASSAY_Q_instructions, "iterations", FLUSH_ITERATION, "iterations",
	  "set up both loops, wait for the flushes, branch" },
	{ ASSAY_Q_instructions, "return", FLUSH_ONCE, "1",
	  "the loop is a function that returns once" },
	{ ASSAY_Q_loads, "loads", CODE_ONE, "lines * iterations",
	  "each line is loaded once per iteration" },
	CODE_NONE(ASSAY_Q_stores, "nothing is written"),
	{ ASSAY_Q_l1d_reads, "loads", CODE_ONE, "lines * iterations",
	  "each load looks up L1D once" },
	CODE_BRANCH("loops", "2 * lines * iterations",
		    "each flush and each load ends with a branch",
		    "2 * (lines - 1) * iterations",
		    "taken until the last line"),
	CODE_LOOP("iterations", "iterations", "iteration"),
	CODE_RETURN,
};

static const struct code code = CODE(terms, options);

static void trace(const struct assay_shape *shape, struct arena *arena,
		  enum isa isa, struct access_trace *port)
{
	struct chain c = { arena->base, count_of(shape, LINES),
			   count_of(shape, SPACING) };
	struct code_cost cost = code_cost(&code, shape, NULL, "iterations",
					  isa);

	access_passes(port, count_of(shape, ITERATIONS), SITE_ITERATION,
		      cost.pass, flush_and_load, &c);
	access_end(port, SITE_RETURN, cost.once);
}

/* A flushed line is in no cache, whatever the caches are. */
static void expect_refills(double n, const struct geometry *g,
			   struct assay_expectation *out)
{
	static const enum assay_quantity all[] = {
		ASSAY_Q_l1d_read_misses, ASSAY_Q_l1d_refills,
		ASSAY_Q_served_dram,
	};
	static const enum assay_quantity none[] = {
		ASSAY_Q_served_l1, ASSAY_Q_served_l2, ASSAY_Q_served_l3,
	};
	static const char condition[] =
		"nothing prefetches across the spacing";

	for (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		expect_exact(out, all[i], "demand", "lines * iterations", n,
			     "each line was flushed before it is loaded")
			->condition = condition;
	for (unsigned i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		if (i == 0 || (i == 1 ? g->l2 : g->l3).present)
			expect_exact(out, none[i], "none", "0", 0,
				     "a flushed line is in no cache")
				->condition = condition;
}

/*
 * L2 refills: the lines that L1D brings in, and lines of page tables. exits:
 * loop exits, each of which may walk on a wrong path. The row of page walks, if
 * there is one, is the last in `out`.
 */
static void expect_l2(double n, double exits, const struct geometry *g,
		      struct assay_expectation *out)
{
	double walks = g->predictor.kind == PREDICT_NONE ? 0 :
		       g->predictor.wrong_path_walks * exits;
	struct assay_expected *row;

	if (!g->l2.present || (g->l2.inclusion != INCLUDE_NON &&
			       g->l2.inclusion != INCLUDE_ALL))
		return;
	if (g->dtlb.present) {
		row = &out->row[out->rows - 1];
		if (row->quantity != ASSAY_Q_page_walks)
			return;
		walks = row->high * g->walker.levels;
	}
	row = expect_exact(out, ASSAY_Q_l2_refills, "demand",
			   "lines * iterations", n,
			   "each line was flushed from all levels");
	expect_band(row, n, n + walks, walks ?
		    "lines of page tables come in, too" :
		    "nothing prefetches across the spacing");
}

static void expect(const struct assay_shape *shape, enum isa isa,
		   const struct geometry *geometry, bool warm,
		   struct assay_expectation *out)
{
	double n = (double)accesses(shape);
	struct cyclic pattern = {
		.footprint = { .lines = count_of(shape, LINES),
			       .step = count_of(shape, SPACING) / LINE_BYTES,
			       .paged = true, .ordered = true },
		.kind = CYCLIC_LOADS,
		/* an iteration accesses all lines twice, in the same order */
		.passes = 2 * count_of(shape, ITERATIONS),
		.loads = count_of(shape, LINES),
		.exits = 3 * count_of(shape, ITERATIONS),
	};

	expect_code(out, &code, shape, NULL, isa);
	if (!geometry)
		return;
	expect_refills(n, geometry, out);
	expect_cyclic_tlbs(&pattern, geometry, warm, out);
	expect_l2(n, (double)pattern.exits, geometry, out);
}

const struct kernel flush_kernel = {
	.name = "flush",
	.summary = "flushes a few lines, then loads each of them",
	.exercises = "L1D and L2 refills, exactly as many as asked for",
	.source = "a bare-metal test of the L1D refill event",
	KERNEL_SHOWS(ASSAY_Q_l1d_refills, ASSAY_Q_l2_refills),
	KERNEL_OPTIONS(options),
	.size_option = "lines",
	.size_default = "1..256",
	.resolve = resolve,
	KERNEL_ARENA,
	KERNEL_BODY,
};
