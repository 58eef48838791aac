/* SPDX-License-Identifier: MIT */
/* Statistics of timing samples, on samples whose answer is known. */
#include "check.h"

#include <math.h>

#include "analysis/latency/series.h"

static const struct series_rule rule = {
	.least_rounds = 4, .good = 0.012, .stable = 0.04,
};

#define SAMPLES 400
static const unsigned per_round = 20;

struct made { struct time_sample s[SAMPLES]; size_t n; };

/* Rounds whose own cycles are given; the clock wanders by 10 %. */
static void make(struct made *m, const double *cycles, unsigned rounds)
{
	m->n = 0;
	for (unsigned r = 0; r < rounds; r++) {
		for (unsigned i = 0; i < per_round; i++) {
			const double ghz = 2.5 + 0.25 * (i % 5) / 4;

			m->s[m->n++] = (struct time_sample){
				.cycles = cycles[r], .ghz = ghz,
				.ns = cycles[r] / ghz, .adds = 4, .round = r,
			};
		}
	}
}

static struct series_summary look(const struct made *m)
{
	struct series_mark scratch[SAMPLES];
	struct series_summary out;

	series_summarise(m->s, m->n, 4, scratch, &out);
	return out;
}

static void quantiles_interpolate(void **state)
{
	double v[] = { 5, 1, 3, 2, 4 };

	(void)state;
	assert_true(series_quantile(v, 5, 0) == 1);
	assert_true(series_quantile(v, 5, 0.25) == 2);
	assert_true(series_quantile(v, 5, 0.5) == 3);
	assert_true(series_quantile(v, 5, 0.625) == 3.5);
	assert_true(series_quantile(v, 5, 1) == 5);
	assert_true(series_quantile(v, 1, 0.3) == v[0]);
}

static void steady_cycles_stop(void **state)
{
	const double cycles[] = { 14, 14.01, 14, 13.99 };
	struct made m;
	struct series_summary s;

	(void)state;
	make(&m, cycles, 4);
	s = look(&m);
	assert_true(fabs(s.cycles.value - 14) < 0.01);
	assert_true(s.cycles.low >= 13.99 && s.cycles.high <= 14.01);
	assert_int_equal(s.rounds, 4);
	assert_int_equal(series_judge(&s, &rule, false), SERIES_STABLE);
	/* too few rounds to know */
	m.n = 3 * per_round;
	s = look(&m);
	assert_int_equal(series_judge(&s, &rule, false), SERIES_MORE);
	m.n = per_round;
	s = look(&m);
	assert_int_equal(series_judge(&s, &rule, true), SERIES_UNSTABLE);
}

static void wandering_answers_are_ranges(void **state)
{
	const double cycles[] = { 80, 160, 120, 300, 90, 140, 250, 100 };
	struct made m;
	struct series_summary s;

	(void)state;
	make(&m, cycles, 8);
	s = look(&m);
	assert_int_equal(series_judge(&s, &rule, false), SERIES_MORE);
	assert_int_equal(series_judge(&s, &rule, true), SERIES_UNSTABLE);
	assert_true(s.cycles.low < 90 && s.cycles.high > 250);
}

/* One bad round of twelve is no reason to doubt the others. */
static void one_bad_round_is_outvoted(void **state)
{
	double cycles[12];
	struct made m;
	struct series_summary s;

	(void)state;
	for (int i = 0; i < 12; i++)
		cycles[i] = i == 7 ? 300 : 50 + 0.05 * i;
	make(&m, cycles, 12);
	s = look(&m);
	assert_true(fabs(s.cycles.value - 50.3) < 0.5);
	assert_int_equal(series_judge(&s, &rule, false), SERIES_STABLE);
}

/* A process on the same CPU doubles a third of the chunks. */
static void preempted_chunks_do_not_move_it(void **state)
{
	const double cycles[] = { 16, 16, 16, 16, 16 };
	struct made m;
	struct series_summary s;

	(void)state;
	make(&m, cycles, 5);
	for (size_t i = 0; i < m.n; i += 3) {
		m.s[i].ns *= 2;
		m.s[i].cycles *= 2;
	}
	s = look(&m);
	assert_true(s.cycles.value == 16);
	assert_true(s.ns.value < 16 / 2.5 * 1.01);
}

/* A torn sample has no cycles worth counting; its time stays. */
static void torn_clocks_do_not_count(void **state)
{
	const double cycles[] = { 5, 5, 5, 5 };
	struct made m;
	struct series_summary s;

	(void)state;
	make(&m, cycles, 4);
	for (size_t i = 0; i < m.n; i++) {
		if (i % 3 == 0)
			continue;
		m.s[i].torn = true;
		m.s[i].cycles = 0.25;	/* a disturbed clock: 20 times off */
	}
	s = look(&m);
	assert_true(s.cycles.value == 5);
	assert_true(fabs(s.torn - 0.66) < 0.02);
}

static void siblings_and_drift_are_seen(void **state)
{
	const double cycles[] = { 5, 5, 5, 5 };
	struct made m;
	struct series_summary s;

	(void)state;
	make(&m, cycles, 4);
	s = look(&m);
	assert_true(s.sibling == 0);
	assert_true(s.drift > 0.08 && s.drift < 0.11);
	for (size_t i = 0; i < m.n; i += 2)
		m.s[i].adds = 2.6;
	s = look(&m);
	assert_true(s.sibling == 0.5);
}

static void no_clock_is_no_cycles(void **state)
{
	const double cycles[] = { 5, 5, 5, 5 };
	struct made m;
	struct series_summary s;

	(void)state;
	make(&m, cycles, 4);
	for (size_t i = 0; i < m.n; i++)
		m.s[i].cycles = m.s[i].ghz = m.s[i].adds = 0;
	s = look(&m);
	assert_true(s.cycles.value == 0 && s.ghz == 0);
	assert_true(isinf(s.cycles.error));
	assert_true(s.ns.value > 0);
	s = look(&(struct made){ .n = 0 });
	assert_int_equal(series_judge(&s, &rule, true), SERIES_UNSTABLE);
}

/* Who shares the core makes six of ten chunks slower; the others are it. */
static void a_neighbour_of_more_than_half_does_not_count(void **state)
{
	struct time_sample v[100];
	struct series_summary s;
	struct series_mark scratch[100];

	(void)state;
	for (unsigned i = 0; i < 100; i++)
		v[i] = (struct time_sample){
			.ns = i % 10 < 6 ? 1.5 : 1.0, .ghz = 4,
			.cycles = i % 10 < 6 ? 6 : 4, .round = i / 20,
		};
	series_summarise(v, 100, 0, scratch, &s);
	assert_true(fabs(s.cycles.value - 4) < 1e-9);
	assert_true(fabs(s.ns.value - 1) < 1e-9);
}

/*
 * Somebody on the core works in bursts for nearly all of the time. A look is
 * shorter than a chunk: every second that lies beside a burst misses it.
 */
static void burst(struct time_sample *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const bool busy = i % 80 >= 4;

		v[i] = (struct time_sample){
			.ns = busy ? 1.15 : 1.0, .ghz = 4,
			.cycles = busy ? 4.6 : 4.0, .round = (unsigned)i / 80,
			.adds = busy && i % 2 ? 2.3 : 3.9,
		};
	}
}

static void bursts_of_a_neighbour_do_not_count(void **state)
{
	struct series_mark scratch[800];
	struct time_sample v[800];
	struct series_summary s;

	(void)state;
	burst(v, 800);
	series_summarise(v, 800, 0, scratch, &s);
	assert_true(s.cycles.value > 4.3);
	series_summarise(v, 800, 3.9, scratch, &s);
	assert_true(fabs(s.cycles.value - 4) < 1e-9);
	assert_true(s.cycles.error < 0.03 && !s.shared);
	assert_int_equal(series_judge(&s, &rule, false), SERIES_STABLE);
	assert_true(s.sibling > 0.4 && s.sibling < 0.5);
	/* what looks quiet on a shared core mostly is not */
	for (size_t i = 0; i < 800; i++) {
		v[i].cycles = i % 60 < 10 ? 4 : 4.6;
		v[i].adds = i % 10 < 4 ? 3.9 : 2.3;
	}
	series_summarise(v, 800, 3.9, scratch, &s);
	assert_true(fabs(s.cycles.value - 4) < 1e-9 && !s.shared);
	/* memory is not the core's */
	for (size_t i = 0; i < 800; i++)
		v[i].ns *= 100;
	series_summarise(v, 800, 3.9, scratch, &s);
	assert_true(fabs(s.cycles.value - 4.6) < 1e-9 && !s.shared);
	assert_true(s.sibling > 0.5);
}

/* Steady numbers from beside somebody are no answer. */
static void without_quiet_there_is_no_answer(void **state)
{
	struct series_mark scratch[800];
	struct time_sample v[800];
	struct series_summary s;

	(void)state;
	burst(v, 800);
	for (size_t i = 0; i < 800; i++) {
		v[i].cycles = 4.6;
		v[i].adds = i % 80 ? 2.3 : 3.9;
	}
	series_summarise(v, 800, 3.9, scratch, &s);
	assert_true(s.shared && fabs(s.cycles.value - 4.6) < 1e-9);
	assert_int_equal(series_judge(&s, &rule, false), SERIES_MORE);
	assert_int_equal(series_judge(&s, &rule, true), SERIES_UNSTABLE);
}

static void full_adds_are_those_of_a_core_alone(void **state)
{
	double adds[100];

	(void)state;
	assert_true(series_full_adds(adds, 0) == 0);
	/* alone for a tenth of the time */
	for (int i = 0; i < 100; i++)
		adds[i] = i % 10 ? 2 + 0.1 * (i % 7) : 3.9;
	assert_true(fabs(series_full_adds(adds, 100) - 3.9) < 1e-9);
	/* a core that can do two at once, alone */
	for (int i = 0; i < 100; i++)
		adds[i] = 1.99 + 0.0002 * i;
	assert_true(fabs(series_full_adds(adds, 100) - 2) < 0.02);
	/* never alone */
	for (int i = 0; i < 100; i++)
		adds[i] = 2 + 0.1 * (i % 7);
	assert_true(series_full_adds(adds, 100) == 4);
}

/*
 * Half of the rounds are at 600 cycles and half at 640: if by turns, p25 is
 * certain; if the time went from the one to the other, it is not.
 */
static void slow_drift_is_no_stability(void **state)
{
	double cycles[32];
	struct series_summary s;
	struct made m;

	(void)state;
	for (int i = 0; i < 20; i++)
		cycles[i] = i % 2 ? 600 : 640;
	make(&m, cycles, 20);
	s = look(&m);
	assert_true(fabs(s.cycles.value - 600) < 1e-9);
	assert_int_equal(series_judge(&s, &rule, true), SERIES_STABLE);
	for (int i = 0; i < 20; i++)
		cycles[i] = i < 10 ? 600 : 640;
	make(&m, cycles, 20);
	s = look(&m);
	assert_true(s.cycles.error > 0.03);
	assert_int_equal(series_judge(&s, &rule, false), SERIES_MORE);
	/* one disturbed quarter is none */
	for (int i = 0; i < 20; i++)
		cycles[i] = i < 15 ? 600 : 640;
	make(&m, cycles, 20);
	s = look(&m);
	assert_int_equal(series_judge(&s, &rule, false), SERIES_STABLE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_neighbour_of_more_than_half_does_not_count),
		cmocka_unit_test(bursts_of_a_neighbour_do_not_count),
		cmocka_unit_test(without_quiet_there_is_no_answer),
		cmocka_unit_test(full_adds_are_those_of_a_core_alone),
		cmocka_unit_test(slow_drift_is_no_stability),
		cmocka_unit_test(quantiles_interpolate),
		cmocka_unit_test(steady_cycles_stop),
		cmocka_unit_test(wandering_answers_are_ranges),
		cmocka_unit_test(one_bad_round_is_outvoted),
		cmocka_unit_test(preempted_chunks_do_not_move_it),
		cmocka_unit_test(torn_clocks_do_not_count),
		cmocka_unit_test(siblings_and_drift_are_seen),
		cmocka_unit_test(no_clock_is_no_cycles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
