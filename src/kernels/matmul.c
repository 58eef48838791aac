/* SPDX-License-Identifier: MIT */
/*
 * matmul: C = A * B for square matrices of doubles. The textbook order reads a
 * column of B for each element of C, and long rows put each element of a column
 * into another page. With the two inner loops interchanged, all matrices are
 * read by rows.
 */
#include "kernels/counts.h"
#include "kernels/matmul.h"

#include "kernels/access.h"
#include "kernels/expect.h"
#include "kernels/kernel.h"
#include "kernels/shape.h"

enum { N, ORDER };
enum { ORDER_TEXTBOOK, ORDER_INTERCHANGE };
enum { SITE_ZERO = 4, SITE_ZEROED = 6, SITE_A = 10, SITE_B = 13, SITE_C = 14,
       SITE_STORE = 16, SITE_INNER = 18, SITE_MIDDLE = 20, SITE_OUTER = 24,
       SITE_RETURN = 25 };

#define DOUBLE_BYTES 8

/*
 * arch/<isa>/matmul.S: C = A * B for n x n matrices in rows. Textbook goes over
 * i, j, k and sums in a register; interchange clears each row of C, then goes
 * over i, k, j.
 */
void matmul_textbook(const double *a, const double *b, double *c, uint64_t n);
void matmul_interchange(const double *a, const double *b, double *c,
			uint64_t n);

static const char *const orders[] = { "textbook", "interchange", NULL };

static const struct kernel_option options[] = {
	[N] = {
		.name = "n", .kind = ASSAY_OPTION_COUNT,
		.min = 1, .max = 4096, .initial = 100,
		.unit = "rows", .help = "rows and columns of each matrix",
	},
	[ORDER] = {
		.name = "order", .kind = ASSAY_OPTION_CHOICE,
		.initial = ORDER_TEXTBOOK, .words = orders,
		.help = "textbook: i, j, k; interchange: i, k, j",
	},
};

static bool interchange(const struct assay_shape *shape)
{
	return option_value(shape, ORDER) == ORDER_INTERCHANGE;
}

static uint64_t matrix_bytes(const struct assay_shape *shape)
{
	uint64_t bytes = count_of(shape, N) * count_of(shape, N) * DOUBLE_BYTES;

	return (bytes + MATMUL_ALIGN - 1) & ~(uint64_t)(MATMUL_ALIGN - 1);
}

static uint64_t arena_bytes(const struct assay_shape *shape)
{
	return 3 * matrix_bytes(shape);
}

static uint64_t loads(const struct assay_shape *shape)
{
	uint64_t n = count_of(shape, N);

	return 2 * n * n * n + (interchange(shape) ? n * n : 0);
}

static uint64_t stores(const struct assay_shape *shape)
{
	uint64_t n = count_of(shape, N);

	return n * n + (interchange(shape) ? n * n * n : 0);
}

static uint64_t accesses(const struct assay_shape *shape)
{
	return loads(shape) + stores(shape);
}

static double *matrix(const struct assay_shape *shape,
		      const struct arena *arena, unsigned which)
{
	return (double *)(arena->base + which * matrix_bytes(shape));
}

/* Small whole numbers: products and sums are exact in any order. */
static void prepare(const struct assay_shape *shape, struct arena *arena)
{
	double *a = matrix(shape, arena, 0), *b = matrix(shape, arena, 1);
	double *c = matrix(shape, arena, 2);
	uint64_t n = count_of(shape, N);

	for (uint64_t i = 0; i < n * n; i++) {
		a[i] = (double)(i % 7);
		b[i] = (double)(i % 5) - 2;
		c[i] = 0;
	}
}

static void run(const struct assay_shape *shape, struct arena *arena)
{
	const double *a = matrix(shape, arena, 0);
	const double *b = matrix(shape, arena, 1);
	double *c = matrix(shape, arena, 2);

	if (interchange(shape))
		matmul_interchange(a, b, c, count_of(shape, N));
	else
		matmul_textbook(a, b, c, count_of(shape, N));
}

struct matrices {
	const double *a, *b, *c;
	uint64_t n;
};

static void trace_textbook(const struct matrices *m, struct access_trace *port)
{
	uint64_t n = m->n;

	for (uint64_t i = 0; i < n; i++) {
		for (uint64_t j = 0; j < n && !access_stopped(port); j++) {
			for (uint64_t k = 0; k < n; k++) {
				access_note(port, ACCESS_LOAD, 3, SITE_A,
					    m->a + i * n + k);
				access_note(port, ACCESS_LOAD, 3, SITE_B,
					    m->b + k * n + j);
			}
			access_branch_run(port, SITE_INNER, n);
			access_note(port, ACCESS_STORE, 3, SITE_STORE,
				    m->c + i * n + j);
			access_branch(port, SITE_MIDDLE, j + 1 < n, 1);
		}
		access_branch(port, SITE_OUTER, i + 1 < n, 1);
	}
}

static void trace_row(const struct matrices *m, uint64_t i, uint64_t k,
		      struct access_trace *port)
{
	uint64_t n = m->n;

	access_note(port, ACCESS_LOAD, 3, SITE_A, m->a + i * n + k);
	for (uint64_t j = 0; j < n; j++) {
		access_note(port, ACCESS_LOAD, 3, SITE_B, m->b + k * n + j);
		access_note(port, ACCESS_LOAD, 3, SITE_C, m->c + i * n + j);
		access_note(port, ACCESS_STORE, 3, SITE_STORE,
			    m->c + i * n + j);
	}
	access_branch_run(port, SITE_INNER, n);
	access_branch(port, SITE_MIDDLE, k + 1 < n, 1);
}

static void trace_interchange(const struct matrices *m,
			      struct access_trace *port)
{
	uint64_t n = m->n;

	for (uint64_t i = 0; i < n; i++) {
		for (uint64_t j = 0; j < n; j++)
			access_note(port, ACCESS_STORE, 3, SITE_ZERO,
				    m->c + i * n + j);
		access_branch_run(port, SITE_ZEROED, n);
		for (uint64_t k = 0; k < n && !access_stopped(port); k++)
			trace_row(m, i, k, port);
		access_branch(port, SITE_OUTER, i + 1 < n, 1);
	}
}

/* The terms of both orders, with the costs and accesses of one of them. */
#define BOTH_ORDERS(order) \
	{ ASSAY_Q_instructions, "inner", order##_INNER, "n^3", \
	  "load, multiply, add, advance, branch" }, \
	{ ASSAY_Q_instructions, "middle", order##_MIDDLE, "n^2", \
	  "set up and close the inner loop" }, \
	{ ASSAY_Q_instructions, "outer", order##_OUTER, "n", \
	  "set up and close the row" }, \
	{ ASSAY_Q_instructions, "once", order##_ONCE, "1", \
	  "the loops are a function that is entered once" }, \
	order##_ACCESSES(ASSAY_Q_loads, ASSAY_Q_stores), \
	order##_ACCESSES(ASSAY_Q_l1d_reads, ASSAY_Q_l1d_writes), \
	CODE_BRANCH("inner", "n^3", "each product ends with a branch", \
		    "(n - 1) * n^2", "taken until the row or column ends"), \
	CODE_BRANCH("middle", "n^2", "each inner loop is closed by a branch", \
		    "(n - 1) * n", "taken until the row ends"), \
	CODE_LOOP("outer", "n", "row"), \
	CODE_RETURN

#define TEXTBOOK_ACCESSES(loads, stores) \
	{ loads, "inner", CODE_ONE, "2 * n^3", "two factors" }, \
	{ stores, "elements", CODE_ONE, "n^2", \
	  "each element of C is stored once" }
#define INTERCHANGE_ACCESSES(loads, stores) \
	{ loads, "inner", CODE_ONE, "2 * n^3", \
	  "a factor, and the sum so far" }, \
	{ loads, "middle", CODE_ONE, "n^2", \
	  "the other factor, once per row" }, \
	{ stores, "inner", CODE_ONE, "n^3", "the sum so far" }, \
	{ stores, "elements", CODE_ONE, "n^2", \
	  "each element of C is cleared once" }

static const struct code_term textbook[] = { BOTH_ORDERS(TEXTBOOK) };
static const struct code_term interchanged[] = {
	BOTH_ORDERS(INTERCHANGE),
	{ ASSAY_Q_instructions, "clear", INTERCHANGE_ZERO, "n^2",
	  "clear the row of C" },
	CODE_BRANCH("clear", "n^2", "each clearing store ends with a branch",
		    "(n - 1) * n", "taken until the row is cleared"),
};

static const struct code codes[] = {
	[ORDER_TEXTBOOK] = CODE(textbook, options),
	[ORDER_INTERCHANGE] = CODE(interchanged, options),
};

static void trace(const struct assay_shape *shape, struct arena *arena,
		  enum isa isa, struct access_trace *port)
{
	const struct code *code = &codes[option_value(shape, ORDER)];
	struct code_cost cost = code_cost(code, shape, NULL, NULL, isa);
	struct matrices m = {
		matrix(shape, arena, 0), matrix(shape, arena, 1),
		matrix(shape, arena, 2), count_of(shape, N),
	};

	if (interchange(shape))
		trace_interchange(&m, port);
	else
		trace_textbook(&m, port);
	access_end(port, SITE_RETURN, cost.pass + cost.once);
}

static void expect(const struct assay_shape *shape, enum isa isa,
		   const struct geometry *geometry, bool warm,
		   struct assay_expectation *out)
{
	struct matmul m = { count_of(shape, N), interchange(shape) };

	expect_code(out, &codes[option_value(shape, ORDER)], shape, NULL, isa);
	if (geometry)
		matmul_expect_memory(&m, geometry, warm, out);
}

const struct kernel matmul_kernel = {
	.name = "matmul",
	.summary = "multiplies two square matrices of doubles",
	.exercises = "caches and TLBs by rows and by columns; closed forms of "
		     "third degree",
	.source = "the Cortex-A72 matrix multiplication series of "
		  "P. J. Drongowski, 2021",
	KERNEL_SHOWS(ASSAY_Q_l1d_refills, ASSAY_Q_dtlb_misses),
	KERNEL_OPTIONS(options),
	.size_option = "n",
	.size_default = "8..256",
	.resolve = plain_resolve,
	KERNEL_ARENA,
	KERNEL_BODY,
};
