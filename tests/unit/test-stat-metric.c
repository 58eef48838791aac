/* SPDX-License-Identifier: MIT */
/* Metrics of several runs, and their errors, on made-up counts. */
#include <math.h>

#include "check.h"

#include "stat/stat.h"
#include "base/record.h"

#define RUNS 6

static const char text[] =
	"schema: assay-formulas/1\nname: m\ntitle: t\nsource: s\n"
	"cpus: [linux]\nevents:\n  a: A\n  b: B\nformulas:\n"
	"  - metric: ratio\n    is: b / a\n"
	"  - metric: sum\n    is: a + b\n"
	"  - metric: one\n    is: a\n"
	"  - metric: left\n    is: b / (a - 7)\n";

enum { RATIO, SUM, ONE, LEFT };

static struct formula_file *file;

static struct assay_record *record_of(const double *a, const double *b)
{
	struct assay_record *r = record_new(2, RUNS);

	assert_non_null(r);
	strcpy(r->event[0].name, "A");
	strcpy(r->event[1].name, "B");
	for (unsigned run = 0; run < RUNS; run++)
		for (unsigned e = 0; e < 2; e++) {
			const double x = e ? b[run] : a[run];

			if (x < 0)
				continue;
			r->counts[run * 2 + e] = (struct assay_count){
				.value = (uint64_t)x, .enabled = 1,
				.running = 1 };
		}
	return r;
}

/* a, b < 0: not counted in that run. */
static struct assay_stat_metric metric(const double *a, const double *b,
				       unsigned sets, unsigned formula)
{
	struct assay_record *r = record_of(a, b);
	struct assay_stat_metric m = { .value = { .why = NULL } };
	struct stat_means means;

	assert_int_equal(stat_means_init(&means, r, sets), 0);
	stat_metric_value(&m, &means, file, &file->formula[formula]);
	stat_means_fini(&means);
	record_free(r);
	return m;
}

static bool near(double x, double y)
{
	return fabs(x - y) <= 1e-9 * (1 + fabs(y));
}

static const double a[RUNS] = { 10, 13, 9, 21, 17, 12 };
static const double b[RUNS] = { 5, 2, 8, 1, 1, 9 };

static void means_are_not_rounded(void **ctx)
{
	const struct assay_stat_metric m = metric(a, b, 1, ONE);
	double mean, error;

	(void)ctx;
	stat_mean(a, RUNS, &mean, &error);
	assert_true(near(m.value.number, 82.0 / 6));
	assert_null(m.error_why);
	assert_true(near(m.error, error));
}

/* Of a sum, the error is that of the sums of each run. */
static void correlated_counts_have_their_own_error(void **ctx)
{
	double sums[RUNS], twice[RUNS], mean, error;
	struct assay_stat_metric m;

	(void)ctx;
	for (int i = 0; i < RUNS; i++) {
		sums[i] = a[i] + b[i];
		twice[i] = 2 * a[i];
	}
	stat_mean(sums, RUNS, &mean, &error);
	m = metric(a, b, 1, SUM);
	assert_true(near(m.value.number, mean) && near(m.error, error));
	/* Each of them differs much; their ratio never does. */
	m = metric(a, twice, 1, RATIO);
	assert_true(near(m.value.number, 2));
	assert_true(m.error < 1e-9);
}

/* The textbook's first order: the residuals of b - ratio * a, over mean a. */
static void ratios_have_nearly_the_linear_error(void **ctx)
{
	const double large[RUNS] = { 1000, 1010, 995, 1003, 1008, 990 };
	const double small[RUNS] = { 500, 498, 503, 507, 499, 489 };
	const struct assay_stat_metric m = metric(large, small, 1, RATIO);
	double residual[RUNS], mean, error;

	(void)ctx;
	for (int i = 0; i < RUNS; i++)
		residual[i] = small[i] - m.value.number * large[i];
	stat_mean(residual, RUNS, &mean, &error);
	error /= 6006.0 / 6;
	assert_true(fabs(m.error - error) < 0.01 * error);
}

static void events_in_turns_are_independent(void **ctx)
{
	const double even[RUNS] = { 10, -1, 14, -1, 18, -1 };
	const double odd[RUNS] = { -1, 3, -1, 4, -1, 8 };
	const double x[3] = { 10, 14, 18 }, y[3] = { 3, 4, 8 };
	const struct assay_stat_metric m = metric(even, odd, 2, SUM);
	double mean, ex, ey;

	(void)ctx;
	stat_mean(x, 3, &mean, &ex);
	stat_mean(y, 3, &mean, &ey);
	assert_true(near(m.value.number, 19));
	assert_null(m.error_why);
	assert_true(near(m.error, sqrt(ex * ex + ey * ey)));
}

static void an_error_that_is_not_known_says_why(void **ctx)
{
	const double once[RUNS] = { -1, -1, 5, -1, -1, -1 };
	/* Without the last run the mean of a is 7. */
	const double seven[RUNS] = { 7, 7, 7, 7, 7, 13 };
	struct assay_stat_metric m = metric(once, b, 1, SUM);

	(void)ctx;
	assert_non_null(m.error_why);
	assert_string_equal(m.error_why, "counted in one run only");
	m = metric(seven, b, 1, LEFT);
	assert_non_null(m.error_why);
	assert_true(near(m.value.number, (26.0 / 6) / 1));
	assert_non_null(strstr(m.error_why, "division"));
}

static int load(void **ctx)
{
	struct assay_error err;

	(void)ctx;
	if (formula_parse(&file, "m.yaml", text, sizeof(text) - 1, NULL, &err))
		fail_msg("%s", err.text);
	return 0;
}

static int unload(void **ctx)
{
	(void)ctx;
	formula_free(file);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(means_are_not_rounded),
		cmocka_unit_test(correlated_counts_have_their_own_error),
		cmocka_unit_test(ratios_have_nearly_the_linear_error),
		cmocka_unit_test(events_in_turns_are_independent),
		cmocka_unit_test(an_error_that_is_not_known_says_why),
	};

	return cmocka_run_group_tests(tests, load, unload);
}
