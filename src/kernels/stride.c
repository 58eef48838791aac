/* SPDX-License-Identifier: MIT */
/*
 * stride: one byte of every line of a buffer, from end to end, then the next
 * byte of each, and so on. The buffer was filled before, uncounted. Loads show
 * how clean lines leave a level, stores how dirty ones do.
 */
#include "kernels/access.h"
#include "kernels/cyclic.h"
#include "kernels/kernel.h"
#include "kernels/option.h"
#include "kernels/refuse.h"
#include "kernels/stride-counts.h"

enum { BYTES, OP, OFFSETS };
enum { OP_LOAD, OP_STORE };
enum { SITE_ACCESS = 2, SITE_LINE = 5, SITE_PASS = 9, SITE_RETURN = 10 };

/* arch/<isa>/stride.S */
void stride_load(uint8_t *base, uint64_t bytes, uint64_t offsets);
void stride_store(uint8_t *base, uint64_t bytes, uint64_t offsets);

static const struct {
	unsigned line[2];	/* [op] */
	unsigned pass, once;
} costs[ISAS] = {
	[ISA_X86_64] = { { STRIDE_X86_64_LOAD, STRIDE_X86_64_STORE },
			 STRIDE_X86_64_PASS, STRIDE_X86_64_ONCE },
	[ISA_AARCH64] = { { STRIDE_AARCH64_LOAD, STRIDE_AARCH64_STORE },
			  STRIDE_AARCH64_PASS, STRIDE_AARCH64_ONCE },
};

static const char *const ops[] = { "load", "store", NULL };

static const struct kernel_option options[] = {
	[BYTES] = {
		.name = "bytes", .kind = ASSAY_OPTION_BYTES,
		.min = LINE_BYTES, .max = INT64_C(1) << 32, .initial = 1 << 20,
		.unit = "bytes", .help = "the buffer; a multiple of 64",
	},
	[OP] = {
		.name = "op", .kind = ASSAY_OPTION_CHOICE,
		.initial = OP_LOAD, .words = ops,
		.help = "load from each line, or store to it",
	},
	[OFFSETS] = {
		.name = "offsets", .kind = ASSAY_OPTION_COUNT,
		.min = 1, .max = LINE_BYTES, .initial = LINE_BYTES,
		.unit = "passes", .help = "bytes of each line that are "
					  "accessed, one per pass",
	},
};

static int resolve(struct assay_shape *shape, struct assay_error *err)
{
	if (option_value(shape, BYTES) % LINE_BYTES)
		return refuse(err, "'bytes' must be a multiple of 64");
	return 0;
}

static uint64_t arena_bytes(const struct assay_shape *shape)
{
	return (uint64_t)option_value(shape, BYTES);
}

static uint64_t lines(const struct assay_shape *shape)
{
	return arena_bytes(shape) / LINE_BYTES;
}

static uint64_t offsets(const struct assay_shape *shape)
{
	return (uint64_t)option_value(shape, OFFSETS);
}

static uint64_t accesses(const struct assay_shape *shape)
{
	return lines(shape) * offsets(shape);
}

static void prepare(const struct assay_shape *shape, struct arena *arena)
{
	uint64_t *word = (uint64_t *)arena->base;

	for (uint64_t i = 0; i < arena_bytes(shape) / 8; i++)
		word[i] = UINT64_C(0x7878787878787878);
}

static void run(const struct assay_shape *shape, struct arena *arena)
{
	if (option_value(shape, OP) == OP_STORE)
		stride_store(arena->base, arena_bytes(shape), offsets(shape));
	else
		stride_load(arena->base, arena_bytes(shape), offsets(shape));
}

/* No two passes are the same records, so none can be left out. */
static void trace(const struct assay_shape *shape, struct arena *arena,
		  enum isa isa, struct access_trace *port)
{
	int64_t op = option_value(shape, OP);
	uint64_t n = lines(shape), passes = offsets(shape);

	for (uint64_t o = 0; o < passes; o++) {
		for (uint64_t i = 0; i < n; i++)
			access_note(port, op == OP_STORE ? ACCESS_STORE :
							   ACCESS_LOAD, 0,
				    SITE_ACCESS,
				    arena->base + i * LINE_BYTES + o);
		access_branch_run(port, SITE_LINE, n);
		access_branch(port, SITE_PASS, o + 1 < passes, 1);
		access_retire(port, costs[isa].line[op] * n +
				    costs[isa].pass);
		access_pass(port, 0);
	}
	access_end(port, SITE_RETURN, costs[isa].once);
}

static void expect_code(const struct assay_shape *shape, enum isa isa,
			struct assay_expectation *out)
{
	double n = (double)lines(shape), passes = (double)offsets(shape);
	int64_t op = option_value(shape, OP);
	bool store = op == OP_STORE;
	struct assay_expected *row = expect_row(out, ASSAY_Q_instructions);

	expect_term(row, "lines", "line * lines * offsets",
		    costs[isa].line[op] * n * passes,
		    "access, advance, compare, branch");
	expect_term(row, "passes", "5 * offsets", costs[isa].pass * passes,
		    "set the pointer, move both ends, count down, branch");
	expect_term(row, "once", "2", costs[isa].once,
		    "find the end, and return");
	expect_exact(out, ASSAY_Q_loads, "lines",
		     "lines * offsets, if op is load", store ? 0 : n * passes,
		     "one byte of each line per pass");
	expect_exact(out, ASSAY_Q_stores, "lines",
		     "lines * offsets, if op is store", store ? n * passes : 0,
		     "one byte of each line per pass");
	expect_exact(out, store ? ASSAY_Q_l1d_writes : ASSAY_Q_l1d_reads,
		     "lines", "lines * offsets", n * passes,
		     "each access looks up L1D once");
	row = expect_row(out, ASSAY_Q_branches);
	expect_term(row, "lines", "lines * offsets", n * passes,
		    "each access ends with a branch");
	expect_term(row, "passes", "offsets", passes,
		    "each pass ends with a branch");
	expect_term(row, "return", "1", 1, "the return is a branch");
	row = expect_row(out, ASSAY_Q_branches_taken);
	expect_term(row, "lines", "(lines - 1) * offsets", (n - 1) * passes,
		    "taken until the buffer ends");
	expect_term(row, "passes", "offsets - 1", passes - 1,
		    "taken until the last pass");
	expect_term(row, "return", "1", 1, "a return is always taken");
}

static void expect(const struct assay_shape *shape, enum isa isa,
		   const struct geometry *geometry, bool warm,
		   struct assay_expectation *out)
{
	bool store = option_value(shape, OP) == OP_STORE;
	struct cyclic walk = {
		.footprint = { .lines = lines(shape), .step = 1,
			       .paged = true },
		.kind = store ? CYCLIC_STORES : CYCLIC_LOADS,
		.passes = offsets(shape),
		.loads = store ? 0 : lines(shape),
		.stores = store ? lines(shape) : 0,
		.exits = offsets(shape) + 1,
	};

	expect_code(shape, isa, out);
	if (geometry)
		expect_cyclic(&walk, geometry, warm, out);
}

const struct kernel stride_kernel = {
	.name = "stride",
	.summary = "accesses one byte of every line, pass after pass",
	.exercises = "lines in and out of L2, clean or dirty",
	.source = "the question on silent and non-silent L2 evictions of "
		  "Skylake, T. Downs",
	.option = options,
	.options = sizeof(options) / sizeof(options[0]),
	.size_option = "bytes",
	.size_default = "16K..16M",
	.resolve = resolve,
	.arena_bytes = arena_bytes,
	.accesses = accesses,
	.prepare = prepare,
	.run = run,
	.trace = KERNEL_HOST(trace),
	.expect = KERNEL_HOST(expect),
};
