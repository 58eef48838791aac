/* SPDX-License-Identifier: MIT */
/*
 * store: writes every line of a buffer whole. Plain stores read each missing
 * line for ownership and write it back later; streaming stores do neither.
 */
#include "kernels/access.h"
#include "kernels/cyclic.h"
#include "kernels/kernel.h"
#include "kernels/option.h"
#include "kernels/refuse.h"
#include "kernels/store-counts.h"

enum { BYTES, PASSES, OP };
enum { OP_PLAIN, OP_STREAMING };
enum { SITE_STORE = 2, SITE_LINE = 12, SITE_PASS = 14, SITE_RETURN = 16 };

/*
 * A line whose stores are not all gathered yet waits in a buffer; with so few
 * lines it could still wait there when it is written again.
 */
#define GATHERED_LINES 32

/* arch/<isa>/store.S */
void store_plain(uint8_t *base, uint64_t bytes, uint64_t passes);
void store_streaming(uint8_t *base, uint64_t bytes, uint64_t passes);

static const struct {
	unsigned stores[2];	/* [op] per line */
	unsigned line, pass, once;
} costs[ISAS] = {
	[ISA_X86_64] = {
		{ STORE_X86_64_PLAIN_STORES, STORE_X86_64_STREAMING_STORES },
		STORE_X86_64_LINE, STORE_X86_64_PASS, STORE_X86_64_ONCE,
	},
	[ISA_AARCH64] = {
		{ STORE_AARCH64_PLAIN_STORES, STORE_AARCH64_STREAMING_STORES },
		STORE_AARCH64_LINE, STORE_AARCH64_PASS, STORE_AARCH64_ONCE,
	},
};

static const char *const ops[] = { "plain", "streaming", NULL };

static const struct kernel_option options[] = {
	[BYTES] = {
		.name = "bytes", .kind = ASSAY_OPTION_BYTES,
		.min = LINE_BYTES, .max = INT64_C(1) << 32, .initial = 1 << 20,
		.unit = "bytes", .help = "the buffer; a multiple of 64",
	},
	[PASSES] = {
		.name = "passes", .kind = ASSAY_OPTION_COUNT,
		.min = 1, .max = INT64_C(1) << 40, .initial = 4,
		.unit = "passes", .help = "how often it is written",
	},
	[OP] = {
		.name = "op", .kind = ASSAY_OPTION_CHOICE,
		.initial = OP_PLAIN, .words = ops,
		.help = "plain or streaming (non-temporal) stores",
	},
};

static int resolve(struct assay_shape *shape, struct assay_error *err)
{
	if (option_value(shape, BYTES) % LINE_BYTES)
		return kernel_refuse(err, "'bytes' must be a multiple of 64");
	if (option_value(shape, PASSES) >
	    (INT64_C(1) << 50) / option_value(shape, BYTES))
		return kernel_refuse(err, "'passes' must not make more "
				     "than 2^50 bytes in all");
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

static uint64_t passes(const struct assay_shape *shape)
{
	return (uint64_t)option_value(shape, PASSES);
}

static unsigned stores_per_line(const struct assay_shape *shape, enum isa isa)
{
	return costs[isa].stores[option_value(shape, OP)];
}

/* In words of 8 bytes, whatever the ISA writes at once. */
static uint64_t accesses(const struct assay_shape *shape)
{
	return lines(shape) * passes(shape) * (LINE_BYTES / 8);
}

static void prepare(const struct assay_shape *shape, struct arena *arena)
{
	uint64_t *word = (uint64_t *)arena->base;

	for (uint64_t i = 0; i < arena_bytes(shape) / 8; i++)
		word[i] = i;
}

static void run(const struct assay_shape *shape, struct arena *arena)
{
	if (option_value(shape, OP) == OP_STREAMING)
		store_streaming(arena->base, arena_bytes(shape),
				passes(shape));
	else
		store_plain(arena->base, arena_bytes(shape), passes(shape));
}

struct buffer {
	const unsigned char *base;
	uint64_t lines;
	unsigned stores;	/* per line */
	enum access_kind kind;
};

static void write_lines(const void *ctx, struct access_trace *port)
{
	const struct buffer *b = ctx;
	unsigned bytes = LINE_BYTES / b->stores;

	for (uint64_t i = 0; i < b->lines; i++)
		for (unsigned s = 0; s < b->stores; s++)
			access_note(port, b->kind, bytes == 16 ? 4 : 3,
				    SITE_STORE + s,
				    b->base + i * LINE_BYTES + s * bytes);
	access_branch_run(port, SITE_LINE, b->lines);
}

static void trace(const struct assay_shape *shape, struct arena *arena,
		  enum isa isa, struct access_trace *port)
{
	struct buffer b = {
		.base = arena->base, .lines = lines(shape),
		.stores = stores_per_line(shape, isa),
		.kind = option_value(shape, OP) == OP_STREAMING ?
			ACCESS_STORE_NT : ACCESS_STORE,
	};

	access_passes(port, passes(shape), SITE_PASS,
		      (b.stores + costs[isa].line) * b.lines + costs[isa].pass,
		      write_lines, &b);
	access_end(port, SITE_RETURN, costs[isa].once);
}

static void expect_code(const struct assay_shape *shape, enum isa isa,
			struct assay_expectation *out)
{
	double n = (double)lines(shape), times = (double)passes(shape);
	double stores = stores_per_line(shape, isa);
	struct assay_expected *row = expect_row(out, ASSAY_Q_instructions);

	expect_cost(row, "stores", stores, "lines * passes", n * times,
		    "the stores that fill the line");
	expect_cost(row, "lines", costs[isa].line, "lines * passes", n * times,
		    "advance, compare, branch");
	expect_cost(row, "passes", costs[isa].pass, "passes", times,
		    "set the pointer, count down, branch");
	expect_cost(row, "once", costs[isa].once, "1", 1,
		    "find the end, wait for the stores, return");
	expect_exact(out, ASSAY_Q_loads, "none", "0", 0, "nothing is read");
	expect_cost(expect_row(out, ASSAY_Q_stores), "stores", stores,
		    "lines * passes", n * times,
		     "each line is filled with as few stores as the ISA "
		     "allows for this kind");
	row = expect_row(out, ASSAY_Q_branches);
	expect_term(row, "lines", "lines * passes", n * times,
		    "each line ends with a branch");
	expect_term(row, "passes", "passes", times,
		    "each pass ends with a branch");
	expect_term(row, "return", "1", 1, "the return is a branch");
	row = expect_row(out, ASSAY_Q_branches_taken);
	expect_term(row, "lines", "(lines - 1) * passes", (n - 1) * times,
		    "taken until the buffer ends");
	expect_term(row, "passes", "passes - 1", times - 1,
		    "taken until the last pass");
	expect_term(row, "return", "1", 1, "a return is always taken");
}

static void expect_streaming(const struct assay_shape *shape,
			     const struct cyclic *walk,
			     const struct geometry *geometry, bool warm,
			     struct assay_expectation *out)
{
	static const char condition[] =
		"the core does treat streaming stores as such";
	struct assay_expected *row;

	row = expect_exact(out, ASSAY_Q_rfos, "none", "0", 0,
			   "a line that is written whole need not be read");
	row->condition = condition;
	if (lines(shape) > GATHERED_LINES) {
		row = expect_exact(out, ASSAY_Q_dram_writes, "lines",
				   "lines * passes",
				   (double)walk->footprint.lines *
				   (double)walk->passes,
				   "each line is written past the caches");
		row->condition = condition;
	}
	expect_cyclic_tlbs(walk, geometry, warm, out);
}

static void expect(const struct assay_shape *shape, enum isa isa,
		   const struct geometry *geometry, bool warm,
		   struct assay_expectation *out)
{
	struct cyclic walk = {
		.footprint = { .lines = lines(shape), .step = 1,
			       .paged = true, .ordered = true },
		.kind = CYCLIC_STORES,
		.passes = passes(shape),
		.stores = lines(shape) * stores_per_line(shape, isa),
		.exits = passes(shape) + 1,
	};

	expect_code(shape, isa, out);
	if (!geometry)
		return;
	if (option_value(shape, OP) == OP_STREAMING) {
		expect_streaming(shape, &walk, geometry, warm, out);
		return;
	}
	expect_exact(out, ASSAY_Q_l1d_writes, "stores",
		     "stores per line * lines * passes", (double)walk.stores *
		     (double)walk.passes, "each store looks up L1D once");
	expect_cyclic(&walk, geometry, warm, out);
}

const struct kernel store_kernel = {
	.name = "store",
	.summary = "writes whole lines, plain or streaming",
	.exercises = "reads for ownership, write-backs, streaming stores",
	.source = "the question on silent and non-silent L2 evictions of "
		  "Skylake, T. Downs",
	.shows = { ASSAY_Q_rfos, ASSAY_Q_l1d_writebacks, ASSAY_Q_dram_writes },
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
