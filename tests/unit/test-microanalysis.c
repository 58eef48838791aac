/* SPDX-License-Identifier: MIT */
/*
 * Published counts of a Cortex-A72 against closed forms of the very machine
 * code that was measured, through the same expectations and verdicts as our
 * own kernels. Numbers: P. J. Drongowski, Cortex-A72 tuning series, 2021.
 */
#include "check.h"

#include <math.h>

#include "analysis/verdict.h"
#include "kernels/arithmetic.h"
#include "kernels/expect.h"

static struct comparison judge(const struct assay_expected *row,
			       double measured)
{
	struct comparison c;

	compare_quantity(row, (struct assay_value){ .number = measured }, &c);
	return c;
}

/* Elements, walks, instructions retired. */
static const struct { double elements, walks, instructions; } chase[] = {
	{ 32, 8388608, 847249436 }, { 64, 4194304, 826277916 },
	{ 128, 2097152, 815792156 }, { 256, 1048576, 810549276 },
	{ 512, 524288, 807927836 }, { 1024, 262144, 806617116 },
	{ 2048, 131072, 805961756 }, { 4096, 65536, 805634076 },
	{ 8192, 32768, 805470236 }, { 16384, 16384, 805388316 },
	{ 32768, 8192, 805347356 }, { 65536, 4096, 805326876 },
};

static struct assay_expected *chase_row(struct assay_expectation *e,
					double elements, double walks,
					double per_walk)
{
	struct assay_expected *row = expect_row(e, ASSAY_Q_instructions);

	expect_term(row, "walk", "3 * N * I", 3 * elements * walks,
		    "load, compare, branch");
	expect_term(row, "walks", "5 * I", per_walk * walks,
		    "the loop around the walk");
	expect_term(row, "once", "28", 28, "counters on and off");
	return row;
}

static void chase_leaves_28_in_every_row(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(chase) / sizeof(*chase); i++) {
		struct assay_expectation e = { .rows = 0 };
		struct comparison c = judge(
			chase_row(&e, chase[i].elements, chase[i].walks, 5),
			chase[i].instructions);

		assert_int_equal(c.verdict, VERDICT_AGREES);
		assert_true(c.error == 0);
	}
}

/* The same with one constant changed: not one row agrees. */
static void a_wrong_chase_is_caught(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(chase) / sizeof(*chase); i++) {
		struct assay_expectation e = { .rows = 0 };

		assert_int_equal(judge(
			chase_row(&e, chase[i].elements, chase[i].walks, 4),
			chase[i].instructions).verdict, VERDICT_DISAGREES);
	}
}

/*
 * Its disassembly: 11 instructions for a '0', one more for a '1', and two
 * conditional branches; 20,000,000 characters, half of them '1' by chance, 200
 * times over. The branch event counts speculation, too.
 */
static void branch_needs_11_and_a_half(void **state)
{
	const double chars = 20e6, times = 200;
	const double spread = 6 * times * square_root(chars / 4);
	struct assay_expectation e = { .rows = 0 };
	struct assay_expected *row = expect_row(&e, ASSAY_Q_instructions);
	struct comparison c;

	(void)state;
	expect_term(row, "chars", "11 * chars * passes", 11 * chars * times,
		    "a '0' takes 11 instructions");
	expect_term(row, "ones", "chars / 2 * passes", chars / 2 * times,
		    "a '1' takes one more");
	assert_true(row->value / (chars * times) == 11.5);
	expect_band(row, row->value - spread, row->value + spread,
		    "6 standard deviations of the number of ones");
	c = judge(row, 45999735845.0);
	assert_int_equal(c.verdict, VERDICT_AGREES);
	row = expect_exact(&e, ASSAY_Q_branches, "chars",
			   "2 * chars * passes", 2 * chars * times,
			   "one for the test, one for the loop");
	c = judge(row, 8012669711.0);
	assert_int_equal(c.verdict, VERDICT_DISAGREES);
	assert_true(c.error > 0 && c.error / row->value < 0.002);
}

static void says(const struct assay_expected *row, const double *value,
		 unsigned runs, const char *sentence)
{
	struct bias bias;
	char text[96];

	bias_of(row, value, runs, &bias);
	assert_string_equal(bias_text(&bias, text, sizeof(text)), sentence);
}

/* Two runs repeat to 3e-8, both 0.53 % above the form: a bias, no noise. */
static void matmul_is_biased(void **state)
{
	const double runs[] = { 38227831497.0, 38227830517.0 };
	static const struct code_term terms[] = {
		{ ASSAY_Q_instructions, "inner", { 38, 0 }, "n^3",
		  "the inner loop" },
		{ ASSAY_Q_instructions, "middle", { 26, 0 }, "n^2",
		  "the middle loop" },
		{ ASSAY_Q_instructions, "outer", { 9, 0 }, "n",
		  "the outer loop" },
	};
	static const struct code_factor n[] = { { "n", 1000 }, { NULL, 0 } };
	const struct code code = CODE(terms, NULL);
	struct assay_expectation e = { .rows = 0 };
	const struct assay_expected *row = &e.row[0];
	struct comparison c;

	(void)state;
	expect_code(&e, &code, NULL, n, ISA_X86_64);
	assert_true(row->value == 38026009000.0);
	for (int i = 0; i < 2; i++) {
		c = judge(row, runs[i]);
		assert_int_equal(c.verdict, VERDICT_DISAGREES);
		assert_int_equal(lround(c.error / row->value * 1e4), 53);
	}
	says(row, runs, 2, "repeatable but biased by +0.53 %");
	says(row, runs, 1, "biased by +0.53 % (one run)");
}

/* The other words for bias and repeatability, each where it belongs. */
static void bias_and_repeatability_are_apart(void **state)
{
	const double noisy[] = { 1010, 1090 }, right[] = { 1000, 1000 };
	const double tight[] = { 900, 900, 900 }, some[] = { 7, 7 };
	const double near[] = { 990, 1010 };
	struct assay_expectation e = { .rows = 0 };
	struct assay_expected *row = expect_exact(&e, ASSAY_Q_loads, "", "",
						  1000, "");
	struct assay_expected *none = expect_exact(&e, ASSAY_Q_stores, "", "",
						   0, "");

	(void)state;
	says(row, noisy, 2, "biased by +5.00 %, not repeatable (spread 7.6 %)");
	says(row, right, 2, "repeatable and as predicted (spread 0 %)");
	says(row, tight, 3, "repeatable but biased by -10.00 %");
	says(row, near, 2, "as predicted (spread 2 %)");
	says(none, some, 2,
	     "repeatable but counts where nothing is predicted");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(chase_leaves_28_in_every_row),
		cmocka_unit_test(a_wrong_chase_is_caught),
		cmocka_unit_test(branch_needs_11_and_a_half),
		cmocka_unit_test(matmul_is_biased),
		cmocka_unit_test(bias_and_repeatability_are_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
