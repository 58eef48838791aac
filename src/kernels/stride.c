/* SPDX-License-Identifier: MIT */
/*
 * stride: one byte of every line of a buffer, from end to end, then the next
 * byte of each, and so on. The buffer was filled before, uncounted. Loads show
 * how clean lines leave a level, stores how dirty ones do; an update is a load
 * and a store of the same byte: dirty lines that no store has brought in.
 */
#include "kernels/access.h"
#include "kernels/cyclic.h"
#include "kernels/kernel.h"
#include "kernels/option.h"
#include "kernels/refuse.h"
#include "kernels/stride-counts.h"

enum { BYTES, OP, OFFSETS };
enum { OP_LOAD, OP_STORE, OP_UPDATE, OPS };
enum { SITE_ACCESS = 2, SITE_LINE = 5, SITE_PASS = 9, SITE_RETURN = 10 };

/* arch/<isa>/stride.S */
void stride_load(uint8_t *base, uint64_t bytes, uint64_t offsets);
void stride_store(uint8_t *base, uint64_t bytes, uint64_t offsets);
void stride_update(uint8_t *base, uint64_t bytes, uint64_t offsets);

static const struct {
	unsigned line[OPS];
	unsigned pass, once;
} costs[ISAS] = {
	[ISA_X86_64] = { { STRIDE_X86_64_LOAD, STRIDE_X86_64_STORE,
			   STRIDE_X86_64_UPDATE },
			 STRIDE_X86_64_PASS, STRIDE_X86_64_ONCE },
	[ISA_AARCH64] = { { STRIDE_AARCH64_LOAD, STRIDE_AARCH64_STORE,
			    STRIDE_AARCH64_UPDATE },
			  STRIDE_AARCH64_PASS, STRIDE_AARCH64_ONCE },
};

static const char *const ops[] = { "load", "store", "update", NULL };

static const struct kernel_option options[] = {
	[BYTES] = {
		.name = "bytes", .kind = ASSAY_OPTION_BYTES,
		.min = LINE_BYTES, .max = INT64_C(1) << 32, .initial = 1 << 20,
		.unit = "bytes", .help = "the buffer; a multiple of 64",
	},
	[OP] = {
		.name = "op", .kind = ASSAY_OPTION_CHOICE,
		.initial = OP_LOAD, .words = ops,
		.help = "load from each line, store to it, or load and then "
			"store the same byte",
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
		return kernel_refuse(err, "'bytes' must be a multiple of 64");
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

static uint64_t loads(const struct assay_shape *shape)
{
	return option_value(shape, OP) == OP_STORE ? 0 : lines(shape);
}

static uint64_t stores(const struct assay_shape *shape)
{
	return option_value(shape, OP) == OP_LOAD ? 0 : lines(shape);
}

static uint64_t accesses(const struct assay_shape *shape)
{
	return (loads(shape) + stores(shape)) * offsets(shape);
}

static void prepare(const struct assay_shape *shape, struct arena *arena)
{
	uint64_t *word = (uint64_t *)arena->base;

	for (uint64_t i = 0; i < arena_bytes(shape) / 8; i++)
		word[i] = UINT64_C(0x7878787878787878);
}

static void run(const struct assay_shape *shape, struct arena *arena)
{
	switch (option_value(shape, OP)) {
	case OP_LOAD:
		stride_load(arena->base, arena_bytes(shape), offsets(shape));
		break;
	case OP_STORE:
		stride_store(arena->base, arena_bytes(shape), offsets(shape));
		break;
	default:
		stride_update(arena->base, arena_bytes(shape),
			      offsets(shape));
		break;
	}
}

static void access_byte(struct access_trace *port, int64_t op, const void *p)
{
	if (op != OP_STORE)
		access_note(port, ACCESS_LOAD, 0, SITE_ACCESS, p);
	if (op != OP_LOAD)
		access_note(port, ACCESS_STORE, 0, SITE_ACCESS + op / OP_UPDATE,
			    p);
}

/*
 * Passes differ in the byte of the line that they access. Who does not see that
 * may leave out all but the last one, which ends differently.
 */
static uint64_t left_out(struct access_trace *port, uint64_t left)
{
	const bool alike = port->sink->granule >= LINE_BYTES;

	return access_pass(port, alike && left ? left - 1 : 0);
}

static void trace(const struct assay_shape *shape, struct arena *arena,
		  enum isa isa, struct access_trace *port)
{
	int64_t op = option_value(shape, OP);
	uint64_t n = lines(shape), passes = offsets(shape);

	for (uint64_t o = 0; o < passes; o++) {
		for (uint64_t i = 0; i < n; i++)
			access_byte(port, op,
				    arena->base + i * LINE_BYTES + o);
		access_branch_run(port, SITE_LINE, n);
		access_branch(port, SITE_PASS, o + 1 < passes, 1);
		access_retire(port, costs[isa].line[op] * n +
				    costs[isa].pass);
		o += left_out(port, passes - o - 1);
	}
	access_end(port, SITE_RETURN, costs[isa].once);
}

/* What one kind of access is done: on every line, or not at all. */
static void expect_accesses(uint64_t per_pass, double passes,
			    enum assay_quantity retired,
			    enum assay_quantity lookups, const char *formula,
			    struct assay_expectation *out)
{
	double n = (double)per_pass * passes;

	if (!n) {
		expect_exact(out, retired, "none", "0", 0,
			     "this op does not do that");
		return;
	}
	expect_exact(out, retired, "lines", formula, n,
		     "one byte of each line per pass");
	expect_exact(out, lookups, "lines", formula, n,
		     "each access looks up L1D once");
}

static void expect_branches(double n, double passes,
			    struct assay_expectation *out)
{
	struct assay_expected *row = expect_row(out, ASSAY_Q_branches);

	expect_term(row, "lines", "lines * offsets", n * passes,
		    "each line ends with a branch");
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

static void expect_code(const struct assay_shape *shape, enum isa isa,
			struct assay_expectation *out)
{
	double n = (double)lines(shape), passes = (double)offsets(shape);
	struct assay_expected *row = expect_row(out, ASSAY_Q_instructions);

	expect_cost(row, "lines", costs[isa].line[option_value(shape, OP)],
		    "lines * offsets", n * passes,
		    "access, advance, compare, branch");
	expect_cost(row, "passes", costs[isa].pass, "offsets", passes,
		    "set the pointer, move both ends, count down, branch");
	expect_cost(row, "once", costs[isa].once, "1", 1,
		    "find the end, and return");
	expect_accesses(loads(shape), passes, ASSAY_Q_loads, ASSAY_Q_l1d_reads,
			"lines * offsets, unless op is store", out);
	expect_accesses(stores(shape), passes, ASSAY_Q_stores,
			ASSAY_Q_l1d_writes,
			"lines * offsets, unless op is load", out);
	expect_branches(n, passes, out);
}

static void expect(const struct assay_shape *shape, enum isa isa,
		   const struct geometry *geometry, bool warm,
		   struct assay_expectation *out)
{
	static const enum cyclic_kind kinds[OPS] = {
		[OP_LOAD] = CYCLIC_LOADS,
		[OP_STORE] = CYCLIC_STORES,
		[OP_UPDATE] = CYCLIC_UPDATES,
	};
	struct cyclic walk = {
		.footprint = { .lines = lines(shape), .step = 1,
			       .paged = true, .ordered = true },
		.kind = kinds[option_value(shape, OP)],
		.passes = offsets(shape),
		.loads = loads(shape),
		.stores = stores(shape),
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
	.shows = { ASSAY_Q_l2_refills, ASSAY_Q_l2_evict_clean,
		   ASSAY_Q_l2_evict_dirty },
	.shown = 3,
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
