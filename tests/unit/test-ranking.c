/* SPDX-License-Identifier: MIT */
/* Claims about who served the accesses, against the pie by time. */
#include "formula-text.h"

#include <math.h>

#include "hypotheses/ranking.h"
#include "base/record.h"

#define HEAD "schema: assay-formulas/1\nname: n\ntitle: t\nsource: s\n"       \
	"cpus: [x]\n"

static const char claims[] = HEAD
	"events: {a: EVENT.A, b: EVENT.B, c: EVENT.C}\n"
	"hypotheses:\n"
	"  - {name: right, title: t, l1: a - b, l2: b - c, l3: 0, dram: c,"
	" total: a}\n"
	"  - {name: wrong, title: t, l1: a, l2: b, l3: 0, dram: c,"
	" total: a + b + c}\n"
	"formulas:\n"
	"  - {quantity: served_l2, is: b - c}\n"
	"  - {quantity: loads, is: a}\n";

/* 1000 loads: 600 of the L1, 300 of the L2, 100 of memory. */
static struct assay_record *counted(void)
{
	static const struct { const char *name; uint64_t value; } event[] = {
		{ "EVENT.A", 1000 }, { "EVENT.B", 400 }, { "EVENT.C", 100 },
	};
	struct assay_record *r = record_new(3, 1);

	assert_non_null(r);
	for (int i = 0; i < 3; i++) {
		strcpy(r->event[i].name, event[i].name);
		r->counts[i] = (struct assay_count){ .value = event[i].value };
	}
	for (int q = 0; q < ASSAY_QUANTITIES; q++)
		r->truth.of[q] = (struct assay_value){ .why = "unknown" };
	r->truth.of[ASSAY_Q_loads] = (struct assay_value){ .number = 1000 };
	r->truth.of[ASSAY_Q_stores] = (struct assay_value){ .number = 0 };
	return r;
}

static void served(struct ranked_times *t, enum assay_quantity q,
		   double value, double beside)
{
	t->value.of[q] = (struct assay_value){ .number = value };
	t->low.of[q] = (struct assay_value){ .number = value - beside };
	t->high.of[q] = (struct assay_value){ .number = value + beside };
}

/* Within 2 points; of the L3 nothing could be said. */
static void by_time(struct ranked_times *t)
{
	for (int q = 0; q < ASSAY_QUANTITIES; q++)
		t->value.of[q] = (struct assay_value){ .why = "not timed" };
	served(t, ASSAY_Q_served_l1, 610, 20);
	served(t, ASSAY_Q_served_l2, 295, 20);
	served(t, ASSAY_Q_served_dram, 95, 20);
}

struct seen { unsigned timed, others, unjudged; char holds[200]; };

static const char *text_of(const struct assay_row *row, const char *name)
{
	for (size_t i = 0; i < row->fields; i++)
		if (!strcmp(row->field[i].name, name))
			return row->field[i].text;
	fail_msg("no field '%s'", name);
	return "";
}

static int see(void *ctx, const struct assay_row *row)
{
	struct seen *seen = ctx;

	if (!strcmp(row->type, "size")) {
		seen->timed += !strcmp(text_of(row, "by"), "T");
		seen->others += !strcmp(text_of(row, "by"), "S");
		seen->unjudged += !*text_of(row, "by");
	}
	if (!strcmp(row->type, "rank") &&
	    !strcmp(text_of(row, "verdict"), "holds")) {
		strcat(seen->holds, text_of(row, "claim"));
		strcat(seen->holds, " ");
	}
	return 0;
}

static bool judge_text(const char *text, const struct ranked_times *timed,
		       struct seen *seen)
{
	struct formula_file *file = parse(text);
	struct assay_record *record = counted();
	static struct ranking c;
	const struct ranked_record r = {
		.record = record, .timed = timed, .kernel = "chase",
		.shape = "chase 1",
	};
	bool wants;

	*seen = (struct seen){ 0 };
	c = (struct ranking){ .where = "perf", .fn = see, .ctx = seen };
	assert_int_equal(ranking_add(&c, file, NULL), 0);
	wants = ranking_wants_time(&c, &r);
	assert_int_equal(ranking_add_record(&c, &r), 0);
	ranking_sort(&c);
	assert_int_equal(ranking_rows(&c), 0);
	record_free(record);
	formula_free(file);
	return wants;
}

static bool judge(const struct ranked_times *timed, struct seen *seen)
{
	return judge_text(claims, timed, seen);
}

static void time_decides_where_nobody_else_can(void **state)
{
	struct ranked_times timed;
	struct seen seen;

	(void)state;
	by_time(&timed);
	assert_true(judge(&timed, &seen));
	/* three levels of two pies, and the formula; the L3 of neither */
	assert_int_equal(seen.timed, 7);
	assert_int_equal(seen.unjudged, 2);
	assert_int_equal(seen.others, 3);	/* totals and loads */
	assert_non_null(strstr(seen.holds, "right"));
	assert_non_null(strstr(seen.holds, "served_l2"));
	assert_null(strstr(seen.holds, "wrong"));
}

static void what_lies_beside_the_bars_fails(void **state)
{
	struct ranked_times timed;
	struct seen seen;

	(void)state;
	by_time(&timed);
	served(&timed, ASSAY_Q_served_l2, 200, 20);
	assert_true(judge(&timed, &seen));
	assert_null(strstr(seen.holds, "right"));
	assert_null(strstr(seen.holds, "served_l2"));
	assert_non_null(strstr(seen.holds, "loads"));
}

static void bars_reach_to_both_sides(void **state)
{
	static const double middle[] = { 200, 400 };

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct ranked_times timed;
		struct seen seen;

		by_time(&timed);
		served(&timed, ASSAY_Q_served_l2, middle[i], 120);
		assert_true(judge(&timed, &seen));
		assert_non_null(strstr(seen.holds, "right"));
		assert_non_null(strstr(seen.holds, "served_l2"));
	}
}

/* Who served is asked of time from the first level to the last. */
static void formulas_of_each_level_want_time(void **state)
{
	static const struct { const char *quantity; bool wants; } about[] = {
		{ "served_l1", true }, { "served_l2", true },
		{ "served_l3", true }, { "served_dram", true },
		{ "l1d_refills", false }, { "page_walks", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(about) / sizeof(about[0]); i++) {
		struct seen seen;
		char text[400];

		snprintf(text, sizeof(text), HEAD "events: {b: EVENT.B}\n"
			 "formulas:\n  - {quantity: %s, is: b}\n",
			 about[i].quantity);
		assert_int_equal(judge_text(text, NULL, &seen),
				 about[i].wants);
	}
}

static void without_it_shares_stay_open(void **state)
{
	struct seen seen;

	(void)state;
	assert_true(judge(NULL, &seen));
	assert_int_equal(seen.timed, 0);
	assert_null(strstr(seen.holds, "served_l2"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(time_decides_where_nobody_else_can),
		cmocka_unit_test(what_lies_beside_the_bars_fails),
		cmocka_unit_test(bars_reach_to_both_sides),
		cmocka_unit_test(formulas_of_each_level_want_time),
		cmocka_unit_test(without_it_shares_stay_open),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
