/* SPDX-License-Identifier: MIT */
/* Bars, plots and wrapped lines. */
#include "check.h"

#include <math.h>

#include "report-sink.h"
#include "report/wrap.h"

static void bars_lose_no_column(void **state)
{
	const struct report_style ascii = { .utf8 = false };
	const double thirds[] = { 1. / 3, 1. / 3, 1. / 3 };
	const double odd[] = { 0.5, -0.3, NAN, 0.9 };
	char bar[64];

	(void)state;
	report_bar(bar, sizeof(bar), thirds, 3, 10, &ascii);
	assert_string_equal(bar, "###====---");
	report_bar(bar, sizeof(bar), odd, 4, 10, &ascii);
	assert_string_equal(bar, "#####.....");
	report_bar(bar, sizeof(bar), odd, 1, 4, &ascii);
	assert_string_equal(bar, "##  ");
	report_bar(bar, sizeof(bar), odd, 1, 4, &plain);
	assert_string_equal(bar, "██  ");
	report_bar(bar, 3, thirds, 3, 10, &ascii);
	assert_string_equal(bar, "##");
}

static void plot(struct sink *sink, const double *y, size_t points)
{
	static const double x[] = { 1024, 2048, 4096, 8192 };
	const struct report_mark mark = { 4096, "L1D" };
	const struct report_series series = { "time", x, y, points, PLOT_LINE };
	const struct report_plot plot = {
		.title = "title", .x_unit = "bytes", .y_unit = "ns",
		.series = &series, .series_count = 1, .mark = &mark,
		.marks = 1,
	};

	report_plot(sink->report, &plot);
}

static void plots(void **state)
{
	const struct report_style ascii = { .utf8 = false, .columns = 60 };
	const double rise[] = { 1, 1, 10, 100 }, none[] = { NAN, NAN },
		     flat[] = { 0, 0, 0, 0 };
	struct sink sink;

	(void)state;
	sink_open(&sink, REPORT_TEXT, &ascii);
	plot(&sink, rise, 4);
	plot(&sink, flat, 4);
	sink_close(&sink);
	assert_non_null(strstr(sink.text, "title\nns   * time\n"));
	assert_non_null(strstr(sink.text, "L1D"));
	assert_non_null(strstr(sink.text, "     100+"));
	assert_non_null(strstr(sink.text, "1K "));
	assert_non_null(strstr(sink.text, "8K\n"));
	assert_non_null(strstr(sink.text, "1+****"));
	free(sink.text);
	sink_open(&sink, REPORT_TEXT, &plain);
	plot(&sink, rise, 4);
	sink_close(&sink);
	assert_non_null(strstr(sink.text, "┊"));
	assert_non_null(strstr(sink.text, "⣀"));
	free(sink.text);
	sink_open(&sink, REPORT_TEXT, &plain);
	plot(&sink, none, 2);
	expect(&sink, "");
	sink_open(&sink, REPORT_JSON, &plain);
	plot(&sink, rise, 4);
	expect(&sink, "");
}

/* Names that lie on each other take three lines; a fourth is left out. */
static void marks_stand_above_each_other(void **state)
{
	static const double x[] = { 1024, 2048, 4096, 8192 };
	const double y[] = { 1, 1, 10, 100 };
	const struct report_mark mark[] = {
		{ 4096, "one" }, { 4096, "two" }, { 4096, "three" },
		{ 4096, "four" },
	};
	const struct report_series series = { "time", x, y, 4, PLOT_LINE };
	const struct report_plot plot = {
		.title = "title", .x_unit = "bytes", .y_unit = "ns",
		.series = &series, .series_count = 1, .mark = mark,
		.marks = 4,
	};
	struct sink sink;

	(void)state;
	sink_open(&sink, REPORT_TEXT, &plain);
	report_plot(sink.report, &plot);
	sink_close(&sink);
	assert_non_null(strstr(sink.text, "one\n"));
	assert_non_null(strstr(sink.text, "two\n"));
	assert_non_null(strstr(sink.text, "three\n"));
	assert_null(strstr(sink.text, "four"));
	free(sink.text);
}

static void wrapping(void **state)
{
	const char *rest = "  ééé bb cccccccc";
	struct wrap_line line;

	(void)state;
	assert_true(wrap_next(&rest, 6, " ", &line));
	assert_int_equal(line.width, 6);
	assert_memory_equal(line.start, "ééé bb", line.bytes);
	assert_true(wrap_next(&rest, 6, " ", &line));
	assert_int_equal(line.width, 6);
	assert_true(wrap_next(&rest, 6, " ", &line));
	assert_int_equal(line.width, 2);
	assert_false(wrap_next(&rest, 6, " ", &line));
	assert_int_equal(wrap_count("L1D_CACHE_RD", 6, "_"), 3);
	assert_int_equal(wrap_widest_part("L1D_CACHE_RD", "_"), 6);
	assert_false(wrap_nth("a b", 1, " ", 2, &line));
	assert_int_equal(line.bytes, 0);
	assert_true(wrap_nth("of 226 990 030", 8, " ", 0, &line));
	assert_int_equal(line.bytes, 2);	/* no end within a number */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bars_lose_no_column),
		cmocka_unit_test(plots),
		cmocka_unit_test(marks_stand_above_each_other),
		cmocka_unit_test(wrapping),
	};

	return cmocka_run_group_tests_name("plot", tests, NULL, NULL);
}
