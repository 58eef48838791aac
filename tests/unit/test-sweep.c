/* SPDX-License-Identifier: MIT */
/* Lists and ranges of option values, against a kernel made for the purpose. */
#include "check.h"

#include "run/sweep.h"
#include "base/text.h"

static const char *const orders[] = { "up", "down", NULL };

static const struct kernel_option options[] = {
	{ .name = "count", .kind = ASSAY_OPTION_COUNT, .min = 1,
	  .max = 1 << 20, .initial = 7 },
	{ .name = "bytes", .kind = ASSAY_OPTION_BYTES, .min = 64,
	  .max = 1 << 30, .initial = 4096, .power_of_two = true },
	{ .name = "order", .kind = ASSAY_OPTION_CHOICE, .max = 1,
	  .words = orders },
	{ .name = "trick", .kind = ASSAY_OPTION_FLAG, .max = 1,
	  .initial = 1 },
	{ .name = "ones", .kind = ASSAY_OPTION_REAL, .max = 1000000,
	  .initial = 500000 },
};

static int resolve(struct assay_shape *shape, struct assay_error *err)
{
	if (assay_shape_get(shape, "count") == 13)
		return error_set(err, -ASSAY_ERANGE, "no thirteen");
	return 0;
}

static const struct kernel kernel = {
	.name = "made-up", .option = options, .options = 5, .resolve = resolve,
};

static int sweep(struct sweep *out, const char *name, const char *text,
		 struct assay_error *err)
{
	const struct assay_setting setting = { name, text };

	return sweep_init(out, &kernel, &setting, 1, err);
}

static void expect_values(const char *name, const char *text, unsigned n,
			  const int64_t *value)
{
	struct assay_error err;
	struct sweep s;

	if (sweep(&s, name, text, &err) < 0)
		fail_msg("%s: %s", text, err.text);
	assert_int_equal(s.shapes, n);
	for (unsigned i = 0; i < n; i++)
		assert_int_equal(s.axis[0].value[i], value[i]);
	sweep_fini(&s);
}

static void lists_and_ranges(void **state)
{
	(void)state;
	expect_values("count", "32..256", 4, (int64_t[]){ 32, 64, 128, 256 });
	expect_values("count", "5", 1, (int64_t[]){ 5 });
	expect_values("count", "1K,3,2..9", 5,
		      (int64_t[]){ 1024, 3, 2, 4, 8 });
	expect_values("count", "100..200/2", 3,
		      (int64_t[]){ 100, 141, 200 });
	/* 1 1.19 1.41 1.68 2 2.38 2.83 3.36 4: each whole number once */
	expect_values("count", "1..4/4", 4, (int64_t[]){ 1, 2, 3, 4 });
}

static void power_of_two_ranges(void **state)
{
	(void)state;
	expect_values("bytes", "4K..16K", 3,
		      (int64_t[]){ 4096, 8192, 16384 });
	expect_values("bytes", "4K..8K/4", 2, (int64_t[]){ 4096, 8192 });
}

static void words_flags_and_decimals(void **state)
{
	(void)state;
	expect_values("order", "down,up", 2, (int64_t[]){ 1, 0 });
	expect_values("trick", "off", 1, (int64_t[]){ 0 });
	expect_values("ones", "0.25,1", 2, (int64_t[]){ 250000, 1000000 });
}

static void mistakes_name_the_option(void **state)
{
	static const struct {
		const char *name, *text, *message;
		int rc;
	} row[] = {
		{ "count", "", "--count: an empty value", -ASSAY_EINVAL },
		{ "count", "1,", "--count: an empty value", -ASSAY_EINVAL },
		{ "count", "x", "--count: 'x' is not a whole number",
		  -ASSAY_EINVAL },
		{ "count", "8..4", "--count: a range A..B needs 1 <= A <= B",
		  -ASSAY_EINVAL },
		{ "count", "0..4", "--count: a range A..B needs 1 <= A <= B",
		  -ASSAY_EINVAL },
		{ "count", "1..4/0", "--count: A..B/N needs 1 <= N <= 64",
		  -ASSAY_EINVAL },
		{ "count", "99999999999999999999",
		  "--count: '99999999999999999999' is too large",
		  -ASSAY_ERANGE },
		{ "order", "dwn", "--order: 'dwn' is none of up, down\n"
		  "did you mean 'down'?", -ASSAY_EINVAL },
		{ "order", "up..down", "--order takes no range, only a list",
		  -ASSAY_EINVAL },
		{ "trick", "yes", "--trick: 'yes' is neither on nor off",
		  -ASSAY_EINVAL },
		{ "ones", "nan", "--ones: 'nan' is not a decimal number",
		  -ASSAY_EINVAL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		struct assay_error err;
		struct sweep s;
		int rc = sweep(&s, row[i].name, row[i].text, &err);

		if (rc != row[i].rc || strcmp(err.text, row[i].message))
			fail_msg("%s: %d: %s", row[i].text, rc, err.text);
	}
}

static void the_last_setting_varies_fastest(void **state)
{
	const struct assay_setting setting[] = { { "order", "up,down" },
						 { "count", "1,2,3" } };
	struct assay_shape shape;
	struct sweep s;

	(void)state;
	assert_int_equal(sweep_init(&s, &kernel, setting, 2, NULL), 0);
	assert_int_equal(s.shapes, 6);
	assert_int_equal(sweep_shape(&s, 4, &shape, NULL), 0);
	assert_int_equal(assay_shape_get(&shape, "order"), 1);
	assert_int_equal(assay_shape_get(&shape, "count"), 2);
	assert_int_equal(assay_shape_get(&shape, "bytes"), 4096);
	sweep_fini(&s);
}

static void shapes_are_checked(void **state)
{
	struct assay_shape shape;
	struct assay_error err;
	struct sweep s;

	(void)state;
	assert_int_equal(sweep(&s, "count", "13", NULL), 0);
	assert_int_equal(sweep_shape(&s, 0, &shape, &err), -ASSAY_ERANGE);
	assert_string_equal(err.text, "no thirteen");
	sweep_fini(&s);
	assert_int_equal(sweep(&s, "bytes", "5000", NULL), 0);
	assert_true(sweep_shape(&s, 0, &shape, &err) < 0);
	assert_non_null(strstr(err.text, "bytes"));
	sweep_fini(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_and_ranges),
		cmocka_unit_test(power_of_two_ranges),
		cmocka_unit_test(words_flags_and_decimals),
		cmocka_unit_test(mistakes_name_the_option),
		cmocka_unit_test(the_last_setting_varies_fastest),
		cmocka_unit_test(shapes_are_checked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
