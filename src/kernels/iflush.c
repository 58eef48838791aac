/* SPDX-License-Identifier: MIT */
/*
 * iflush: flushes a few lines of code, then jumps through them. Every line must
 * be brought into L1I again: there are exactly as many refills as lines. The
 * lines are flushed from all levels, so L2 must bring in as many.
 */
#include "kernels/access.h"
#include "kernels/arithmetic.h"
#include "kernels/counts.h"
#include "kernels/expect.h"
#include "kernels/kernel.h"
#include "kernels/shape.h"

enum { LINES, ITERATIONS };
enum { SITE_FLUSH = 6, SITE_FLUSHED = 9, SITE_ENTER = 12, SITE_LINE = 16,
       SITE_ITERATION = 17, SITE_RETURN = 18 };

/* Where the trace shows the chain: right behind the function's line. */
#define CHAIN_BASE (ACCESS_CODE_BASE + LINE_BYTES)
#define SPACING (UINT64_C(1) << IFLUSH_SHIFT)

/*
 * arch/<isa>/iflush.S: flushes the last `lines` (1 .. IFLUSH_LINES) lines of a
 * chain of code, from the instruction cache too, then jumps through them,
 * iterations (>= 1) times. Each line does nothing but jump to the next one. The
 * function's own line is in none of the sets of the chain's lines.
 */
void iflush_run(uint64_t lines, uint64_t iterations);
#ifdef ASSAY_IMAGE
void iflush_lay(void);
#endif

static const struct kernel_option options[] = {
	[LINES] = {
		.name = "lines", .kind = ASSAY_OPTION_COUNT,
		.min = 1, .max = IFLUSH_LINES, .initial = 3,
		.unit = "lines",
		.help = "lines of code that are flushed and run through; 256 "
			"bytes apart, beyond what prefetchers reach",
	},
	[ITERATIONS] = {
		.name = "iterations", .kind = ASSAY_OPTION_COUNT,
		.min = 1, .max = INT64_C(1) << 32, .initial = 20,
		.unit = "iterations",
		.help = "how often the lines are flushed and run through",
	},
};

static void prepare(const struct assay_shape *shape, struct arena *arena)
{
	(void)shape, (void)arena;
#ifdef ASSAY_IMAGE
	iflush_lay();
#endif
}

static void run(const struct assay_shape *shape, struct arena *arena)
{
	(void)arena;
	iflush_run(count_of(shape, LINES), count_of(shape, ITERATIONS));
}

/* The address of the first of the chain's last n lines, in the trace. */
static uint64_t first_line(uint64_t n)
{
	return CHAIN_BASE + (IFLUSH_LINES - n) * SPACING;
}

static void flush_and_jump(const void *ctx, struct access_trace *port)
{
	uint64_t n = *(const uint64_t *)ctx, first = first_line(n);

	access_put(port, access_pack(ACCESS_FETCH, 0, 0, ACCESS_CODE_BASE));
	for (uint64_t i = 0; i < n; i++)
		access_put(port, access_pack(ACCESS_FLUSH, 0, SITE_FLUSH,
					     first + i * SPACING));
	access_branch_run(port, SITE_FLUSHED, n);
	access_branch(port, SITE_ENTER, true, 1);
	for (uint64_t i = 0; i < n; i++)
		access_put(port, access_pack(ACCESS_FETCH, 0, SITE_LINE,
					     first + i * SPACING));
	access_branch(port, SITE_LINE, true, n - 1);
}

static const struct code_term terms[] = {
	{ ASSAY_Q_instructions, "flushes", IFLUSH_FLUSH, "lines * iterations",
	  "flush, advance, count down, branch" },
	{ ASSAY_Q_instructions, "lines", IFLUSH_LINE,
	  "(lines - 1) * iterations", "each line but the last is one jump" },
	{ ASSAY_Q_instructions, "iterations", IFLUSH_ITERATION, "iterations",
	  "set up the loop, wait for the flushes, jump there, count down, "
	  "branch" },
	{ ASSAY_Q_instructions, "once", IFLUSH_ONCE, "1",
	  "find the first line, and return" },
	CODE_NONE(ASSAY_Q_loads, "nothing is read"),
	CODE_NONE(ASSAY_Q_stores, "nothing is written"),
	{ ASSAY_Q_l1i_fetches, "lines", CODE_ONE, "lines * iterations",
	  "each line of code is entered once per iteration" },
	{ ASSAY_Q_l1i_fetches, "function", CODE_ONE, "iterations",
	  "the line that flushes is entered once per iteration" },
	CODE_BRANCH("flushes", "lines * iterations",
		    "each flush ends with a branch", "(lines - 1) * iterations",
		    "taken until the last line"),
	CODE_BRANCH("lines", "(lines - 1) * iterations",
		    "each line but the last is a jump to the next",
		    "(lines - 1) * iterations", "jumps are always taken"),
	CODE_BRANCH("iterations", "2 * iterations",
		    "a jump to the first line, and a branch at the end",
		    "2 * iterations - 1",
		    "the jump always, the branch until the last iteration"),
	CODE_RETURN,
};

static const struct code code = CODE(terms, options);

static void trace(const struct assay_shape *shape, struct arena *arena,
		  enum isa isa, struct access_trace *port)
{
	struct code_cost cost = code_cost(&code, shape, NULL, "iterations",
					  isa);
	uint64_t n = count_of(shape, LINES);

	(void)arena;
	access_passes(port, count_of(shape, ITERATIONS), SITE_ITERATION,
		      cost.pass, flush_and_jump, &n);
	access_end(port, SITE_RETURN, cost.once);
}

/* Pages that hold the function and the chain's last k lines. */
static double pages(uint64_t k)
{
	uint64_t first = first_line(k) >> 12;
	uint64_t last = first_line(1) >> 12;

	return (double)(last - first + (first > ACCESS_CODE_BASE >> 12) + 1);
}

/*
 * Does a TLB keep all `needed` pages? Then only the first iteration has page
 * walks. The function's page may be in the fullest set.
 */
static bool tlb_holds(const struct tlb_geometry *t, double needed)
{
	const uint32_t others = (uint32_t)needed - 1;
	const uint32_t sets = t->ways ? t->entries / t->ways : 0;

	return !t->present ||
	       (sets && (others + sets - 1) / sets < t->ways);
}

static bool pages_stay(const struct geometry *g, double needed)
{
	return g->page_map.kind != PAGE_MAP_RECORDED &&
	       g->page_map.size == PAGE_4K &&
	       tlb_holds(&g->itlb, needed) && tlb_holds(&g->dtlb, needed);
}

/* Are the function's line and the chain's lines in different sets? */
static bool different_sets(const struct cache_geometry *c)
{
	return !c->present || (c->slices == 1 &&
			       c->sets % (SPACING / LINE_BYTES) == 0);
}

/* Does this level evict lines from the levels above? */
static bool recalls(const struct cache_geometry *c)
{
	return c->present && c->inclusion == INCLUDE_ALL;
}

/*
 * How often the function's own line may be pushed out of L1I. Its sets hold no
 * other lines but those of page tables, which push the function's line out of
 * an inclusive level at most once, if page walks end with the first iteration.
 */
static double pushed_out(const struct geometry *g, double n, double needed,
			 bool warm)
{
	if (!different_sets(&g->l1i))
		return n;
	if (!recalls(&g->l2) && !recalls(&g->l3))
		return 0;
	if (!pages_stay(g, needed) || !different_sets(&g->l2) ||
	    !different_sets(&g->l3))
		return n;
	return !warm && n > 1;
}

static void expect_refills(double k, double n, double more, bool warm,
			   struct assay_expectation *out)
{
	struct assay_expected *row = expect_row(out, ASSAY_Q_l1i_refills);
	double high;

	expect_term(row, "lines", "lines * iterations", k * n,
		    "each line was flushed before it is run");
	if (!warm)
		expect_term(row, "function", "1", 1,
			    "the line that flushes, once");
	high = row->high + more;
	if (high > (k + 1) * n)
		high = (k + 1) * n;
	expect_band(row, row->low, high, more ?
		    "the line that flushes may be pushed out, too" :
		    "flushes reach L1I, and nothing fetches ahead");
}

/* L2 refills: the lines that L1I brings in, and lines of page tables. */
static void expect_l2(double k, double n, const struct geometry *g,
		      double needed, bool warm, struct assay_expectation *out)
{
	double more = pushed_out(g, n, needed, warm);
	struct assay_expected *row;

	if (!g->l2.present || !pages_stay(g, needed) ||
	    (g->l2.inclusion != INCLUDE_NON && !recalls(&g->l2)))
		return;
	row = expect_row(out, ASSAY_Q_l2_refills);
	expect_term(row, "lines", "lines * iterations", k * n,
		    "each line was flushed from all levels");
	if (!warm) {
		expect_term(row, "function", "1", 1,
			    "the line that flushes, once");
		if (g->dtlb.present || g->itlb.present)
			more += 2 * needed * g->walker.levels;
		more += g->predictor.kind != PREDICT_NONE &&
			g->predictor.wrong_path_walks;
	}
	expect_band(row, row->low, row->high + more, more ?
		    "lines of page tables come in, too" :
		    "flushes reach all levels, and nothing fetches ahead");
}

static void expect_pages(double needed, const struct geometry *g, bool warm,
			 struct assay_expectation *out)
{
	if (g->itlb.present && pages_stay(g, needed))
		expect_exact(out, ASSAY_Q_itlb_misses, "pages",
			     "pages of the chain, if none is held",
			     warm ? 0 : needed, "all pages of the chain fit");
}

static void expect(const struct assay_shape *shape, enum isa isa,
		   const struct geometry *g, bool warm,
		   struct assay_expectation *out)
{
	double k = (double)count_of(shape, LINES);
	double n = (double)count_of(shape, ITERATIONS);
	double needed = pages(count_of(shape, LINES));

	expect_code(out, &code, shape, NULL, isa);
	expect_condition(out, ASSAY_Q_l1i_fetches,
			 "one lookup per line entered");
	if (!g)
		return;
	if (g->l1i.present) {
		expect_refills(k, n, pushed_out(g, n, needed, warm), warm,
			       out);
		expect_l2(k, n, g, needed, warm, out);
	}
	expect_pages(needed, g, warm, out);
}

const struct kernel iflush_kernel = {
	.name = "iflush",
	.summary = "flushes a few lines of code, then runs through them",
	.exercises = "L1I and L2 refills, exactly as many as asked for",
	.source = "a bare-metal test of the L1D refill event, moved to code",
	KERNEL_SHOWS(ASSAY_Q_l1i_refills, ASSAY_Q_l2_refills),
	KERNEL_OPTIONS(options),
	.size_option = "lines",
	.size_default = "1..64",
	.resolve = plain_resolve,
	.arena_bytes = plain_none,
	.accesses = plain_none,
	.prepare = prepare,
	KERNEL_BODY,
};
