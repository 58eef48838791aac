/* SPDX-License-Identifier: MIT */
/* Rows in every format, and files that appear when complete. */
#include "check.h"

#include <errno.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report-sink.h"

static struct assay_field text(const char *name, const char *value)
{
	return (struct assay_field){
		.name = name, .kind = ASSAY_FIELD_TEXT, .text = value };
}

static struct assay_field count(const char *name, uint64_t value)
{
	return (struct assay_field){
		.name = name, .kind = ASSAY_FIELD_COUNT, .count = value };
}

static struct assay_field real(const char *name, double value, int decimals)
{
	return (struct assay_field){
		.name = name, .kind = ASSAY_FIELD_REAL, .real = value,
		.decimals = decimals };
}

static struct assay_field absent(const char *name, const char *why)
{
	return (struct assay_field){
		.name = name, .kind = ASSAY_FIELD_ABSENT, .text = why };
}

static void add(struct sink *sink, const char *type,
		const struct assay_field *field, size_t fields)
{
	assert_int_equal(report_row(sink->report, &(struct assay_row){
				    type, field, fields }), 0);
}

/* ---- for people --------------------------------------------------------- */

static void table_aligns_and_groups(void **state)
{
	struct assay_field a[] = { text("name", "one"),
		count("lines", 268435456), real("ratio", 0.125, 2),
		absent("l3", "there is no L3") };
	struct assay_field b[] = { text("name", "fifteen"), count("lines", 7),
		real("ratio", 1234.5, 2), absent("l3", "there is no L3") };
	struct sink sink;

	(void)state;
	a[1].unit = b[1].unit = "kB";
	a[2].flags = b[2].flags = ASSAY_FIELD_PERCENT;
	a[1].flags = ASSAY_FIELD_ESTIMATE;
	sink_open(&sink, REPORT_TEXT, &plain);
	add(&sink, "t", a, 4);
	add(&sink, "t", b, 4);
	expect(&sink,
	       "name            lines       ratio  l3\n"
	       "                   kB           %\n"
	       "one      ~268 435 456       12.50  -\n"
	       "fifteen             7  123 450.00  -\n"
	       "- l3 of one, fifteen: there is no L3\n");
}

/* Five rows of one reason need no names, but with another beside they do. */
static void reasons_name_their_rows(void **state)
{
	static const char *const names[] = { "a", "b", "c", "d", "e", "f" };
	struct sink sink;

	(void)state;
	for (size_t rows = 5; rows <= 6; rows++) {
		sink_open(&sink, REPORT_TEXT, &plain);
		for (size_t i = 0; i < rows; i++) {
			const struct assay_field row[] = {
				text("name", names[i]),
				absent("n", i < 5 ? "not there" : "unknown") };

			add(&sink, "t", row, 2);
		}
		expect(&sink, rows == 5 ?
		       "name  n\na     -\nb     -\nc     -\nd     -\n"
		       "e     -\n- n: not there\n" :
		       "name  n\na     -\nb     -\nc     -\nd     -\n"
		       "e     -\nf     -\n- n of a, b, c, d, e: not there\n"
		       "- n of f: unknown\n");
	}
}

static void table_wraps_texts(void **state)
{
	const struct report_style narrow = { .columns = 40 };
	const struct assay_field row[] = { text("option", "--elements"),
		text("meaning", "a list of many lines, each of them 64 bytes "
				"long"),
		count("n", 3) };
	struct sink sink;

	(void)state;
	sink_open(&sink, REPORT_TEXT, &narrow);
	add(&sink, "t", row, 3);
	add(&sink, "t", row, 3);
	expect(&sink,
	       "option      meaning                    n\n"
	       "--elements  a list of many lines,      3\n"
	       "            each of them 64 bytes\n"
	       "            long\n"
	       "--elements  a list of many lines,      3\n"
	       "            each of them 64 bytes\n"
	       "            long\n");
}

/* Every line fits, the first column comes again, nothing is lost. */
static void table_splits(void **state)
{
	const struct report_style narrow = { .columns = 24 };
	const struct assay_field row[] = { count("a", 12345678),
		count("b", 12345678), count("c", 12345678) };
	struct sink sink;

	(void)state;
	sink_open(&sink, REPORT_TEXT, &narrow);
	add(&sink, "t", row, 3);
	add(&sink, "t", row, 3);
	expect(&sink,
	       "         a           b\n"
	       "12 345 678  12 345 678\n"
	       "12 345 678  12 345 678\n"
	       "\n"
	       "         a           c\n"
	       "12 345 678  12 345 678\n"
	       "12 345 678  12 345 678\n");
}

/*
 * What tells rows apart comes again; a row that has nothing more to say does
 * not, nor does a column in which nobody says anything.
 */
static void splits_name_their_rows(void **state)
{
	const struct report_style narrow = { .columns = 30 };
	const struct assay_field a[] = { text("function", "walk"),
		text("line", "x.c:1"), text("object", ""),
		count("misses", 1234567890), count("loads", 1234567891) };
	const struct assay_field b[] = { text("function", "walk"),
		text("line", "x.c:2"), text("object", ""),
		count("misses", 7) };
	struct sink sink;

	(void)state;
	sink_open(&sink, REPORT_TEXT, &narrow);
	add(&sink, "t", a, 5);
	add(&sink, "t", b, 4);
	expect(&sink,
	       "function  line          misses\n"
	       "walk      x.c:1  1 234 567 890\n"
	       "walk      x.c:2              7\n"
	       "\n"
	       "function  line           loads\n"
	       "walk      x.c:1  1 234 567 891\n");
}

/* Of two long texts in one part neither takes all of the room. */
static void texts_share_their_part(void **state)
{
	const struct report_style narrow = { .columns = 44 };
	const char *why = "a sentence of some length that goes on";
	const struct assay_field row[] = { text("trait", "one"),
		count("n", 1), text("evidence", why), text("finding", why) };
	struct sink sink;

	(void)state;
	sink_open(&sink, REPORT_TEXT, &narrow);
	add(&sink, "t", row, 4);
	add(&sink, "t", row, 4);
	expect(&sink,
	       "trait  n  evidence          finding\n"
	       "one    1  a sentence of     a sentence of\n"
	       "          some length that  some length that\n"
	       "          goes on           goes on\n"
	       "one    1  a sentence of     a sentence of\n"
	       "          some length that  some length that\n"
	       "          goes on           goes on\n");
}

static void heads_break_and_group(void **state)
{
	const struct report_style narrow = { .columns = 30 };
	const struct assay_field row[] = { count("size", 1),
		count("L1D_CACHE_REFILL", 2), real("ratio of misses|sim", 1, 1),
		real("ratio of misses|publ", 2, 1) };
	struct sink sink;

	(void)state;
	sink_open(&sink, REPORT_TEXT, &narrow);
	add(&sink, "t", row, 4);
	add(&sink, "t", row, 4);
	expect(&sink,
	       "              ratio of misses\n"
	       "        L1D_\n"
	       "      CACHE_\n"
	       "size  REFILL  sim        publ\n"
	       "   1       2  1.0         2.0\n"
	       "   1       2  1.0         2.0\n");
}

static void one_row_is_a_list(void **state)
{
	struct assay_field row[] = { text("name", "chase"), count("a", 1),
		count("bytes", 32768), real("d", 0.5, 3), text("e", "") };
	struct sink sink;

	(void)state;
	row[2].flags = ASSAY_FIELD_BYTES;
	row[1].unit = "lines";
	sink_open(&sink, REPORT_TEXT, &plain);
	add(&sink, "t", row, 4);
	add(&sink, "u", row, 5);
	sink_close(&sink);
	assert_non_null(strstr(sink.text, "name   chase\na      1 lines\n"
			       "bytes  32 KiB\nd      0.500\n"));
	free(sink.text);
}

static void details_need_verbose(void **state)
{
	struct assay_field row[] = { text("name", "x"), text("source", "s") };
	struct report_style verbose = plain;
	struct sink sink;

	(void)state;
	row[1].flags = ASSAY_FIELD_DETAIL;
	sink_open(&sink, REPORT_TEXT, &plain);
	add(&sink, "t", row, 2);
	expect(&sink, "name\nx\n");
	verbose.verbose = true;
	sink_open(&sink, REPORT_TEXT, &verbose);
	add(&sink, "t", row, 2);
	expect(&sink, "name  source\nx     s\n");
}

static void paths_are_shown_by_their_last_part(void **state)
{
	struct assay_field row[] = { text("line", "/a/b.c:7"),
				     text("object", "/"), text("x", "/c/d") };
	struct report_style verbose = plain;
	struct sink sink;

	(void)state;
	row[0].flags = row[1].flags = ASSAY_FIELD_PATH;
	sink_open(&sink, REPORT_TEXT, &plain);
	add(&sink, "t", row, 3);
	expect(&sink, "line   object  x\nb.c:7  /       /c/d\n");
	verbose.verbose = true;
	sink_open(&sink, REPORT_TEXT, &verbose);
	add(&sink, "t", row, 3);
	expect(&sink, "line      object  x\n/a/b.c:7  /       /c/d\n");
	sink_open(&sink, REPORT_CSV, &plain);
	add(&sink, "t", row, 3);
	expect(&sink, "line,object,x\n/a/b.c:7,/,/c/d\n");
}

static void signs_and_colour(void **state)
{
	const struct report_style colour = { .utf8 = true, .colour = true };
	const struct report_style ascii = { .utf8 = false };
	const struct assay_field row[] = { text("verdict", "disagrees") };
	struct sink sink;

	(void)state;
	sink_open(&sink, REPORT_TEXT, &colour);
	add(&sink, "t", row, 1);
	expect(&sink, "\033[1mverdict\033[0m\n\033[31m✗ disagrees\033[0m\n");
	sink_open(&sink, REPORT_TEXT, &ascii);
	add(&sink, "t", row, 1);
	expect(&sink, "verdict\nFAIL disagrees\n");
}

/* A name from a file must not move the terminal's cursor. */
static void control_characters_are_blanks(void **state)
{
	const struct assay_field row[] = { text("a", "x\033[2Jy\nz"),
					   absent("b", "no\033c") };
	struct sink sink;

	(void)state;
	sink_open(&sink, REPORT_TEXT, &plain);
	add(&sink, "t", row, 2);
	sink_close(&sink);
	assert_null(strchr(sink.text, '\033'));
	free(sink.text);
}

static void notes_and_titles(void **state)
{
	const struct assay_field row[] = { count("a", 1) };
	struct sink sink;

	(void)state;
	sink_open(&sink, REPORT_TEXT, &plain);
	report_note(sink.report, "first %d", 1);
	report_title(sink.report, "part");
	add(&sink, "t", row, 1);
	add(&sink, "u", row, 1);
	expect(&sink, "first 1\n\npart\na\n1\n\na\n1\n");
	sink_open(&sink, REPORT_JSON, &plain);
	report_note(sink.report, "a \"b\"");
	report_title(sink.report, "part");
	expect(&sink, "{\"t\":\"note\",\"text\":\"a \\\"b\\\"\"}\n");
	sink_open(&sink, REPORT_CSV, &plain);
	report_note(sink.report, "nothing");
	report_title(sink.report, "part");
	expect(&sink, "");
}

static void markdown_escapes(void **state)
{
	const struct assay_field row[] = { text("a_b", "x|y"), count("n", 1) };
	struct sink sink;

	(void)state;
	sink_open(&sink, REPORT_MARKDOWN, &plain);
	add(&sink, "t", row, 2);
	expect(&sink, "| a\\_b | n |\n| --- | ---: |\n| x\\|y | 1 |\n");
}

/* ---- for programs ------------------------------------------------------- */

struct heard { char text[256]; };

static void hear(void *ctx, const char *names, const char *why)
{
	struct heard *heard = ctx;
	size_t used = strlen(heard->text);

	snprintf(heard->text + used, sizeof(heard->text) - used, "%s=%s;",
		 names, why);
}

static void csv_quotes(void **state)
{
	struct assay_field row[] = { text("a b", "x,\"y\"\nz"),
		count("g|n", UINT64_MAX), real("r", 0.1, 0),
		absent("m", "gone"), count("e", 4) };
	struct heard heard = { "" };
	struct sink sink;

	(void)state;
	row[4].flags = ASSAY_FIELD_ESTIMATE;
	sink_open(&sink, REPORT_CSV, &plain);
	add(&sink, "t", row, 5);
	add(&sink, "t", row, 5);
	report_remarks(sink.report, hear, &heard);
	assert_string_equal(heard.text, "m=gone;e=estimated: counted during a "
			    "part of the run only;");
	expect(&sink,
	       "a_b,g_n,r,m,e\n"
	       "\"x,\"\"y\"\"\nz\",18446744073709551615,0.1,,4\n"
	       "\"x,\"\"y\"\"\nz\",18446744073709551615,0.1,,4\n");
}

static void csv_separator_and_parts(void **state)
{
	const struct report_style tabs = { .separator = '\t' };
	const struct assay_field a[] = { text("a", "x,y"), count("b", 1) };
	const struct assay_field b[] = { text("a", "x\ty") };
	struct sink sink;

	(void)state;
	sink_open(&sink, REPORT_CSV, &tabs);
	add(&sink, "t", a, 2);
	add(&sink, "t", b, 1);
	expect(&sink, "a\tb\nx,y\t1\n\na\n\"x\ty\"\n");
}

static void json_is_exact(void **state)
{
	struct assay_field row[] = { count("a", UINT64_C(1) << 53),
		count("b", (UINT64_C(1) << 53) + 1), real("c", 1.0 / 3, 1),
		absent("d", "no \\ \"L3\""), real("e", NAN, 0),
		text("f", "\t\xff" "é"), real("g", 3, 0) };
	struct sink sink;

	(void)state;
	row[6].flags = ASSAY_FIELD_ESTIMATE;
	sink_open(&sink, REPORT_JSON, &plain);
	add(&sink, "t", row, 7);
	expect(&sink,
	       "{\"t\":\"t\",\"a\":9007199254740992,"
	       "\"b\":\"9007199254740993\",\"c\":0.3333333333333333,"
	       "\"d\":null,\"d_why\":\"no \\\\ \\\"L3\\\"\","
	       "\"e\":null,\"e_why\":\"not a finite number\","
	       "\"f\":\"\\u0009\\ufffdé\",\"g\":3,\"g_estimate\":true}\n");
}

/* ---- files -------------------------------------------------------------- */

static bool exists(const char *path)
{
	return access(path, F_OK) == 0;
}

static void output_is_complete_or_absent(void **state)
{
	char folder[] = "/tmp/test-report-XXXXXX", path[64];
	struct report_output out;
	struct stat st;

	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/a.csv", folder);
	assert_int_equal(report_output_open(&out, path, false, NULL), 0);
	fputs("x\n", out.file);
	assert_false(exists(path));
	/* No other name either, where the file system has nameless files. */
	assert_true(out.new.named == exists(out.new.temporary));
	assert_int_equal(report_output_close(&out, true, NULL), 0);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_size, 2);

	assert_int_equal(report_output_open(&out, path, false, NULL), 0);
	fputs("longer\n", out.file);
	assert_int_equal(report_output_close(&out, false, NULL), 0);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_size, 2);
	unlink(path);
	assert_int_equal(rmdir(folder), 0);
}

static void output_elsewhere(void **state)
{
	struct report_output out;
	struct assay_error err;

	(void)state;
	assert_int_equal(report_output_open(&out, "/nowhere/at/all", false,
					    &err),
			 -ASSAY_EIO);
	assert_string_equal(err.text,
			    "cannot write '/nowhere/at/all': No such file or directory");
	assert_int_equal(report_output_open(&out, "-", false, NULL), 0);
	assert_ptr_equal(out.file, stdout);
	assert_int_equal(report_output_close(&out, true, NULL), 0);
	assert_int_equal(report_output_open(&out, "/dev/full", false, NULL), 0);
	fputs("x\n", out.file);
	assert_int_equal(report_output_close(&out, true, NULL), -ASSAY_EIO);
	assert_true(exists("/dev/full"));
}

static void write_failure_is_reported(void **state)
{
	FILE *full = fopen("/dev/full", "w");
	const struct assay_field row[] = { count("a", 1) };
	struct report *report;

	(void)state;
	assert_non_null(full);
	report = report_open(full, REPORT_CSV, &plain);
	report_row(report, &(struct assay_row){ "t", row, 1 });
	errno = 0;
	assert_int_equal(report_close(report), -ASSAY_EIO);
	assert_int_equal(errno, ENOSPC);
	fclose(full);
}

static void formats_by_name(void **state)
{
	static const struct { const char *path; enum report_format format; }
	known[] = {
		{ "a.csv", REPORT_CSV }, { "a.b.JSONL", REPORT_JSON },
		{ "a.md", REPORT_MARKDOWN }, { "a.tsv", REPORT_CSV },
		{ "a.txt", REPORT_TEXT }, { "csv", REPORT_TEXT },
		{ "x.svg/csv", REPORT_TEXT }, { ".profile", REPORT_TEXT },
		{ "out.17", REPORT_TEXT }, { "v1.2-beta", REPORT_TEXT },
		{ "tmp.qZ81mAdWbX", REPORT_TEXT }, { NULL, REPORT_TEXT },
		{ "a.html", REPORT_HTML }, { "dir.csv/a.SVG", REPORT_SVG },
		{ "a.gp", REPORT_GNUPLOT }, { "a.prom", REPORT_PROMETHEUS },
	};
	static const char *const unknown[] = {
		"a.png", "a.csv.gz", "dir.csv/a.PNG", "a.htm",
	};
	enum report_format format;

	(void)state;
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		assert_true(report_format_of(&format, known[i].path));
		assert_int_equal(format, known[i].format);
	}
	for (size_t i = 0; i < sizeof(unknown) / sizeof(*unknown); i++)
		if (report_format_of(&format, unknown[i]))
			fail_msg("%s", unknown[i]);
	assert_string_equal(report_files(REPORT_TEXT)[1], "*.log");
	assert_null(report_files(REPORT_BENCHER)[0]);
}

/* What the environment says goes before what the terminal is. */
static void style_of_environment(void **state)
{
	struct report_style style;
	FILE *file = fopen("/dev/null", "w");

	(void)state;
	setenv("COLUMNS", "123", 1);
	setenv("TERM", "xterm", 1);
	unsetenv("NO_COLOR");
	unsetenv("CLICOLOR_FORCE");
	unsetenv("FORCE_COLOR");
	report_style_detect(&style, file, REPORT_COLOUR_AUTO);
	assert_int_equal(style.columns, 123);
	assert_false(style.colour);
	setenv("FORCE_COLOR", "1", 1);
	report_style_detect(&style, file, REPORT_COLOUR_AUTO);
	assert_true(style.colour);
	report_style_detect(&style, file, REPORT_COLOUR_OFF);
	assert_false(style.colour);
	setenv("NO_COLOR", "1", 1);
	report_style_detect(&style, file, REPORT_COLOUR_AUTO);
	assert_false(style.colour);
	report_style_detect(&style, file, REPORT_COLOUR_ON);
	assert_true(style.colour);
	unsetenv("NO_COLOR");
	unsetenv("FORCE_COLOR");
	setenv("COLUMNS", "nonsense", 1);
	report_style_detect(&style, file, REPORT_COLOUR_AUTO);
	assert_int_equal(style.columns, 80);
	fclose(file);
}

/* The first of the three that is set, whether it is installed or not. */
static void utf8_of_environment(void **state)
{
	static const struct { const char *all, *ctype, *lang; bool utf8; }
	rows[] = {
		{ "", "", "", false },
		{ "", "", "C", false },
		{ "", "", "xx_YY.UTF-8", true },
		{ "", "", "xx_YY.utf8@euro", true },
		{ "", "", "xx_YY.UTF-80", false },
		{ "", "", "xx_YY.ISO-8859-1", false },
		{ "", "xx_YY.UTF-8", "C", true },
		{ "C", "xx_YY.UTF-8", "xx_YY.UTF-8", false },
		{ "POSIX", "", "xx_YY.UTF-8", false },
		{ "no_such_locale", "", "xx_YY.UTF-8", false },
	};
	struct report_style style;
	FILE *file = fopen("/dev/null", "w");

	(void)state;
	setenv("TERM", "xterm", 1);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		setenv("LC_ALL", rows[i].all, 1);
		setenv("LC_CTYPE", rows[i].ctype, 1);
		setenv("LANG", rows[i].lang, 1);
		report_style_detect(&style, file, REPORT_COLOUR_AUTO);
		assert_int_equal(style.utf8, rows[i].utf8);
	}
	setenv("LC_ALL", "C.UTF-8", 1);
	setenv("TERM", "dumb", 1);
	report_style_detect(&style, file, REPORT_COLOUR_AUTO);
	assert_false(style.utf8);
	fclose(file);
}

/* ---- the answer above its rows ------------------------------------------ */

static void held(enum report_format format, const char *answer,
		 const char *wanted)
{
	struct assay_field a[] = { count("lines", 7) };
	struct sink sink;

	sink_open(&sink, format, &plain);
	report_hold(sink.report);
	add(&sink, "t", a, 1);
	if (answer)
		report_answer(sink.report, "%s", answer);
	expect(&sink, wanted);
}

static void answer_stands_first(void **state)
{
	(void)state;
	held(REPORT_TEXT, "Seven lines.", "Seven lines.\n\nlines\n    7\n");
	held(REPORT_MARKDOWN, "Seven lines.",
	     "Seven lines.\n\n| lines |\n| ---: |\n| 7 |\n");
}

static void programs_read_no_answer(void **state)
{
	(void)state;
	held(REPORT_CSV, "Seven lines.", "lines\n7\n");
	held(REPORT_JSON, "Seven lines.", "{\"t\":\"t\",\"lines\":7}\n");
}

/* After a failure there is no answer; what was kept is still written. */
static void rows_without_an_answer_are_kept(void **state)
{
	(void)state;
	held(REPORT_TEXT, NULL, "lines\n    7\n");
	held(REPORT_TEXT, "", "lines\n    7\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answer_stands_first),
		cmocka_unit_test(programs_read_no_answer),
		cmocka_unit_test(rows_without_an_answer_are_kept),
		cmocka_unit_test(table_aligns_and_groups),
		cmocka_unit_test(reasons_name_their_rows),
		cmocka_unit_test(table_wraps_texts),
		cmocka_unit_test(table_splits),
		cmocka_unit_test(splits_name_their_rows),
		cmocka_unit_test(texts_share_their_part),
		cmocka_unit_test(heads_break_and_group),
		cmocka_unit_test(one_row_is_a_list),
		cmocka_unit_test(details_need_verbose),
		cmocka_unit_test(paths_are_shown_by_their_last_part),
		cmocka_unit_test(signs_and_colour),
		cmocka_unit_test(control_characters_are_blanks),
		cmocka_unit_test(notes_and_titles),
		cmocka_unit_test(markdown_escapes),
		cmocka_unit_test(csv_quotes),
		cmocka_unit_test(csv_separator_and_parts),
		cmocka_unit_test(json_is_exact),
		cmocka_unit_test(output_is_complete_or_absent),
		cmocka_unit_test(output_elsewhere),
		cmocka_unit_test(write_failure_is_reported),
		cmocka_unit_test(formats_by_name),
		cmocka_unit_test(style_of_environment),
		cmocka_unit_test(utf8_of_environment),
	};

	return cmocka_run_group_tests_name("report", tests, NULL, NULL);
}
