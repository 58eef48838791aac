/* SPDX-License-Identifier: MIT */
/*
 * callret: calls nested to a depth, each from another place, and their returns.
 * A return stack with fewer entries than the depth loses the addresses of the
 * outermost calls.
 */
#include "kernels/access.h"
#include "kernels/counts.h"
#include "kernels/expect.h"
#include "kernels/kernel.h"
#include "kernels/shape.h"

enum { DEPTH, ROUNDS };
enum { SITE_CALL = 5, SITE_ROUND = 7, SITE_RETURN = 8, SITE_LEVEL = 9 };

/* The return address of level i in the trace: LEVELS_BASE + i * LEVEL_BYTES. */
#define LEVELS_BASE (ACCESS_CODE_BASE + 0x1000)
#define LEVEL_BYTES 16

/*
 * arch/<isa>/callret.S: a nest of `depth` (1 .. CALLRET_DEPTH) calls, rounds
 * (>= 1) times. Level i calls level i + 1; the last level only returns.
 */
void callret_run(uint64_t depth, uint64_t rounds);

static const struct kernel_option options[] = {
	[DEPTH] = {
		.name = "depth", .kind = ASSAY_OPTION_COUNT,
		.min = 1, .max = CALLRET_DEPTH, .initial = 16,
		.unit = "calls", .help = "how deep the calls are nested",
	},
	[ROUNDS] = {
		.name = "rounds", .kind = ASSAY_OPTION_COUNT,
		.min = 1, .max = INT64_C(1) << 36, .initial = 1000,
		.unit = "rounds", .help = "how often the nest is called",
	},
};

static void run(const struct assay_shape *shape, struct arena *arena)
{
	(void)arena;
	callret_run(count_of(shape, DEPTH), count_of(shape, ROUNDS));
}

/* A call of level `level`, or the return from there. */
static void transfer(struct access_trace *port, enum access_kind kind,
		     uint64_t level)
{
	access_put(port, access_pack(kind, 0, level ? SITE_LEVEL : SITE_CALL,
				     LEVELS_BASE + level * LEVEL_BYTES));
}

static void call_and_return(const void *ctx, struct access_trace *port)
{
	uint64_t levels = *(const uint64_t *)ctx;

	for (uint64_t i = 0; i < levels; i++)
		transfer(port, ACCESS_CALL, i);
	for (uint64_t i = levels; i-- > 0; )
		transfer(port, ACCESS_RETURN, i);
}

static const struct code_term terms[] = {
	{ ASSAY_Q_instructions, "levels", CALLRET_LEVEL,
	  "(depth - 1) * rounds",
	  "each level but the last calls the next, and returns" },
	{ ASSAY_Q_instructions, "last level", CALLRET_LEAF, "rounds",
	  "the last level only returns" },
	{ ASSAY_Q_instructions, "rounds", CALLRET_ROUND, "rounds",
	  "call the first level, count down, branch" },
	{ ASSAY_Q_instructions, "once", CALLRET_ONCE, "1",
	  "find the first level, and return" },
	CODE_BRANCH("calls", "depth * rounds", "a call is a branch",
		    "depth * rounds", "a call is always taken"),
	CODE_BRANCH("returns", "depth * rounds", "a return is a branch",
		    "depth * rounds", "a return is always taken"),
	CODE_LOOP("rounds", "rounds", "round"),
	CODE_RETURN,
};

static const struct code code = CODE(terms, options);

static void trace(const struct assay_shape *shape, struct arena *arena,
		  enum isa isa, struct access_trace *port)
{
	struct code_cost cost = code_cost(&code, shape, NULL, "rounds", isa);
	uint64_t levels = count_of(shape, DEPTH);

	(void)arena;
	access_passes(port, count_of(shape, ROUNDS), SITE_ROUND, cost.pass,
		      call_and_return, &levels);
	access_end(port, SITE_RETURN, cost.once);
}

/*
 * A return is predicted from the return stack. In a nest of calls deeper than
 * the stack, the addresses of the outermost returns were overwritten.
 */
static void expect_returns(double d, double n, const struct geometry *g,
			   struct assay_expectation *out)
{
	struct assay_expected *row = expect_row(out, ASSAY_Q_returns);
	double lost;

	expect_term(row, "nested", "depth * rounds", d * n,
		    "each call returns");
	expect_band(row, d * n, d * n + 1,
		    "the function's own return may be counted, too");
	if (!g || g->predictor.kind == PREDICT_NONE)
		return;
	lost = d - g->predictor.return_stack;
	expect_exact(out, ASSAY_Q_return_mispredicts, "overwritten",
		     "(depth - entries) * rounds, if positive",
		     lost > 0 ? lost * n : 0,
		     "the return stack keeps the innermost calls only");
}

static void expect(const struct assay_shape *shape, enum isa isa,
		   const struct geometry *geometry, bool warm,
		   struct assay_expectation *out)
{

	(void)warm;
	expect_code(out, &code, shape, NULL, isa);
	expect_returns((double)count_of(shape, DEPTH),
		       (double)count_of(shape, ROUNDS), geometry, out);
}

const struct kernel callret_kernel = {
	.name = "callret",
	.summary = "nests calls, and returns from them",
	.exercises = "the return stack",
	.source = "procedure call kernels for performance events",
	KERNEL_SHOWS(ASSAY_Q_returns, ASSAY_Q_return_mispredicts),
	KERNEL_OPTIONS(options),
	.size_option = "depth",
	.size_default = "1..256",
	.resolve = plain_resolve,
	.arena_bytes = plain_none,
	.accesses = plain_none,
	.prepare = plain_prepare,
	KERNEL_BODY,
};
