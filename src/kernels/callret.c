/* SPDX-License-Identifier: MIT */
/*
 * callret: calls nested to a depth, each from another place, and their
 * returns. A return stack of fewer entries has lost the outermost ones.
 */
#include "kernels/access.h"
#include "kernels/callret-counts.h"
#include "kernels/expect.h"
#include "kernels/kernel.h"
#include "kernels/option.h"
#include "kernels/plain.h"

enum { DEPTH, ROUNDS };
enum { SITE_CALL = 5, SITE_ROUND = 7, SITE_RETURN = 8, SITE_LEVEL = 9 };

/* Where level i is called from, as the trace shows it. */
#define LEVELS_BASE (ACCESS_CODE_BASE + 0x1000)
#define LEVEL_BYTES 16

/* arch/<isa>/callret.S */
void callret_run(uint64_t depth, uint64_t rounds);

static const struct {
	unsigned level, leaf, round, once;
} costs[ISAS] = {
	[ISA_X86_64] = { CALLRET_X86_64_LEVEL, CALLRET_X86_64_LEAF,
			 CALLRET_X86_64_ROUND, CALLRET_X86_64_ONCE },
	[ISA_AARCH64] = { CALLRET_AARCH64_LEVEL, CALLRET_AARCH64_LEAF,
			  CALLRET_AARCH64_ROUND, CALLRET_AARCH64_ONCE },
};

static const struct kernel_option options[] = {
	[DEPTH] = {
		.name = "depth", .kind = ASSAY_OPTION_COUNT,
		.min = 1, .max = CALLRET_DEPTH, .initial = 16,
		.unit = "calls", .help = "how deep the calls are nested",
	},
	[ROUNDS] = {
		.name = "rounds", .kind = ASSAY_OPTION_COUNT,
		.min = 1, .max = INT64_C(1) << 36, .initial = 1000,
		.unit = "rounds", .help = "how often",
	},
};

static uint64_t depth(const struct assay_shape *shape)
{
	return (uint64_t)option_value(shape, DEPTH);
}

static uint64_t rounds(const struct assay_shape *shape)
{
	return (uint64_t)option_value(shape, ROUNDS);
}

static void run(const struct assay_shape *shape, struct arena *arena)
{
	(void)arena;
	callret_run(depth(shape), rounds(shape));
}

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

static uint64_t round_instructions(uint64_t levels, enum isa isa)
{
	return costs[isa].level * (levels - 1) + costs[isa].leaf +
	       costs[isa].round;
}

static void trace(const struct assay_shape *shape, struct arena *arena,
		  enum isa isa, struct access_trace *port)
{
	uint64_t levels = depth(shape);

	(void)arena;
	access_passes(port, rounds(shape), SITE_ROUND,
		      round_instructions(levels, isa), call_and_return,
		      &levels);
	access_end(port, SITE_RETURN, costs[isa].once);
}

static void expect_branches(double d, double n, struct assay_expectation *out)
{
	struct assay_expected *row = expect_row(out, ASSAY_Q_branches);

	expect_term(row, "calls", "depth * rounds", d * n,
		    "a call is a branch");
	expect_term(row, "returns", "depth * rounds", d * n,
		    "so is a return");
	expect_term(row, "rounds", "rounds", n,
		    "each round ends with a branch");
	expect_term(row, "return", "1", 1, "the function's own return");
	row = expect_row(out, ASSAY_Q_branches_taken);
	expect_term(row, "calls", "depth * rounds", d * n, "always taken");
	expect_term(row, "returns", "depth * rounds", d * n, "always taken");
	expect_term(row, "rounds", "rounds - 1", n - 1,
		    "taken until the last round");
	expect_term(row, "return", "1", 1, "a return is always taken");
}

/*
 * Returns find their address in the stack, but the outermost ones of a nest
 * that is deeper: theirs was overwritten.
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
	double d = (double)depth(shape), n = (double)rounds(shape);
	struct assay_expected *row = expect_row(out, ASSAY_Q_instructions);

	(void)warm;
	expect_cost(row, "levels", costs[isa].level, "(depth - 1) * rounds",
		    (d - 1) * n,
		    "each level but the last calls the next, and returns");
	expect_cost(row, "last level", costs[isa].leaf, "rounds", n,
		    "the last level only returns");
	expect_cost(row, "rounds", costs[isa].round, "rounds", n,
		    "call the first level, count down, branch");
	expect_cost(row, "once", costs[isa].once, "1", 1,
		    "find the first level, and return");
	expect_branches(d, n, out);
	expect_returns(d, n, geometry, out);
}

const struct kernel callret_kernel = {
	.name = "callret",
	.summary = "nests calls, and returns from them",
	.exercises = "the return stack",
	.source = "procedure call kernels for performance events",
	.shows = { ASSAY_Q_returns, ASSAY_Q_return_mispredicts },
	.shown = 2,
	.option = options,
	.options = sizeof(options) / sizeof(options[0]),
	.size_option = "depth",
	.size_default = "1..256",
	.resolve = plain_resolve,
	.arena_bytes = plain_none,
	.accesses = plain_none,
	.prepare = plain_prepare,
	.run = run,
	.trace = KERNEL_HOST(trace),
	.expect = KERNEL_HOST(expect),
};
