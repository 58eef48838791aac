/* SPDX-License-Identifier: MIT */
/* Counts of other tools: numbers, the lines of perf, and the limits of records. */
#include "check.h"

#include "store/foreign/build.h"
#include "store/foreign/foreign.h"
#include "store/foreign/perf.h"

static void numbers(void **state)
{
	static const struct {
		const char *text;
		int shift;
		enum scan_number kind;
		uint64_t value;
	} row[] = {
		{ "0", 0, SCAN_EXACT, 0 },
		{ "-0", 0, SCAN_EXACT, 0 },
		{ "007", 0, SCAN_EXACT, 7 },
		{ "48.000000", 0, SCAN_EXACT, 48 },
		{ "18446744073709551615", 0, SCAN_EXACT, UINT64_MAX },
		{ "18446744073709551615.000000", 0, SCAN_EXACT, UINT64_MAX },
		{ "18446744073709551616", 0, SCAN_BEYOND, 0 },
		{ "18446744073709551615.5", 0, SCAN_BEYOND, 0 },
		{ "9007199254740993", 0, SCAN_EXACT, 9007199254740993 },
		{ "0.49", 0, SCAN_ROUNDED, 0 },
		{ "0.5", 0, SCAN_ROUNDED, 1 },
		{ "1234,56", 0, SCAN_ROUNDED, 1235 },
		{ "0.54", 6, SCAN_ROUNDED, 540000 },
		{ "0.542584", 6, SCAN_EXACT, 542584 },
		{ "0.05", 2, SCAN_EXACT, 5 },
		{ "66.67", 2, SCAN_EXACT, 6667 },
		{ "0.001", 0, SCAN_ROUNDED, 0 },
		{ "2.080530e+11", 0, SCAN_ROUNDED, 208053000000 },
		{ "1.200e+03", 0, SCAN_EXACT, 1200 },
		{ "1e-3", 0, SCAN_ROUNDED, 0 },
		{ "1e400", 0, SCAN_BEYOND, 0 },
		{ "-17", 0, SCAN_BELOW, 17 },
		{ "", 0, SCAN_NOTHING, 0 },
		{ "-", 0, SCAN_NOTHING, 0 },
		{ "nan", 0, SCAN_NOTHING, 0 },
		{ "1e", 0, SCAN_NOTHING, 0 },
		{ ".5", 0, SCAN_NOTHING, 0 },
		{ "1 2", 0, SCAN_NOTHING, 0 },
		{ "0x10", 0, SCAN_NOTHING, 0 },
		{ "1.2.3", 0, SCAN_NOTHING, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		uint64_t value = 0;
		const enum scan_number kind = scan_number(row[i].text,
							  row[i].shift,
							  &value);

		if (kind != row[i].kind || (kind < SCAN_BELOW &&
					    value != row[i].value))
			fail_msg("'%s': %d, %llu", row[i].text, kind,
				 (unsigned long long)value);
	}
}

static void equal(const char *line, const char *a, const char *b)
{
	if ((!a || !b) ? a != b : strcmp(a, b))
		fail_msg("%s: '%s', not '%s'", line, a ? a : "-", b ? b : "-");
}

/* Lines that options of perf make, with what stands in them. */
static void lines_of_perf(void **state)
{
	static const struct {
		const char *line, *separator;
		struct perf_row is;
	} row[] = {
		{ "48,,page-faults,542584,100.00,88.466,K/sec", ",",
		  { .value = "48", .unit = "", .event = "page-faults" } },
		{ "0.54;msec;task-clock;542584;66.67;;", ";",
		  { .value = "0.54", .unit = "msec", .event = "task-clock",
		    .percent = "66.67" } },
		{ "     1.000104000|CPU0|7||cycles|9|100.00||", "|",
		  { .time = "1.000104000", .place = "CPU0", .value = "7",
		    .unit = "", .event = "cycles" } },
		{ "         summary,75,,page-faults,1004529,100.00,,", ",",
		  { .time = "summary", .value = "75", .unit = "",
		    .event = "page-faults" } },
		{ "S0-D0-C1,2,705,,page-faults,29,100.00,24.225,K/sec", ",",
		  { .place = "S0-D0-C1", .value = "705", .unit = "",
		    .event = "page-faults" } },
		{ "S0,1,<not counted>,,cycles,0,0.00,,", ",",
		  { .place = "S0", .value = "<not counted>", .unit = "",
		    .event = "cycles", .percent = "0.00" } },
		{ "a b,c-d-4711,1,,page-faults,9,100.00,,", ",",
		  { .place = "a b,c-d-4711", .value = "1", .unit = "",
		    .event = "page-faults" } },
		{ "46,,page-faults:u,1.09%,499771,100.00,89.006,K/sec", ",",
		  { .value = "46", .unit = "", .event = "page-faults:u",
		    .variation = "1.09" } },
		{ "49,,software/config=0x2,period=100/,408987,100.00,,", ",",
		  { .value = "49", .unit = "",
		    .event = "software/config=0x2,period=100/" } },
		{ "1132,,page-faults,/user,132,100.00,,", ",",
		  { .value = "1132", .unit = "", .event = "page-faults",
		    .cgroup = "/user" } },
		{ "49::::page-faults::486872::100.00::100.642::K/sec", "::",
		  { .value = "49", .unit = "", .event = "page-faults" } },
		{ "50;;page-faults;506571;100,00;98;K/sec", ";",
		  { .value = "50", .unit = "", .event = "page-faults",
		    .percent = "100,00" } },
		{ "5,,cycles,9,100.00,12.34,of all branches", ",",
		  { .value = "5", .unit = "", .event = "cycles" } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		const struct perf_row *is = &row[i].is;
		struct scan s = { .file = "", .text = row[i].line,
				  .bytes = strlen(row[i].line) };
		char separator[PERF_SEPARATOR];
		struct perf_row got;

		assert_int_equal(scan_line(&s), 1);
		assert_true(perf_find_separator(separator, s.line, '.') ||
			    perf_find_separator(separator, s.line, ','));
		equal(row[i].line, separator, row[i].separator);
		scan_split(&s, separator);
		assert_true(perf_take_apart(&got, &s, separator, false));
		equal(row[i].line, got.time, is->time);
		equal(row[i].line, got.place, is->place);
		equal(row[i].line, got.value, is->value);
		equal(row[i].line, got.unit, is->unit);
		equal(row[i].line, got.event, is->event);
		equal(row[i].line, got.cgroup, is->cgroup);
		equal(row[i].line, got.variation, is->variation);
		equal(row[i].line, got.percent, is->percent ? is->percent :
		      "100.00");
		scan_close(&s);
	}
}

static void no_lines_of_perf(void **state)
{
	static const char *const line[] = {
		"a program, 1,2", "1,2,3,4", "12.34,56.78,100.00", "",
		",,,,,,1.2,frontend", "total 100.00", "page-faults: 48 9 9",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(line) / sizeof(*line); i++)
		assert_false(foreign_recognise(line[i], strlen(line[i])) ==
			     FOREIGN_PERF_CSV);
}

/* ---- records ------------------------------------------------------------- */

static const struct assay_count one = { .value = 1 };

static void many_events_and_twins(void **state)
{
	struct build b;
	struct store store = { 0 };
	char name[32];

	(void)state;
	build_open(&b, "f", "test");
	for (int i = 0; i < 100; i++) {
		snprintf(name, sizeof(name), "event%d", i % 99);
		assert_int_equal(build_add(&b, 1, "", name, 0, &one), 0);
	}
	assert_int_equal(build_add(&b, 1, "place=a;n=7", "x", 1, &one), 0);
	assert_int_equal(build_add(&b, 1, "", "", 0, &one), -ASSAY_EINVAL);
	assert_int_equal(build_add(&b, 1, "", "a\nb", 0, &one), -ASSAY_EINVAL);
	assert_int_equal(build_records(&b, &store), 0);
	assert_int_equal(store.records, 3);
	assert_int_equal(store.record[0]->events, ASSAY_EVENTS);
	assert_int_equal(store.record[1]->events, 100 - ASSAY_EVENTS);
	assert_string_equal(store.record[1]->event[35].name, "event0#2");
	assert_int_equal(store.record[2]->repeats, 2);
	assert_int_equal(store.record[2]->counts[0].state, ASSAY_COUNT_ABSENT);
	assert_int_equal(assay_shape_get(&store.record[2]->shape, "n"), 7);
	store_fini(&store);
	build_close(&b);
}

/* Two counts far apart must not take the memory of all between them. */
static void sparse_counts_are_refused(void **state)
{
	struct build b;
	struct store store = { 0 };

	(void)state;
	build_open(&b, "f", "test");
	assert_int_equal(build_add(&b, 1, "", "x", 65536, &one),
			 -ASSAY_EINVAL);
	assert_int_equal(build_add(&b, 1, "", "x", 65535, &one), 0);
	assert_int_equal(build_records(&b, &store), -ASSAY_ERANGE);
	store_fini(&store);
	build_close(&b);
}

/* More reasons than a record can hold become one. */
static void reasons_are_limited(void **state)
{
	struct build b;
	struct store store = { 0 };
	struct assay_count absent = { .state = ASSAY_COUNT_ABSENT };
	char why[32];

	(void)state;
	build_open(&b, "f", "test");
	for (unsigned i = 0; i < 1000; i++) {
		snprintf(why, sizeof(why), "%u Joules", i);
		absent.why = why;
		assert_int_equal(build_add(&b, 1, "", "x", i, &absent), 0);
	}
	assert_int_equal(build_records(&b, &store), 0);
	assert_string_equal(store.record[0]->counts[7].why, "7 Joules");
	assert_string_equal(store.record[0]->counts[999].why,
			    "no record can hold what is there");
	store_fini(&store);
	build_close(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers),
		cmocka_unit_test(lines_of_perf),
		cmocka_unit_test(no_lines_of_perf),
		cmocka_unit_test(many_events_and_twins),
		cmocka_unit_test(sparse_counts_are_refused),
		cmocka_unit_test(reasons_are_limited),
	};

	return cmocka_run_group_tests_name("foreign", tests, NULL, NULL);
}
