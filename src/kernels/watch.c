/* SPDX-License-Identifier: MIT */
/*
 * watch: loads from, or stores to, one aligned 8-byte word, the first of the
 * arena. With a breakpoint event on that word the count is known, and needs no
 * hardware counter.
 */
#include "kernels/access.h"
#include "kernels/cyclic.h"
#include "kernels/kernel.h"
#include "kernels/option.h"
#include "kernels/plain.h"
#include "kernels/watch-counts.h"

enum { ACCESSES, OP };
enum { OP_LOAD, OP_STORE };
enum { SITE_ACCESS = 0, SITE_LOOP = 2, SITE_RETURN = 3 };

/* arch/<isa>/watch.S */
void watch_load(uint64_t *word, uint64_t accesses);
void watch_store(uint64_t *word, uint64_t accesses);

static const struct {
	unsigned access, once;
} costs[ISAS] = {
	[ISA_X86_64] = { WATCH_X86_64_ACCESS, WATCH_X86_64_ONCE },
	[ISA_AARCH64] = { WATCH_AARCH64_ACCESS, WATCH_AARCH64_ONCE },
};

static const char *const ops[] = { "load", "store", NULL };

static const struct kernel_option options[] = {
	[ACCESSES] = {
		.name = "accesses", .kind = ASSAY_OPTION_COUNT,
		.min = 1, .max = INT64_C(1) << 40, .initial = 1000,
		.unit = "accesses", .help = "how often the word is accessed",
	},
	[OP] = {
		.name = "op", .kind = ASSAY_OPTION_CHOICE,
		.initial = OP_STORE, .words = ops,
		.help = "load from the word, or store to it",
	},
};

static uint64_t arena_bytes(const struct assay_shape *shape)
{
	(void)shape;
	return LINE_BYTES;
}

static uint64_t accesses(const struct assay_shape *shape)
{
	return (uint64_t)option_value(shape, ACCESSES);
}

static void prepare(const struct assay_shape *shape, struct arena *arena)
{
	(void)shape;
	*(uint64_t *)arena->base = 0;
}

static void run(const struct assay_shape *shape, struct arena *arena)
{
	uint64_t *word = (uint64_t *)arena->base;

	if (option_value(shape, OP) == OP_STORE)
		watch_store(word, accesses(shape));
	else
		watch_load(word, accesses(shape));
}

struct watched {
	const void *word;
	enum access_kind kind;
};

static void access_word(const void *ctx, struct access_trace *port)
{
	const struct watched *w = ctx;

	access_note(port, w->kind, 3, SITE_ACCESS, w->word);
}

static void trace(const struct assay_shape *shape, struct arena *arena,
		  enum isa isa, struct access_trace *port)
{
	struct watched w = {
		arena->base, option_value(shape, OP) == OP_STORE ?
			     ACCESS_STORE : ACCESS_LOAD
	};

	access_passes(port, accesses(shape), SITE_LOOP, costs[isa].access,
		      access_word, &w);
	access_end(port, SITE_RETURN, costs[isa].once);
}

static void expect_code(const struct assay_shape *shape, enum isa isa,
			struct assay_expectation *out)
{
	double n = (double)option_value(shape, ACCESSES);
	bool store = option_value(shape, OP) == OP_STORE;
	struct assay_expected *row = expect_row(out, ASSAY_Q_instructions);

	expect_cost(row, "loop", costs[isa].access, "accesses", n,
		    "access, count down, branch");
	expect_cost(row, "return", costs[isa].once, "1", 1,
		    "the loop is a function that returns once");
	expect_exact(out, ASSAY_Q_loads, "loop", "accesses, if op is load",
		     store ? 0 : n, "one access per round");
	expect_exact(out, ASSAY_Q_stores, "loop", "accesses, if op is store",
		     store ? n : 0, "one access per round");
	expect_exact(out, store ? ASSAY_Q_l1d_writes : ASSAY_Q_l1d_reads,
		     "loop", "accesses", n, "one access per round");
	row = expect_row(out, ASSAY_Q_branches);
	expect_term(row, "loop", "accesses", n,
		    "each round ends with a branch");
	expect_term(row, "return", "1", 1, "the return is a branch");
	row = expect_row(out, ASSAY_Q_branches_taken);
	expect_term(row, "loop", "accesses - 1", n - 1,
		    "taken until the last round");
	expect_term(row, "return", "1", 1, "a return is always taken");
	row = expect_exact(out, ASSAY_Q_watch_hits, "loop", "accesses", n,
			   "every round accesses the watched word once");
	row->condition = "the breakpoint is on the arena's first word, for "
			 "loads and stores";
}

static void expect(const struct assay_shape *shape, enum isa isa,
		   const struct geometry *geometry, bool warm,
		   struct assay_expectation *out)
{
	bool store = option_value(shape, OP) == OP_STORE;
	struct cyclic walk = {
		.footprint = { .lines = 1, .step = 1, .paged = true, .ordered = true },
		.kind = store ? CYCLIC_STORES : CYCLIC_LOADS,
		.passes = accesses(shape),
		.loads = !store, .stores = store,
		.exits = 1,
	};

	expect_code(shape, isa, out);
	if (geometry)
		expect_cyclic(&walk, geometry, warm, out);
}

const struct kernel watch_kernel = {
	.name = "watch",
	.summary = "accesses one word again and again",
	.exercises = "breakpoint events: a positive control that needs no PMU",
	.source = "hardware watchpoints",
	.control = "mem:watched",
	.shows = { ASSAY_Q_watch_hits },
	.shown = 1,
	.option = options,
	.options = sizeof(options) / sizeof(options[0]),
	.size_option = "accesses",
	.size_default = "1..4096",
	.resolve = plain_resolve,
	.arena_bytes = arena_bytes,
	.accesses = accesses,
	.prepare = prepare,
	.run = run,
	.trace = KERNEL_HOST(trace),
	.expect = KERNEL_HOST(expect),
};
