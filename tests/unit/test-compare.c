/* SPDX-License-Identifier: MIT */
/* Comparing: medians, ranks, intervals, pairs and limits. */
#include "check.h"

#include <math.h>
#include <string.h>

#include "analysis/compare/compare.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* ---- ranks --------------------------------------------------------------- */

/* Chances of the rank sums that a table of all choices gives. */
static void ranks_are_exact_with_and_without_ties(void **state)
{
	static const double five[] = { 1, 2, 3, 4, 5 };
	static const double above[] = { 6, 7, 8, 9, 10 };
	static const double three[] = { 1, 2, 3 }, mixed[] = { 2, 4, 5 };
	static const double tied[] = { 1, 1, 2 }, tied_too[] = { 1, 2, 2 };

	(void)state;
	/* 2 of the 252 choices of 5 among 10 */
	assert_float_equal(compare_ranks(five, 5, above, 5), 2 / 252., 1e-12);
	assert_float_equal(compare_ranks(above, 5, five, 5), 2 / 252., 1e-12);
	assert_float_equal(compare_ranks(five, 5, five, 5), 1, 1e-12);
	/* ranks 2.5, 5, 6 of {1, 2.5, 2.5, 4, 5, 6}: 13.5, 3 off the mean; 6
	 * of 20 choices are as far off */
	assert_float_equal(compare_ranks(three, 3, mixed, 3), 6 / 20., 1e-12);
	/* ranks 2, 5, 5 of {2, 2, 2, 5, 5, 5}: 12; all choices are that far off */
	assert_float_equal(compare_ranks(tied, 3, tied_too, 3), 1, 1e-12);
}

/* Above EXACT_RANKS readings: near the exact chance. */
static void many_ranks_are_nearly_exact(void **state)
{
	double a[26], b[26];

	(void)state;
	for (int i = 0; i < 26; i++) {
		a[i] = 2 * i;
		b[i] = 2 * i + 11;
	}
	assert_float_equal(compare_ranks(a, 26, b, 26),
			   compare_ranks(a, 25, b, 25), 0.02);
	assert_true(compare_ranks(a, 26, a, 26) > 0.99);
}

/* ---- samples ------------------------------------------------------------- */

static struct compare_sample sample(const double *value, size_t n)
{
	return (struct compare_sample){ .value = value, .values = n };
}

static void samples_decide(void **state)
{
	static const double low[] = { 5, 3, 1, 4, 2 };
	static const double high[] = { 10, 9, 8, 7, 6 };
	static const double same[] = { 1, 2, 3, 4, 6 };
	struct compare_sample a = sample(low, 5), b = sample(high, 5);
	const struct compare_sample c = sample(same, 5);
	struct compare_change change, again;

	(void)state;
	assert_int_equal(compare_samples(&change, &a, &b, COMPARE_LESS, NULL),
			 0);
	assert_int_equal(change.state, COMPARE_WORSE);
	assert_true(change.old == 3 && change.new == 8);
	assert_true(change.low >= 1 && change.low <= 5);
	assert_true(change.high >= 5 && change.high <= 9);
	assert_int_equal(compare_samples(&again, &a, &b, COMPARE_LESS, NULL),
			 0);
	assert_true(again.low == change.low && again.high == change.high);
	compare_samples(&change, &a, &b, COMPARE_MORE, NULL);
	assert_int_equal(change.state, COMPARE_BETTER);
	compare_samples(&change, &a, &b, COMPARE_NEITHER, NULL);
	assert_int_equal(change.state, COMPARE_OTHER);
	compare_samples(&change, &a, &c, COMPARE_LESS, NULL);
	assert_int_equal(change.state, COMPARE_SAME);
	/* four readings each: 2 of 70 choices, which is above 1 % */
	a.values = b.values = 4;
	compare_samples(&change, &a, &b, COMPARE_LESS, NULL);
	assert_int_equal(change.state, COMPARE_UNKNOWN);
	assert_non_null(strstr(change.why, "too few"));
}

static void exact_counts_are_compared_exactly(void **state)
{
	static const double old = 1e15, new = 1e15 + 1;
	struct compare_sample a = sample(&old, 1), b = sample(&new, 1);
	struct compare_change change;

	(void)state;
	a.exact = b.exact = true;
	compare_samples(&change, &a, &b, COMPARE_LESS, NULL);
	assert_int_equal(change.state, COMPARE_WORSE);
	assert_true(change.exact && change.low == 1 && change.high == 1);
	compare_samples(&change, &a, &a, COMPARE_LESS, NULL);
	assert_int_equal(change.state, COMPARE_SAME);
	b.exact = false;
	compare_samples(&change, &a, &b, COMPARE_LESS, NULL);
	assert_int_equal(change.state, COMPARE_UNKNOWN);
	b.why = "no such event";
	compare_samples(&change, &a, &b, COMPARE_LESS, NULL);
	assert_string_equal(change.why, "no such event");
}

/* One draw each, with standard errors 3 and 4: 5 together. */
static void draws_are_compared_by_their_errors(void **state)
{
	static const double old = 100, near = 112, far = 114;
	struct compare_sample a = sample(&old, 1), b = sample(&near, 1);
	struct compare_change change;

	(void)state;
	a.error = 3;
	b.error = 4;
	compare_samples(&change, &a, &b, COMPARE_LESS, NULL);
	assert_int_equal(change.state, COMPARE_SAME);
	assert_float_equal(change.low, 12 - 1.96 * 5, 1e-9);
	b.value = &far;
	compare_samples(&change, &a, &b, COMPARE_LESS, NULL);
	assert_int_equal(change.state, COMPARE_WORSE);
}

static void names_say_what_is_better(void **state)
{
	(void)state;
	assert_int_equal(compare_better("l1d_refills"), COMPARE_LESS);
	assert_int_equal(compare_better("L1-dcache-load-misses"), COMPARE_LESS);
	assert_int_equal(compare_better("ns"), COMPARE_LESS);
	assert_int_equal(compare_better("ipc"), COMPARE_MORE);
	assert_int_equal(compare_better("mem_load_retired.l1_hit"),
			 COMPARE_NEITHER);
	assert_string_equal(compare_column("dram_reads"), "l3_misses");
	assert_string_equal(compare_column("l1d_misses"), "l1d_misses");
	assert_null(compare_column("branches"));
}

/* ---- pairs --------------------------------------------------------------- */

/* The spread over the layouts is large, the change of each is small. */
static void pairs_see_what_samples_do_not(void **state)
{
	static const double old[] = { 100, 900, 300, 500, 700, 200, 600, 400 };
	double new[COUNT(old)];
	struct compare_paired p;

	(void)state;
	for (size_t i = 0; i < COUNT(old); i++)
		new[i] = old[i] * 1.02;
	new[3] = 499;
	assert_int_equal(compare_pairs(&p, old, new, COUNT(old), COMPARE_LESS),
			 0);
	assert_true(p.pairs == 8 && p.worse == 7 && p.better == 1);
	assert_float_equal(p.share, 0.02, 1e-9);
	assert_float_equal(p.low, -1, 1e-9);
	assert_float_equal(p.high, 18, 1e-9);
	assert_float_equal(p.median, (6 + 8) / 2., 1e-9);
	compare_pairs(&p, old, new, COUNT(old), COMPARE_MORE);
	assert_true(p.worse == 1 && p.better == 7);
	assert_true(compare_ranks(old, COUNT(old), new, COUNT(old)) > 0.5);
}

static void pairs_from_zero_have_no_share(void **state)
{
	static const double old[] = { 0, 10 }, new[] = { 0, 11 };
	static const double more[] = { 1, 11 };
	struct compare_paired p;

	(void)state;
	compare_pairs(&p, old, new, 2, COMPARE_LESS);
	assert_float_equal(p.share, 0.05, 1e-9);
	assert_true(p.worse == 1 && p.better == 0);
	compare_pairs(&p, old, more, 2, COMPARE_LESS);
	assert_true(isnan(p.share));
}

/* ---- limits -------------------------------------------------------------- */

static const struct {
	const char *text, *quantity, *function;
	bool above, percent;
	double by;
} limits[] = {
	{ "a>+1%", "a", "", true, true, 1 },
	{ " l1d_refills\t> + 1.5 % ", "l1d_refills", "", true, true, 1.5 },
	{ "ipc<-2%", "ipc", "", false, true, -2 },
	{ "ns < - 1000", "ns", "", false, false, -1000 },
	{ "loads>0", "loads", "", true, false, 0 },
	{ "a@main>5", "a", "main", true, false, 5 },
	{ "a @ f(int, char) > +1%", "a", "f(int, char)", true, true, 1 },
	{ "a@operator<<>+1%", "a", "operator<<", true, true, 1 },
	{ "a@v<int>::push@plt<-1", "a", "v<int>::push@plt", false, false, -1 },
};

static void limits_are_read(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(limits); i++) {
		struct assay_error err;
		struct compare_limit out;

		if (compare_limit_parse(&out, limits[i].text, &err))
			fail_msg("%s: %s", limits[i].text, err.text);
		assert_string_equal(out.quantity, limits[i].quantity);
		assert_string_equal(out.function, limits[i].function);
		assert_int_equal(out.above, limits[i].above);
		assert_int_equal(out.percent, limits[i].percent);
		assert_true(out.by == limits[i].by);
	}
}

static void wrong_limits_are_refused(void **state)
{
	static const char *const wrong[] = {
		"", "a", "a+1%", ">1", "a>", "a>%", "a>+", "a>+-1", "a>1e3",
		"a>0x1", "a>nan", "a>inf", "a>1%%", "a>1% x", "a@>1", "@f>1",
		"a>1\nb>2", "a>.5", "a>9999999999999999999",
	};
	char quantity[ASSAY_NAME + 3];	/* one letter too many */

	(void)state;
	for (size_t i = 0; i < COUNT(wrong); i++) {
		struct assay_error err = { 0 };
		struct compare_limit out;

		if (compare_limit_parse(&out, wrong[i], &err) != -ASSAY_EINVAL)
			fail_msg("'%s' is a limit", wrong[i]);
		assert_non_null(strstr(err.text, "try:"));
	}
	memset(quantity, 'q', sizeof(quantity));
	strcpy(quantity + sizeof(quantity) - 3, ">1");
	assert_int_equal(compare_limit_parse(&(struct compare_limit){ 0 },
					     quantity, NULL), -ASSAY_EINVAL);
}

static enum compare_kept check(const char *text, double old, double new)
{
	const struct compare_change change = {
		.state = compare_state_of(old, new, COMPARE_LESS),
		.old = old, .new = new,
	};
	const char *why = NULL;
	struct compare_limit limit;
	enum compare_kept kept;

	assert_int_equal(compare_limit_parse(&limit, text, NULL), 0);
	kept = compare_limit_check(&limit, &change, &why);
	assert_int_equal(kept == COMPARE_NOT_JUDGED, why != NULL);
	return kept;
}

static void limits_are_closed(void **state)
{
	struct compare_limit limit;
	const struct compare_change unshown = {
		.state = COMPARE_SAME, .old = 100, .new = 120,
	};
	const char *why;

	(void)state;
	assert_int_equal(check("a>+1%", 100, 101), COMPARE_KEPT);
	assert_int_equal(check("a>+1%", 100, 102), COMPARE_EXCEEDED);
	assert_int_equal(check("a>+1%", 100, 50), COMPARE_KEPT);
	assert_int_equal(check("a<-1%", 100, 98), COMPARE_EXCEEDED);
	assert_int_equal(check("a<-1%", 100, 99), COMPARE_KEPT);
	assert_int_equal(check("a>+2", 0, 2), COMPARE_KEPT);
	assert_int_equal(check("a>+2", 0, 3), COMPARE_EXCEEDED);
	assert_int_equal(check("a>+2%", 0, 3), COMPARE_NOT_JUDGED);
	assert_int_equal(check("a>+2%", 0, 0), COMPARE_KEPT);
	/* a gain of 5 % is asked for */
	assert_int_equal(check("a>-5%", 100, 96), COMPARE_EXCEEDED);
	assert_int_equal(check("a>-5%", 100, 94), COMPARE_KEPT);
	/* a change that is not shown is none */
	compare_limit_parse(&limit, "a>+1%", NULL);
	assert_int_equal(compare_limit_check(&limit, &unshown, &why),
			 COMPARE_KEPT);
	compare_limit_parse(&limit, "a>-1%", NULL);
	assert_int_equal(compare_limit_check(&limit, &unshown, &why),
			 COMPARE_EXCEEDED);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranks_are_exact_with_and_without_ties),
		cmocka_unit_test(many_ranks_are_nearly_exact),
		cmocka_unit_test(samples_decide),
		cmocka_unit_test(exact_counts_are_compared_exactly),
		cmocka_unit_test(draws_are_compared_by_their_errors),
		cmocka_unit_test(names_say_what_is_better),
		cmocka_unit_test(pairs_see_what_samples_do_not),
		cmocka_unit_test(pairs_from_zero_have_no_share),
		cmocka_unit_test(limits_are_read),
		cmocka_unit_test(wrong_limits_are_refused),
		cmocka_unit_test(limits_are_closed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
