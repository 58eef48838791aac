/* SPDX-License-Identifier: MIT */
/* The judge's parts: intervals, margins, labels, lines, classes, sentences. */
#include "check.h"

#include <math.h>

#include "analysis/judge/parts.h"

/* ---- numbers ------------------------------------------------------------- */

static void quantiles_are_students(void **state)
{
	static const struct { unsigned k; double q; } known[] = {
		{ 1, 63.657 }, { 2, 9.925 }, { 3, 5.841 }, { 6, 3.707 },
		{ 7, 3.499 }, { 9, 3.250 }, { 20, 2.845 }, { 100, 2.626 },
		{ 100000, 2.5758 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		assert_true(fabs(judge_student(known[i].k) - known[i].q) <
			    0.003);
}

static void a_deviation_has_a_lower_bound(void **state)
{
	(void)state;
	/* chi square, 97.5 %, 9 degrees of freedom: 19.02 */
	assert_true(fabs(judge_least_sd(1, 10) - sqrt(9 / 19.02)) < 0.002);
	assert_true(judge_least_sd(1, 1) == 0);
}

static void halves_grow_with_what_is_not_known(void **state)
{
	(void)state;
	assert_true(judge_half(5, 1, 100, 1, 1) == 0);
	assert_true(judge_half(5, 2, 100, 1, 1) == 5);
	assert_true(fabs(judge_half(5, 4, 100, 1, 1) - 5.8409 * 2.5) < 1e-9);
	assert_true(judge_half(0, 9, 100, 1, 0.01) == 0.005);
	assert_true(fabs(judge_half(0, 9, 100, 0.5, 1) - 13) < 1e-9);
}

static void spikes_are_left_out(void **state)
{
	static const double readings[] = { 100, 101, 99, 100, 5000, 102 };
	static const struct judge_row row;
	const struct judge_row *rows[6] = { &row, &row, &row, &row, &row,
					    &row };
	struct judge_shape s = { .row = rows, .rows = 6, .resolution = 1,
				 .expected = NAN };
	struct judge_room room;
	size_t kept;

	(void)state;
	assert_int_equal(judge_room_open(&room, 6), 0);
	memcpy(room.off, readings, sizeof(readings));
	kept = judge_leave_out(&room, &s, 6);
	assert_int_equal(kept, 5);
	for (size_t i = 0; i < kept; i++)
		assert_true(room.off[i] < 200);
	/* too few to tell a spike; too many to be spikes */
	memcpy(room.off, readings, sizeof(readings));
	assert_int_equal(judge_leave_out(&room, &s, 4), 4);
	memcpy(room.off, (double[]){ 1, 1, 1, 900, 901, 1 }, sizeof(readings));
	assert_int_equal(judge_leave_out(&room, &s, 6), 6);
	judge_room_close(&room);
}

/* ---- shapes -------------------------------------------------------------- */

static struct judge_shape shape(double mean, double half, double expected,
				enum judge_truth truth, unsigned readings)
{
	static const struct judge_row row = {
		.machine = "m", .microcode = "", .program = "p", .shape = "",
		.event = "E", .quantity = "loads", .low = NAN, .high = NAN,
	};
	static const struct judge_row *rows = &row;
	struct judge_shape s = {
		.row = &rows, .rows = 1, .readings = readings, .mean = mean,
		.half = half, .wide = half, .expected = expected, .low = NAN,
		.high = NAN, .resolution = 1, .scaled = 1, .least = mean,
		.most = mean, .truth = (unsigned char)truth,
	};

	judge_label(&s, false);
	return s;
}

static void margins_belong_to_the_truth(void **state)
{
	struct judge_shape s = shape(0, 0, 1e6, JUDGE_UNIT, 3);

	(void)state;
	assert_true(fabs(judge_margin(&s, JUDGE_UNIT, true) - 503) < 1e-6);
	assert_true(fabs(judge_margin(&s, JUDGE_MODEL, true) - 30003) < 1e-6);
	assert_true(fabs(judge_margin(&s, JUDGE_ABOUT, true) - 50003) < 1e-6);
	s.readings = 1;
	assert_true(fabs(judge_margin(&s, JUDGE_UNIT, true) - 2003) < 1e-6);
	s.expected = 1e10;
	assert_true(judge_margin(&s, JUDGE_UNIT, true) == 2000003);
	assert_true(judge_margin(&s, JUDGE_UNIT, false) == 20000003);
	s.resolution = 0.01;
	s.expected = 0;
	assert_true(judge_margin(&s, JUDGE_MODEL, true) == 0.02);
	s.expected = 1;
	assert_true(judge_margin(&s, JUDGE_MODEL, true) == 0.03);
}

static void labels_are_proven(void **state)
{
	static const struct {
		double mean, half, expected;
		enum judge_truth truth;
		enum judge_label label;
	} cases[] = {
		{ 1000100, 100, 1e6, JUDGE_UNIT, JUDGE_IN },
		{ 1000100, 500, 1e6, JUDGE_UNIT, JUDGE_UNSURE },
		{ 1000600, 100, 1e6, JUDGE_UNIT, JUDGE_UNSURE },
		{ 1000700, 100, 1e6, JUDGE_UNIT, JUDGE_OVER },
		{ 999300, 100, 1e6, JUDGE_UNIT, JUDGE_UNDER },
		{ 1000700, 100, 1e6, JUDGE_MODEL, JUDGE_IN },
		/* nobody said how well it is known: agreement is as for work,
		 * failure as for a round number */
		{ 1000700, 0, 1e6, JUDGE_UNKNOWN, JUDGE_UNSURE },
		{ 1060000, 0, 1e6, JUDGE_UNKNOWN, JUDGE_OVER },
		{ 90, 0, 1e6, JUDGE_MODEL, JUDGE_ZERO },
		{ 0, 0, 2, JUDGE_MODEL, JUDGE_IN },
		{ 5, 0, NAN, JUDGE_MODEL, JUDGE_NONE },
		{ 40, 0, 0, JUDGE_MODEL, JUDGE_OVER },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct judge_shape s = shape(cases[i].mean,
			cases[i].half, cases[i].expected, cases[i].truth, 3);

		if (s.label != (unsigned char)cases[i].label)
			fail_msg("case %zu: %s", i,
				 judge_label_words[s.label]);
	}
}

/* ---- lines --------------------------------------------------------------- */

static enum judge_line line_of(const double *mean, const double *expected,
			       size_t n, double *factor, double *constant)
{
	struct judge_shape s[8], *list[8];

	for (size_t i = 0; i < n; i++) {
		s[i] = shape(mean[i], 0, expected[i], JUDGE_UNIT, 3);
		list[i] = &s[i];
	}
	return judge_fit((struct judge_list){ list, n }, factor, constant);
}

static void the_simplest_line_wins(void **state)
{
	static const double t[] = { 1e6, 2e6, 4e6, 8e6 };
	double a, b;

	(void)state;
	assert_int_equal(line_of((double[]){ 1.05e6, 2.05e6, 4.05e6, 8.05e6 },
				 t, 4, &b, &a), JUDGE_CONSTANT);
	assert_true(fabs(a - 5e4) < 1);
	assert_int_equal(line_of((double[]){ 3e6, 6e6, 12e6, 24e6 }, t, 4, &b,
				 &a), JUDGE_FACTOR);
	assert_true(fabs(b - 3) < 1e-9);
	assert_int_equal(line_of((double[]){ 2.5e6, 4.5e6, 8.5e6, 16.5e6 }, t,
				 4, &b, &a), JUDGE_FACTOR_CONSTANT);
	assert_true(fabs(b - 2) < 1e-9 && fabs(a - 5e5) < 1e-3);
	/* two shapes fit any line with two numbers: that says nothing */
	assert_int_equal(line_of((double[]){ 2.5e6, 4.5e6 }, t, 2, &b, &a),
			 JUDGE_NO_LINE);
	/* a negative constant is no start-up */
	assert_int_equal(line_of((double[]){ 0.95e6, 1.95e6, 3.95e6, 7.95e6 },
				 t, 4, &b, &a), JUDGE_NO_LINE);
	/* truths that hardly differ tell nothing apart */
	assert_int_equal(line_of((double[]){ 1.3e6, 1.43e6 },
				 (double[]){ 1e6, 1.1e6 }, 2, &b, &a),
			 JUDGE_NO_LINE);
	/* ... but twice the truth is a factor that hardware has */
	assert_int_equal(line_of((double[]){ 2e6, 2.2e6 },
				 (double[]){ 1e6, 1.1e6 }, 2, &b, &a),
			 JUDGE_FACTOR);
}

/* ---- classes ------------------------------------------------------------- */

static void the_worst_part_decides(void **state)
{
	struct judge_facts f = { .combined = true };

	(void)state;
	assert_int_equal(judge_decide(&f), ASSAY_CLASS_INCONCLUSIVE);
	f.part |= 1u << ASSAY_CLASS_INCONCLUSIVE;
	f.part |= 1u << ASSAY_CLASS_EXACT;
	assert_int_equal(judge_decide(&f), ASSAY_CLASS_EXACT);
	f.part |= 1u << ASSAY_CLASS_ONE_SIDED;
	assert_int_equal(judge_decide(&f), ASSAY_CLASS_ONE_SIDED);
	f.part |= 1u << ASSAY_CLASS_BIASED;
	assert_int_equal(judge_decide(&f), ASSAY_CLASS_BIASED);
	f.part |= 1u << ASSAY_CLASS_DEAD;
	assert_int_equal(judge_decide(&f), ASSAY_CLASS_DEAD);
	f.part |= 1u << ASSAY_CLASS_LAW;
	assert_int_equal(judge_decide(&f), ASSAY_CLASS_LAW);
}

static void inconclusive_is_no_agreement(void **state)
{
	(void)state;
	assert_false(judge_is_right(ASSAY_CLASS_INCONCLUSIVE));
	assert_false(judge_is_failure(ASSAY_CLASS_INCONCLUSIVE));
	assert_true(judge_is_right(ASSAY_CLASS_CONSTANT));
	assert_true(judge_is_failure(ASSAY_CLASS_ONE_SIDED));
	assert_true(judge_is_failure(ASSAY_CLASS_LAW));
	assert_false(judge_is_failure(ASSAY_CLASS_MICROCODE));
}

/* ---- planted faults, without any margin ---------------------------------- */

#define FAULT_SHAPES 4
#define FAULT_RUNS 3

static int keep_class(void *ctx, const struct judge_verdict *v)
{
	if (!v->program)
		*(enum assay_class *)ctx = v->class_;
	return 0;
}

/* What a counter that lies counts of t; run: of several. */
static enum assay_class judged(double (*lie)(double t, unsigned run))
{
	static const char *const shapes[FAULT_SHAPES] = { "n=1", "n=2", "n=4",
							  "n=8" };
	struct judge_row row[FAULT_SHAPES * FAULT_RUNS];
	enum assay_class class_ = ASSAY_CLASS_UNAVAILABLE;
	const struct judge_input in = {
		.row = row, .rows = FAULT_SHAPES * FAULT_RUNS,
		.no_margins = true,
	};

	for (unsigned i = 0; i < in.rows; i++) {
		const double t = 1000 << i / FAULT_RUNS;

		row[i] = (struct judge_row){
			.machine = "m", .microcode = "", .program = "p",
			.event = "E", .quantity = "loads",
			.shape = shapes[i / FAULT_RUNS], .expected = t,
			.count = lie(t, i % FAULT_RUNS), .low = NAN,
			.high = NAN, .resolution = 1, .scaled = 1, .run = i,
			.truth = JUDGE_UNIT,
		};
	}
	assert_int_equal(judge_run(&in, keep_class, NULL, &class_), 0);
	return class_;
}

static double honest(double t, unsigned run) { return t + 0 * run; }
static double doubled(double t, unsigned run) { return 2 * t + 0 * run; }
static double silent(double t, unsigned run) { return 0 * t * run; }
static double wraps(double t, unsigned run)
{
	return fmod(t, 1 << 12) + 0 * run;
}
static double adds(double t, unsigned run) { return t + sqrt(t) + 0 * run; }
static double noise(double t, unsigned run) { return t * (1 + 0.2 * run); }
static double below(double t, unsigned run)
{
	return 0x1p64 - t - run;
}

static void planted_faults_are_named(void **state)
{
	(void)state;
	assert_int_equal(judged(honest), ASSAY_CLASS_EXACT);
	assert_int_equal(judged(doubled), ASSAY_CLASS_PROPORTIONAL);
	assert_int_equal(judged(silent), ASSAY_CLASS_DEAD);
	assert_int_equal(judged(wraps), ASSAY_CLASS_BIASED);
	assert_int_equal(judged(adds), ASSAY_CLASS_BIASED);
	assert_int_equal(judged(noise), ASSAY_CLASS_UNSTABLE);
	assert_int_equal(judged(below), ASSAY_CLASS_LAW);
}

/* ---- sentences ----------------------------------------------------------- */

static void numbers_are_for_people(void **state)
{
	struct judge_words w = { .used = 0 };
	struct judge_shape s = shape(50000001, 0, 50000000, JUDGE_UNIT, 1);

	(void)state;
	judge_add_off(&w, &s);
	assert_string_equal(w.text, "1 count more");
	w.used = 0;
	s = shape(1080000, 0, 1000000, JUDGE_MODEL, 3);
	judge_add_off(&w, &s);
	assert_string_equal(w.text, "8 % more");
	w.used = 0;
	s = shape(2010000, 0, 1000000, JUDGE_MODEL, 3);
	judge_add_off(&w, &s);
	assert_string_equal(w.text, "2.01 times");
	w.used = 0;
	judge_add_percent(&w, 1e-9);
	assert_string_equal(w.text, "less than 0.0001 %");
	w.used = 0;
	judge_add_number(&w, 604583);
	assert_string_equal(w.text, "604 583");
}

/* Texts of any length are cut off, not written behind their room. */
static void long_words_are_cut(void **state)
{
	struct judge_words w = { .used = 0 };

	(void)state;
	for (int i = 0; i < 200; i++)
		judge_add(&w, "%s", "0123456789");
	assert_int_equal(strlen(w.text), JUDGE_TEXT - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quantiles_are_students),
		cmocka_unit_test(a_deviation_has_a_lower_bound),
		cmocka_unit_test(halves_grow_with_what_is_not_known),
		cmocka_unit_test(spikes_are_left_out),
		cmocka_unit_test(margins_belong_to_the_truth),
		cmocka_unit_test(labels_are_proven),
		cmocka_unit_test(the_simplest_line_wins),
		cmocka_unit_test(the_worst_part_decides),
		cmocka_unit_test(inconclusive_is_no_agreement),
		cmocka_unit_test(planted_faults_are_named),
		cmocka_unit_test(numbers_are_for_people),
		cmocka_unit_test(long_words_are_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
