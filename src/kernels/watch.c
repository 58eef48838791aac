/* SPDX-License-Identifier: MIT */
/*
 * watch: loads from, or stores to, one aligned 8-byte word, the first of the
 * arena. A breakpoint event on that word counts the accesses without any
 * hardware counter.
 */
#include "kernels/access.h"
#include "kernels/counts.h"
#include "kernels/expect-memory.h"
#include "kernels/kernel.h"
#include "kernels/shape.h"

enum { ACCESSES, OP };
enum { OP_LOAD, OP_STORE };
enum { SITE_ACCESS = 0, SITE_LOOP = 2, SITE_RETURN = 3 };

/* arch/<isa>/watch.S: load from or store to the word, accesses (>= 1) times. */
void watch_load(uint64_t *word, uint64_t accesses);
void watch_store(uint64_t *word, uint64_t accesses);

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
	return count_of(shape, ACCESSES);
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

static const struct code_term terms[] = {
	{ ASSAY_Q_instructions, "loop", WATCH_ACCESS, "accesses",
	  "access, count down, branch" },
	{ ASSAY_Q_instructions, "return", WATCH_ONCE, "1",
	  "the loop is a function that returns once" },
	{ ASSAY_Q_loads, "loop", CODE_ONE, "accesses, if op is load",
	  "one access per round" },
	{ ASSAY_Q_loads, "none", CODE_ONE, "0, if op is store",
	  "nothing is read" },
	{ ASSAY_Q_stores, "loop", CODE_ONE, "accesses, if op is store",
	  "one access per round" },
	{ ASSAY_Q_stores, "none", CODE_ONE, "0, if op is load",
	  "nothing is written" },
	{ ASSAY_Q_l1d_reads, "loop", CODE_ONE, "accesses, if op is load",
	  "one access per round" },
	{ ASSAY_Q_l1d_writes, "loop", CODE_ONE, "accesses, if op is store",
	  "one access per round" },
	CODE_LOOP("loop", "accesses", "round"),
	CODE_RETURN,
	{ ASSAY_Q_watch_hits, "loop", CODE_ONE, "accesses",
	  "every round accesses the watched word once" },
};

static const struct code code = CODE(terms, options);

static void trace(const struct assay_shape *shape, struct arena *arena,
		  enum isa isa, struct access_trace *port)
{
	struct code_cost cost = code_cost(&code, shape, NULL, "accesses", isa);
	struct watched w = {
		arena->base, option_value(shape, OP) == OP_STORE ?
			     ACCESS_STORE : ACCESS_LOAD
	};

	access_passes(port, accesses(shape), SITE_LOOP, cost.pass, access_word,
		      &w);
	access_end(port, SITE_RETURN, cost.once);
}

static void expect(const struct assay_shape *shape, enum isa isa,
		   const struct geometry *geometry, bool warm,
		   struct assay_expectation *out)
{
	bool store = option_value(shape, OP) == OP_STORE;
	struct cyclic pattern = {
		.footprint = { .lines = 1, .step = 1, .paged = true,
			       .ordered = true },
		.kind = store ? CYCLIC_STORES : CYCLIC_LOADS,
		.passes = accesses(shape),
		.loads = !store, .stores = store,
		.exits = 1,
	};

	expect_code(out, &code, shape, NULL, isa);
	expect_condition(out, ASSAY_Q_watch_hits, "the breakpoint is on the "
			 "arena's first word, for loads and stores");
	if (geometry)
		expect_cyclic(&pattern, geometry, warm, out);
}

const struct kernel watch_kernel = {
	.name = "watch",
	.summary = "accesses one word again and again",
	.exercises = "breakpoint events: a positive control that needs no PMU",
	.source = "hardware watchpoints",
	.control = "mem:watched",
	KERNEL_SHOWS(ASSAY_Q_watch_hits),
	KERNEL_OPTIONS(options),
	.size_option = "accesses",
	.size_default = "1..4096",
	.resolve = plain_resolve,
	KERNEL_ARENA,
	KERNEL_BODY,
};
