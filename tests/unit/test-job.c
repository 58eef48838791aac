/* SPDX-License-Identifier: MIT */
/* What the library says of jobs and options that make no sense. */
#include "check.h"

#include "assay.h"

static struct assay *assay;
static struct assay_error err;

static int never(void *ctx, const struct assay_result *result)
{
	(void)ctx;
	(void)result;
	fail_msg("something was run");
	return 1;
}

static int run(const struct assay_job *job)
{
	unsigned shapes = 77;
	int rc = assay_job_check(assay, job, &shapes, &err);

	assert_int_equal(shapes, 77);
	assert_int_equal(assay_run(assay, job, never, NULL, NULL), rc);
	return rc;
}

static void jobs_are_checked_before_they_are_run(void **state)
{
	const struct assay_setting none = { "elements", "0" };
	const struct assay_setting word = { "order", "shufled" };

	(void)state;
	assert_int_equal(run(&(struct assay_job){ .cpu = -1 }), -ASSAY_EINVAL);
	assert_string_equal(err.text, "no kernel is named");
	assert_int_equal(run(&(struct assay_job){ .kernel = "chas" }),
			 -ASSAY_ENOENT);
	assert_non_null(strstr(err.text, "did you mean 'chase'?"));
	assert_int_equal(run(&(struct assay_job){ .kernel = "chase",
			     .on = "simm" }), -ASSAY_ENOENT);
	assert_int_equal(run(&(struct assay_job){ .kernel = "chase",
			     .setting = &none, .settings = 1 }),
			 -ASSAY_ERANGE);
	assert_int_equal(run(&(struct assay_job){ .kernel = "chase",
			     .setting = &word, .settings = 1 }),
			 -ASSAY_EINVAL);
	assert_non_null(strstr(err.text, "did you mean 'shuffled'?"));
}

static void a_handle_needs_its_folders(void **state)
{
	struct assay *none = NULL;

	(void)state;
	assert_int_equal(assay_open(&none, &(struct assay_options){
		.data_dir = "/nowhere" }, &err), -ASSAY_ENOENT);
	assert_int_equal(assay_open(&none, &(struct assay_options){
		.sysroot = "/nowhere" }, &err), -ASSAY_ENOENT);
	assert_null(none);
	assay_close(none);
}

static int count(void *ctx, const struct assay_row *row)
{
	(void)row;
	++*(unsigned *)ctx;
	return 0;
}

static int stop(void *ctx, const struct assay_row *row)
{
	count(ctx, row);
	return 1;
}

static void lists_find_one_of_a_kind(void **state)
{
	static const struct { enum assay_list what; const char *name; } one[] =
	{
		{ ASSAY_LIST_FAULTS, "double" },
		{ ASSAY_LIST_QUANTITIES, "l1d_refills" },
		{ ASSAY_LIST_PROVIDERS, "sim" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(one) / sizeof(one[0]); i++) {
		unsigned n = 0, all = 0;

		assert_int_equal(assay_list(assay, one[i].what, one[i].name,
					    NULL, count, &n, &err), 0);
		assert_int_equal(n, 1);
		assert_int_equal(assay_list(assay, one[i].what, NULL, NULL,
					    count, &all, &err), 0);
		assert_true(all > 1);
		assert_int_equal(assay_list(assay, one[i].what, "nosuch", NULL,
					    count, &n, &err), -ASSAY_ENOENT);
		assert_int_equal(assay_list(assay, one[i].what, one[i].name,
					    NULL, stop, &n, &err),
				 -ASSAY_ESTOP);
		assert_int_equal(n, 2);
	}
}

static int open_handle(void **state)
{
	(void)state;
	return assay_open(&assay, NULL, &err);
}

static int close_handle(void **state)
{
	(void)state;
	assay_close(assay);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(jobs_are_checked_before_they_are_run),
		cmocka_unit_test(a_handle_needs_its_folders),
		cmocka_unit_test(lists_find_one_of_a_kind),
	};

	return cmocka_run_group_tests(tests, open_handle, close_handle);
}
