/* SPDX-License-Identifier: MIT */
/* The pie by time on a machine whose caches are known. */
#include "check.h"

#include <math.h>

#include "timing/replay-loads.h"
#include "fake-clock.h"
#include "measure/chain.h"

#define LINE 64

/*
 * LRU by reuse distance: 4 KiB, 128 KiB and 1 MiB of 4, 14 and 50 cycles;
 * memory 400. A line that was flushed is in memory.
 */
#define L1_LINES 64
#define L2_LINES 2048
#define L3_LINES 16384
static const struct geometry caches = {
	.l1d = { .present = true, .line_bytes = LINE, .sets = 8, .ways = 8,
		 .slices = 1 },
	.l2 = { .present = true, .line_bytes = LINE, .sets = 256, .ways = 8,
		.slices = 1 },
	.l3 = { .present = true, .line_bytes = LINE, .sets = 2048, .ways = 8,
		.slices = 1 },
};

/* Two blocks of memory: the target's and the levels'. */
#define LINES 65536
static _Alignas(4096) unsigned char memory[2][4 * LINES * LINE];
static uint64_t last[8 * LINES];
static uint64_t age;
static bool lossy;
static double patience;	/* ticks: a neighbour on the core pushes the target's
			 * lines out of L1 if they are left alone for longer;
			 * 0: nobody does */
static double seen[LINES];
static double walks;	/* cycles that the target's lines in memory cost more */
static double slowed;	/* untimed loads take so many times as long */
static unsigned away;	/* every so many loads somebody else runs; 0: never */

static size_t line_of(const void *at)
{
	return (size_t)((const unsigned char *)at - memory[0]) / LINE;
}

/* Loads that stay within a few lines do not make the others older. */
static double lru(struct fake *f, void *at)
{
	uint64_t *mine = &last[line_of(at)], distance = age - *mine;

	if (!*mine)
		distance = UINT64_MAX;
	age += distance > 20;
	*mine = age;
	if (patience > 0 && line_of(at) < LINES) {
		if (f->now - seen[line_of(at)] > patience &&
		    distance <= L1_LINES)
			distance = L1_LINES + 1;
		seen[line_of(at)] = f->now;
	}
	if (away && f->loads % away == away - 1) {
		memset(last, 0, sizeof(last));
		f->now += 3e6;
	}
	return distance <= L1_LINES ? 4 : distance <= L2_LINES ? 14 :
	       distance <= L3_LINES ? 50 :
	       line_of(at) < LINES ? 400 + walks : 400;
}

static struct time_port port;
static unsigned flushes;
static void flush(void *ctx, void *line)
{
	(void)ctx;
	flushes++;
	last[line_of(line)] = 0;
}

static void each(void *ctx, void *const *list, void **head, unsigned n,
		 uint32_t *ticks)
{
	if (lossy && n == MIX_BLOCK)
		age += L2_LINES;
	fake_port.each(ctx, list, head, n, ticks);
}

static uint64_t chase(void *ctx, void **head, unsigned chains, uint64_t steps)
{
	return (uint64_t)(slowed * (double)fake_port.chase(ctx, head, chains,
							   steps));
}

static unsigned *asked;		/* how often; NULL: nothing is stopped */

static bool third_time(void *ctx)
{
	(void)ctx;
	return ++*asked == 3;
}

static struct classify_result solve(const struct classify_target *target,
			     unsigned lines, unsigned granule)
{
	const struct classify_config plan = {
		.phases = 2, .blocks = 120, .calibration_blocks = 120,
		.stopped = asked ? third_time : NULL,
	};
	struct calibration_lines levels;
	struct time_clock clock;
	struct classify_result pie;
	struct fake f;

	memset(last, 0, sizeof(last));
	fake_init(&f, &clock, lru);
	age = 1;
	f.granule = granule;
	port = fake_port;
	port.flush = flush;
	port.each = each;
	if (slowed > 0)
		port.chase = chase;
	time_clock_init(&clock, &port, &f, 2);
	calibration_lay(&levels, memory[1], lines * LINE, &caches);
	assert_int_equal(classify(&clock, &plan, target, &levels, &pie),
			 asked ? -ASSAY_ESTOP : 0);
	return pie;
}

static struct classify_result ask(unsigned lines, unsigned granule)
{
	const struct chain chain = { .base = memory[0], .step = LINE };
	struct classify_chase walk = { .timed = {
		.chains = 1, .lines = lines, .head = { memory[0] } } };
	struct classify_target target;
	uint64_t seed = 5;

	chain_extend(&chain, 0, lines, &seed);
	classify_chase_target(&target, &walk);
	return solve(&target, lines, granule);
}

static void expect(const struct classify_result *p, int level)
{
	assert_null(p->mix.why);
	for (int k = 0; k < MIX_LEVELS; k++)
		if (fabs(p->mix.share[k] - (k == level)) > 0.05)
			fail_msg("L%d: %.3f", k + 1, p->mix.share[k]);
	assert_true(p->consistent);
}

static void phases_stop(void **state)
{
	unsigned times = 0;

	(void)state;
	asked = &times;
	ask(16, 2);
	asked = NULL;
	assert_int_equal(times, 3);
}

static void each_level_is_recognised(void **state)
{
	struct classify_result p;

	(void)state;
	away = 0;
	p = ask(16, 2);
	expect(&p, MIX_L1);
	assert_true(fabs(p.average_ns - 4 * 0.4) < 0.1);
	/* the two walks beside a block use 16 lines of their own */
	p = ask(1200, 2);
	expect(&p, MIX_L2);
	p = ask(8000, 2);
	expect(&p, MIX_L3);
	p = ask(50000, 2);
	expect(&p, MIX_DRAM);
	assert_true(fabs(p.cost_ns[MIX_DRAM] - 400 * 0.4) < 5);
}

/* The levels' lines lie in few pages; the walk's do not. */
static void page_walks_are_part_of_what_memory_costs(void **state)
{
	struct classify_result p;

	(void)state;
	away = 0;
	walks = 150;
	p = ask(50000, 2);
	walks = 0;
	expect(&p, MIX_DRAM);
	assert_true(fabs(p.cost_ns[MIX_DRAM] - 550 * 0.4) < 5);
	assert_true(fabs(p.predicted_ns - p.average_ns) < 5);
	assert_non_null(strstr(p.note, "page walks"));
}

/* What was disturbed while it was not timed one by one. */
static void an_average_that_no_share_explains_is_said(void **state)
{
	struct classify_result p;

	(void)state;
	away = 0;
	slowed = 1.5;
	p = ask(50000, 2);
	slowed = 0;
	assert_null(p.mix.why);
	assert_false(p.consistent);
	assert_true(fabs(p.cost_ns[MIX_DRAM] - 400 * 0.4) < 5);
	assert_non_null(strstr(p.note, "do not explain"));
}

static void coarse_counters_ask_the_average(void **state)
{
	struct classify_result p;

	(void)state;
	away = 0;
	p = ask(1200, 26);
	assert_true(p.mix.coarse && p.by_average);
	expect(&p, MIX_L2);
	assert_non_null(strstr(p.note, "average"));
}

/* Somebody empties the caches now and then: blocks after that are not it. */
static void the_caches_are_filled_again_after_an_absence(void **state)
{
	struct classify_result p;

	(void)state;
	away = 20011;
	p = ask(1200, 2);
	expect(&p, MIX_L2);
}

/* Whenever loads are timed one by one, the L2's lines have gone. */
static void a_polluted_l2_is_no_measure(void **state)
{
	struct classify_result p;

	(void)state;
	away = 0;
	lossy = true;
	p = ask(1200, 2);
	lossy = false;
	assert_non_null(p.mix.why);
}

/* What no number of blocks makes short is said to be wide. */
static void bars_that_stay_wide_are_marked(void **state)
{
	struct classify_result p;

	(void)state;
	away = 0;
	p = ask(1200, 2);
	assert_null(p.mix.why);
	assert_false(p.noisy);
	/* of 140 ticks: what lies between L1 and L2 is next to nothing */
	p = ask(4000, 140);
	assert_true(p.mix.why || p.noisy);
	if (!p.mix.why)
		assert_non_null(strstr(p.note, "noisy"));
	p = ask(1200, 140);
	assert_true(p.mix.why || (p.noisy && p.mix.high[MIX_L2] > 0.95));
}

/* No L3 reported, or one too small to hold its chain: three levels. */
static void levels_that_do_not_fit_are_left_out(void **state)
{
	struct geometry small = caches;
	struct calibration_lines levels;

	(void)state;
	small.l3.present = false;
	calibration_lay(&levels, memory[1], 4096, &small);
	assert_non_null(levels.head[MIX_L1]);
	assert_non_null(levels.head[MIX_L2]);
	assert_null(levels.head[MIX_L3]);
	assert_non_null(levels.head[MIX_DRAM]);
	small.l2.sets = 16;
	calibration_lay(&levels, memory[1], 4096, &small);
	assert_null(levels.head[MIX_L2]);
	assert_true(calibration_bytes(4096, &caches) <= sizeof(memory[1]));
}

/* Each access of a known block takes what its level takes. */
static void known_lines_are_where_they_should_be(void **state)
{
	static const double even[] = { 0.25, 0.25, 0.25, 0.25 };
	static const double cycles[] = { 4, 14, 50, 400 };
	unsigned all[MIX_LEVELS] = { 0 }, right[MIX_LEVELS] = { 0 };
	struct calibration_lines levels;
	struct time_clock clock;
	struct mix_block b;
	struct fake f;

	(void)state;
	away = 0;
	memset(last, 0, sizeof(last));
	fake_init(&f, &clock, lru);
	age = 1;
	port = fake_port;
	port.flush = flush;
	clock.port = &port;
	calibration_lay(&levels, memory[1], 1 << 20, &caches);
	assert_int_equal(calibration_begin(&levels), 0);
	calibration_displaced(&levels);
	flushes = 0;
	for (unsigned i = 0; i < 200; i++) {
		calibration_block(&clock, &levels, even, &b);
		for (unsigned k = 0; k < MIX_BLOCK; k++) {
			const int level = b.level[k];
			const double core = (b.ticks[k] - clock.overhead) /
					    f.core_ticks;

			all[level]++;
			right[level] += fabs(core - cycles[level]) < 5;
		}
	}
	calibration_end(&levels);
	assert_int_equal(flushes, all[MIX_DRAM]);
	/* of 64 lines the others push out a few between two visits */
	for (int k = 0; k < MIX_LEVELS; k++)
		if (right[k] < (k == MIX_L1 ? 0.75 : 0.97) * all[k] ||
		    all[k] < 5000)
			fail_msg("L%d: %u of %u", k + 1, right[k], all[k]);
}

/* ---- kernels that are no walk ------------------------------------------- */

/* Lines in order, again and again; what is done besides loading them. */
static unsigned lines_of, passes_seen;
static enum access_kind also;

static void trace(const struct assay_shape *shape, struct arena *arena,
		  enum isa isa, struct access_trace *t)
{
	(void)shape;
	(void)arena;
	(void)isa;
	for (uint64_t left = 10; left--;) {
		passes_seen++;
		for (uint64_t i = 0; i < lines_of; i++) {
			/* its last bytes: no load may cross into the next */
			const uint64_t at = ACCESS_ARENA_BASE + i * LINE +
					    61 + i % 3;

			if (also != ACCESS_LOAD)
				access_put(t, access_pack(also, 3, 1, at));
			access_put(t, access_pack(ACCESS_LOAD, 0, 2, at));
		}
		left -= access_pass(t, left);
	}
}

static struct classify_result ask_steps(unsigned lines, enum access_kind kind)
{
	static const struct kernel kernel = { .name = "test", .trace = trace };
	struct arena arena = { .base = memory[0], .bytes = lines * LINE };
	struct classify_target target;
	struct replay_loads steps;
	struct classify_result pie;

	lines_of = lines;
	passes_seen = 0;
	also = kind;
	assert_int_equal(replay_loads_record(&steps, &kernel, NULL, &arena, ISA_X86_64,
				    NULL), 0);
	assert_int_equal(passes_seen, 1);
	assert_int_equal(steps.loads, lines);
	assert_int_equal(steps.others, kind == ACCESS_STORE ? lines : 0);
	replay_loads_target(&target, &steps);
	pie = solve(&target, lines, 2);
	replay_loads_fini(&steps);
	return pie;
}

static void any_kernel_that_loads_is_replayed(void **state)
{
	struct classify_result p;

	(void)state;
	away = 0;
	p = ask_steps(1200, ACCESS_LOAD);
	expect(&p, MIX_L2);
	assert_true(fabs(p.average_ns - 14 * 0.4) < 0.5);
	p = ask_steps(50000, ACCESS_LOAD);
	expect(&p, MIX_DRAM);
	/* a line that was stored to just before is in the L1 */
	p = ask_steps(1200, ACCESS_STORE);
	expect(&p, MIX_L1);
	/* half of them are the stores', which find their lines in the L2 */
	assert_true(fabs(p.average_ns - (4 + 14) / 2 * 0.4) < 0.5);
	assert_true(fabs(p.predicted_ns - p.average_ns) < 0.5);
	p = ask_steps(1200, ACCESS_FLUSH);
	expect(&p, MIX_DRAM);
}

/*
 * Timed one by one, all 40 loads of a pass take 1800 ns; at their own speed a
 * tenth of that, and nobody pushes their lines out between two of them.
 */
static void steps_are_seen_at_their_own_speed(void **state)
{
	struct classify_result p;

	(void)state;
	away = 0;
	memset(seen, 0, sizeof(seen));
	patience = 2500;
	p = ask_steps(40, ACCESS_LOAD);
	patience = 0;
	expect(&p, MIX_L1);
	assert_true(fabs(p.average_ns - 4 * 0.4) < 0.5);
}

/* Many lines at the begin of a long pass, few in all the rest. */
static void many_then_few(const struct assay_shape *shape, struct arena *arena,
		       enum isa isa, struct access_trace *t)
{
	const uint64_t steps = UINT64_C(6) << 20;

	(void)shape;
	(void)arena;
	(void)isa;
	for (uint64_t i = 0; i < steps; i++)
		access_put(t, access_pack(ACCESS_LOAD, 0, 2, ACCESS_ARENA_BASE +
					  i % (i < steps / 16 ? 50000 : 1200) *
					  LINE));
}

static void long_passes_are_sampled_all_over(void **state)
{
	static const struct kernel kernel = { .name = "test",
					      .trace = many_then_few };
	struct arena arena = { .base = memory[0], .bytes = 50000 * LINE };
	struct classify_target target;
	struct replay_loads steps;
	struct classify_result p;

	(void)state;
	away = 0;
	assert_int_equal(replay_loads_record(&steps, &kernel, NULL, &arena, ISA_X86_64,
				    NULL), 0);
	assert_int_equal(steps.total, UINT64_C(6) << 20);
	assert_int_equal(steps.loads, steps.total);
	assert_true(steps.sampled && steps.steps < steps.total);
	for (unsigned i = 0; i < REPLAY_STRETCHES; i++)
		assert_true(steps.start[i] >= i * (steps.total / 16) &&
			    steps.start[i] < (i + 1) * (steps.total / 16));
	replay_loads_target(&target, &steps);
	p = solve(&target, 50000, 2);
	replay_loads_fini(&steps);
	expect(&p, MIX_L2);
}

static void steps_that_are_too_many_are_refused(void **state)
{
	static const struct kernel kernel = { .name = "test", .trace = trace };
	struct arena arena = { .base = memory[0] };
	struct assay_error err = { 0 };
	struct replay_loads steps;

	(void)state;
	lines_of = 3 << 20;
	also = ACCESS_FLUSH;
	assert_int_equal(replay_loads_record(&steps, &kernel, NULL, &arena, ISA_X86_64,
				    &err), -ASSAY_ERANGE);
	assert_non_null(strstr(err.text, "5242880 accesses of a pass that "
			       "flushes"));
	replay_loads_fini(&steps);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_level_is_recognised),
		cmocka_unit_test(phases_stop),
		cmocka_unit_test(page_walks_are_part_of_what_memory_costs),
		cmocka_unit_test(an_average_that_no_share_explains_is_said),
		cmocka_unit_test(coarse_counters_ask_the_average),
		cmocka_unit_test(the_caches_are_filled_again_after_an_absence),
		cmocka_unit_test(a_polluted_l2_is_no_measure),
		cmocka_unit_test(bars_that_stay_wide_are_marked),
		cmocka_unit_test(levels_that_do_not_fit_are_left_out),
		cmocka_unit_test(known_lines_are_where_they_should_be),
		cmocka_unit_test(any_kernel_that_loads_is_replayed),
		cmocka_unit_test(steps_are_seen_at_their_own_speed),
		cmocka_unit_test(long_passes_are_sampled_all_over),
		cmocka_unit_test(steps_that_are_too_many_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
