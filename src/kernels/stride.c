/* SPDX-License-Identifier: MIT */
/*
 * stride: one byte of every line of a buffer, from end to end, then the next
 * byte of each, and so on. The buffer was filled before, uncounted. Loads show
 * how clean lines leave a level, stores how dirty ones do; an update is a load
 * and a store of the same byte: dirty lines that no store has brought in.
 */
#include "kernels/access.h"
#include "kernels/counts.h"
#include "kernels/expect-memory.h"
#include "kernels/kernel.h"
#include "kernels/shape.h"

enum { BYTES, OP, OFFSETS };
enum { OP_LOAD, OP_STORE, OP_UPDATE, OPS };
enum { SITE_ACCESS = 2, SITE_LINE = 5, SITE_PASS = 9, SITE_RETURN = 10 };

/*
 * arch/<isa>/stride.S: access one byte of every line, from end to end; then the
 * next byte of each, offsets (>= 1) times in all.
 */
void stride_load(uint8_t *base, uint64_t bytes, uint64_t offsets);
void stride_store(uint8_t *base, uint64_t bytes, uint64_t offsets);
void stride_update(uint8_t *base, uint64_t bytes, uint64_t offsets);

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
		return shape_refuse(err, "'bytes' must be a multiple of 64");
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
	return (loads(shape) + stores(shape)) * count_of(shape, OFFSETS);
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
		stride_load(arena->base, arena_bytes(shape),
			    count_of(shape, OFFSETS));
		break;
	case OP_STORE:
		stride_store(arena->base, arena_bytes(shape),
			     count_of(shape, OFFSETS));
		break;
	default:
		stride_update(arena->base, arena_bytes(shape),
			      count_of(shape, OFFSETS));
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
 * Passes differ only in the byte of each line. A sink that looks at lines may
 * leave out all passes but the last one, which ends with another branch.
 */
static uint64_t left_out(struct access_trace *port, uint64_t left)
{
	const bool alike = port->sink->granule >= LINE_BYTES;

	return access_pass(port, alike && left ? left - 1 : 0);
}

static const struct code_term terms[] = {
	{ ASSAY_Q_instructions, "lines", STRIDE_LOAD,
	  "lines * offsets, if op is load",
	  "access, advance, compare, branch" },
	{ ASSAY_Q_instructions, "lines", STRIDE_STORE,
	  "lines * offsets, if op is store",
	  "access, advance, compare, branch" },
	{ ASSAY_Q_instructions, "lines", STRIDE_UPDATE,
	  "lines * offsets, if op is update",
	  "two accesses, advance, compare, branch" },
	{ ASSAY_Q_instructions, "passes", STRIDE_PASS, "offsets",
	  "set the pointer, move both ends, count down, branch" },
	{ ASSAY_Q_instructions, "once", STRIDE_ONCE, "1",
	  "find the end, and return" },
	{ ASSAY_Q_loads, "lines", CODE_ONE,
	  "lines * offsets, unless op is store",
	  "one byte of each line per pass" },
	{ ASSAY_Q_loads, "none", CODE_ONE, "0, if op is store",
	  "this op does not load" },
	{ ASSAY_Q_l1d_reads, "lines", CODE_ONE,
	  "lines * offsets, unless op is store",
	  "each access looks up L1D once" },
	{ ASSAY_Q_stores, "lines", CODE_ONE,
	  "lines * offsets, unless op is load",
	  "one byte of each line per pass" },
	{ ASSAY_Q_stores, "none", CODE_ONE, "0, if op is load",
	  "this op does not store" },
	{ ASSAY_Q_l1d_writes, "lines", CODE_ONE,
	  "lines * offsets, unless op is load",
	  "each access looks up L1D once" },
	CODE_BRANCH("lines", "lines * offsets", "each line ends with a branch",
		    "(lines - 1) * offsets", "taken until the buffer ends"),
	CODE_LOOP("passes", "offsets", "pass"),
	CODE_RETURN,
};

static const struct code code = CODE(terms, options);

#define FACTORS(shape) (const struct code_factor[]){ \
	{ "lines", (double)lines(shape) }, { NULL, 0 } }

static void trace(const struct assay_shape *shape, struct arena *arena,
		  enum isa isa, struct access_trace *port)
{
	int64_t op = option_value(shape, OP);
	uint64_t n = lines(shape), passes = count_of(shape, OFFSETS);
	struct code_cost cost = code_cost(&code, shape, FACTORS(shape),
					  "offsets", isa);

	for (uint64_t o = 0; o < passes; o++) {
		for (uint64_t i = 0; i < n; i++)
			access_byte(port, op,
				    arena->base + i * LINE_BYTES + o);
		access_branch_run(port, SITE_LINE, n);
		access_branch(port, SITE_PASS, o + 1 < passes, 1);
		access_retire(port, cost.pass);
		o += left_out(port, passes - o - 1);
	}
	access_end(port, SITE_RETURN, cost.once);
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
	struct cyclic pattern = {
		.footprint = { .lines = lines(shape), .step = 1,
			       .paged = true, .ordered = true },
		.kind = kinds[option_value(shape, OP)],
		.passes = count_of(shape, OFFSETS),
		.loads = loads(shape),
		.stores = stores(shape),
		.exits = count_of(shape, OFFSETS) + 1,
	};

	expect_code(out, &code, shape, FACTORS(shape), isa);
	if (geometry)
		expect_cyclic(&pattern, geometry, warm, out);
}

const struct kernel stride_kernel = {
	.name = "stride",
	.summary = "accesses one byte of every line, pass after pass",
	.exercises = "lines in and out of L2, clean or dirty",
	.source = "the question on silent and non-silent L2 evictions of "
		  "Skylake, T. Downs",
	KERNEL_SHOWS(ASSAY_Q_l2_refills, ASSAY_Q_l2_evict_clean,
		     ASSAY_Q_l2_evict_dirty),
	KERNEL_OPTIONS(options),
	.size_option = "bytes",
	.size_default = "16K..16M",
	.resolve = resolve,
	KERNEL_ARENA,
	KERNEL_BODY,
};
