/* SPDX-License-Identifier: MIT */
/*
 * store: fills every line of a buffer. Plain stores read each missing
 * line for ownership and write it back later; streaming stores do neither.
 */
#include "kernels/access.h"
#include "kernels/counts.h"
#include "kernels/expect-memory.h"
#include "kernels/kernel.h"
#include "kernels/shape.h"

enum { BYTES, PASSES, OP };
enum { OP_PLAIN, OP_STREAMING };
enum { SITE_STORE = 2, SITE_LINE = 12, SITE_PASS = 14, SITE_RETURN = 16 };

/*
 * Streaming stores gather in a buffer until their line is complete. In a buffer
 * of no more lines than this, a line could be written again while it waits.
 */
#define GATHERED_LINES 32

/* arch/<isa>/store.S: fill every line of the buffer, passes (>= 1) times. */
void store_plain(uint8_t *base, uint64_t bytes, uint64_t passes);
void store_streaming(uint8_t *base, uint64_t bytes, uint64_t passes);

static const unsigned stores_of_line[][ISAS] = {
	[OP_PLAIN] = STORE_PLAIN,
	[OP_STREAMING] = STORE_STREAMING,
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
		return shape_refuse(err, "'bytes' must be a multiple of 64");
	if (option_value(shape, PASSES) >
	    (INT64_C(1) << 50) / option_value(shape, BYTES))
		return shape_refuse(err, "'passes' must not make more "
				     "than 2^50 bytes in all");
	return 0;
}

static uint64_t arena_bytes(const struct assay_shape *shape)
{
	return count_of(shape, BYTES);
}

static uint64_t lines(const struct assay_shape *shape)
{
	return arena_bytes(shape) / LINE_BYTES;
}

static unsigned stores_per_line(const struct assay_shape *shape, enum isa isa)
{
	return stores_of_line[option_value(shape, OP)][isa];
}

/* In words of 8 bytes, however many bytes the ISA's stores write. */
static uint64_t accesses(const struct assay_shape *shape)
{
	return lines(shape) * count_of(shape, PASSES) * (LINE_BYTES / 8);
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
				count_of(shape, PASSES));
	else
		store_plain(arena->base, arena_bytes(shape),
			    count_of(shape, PASSES));
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

static const struct code_term terms[] = {
	{ ASSAY_Q_instructions, "stores", STORE_PLAIN,
	  "lines * passes, if op is plain", "the stores that fill the line" },
	{ ASSAY_Q_instructions, "stores", STORE_STREAMING,
	  "lines * passes, if op is streaming",
	  "the stores that fill the line" },
	{ ASSAY_Q_instructions, "lines", STORE_LINE, "lines * passes",
	  "advance, compare, branch" },
	{ ASSAY_Q_instructions, "passes", STORE_PASS, "passes",
	  "set the pointer, count down, branch" },
	{ ASSAY_Q_instructions, "once", STORE_ONCE, "1",
	  "find the end, wait for the stores, return" },
	CODE_NONE(ASSAY_Q_loads, "nothing is read"),
	{ ASSAY_Q_stores, "stores", STORE_PLAIN,
	  "lines * passes, if op is plain",
	  "each line is filled with as few stores as the ISA allows" },
	{ ASSAY_Q_stores, "stores", STORE_STREAMING,
	  "lines * passes, if op is streaming",
	  "each line is filled with as few streaming stores as the ISA "
	  "allows" },
	CODE_BRANCH("lines", "lines * passes", "each line ends with a branch",
		    "(lines - 1) * passes", "taken until the buffer ends"),
	CODE_LOOP("passes", "passes", "pass"),
	CODE_RETURN,
};

static const struct code code = CODE(terms, options);

#define FACTORS(shape) (const struct code_factor[]){ \
	{ "lines", (double)lines(shape) }, { NULL, 0 } }

static void trace(const struct assay_shape *shape, struct arena *arena,
		  enum isa isa, struct access_trace *port)
{
	struct buffer b = {
		.base = arena->base, .lines = lines(shape),
		.stores = stores_per_line(shape, isa),
		.kind = option_value(shape, OP) == OP_STREAMING ?
			ACCESS_STORE_NT : ACCESS_STORE,
	};
	struct code_cost cost = code_cost(&code, shape, FACTORS(shape),
					  "passes", isa);

	access_passes(port, count_of(shape, PASSES), SITE_PASS, cost.pass,
		      write_lines, &b);
	access_end(port, SITE_RETURN, cost.once);
}

static void expect_streaming(const struct assay_shape *shape,
			     const struct cyclic *pattern,
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
				   (double)pattern->footprint.lines *
				   (double)pattern->passes,
				   "each line is written past the caches");
		row->condition = condition;
	}
	expect_cyclic_tlbs(pattern, geometry, warm, out);
}

static void expect(const struct assay_shape *shape, enum isa isa,
		   const struct geometry *geometry, bool warm,
		   struct assay_expectation *out)
{
	struct cyclic pattern = {
		.footprint = { .lines = lines(shape), .step = 1,
			       .paged = true, .ordered = true },
		.kind = CYCLIC_STORES,
		.passes = count_of(shape, PASSES),
		.stores = lines(shape) * stores_per_line(shape, isa),
		.exits = count_of(shape, PASSES) + 1,
	};

	expect_code(out, &code, shape, FACTORS(shape), isa);
	if (!geometry)
		return;
	if (option_value(shape, OP) == OP_STREAMING) {
		expect_streaming(shape, &pattern, geometry, warm, out);
		return;
	}
	expect_exact(out, ASSAY_Q_l1d_writes, "stores",
		     "stores per line * lines * passes",
		     (double)pattern.stores * (double)pattern.passes,
		     "each store looks up L1D once");
	expect_cyclic(&pattern, geometry, warm, out);
}

const struct kernel store_kernel = {
	.name = "store",
	.summary = "writes whole lines, plain or streaming",
	.exercises = "reads for ownership, write-backs, streaming stores",
	.source = "the question on silent and non-silent L2 evictions of "
		  "Skylake, T. Downs",
	KERNEL_SHOWS(ASSAY_Q_rfos, ASSAY_Q_l1d_writebacks, ASSAY_Q_dram_writes),
	KERNEL_OPTIONS(options),
	.size_option = "bytes",
	.size_default = "16K..16M",
	.resolve = resolve,
	KERNEL_ARENA,
	KERNEL_BODY,
};
