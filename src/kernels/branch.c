/* SPDX-License-Identifier: MIT */
/*
 * branch: counts the '1' in an array of '0' and '1'. One branch asks for each
 * character whether to count it; its direction is the array's content: drawn
 * at random with any probability, all alike, or every k-th.
 */
#include "kernels/access.h"
#include "kernels/branch-counts.h"
#include "kernels/cyclic.h"
#include "kernels/draw.h"
#include "kernels/kernel.h"
#include "kernels/option.h"
#include "kernels/refuse.h"

enum { CHARS, PASSES, PATTERN, ONES, PERIOD, SEED };
enum { PATTERN_RANDOM, PATTERN_ONES, PATTERN_ZEROS, PATTERN_PERIOD };
enum { SITE_LOAD = 4, SITE_TEST = 6, SITE_CHAR = 9, SITE_PASS = 11,
       SITE_RETURN = 12 };

#define MILLION 1000000
#define SIGMAS 6
/*
 * Below this length a predictor might learn the array by heart; each branch
 * may cost this many mispredictions to learn.
 */
#define UNLEARNABLE 65536
#define LEARNING 64
/* the most draws that a predictor is believed to remember, if it is not known */
#define REMEMBERED 65536

/* arch/<isa>/branch.S */
uint64_t branch_count(const char *array, uint64_t chars, uint64_t passes);

static const struct {
	unsigned each, one, pass, once;
} costs[ISAS] = {
	[ISA_X86_64] = { BRANCH_X86_64_CHAR, BRANCH_X86_64_ONE,
			 BRANCH_X86_64_PASS, BRANCH_X86_64_ONCE },
	[ISA_AARCH64] = { BRANCH_AARCH64_CHAR, BRANCH_AARCH64_ONE,
			  BRANCH_AARCH64_PASS, BRANCH_AARCH64_ONCE },
};

static const char *const patterns[] = {
	"random", "ones", "zeros", "period", NULL
};

static const struct kernel_option options[] = {
	[CHARS] = {
		.name = "chars", .kind = ASSAY_OPTION_COUNT,
		.min = 1, .max = 1 << 30, .initial = 1 << 20,
		.unit = "characters", .help = "length of the array",
	},
	[PASSES] = {
		.name = "passes", .kind = ASSAY_OPTION_COUNT,
		.min = 1, .max = INT64_C(1) << 40, .initial = 1,
		.unit = "passes", .help = "how often it is counted",
	},
	[PATTERN] = {
		.name = "pattern", .kind = ASSAY_OPTION_CHOICE,
		.initial = PATTERN_RANDOM, .words = patterns,
		.help = "random: each is '1' with the probability 'ones'; all "
			"ones; all zeros; period: every 'period'-th is '1'",
	},
	[ONES] = {
		.name = "ones", .kind = ASSAY_OPTION_REAL,
		.min = 0, .max = MILLION, .initial = MILLION / 2,
		.help = "probability of a '1' if the pattern is random",
	},
	[PERIOD] = {
		.name = "period", .kind = ASSAY_OPTION_COUNT,
		.min = 1, .max = 1 << 30, .initial = 2,
		.unit = "characters", .help = "distance of the ones if the "
					      "pattern is period",
	},
	[SEED] = {
		.name = "seed", .kind = ASSAY_OPTION_COUNT,
		.min = 0, .max = INT64_MAX, .initial = 1,
		.help = "of the random pattern",
	},
};

static int resolve(struct assay_shape *shape, struct assay_error *err)
{
	if (option_value(shape, PASSES) >
	    (INT64_C(1) << 44) / option_value(shape, CHARS))
		return kernel_refuse(err, "'passes' must not make more "
				     "than 2^44 characters in all");
	return 0;
}

static uint64_t chars(const struct assay_shape *shape)
{
	return (uint64_t)option_value(shape, CHARS);
}

static uint64_t passes(const struct assay_shape *shape)
{
	return (uint64_t)option_value(shape, PASSES);
}

static uint64_t lines(const struct assay_shape *shape)
{
	return (chars(shape) + LINE_BYTES - 1) / LINE_BYTES;
}

static uint64_t arena_bytes(const struct assay_shape *shape)
{
	return lines(shape) * LINE_BYTES;
}

static uint64_t accesses(const struct assay_shape *shape)
{
	return chars(shape) * passes(shape);
}

/* The array from left to right. */
struct pattern {
	int64_t kind;
	uint64_t threshold, period, seed, at;
};

static struct pattern pattern_of(const struct assay_shape *shape)
{
	return (struct pattern){
		.kind = option_value(shape, PATTERN),
		.threshold = (uint64_t)option_value(shape, ONES),
		.period = (uint64_t)option_value(shape, PERIOD),
		.seed = (uint64_t)option_value(shape, SEED),
	};
}

static bool next_is_one(struct pattern *p)
{
	switch (p->kind) {
	case PATTERN_ONES:
		return true;
	case PATTERN_ZEROS:
		return false;
	case PATTERN_PERIOD:
		return p->at++ % p->period == p->period - 1;
	default:
		return draw_below(&p->seed, MILLION) < p->threshold;
	}
}

/* How many '1' the array has: the array itself is not needed. */
static uint64_t count_ones(const struct assay_shape *shape)
{
	struct pattern p = pattern_of(shape);
	uint64_t n = chars(shape), ones = 0;

	if (p.kind == PATTERN_ONES)
		return n;
	if (p.kind == PATTERN_ZEROS)
		return 0;
	if (p.kind == PATTERN_PERIOD)
		return n / p.period;
	for (uint64_t i = 0; i < n; i++)
		ones += next_is_one(&p);
	return ones;
}

static void prepare(const struct assay_shape *shape, struct arena *arena)
{
	struct pattern p = pattern_of(shape);
	uint64_t n = chars(shape);

	for (uint64_t i = 0; i < n; i++)
		arena->base[i] = next_is_one(&p) ? '1' : '0';
}

static void run(const struct assay_shape *shape, struct arena *arena)
{
	branch_count((const char *)arena->base, chars(shape), passes(shape));
}

struct array {
	const unsigned char *base;
	uint64_t chars;
};

static void count_chars(const void *ctx, struct access_trace *port)
{
	const struct array *a = ctx;

	for (uint64_t i = 0; i < a->chars; i++) {
		access_note(port, ACCESS_LOAD, 0, SITE_LOAD, a->base + i);
		access_branch(port, SITE_TEST, a->base[i] != '1', 1);
		access_branch(port, SITE_CHAR, i + 1 < a->chars, 1);
	}
}

static void trace(const struct assay_shape *shape, struct arena *arena,
		  enum isa isa, struct access_trace *port)
{
	struct array a = { arena->base, chars(shape) };

	access_passes(port, passes(shape), SITE_PASS,
		      costs[isa].each * a.chars +
		      costs[isa].one * count_ones(shape) + costs[isa].pass,
		      count_chars, &a);
	access_end(port, SITE_RETURN, costs[isa].once);
}

static void expect_branches(double n, double ones, double times,
			    struct assay_expectation *out)
{
	struct assay_expected *row = expect_row(out, ASSAY_Q_branches);

	expect_term(row, "tests", "chars * passes", n * times,
		    "each character is tested");
	expect_term(row, "loop", "chars * passes", n * times,
		    "each character ends with a branch");
	expect_term(row, "passes", "passes", times,
		    "each pass ends with a branch");
	expect_term(row, "return", "1", 1, "the return is a branch");
	row = expect_row(out, ASSAY_Q_branches_taken);
	expect_term(row, "tests", "zeros * passes", (n - ones) * times,
		    "the branch skips the count of what is not '1'");
	expect_term(row, "loop", "(chars - 1) * passes", (n - 1) * times,
		    "taken until the array ends");
	expect_term(row, "passes", "passes - 1", times - 1,
		    "taken until the last pass");
	expect_term(row, "return", "1", 1, "a return is always taken");
}

static void expect_code(double n, double ones, double times, enum isa isa,
			struct assay_expectation *out)
{
	struct assay_expected *row = expect_row(out, ASSAY_Q_instructions);

	expect_cost(row, "chars", costs[isa].each, "chars * passes", n * times,
		    "load and test, advance, compare, branch");
	expect_cost(row, "ones", costs[isa].one, "ones * passes", ones * times,
		    "a '1' is counted by one more instruction");
	expect_cost(row, "passes", costs[isa].pass, "passes", times,
		    "set the pointer, count down, branch");
	expect_cost(row, "once", costs[isa].once, "1", 1,
		    "find the end, clear the sum, return");
	expect_exact(out, ASSAY_Q_loads, "chars", "chars * passes", n * times,
		     "each character is loaded once per pass");
	expect_exact(out, ASSAY_Q_stores, "none", "0", 0,
		     "nothing is written");
	expect_exact(out, ASSAY_Q_l1d_reads, "chars", "chars * passes",
		     n * times, "each load looks up L1D once");
	expect_branches(n, ones, times, out);
}

/*
 * Draws of one pass that a predictor may still know in the next one: no more
 * than it has entries for histories.
 */
static double remembered(const struct geometry *g)
{
	if (!g)
		return REMEMBERED;
	return g->predictor.kind == PREDICT_TAGE ? g->predictor.entries : 0;
}

/*
 * The best a predictor can do with drawn directions is to bet on the likelier
 * one, wrong min(p, 1 - p) of the time; one that bets on the last direction is
 * wrong 2p(1 - p) of the time. The same draws come again in every pass.
 */
static void expect_drawn(const struct assay_shape *shape, double ends,
			 double known, struct assay_expectation *out)
{
	double n = (double)accesses(shape);
	double p = (double)option_value(shape, ONES) / MILLION;
	double least = p < 0.5 ? p : 1 - p, most = 2 * p * (1 - p);
	double spread = SIGMAS * (double)passes(shape) *
			square_root((double)chars(shape) * p * (1 - p));
	double low = least * n - spread - known;
	struct assay_expected *row = expect_row(out, ASSAY_Q_mispredicts);

	expect_term(row, "tests", "min(p, 1 - p) * chars * passes", least * n,
		    "a draw cannot be foreseen, only its odds");
	expect_band(row, low > 0 ? low : 0, most * n + spread + ends,
		    "6 standard deviations: no better than the odds, but for "
		    "draws remembered from the pass before; no worse than the "
		    "last direction");
}

/* A direction that changes rarely costs at most two bets per change. */
static void expect_regular(double changes, double ends,
			   struct assay_expectation *out)
{
	struct assay_expected *row = expect_row(out, ASSAY_Q_mispredicts);

	expect_term(row, "tests", "at most 2 * changes of direction", 0,
		    "a predictor that sees the pattern is never wrong");
	expect_band(row, 0, 2 * changes + ends,
		    "the predictor bets on what it saw before");
}

static void expect_mispredicts(const struct assay_shape *shape, double ones,
			       const struct geometry *g, bool warm,
			       struct assay_expectation *out)
{
	double n = (double)chars(shape), times = (double)passes(shape);
	double zeros = n - ones, ends = 3 * times + LEARNING;
	double fewer = ones < zeros ? ones : zeros;

	if (option_value(shape, PATTERN) != PATTERN_RANDOM)
		expect_regular(fewer * times, ends, out);
	else if (chars(shape) >= UNLEARNABLE)
		expect_drawn(shape, ends, remembered(g) * (times - !warm),
			     out);
}

static void expect(const struct assay_shape *shape, enum isa isa,
		   const struct geometry *geometry, bool warm,
		   struct assay_expectation *out)
{
	double ones = (double)count_ones(shape);
	struct cyclic walk = {
		.footprint = { .lines = lines(shape), .step = 1,
			       .paged = true, .ordered = true },
		.kind = CYCLIC_LOADS,
		.passes = passes(shape),
		.loads = chars(shape),
		.exits = 2 * passes(shape),
	};

	expect_code((double)chars(shape), ones, (double)passes(shape), isa,
		    out);
	if (!geometry || geometry->predictor.kind != PREDICT_NONE)
		expect_mispredicts(shape, ones, geometry, warm, out);
	/* each mispredicted test may be a loop's exit, as the walker sees it */
	if (option_value(shape, PATTERN) != PATTERN_ONES)
		walk.exits += accesses(shape);
	if (geometry)
		expect_cyclic(&walk, geometry, warm, out);
}

const struct kernel branch_kernel = {
	.name = "branch",
	.summary = "counts the '1' in an array of '0' and '1'",
	.exercises = "the branch predictor",
	.source = "the Cortex-A72 branch misprediction series of "
		  "P. J. Drongowski, 2021",
	.shows = { ASSAY_Q_branches, ASSAY_Q_mispredicts },
	.shown = 2,
	.option = options,
	.options = sizeof(options) / sizeof(options[0]),
	.size_option = "chars",
	.size_default = "4K..4M",
	.resolve = resolve,
	.arena_bytes = arena_bytes,
	.accesses = accesses,
	.prepare = prepare,
	.run = run,
	.trace = KERNEL_HOST(trace),
	.expect = KERNEL_HOST(expect),
};
