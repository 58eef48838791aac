/* SPDX-License-Identifier: MIT */
/* The table of kernels; options, their bounds, and what is said of mistakes. */
#include "check.h"

#include "kernel-shape.h"
#include "kernels/expect.h"

static const struct kernel *kernel_or_fail(const char *name)
{
	const struct kernel *kernel = kernel_find(name);

	if (!kernel)
		fail_msg("no kernel '%s'", name);
	return kernel;
}

static void check_option(const char *kernel, const struct kernel_option *o)
{
	bool complete = o->kind == ASSAY_OPTION_COUNT ||
		     o->kind == ASSAY_OPTION_BYTES ||
		     o->kind == ASSAY_OPTION_REAL;

	if (!o->name || !o->help || strlen(o->name) >= 24)
		fail_msg("%s: an option lacks its name or help", kernel);
	if ((o->kind == ASSAY_OPTION_CHOICE) != (o->words != NULL))
		fail_msg("%s: %s: words", kernel, o->name);
	if (complete && !o->derived &&
	    (o->min > o->initial || o->initial > o->max))
		fail_msg("%s: %s: initial value out of bounds", kernel,
			 o->name);
	if ((o->initial == -1) != (o->derived != NULL))
		fail_msg("%s: %s: derived", kernel, o->name);
}

static void every_kernel_is_complete(void **state)
{
	(void)state;
	for (unsigned i = 0; kernel_table[i]; i++) {
		const struct kernel *k = kernel_table[i];
		struct assay_expectation e = { .rows = 0 };
		struct assay_error err = { .code = 0 };
		struct assay_shape shape;

		assert_ptr_equal(kernel_find(k->name), k);
		assert_true(k->summary && k->exercises && k->source);
		assert_true(k->options <= ASSAY_SHAPE_OPTIONS);
		assert_true(strlen(k->name) < sizeof(shape.kernel));
		for (unsigned o = 0; o < k->options; o++)
			check_option(k->name, &k->option[o]);
		if (k->size_option && !kernel_option(k, k->size_option))
			fail_msg("%s: no option '%s'", k->name,
				 k->size_option);
		kernel_defaults(k, &shape);
		assert_int_equal(k->resolve(&shape, &err), 0);
		assert_int_equal(kernel_check(k, &shape, &err), 0);
		assert_int_equal(k->resolve(&shape, &err), 0);
		k->expect(&shape, ISA_X86_64, NULL, false, &e);
		assert_non_null(assay_expectation_find(&e,
						       ASSAY_Q_instructions));
	}
}

static void formulas_are_evaluated(void **state)
{
	static const struct code_factor factor[] = {
		{ "n", 5 }, { "zeros", 7 }, { "passes", 3 }, { NULL, 0 }
	};
	static const struct {
		const char *formula;
		double value;	/* < 0: the term does not apply */
	} row[] = {
		{ "0", 0 }, { "120", 120 }, { "zeros", 7 },
		{ "n - 1 - 1", 3 }, { "n + 2 * zeros", 19 },
		{ "(n - 1) * n^2", 100 }, { "2 * n^3", 250 },
		{ "zeros / 2 * n", 17.5 }, { "8 / 2 / 2", 2 },
		{ "accesses", 1000 },	/* an option of watch */
		{ "accesses - 1, if op is load", 999 },
		{ "accesses, if op is store", -1 },
		{ "accesses, unless op is store", 1000 },
		{ "accesses, unless op is load", -1 },
	};
	const struct kernel *watch = kernel_or_fail("watch");
	struct assay_shape shape;

	(void)state;
	kernel_defaults(watch, &shape);
	assert_int_equal(kernel_set(watch, &shape, "op", 0, NULL), 0);
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		struct assay_expectation e = { .rows = 0 };
		const struct code_term term[] = { {
			ASSAY_Q_instructions, "", { 1, 10 }, row[i].formula, ""
		} };
		const struct code code = CODE(term, watch->option);

		expect_code(&e, &code, &shape, factor, ISA_AARCH64);
		assert_int_equal(e.rows, row[i].value >= 0);
		if (e.rows && e.row[0].value != 10 * row[i].value)
			fail_msg("%s: %g", row[i].formula, e.row[0].value);
	}
}

/* The part of a pass, and the part of all passes together. */
static void costs_are_split(void **state)
{
	static const struct code_factor factor[] = {
		{ "n", 5 }, { "passes", 3 }, { NULL, 0 }
	};
	static const struct code_term term[] = {
		{ ASSAY_Q_instructions, "", { 4, 0 }, "n * passes", "" },
		{ ASSAY_Q_loads, "", CODE_ONE, "n * passes", "" },
		{ ASSAY_Q_instructions, "", { 2, 0 }, "passes", "" },
		{ ASSAY_Q_instructions, "", { 7, 0 }, "1", "" },
	};
	const struct code code = CODE(term, NULL);
	struct code_cost cost;

	(void)state;
	cost = code_cost(&code, NULL, factor, "passes", ISA_X86_64);
	assert_int_equal(cost.pass, 22);
	assert_int_equal(cost.once, 7);
	cost = code_cost(&code, NULL, factor, NULL, ISA_X86_64);
	assert_int_equal(cost.pass, 66);
}

static void names_must_exist(void **state)
{
	const struct kernel *chase = kernel_or_fail("chase");
	struct assay_error err = { .code = 0 };
	struct assay_shape shape;

	(void)state;
	assert_null(kernel_find("Chase"));
	assert_null(kernel_find(""));
	assert_null(kernel_option(chase, "element"));
	kernel_defaults(chase, &shape);
	assert_int_equal(kernel_set(chase, &shape, "elemnts", 1, &err),
			 -ASSAY_ENOENT);
	assert_non_null(strstr(err.text, "did you mean 'elements'?"));
	assert_int_equal(kernel_set(chase, &shape, "zzz", 1, &err),
			 -ASSAY_ENOENT);
	assert_non_null(strstr(err.text, "elements, passes, accesses"));
	assert_int_equal(kernel_set(chase, &shape, "zzz", 1, NULL),
			 -ASSAY_ENOENT);
}

static void values_have_bounds(void **state)
{
	static const struct {
		const char *kernel, *option;
		int64_t value;
		int rc;
		const char *text;
	} row[] = {
		{ "chase", "elements", 0, -ASSAY_ERANGE,
		  "'elements' must be from 1 to 67108864 lines, not 0" },
		{ "chase", "elements", (1 << 26) + 1, -ASSAY_ERANGE, "lines" },
		{ "chase", "elements", INT64_MIN, -ASSAY_ERANGE, "elements" },
		{ "chase", "passes", -1, -ASSAY_ERANGE, "'passes'" },
		{ "chase", "order", 5, -ASSAY_EINVAL,
		  "shuffled, fisher-yates, page-local" },
		{ "chase", "order", -1, -ASSAY_EINVAL, "'order'" },
		{ "chase", "seed", -5, -ASSAY_ERANGE, "'seed'" },
		{ "random", "bytes", 12288, -ASSAY_ERANGE,
		  "'bytes' must be a power of two, not 12 KiB" },
		{ "random", "bytes", 2048, -ASSAY_ERANGE,
		  "'bytes' must be from 4 KiB to 1 GiB, not 2 KiB" },
		{ "random", "generator", 2, -ASSAY_EINVAL, "on or off" },
		{ "random", "seed", 0, -ASSAY_ERANGE, "'seed'" },
		{ "chase", "elements", 1 << 26, 0, NULL },
		{ "chase", "order", 3, 0, NULL },
		{ "random", "generator", 0, 0, NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		const struct kernel *kernel = kernel_or_fail(row[i].kernel);
		struct assay_error err = { .code = 0 };
		struct assay_shape shape, before;

		kernel_defaults(kernel, &shape);
		before = shape;
		assert_int_equal(kernel_set(kernel, &shape, row[i].option,
					    row[i].value, &err), row[i].rc);
		if (row[i].text && !strstr(err.text, row[i].text))
			fail_msg("'%s' lacks '%s'", err.text, row[i].text);
		if (row[i].rc)
			assert_memory_equal(&shape, &before, sizeof(shape));
	}
}

static void words_follow_values(void **state)
{
	const struct kernel *chase = kernel_or_fail("chase");
	struct assay_shape shape;

	(void)state;
	kernel_defaults(chase, &shape);
	assert_string_equal(shape.option[3].name, "order");
	assert_string_equal(shape.option[3].word, "shuffled");
	assert_int_equal(kernel_set(chase, &shape, "order", 1, NULL), 0);
	assert_string_equal(shape.option[3].word, "ping-pong");
	assert_int_equal(shape.option[1].value, -1);
}

static void saved_shapes_are_checked(void **state)
{
	const struct kernel *chase = kernel_or_fail("chase");
	struct assay_error err = { .code = 0 };
	struct assay_shape shape, bad;

	(void)state;
	assert_non_null(shape_text(&shape, "chase elements=9 passes=2", &err));
	assert_int_equal(kernel_check(chase, &shape, &err), 0);
	bad = shape;
	bad.option[0] = shape.option[1];
	bad.option[1] = shape.option[0];
	assert_int_equal(kernel_check(chase, &bad, &err), -ASSAY_ENOENT);
	bad = shape;
	bad.options--;
	assert_int_equal(kernel_check(chase, &bad, &err), -ASSAY_EINVAL);
	bad = shape;
	bad.option[0].value = INT64_MAX;
	assert_int_equal(kernel_check(chase, &bad, &err), -ASSAY_ERANGE);
	bad = shape;
	bad.option[3].value = 17;
	assert_int_equal(kernel_check(chase, &bad, &err), -ASSAY_EINVAL);
	assert_int_equal(kernel_check(kernel_or_fail("random"), &shape, &err),
			 -ASSAY_EINVAL);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kernel_is_complete),
		cmocka_unit_test(formulas_are_evaluated),
		cmocka_unit_test(costs_are_split),
		cmocka_unit_test(names_must_exist),
		cmocka_unit_test(values_have_bounds),
		cmocka_unit_test(words_follow_values),
		cmocka_unit_test(saved_shapes_are_checked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
