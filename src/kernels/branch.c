/* SPDX-License-Identifier: MIT */
/*
 * branch: counts the '1' in an array of '0' and '1'. One branch per character
 * decides whether to count; its direction follows the array's content: random
 * with any probability, constant, or every k-th.
 */
#include "kernels/access.h"
#include "kernels/counts.h"
#include "kernels/draw.h"
#include "kernels/expect-memory.h"
#include "kernels/kernel.h"
#include "kernels/shape.h"

enum { CHARS, PASSES, PATTERN, ONES, PERIOD, SEED };
enum { PATTERN_RANDOM, PATTERN_ONES, PATTERN_ZEROS, PATTERN_PERIOD };
enum { SITE_LOAD = 4, SITE_TEST = 6, SITE_CHAR = 9, SITE_PASS = 11,
       SITE_RETURN = 12 };

#define MILLION 1000000
#define SIGMAS 6
#define UNLEARNABLE 65536	/* characters; a predictor might learn fewer */
#define LEARNING 64	/* mispredictions while a predictor learns a branch */
/* the most draws that an unknown predictor is believed to remember */
#define REMEMBERED 65536

/* arch/<isa>/branch.S: counts the '1' of the array, passes (>= 1) times. */
uint64_t branch_count(const char *array, uint64_t chars, uint64_t passes);

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
		return shape_refuse(err, "'passes' must not make more "
				     "than 2^44 characters in all");
	return 0;
}

static uint64_t lines(const struct assay_shape *shape)
{
	return (count_of(shape, CHARS) + LINE_BYTES - 1) / LINE_BYTES;
}

static uint64_t arena_bytes(const struct assay_shape *shape)
{
	return lines(shape) * LINE_BYTES;
}

static uint64_t accesses(const struct assay_shape *shape)
{
	return count_of(shape, CHARS) * count_of(shape, PASSES);
}

/* The drawn or periodic characters of the array, from left to right. */
struct directions {
	int64_t kind;
	uint64_t threshold, period, seed, at;
};

static struct directions directions_of(const struct assay_shape *shape)
{
	return (struct directions){
		.kind = option_value(shape, PATTERN),
		.threshold = count_of(shape, ONES),
		.period = count_of(shape, PERIOD),
		.seed = count_of(shape, SEED),
	};
}

static bool next_is_one(struct directions *d)
{
	switch (d->kind) {
	case PATTERN_ONES:
		return true;
	case PATTERN_ZEROS:
		return false;
	case PATTERN_PERIOD:
		return d->at++ % d->period == d->period - 1;
	default:
		return draw_below(&d->seed, MILLION) < d->threshold;
	}
}

/* How many '1' the array has: the array itself is not needed. */
static uint64_t count_ones(const struct assay_shape *shape)
{
	struct directions d = directions_of(shape);
	uint64_t n = count_of(shape, CHARS), ones = 0;

	if (d.kind == PATTERN_ONES)
		return n;
	if (d.kind == PATTERN_ZEROS)
		return 0;
	if (d.kind == PATTERN_PERIOD)
		return n / d.period;
	for (uint64_t i = 0; i < n; i++)
		ones += next_is_one(&d);
	return ones;
}

static void prepare(const struct assay_shape *shape, struct arena *arena)
{
	struct directions d = directions_of(shape);
	uint64_t n = count_of(shape, CHARS);

	for (uint64_t i = 0; i < n; i++)
		arena->base[i] = next_is_one(&d) ? '1' : '0';
}

static void run(const struct assay_shape *shape, struct arena *arena)
{
	branch_count((const char *)arena->base, count_of(shape, CHARS),
		     count_of(shape, PASSES));
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

static const struct code_term terms[] = {
	{ ASSAY_Q_instructions, "chars", BRANCH_CHAR, "chars * passes",
	  "load and test, advance, compare, branch" },
	{ ASSAY_Q_instructions, "ones", BRANCH_ONE, "ones * passes",
	  "a '1' is counted by one more instruction" },
	{ ASSAY_Q_instructions, "passes", BRANCH_PASS, "passes",
	  "set the pointer, count down, branch" },
	{ ASSAY_Q_instructions, "once", BRANCH_ONCE, "1",
	  "find the end, clear the sum, return" },
	{ ASSAY_Q_loads, "chars", CODE_ONE, "chars * passes",
	  "each character is loaded once per pass" },
	CODE_NONE(ASSAY_Q_stores, "nothing is written"),
	{ ASSAY_Q_l1d_reads, "chars", CODE_ONE, "chars * passes",
	  "each load looks up L1D once" },
	CODE_BRANCH("tests", "chars * passes", "each character is tested",
		    "(chars - ones) * passes",
		    "taken for each '0': the branch skips the count"),
	CODE_BRANCH("loop", "chars * passes",
		    "each character ends with a branch", "(chars - 1) * passes",
		    "taken until the array ends"),
	CODE_LOOP("passes", "passes", "pass"),
	CODE_RETURN,
};

static const struct code code = CODE(terms, options);

/* In formulas `ones` is the number of '1', not the option, a probability. */
#define FACTORS(ones) (const struct code_factor[]){ \
	{ "ones", (double)(ones) }, { NULL, 0 } }

static void trace(const struct assay_shape *shape, struct arena *arena,
		  enum isa isa, struct access_trace *port)
{
	struct array a = { arena->base, count_of(shape, CHARS) };
	struct code_cost cost = code_cost(&code, shape,
					  FACTORS(count_ones(shape)),
					  "passes", isa);

	access_passes(port, count_of(shape, PASSES), SITE_PASS, cost.pass,
		      count_chars, &a);
	access_end(port, SITE_RETURN, cost.once);
}

/*
 * Draws of one pass whose directions a predictor may still hold in the next
 * pass: at most one per entry for a history.
 */
static double remembered(const struct geometry *g)
{
	if (!g)
		return REMEMBERED;
	return g->predictor.kind == PREDICT_TAGE ? g->predictor.entries : 0;
}

/*
 * Drawn directions: a predictor that always bets on the likelier direction is
 * wrong in min(p, 1 - p) of all tests, and no predictor is better; a predictor
 * that bets on the last direction is wrong in 2p(1 - p). The same draws come
 * again in every pass: up to `held` of them may be predicted from memory. ends:
 * mispredictions of other branches than the tests.
 */
static void expect_drawn(const struct assay_shape *shape, double ends,
			 double held, struct assay_expectation *out)
{
	double n = (double)accesses(shape);
	double length = (double)count_of(shape, CHARS);
	double p = (double)option_value(shape, ONES) / MILLION;
	double least = p < 0.5 ? p : 1 - p, most = 2 * p * (1 - p);
	double spread = SIGMAS * (double)count_of(shape, PASSES) *
			square_root(length * p * (1 - p));
	double low = least * n - spread - held;
	struct assay_expected *row = expect_row(out, ASSAY_Q_mispredicts);

	expect_term(row, "tests", "min(p, 1 - p) * chars * passes", least * n,
		    "a draw cannot be foreseen, only its odds");
	expect_band(row, low > 0 ? low : 0, most * n + spread + ends,
		    "6 standard deviations: no better than the odds, but for "
		    "draws remembered from the pass before; no worse than the "
		    "last direction");
}

/* Regular directions: each change costs at most two wrong predictions. */
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
	double n = (double)count_of(shape, CHARS);
	double times = (double)count_of(shape, PASSES);
	double zeros = n - ones, ends = 3 * times + LEARNING;
	double fewer = ones < zeros ? ones : zeros;

	if (option_value(shape, PATTERN) != PATTERN_RANDOM)
		expect_regular(fewer * times, ends, out);
	else if (count_of(shape, CHARS) >= UNLEARNABLE)
		expect_drawn(shape, ends, remembered(g) * (times - !warm),
			     out);
}

static void expect(const struct assay_shape *shape, enum isa isa,
		   const struct geometry *geometry, bool warm,
		   struct assay_expectation *out)
{
	double ones = (double)count_ones(shape);
	struct cyclic pattern = {
		.footprint = { .lines = lines(shape), .step = 1,
			       .paged = true, .ordered = true },
		.kind = CYCLIC_LOADS,
		.passes = count_of(shape, PASSES),
		.loads = count_of(shape, CHARS),
		.exits = 2 * count_of(shape, PASSES),
	};

	expect_code(out, &code, shape, FACTORS(ones), isa);
	if (!geometry || geometry->predictor.kind != PREDICT_NONE)
		expect_mispredicts(shape, ones, geometry, warm, out);
	/* a mispredicted test may walk on the wrong path, as a loop's exit */
	if (option_value(shape, PATTERN) != PATTERN_ONES)
		pattern.exits += accesses(shape);
	if (geometry)
		expect_cyclic(&pattern, geometry, warm, out);
}

const struct kernel branch_kernel = {
	.name = "branch",
	.summary = "counts the '1' in an array of '0' and '1'",
	.exercises = "the branch predictor",
	.source = "the Cortex-A72 branch misprediction series of "
		  "P. J. Drongowski, 2021",
	KERNEL_SHOWS(ASSAY_Q_branches, ASSAY_Q_mispredicts),
	KERNEL_OPTIONS(options),
	.size_option = "chars",
	.size_default = "4K..4M",
	.resolve = resolve,
	KERNEL_ARENA,
	KERNEL_BODY,
};
