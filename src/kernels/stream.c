/* SPDX-License-Identifier: MIT */
/*
 * stream: writes an array of 4-byte integers from end to end, then reads and
 * sums it. If the array does not fit into a cache, each line is brought in
 * twice per pass, and leaves once dirty and once clean.
 */
#include "kernels/access.h"
#include "kernels/counts.h"
#include "kernels/expect-memory.h"
#include "kernels/kernel.h"
#include "kernels/shape.h"

enum { INTS, PASSES };
enum { SITE_STORE = 2, SITE_WRITE = 5, SITE_LOAD = 7, SITE_READ = 10,
       SITE_PASS = 12, SITE_RETURN = 13 };

#define INT_BYTES 4
#define INTS_PER_LINE (LINE_BYTES / INT_BYTES)

/*
 * arch/<isa>/stream.S: writes the array from end to end, then reads and sums
 * it, passes (>= 1) times.
 */
void stream_run(int32_t *base, uint64_t ints, uint64_t passes);

static const struct kernel_option options[] = {
	[INTS] = {
		.name = "ints", .kind = ASSAY_OPTION_COUNT,
		.min = 1, .max = 1 << 30, .initial = 1 << 18,
		.unit = "integers", .help = "length of the array, 4 bytes each",
	},
	[PASSES] = {
		.name = "passes", .kind = ASSAY_OPTION_COUNT,
		.min = 1, .max = INT64_C(1) << 40, .initial = 1,
		.unit = "passes", .help = "how often it is written and read",
	},
};

static int resolve(struct assay_shape *shape, struct assay_error *err)
{
	if (option_value(shape, PASSES) >
	    (INT64_C(1) << 48) / option_value(shape, INTS))
		return shape_refuse(err, "'passes' must not make more "
				     "than 2^48 stores in all");
	return 0;
}

static uint64_t lines(const struct assay_shape *shape)
{
	return (count_of(shape, INTS) + INTS_PER_LINE - 1) / INTS_PER_LINE;
}

static uint64_t arena_bytes(const struct assay_shape *shape)
{
	return lines(shape) * LINE_BYTES;
}

static uint64_t accesses(const struct assay_shape *shape)
{
	return 2 * count_of(shape, INTS) * count_of(shape, PASSES);
}

static void prepare(const struct assay_shape *shape, struct arena *arena)
{
	uint64_t *word = (uint64_t *)arena->base;

	for (uint64_t i = 0; i < arena_bytes(shape) / 8; i++)
		word[i] = i;
}

static void run(const struct assay_shape *shape, struct arena *arena)
{
	stream_run((int32_t *)arena->base, count_of(shape, INTS),
		   count_of(shape, PASSES));
}

struct array {
	const unsigned char *base;
	uint64_t ints;
};

static void write_and_read(const void *ctx, struct access_trace *port)
{
	const struct array *a = ctx;

	for (uint64_t i = 0; i < a->ints; i++)
		access_note(port, ACCESS_STORE, 2, SITE_STORE,
			    a->base + i * INT_BYTES);
	access_branch_run(port, SITE_WRITE, a->ints);
	for (uint64_t i = 0; i < a->ints; i++)
		access_note(port, ACCESS_LOAD, 2, SITE_LOAD,
			    a->base + i * INT_BYTES);
	access_branch_run(port, SITE_READ, a->ints);
}

static const struct code_term terms[] = {
	{ ASSAY_Q_instructions, "write", STREAM_WRITE, "ints * passes",
	  "store, advance, compare, branch" },
	{ ASSAY_Q_instructions, "read", STREAM_READ, "ints * passes",
	  "load and sum, advance, compare, branch" },
	{ ASSAY_Q_instructions, "passes", STREAM_PASS, "passes",
	  "set the pointer twice, count down, branch" },
	{ ASSAY_Q_instructions, "once", STREAM_ONCE, "1",
	  "find the end, and return" },
	{ ASSAY_Q_loads, "read", CODE_ONE, "ints * passes",
	  "each integer is read once per pass" },
	{ ASSAY_Q_stores, "write", CODE_ONE, "ints * passes",
	  "each integer is written once per pass" },
	{ ASSAY_Q_l1d_reads, "read", CODE_ONE, "ints * passes",
	  "each load looks up L1D once" },
	{ ASSAY_Q_l1d_writes, "write", CODE_ONE, "ints * passes",
	  "each store looks up L1D once" },
	CODE_BRANCH("loops", "2 * ints * passes",
		    "each store and each load ends with a branch",
		    "2 * (ints - 1) * passes", "taken until the array ends"),
	CODE_LOOP("passes", "passes", "pass"),
	CODE_RETURN,
};

static const struct code code = CODE(terms, options);

static void trace(const struct assay_shape *shape, struct arena *arena,
		  enum isa isa, struct access_trace *port)
{
	struct array a = { arena->base, count_of(shape, INTS) };
	struct code_cost cost = code_cost(&code, shape, NULL, "passes", isa);

	access_passes(port, count_of(shape, PASSES), SITE_PASS, cost.pass,
		      write_and_read, &a);
	access_end(port, SITE_RETURN, cost.once);
}

static void expect(const struct assay_shape *shape, enum isa isa,
		   const struct geometry *geometry, bool warm,
		   struct assay_expectation *out)
{
	struct cyclic pattern = {
		.footprint = { .lines = lines(shape), .step = 1,
			       .paged = true, .ordered = true },
		.kind = CYCLIC_STORES_THEN_LOADS,
		.passes = 2 * count_of(shape, PASSES),
		.loads = count_of(shape, INTS), .stores = count_of(shape, INTS),
		.exits = 3 * count_of(shape, PASSES),
	};

	expect_code(out, &code, shape, NULL, isa);
	if (geometry)
		expect_cyclic(&pattern, geometry, warm, out);
}

const struct kernel stream_kernel = {
	.name = "stream",
	.summary = "writes an array, then reads and sums it",
	.exercises = "refills by stores and by loads, write-backs",
	.source = "the perf stat cache miss article on the AMD K10, 2011",
	KERNEL_SHOWS(ASSAY_Q_l1d_refills, ASSAY_Q_l1d_writebacks,
		     ASSAY_Q_served_dram),
	KERNEL_OPTIONS(options),
	.size_option = "ints",
	.size_default = "1K..4M",
	.resolve = resolve,
	KERNEL_ARENA,
	KERNEL_BODY,
};
