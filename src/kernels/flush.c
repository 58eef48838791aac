/* SPDX-License-Identifier: MIT */
/*
 * flush: cleans and invalidates each of a few lines, then loads them one after
 * the other, each address from the load before. Every load must come from
 * memory: no fewer refills than loads, and no more.
 */
#include "kernels/access.h"
#include "kernels/cyclic.h"
#include "kernels/flush-counts.h"
#include "kernels/kernel.h"
#include "kernels/list.h"
#include "kernels/option.h"
#include "kernels/refuse.h"

enum { LINES, ITERATIONS, SPACING };
enum { SITE_FLUSH = 2, SITE_FLUSHED = 5, SITE_LOAD = 8, SITE_WALK = 10,
       SITE_ITERATION = 12, SITE_RETURN = 13 };

/* arch/<isa>/flush.S */
void flush_walk(void *list, uint64_t lines, uint64_t iterations,
		uint64_t spacing);

static const struct {
	unsigned flush, walk, iteration, once;
} costs[ISAS] = {
	[ISA_X86_64] = { FLUSH_X86_64_FLUSH, FLUSH_X86_64_WALK,
			 FLUSH_X86_64_ITERATION, FLUSH_X86_64_ONCE },
	[ISA_AARCH64] = { FLUSH_AARCH64_FLUSH, FLUSH_AARCH64_WALK,
			  FLUSH_AARCH64_ITERATION, FLUSH_AARCH64_ONCE },
};

static const struct kernel_option options[] = {
	[LINES] = {
		.name = "lines", .kind = ASSAY_OPTION_COUNT,
		.min = 1, .max = 1 << 16, .initial = 3,
		.unit = "lines", .help = "lines that are flushed and loaded",
	},
	[ITERATIONS] = {
		.name = "iterations", .kind = ASSAY_OPTION_COUNT,
		.min = 1, .max = INT64_C(1) << 32, .initial = 20,
		.unit = "iterations", .help = "how often",
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
		return kernel_refuse(err, "'spacing' must be a multiple of 64");
	return 0;
}

static uint64_t lines(const struct assay_shape *shape)
{
	return (uint64_t)option_value(shape, LINES);
}

static uint64_t iterations(const struct assay_shape *shape)
{
	return (uint64_t)option_value(shape, ITERATIONS);
}

static uint64_t spacing(const struct assay_shape *shape)
{
	return (uint64_t)option_value(shape, SPACING);
}

static uint64_t arena_bytes(const struct assay_shape *shape)
{
	return (lines(shape) - 1) * spacing(shape) + LINE_BYTES;
}

static uint64_t accesses(const struct assay_shape *shape)
{
	return lines(shape) * iterations(shape);
}

static void prepare(const struct assay_shape *shape, struct arena *arena)
{
	struct list list = {
		.base = arena->base, .elements = lines(shape),
		.spacing = spacing(shape), .chains = 1,
	};

	list_link(&list);
}

static void run(const struct assay_shape *shape, struct arena *arena)
{
	flush_walk(arena->base, lines(shape), iterations(shape),
		   spacing(shape));
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
	access_branch_run(port, SITE_WALK, c->lines);
}

static void trace(const struct assay_shape *shape, struct arena *arena,
		  enum isa isa, struct access_trace *port)
{
	struct chain c = { arena->base, lines(shape), spacing(shape) };

	access_passes(port, iterations(shape), SITE_ITERATION,
		      (costs[isa].flush + costs[isa].walk) * c.lines +
		      costs[isa].iteration, flush_and_load, &c);
	access_end(port, SITE_RETURN, costs[isa].once);
}

static void expect_branches(double k, double n, struct assay_expectation *out)
{
	struct assay_expected *row = expect_row(out, ASSAY_Q_branches);

	expect_term(row, "loops", "2 * lines * iterations", 2 * k * n,
		    "each flush and each load ends with a branch");
	expect_term(row, "iterations", "iterations", n,
		    "each iteration ends with a branch");
	expect_term(row, "return", "1", 1, "the return is a branch");
	row = expect_row(out, ASSAY_Q_branches_taken);
	expect_term(row, "loops", "2 * (lines - 1) * iterations",
		    2 * (k - 1) * n, "taken until the last line");
	expect_term(row, "iterations", "iterations - 1", n - 1,
		    "taken until the last iteration");
	expect_term(row, "return", "1", 1, "a return is always taken");
}

static void expect_code(double k, double n, enum isa isa,
			struct assay_expectation *out)
{
	struct assay_expected *row = expect_row(out, ASSAY_Q_instructions);

	expect_cost(row, "flush", costs[isa].flush, "lines * iterations", k * n,
		    "flush, advance, count down, branch");
	expect_cost(row, "walk", costs[isa].walk, "lines * iterations", k * n,
		    "load, compare, branch");
	expect_cost(row, "iterations", costs[isa].iteration, "iterations", n,
		    "set up both loops, wait for the flushes, branch");
	expect_cost(row, "return", costs[isa].once, "1", 1,
		    "the loop is a function that returns once");
	expect_exact(out, ASSAY_Q_loads, "walk", "lines * iterations", k * n,
		     "each line is loaded once per iteration");
	expect_exact(out, ASSAY_Q_stores, "none", "0", 0,
		     "nothing is written");
	expect_exact(out, ASSAY_Q_l1d_reads, "walk", "lines * iterations",
		     k * n, "each load looks up L1D once");
	expect_branches(k, n, out);
}

/* Whatever the caches are: a flushed line is in none of them. */
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

/* L2 brings in what L1D does, and what page walks read. */
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
	double k = (double)lines(shape), n = (double)iterations(shape);
	struct cyclic walk = {
		.footprint = { .lines = lines(shape),
			       .step = spacing(shape) / LINE_BYTES,
			       .paged = true, .ordered = true },
		.kind = CYCLIC_LOADS,
		/* each iteration visits all pages twice, in one order */
		.passes = 2 * iterations(shape),
		.loads = lines(shape),
		.exits = 3 * iterations(shape),
	};

	expect_code(k, n, isa, out);
	if (!geometry)
		return;
	expect_refills(k * n, geometry, out);
	expect_cyclic_tlbs(&walk, geometry, warm, out);
	expect_l2(k * n, (double)walk.exits, geometry, out);
}

const struct kernel flush_kernel = {
	.name = "flush",
	.summary = "flushes a few lines, then loads each of them",
	.exercises = "L1D and L2 refills, exactly as many as asked for",
	.source = "a bare-metal test of the L1D refill event",
	.shows = { ASSAY_Q_l1d_refills, ASSAY_Q_l2_refills },
	.shown = 2,
	.option = options,
	.options = sizeof(options) / sizeof(options[0]),
	.size_option = "lines",
	.size_default = "1..256",
	.resolve = resolve,
	.arena_bytes = arena_bytes,
	.accesses = accesses,
	.prepare = prepare,
	.run = run,
	.trace = KERNEL_HOST(trace),
	.expect = KERNEL_HOST(expect),
};
