/* SPDX-License-Identifier: MIT */
/*
 * Expressions: precedence, numbers, absent operands, division, the place of
 * every kind of mistake, and limits.
 */
#include "check.h"

#include "assay/error.h"
#include "base/expr.h"

/* a = 7, b = 2, zero = 0, gone = absent, rough = 10 (an estimate), huge */
static const char *const names[] = { "a", "b", "zero", "gone", "rough", "huge",
				     "L1D.MISS:ALL", "min_", NULL };

static int find(void *ctx, const char *name)
{
	(void)ctx;
	for (int i = 0; names[i]; i++)
		if (strcmp(names[i], name) == 0)
			return i;
	return -1;
}

static struct assay_value value(const void *ctx, int name)
{
	static const double numbers[] = { 7, 2, 0, 0, 10, 1e308, 100, 3 };
	struct assay_value v = { .number = numbers[name] };

	(void)ctx;
	if (name == 3)
		v.why = "it is gone";
	v.estimate = name == 4;
	return v;
}

static struct assay_value evaluate(const char *text)
{
	struct assay_error err = { 0 };
	struct expr e;
	int rc = expr_parse(&e, text, find, NULL, NULL, &err);

	if (rc)
		fail_msg("%s: %s", text, err.text);
	return expr_value(&e, value, NULL);
}

static void numbers(void **state)
{
	static const struct { const char *text; double is; } rows[] = {
		{ "1 + 2 * 3", 7 }, { "(1 + 2) * 3", 9 },
		{ "10 - 4 - 3", 3 }, { "24 / 4 / 2", 3 },
		{ "24 / (4 / 2)", 12 }, { "2 * 3 + 4 * 5", 26 },
		{ "8 - 2 * 3", 2 }, { "-2 * 3", -6 }, { "2 * -3", -6 },
		{ "--a", 7 }, { "-(a - b)", -5 }, { "a - -b", 9 },
		{ "a/b*b", 7 }, { "a-b+b", 7 },
		{ "min(a, b)", 2 }, { "max(a, b)", 7 },
		{ "min(a - 6, b) + max(1, 2) * 10", 21 },
		{ "max(min(a, b), min(5, 4))", 4 },
		{ "less(b, a) + 2 * less(a, b) + 4 * less(a, a)", 1 },
		{ "0x41", 65 }, { "0xfF", 255 }, { "0X10 + 1", 17 },
		{ "4.01", 4.01 }, { "0.1", 0.1 }, { "20.9 * 2", 41.8 },
		{ "186.5", 186.5 }, { "7.28", 7.28 }, { "5.", 5 },
		{ "0.0000001", 1e-7 }, { "000012", 12 },
		{ "123456789012345", 123456789012345.0 },
		{ " \ta\n+\r1 ", 8 }, { "L1D.MISS:ALL / a", 100.0 / 7 },
		{ "min_ + 1", 4 }, { "zero / a", 0 }, { "zero - a", -7 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct assay_value v = evaluate(rows[i].text);

		if (v.why || v.number != rows[i].is || v.estimate)
			fail_msg("%s is %.17g (%s), not %.17g", rows[i].text,
				 v.number, v.why, rows[i].is);
	}
}

static void absent(void **state)
{
	static const struct { const char *text, *why; } rows[] = {
		{ "gone", "it is gone" }, { "a + gone", "it is gone" },
		{ "gone * zero", "it is gone" }, { "-gone", "it is gone" },
		{ "min(a, gone)", "it is gone" },
		{ "max(gone, a)", "it is gone" },
		{ "less(a, gone)", "it is gone" },
		{ "gone / zero", "it is gone" },
		{ "a / zero", "division by zero" },
		{ "zero / zero", "division by zero" },
		{ "a / (b - 2)", "division by zero" },
		{ "max(a, b / zero)", "division by zero" },
		{ "gone + a / zero", "it is gone" },
		{ "huge * 10", "the result is not a finite number" },
		{ "huge * 10 - huge * 10", "the result is not a finite number" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct assay_value v = evaluate(rows[i].text);

		if (!v.why || strcmp(v.why, rows[i].why))
			fail_msg("%s: %s", rows[i].text, v.why);
	}
}

static void estimates_stay_estimates(void **state)
{
	(void)state;
	assert_true(evaluate("rough").estimate);
	assert_true(evaluate("a + 2 * rough").estimate);
	assert_true(evaluate("-min(rough, a)").estimate);
	assert_false(evaluate("a + b").estimate);
}

static void empty_has_no_value(void **state)
{
	const struct expr e = { 0 };

	(void)state;
	assert_string_equal(expr_value(&e, value, NULL).why, "no expression");
}

static void mistakes(void **state)
{
	static const struct {
		const char *text;
		int code;
		size_t column;
		const char *said;
	} rows[] = {
		{ "", -ASSAY_EPARSE, 0,
		  "expected a number, a name or '(', but it ends here" },
		{ "a +", -ASSAY_EPARSE, 3,
		  "expected a number, a name or '(', but it ends here" },
		{ "a + * b", -ASSAY_EPARSE, 4,
		  "expected a number, a name or '(', not '*'" },
		{ "a b", -ASSAY_EPARSE, 2, "expected an operator, not 'b'" },
		{ "a )", -ASSAY_EPARSE, 2, "expected an operator, not ')'" },
		{ "(a + b", -ASSAY_EPARSE, 6,
		  "expected ')' or an operator, but it ends here" },
		{ "min(a b)", -ASSAY_EPARSE, 6, "expected ',', not 'b'" },
		{ "max(a, b", -ASSAY_EPARSE, 8,
		  "expected ')', but it ends here" },
		{ "min(a, b, zero)", -ASSAY_EPARSE, 8,
		  "expected ')', not ','" },
		{ "a % b", -ASSAY_EPARSE, 2, "expected an operator, not '%'" },
		{ "12x", -ASSAY_EPARSE, 2, "a number ends in a letter" },
		{ "1.2.3", -ASSAY_EPARSE, 3, "a number ends in a letter" },
		{ "0x", -ASSAY_EPARSE, 2,
		  "expected a hexadecimal digit, but it ends here" },
		{ "0xg", -ASSAY_EPARSE, 2,
		  "expected a hexadecimal digit, not 'g'" },
		{ "0x12345678901234", -ASSAY_EPARSE, 16,
		  "the number has too many digits" },
		{ "1234567890123456", -ASSAY_EPARSE, 15,
		  "the number has too many digits" },
		{ "a / 0", -ASSAY_EPARSE, 4, "division by zero" },
		{ "a /-(2*2-4) + b", -ASSAY_EPARSE, 3, "division by zero" },
		{ "a + l2_lod", -ASSAY_ENOENT, 4, "l2_lod" },
		{ "min", -ASSAY_ENOENT, 0, "min" },
		{ ".5", -ASSAY_EPARSE, 0,
		  "expected a number, a name or '(', not '.'" },
		{ "a + \xff", -ASSAY_EPARSE, 4,
		  "expected a number, a name or '(', not '?'" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct assay_error err = { 0 };
		struct expr e = { .nodes = 77 };
		size_t column = 999;
		int rc = expr_parse(&e, rows[i].text, find, NULL, &column,
				    &err);

		if (rc != rows[i].code || column != rows[i].column ||
		    strcmp(err.text, rows[i].said) || err.code != rc)
			fail_msg("'%s': %d at %zu: %s", rows[i].text, rc,
				 column, err.text);
		assert_int_equal(e.nodes, 77);	/* untouched */
		assert_int_equal(expr_parse(&e, rows[i].text, find, NULL, NULL,
					    NULL), rc);
	}
}

/* A text of n times `one`, then `end`. */
static char *repeated(const char *one, size_t n, const char *end)
{
	char *text = malloc(strlen(one) * n + strlen(end) + 1);

	assert_non_null(text);
	*text = '\0';
	for (size_t i = 0; i < n; i++)
		strcpy(text + i * strlen(one), one);
	strcat(text, end);
	return text;
}

static int parse_repeated(const char *one, size_t n, const char *end,
			  struct assay_error *err)
{
	char *text = repeated(one, n, end);
	struct expr e;
	int rc = expr_parse(&e, text, find, NULL, NULL, err);

	free(text);
	return rc;
}

static void limits(void **state)
{
	struct assay_error err;

	(void)state;
	/* n terms need 2 n - 1 nodes */
	assert_int_equal(parse_repeated("a+", 31, "a", &err), 0);
	assert_int_equal(parse_repeated("a+", 32, "a", &err), -ASSAY_EPARSE);
	assert_string_equal(err.text, "the expression is too long");
	assert_int_equal(parse_repeated("(", 1000000, "a", &err),
			 -ASSAY_EPARSE);
	assert_string_equal(err.text, "the expression is nested too deep");
	assert_int_equal(parse_repeated("-", 1000000, "a", &err),
			 -ASSAY_EPARSE);
	assert_int_equal(parse_repeated("min(", 1000000, "a", &err),
			 -ASSAY_EPARSE);
	assert_int_equal(parse_repeated("x", 1000, "", &err), -ASSAY_EPARSE);
	assert_string_equal(err.text, "the name is too long");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers),
		cmocka_unit_test(absent),
		cmocka_unit_test(estimates_stay_estimates),
		cmocka_unit_test(empty_has_no_value),
		cmocka_unit_test(mistakes),
		cmocka_unit_test(limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
