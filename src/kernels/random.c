/* SPDX-License-Identifier: MIT */
/*
 * random: independent-looking loads all over a power-of-two buffer. The
 * address is a xorshift32 sequence XOR a sum over what was loaded before, so
 * that a core can neither foresee nor overlap the loads; each of the two
 * tricks can be switched off to see what the core then does.
 */
#include "kernels/access.h"
#include "kernels/cyclic.h"
#include "kernels/kernel.h"
#include "kernels/option.h"
#include "kernels/plain.h"
#include "kernels/random-counts.h"
#include "kernels/uniform.h"

enum { BYTES, ACCESSES, GENERATOR, DEPENDENCE, SEED };
enum { SITE_LOAD = 8, SITE_LOOP = 11, SITE_RETURN = 12 };

/* The buffer is filled as C++'s minstd_rand would byte by byte. */
#define MINSTD_PRIME 2147483647u
#define MINSTD_FACTOR 48271u

typedef void random_loop(const void *buffer, uint64_t accesses, uint32_t mask);

/* arch/<isa>/random.S */
random_loop random_xorshift_dependent, random_xorshift_free,
	random_sequence_dependent, random_sequence_free;

static random_loop *const loops[2][2] = {	/* [generator][dependence] */
	{ random_sequence_free, random_sequence_dependent },
	{ random_xorshift_free, random_xorshift_dependent },
};

static const struct {
	unsigned base, xorshift, sequence, dependence, once;
} costs[ISAS] = {
	[ISA_X86_64] = {
		.base = RANDOM_X86_64_BASE,
		.xorshift = RANDOM_X86_64_XORSHIFT,
		.sequence = RANDOM_X86_64_SEQUENCE,
		.dependence = RANDOM_X86_64_DEPENDENCE,
		.once = RANDOM_X86_64_ONCE,
	},
	[ISA_AARCH64] = {
		.base = RANDOM_AARCH64_BASE,
		.xorshift = RANDOM_AARCH64_XORSHIFT,
		.sequence = RANDOM_AARCH64_SEQUENCE,
		.dependence = RANDOM_AARCH64_DEPENDENCE,
		.once = RANDOM_AARCH64_ONCE,
	},
};

static const struct kernel_option options[] = {
	[BYTES] = {
		.name = "bytes", .kind = ASSAY_OPTION_BYTES,
		.min = 4096, .max = 1 << 30, .initial = 1 << 20,
		.power_of_two = true, .unit = "bytes",
		.help = "the buffer that the addresses are spread over",
	},
	[ACCESSES] = {
		.name = "accesses", .kind = ASSAY_OPTION_COUNT,
		.min = 1, .max = INT64_C(1) << 40, .initial = 1 << 20,
		.unit = "loads", .help = "how many loads",
	},
	[GENERATOR] = {
		.name = "generator", .kind = ASSAY_OPTION_FLAG, .initial = 1,
		.help = "xorshift32 addresses; off: line after line",
	},
	[DEPENDENCE] = {
		.name = "dependence", .kind = ASSAY_OPTION_FLAG, .initial = 1,
		.help = "addresses depend on the data loaded before",
	},
	[SEED] = {
		.name = "seed", .kind = ASSAY_OPTION_COUNT,
		.min = 1, .max = MINSTD_PRIME - 1, .initial = 1,
		.help = "of the buffer's contents (minstd)",
	},
};

static uint64_t arena_bytes(const struct assay_shape *shape)
{
	return (uint64_t)option_value(shape, BYTES);
}

static uint64_t accesses(const struct assay_shape *shape)
{
	return (uint64_t)option_value(shape, ACCESSES);
}

/* x * factor modulo a prime 2^31 - 1; neither is a multiple of it. */
KERNELS_INLINE uint32_t minstd_times(uint32_t x, uint32_t factor)
{
	const uint64_t product = (uint64_t)x * factor;
	const uint32_t sum = (uint32_t)(product & MINSTD_PRIME) +
			     (uint32_t)(product >> 31);

	return sum >= MINSTD_PRIME ? sum - MINSTD_PRIME : sum;
}

/*
 * Only what can be loaded: the first word of each line. Byte k of all of them
 * is a sequence of its own, of every LINE_BYTES-th number.
 */
static void prepare(const struct assay_shape *shape, struct arena *arena)
{
	const uint64_t bytes = arena_bytes(shape);
	uint32_t x = (uint32_t)option_value(shape, SEED), leap = 1;
	uint32_t number[sizeof(uint64_t)];

	for (unsigned i = 0; i < LINE_BYTES; i++)
		leap = minstd_times(leap, MINSTD_FACTOR);
	for (unsigned i = 0; i < sizeof(number) / sizeof(*number); i++)
		number[i] = x = minstd_times(x, MINSTD_FACTOR);
	for (uint64_t at = 0; at < bytes; at += LINE_BYTES)
		for (unsigned i = 0; i < sizeof(uint64_t); i++) {
			arena->base[at + i] = (unsigned char)number[i];
			number[i] = minstd_times(number[i], leap);
		}
}

/* Offsets stay within the buffer and at the start of a line. */
static uint32_t offset_mask(const struct assay_shape *shape)
{
	return (uint32_t)(option_value(shape, BYTES) - 1) &
	       ~(uint32_t)(LINE_BYTES - 1);
}

static void run(const struct assay_shape *shape, struct arena *arena)
{
	loops[option_value(shape, GENERATOR)][option_value(shape, DEPENDENCE)](
		arena->base, (uint64_t)option_value(shape, ACCESSES),
		offset_mask(shape));
}

KERNELS_INLINE uint32_t xorshift(uint32_t x)
{
	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	return x;
}

KERNELS_INLINE void loads(const unsigned char *buffer, uint64_t accesses,
			  uint32_t mask, bool generator, bool dependence,
			  struct access_trace *port)
{
	uint32_t address = generator ? RANDOM_XORSHIFT_START :
				       (uint32_t)RANDOM_SEQUENCE_START;
	uint32_t sum = dependence ? RANDOM_SUM_START : 0;

	for (uint64_t i = 0; i < accesses; i++) {
		uint64_t loaded;

		if (port && i % ACCESS_BATCH == 0 && access_stopped(port))
			break;
		address = generator ? xorshift(address) : address + LINE_BYTES;
		loaded = access_load(port, SITE_LOAD, (const uint64_t *)
				     (buffer + ((address ^ sum) & mask)));
		if (dependence)
			sum += (uint32_t)loaded;
	}
	access_branch_run(port, SITE_LOOP, accesses);
	access_branch(port, SITE_RETURN, true, 1);
}

static double loop_instructions(const struct assay_shape *shape, enum isa isa)
{
	return costs[isa].base +
	       (option_value(shape, GENERATOR) ? costs[isa].xorshift :
						 costs[isa].sequence) +
	       (option_value(shape, DEPENDENCE) ? costs[isa].dependence : 0);
}

static void trace(const struct assay_shape *shape, struct arena *arena,
		  enum isa isa, struct access_trace *port)
{
	uint64_t n = accesses(shape);

	loads(arena->base, n, offset_mask(shape),
	      option_value(shape, GENERATOR), option_value(shape, DEPENDENCE),
	      port);
	access_retire(port, n * (uint64_t)loop_instructions(shape, isa) +
			    costs[isa].once);
	access_flush(port);
}

static void expect_instructions(const struct assay_shape *shape, enum isa isa,
				struct assay_expectation *out)
{
	double n = (double)option_value(shape, ACCESSES);
	struct assay_expected *row = expect_row(out, ASSAY_Q_instructions);

	expect_cost(row, "loop", costs[isa].base, "accesses", n,
		    "mask, load, count down, branch");
	if (option_value(shape, GENERATOR))
		expect_cost(row, "generator", costs[isa].xorshift,
			    "accesses", n,
			    "three shifts with exclusive or");
	else
		expect_cost(row, "generator", costs[isa].sequence,
			    "accesses", n,
			    "the next line's address");
	if (option_value(shape, DEPENDENCE))
		expect_cost(row, "dependence", costs[isa].dependence,
			    "accesses", n,
			    "mix the sum in, and add the loaded value to it");
	expect_cost(row, "once", costs[isa].once, "1", 1,
		    "the loop is a function that is entered and left once");
}

/*
 * Neither trick: line after line, a walk that repeats. The dependence alone
 * has so little state that its addresses soon repeat in a cycle that no closed
 * form knows.
 */
static void expect_memory(const struct assay_shape *shape,
			  const struct geometry *geometry, bool warm,
			  struct assay_expectation *out)
{
	uint64_t lines = arena_bytes(shape) / LINE_BYTES;
	struct cyclic walk = {
		.footprint = { .lines = lines, .step = 1, .paged = true },
		.passes = accesses(shape) / lines,
		.loads = lines,
		.exits = 1,
	};

	if (option_value(shape, GENERATOR))
		expect_uniform(lines, accesses(shape), geometry, warm, out);
	else if (!option_value(shape, DEPENDENCE) &&
		 accesses(shape) % lines == 0)
		expect_cyclic(&walk, geometry, warm, out);
}

static void expect(const struct assay_shape *shape, enum isa isa,
		   const struct geometry *geometry, bool warm,
		   struct assay_expectation *out)
{
	double n = (double)option_value(shape, ACCESSES);
	struct assay_expected *row;

	expect_instructions(shape, isa, out);
	expect_exact(out, ASSAY_Q_loads, "loop", "accesses", n,
		     "one load per round");
	expect_exact(out, ASSAY_Q_stores, "none", "0", 0, "nothing is written");
	expect_exact(out, ASSAY_Q_l1d_reads, "loop", "accesses", n,
		     "each load lies in one line, and looks it up once");
	row = expect_row(out, ASSAY_Q_branches);
	expect_term(row, "loop", "accesses", n,
		    "each round ends with a branch");
	expect_term(row, "return", "1", 1, "the return is a branch");
	row = expect_row(out, ASSAY_Q_branches_taken);
	expect_term(row, "loop", "accesses - 1", n - 1,
		    "taken until the last round");
	expect_term(row, "return", "1", 1, "a return is always taken");
	if (geometry)
		expect_memory(shape, geometry, warm, out);
}

const struct kernel random_kernel = {
	.name = "random",
	.summary = "loads at random lines of a buffer",
	.exercises = "hit ratios of every cache level without a pattern that "
		     "a prefetcher could learn",
	.source = "the Arm cache event program of B. Jacob",
	.shows = { ASSAY_Q_l1d_refills, ASSAY_Q_served_dram,
		   ASSAY_Q_dtlb_misses },
	.shown = 3,
	.option = options,
	.options = sizeof(options) / sizeof(options[0]),
	.size_option = "bytes",
	.size_default = "4K..16M",
	.resolve = plain_resolve,
	.arena_bytes = arena_bytes,
	.accesses = accesses,
	.prepare = prepare,
	.run = run,
	.trace = KERNEL_HOST(trace),
	.expect = KERNEL_HOST(expect),
};
