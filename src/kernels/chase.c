/* SPDX-License-Identifier: MIT */
/*
 * chase: a linked list of 64-byte elements that ends in NULL, walked again and
 * again. Each load needs the one before it, so nothing overlaps and nothing is
 * reordered; in a random order nothing can be foreseen either.
 */
#include "kernels/access.h"
#include "kernels/chase-counts.h"
#include "kernels/cyclic.h"
#include "kernels/draw.h"
#include "kernels/expect.h"
#include "kernels/kernel.h"
#include "kernels/option.h"
#include "kernels/refuse.h"

enum { ELEMENTS, PASSES, ACCESSES, ORDER, SEED };
enum { LINEAR, PING_PONG, SHUFFLED, FISHER_YATES };
/* pseudo PCs: the instructions of arch/aarch64/chase.S in their order */
enum { SITE_LOAD = 1, SITE_WALK = 3, SITE_PASS = 5, SITE_RETURN = 6 };

#define ELEMENT_BYTES 64
#define USUAL_ACCESSES (INT64_C(1) << 20)
#define MOST_ACCESSES (INT64_C(1) << 50)

struct element {
	uint64_t next;		/* address; 0 ends the list */
	uint64_t order;		/* scratch of prepare() */
	uint64_t head;		/* element 0: address of the list's head */
	uint64_t unused[5];
};

/* arch/<isa>/chase.S */
void chase_walk(uint64_t head, uint64_t passes);

static const struct {
	struct cost element, pass, once;
} costs[ISAS] = {
	[ISA_X86_64] = {
		.element = { CHASE_X86_64_ELEMENT, 1, 0, 1 },
		.pass = { CHASE_X86_64_PASS, 0, 0, 1 },
		.once = { CHASE_X86_64_ONCE, 0, 0, 1 },
	},
	[ISA_AARCH64] = {
		.element = { CHASE_AARCH64_ELEMENT, 1, 0, 1 },
		.pass = { CHASE_AARCH64_PASS, 0, 0, 1 },
		.once = { CHASE_AARCH64_ONCE, 0, 0, 1 },
	},
};

static const char *const orders[] = {
	"linear", "ping-pong", "shuffled", "fisher-yates", NULL
};

static const struct kernel_option options[] = {
	[ELEMENTS] = {
		.name = "elements", .kind = ASSAY_OPTION_COUNT,
		.min = 1, .max = 1 << 26, .initial = 4096,
		.unit = "lines", .help = "length of the list, 64 bytes each",
	},
	[PASSES] = {
		.name = "passes", .kind = ASSAY_OPTION_COUNT,
		.min = 1, .max = MOST_ACCESSES, .initial = -1,
		.derived = "accesses / elements, or about 2^20 / elements",
		.unit = "passes", .help = "how often the list is walked",
	},
	[ACCESSES] = {
		.name = "accesses", .kind = ASSAY_OPTION_COUNT,
		.min = 1, .max = MOST_ACCESSES, .initial = -1,
		.derived = "elements * passes",
		.unit = "loads", .help = "loads in all; rounded down to whole "
					 "passes",
	},
	[ORDER] = {
		.name = "order", .kind = ASSAY_OPTION_CHOICE,
		.initial = SHUFFLED, .words = orders,
		.help = "linear; ping-pong: first, last, second ...; shuffled: "
			"one random cycle (Sattolo); fisher-yates: a random "
			"order of visiting",
	},
	[SEED] = {
		.name = "seed", .kind = ASSAY_OPTION_COUNT,
		.min = 0, .max = INT64_MAX, .initial = 1,
		.help = "of the random orders",
	},
};

static int resolve_passes(struct assay_shape *shape, struct assay_error *err)
{
	int64_t elements = option_value(shape, ELEMENTS);
	int64_t passes = option_value(shape, PASSES);
	int64_t accesses = option_value(shape, ACCESSES);

	if (accesses < 0) {
		shape->option[PASSES].value = passes > 0 ? passes :
			elements > USUAL_ACCESSES ? 1 :
			USUAL_ACCESSES / elements;
		return 0;
	}
	if (accesses < elements)
		return refuse(err, "'accesses' must be at least 'elements', "
				   "which is one pass");
	if (passes >= 0 && passes != accesses / elements)
		return refuse(err, "'accesses' is not 'elements' * 'passes': "
				   "give only one of 'accesses' and 'passes'");
	shape->option[PASSES].value = accesses / elements;
	return 0;
}

static int resolve(struct assay_shape *shape, struct assay_error *err)
{
	int64_t elements = option_value(shape, ELEMENTS);
	int rc = resolve_passes(shape, err);

	if (rc)
		return rc;
	if (option_value(shape, PASSES) > MOST_ACCESSES / elements)
		return refuse(err, "'passes' must not make more than 2^50 "
				   "loads in all");
	shape->option[ACCESSES].value =
		elements * option_value(shape, PASSES);
	return 0;
}

static uint64_t arena_bytes(const struct assay_shape *shape)
{
	return (uint64_t)option_value(shape, ELEMENTS) * ELEMENT_BYTES;
}

static uint64_t accesses(const struct assay_shape *shape)
{
	return (uint64_t)option_value(shape, ACCESSES);
}

/* Which element is visited k-th in the orders that need no chance. */
static uint64_t visited(uint64_t k, uint64_t n, int64_t order)
{
	if (order == LINEAR)
		return k;
	return k % 2 ? n - 1 - k / 2 : k / 2;
}

static void link_order(struct element *e, uint64_t n)
{
	for (uint64_t k = 0; k + 1 < n; k++)
		e[e[k].order].next = (uintptr_t)&e[e[k + 1].order];
	e[e[n - 1].order].next = 0;
	e[0].head = (uintptr_t)&e[e[0].order];
}

static void swap_order(struct element *e, uint64_t i, uint64_t j)
{
	uint64_t kept = e[i].order;

	e[i].order = e[j].order;
	e[j].order = kept;
}

/* Sattolo's algorithm: order becomes "the element after me", one cycle. */
static void link_cycle(struct element *e, uint64_t n, uint64_t seed)
{
	for (uint64_t i = 0; i < n; i++)
		e[i].order = i;
	for (uint64_t i = n - 1; i > 0; i--)
		swap_order(e, i, draw_below(&seed, i));
	for (uint64_t i = 0; i < n; i++)
		e[i].next = e[i].order ? (uintptr_t)&e[e[i].order] : 0;
	e[0].head = (uintptr_t)&e[0];
}

static void prepare(const struct assay_shape *shape, struct arena *arena)
{
	struct element *e = (struct element *)arena->base;
	uint64_t n = (uint64_t)option_value(shape, ELEMENTS);
	uint64_t seed = (uint64_t)option_value(shape, SEED);
	int64_t order = option_value(shape, ORDER);

	if (order == SHUFFLED) {
		link_cycle(e, n, seed);
		return;
	}
	for (uint64_t k = 0; k < n; k++)
		e[k].order = order == FISHER_YATES ? k : visited(k, n, order);
	for (uint64_t i = n - 1; order == FISHER_YATES && i > 0; i--)
		swap_order(e, i, draw_below(&seed, i + 1));
	link_order(e, n);
}

static void run(const struct assay_shape *shape, struct arena *arena)
{
	chase_walk(((const struct element *)arena->base)->head,
		   (uint64_t)option_value(shape, PASSES));
}

/* One walk; returns its length. */
KERNELS_INLINE uint64_t walk(uint64_t head, struct access_trace *port)
{
	uint64_t at = head, elements = 0;

	do {
		const struct element *e = (const void *)(uintptr_t)at;

		at = access_load(port, SITE_LOAD, &e->next);
		elements++;
	} while (at);
	access_branch_run(port, SITE_WALK, elements);
	return elements;
}

/*
 * All passes but the last are the same records; the last one ends with a
 * branch that is not taken.
 */
static void trace(const struct assay_shape *shape, struct arena *arena,
		  enum isa isa, struct access_trace *port)
{
	uint64_t head = ((const struct element *)arena->base)->head;
	uint64_t passes = (uint64_t)option_value(shape, PASSES), done = 0;

	while (done < passes) {
		uint64_t elements = walk(head, port);
		bool last = ++done == passes;

		access_branch(port, SITE_PASS, !last, 1);
		access_retire(port, elements * costs[isa].element.instructions +
				    costs[isa].pass.instructions);
		done += access_pass(port, last ? 0 : passes - 1 - done);
	}
	access_branch(port, SITE_RETURN, true, 1);
	access_retire(port, costs[isa].once.instructions);
	access_flush(port);
}

static void expect_code(double elements, double passes, enum isa isa,
			struct assay_expectation *out)
{
	double n = elements * passes;
	struct assay_expected *row;

	row = expect_row(out, ASSAY_Q_instructions);
	expect_term(row, "walk", "3 * elements * passes",
		    costs[isa].element.instructions * n,
		    "load, compare, branch for each element");
	expect_term(row, "passes", "3 * passes",
		    costs[isa].pass.instructions * passes,
		    "set the pointer, count down, branch for each pass");
	expect_term(row, "return", "1", costs[isa].once.instructions,
		    "the loop is a function that returns once");
	expect_exact(out, ASSAY_Q_loads, "walk", "elements * passes", n,
		     "each element is loaded once per pass");
	expect_exact(out, ASSAY_Q_stores, "none", "0", 0,
		     "nothing is written");
	expect_exact(out, ASSAY_Q_l1d_reads, "walk", "elements * passes", n,
		     "each load lies in one line, and looks it up once");
	row = expect_row(out, ASSAY_Q_branches);
	expect_term(row, "walk", "elements * passes", n,
		    "each element ends with a test for the end of the list");
	expect_term(row, "passes", "passes", passes,
		    "each pass ends with a test for the last pass");
	expect_term(row, "return", "1", 1, "the return is a branch");
	row = expect_row(out, ASSAY_Q_branches_taken);
	expect_term(row, "walk", "(elements - 1) * passes", n - passes,
		    "taken until the list ends");
	expect_term(row, "passes", "passes - 1", passes - 1,
		    "taken until the last pass");
	expect_term(row, "return", "1", 1, "a return is always taken");
}

static void expect(const struct assay_shape *shape, enum isa isa,
		   const struct geometry *geometry, bool warm,
		   struct assay_expectation *out)
{
	int64_t order = option_value(shape, ORDER);
	struct cyclic walk = {
		.footprint = {
			.lines = (uint64_t)option_value(shape, ELEMENTS),
			.step = 1,
			.paged = order == LINEAR || order == PING_PONG,
		},
		.passes = (uint64_t)option_value(shape, PASSES),
		.loads = 1,
	};

	expect_code((double)walk.footprint.lines, (double)walk.passes, isa,
		    out);
	if (geometry)
		expect_cyclic(&walk, geometry, warm, out);
}

const struct kernel chase_kernel = {
	.name = "chase",
	.summary = "walks a linked list of cache lines",
	.exercises = "load latency, every cache level, the data TLB",
	.source = "pointer chasing; the Cortex-A72 data access series of "
		  "P. J. Drongowski, 2021",
	.option = options,
	.options = sizeof(options) / sizeof(options[0]),
	.size_option = "elements",
	.size_default = "32..65536",
	.resolve = resolve,
	.arena_bytes = arena_bytes,
	.accesses = accesses,
	.prepare = prepare,
	.run = run,
	.trace = trace,
	.expect = expect,
};
