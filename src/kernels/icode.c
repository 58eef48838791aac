/* SPDX-License-Identifier: MIT */
/*
 * icode: a chain of jumps through lines of code, one jump per line, and no data
 * accesses: L1I refills and code TLB misses.
 */
#include "kernels/access.h"
#include "kernels/arithmetic.h"
#include "kernels/counts.h"
#include "kernels/expect.h"
#include "kernels/kernel.h"
#include "kernels/shape.h"

enum { LINES, PASSES };
enum { SITE_ENTER = 4, SITE_LINE = 5, SITE_LAST = 7, SITE_AGAIN = 8,
       SITE_RETURN = 9 };

/* Where the trace shows the chain; the function is at ACCESS_CODE_BASE. */
#define CHAIN_BASE (ACCESS_CODE_BASE + 0x100000)

/*
 * arch/<isa>/icode.S: jumps through the last `lines` (1 .. ICODE_LINES) lines
 * of a chain of complete pages of code, passes (>= 1) times. Each line only
 * jumps to the next one; the last line counts the passes.
 */
void icode_run(uint64_t lines, uint64_t passes);
#ifdef ASSAY_IMAGE
void icode_lay(void);
#endif

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
	icode_run(count_of(shape, LINES), count_of(shape, PASSES));
}

static void run_through(const void *ctx, struct access_trace *port)
{
	uint64_t n = *(const uint64_t *)ctx;

	for (uint64_t i = ICODE_LINES - n; i < ICODE_LINES; i++)
		access_put(port, access_pack(ACCESS_FETCH, 0, SITE_LINE,
					     CHAIN_BASE + i * LINE_BYTES));
	access_branch(port, SITE_LINE, true, n - 1);
}

static const struct code_term terms[] = {
	{ ASSAY_Q_instructions, "lines", ICODE_LINE, "(lines - 1) * passes",
	  "each line but the last is one jump" },
	{ ASSAY_Q_instructions, "passes", ICODE_PASS, "passes",
	  "count down, branch" },
	{ ASSAY_Q_instructions, "again", ICODE_JUMP, "passes - 1",
	  "jump back, but for the last time" },
	{ ASSAY_Q_instructions, "once", ICODE_ONCE, "1",
	  "find the first line, jump there, return" },
	CODE_NONE(ASSAY_Q_loads, "nothing is read"),
	CODE_NONE(ASSAY_Q_stores, "nothing is written"),
	{ ASSAY_Q_l1i_fetches, "lines", CODE_ONE, "lines * passes",
	  "each line of code is entered once per pass" },
	{ ASSAY_Q_l1i_fetches, "function", CODE_ONE, "1",
	  "the line before the chain" },
	CODE_BRANCH("lines", "(lines - 1) * passes",
		    "each line but the last is a jump to the next",
		    "(lines - 1) * passes", "jumps are always taken"),
	CODE_BRANCH("passes", "2 * passes - 1",
		    "each pass ends with a test, and all but the last jump "
		    "back", "passes",
		    "either the jump back or the test is taken"),
	CODE_BRANCH("once", "2", "a jump in, and the return", "2",
		    "a jump in, and the return"),
};

static const struct code code = CODE(terms, options);

/*
 * A pass ends with a branch, which leaves the loop after the last pass, and a
 * jump back: two branches, so access_passes(), which ends a pass with one
 * branch, does not fit.
 */
static void trace(const struct assay_shape *shape, struct arena *arena,
		  enum isa isa, struct access_trace *port)
{
	static const unsigned jump[ISAS] = ICODE_JUMP;
	uint64_t n = count_of(shape, LINES), left = count_of(shape, PASSES);
	/* a single pass does not jump back */
	struct code_cost cost = code_cost(&code, shape, NULL, "passes", isa);

	(void)arena;
	access_put(port, access_pack(ACCESS_FETCH, 0, 0, ACCESS_CODE_BASE));
	access_branch(port, SITE_ENTER, true, 1);
	while (left) {
		bool last = --left == 0;

		run_through(&n, port);
		access_branch(port, SITE_LAST, last, 1);
		access_branch(port, SITE_AGAIN, true, !last);
		access_retire(port, cost.pass + (last ? 0 : jump[isa]));
		left -= access_pass(port, last ? 0 : left - 1);
	}
	access_end(port, SITE_RETURN, cost.once);
}

/* The hierarchy with L1I and ITLB where set arithmetic expects L1D and DTLB. */
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
 * The row of L1I refills or ITLB misses; units are lines or pages. The
 * function's own unit is entered once per run. If all sets are overfull, the
 * function's unit changes nothing for the other units, and was evicted when the
 * next run enters it. If its set has room, the unit stays. Else it may evict
 * the units of its set once (slack).
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

/* each: misses per pass of the chain alone. roomy: of a chain a page longer. */
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
	struct footprint f = { .lines = count_of(shape, LINES), .step = 1,
			       .paged = true, .ordered = true };
	struct footprint more = f;
	double n = (double)f.lines, times = (double)count_of(shape, PASSES);
	struct misses m, roomy;

	more.lines += page_lines(&g);
	cyclic_misses(&f, &g, &m);
	cyclic_misses(&more, &g, &roomy);
	if (m.caches && !m.once[LEVEL_L1D] && !m.each[LEVEL_L1D])
		expect_level(out, ASSAY_Q_l1i_refills, n, times, warm,
			     m.level[LEVEL_L1D], roomy.level[LEVEL_L1D],
			     g.l1d.sets, g.l1d.ways);
	/* the function and the chain are in different pages */
	if (m.tlbs && geometry->page_map.size <= PAGE_64K)
		expect_level(out, ASSAY_Q_itlb_misses,
			     (double)footprint_pages(&f, page_lines(&g)),
			     times, warm, m.dtlb, roomy.dtlb,
			     g.dtlb.entries / g.dtlb.ways, g.dtlb.ways);
}

static void expect(const struct assay_shape *shape, enum isa isa,
		   const struct geometry *geometry, bool warm,
		   struct assay_expectation *out)
{
	expect_code(out, &code, shape, NULL, isa);
	expect_condition(out, ASSAY_Q_l1i_fetches,
			 "one lookup per line entered");
	if (geometry)
		expect_caches(shape, geometry, warm, out);
}

const struct kernel icode_kernel = {
	.name = "icode",
	.summary = "jumps from line to line of code",
	.exercises = "L1I refills and the code TLB",
	.source = "instruction footprints",
	KERNEL_SHOWS(ASSAY_Q_l1i_refills, ASSAY_Q_itlb_misses),
	KERNEL_OPTIONS(options),
	.size_option = "lines",
	.size_default = "16..8192",
	.resolve = plain_resolve,
	.arena_bytes = plain_none,
	.accesses = plain_none,
	.prepare = prepare,
	KERNEL_BODY,
};
