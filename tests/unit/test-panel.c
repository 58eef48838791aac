/* SPDX-License-Identifier: MIT */
/*
 * Three witnesses and a count: bounds that the witnesses agree on are claimed.
 * Where two witnesses contradict each other, nothing is claimed, and the verdict
 * has the bounds of each.
 */
#include "check.h"

#include <math.h>

#include "verify/panel.h"
#include "kernels/expect.h"

enum { SHAPES = 4, LOADS = 10000 };
static const char event[] = "L1D_CACHE_REFILL";

/* Misses in L1D of one run by each witness; NAN: the witness is silent. */
struct values {
	double by[WITNESSES];
};

static struct cpu *cpu;
static double disturbance;	/* each row */

static void add_evidence(struct panel *p, size_t row, const struct values *v)
{
	static struct assay_expectation form;
	static struct evidence t;
	uint64_t signal[SIGNALS] = { 0 };
	const double closed = v->by[WITNESS_CLOSED];
	const double simulated = v->by[WITNESS_SIMULATED];
	const double timed = v->by[WITNESS_TIMED];
	const double l1 = LOADS - timed, some = LOADS / 100;
	const struct range served[SERVED_LEVELS] = {
		[SERVED_L1] = { l1 - some, l1 + some },
		[SERVED_L2] = { timed - some, timed + some },
	};

	evidence_init(&t);
	form = (struct assay_expectation){ .rows = 0 };
	if (!isnan(closed))
		expect_exact(&form, ASSAY_Q_l1d_refills, "misses", "n", closed,
			     "made up");
	if (form.rows)
		evidence_closed_form(&t, &form, NULL, NULL);
	if (!isnan(simulated)) {
		signal[SIGNAL_l1d_load_miss] = (uint64_t)simulated;
		evidence_model(&t, signal, 0.02);
	}
	if (!isnan(timed))
		evidence_timed(&t, LOADS, served);
	panel_add_evidence(p, row, &t);
}

/* The count of the event is row[i] of shape i. */
static struct certificate_event *judge(const struct values v[SHAPES],
				       const double count[SHAPES])
{
	struct certificate_event *out;
	struct assay_error err;
	struct panel p;

	assert_int_equal(panel_init(&p, &err), 0);
	p.real_machine = true;
	assert_int_equal(panel_add_event(&p, event, "r3"), 0);
	panel_set_claim(&p, 0, cpu_event_find(cpu, event));
	for (int i = 0; i < SHAPES; i++) {
		char text[16];
		int row;

		snprintf(text, sizeof(text), "n=%d", i);
		assert_int_equal(panel_add_shape(&p, "chase", text), 0);
		row = panel_add_row(&p, NULL, NULL);
		assert_int_equal(row, i);
		p.row[row].truth = true;
		p.disturbance[row] = disturbance;
		for (int t = 0; t < FIT_TERMS; t++)
			p.row[row].term[t] = NAN;
		p.count[(size_t)row * PANEL_EVENTS] = count[i];
		add_evidence(&p, (size_t)row, &v[i]);
	}
	out = panel_judge(&p, NULL);
	assert_non_null(out);
	panel_fini(&p);
	return out;
}

static const double counts[SHAPES] = { 2000, 4000, 6000, 8000 };

/* All of them know the counts. */
static void agree(struct values v[SHAPES])
{
	for (int i = 0; i < SHAPES; i++)
		v[i] = (struct values){ { counts[i], counts[i], counts[i] } };
}

static void what_all_say_is_claimed(void **state)
{
	struct certificate_event *e;
	struct values v[SHAPES];

	(void)state;
	agree(v);
	e = judge(v, counts);
	assert_int_equal(e->class_, ASSAY_CLASS_EXACT);
	assert_string_equal(e->witnesses, "closed form 4 of 4, simulation 4 of "
					  "4, timing 4 of 4");
	assert_null(strstr(e->explains, "unsettled"));
	free(e);
}

/* So that a sum with these has a bound above, too. */
static void instructions_prefetch_nothing(void **state)
{
	static struct evidence t;

	(void)state;
	evidence_init(&t);
	for (int w = 0; w < WITNESSES; w++)
		for (int i = 0; i < 3; i++) {
			assert_true(t.signal[w][SIGNAL_l1d_software_l2 +
						i].high == 0);
			assert_true(t.signal[w][SIGNAL_l1d_prefetch_l2 +
						i].high > 0);
		}
}

static void any_two_can_contradict(void **state)
{
	(void)state;
	for (int wrong = 0; wrong < WITNESSES; wrong++) {
		for (int silent = 0; silent < WITNESSES; silent++) {
			struct certificate_event *e;
			struct values v[SHAPES];

			if (silent == wrong)
				continue;
			agree(v);
			for (int i = 0; i < SHAPES; i++) {
				v[i].by[wrong] /= 4;
				v[i].by[silent] = NAN;
			}
			e = judge(v, counts);
			assert_int_equal(e->class_, ASSAY_CLASS_INCONCLUSIVE);
			assert_int_equal(e->shapes, 0);
			assert_non_null(strstr(e->explains,
					       "unsettled: the "
					       "witnesses contradict"));
			for (int w = 0; w < WITNESSES; w++)
				assert_int_equal(
					!strstr(e->explains, witness_names[w]),
					w == silent);
			free(e);
		}
	}
}

/* The shape where they are furthest apart is named; others still count. */
static void one_shape_is_left_out(void **state)
{
	struct certificate_event *e;
	struct values v[SHAPES];
	double twice[SHAPES];

	(void)state;
	agree(v);
	v[3].by[WITNESS_TIMED] = 1000;
	e = judge(v, counts);
	assert_int_equal(e->class_, ASSAY_CLASS_EXACT);
	assert_int_equal(e->shapes, 3);
	assert_non_null(strstr(e->explains, "; unsettled at chase n=3: closed "
					    "form 8000"));
	assert_non_null(strstr(e->explains, "timing 900 to 1100"));
	free(e);
	/* that excuses nobody who lies where they agree */
	for (int i = 0; i < SHAPES; i++)
		twice[i] = 2 * counts[i];
	e = judge(v, twice);
	assert_int_equal(e->class_, ASSAY_CLASS_PROPORTIONAL);
	assert_non_null(strstr(e->explains, "To the last digit: 2 x what is "
			       "claimed.; unsettled"));
	assert_string_equal(e->witnesses, "closed form 0 of 4, simulation 0 of "
					  "4, timing 0 of 4; they contradict "
					  "each other in 1");
	free(e);
}

/* A band and a number inside of it are no contradiction. */
static void bands_may_be_wide(void **state)
{
	struct certificate_event *e;
	struct values v[SHAPES];

	(void)state;
	agree(v);
	for (int i = 0; i < SHAPES; i++)
		v[i].by[WITNESS_TIMED] += 99;
	e = judge(v, counts);
	assert_int_equal(e->class_, ASSAY_CLASS_EXACT);
	assert_null(strstr(e->explains, "unsettled"));
	free(e);
}

static void set_times(struct values v[SHAPES], const double t[SHAPES])
{
	for (int i = 0; i < SHAPES; i++) {
		v[i] = (struct values){ { NAN, NAN, NAN } };
		v[i].by[WITNESS_TIMED] = t[i];
	}
}

/* A narrow band alone claims no last digit, but what lies in it, or not. */
static void a_band_alone_has_bounds(void **state)
{
	static const double t[SHAPES] = { 4000, 6000, 8000, 9000 };
	struct certificate_event *e;
	struct values v[SHAPES];
	double count[SHAPES];

	(void)state;
	set_times(v, t);
	for (int i = 0; i < SHAPES; i++)
		count[i] = t[i] + (i % 2 ? 60 : -60);
	e = judge(v, count);
	assert_int_equal(e->class_, ASSAY_CLASS_BOUNDED);
	assert_string_equal(e->witnesses, "timing 4 of 4");
	free(e);
	for (int i = 0; i < SHAPES; i++)
		count[i] = 2 * t[i] + (i % 2 ? 160 : -160);
	e = judge(v, count);
	assert_int_equal(e->class_, ASSAY_CLASS_PROPORTIONAL);
	assert_string_equal(e->witnesses, "timing 0 of 4");
	free(e);
}

/* A wide band proves nothing but what lies outside of it. */
static void a_wide_band_proves_no_agreement(void **state)
{
	static const double t[SHAPES] = { 500, 600, 700, 800 };
	struct certificate_event *e;
	struct values v[SHAPES];
	double count[SHAPES];

	(void)state;
	set_times(v, t);
	e = judge(v, t);
	assert_int_equal(e->class_, ASSAY_CLASS_INCONCLUSIVE);
	assert_int_equal(e->good, 0);
	free(e);
	for (int i = 0; i < SHAPES; i++)
		count[i] = 2 * t[i];
	e = judge(v, count);
	assert_int_equal(e->class_, ASSAY_CLASS_BIASED);
	free(e);
}

/* Start-up, the same whatever the work. */
static void a_constant_is_no_bias(void **state)
{
	static const double t[SHAPES] = { 2e6, 4e6, 6e6, 8e6 };
	struct certificate_event *e;
	struct values v[SHAPES];
	double count[SHAPES];

	(void)state;
	for (int i = 0; i < SHAPES; i++) {
		v[i] = (struct values){ { t[i], NAN, NAN } };
		count[i] = t[i] + 150000;
	}
	e = judge(v, count);
	assert_int_equal(e->class_, ASSAY_CLASS_CONSTANT);
	free(e);
}

/* Instructions of two programs of one shape and six runs each: truth[i], and
 * more[i] counts more, and some for each page fault and switch of threads. */
enum { RUNS = 6 };

struct programs {
	double truth[2], more[2];
	double fault, each_switch, beside;
};

static const double faults[] = { 700, 120, 345, 260, 910, 15, 510, 66, 803, 430,
				 190, 333 };
static const double switches[] = { 20, 310, 95, 410, 160, 250, 77, 280, 444,
				   130, 390, 12 };

static void add_run(struct panel *p, const struct programs *made, int i)
{
	const double t = made->truth[i / RUNS];
	const int row = panel_add_row(p, NULL, NULL);

	assert_int_equal(row, i);
	for (int k = 0; k < FIT_TERMS; k++)
		p->row[row].term[k] = NAN;
	p->row[row].term[FIT_faults] = faults[i];
	p->row[row].term[FIT_switches] = switches[i];
	p->disturbance[row] = made->beside;
	p->count[(size_t)row * PANEL_EVENTS] = t + made->more[i / RUNS] + i % 3 +
		made->fault * faults[i] + made->each_switch * switches[i];
	panel_claim(p, (size_t)row, "INST_RETIRED", ASSAY_Q_instructions, t, t);
}

static enum assay_class two_programs(const struct programs *made)
{
	enum assay_class class_;
	struct certificate_event *out;
	struct assay_error err;
	struct panel p;

	assert_int_equal(panel_init(&p, &err), 0);
	p.real_machine = true;
	panel_add_event(&p, "INST_RETIRED", "r8");
	for (int i = 0; i < 2 * RUNS; i++) {
		if (i % RUNS == 0)
			panel_add_shape(&p, i ? "stream" : "chase", "n=1");
		add_run(&p, made, i);
	}
	out = panel_judge(&p, NULL);
	assert_non_null(out);
	class_ = out->class_;
	free(out);
	panel_fini(&p);
	return class_;
}

/* Start-up that is equal in two programs is no bias; a share is one. */
static void start_up_is_equal_in_two_programs(void **state)
{
	struct programs made = { .truth = { 1e7, 1.3e7 },
				 .more = { 8000, 8000 } };

	(void)state;
	assert_int_equal(two_programs(&made), ASSAY_CLASS_CONSTANT);
	made.more[1] = 10400;
	assert_int_equal(two_programs(&made), ASSAY_CLASS_BIASED);
	made.more[1] = 9000;
	assert_int_equal(two_programs(&made), ASSAY_CLASS_BIASED);
}

/* What was counted beside the event explains each run: that needs no excuse. */
static void what_is_counted_beside_explains(void **state)
{
	struct programs made = { .truth = { 1e5, 2e5 }, .beside = 1e5 };

	(void)state;
	made.fault = 1;
	assert_int_equal(two_programs(&made), ASSAY_CLASS_FAULTS);
	made.each_switch = 2;
	assert_int_equal(two_programs(&made), ASSAY_CLASS_FAULTS);
	made.fault = 0;
	assert_int_equal(two_programs(&made), ASSAY_CLASS_FAULTS);
	/* of no whole number for each: excused, and not proven */
	made.each_switch = 1.4;
	assert_int_equal(two_programs(&made), ASSAY_CLASS_INCONCLUSIVE);
	made.beside = 0;
	assert_true(assay_class_trust(two_programs(&made)) != 1);
}

/* A few more in some repetitions: no accusation, and no proof either. */
static void what_happens_beside_accuses_nobody(void **state)
{
	struct certificate_event *e;
	struct values v[SHAPES];
	double count[SHAPES];

	(void)state;
	agree(v);
	for (int i = 0; i < SHAPES; i++)
		count[i] = counts[i] + 400;
	disturbance = 1000;
	e = judge(v, count);
	assert_int_equal(e->class_, ASSAY_CLASS_INCONCLUSIVE);
	free(e);
	disturbance = 100;
	e = judge(v, count);
	assert_int_equal(assay_class_trust(e->class_), 1);
	assert_int_equal(e->class_, ASSAY_CLASS_CONSTANT);
	free(e);
	for (int i = 0; i < SHAPES; i++)
		count[i] = counts[i] * 0.9;	/* nothing takes away */
	e = judge(v, count);
	assert_true(assay_class_fails(e->class_));
	free(e);
	disturbance = 0;
}

/* ---- what people read ---------------------------------------------------- */

/* Numbers that say nothing, or the opposite of the verdict. */
static void read_text(const char *text)
{
	static const char *const never[] = {
		"+0.00 %", "-0.00 %", "+0 %", "-0 %", " 0 %", "nan", "inf ",
		"inf%", "  ", "1 counts", "0 readings",
	};

	for (size_t i = 0; i < sizeof(never) / sizeof(*never); i++)
		if (strstr(text, never[i]))
			fail_msg("'%s' in: %s", never[i], text);
}

static void read_event(const struct certificate_event *e)
{
	const bool right = assay_class_trust(e->class_) == 1;

	assert_true(e->explains[0]);
	read_text(e->explains);
	read_text(e->fails);
	read_text(e->witnesses);
	/* start-up apart, what is right is near; and only failures fail */
	if (right && e->class_ != ASSAY_CLASS_CONSTANT && !e->bias.why)
		assert_true(fabs(e->bias.number) <= 0.06);
	assert_true(!right || !strstr(e->explains, "Not proven"));
	assert_int_equal(e->fails[0] != 0,
			 assay_class_trust(e->class_) == 0);
	if (e->class_ == ASSAY_CLASS_INCONCLUSIVE)
		assert_null(strstr(e->explains, "Counts "));
}

static unsigned draw(unsigned *seed, unsigned below)
{
	*seed = *seed * 1664525 + 1013904223;
	return (*seed >> 8) % below;
}

static void messages_say_what_the_class_says(void **state)
{
	static const double factor[] = { 0, 1, 1, 1, 1.0002, 1.02, 1.3, 2, 0.5,
					 1e-5 };
	static const double more[] = { 0, 0, 0, 1, 3, 40, 5000 };
	static const double apart[] = { 0, 0, 1e-6, 1e-3, 0.02, 0.4 };
	unsigned seed = 1, seen[ASSAY_CLASSES] = { 0 }, classes = 0;

	(void)state;
	for (int k = 0; k < 3000; k++) {
		const double b = factor[draw(&seed, 10)];
		const double a = more[draw(&seed, 7)];
		const double noise = apart[draw(&seed, 6)];
		const int width = (int)draw(&seed, 3);
		struct certificate_event *e;
		struct values v[SHAPES];
		double count[SHAPES];

		disturbance = draw(&seed, 2) * 1000;
		for (int i = 0; i < SHAPES; i++) {
			const double t = draw(&seed, 8) ?
				pow(10, 2 + draw(&seed, 5)) *
				(1 + draw(&seed, 900) / 100.) : 0;
			const double z = draw(&seed, 2001) / 1000. - 1;

			v[i] = (struct values){ {
				width == 2 ? NAN : round(t), NAN,
				width ? fmin(round(t), LOADS) : NAN } };
			count[i] = fmax(0, round((a + b * t) *
						 (1 + noise * z)));
		}
		e = judge(v, count);
		read_event(e);
		classes += !seen[e->class_]++;
		free(e);
	}
	disturbance = 0;
	assert_true(classes >= 6);
}

static int load(void **state)
{
	(void)state;
	return cpu_load(&cpu, "cortex-a72", NULL, NULL);
}

static int unload(void **state)
{
	(void)state;
	cpu_free(cpu);
	return 0;
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_all_say_is_claimed),
		cmocka_unit_test(instructions_prefetch_nothing),
		cmocka_unit_test(any_two_can_contradict),
		cmocka_unit_test(one_shape_is_left_out),
		cmocka_unit_test(bands_may_be_wide),
		cmocka_unit_test(a_band_alone_has_bounds),
		cmocka_unit_test(a_wide_band_proves_no_agreement),
		cmocka_unit_test(a_constant_is_no_bias),
		cmocka_unit_test(start_up_is_equal_in_two_programs),
		cmocka_unit_test(what_is_counted_beside_explains),
		cmocka_unit_test(what_happens_beside_accuses_nobody),
		cmocka_unit_test(messages_say_what_the_class_says),
	};

	return cmocka_run_group_tests(tests, load, unload);
}
