/* SPDX-License-Identifier: MIT */
/* The gate's decisions on given counts, and which line is which. */
#include "check.h"

#include <unistd.h>

#include "ci/judge.h"
#include "ci/layout.h"
#include "ci/lines.h"

static const struct ci_budget one_percent = {
	ASSAY_Q_l1d_refills, { "l1d_refills", "", true, true, 1 }, 8
};
static const struct ci_budget hundred = {
	ASSAY_Q_l1d_refills, { "l1d_refills", "", true, false, 100 }, 8
};

static enum ci_verdict judge(const struct ci_budget *b, const double *base,
			     const double *head, unsigned pairs)
{
	struct ci_judged j;

	assert_int_equal(ci_judge(&j, b, base, head, pairs, NULL), 0);
	return j.verdict;
}

/* Pairs of 10 000 and 10 000 + by[i]. */
static enum ci_verdict judge_by(const struct ci_budget *b, const double *by)
{
	double base[8], head[8];

	for (int i = 0; i < 8; i++) {
		base[i] = 10000;
		head[i] = 10000 + by[i];
	}
	return judge(b, base, head, 8);
}

static void test_verdicts(void **state)
{
	static const struct { double by[8]; enum ci_verdict want; } rows[] = {
		{ { 0 }, CI_INSIDE },
		{ { 200, 200, 200, 200, 200, 200, 200, 200 }, CI_OVER },
		/* 7 of 8 pairs, but not 6 */
		{ { 200, 200, 200, 200, 200, 200, 200, -900 }, CI_OVER },
		{ { 200, 200, 200, 200, 200, 200, -1, -1 }, CI_INSIDE },
		/* the median decides, not the mean */
		{ { 9000, 9000, 9000, 9000, 90, 90, 90, 90 }, CI_OVER },
		{ { 9000, 9000, 9000, 90, 90, 90, 90, 90 }, CI_INSIDE },
		{ { 100, 100, 100, 100, 100, 100, 100, 100 }, CI_INSIDE },
		{ { 101, 101, 101, 101, 101, 101, 101, 101 }, CI_OVER },
		{ { -200, -200, -200, -200, -200, -200, -200, 1 }, CI_BETTER },
		{ { -200, -200, -200, -200, -200, -200, 1, 1 }, CI_INSIDE },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		assert_int_equal(judge_by(&one_percent, rows[i].by),
				 rows[i].want);
		assert_int_equal(judge_by(&hundred, rows[i].by), rows[i].want);
	}
}

static void test_floor(void **state)
{
	const double base[] = { 1000 }, below[] = { 1063 }, at[] = { 1064 };
	const double zero[] = { 0 };

	(void)state;
	assert_int_equal(judge(&one_percent, base, below, 1), CI_INSIDE);
	assert_int_equal(judge(&one_percent, base, at, 1), CI_OVER);
	/* from nothing, any change is more than each per cent */
	assert_int_equal(judge(&one_percent, zero, at, 1), CI_OVER);
	assert_int_equal(judge(&one_percent, zero, zero, 1), CI_INSIDE);
}

/* Runs that end early end with the verdict of all pairs. */
static void test_early_end(void **state)
{
	unsigned early = 0, all = 0;

	(void)state;
	srand(1);
	for (int i = 0; i < 20000; i++) {
		double base[8], head[8];
		unsigned n = 1;

		for (int k = 0; k < 8; k++) {
			base[k] = 5000 + rand() % 10;
			head[k] = base[k] + rand() % 300 - (i % 3 - 1) * 100 -
				  100;
			if (i % 5 == 0)
				head[k] = base[k] + rand() % 3 * 60 - 60;
		}
		while (ci_judge_open(&one_percent, base, head, n))
			n++;
		assert_in_range(n, 1, 8);
		if (n < 8)
			assert_int_equal(judge(&one_percent, base, head, 8),
					 CI_INSIDE);
		early += n < 8;
		all += n == 8;
	}
	assert_true(early > 5000 && all > 1000);
}

static void test_still(void **state)
{
	(void)state;
	assert_true(ci_judge_still(&one_percent, 10000, 10010));
	assert_false(ci_judge_still(&one_percent, 10000, 10011));
	assert_false(ci_judge_still(&one_percent, 0, 1));
}

static void test_layouts(void **state)
{
	struct layout a, b;
	unsigned differ = 0;

	(void)state;
	layout_draw(&a, 0);
	assert_true(!a.stack && !a.heap && !a.path);
	assert_string_equal(a.page_map, "random:1");
	for (unsigned i = 1; i < CI_LAYOUTS; i++) {
		layout_draw(&a, i);
		layout_draw(&b, i);
		assert_memory_equal(&a, &b, sizeof(a));
		assert_true(a.stack % 16 == 0 && a.stack < 4096);
		assert_true(a.heap % 16 == 0 && a.heap && a.heap < 1 << 16);
		layout_draw(&b, i - 1);
		differ += a.stack != b.stack && a.heap != b.heap &&
			  a.path != b.path;
	}
	assert_true(differ > CI_LAYOUTS - 5);
}

/* ---- lines --------------------------------------------------------------- */

static char base_file[] = "/tmp/assay-ci-base-XXXXXX";
static char head_file[] = "/tmp/assay-ci-head-XXXXXX";
static char program[] = "/tmp/assay-ci-prog-XXXXXX";

static void put_file(char *name, const char *text)
{
	const int fd = mkstemp(name);

	assert_true(fd >= 0 &&
		    write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
}

/* Rows of all lines of a file: line i has 10 * i instructions, line `more` 7
 * others. */
static void read_lines(struct ci_lines *out, const char *file, int lines,
		       int more)
{
	char *text = NULL;
	size_t bytes;
	FILE *rows = open_memstream(&text, &bytes);

	for (int i = 1; i <= lines; i++)
		fprintf(rows, "f\t%s:%d\t%s\t%d 0 0 0 0 0 0 0 0\n", file, i,
			program, 10 * i + (i == more ? 7 : 0));
	fprintf(rows, "malloc\t\t/lib/libc.so.6\t500 0 0 0 0 0 0 0 0\n");
	fclose(rows);
	*out = (struct ci_lines){ .n = 0 };
	assert_int_equal(ci_lines_read(out, text, program, NULL), 0);
}

/* The line of the head that has most more instructions, by text. */
static void check_most(int lines, int more, const char *want, int64_t counts)
{
	struct ci_lines base, head;
	struct ci_pair *pair;
	size_t pairs;

	read_lines(&base, base_file, 4, 0);
	read_lines(&head, head_file, lines, more);
	assert_int_equal(base.objects, 1);
	assert_int_equal(ci_lines_match(&pair, &pairs, &base, &head, NULL), 0);
	ci_lines_sort(pair, pairs, TALLY_instructions);
	assert_string_equal(pair->head->text, want);
	assert_int_equal(ci_line_more(pair, TALLY_instructions), counts);
	free(pair);
	ci_lines_fini(&base);
	ci_lines_fini(&head);
}

static void test_lines(void **state)
{
	(void)state;
	put_file(base_file, "a\nb\n  c\nd\n");
	put_file(head_file, "a\nnew\nb\nc  \nd\n");
	put_file(program, "");
	/* line 2 is new; all behind it have moved by one, and 10 more */
	check_most(5, 0, "new", 20);
	/* line 4 of the head is line 3 of the base */
	check_most(5, 4, "new", 20);
	unlink(base_file);
	unlink(head_file);
	unlink(program);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_verdicts),
		cmocka_unit_test(test_floor),
		cmocka_unit_test(test_early_end),
		cmocka_unit_test(test_still),
		cmocka_unit_test(test_layouts),
		cmocka_unit_test(test_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
