/* SPDX-License-Identifier: MIT */
/*
 * stream: writes an array of 4-byte integers from end to end, then reads it and
 * sums it up. Each line is brought in twice, and leaves once dirty and once
 * clean, as soon as the array does not fit.
 */
#include "kernels/access.h"
#include "kernels/cyclic.h"
#include "kernels/kernel.h"
#include "kernels/option.h"
#include "kernels/refuse.h"
#include "kernels/stream-counts.h"

enum { INTS, PASSES };
enum { SITE_STORE = 2, SITE_WRITE = 5, SITE_LOAD = 7, SITE_READ = 10,
       SITE_PASS = 12, SITE_RETURN = 13 };

#define INT_BYTES 4
#define INTS_PER_LINE (LINE_BYTES / INT_BYTES)

/* arch/<isa>/stream.S */
void stream_run(int32_t *base, uint64_t ints, uint64_t passes);

static const struct {
	unsigned write, read, pass, once;
} costs[ISAS] = {
	[ISA_X86_64] = { STREAM_X86_64_WRITE, STREAM_X86_64_READ,
			 STREAM_X86_64_PASS, STREAM_X86_64_ONCE },
	[ISA_AARCH64] = { STREAM_AARCH64_WRITE, STREAM_AARCH64_READ,
			  STREAM_AARCH64_PASS, STREAM_AARCH64_ONCE },
};

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
		return kernel_refuse(err, "'passes' must not make more "
				     "than 2^48 stores in all");
	return 0;
}

static uint64_t ints(const struct assay_shape *shape)
{
	return (uint64_t)option_value(shape, INTS);
}

static uint64_t passes(const struct assay_shape *shape)
{
	return (uint64_t)option_value(shape, PASSES);
}

static uint64_t lines(const struct assay_shape *shape)
{
	return (ints(shape) + INTS_PER_LINE - 1) / INTS_PER_LINE;
}

static uint64_t arena_bytes(const struct assay_shape *shape)
{
	return lines(shape) * LINE_BYTES;
}

static uint64_t accesses(const struct assay_shape *shape)
{
	return 2 * ints(shape) * passes(shape);
}

static void prepare(const struct assay_shape *shape, struct arena *arena)
{
	uint64_t *word = (uint64_t *)arena->base;

	for (uint64_t i = 0; i < arena_bytes(shape) / 8; i++)
		word[i] = i;
}

static void run(const struct assay_shape *shape, struct arena *arena)
{
	stream_run((int32_t *)arena->base, ints(shape), passes(shape));
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

static void trace(const struct assay_shape *shape, struct arena *arena,
		  enum isa isa, struct access_trace *port)
{
	struct array a = { arena->base, ints(shape) };

	access_passes(port, passes(shape), SITE_PASS,
		      (costs[isa].write + costs[isa].read) * a.ints +
		      costs[isa].pass, write_and_read, &a);
	access_end(port, SITE_RETURN, costs[isa].once);
}

static void expect_branches(double n, double times,
			    struct assay_expectation *out)
{
	struct assay_expected *row = expect_row(out, ASSAY_Q_branches);

	expect_term(row, "loops", "2 * ints * passes", 2 * n * times,
		    "each store and each load ends with a branch");
	expect_term(row, "passes", "passes", times,
		    "each pass ends with a branch");
	expect_term(row, "return", "1", 1, "the return is a branch");
	row = expect_row(out, ASSAY_Q_branches_taken);
	expect_term(row, "loops", "2 * (ints - 1) * passes",
		    2 * (n - 1) * times, "taken until the array ends");
	expect_term(row, "passes", "passes - 1", times - 1,
		    "taken until the last pass");
	expect_term(row, "return", "1", 1, "a return is always taken");
}

static void expect_code(double n, double times, enum isa isa,
			struct assay_expectation *out)
{
	struct assay_expected *row = expect_row(out, ASSAY_Q_instructions);

	expect_cost(row, "write", costs[isa].write, "ints * passes", n * times,
		    "store, advance, compare, branch");
	expect_cost(row, "read", costs[isa].read, "ints * passes", n * times,
		    "load and sum, advance, compare, branch");
	expect_cost(row, "passes", costs[isa].pass, "passes", times,
		    "set the pointer twice, count down, branch");
	expect_cost(row, "once", costs[isa].once, "1", 1,
		    "find the end, and return");
	expect_exact(out, ASSAY_Q_loads, "read", "ints * passes", n * times,
		     "each integer is read once per pass");
	expect_exact(out, ASSAY_Q_stores, "write", "ints * passes", n * times,
		     "each integer is written once per pass");
	expect_exact(out, ASSAY_Q_l1d_reads, "read", "ints * passes",
		     n * times, "each load looks up L1D once");
	expect_exact(out, ASSAY_Q_l1d_writes, "write", "ints * passes",
		     n * times, "each store looks up L1D once");
	expect_branches(n, times, out);
}

static void expect(const struct assay_shape *shape, enum isa isa,
		   const struct geometry *geometry, bool warm,
		   struct assay_expectation *out)
{
	struct cyclic walk = {
		.footprint = { .lines = lines(shape), .step = 1,
			       .paged = true, .ordered = true },
		.kind = CYCLIC_STORES_THEN_LOADS,
		.passes = 2 * passes(shape),
		.loads = ints(shape), .stores = ints(shape),
		.exits = 3 * passes(shape),
	};

	expect_code((double)ints(shape), (double)passes(shape), isa, out);
	if (geometry)
		expect_cyclic(&walk, geometry, warm, out);
}

const struct kernel stream_kernel = {
	.name = "stream",
	.summary = "writes an array, then reads and sums it",
	.exercises = "refills by stores and by loads, write-backs",
	.source = "the perf stat cache miss article on the AMD K10, 2011",
	.shows = { ASSAY_Q_l1d_refills, ASSAY_Q_l1d_writebacks,
		   ASSAY_Q_served_dram },
	.shown = 3,
	.option = options,
	.options = sizeof(options) / sizeof(options[0]),
	.size_option = "ints",
	.size_default = "1K..4M",
	.resolve = resolve,
	.arena_bytes = arena_bytes,
	.accesses = accesses,
	.prepare = prepare,
	.run = run,
	.trace = KERNEL_HOST(trace),
	.expect = KERNEL_HOST(expect),
};
