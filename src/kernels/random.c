/* SPDX-License-Identifier: MIT */
/*
 * random: loads from random lines of a power-of-two buffer. The address is a
 * xorshift32 sequence (generator) XOR a sum over the data loaded before
 * (dependence), so that a core can neither predict nor overlap the loads.
 * Generator and dependence can be switched off one by one, to see their
 * effects.
 */
#include "kernels/access.h"
#include "kernels/counts.h"
#include "kernels/expect-memory.h"
#include "kernels/kernel.h"
#include "kernels/shape.h"

enum { BYTES, ACCESSES, GENERATOR, DEPENDENCE, SEED };
enum { SITE_LOAD = 8, SITE_LOOP = 11, SITE_RETURN = 12 };

/* The buffer is filled as C++'s minstd_rand would byte by byte. */
#define MINSTD_PRIME 2147483647u
#define MINSTD_FACTOR 48271u

typedef void random_loop(const void *buffer, uint64_t accesses, uint32_t mask);

/* arch/<isa>/random.S: 8-byte loads at buffer + (address & mask). */
random_loop random_xorshift_dependent, random_xorshift_free,
	random_sequence_dependent, random_sequence_free;

static random_loop *const loops[2][2] = {	/* [generator][dependence] */
	{ random_sequence_free, random_sequence_dependent },
	{ random_xorshift_free, random_xorshift_dependent },
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
	return count_of(shape, BYTES);
}

static uint64_t accesses(const struct assay_shape *shape)
{
	return count_of(shape, ACCESSES);
}

/* x * factor modulo the prime 2^31 - 1, of which neither is a multiple. */
static uint32_t minstd_times(uint32_t x, uint32_t factor)
{
	const uint64_t product = (uint64_t)x * factor;
	const uint32_t sum = (uint32_t)(product & MINSTD_PRIME) +
			     (uint32_t)(product >> 31);

	return sum >= MINSTD_PRIME ? sum - MINSTD_PRIME : sum;
}

/*
 * Fills the first word of each line: no other word is loaded. Number i of the
 * minstd sequence belongs to byte i of the buffer, so byte k of the words takes
 * every LINE_BYTES-th number.
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
		arena->base, count_of(shape, ACCESSES),
		offset_mask(shape));
}

static uint32_t xorshift(uint32_t x)
{
	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	return x;
}

static void loads(const unsigned char *buffer, uint64_t accesses,
		  uint32_t mask, bool generator, bool dependence,
		  struct access_trace *port)
{
	uint32_t address = generator ? RANDOM_XORSHIFT_START :
				       (uint32_t)RANDOM_SEQUENCE_START;
	uint32_t sum = dependence ? RANDOM_SUM_START : 0;

	for (uint64_t i = 0; i < accesses; i++) {
		uint64_t loaded;

		if (i % ACCESS_BATCH == 0 && access_stopped(port))
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

static const struct code_term terms[] = {
	{ ASSAY_Q_instructions, "loop", RANDOM_BASE, "accesses",
	  "mask, load, count down, branch" },
	{ ASSAY_Q_instructions, "generator", RANDOM_XORSHIFT,
	  "accesses, if generator is on", "three shifts with exclusive or" },
	{ ASSAY_Q_instructions, "generator", RANDOM_SEQUENCE,
	  "accesses, if generator is off", "the next line's address" },
	{ ASSAY_Q_instructions, "dependence", RANDOM_DEPENDENCE,
	  "accesses, if dependence is on",
	  "mix the sum in, and add the loaded value to it" },
	{ ASSAY_Q_instructions, "once", RANDOM_ONCE, "1",
	  "the loop is a function that is entered and left once" },
	{ ASSAY_Q_loads, "loop", CODE_ONE, "accesses", "one load per round" },
	CODE_NONE(ASSAY_Q_stores, "nothing is written"),
	{ ASSAY_Q_l1d_reads, "loop", CODE_ONE, "accesses",
	  "each load lies in one line, and looks it up once" },
	CODE_LOOP("loop", "accesses", "round"),
	CODE_RETURN,
};

static const struct code code = CODE(terms, options);

static void trace(const struct assay_shape *shape, struct arena *arena,
		  enum isa isa, struct access_trace *port)
{
	struct code_cost cost = code_cost(&code, shape, NULL, NULL, isa);

	loads(arena->base, accesses(shape), offset_mask(shape),
	      option_value(shape, GENERATOR), option_value(shape, DEPENDENCE),
	      port);
	access_retire(port, cost.pass + cost.once);
	access_flush(port);
}

/*
 * Without generator and dependence: line after line, in passes. With the
 * dependence alone the addresses soon repeat in a cycle of unknown length, for
 * which there is no closed form.
 */
static void expect_memory(const struct assay_shape *shape,
			  const struct geometry *geometry, bool warm,
			  struct assay_expectation *out)
{
	uint64_t lines = arena_bytes(shape) / LINE_BYTES;
	struct cyclic pattern = {
		.footprint = { .lines = lines, .step = 1, .paged = true },
		.passes = accesses(shape) / lines,
		.loads = lines,
		.exits = 1,
	};

	if (option_value(shape, GENERATOR))
		expect_uniform(lines, accesses(shape), geometry, warm, out);
	else if (!option_value(shape, DEPENDENCE) &&
		 accesses(shape) % lines == 0)
		expect_cyclic(&pattern, geometry, warm, out);
}

static void expect(const struct assay_shape *shape, enum isa isa,
		   const struct geometry *geometry, bool warm,
		   struct assay_expectation *out)
{
	expect_code(out, &code, shape, NULL, isa);
	if (geometry)
		expect_memory(shape, geometry, warm, out);
}

const struct kernel random_kernel = {
	.name = "random",
	.summary = "loads at random lines of a buffer",
	.exercises = "hit ratios of every cache level without a pattern that "
		     "a prefetcher could learn",
	.source = "the Arm cache event program of B. Jacob",
	KERNEL_SHOWS(ASSAY_Q_l1d_refills, ASSAY_Q_served_dram,
		     ASSAY_Q_dtlb_misses),
	KERNEL_OPTIONS(options),
	.size_option = "bytes",
	.size_default = "4K..16M",
	.resolve = plain_resolve,
	KERNEL_ARENA,
	KERNEL_BODY,
};
