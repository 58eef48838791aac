/* SPDX-License-Identifier: MIT */
/* Linked lists of lines: their orders, links and loops. Freestanding. */
#include "kernels/counts.h"
#include "kernels/list.h"

#include "kernels/access.h"
#include "kernels/draw.h"
#include "kernels/expect-memory.h"

/* pseudo PCs of the loads (one per chain), and of the branches */
enum { SITE_LOAD = 1, SITE_STEP = 8, SITE_PASS = 10, SITE_RETURN = 11 };

#define USUAL_ACCESSES (INT64_C(1) << 20)
#define MOST_CHAINS 4
#define PAGE_BYTES 4096

struct element {
	uint64_t next;		/* address; 0 ends the list */
	uint64_t head;		/* in element c: address of chain c's first */
	uint64_t order;		/* in element k: index of the k-th loaded one */
	uint64_t visit;		/* scratch while `order` is made */
};

/*
 * arch/<isa>/chase.S: follow 1, 2 or 4 lists of one length side by side to
 * their NULL, passes (>= 1) times.
 */
void chase_1(uint64_t head, uint64_t passes);
void chase_2(uint64_t head, uint64_t head2, uint64_t passes);
void chase_4(uint64_t head, uint64_t head2, uint64_t head3,
		  uint64_t head4, uint64_t passes);

const char *const list_orders[] = {
	"linear", "ping-pong", "shuffled", "fisher-yates", "page-local", NULL
};

static struct element *at(const struct list *l, uint64_t i)
{
	return (struct element *)(l->base + i * l->spacing);
}

static void swap_order(const struct list *l, uint64_t i, uint64_t j)
{
	uint64_t kept = at(l, i)->order;

	at(l, i)->order = at(l, j)->order;
	at(l, j)->order = kept;
}

/* Fisher-Yates: any order of elements from .. from + n - 1. */
static void shuffle(const struct list *l, uint64_t from, uint64_t n,
		    uint64_t *seed)
{
	for (uint64_t i = n - 1; i > 0; i--)
		swap_order(l, from + i, from + draw_below(seed, i + 1));
}

/*
 * Sattolo: `order` first holds each element's successor in one random cycle,
 * and then the cycle's elements from 0 on.
 */
static void order_cycle(const struct list *l)
{
	uint64_t seed = l->seed, here = 0;

	for (uint64_t i = l->elements - 1; i > 0; i--)
		swap_order(l, i, draw_below(&seed, i));
	for (uint64_t k = 0; k < l->elements; k++) {
		at(l, k)->visit = here;
		here = at(l, here)->order;
	}
	for (uint64_t k = 0; k < l->elements; k++)
		at(l, k)->order = at(l, k)->visit;
}

/* Pages in a random order, then the lines of each. */
static void order_pages(const struct list *l)
{
	uint64_t per_page = PAGE_BYTES / l->spacing, seed = l->seed, k = 0;
	uint64_t pages = (l->elements + per_page - 1) / per_page;

	for (uint64_t i = pages - 1; i > 0; i--)
		swap_order(l, i, draw_below(&seed, i + 1));
	for (uint64_t i = 0; i < pages; i++)
		at(l, i)->visit = at(l, i)->order;
	for (uint64_t i = 0; i < pages; i++) {
		uint64_t first = at(l, i)->visit * per_page, n = per_page;

		if (n > l->elements - first)
			n = l->elements - first;
		for (uint64_t x = 0; x < n; x++)
			at(l, k + x)->order = first + x;
		shuffle(l, k, n, &seed);
		k += n;
	}
}

static void put_in_order(const struct list *l)
{
	uint64_t n = l->elements, seed = l->seed;

	for (uint64_t k = 0; k < n; k++)
		at(l, k)->order = l->order != LIST_PING_PONG ? k :
				  k % 2 ? n - 1 - k / 2 : k / 2;
	switch (l->order) {
	case LIST_SHUFFLED:
		order_cycle(l);
		break;
	case LIST_FISHER_YATES:
		shuffle(l, 0, n, &seed);
		break;
	case LIST_PAGE_LOCAL:
		order_pages(l);
		break;
	default:
		break;
	}
}

void list_link(const struct list *l)
{
	put_in_order(l);
	for (uint64_t k = 0; k < l->elements; k++) {
		struct element *e = at(l, at(l, k)->order);

		e->next = k + l->chains >= l->elements ? 0 :
			  (uintptr_t)at(l, at(l, k + l->chains)->order);
		if (k < l->chains)
			at(l, k)->head = (uintptr_t)e;
	}
}

void list_run(const struct list *l, uint64_t passes)
{
	uint64_t head = at(l, 0)->head;

	switch (l->chains) {
	case 2:
		chase_2(head, at(l, 1)->head, passes);
		break;
	case 4:
		chase_4(head, at(l, 1)->head, at(l, 2)->head,
			     at(l, 3)->head, passes);
		break;
	default:
		chase_1(head, passes);
		break;
	}
}

unsigned list_close(const struct list *l, void **head)
{
	uint64_t first[MOST_CHAINS], k = 0;

	for (uint64_t c = 0; c < l->chains; c++)
		first[c] = at(l, c)->head;
	for (uint64_t c = 0; c < l->chains; c++) {
		head[c] = (void *)(uintptr_t)first[c];
		for (struct element *e = head[c]; k < l->elements; k++) {
			if (!e->next) {
				e->next = first[c];
				break;
			}
			e = (struct element *)(uintptr_t)e->next;
		}
	}
	return (unsigned)l->chains;
}

/* One pass: all chains side by side, to their ends. */
static void load_all(const void *ctx, struct access_trace *port)
{
	const struct list *l = ctx;
	uint64_t here[MOST_CHAINS] = { 0 }, steps = 0;

	for (uint64_t c = 0; c < l->chains; c++)
		here[c] = at(l, c)->head;
	do {
		for (uint64_t c = 0; c < l->chains; c++) {
			const struct element *e =
				(const void *)(uintptr_t)here[c];

			here[c] = access_load(port, SITE_LOAD + (unsigned)c,
					      &e->next);
		}
		steps++;
	} while (here[0]);
	access_branch_run(port, SITE_STEP, steps);
}

static const struct code_term terms[] = {
	{ ASSAY_Q_instructions, "loads", CHASE_LOAD, "elements * passes",
	  "one load per element" },
	{ ASSAY_Q_instructions, "steps", CHASE_STEP,
	  "elements / chains * passes",
	  "compare and branch once all chains took a step" },
	{ ASSAY_Q_instructions, "heads", CHASE_HEAD, "chains * passes",
	  "set the pointer to the first element" },
	{ ASSAY_Q_instructions, "passes", CHASE_PASS, "passes",
	  "count down, branch" },
	{ ASSAY_Q_instructions, "return", CHASE_ONCE, "1",
	  "the loop is a function that returns once" },
	{ ASSAY_Q_loads, "loads", CODE_ONE, "elements * passes",
	  "each element is loaded once per pass" },
	CODE_NONE(ASSAY_Q_stores, "nothing is written"),
	{ ASSAY_Q_l1d_reads, "loads", CODE_ONE, "elements * passes",
	  "each load lies in one line, and looks it up once" },
	CODE_BRANCH("steps", "elements / chains * passes",
		    "each step ends with a test for the end of the list",
		    "(elements / chains - 1) * passes",
		    "taken until the list ends"),
	CODE_BRANCH("passes", "passes",
		    "each pass ends with a test for the last pass",
		    "passes - 1", "taken until the last pass"),
	CODE_RETURN,
};

static const struct code code = CODE(terms, NULL);

#define FACTORS(list, passes) (const struct code_factor[]){ \
	{ "elements", (double)(list)->elements }, \
	{ "chains", (double)(list)->chains }, \
	{ "passes", (double)(passes) }, { NULL, 0 } }

void list_trace(const struct list *l, uint64_t passes, enum isa isa,
		struct access_trace *port)
{
	struct code_cost cost = code_cost(&code, NULL, FACTORS(l, 1), NULL,
					  isa);

	access_passes(port, passes, SITE_PASS, cost.pass, load_all, l);
	access_end(port, SITE_RETURN, cost.once);
}

void list_expect(const struct list *l, uint64_t passes, enum isa isa,
		 const struct geometry *geometry, bool warm,
		 struct assay_expectation *out)
{
	const uint64_t step = l->spacing / LINE_BYTES;
	const struct cyclic pattern = {
		.footprint = { .lines = l->elements, .step = step,
			       .paged = step >= LINES_PER_PAGE ||
					(l->order != LIST_SHUFFLED &&
					 l->order != LIST_FISHER_YATES) },
		.passes = passes,
		.loads = l->elements,
		.exits = passes + 1,
	};

	expect_code(out, &code, NULL, FACTORS(l, passes), isa);
	if (geometry)
		expect_cyclic(&pattern, geometry, warm, out);
}

const char *list_resolve(int64_t elements, int64_t *passes, int64_t *accesses)
{
	int64_t times = *passes;

	if (*accesses >= 0) {
		if (*accesses < elements)
			return "'accesses' must be enough for one pass";
		if (times >= 0 && times != *accesses / elements)
			return "'accesses' and 'passes' contradict each "
			       "other: give only one of them";
		times = *accesses / elements;
	}
	if (times < 0)
		times = elements > USUAL_ACCESSES ? 1 :
			USUAL_ACCESSES / elements;
	if (times > LIST_MOST_ACCESSES / elements)
		return "'passes' must not make more than 2^50 loads in all";
	*passes = times;
	*accesses = elements * times;
	return NULL;
}
