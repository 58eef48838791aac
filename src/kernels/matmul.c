/* SPDX-License-Identifier: MIT */
/*
 * matmul: C = A * B for square matrices of doubles. The textbook order goes
 * down a column of B for each element of C, one page after the other if rows
 * are long; with the two inner loops interchanged everything is read in rows.
 */
#include "kernels/matmul.h"

#include "kernels/access.h"
#include "kernels/expect.h"
#include "kernels/kernel.h"
#include "kernels/matmul-counts.h"
#include "kernels/option.h"
#include "kernels/plain.h"

enum { N, ORDER };
enum { ORDER_TEXTBOOK, ORDER_INTERCHANGE };
enum { SITE_ZERO = 4, SITE_ZEROED = 6, SITE_A = 10, SITE_B = 13, SITE_C = 14,
       SITE_STORE = 16, SITE_INNER = 18, SITE_MIDDLE = 20, SITE_OUTER = 24,
       SITE_RETURN = 25 };

#define DOUBLE_BYTES 8

/* arch/<isa>/matmul.S */
void matmul_textbook(const double *a, const double *b, double *c, uint64_t n);
void matmul_interchange(const double *a, const double *b, double *c,
			uint64_t n);

struct pieces {
	unsigned inner, middle, zero, outer, once;
};

static const struct pieces costs[ISAS][2] = {	/* [isa][order] */
#define PIECES(isa, order) { \
	MATMUL_##isa##_##order##_INNER, MATMUL_##isa##_##order##_MIDDLE, \
	MATMUL_##isa##_##order##_ZERO, MATMUL_##isa##_##order##_OUTER, \
	MATMUL_##isa##_##order##_ONCE }
	[ISA_X86_64] = { PIECES(X86_64, TEXTBOOK),
			 PIECES(X86_64, INTERCHANGE) },
	[ISA_AARCH64] = { PIECES(AARCH64, TEXTBOOK),
			  PIECES(AARCH64, INTERCHANGE) },
#undef PIECES
};

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

static uint64_t rows(const struct assay_shape *shape)
{
	return (uint64_t)option_value(shape, N);
}

static bool interchange(const struct assay_shape *shape)
{
	return option_value(shape, ORDER) == ORDER_INTERCHANGE;
}

static uint64_t matrix_bytes(const struct assay_shape *shape)
{
	uint64_t bytes = rows(shape) * rows(shape) * DOUBLE_BYTES;

	return (bytes + MATMUL_ALIGN - 1) & ~(uint64_t)(MATMUL_ALIGN - 1);
}

static uint64_t arena_bytes(const struct assay_shape *shape)
{
	return 3 * matrix_bytes(shape);
}

static uint64_t loads(const struct assay_shape *shape)
{
	uint64_t n = rows(shape);

	return 2 * n * n * n + (interchange(shape) ? n * n : 0);
}

static uint64_t stores(const struct assay_shape *shape)
{
	uint64_t n = rows(shape);

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
	uint64_t n = rows(shape);

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
		matmul_interchange(a, b, c, rows(shape));
	else
		matmul_textbook(a, b, c, rows(shape));
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

static void trace(const struct assay_shape *shape, struct arena *arena,
		  enum isa isa, struct access_trace *port)
{
	const struct pieces *p = &costs[isa][option_value(shape, ORDER)];
	struct matrices m = {
		matrix(shape, arena, 0), matrix(shape, arena, 1),
		matrix(shape, arena, 2), rows(shape),
	};
	uint64_t n = m.n;

	if (interchange(shape))
		trace_interchange(&m, port);
	else
		trace_textbook(&m, port);
	access_end(port, SITE_RETURN, p->inner * n * n * n +
		   (p->middle + p->zero) * n * n + p->outer * n + p->once);
}

static void expect_branches(double n, bool zeroed,
			    struct assay_expectation *out)
{
	double loops = zeroed ? 2 : 1;
	struct assay_expected *row = expect_row(out, ASSAY_Q_branches);

	expect_term(row, "inner", "n^3", n * n * n,
		    "each product ends with a branch");
	expect_term(row, "middle", "n^2, or 2 * n^2 if rows are cleared",
		    loops * n * n, "each inner loop is closed by a branch, and "
				   "so is each clearing store");
	expect_term(row, "outer", "n", n, "each row ends with a branch");
	expect_term(row, "return", "1", 1, "the return is a branch");
	row = expect_row(out, ASSAY_Q_branches_taken);
	expect_term(row, "inner", "(n - 1) * n^2", (n - 1) * n * n,
		    "taken until the row or column ends");
	expect_term(row, "middle", "(n - 1) * n per loop",
		    loops * (n - 1) * n, "taken until the row ends");
	expect_term(row, "outer", "n - 1", n - 1,
		    "taken until the last row");
	expect_term(row, "return", "1", 1, "a return is always taken");
}

static void expect_accesses(const struct assay_shape *shape,
			    struct assay_expectation *out)
{
	double n = (double)rows(shape), extra = interchange(shape) ? 1 : 0;
	enum assay_quantity reads[] = { ASSAY_Q_loads, ASSAY_Q_l1d_reads };
	enum assay_quantity writes[] = { ASSAY_Q_stores, ASSAY_Q_l1d_writes };
	struct assay_expected *row;

	for (unsigned q = 0; q < 2; q++) {
		row = expect_row(out, reads[q]);
		expect_term(row, "inner", "2 * n^3", 2 * n * n * n,
			    "two factors, or a factor and the sum so far");
		expect_term(row, "middle", "n^2 if interchanged",
			    extra * n * n, "the other factor, once per row");
		row = expect_row(out, writes[q]);
		expect_term(row, "inner", "n^3 if interchanged",
			    extra * n * n * n, "the sum so far");
		expect_term(row, "elements", "n^2", n * n,
			    "each element of C is stored, or cleared, once");
	}
}

static void expect(const struct assay_shape *shape, enum isa isa,
		   const struct geometry *geometry, bool warm,
		   struct assay_expectation *out)
{
	const struct pieces *p = &costs[isa][option_value(shape, ORDER)];
	struct matmul m = { rows(shape), interchange(shape) };
	struct assay_expected *row = expect_row(out, ASSAY_Q_instructions);
	double n = (double)m.n;

	expect_cost(row, "inner", p->inner, "n^3", n * n * n,
		    "load, multiply, add, advance, branch");
	expect_cost(row, "middle", p->middle, "n^2", n * n,
		    "set up and close the inner loop");
	if (p->zero)
		expect_cost(row, "clear", p->zero, "n^2", n * n,
			    "clear the row of C");
	expect_cost(row, "outer", p->outer, "n", n,
		    "set up and close the row");
	expect_cost(row, "once", p->once, "1", 1,
		    "the loops are a function that is entered once");
	expect_accesses(shape, out);
	expect_branches(n, m.interchange, out);
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
	.shows = { ASSAY_Q_l1d_refills, ASSAY_Q_dtlb_misses },
	.shown = 2,
	.option = options,
	.options = sizeof(options) / sizeof(options[0]),
	.size_option = "n",
	.size_default = "8..256",
	.resolve = plain_resolve,
	.arena_bytes = arena_bytes,
	.accesses = accesses,
	.prepare = prepare,
	.run = run,
	.trace = KERNEL_HOST(trace),
	.expect = KERNEL_HOST(expect),
};
