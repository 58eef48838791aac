/* SPDX-License-Identifier: MIT */
/* Predicted against measured: the band is closed, and doubt is no verdict. */
#include "check.h"

#include <math.h>

#include "analysis/verdict.h"

static const struct {
	double low, high;
	struct assay_value measured;
	enum verdict verdict;
	double error;	/* against a prediction of 10 */
} rows[] = {
	{ 10, 10, { .number = 10 }, VERDICT_AGREES, 0 },
	{ 10, 10, { .number = 11 }, VERDICT_DISAGREES, 1 },
	{ 10, 10, { .number = 9 }, VERDICT_DISAGREES, -1 },
	{ 10, 10, { .number = 10.5 }, VERDICT_DISAGREES, 0.5 },
	{ 9, 12, { .number = 9 }, VERDICT_AGREES, -1 },
	{ 9, 12, { .number = 12 }, VERDICT_AGREES, 2 },
	{ 9, 12, { .number = 8.999 }, VERDICT_DISAGREES, 8.999 - 10 },
	{ 9, 12, { .number = 12.001 }, VERDICT_DISAGREES, 12.001 - 10 },
	{ 9, 12, { .number = 0 }, VERDICT_DISAGREES, -10 },
	/* an estimate proves nothing, on either side */
	{ 10, 10, { .number = 10, .estimate = true }, VERDICT_INCONCLUSIVE,
	  0 },
	{ 10, 10, { .number = 99, .estimate = true }, VERDICT_INCONCLUSIVE,
	  89 },
	/* no band */
	{ NAN, NAN, { .number = 10 }, VERDICT_INCONCLUSIVE, 0 },
	{ 12, 9, { .number = 10 }, VERDICT_INCONCLUSIVE, 0 },
	{ 9, INFINITY, { .number = 10 }, VERDICT_INCONCLUSIVE, 0 },
	{ -INFINITY, 12, { .number = 10 }, VERDICT_INCONCLUSIVE, 0 },
	/* absent: whatever else is there is not looked at */
	{ 10, 10, { .why = "not counted" }, VERDICT_UNAVAILABLE, 0 },
	{ 10, 10, { .number = 10, .why = "dead" }, VERDICT_UNAVAILABLE, 0 },
	{ NAN, NAN, { .why = "x", .estimate = true }, VERDICT_UNAVAILABLE, 0 },
};

static void bands_decide(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct assay_expected expected = {
			.value = 10, .low = rows[i].low, .high = rows[i].high,
		};
		struct comparison out;

		compare_quantity(&expected, rows[i].measured, &out);
		if (out.verdict != rows[i].verdict)
			fail_msg("row %zu: %s", i, verdict_names[out.verdict]);
		assert_true(out.error == rows[i].error);
		assert_ptr_equal(out.expected, &expected);
		assert_ptr_equal(out.measured.why, rows[i].measured.why);
	}
}

static void verdicts_have_words(void **state)
{
	(void)state;
	assert_string_equal(verdict_names[VERDICT_AGREES], "agrees");
	assert_string_equal(verdict_names[VERDICT_DISAGREES], "disagrees");
	assert_string_equal(verdict_names[VERDICT_INCONCLUSIVE],
			    "inconclusive");
	assert_string_equal(verdict_names[VERDICT_UNAVAILABLE],
			    "unavailable");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bands_decide),
		cmocka_unit_test(verdicts_have_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
