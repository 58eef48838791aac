/* SPDX-License-Identifier: MIT */
/* Chunks, rounds and chains on a machine whose times are known. */
#include "check.h"

#include <math.h>

#include "timing/rounds.h"
#include "fake-clock.h"
#include "measure/chain.h"

#define LINES 512
#define LINE 64

static _Alignas(64) unsigned char memory[65 * 4096];

static double fourteen(struct fake *f, void *at)
{
	(void)f;
	(void)at;
	return 14;
}

/* Now the one, now the other: no answer exists. */
static double restless(struct fake *f, void *at)
{
	(void)at;
	return f->loads / 15000 % 3 ? 60 : 20;
}

static struct timed one_chain(void)
{
	const struct chain chain = { .base = memory, .step = LINE };
	struct timed t = { .chains = 1, .lines = LINES };
	uint64_t seed = 1;

	chain_extend(&chain, 0, LINES, &seed);
	t.head[0] = memory;
	return t;
}

static void chunks_are_in_core_cycles(void **state)
{
	struct timed t = one_chain();
	struct time_clock clock;
	struct time_sample s;
	struct fake f;
	double core = 0;

	(void)state;
	fake_init(&f, &clock, fourteen);
	assert_int_equal(clock.granule, 1);
	assert_true(fabs(clock.overhead - 25) < 26);
	time_chunk(&clock, &t, 3200, &core, &s);
	assert_true(fabs(s.cycles - 14) < 0.05);
	assert_true(fabs(s.ns - 14 * 0.8 / 2) < 0.05);
	assert_true(fabs(s.ghz - 2.5) < 0.01);
	assert_true(fabs(s.adds - 4) < 0.3);
	assert_false(s.torn);
	/* the clock slows down: cycles stay, times follow */
	f.core_ticks = 1;
	core = 0;
	time_chunk(&clock, &t, 3200, &core, &s);
	assert_true(fabs(s.cycles - 14) < 0.05);
	assert_true(fabs(s.ns - 7) < 0.05);
	assert_false(s.torn);
}

static void a_moving_clock_tears_the_chunk(void **state)
{
	struct timed t = one_chain();
	struct time_clock clock;
	struct time_sample s;
	struct fake f;
	double core = 0;

	(void)state;
	fake_init(&f, &clock, fourteen);
	f.wobble = 4;		/* the reading after the chunk */
	time_chunk(&clock, &t, 3200, &core, &s);
	assert_true(s.torn);
}

static void coarse_counters_are_noticed(void **state)
{
	struct time_clock clock;
	struct fake f;

	(void)state;
	fake_init(&f, &clock, fourteen);
	f.granule = 26;
	time_clock_init(&clock, &fake_port, &f, 2);
	assert_int_equal(clock.granule, 26);
}

static void several_chains_are_one_access_each(void **state)
{
	struct timed t = one_chain();
	struct time_clock clock;
	struct time_sample s;
	struct fake f;
	double core = 0;

	(void)state;
	fake_init(&f, &clock, fourteen);
	t.chains = 4;
	for (unsigned c = 0; c < 4; c++)
		t.head[c] = memory + c * LINE;
	time_chunk(&clock, &t, 320, &core, &s);
	assert_true(fabs(s.cycles - 14) < 0.3);
	assert_int_equal(time_steps(&clock, &t, 15000) % TIME_UNROLL, 0);
}

static struct rounds_item timed_item(void)
{
	return (struct rounds_item){ .timed = one_chain() };
}

static void rounds_stop_when_it_is_known(void **state)
{
	struct rounds_item item = timed_item();
	struct time_clock clock;
	struct fake f;

	(void)state;
	fake_init(&f, &clock, fourteen);
	assert_int_equal(rounds_run(&clock, &rounds_default_config, &item, 1),
			 0);
	assert_int_equal(item.state, SERIES_STABLE);
	assert_int_equal(item.summary.rounds, 4);
	assert_true(fabs(item.summary.cycles.value - 14) < 0.05);
	assert_int_equal(item.repeated, 0);
	rounds_fini(&item, 1);
}

static void rounds_give_up_on_a_moving_target(void **state)
{
	struct rounds_item item = timed_item();
	struct rounds_config plan = rounds_default_config;
	struct time_clock clock;
	struct fake f;

	(void)state;
	plan.slice_ns = 50000;
	fake_init(&f, &clock, restless);
	assert_int_equal(rounds_run(&clock, &plan, &item, 1), 0);
	assert_int_equal(item.state, SERIES_UNSTABLE);
	assert_int_equal(item.summary.rounds, plan.most_rounds);
	assert_true(item.summary.cycles.low < 45);
	assert_true(item.summary.cycles.high > 45);
	rounds_fini(&item, 1);
}

/* No round is begun that does not fit into the time that all may take. */
static void measuring_ends_when_its_time_is_over(void **state)
{
	struct rounds_config plan = rounds_default_config;
	struct rounds_item item[2] = { timed_item(), timed_item() };
	struct time_clock clock;
	struct fake f;

	(void)state;
	plan.rule.good = 0;
	plan.most_rounds = 50;
	plan.budget_ns = 10e6;	/* of four items, which even two may have */
	fake_init(&f, &clock, restless);
	assert_int_equal(rounds_run(&clock, &plan, item, 2), 0);
	assert_true(item[0].summary.rounds > 4);
	assert_true(item[0].summary.rounds < 50);
	assert_true(item[0].ns + item[1].ns <= 40e6);
	assert_true(item[0].ns + item[1].ns > 30e6);
	rounds_fini(item, 2);
	/* two rounds are the least that says anything */
	plan.budget_ns = 0.4e6;
	item[0] = timed_item();
	assert_int_equal(rounds_run(&clock, &plan, item, 1), 0);
	assert_int_equal(item[0].summary.rounds, 2);
	rounds_fini(item, 1);
	/* where a round takes all of it, there is no answer, soon */
	plan.budget_ns = 1;
	item[0] = timed_item();
	f.wobble = 4;
	assert_int_equal(rounds_run(&clock, &plan, item, 1), 0);
	assert_int_equal(item[0].summary.rounds, 1);
	assert_int_equal(item[0].state, SERIES_UNSTABLE);
	assert_int_equal(item[0].repeated, 0);
	rounds_fini(item, 1);
}

/* Quick accesses have short chunks, slow ones those that were asked for. */
static void chunks_are_as_short_as_they_may_be(void **state)
{
	struct rounds_config plan = rounds_default_config;
	struct rounds_item item = timed_item();
	struct time_clock clock;
	struct fake f;
	double ns;

	(void)state;
	plan.rule.good = 1;
	fake_init(&f, &clock, fourteen);
	assert_int_equal(rounds_run(&clock, &plan, &item, 1), 0);
	ns = item.ns / (double)item.samples;
	assert_true(ns > 5e3 && ns < 9e3);	/* 1024 of 5.6 ns, the clock */
	rounds_fini(&item, 1);
	plan.enough = 0;
	item = timed_item();
	assert_int_equal(rounds_run(&clock, &plan, &item, 1), 0);
	assert_true(item.ns / (double)item.samples > 15e3);
	rounds_fini(&item, 1);
}

/* Torn in most chunks: repeated three times, then marked. */
static void disturbed_rounds_are_repeated_then_marked(void **state)
{
	struct rounds_item item = timed_item();
	struct time_clock clock;
	struct fake f;

	(void)state;
	fake_init(&f, &clock, fourteen);
	f.wobble = 4;
	assert_int_equal(rounds_run(&clock, &rounds_default_config, &item, 1),
			 0);
	assert_int_equal(item.repeated, 3);
	assert_true(item.disturbed);
	rounds_fini(&item, 1);
}

/* A core of 2.5 GHz beside a counter of 2 GHz; counts by `by`. */
static unsigned by;

static uint64_t core_clock_cycles(void *ctx)
{
	struct fake *f = ctx;

	f->now += 3;
	return by ? (uint64_t)(f->now / f->core_ticks) / by * by : 7;
}

static void single_loads_may_have_a_counter_of_their_own(void **state)
{
	struct time_port port = fake_port;
	struct time_clock clock;
	struct fake f;

	(void)state;
	port.stamp = core_clock_cycles;
	fake_init(&f, &clock, fourteen);
	f.granule = 40;
	time_clock_init(&clock, &fake_port, &f, 2);
	assert_int_equal(clock.loads.granule, 40);
	assert_true(fabs(clock.loads.ticks_per_ns - 2) < 1e-9);
	/* one that stands still is not taken */
	by = 0;
	assert_false(time_clock_stamp(&clock, &port, &f));
	assert_ptr_equal(clock.port, &fake_port);
	assert_int_equal(clock.loads.granule, 40);
	by = 1;
	assert_true(time_clock_stamp(&clock, &port, &f));
	assert_ptr_equal(clock.port, &port);
	assert_true(fabs(clock.loads.ticks_per_ns - 2.5) < 0.01);
	assert_int_equal(clock.granule, 40);
	assert_true(fabs(clock.ticks_per_ns - 2) < 1e-9);
}

static uint64_t period(void *head)
{
	void *at = *(void **)head;
	uint64_t n = 1;

	for (; at != head && n <= 2 * LINES; n++)
		at = *(void **)at;
	return n;
}

/* Few lines are followed by their neighbours, by the nature of chance. */
static void chains_are_in_no_order(void **state)
{
	const struct chain chain = { .base = memory, .step = LINE };
	const struct chain windows = { .base = memory, .step = LINE,
				       .window = 64 };
	uint64_t seed = 3;
	unsigned near = 0, inside = 0;

	(void)state;
	chain_extend(&chain, 0, LINES, &seed);
	for (uint64_t i = 0; i < LINES; i++) {
		const unsigned char *at = memory + i * LINE;
		const long step = *(unsigned char **)at - at;

		near += labs(step) <= 2 * LINE;
	}
	assert_true(near < LINES / 16);
	/* windows are left once or twice each, and are in no order inside */
	chain_extend(&windows, 0, LINES, &seed);
	assert_int_equal(period(memory), LINES);
	for (near = 0, inside = 0; inside < LINES; inside++) {
		const unsigned char *at = memory + inside * LINE;
		const unsigned char *to = *(unsigned char **)at;

		near += (at - memory) / (64 * LINE) !=
			(to - memory) / (64 * LINE);
	}
	assert_true(near <= 2 * LINES / 64 + 2 && near >= LINES / 64);
}

static void chains_are_single_cycles(void **state)
{
	const struct chain chain = { .base = memory, .step = LINE };
	const struct chain half = { .base = memory, .step = 2 * LINE };
	const struct chain skewed = { .base = memory, .step = 4096,
				      .skew = LINE, .wrap = 4096 };
	uint64_t seed = 7;

	(void)state;
	chain_extend(&chain, 0, 1, &seed);
	assert_int_equal(period(memory), 1);
	/* every prefix is a cycle */
	for (uint64_t n = 2; n <= LINES; n++) {
		chain_extend(&chain, n - 1, n, &seed);
		assert_int_equal(period(memory), n);
	}
	chain_linear(&chain, 5);
	assert_int_equal(period(memory), 5);
	chain_extend(&half, 0, LINES / 2, &seed);
	chain_double(&half, LINES / 2, LINE);
	assert_int_equal(period(memory), LINES);
	for (uint64_t i = 0; i < LINES / 2; i++)
		assert_ptr_equal(*(void **)chain_at(&half, i),
				 memory + (2 * i + 1) * LINE);
	assert_ptr_equal(chain_at(&skewed, 3), memory + 3 * 4096 + 3 * LINE);
	assert_ptr_equal(chain_at(&skewed, 64), memory + 64 * 4096);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(chunks_are_in_core_cycles),
		cmocka_unit_test(a_moving_clock_tears_the_chunk),
		cmocka_unit_test(coarse_counters_are_noticed),
		cmocka_unit_test(several_chains_are_one_access_each),
		cmocka_unit_test(rounds_stop_when_it_is_known),
		cmocka_unit_test(rounds_give_up_on_a_moving_target),
		cmocka_unit_test(measuring_ends_when_its_time_is_over),
		cmocka_unit_test(chunks_are_as_short_as_they_may_be),
		cmocka_unit_test(single_loads_may_have_a_counter_of_their_own),
		cmocka_unit_test(disturbed_rounds_are_repeated_then_marked),
		cmocka_unit_test(chains_are_in_no_order),
		cmocka_unit_test(chains_are_single_cycles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
