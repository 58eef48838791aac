/* SPDX-License-Identifier: MIT */
/*
 * icode: a chain of jumps through lines of code, one jump per line, so that a
 * footprint of code is all there is: L1I refills and code TLB misses.
 */
#include "kernels/access.h"
#include "kernels/arithmetic.h"
#include "kernels/expect.h"
#include "kernels/icode-counts.h"
#include "kernels/kernel.h"
#include "kernels/option.h"
#include "kernels/plain.h"

enum { LINES, PASSES };
enum { SITE_ENTER = 4, SITE_LINE = 5, SITE_LAST = 7, SITE_AGAIN = 8,
       SITE_RETURN = 9 };

/* Where the chain appears in the trace; the function before it. */
#define CHAIN_BASE (ACCESS_CODE_BASE + 0x100000)

/* arch/<isa>/icode.S */
void icode_run(uint64_t lines, uint64_t passes);
#ifdef ASSAY_IMAGE
void icode_lay(void);
#endif

static const struct {
	unsigned line, pass, jump, once;
} costs[ISAS] = {
	[ISA_X86_64] = { ICODE_X86_64_LINE, ICODE_X86_64_PASS,
			 ICODE_X86_64_JUMP, ICODE_X86_64_ONCE },
	[ISA_AARCH64] = { ICODE_AARCH64_LINE, ICODE_AARCH64_PASS,
			  ICODE_AARCH64_JUMP, ICODE_AARCH64_ONCE },
};

static const struct kernel_option options[] = {
	[LINES] = {
		.name = "lines", .kind = ASSAY_OPTION_COUNT,
		.min = 1, .max = ICODE_LINES, .initial = 256,
		.unit = "lines", .help = "lines of code, 64 bytes each",
	},
	[PASSES] = {
		.name = "passes", .kind = ASSAY_OPTION_COUNT,
		.min = 1, .max = INT64_C(1) << 34, .initial = 100,
		.unit = "passes", .help = "how often the chain is run through",
	},
};

static uint64_t lines(const struct assay_shape *shape)
{
	return (uint64_t)option_value(shape, LINES);
}

static uint64_t passes(const struct assay_shape *shape)
{
	return (uint64_t)option_value(shape, PASSES);
}

static void prepare(const struct assay_shape *shape, struct arena *arena)
{
	(void)shape, (void)arena;
#ifdef ASSAY_IMAGE
	icode_lay();
#endif
}

static void run(const struct assay_shape *shape, struct arena *arena)
{
	(void)arena;
	icode_run(lines(shape), passes(shape));
}

static void run_through(const void *ctx, struct access_trace *port)
{
	uint64_t n = *(const uint64_t *)ctx;

	for (uint64_t i = ICODE_LINES - n; i < ICODE_LINES; i++)
		access_put(port, access_pack(ACCESS_FETCH, 0, SITE_LINE,
					     CHAIN_BASE + i * LINE_BYTES));
	access_branch(port, SITE_LINE, true, n - 1);
}

/*
 * The pass is closed by a jump back, or by the branch before it out of the
 * loop: two branches where access_passes() knows one.
 */
static void trace(const struct assay_shape *shape, struct arena *arena,
		  enum isa isa, struct access_trace *port)
{
	uint64_t n = lines(shape), left = passes(shape), again;

	(void)arena;
	access_put(port, access_pack(ACCESS_FETCH, 0, 0, ACCESS_CODE_BASE));
	access_branch(port, SITE_ENTER, true, 1);
	while (left) {
		bool last = --left == 0;

		run_through(&n, port);
		access_branch(port, SITE_LAST, last, 1);
		access_branch(port, SITE_AGAIN, true, !last);
		again = last ? 0 : costs[isa].jump;
		access_retire(port, costs[isa].line * (n - 1) +
				    costs[isa].pass + again);
		left -= access_pass(port, last ? 0 : left - 1);
	}
	access_end(port, SITE_RETURN, costs[isa].once);
}

static void expect_branches(double n, double times,
			    struct assay_expectation *out)
{
	struct assay_expected *row = expect_row(out, ASSAY_Q_branches);

	expect_term(row, "lines", "(lines - 1) * passes", (n - 1) * times,
		    "each line but the last is a jump to the next");
	expect_term(row, "passes", "2 * passes - 1", 2 * times - 1,
		    "each pass ends with a test, and all but the last jump "
		    "back");
	expect_term(row, "once", "2", 2, "a jump in, and the return");
	row = expect_row(out, ASSAY_Q_branches_taken);
	expect_term(row, "lines", "(lines - 1) * passes", (n - 1) * times,
		    "jumps are always taken");
	expect_term(row, "passes", "passes", times,
		    "either the jump back or the test is taken");
	expect_term(row, "once", "2", 2, "a jump in, and the return");
}

static void expect_code(double n, double times, enum isa isa,
			struct assay_expectation *out)
{
	struct assay_expected *row = expect_row(out, ASSAY_Q_instructions);

	expect_cost(row, "lines", costs[isa].line, "(lines - 1) * passes",
		    (n - 1) * times,
		    "each line but the last is one jump");
	expect_cost(row, "passes", costs[isa].pass, "passes", times,
		    "count down, branch");
	expect_cost(row, "again", costs[isa].jump, "passes - 1", times - 1,
		    "jump back, but for the last time");
	expect_cost(row, "once", costs[isa].once, "1", 1,
		    "find the first line, jump there, return");
	expect_exact(out, ASSAY_Q_loads, "none", "0", 0, "nothing is read");
	expect_exact(out, ASSAY_Q_stores, "none", "0", 0,
		     "nothing is written");
	row = expect_row(out, ASSAY_Q_l1i_fetches);
	expect_term(row, "lines", "lines * passes", n * times,
		    "each line of code is entered once per pass");
	expect_term(row, "function", "1", 1, "the line before the chain");
	row->condition = "one lookup per line entered";
	expect_branches(n, times, out);
}

/* The data side's arithmetic, with the code side in its place. */
static struct geometry code_side(const struct geometry *g)
{
	struct geometry out = *g;

	out.l1d = g->l1i;
	out.dtlb = g->itlb;
	out.prefetchers = 0;
	if (out.walker.reads_through == WALK_L1D)
		out.walker.reads_through = WALK_L2;
	return out;
}

/*
 * The function's own line (or page) is entered once per run. In overfull sets
 * it changes nothing, and is gone when it comes again; with room to spare it
 * stays; else it may cost its set's lines once.
 */
static void expect_footprint(struct assay_expectation *out,
			     enum assay_quantity quantity, double units,
			     double times, bool warm, struct bounds each,
			     bool overfull, double slack)
{
	struct assay_expected *row = expect_row(out, quantity);
	double first = warm ? 0 : units, own = !warm || overfull;
	double others = times - !warm;

	if (first)
		expect_term(row, "first pass", "lines or pages", first,
			    "nothing is held at first");
	expect_term(row, "overfull sets", "lines or pages of overfull sets * "
		    "passes", others * each.likely, "a set with more lines "
		    "than ways has lost each line when it comes again");
	expect_term(row, "function", "1 if it was not held", own,
		    "the line before the chain");
	expect_band(row, first + others * (double)each.low + own,
		    first + others * (double)each.high + own + slack,
		    slack ? "the function's own line may push another out" :
		    each.low < each.high ? "this replacement policy or page "
		    "map gives bounds only" : NULL);
}

/* Misses of one level with and without a page more. */
static void expect_level(struct assay_expectation *out,
			 enum assay_quantity quantity, double units,
			 double times, bool warm, struct bounds each,
			 struct bounds roomy, uint64_t sets, uint64_t ways)
{
	bool overfull = each.low == each.high && each.low >= units &&
			(uint64_t)units / sets >= ways;

	expect_footprint(out, quantity, units, times, warm, each, overfull,
			 overfull || !roomy.high ? 0 : (double)ways + 1);
}

static void expect_caches(const struct assay_shape *shape,
			  const struct geometry *geometry, bool warm,
			  struct assay_expectation *out)
{
	struct geometry g = code_side(geometry);
	struct footprint f = { .lines = lines(shape), .step = 1,
			       .paged = true, .ordered = true };
	struct footprint more = { .lines = lines(shape) + page_lines(&g),
				  .step = 1, .paged = true, .ordered = true };
	double n = (double)f.lines, times = (double)passes(shape);
	struct misses m, roomy;

	cyclic_misses(&f, &g, &m);
	cyclic_misses(&more, &g, &roomy);
	if (m.caches && !m.once[LEVEL_L1D] && !m.each[LEVEL_L1D])
		expect_level(out, ASSAY_Q_l1i_refills, n, times, warm,
			     m.level[LEVEL_L1D], roomy.level[LEVEL_L1D],
			     g.l1d.sets, g.l1d.ways);
	/* the way in and the lines are in different ones */
	if (m.tlbs && geometry->page_map.size <= PAGE_64K)
		expect_level(out, ASSAY_Q_itlb_misses,
			     (double)footprint_pages(&f, page_lines(&g)),
			     times, warm, m.dtlb, roomy.dtlb, g.dtlb.entries / g.dtlb.ways,
			     g.dtlb.ways);
}

static void expect(const struct assay_shape *shape, enum isa isa,
		   const struct geometry *geometry, bool warm,
		   struct assay_expectation *out)
{
	expect_code((double)lines(shape), (double)passes(shape), isa, out);
	if (geometry)
		expect_caches(shape, geometry, warm, out);
}

const struct kernel icode_kernel = {
	.name = "icode",
	.summary = "jumps from line to line of code",
	.exercises = "L1I refills and the code TLB",
	.source = "instruction footprints",
	.shows = { ASSAY_Q_l1i_refills, ASSAY_Q_itlb_misses },
	.shown = 2,
	.option = options,
	.options = sizeof(options) / sizeof(options[0]),
	.size_option = "lines",
	.size_default = "16..8192",
	.resolve = plain_resolve,
	.arena_bytes = plain_none,
	.accesses = plain_none,
	.prepare = prepare,
	.run = run,
	.trace = KERNEL_HOST(trace),
	.expect = KERNEL_HOST(expect),
};
