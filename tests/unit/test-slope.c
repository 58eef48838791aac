/* SPDX-License-Identifier: MIT */
/* The slope estimator: counts per unit of work, overhead and interference. */
#include "check.h"

#include "run/slope.h"
#include "base/noise.h"

static struct assay_slope fit(double at_n, double at_2n, double at_4n,
			      double units, double predicted)
{
	const struct assay_value y[3] = {
		{ .number = at_n }, { .number = at_2n }, { .number = at_4n },
	};
	struct assay_slope s = { .predicted.number = predicted };

	slope_fit(&s, y, units);
	s.verdict = slope_verdict(&s, units);
	return s;
}

/* Of 100, 200 and 400 units at 3 each, 28 besides. */
static void overhead_is_apart(void **state)
{
	struct assay_slope s = fit(328, 628, 1228, 100, 3);

	(void)state;
	assert_true(s.per_unit.number == 3);
	assert_true(s.overhead.number == 28);
	assert_true(s.curvature.number == 0);
	assert_int_equal(s.verdict, ASSAY_AGREES);
}

static void a_wrong_slope_disagrees(void **state)
{
	(void)state;
	assert_int_equal(fit(328, 628, 1228, 100, 4).verdict,
			 ASSAY_DISAGREES);
	assert_int_equal(fit(328, 628, 1228, 100, 3.01).verdict,
			 ASSAY_DISAGREES);
	assert_int_equal(fit(0, 0, 0, 100, 1).verdict, ASSAY_DISAGREES);
}

/* Two counts too many in one of the runs: as much is left open. */
static void what_is_off_the_line_is_doubt(void **state)
{
	struct assay_slope s = fit(328, 630, 1228, 100, 3);

	(void)state;
	assert_true(s.curvature.number == 2);
	assert_int_equal(s.verdict, ASSAY_AGREES);
	assert_int_equal(fit(328, 630, 1228, 100, 3.1).verdict,
			 ASSAY_DISAGREES);
	assert_int_equal(fit(328, 728, 1228, 100, 3).verdict,
			 ASSAY_INCONCLUSIVE);
}

static void absent_stays_absent(void **state)
{
	struct assay_value y[3] = { { .number = 1 }, { .why = "not counted" },
				    { .number = 4 } };
	struct assay_slope s = { .predicted.number = 1 };

	(void)state;
	slope_fit(&s, y, 1);
	assert_string_equal(s.per_unit.why, "not counted");
	assert_int_equal(slope_verdict(&s, 1), ASSAY_UNAVAILABLE);
	y[1] = (struct assay_value){ .number = 2, .estimate = true };
	slope_fit(&s, y, 1);
	assert_true(s.per_unit.estimate);
	assert_int_equal(slope_verdict(&s, 1), ASSAY_INCONCLUSIVE);
	s.predicted.why = "nothing is predicted for it";
	assert_int_equal(slope_verdict(&s, 1), ASSAY_UNAVAILABLE);
}

/* Every kernel whose work repeats can be scaled by one of its options. */
static void kernels_are_scaled(void **state)
{
	static const char *const fixed[] = { "matmul", "empty" };

	(void)state;
	for (unsigned i = 0; kernel_table[i]; i++) {
		const char *option = slope_option(kernel_table[i]);
		bool is_fixed = false;

		for (int f = 0; f < 2; f++)
			is_fixed |= !strcmp(kernel_table[i]->name, fixed[f]);
		if (!option != is_fixed)
			fail_msg("%s: %s", kernel_table[i]->name,
				 option ? option : "nothing to scale");
	}
}

/* Three runs make the answer: what disturbed one of them disturbed it. */
static void the_worst_noise_of_all_three_stays(void **state)
{
	struct assay_record r[3] = { 0 };
	struct assay_record *const all[3] = { &r[0], &r[1], &r[2] };

	(void)state;
	for (int k = 0; k < 3; k++)
		noise_init(&r[k].noise);
	r[0].noise.part[ASSAY_NOISE_DRIFT].share = 0.03;
	r[1].noise.part[ASSAY_NOISE_DRIFT].share = 0.01;
	r[2].noise.part[ASSAY_NOISE_OFF].share = 0.4;
	r[2].noise.disturbed = true;
	slope_noise(all);
	assert_true(r[0].noise.part[ASSAY_NOISE_DRIFT].share == 0.03);
	assert_true(r[0].noise.part[ASSAY_NOISE_OFF].share == 0.4);
	assert_true(r[0].noise.disturbed);
	/* a simulation's noise is that nobody looked */
	r[0].noise = (struct assay_noise){ .seen = false };
	slope_noise(all);
	assert_false(r[0].noise.disturbed);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(overhead_is_apart),
		cmocka_unit_test(the_worst_noise_of_all_three_stays),
		cmocka_unit_test(a_wrong_slope_disagrees),
		cmocka_unit_test(what_is_off_the_line_is_doubt),
		cmocka_unit_test(absent_stays_absent),
		cmocka_unit_test(kernels_are_scaled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
