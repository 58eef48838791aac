/* SPDX-License-Identifier: MIT */
/*
 * Deriving formulas from made-up counts: what is found, what is refused, and
 * that a few odd runs neither hide a formula nor make one.
 */
#include "check.h"

#include <stdbool.h>

#include "analysis/derive.h"

enum { ROWS = 40, COLUMNS = 8, KERNELS = 5 };

/* Events of 40 runs of 5 kernels, drawn so that no two go together. */
struct runs {
	double count[ROWS][COLUMNS];
	double right[ROWS], scale[ROWS], volume[ROWS], noise[COLUMNS];
	unsigned kernel[ROWS];
	struct derive_problem problem;
};

static unsigned draw(unsigned *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 16;
}

static void make(struct runs *r)
{
	unsigned state = 7;

	memset(r, 0, sizeof(*r));
	for (unsigned i = 0; i < ROWS; i++) {
		for (unsigned c = 0; c < COLUMNS; c++)
			r->count[i][c] = 1000 + draw(&state) % 9000;
		r->kernel[i] = i % KERNELS;
		r->volume[i] = 10000;
	}
	r->problem = (struct derive_problem){
		ROWS, COLUMNS, r->count[0], r->right, r->scale, r->volume,
		r->kernel, KERNELS, r->noise
	};
}

static void find(struct runs *r, struct derive_result *out)
{
	struct assay_error err = { 0 };

	for (unsigned i = 0; i < ROWS; i++)
		r->scale[i] = r->right[i] > 100 ? r->right[i] : 100;
	if (derive(&r->problem, false, out, &err) < 0)
		fail_msg("%s", err.text);
}

static void test_sum(void **ctx)
{
	struct derive_result out;
	struct runs r;

	(void)ctx;
	make(&r);
	for (unsigned i = 0; i < ROWS; i++)
		r.right[i] = r.count[i][2] + 0.5 * r.count[i][5];
	find(&r, &out);
	assert_int_equal(out.formulas, 1);
	assert_true(out.formula[0].exact);
	assert_int_equal(out.formula[0].terms, 2);
	assert_int_equal(out.formula[0].column[0], 2);
	assert_int_equal(out.formula[0].column[1], 5);
	assert_true(out.formula[0].weight[0] == 1);
	assert_true(out.formula[0].weight[1] == 0.5);
	assert_int_equal(out.formula[0].right, ROWS);
	assert_int_equal(out.formula[0].held, KERNELS);
	assert_true(out.formula[0].bound[0] < 1e-9);
	assert_int_equal(out.rank, COLUMNS);
	assert_true(out.floor < 1e-9);
}

static void test_smallest_first(void **ctx)
{
	struct derive_result out;
	struct runs r;

	(void)ctx;
	make(&r);
	/* 7 is what 0 and 1 make together */
	for (unsigned i = 0; i < ROWS; i++) {
		r.count[i][7] = r.count[i][0] + r.count[i][1];
		r.right[i] = r.count[i][7];
	}
	find(&r, &out);
	assert_int_equal(out.formulas, 2);
	assert_int_equal(out.formula[0].terms, 1);
	assert_int_equal(out.formula[0].column[0], 7);
	assert_int_equal(out.formula[1].terms, 2);
	assert_int_equal(out.rank, COLUMNS - 1);
}

/* More than four events are a formula only if every run is right. */
static void test_six(void **ctx)
{
	struct derive_result out;
	struct runs r;

	(void)ctx;
	make(&r);
	for (unsigned i = 0; i < ROWS; i++)
		r.right[i] = r.count[i][0] + r.count[i][1] + r.count[i][2] +
			     r.count[i][3] + r.count[i][4] - r.count[i][5];
	find(&r, &out);
	assert_int_equal(out.formulas, 1);
	assert_int_equal(out.formula[0].terms, 6);
	assert_true(out.formula[0].exact);
	assert_int_equal(out.formula[0].held, KERNELS);
	r.right[7] *= 1.05;
	find(&r, &out);
	for (unsigned i = 0; i < out.formulas; i++)
		assert_true(out.formula[i].terms <= DERIVE_CLOSE);
}

static void test_filters(void **ctx)
{
	struct derive_result out;
	struct runs r;

	(void)ctx;
	make(&r);
	for (unsigned i = 0; i < ROWS; i++) {
		r.right[i] = r.count[i][3];
		r.count[i][4] = r.count[i][3];
		r.count[i][6] = 0;
	}
	r.noise[0] = 0.2;
	find(&r, &out);
	assert_int_equal(out.silent, 1);
	assert_int_equal(out.noisy, 1);
	assert_int_equal(out.twins, 1);
	assert_int_equal(out.twin_of[4], 3);
	assert_int_equal(out.used, COLUMNS - 3);
	assert_int_equal(out.formula[0].column[0], 3);
}

/* One run in ten has another cause for all that is counted. */
static void test_close(void **ctx)
{
	struct derive_result out;
	struct runs r;

	(void)ctx;
	make(&r);
	for (unsigned i = 0; i < ROWS; i++) {
		/* and in four of ten there is none of it */
		if (i % 10 >= 6)
			r.count[i][0] = r.count[i][1] = 0;
		r.right[i] = r.count[i][0] + r.count[i][1];
		/* the events see it, the quantity does not */
		if (i % 10 == 3)
			r.right[i] = 0;
		r.volume[i] = 20000;
	}
	find(&r, &out);
	assert_true(out.formulas > 0);
	assert_false(out.formula[0].exact);
	assert_int_equal(out.formula[0].terms, 2);
	assert_int_equal(out.formula[0].right, ROWS - 4);
	assert_int_equal(out.formula[0].worst_row % 10, 3);
	assert_true(out.floor > 0.1);
}

static void test_refuses(void **ctx)
{
	unsigned state = 99;
	struct derive_result out;
	struct runs r;

	(void)ctx;
	make(&r);
	for (unsigned i = 0; i < ROWS; i++)
		r.right[i] = 1000 + draw(&state) % 9000;
	find(&r, &out);
	assert_int_equal(out.formulas, 0);
	assert_true(out.floor > 0.1);
	/* small and seldom: nothing may pass because it is mostly 0 */
	for (unsigned i = 0; i < ROWS; i++)
		r.right[i] = i % 13 == 0 ? 5000 : 0;
	find(&r, &out);
	assert_int_equal(out.formulas, 0);
	for (unsigned i = 0; i < ROWS; i++)
		r.count[i][6] = i % 26 == 0 ? 5000 : 0;
	find(&r, &out);
	assert_int_equal(out.formulas, 0);
	/* weights that nobody can explain */
	for (unsigned i = 0; i < ROWS; i++)
		r.right[i] = 0.23 * r.count[i][1];
	find(&r, &out);
	assert_int_equal(out.formulas, 0);
}

static void test_too_few(void **ctx)
{
	struct derive_result out;
	struct assay_error err = { 0 };
	struct runs r;

	(void)ctx;
	make(&r);
	r.problem.rows = 7;
	assert_int_equal(derive(&r.problem, false, &out, &err),
			 -ASSAY_EINVAL);
	assert_int_equal(out.formulas, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sum),
		cmocka_unit_test(test_smallest_first),
		cmocka_unit_test(test_six),
		cmocka_unit_test(test_filters),
		cmocka_unit_test(test_close),
		cmocka_unit_test(test_refuses),
		cmocka_unit_test(test_too_few),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
