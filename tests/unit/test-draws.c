/* SPDX-License-Identifier: MIT */
/* Counts under random replacement: estimates, and whether the error is one. */
#include "check.h"
#include "draw.h"

#include <math.h>

#include "base/access.h"
#include "counters/draws.h"
#include "sim/sim.h"

#define LINES 640	/* in a cache of 512 */
#define PASSES 5000
#define SEEDS 48

static uint64_t state;

static uint64_t draw(uint64_t below)
{
	return (draw_next(&state) >> 11) % below;
}

static double misses(const void *ctx, const uint64_t *signal)
{
	(void)ctx;
	return (double)signal[SIGNAL_l1d_load_miss];
}

static double loads(const void *ctx, const uint64_t *signal)
{
	(void)ctx;
	return (double)signal[SIGNAL_l1d_load];
}

static double taken(const void *ctx, const uint64_t *signal)
{
	(void)ctx;
	return (double)signal[SIGNAL_branches_taken];
}

/* Passes of 1000 loads of which 100 to 199 miss; returns those left out. */
static uint64_t synthetic(struct draws *d, uint64_t *now, uint64_t passes)
{
	uint64_t skipped = 0;

	draws_start(d, now);
	for (uint64_t left = passes; left && !skipped;) {
		now[SIGNAL_l1d_load] += 1000;
		now[SIGNAL_l1d_load_miss] += 100 + draw(100);
		left--;
		skipped = draws_pass(d, now, left, 0);
	}
	return skipped;
}

/* Each cache and TLB, if it is there. */
static void anything_may_be_random(void **unused)
{
	struct geometry g = { .draw = 0 };
	struct cache_geometry *const caches[] = {
		&g.l1d, &g.l1i, &g.l2, &g.l3
	};
	struct tlb_geometry *const tlbs[] = {
		&g.dtlb, &g.itlb, &g.l2tlb, &g.l2itlb, &g.store_dtlb
	};

	(void)unused;
	for (int i = 0; i < 9; i++) {
		bool *present = i < 4 ? &caches[i]->present :
					&tlbs[i - 4]->present;
		enum replacement *policy = i < 4 ? &caches[i]->policy :
						   &tlbs[i - 4]->policy;

		*policy = REPLACE_RANDOM;
		assert_false(draws_possible(&g));
		*present = true;
		assert_true(draws_possible(&g));
		*policy = REPLACE_LRU;
		assert_false(draws_possible(&g));
	}
}

/* The spread of one pass is sqrt((100^2 - 1) / 12) = 28.866. */
static void error_is_that_of_independent_passes(void **unused)
{
	uint64_t now[SIGNALS] = { 0 };
	struct draws d = { .extrapolate = false };
	double sum = 0;

	(void)unused;
	state = 99;
	for (int run = 0; run < 400; run++) {
		assert_int_equal(synthetic(&d, now, 1040), 0);
		assert_int_equal(draws_all(&d), 1040);
		assert_true(draws_error(&d, loads, NULL) == 0);
		sum += pow(draws_error(&d, misses, NULL), 2);
	}
	assert_true(fabs(sqrt(sum / 400) / (28.866 * sqrt(1040)) - 1) < 0.06);
}

static void passes_are_left_out(void **unused)
{
	uint64_t now[SIGNALS] = { 0 }, from[SIGNALS];
	struct draws d = { .extrapolate = true };
	unsigned within = 0;

	(void)unused;
	state = 7;
	for (int run = 0; run < 400; run++) {
		uint64_t counted[SIGNALS];
		double off;

		memcpy(from, now, sizeof(from));
		assert_int_equal(synthetic(&d, now, PASSES),
				 PASSES - DRAWS_PASSES);
		for (int i = 0; i < SIGNALS; i++)
			counted[i] = now[i] - from[i];
		draws_complete(&d, counted);
		assert_int_equal(counted[SIGNAL_l1d_load], 1000 * PASSES);
		assert_int_equal(counted[SIGNAL_l1d_load_miss],
				 (draws_sum(&d, SIGNAL_l1d_load_miss) * PASSES
				  + draws_batched(&d) / 2) / draws_batched(&d));
		assert_int_equal(draws_batched(&d),
				 DRAWS_PASSES - DRAWS_SETTLE);
		off = (double)counted[SIGNAL_l1d_load_miss] - 149.5 * PASSES;
		within += fabs(off) < 2 * draws_error(&d, misses, NULL);
	}
	/* 15 degrees of freedom: 93.6 % */
	assert_in_range(within, 360, 390);
}

/* One in each batch of 8 passes. */
static void what_does_not_vary_is_exact(void **unused)
{
	(void)unused;
	for (uint64_t passes = DRAWS_PASSES; passes < 5000; passes += 37) {
		uint64_t now[SIGNALS] = { 0 }, left = passes;
		struct draws d = { .extrapolate = true };

		draws_start(&d, now);
		for (uint64_t pass = 1, skipped = 0; left && !skipped; pass++) {
			now[SIGNAL_l1d_load_miss] += pass % 8 == 0;
			skipped = draws_pass(&d, now, --left, 0);
		}
		assert_in_range(passes - left, DRAWS_PASSES, DRAWS_PASSES + 8);
		draws_complete(&d, now);
		assert_int_equal(now[SIGNAL_l1d_load_miss], passes / 8);
		/* a kernel may do its last pass beside */
		assert_int_equal(draws_pass(&d, now, 0, 0), 0);
		assert_true(!d.left_out || d.batches == DRAWS_BATCHES);
		assert_true(draws_error(&d, misses, NULL) == 0);
	}
}

/* Of 8 passes every other one has a miss and a branch more. */
static void errors_are_those_of_a_mean(void **unused)
{
	uint64_t now[SIGNALS] = { 0 };
	struct draws d = { .extrapolate = false };
	const uint64_t passes = DRAWS_SETTLE + 8;

	(void)unused;
	draws_start(&d, now);
	for (uint64_t left = passes; left; left--) {
		now[SIGNAL_l1d_load_miss] += left % 2;
		now[SIGNAL_branches_taken] += left % 2;
		if (left == 1)
			assert_true(draws_error(&d, misses, NULL) < 0);
		draws_pass(&d, now, left - 1, 0);
	}
	assert_true(fabs(draws_error(&d, misses, NULL) -
			 (double)passes * sqrt(2.0 / 7 / 8)) < 1e-9);
	assert_true(draws_error(&d, taken, NULL) == 0);
	/* a run that was cut short has no last pass */
	d.left_out = 1;
	assert_true(draws_error(&d, taken, NULL) > 0);
}

static void spread_is_that_of_one(void **unused)
{
	const uint64_t none[SIGNALS] = { 0 };
	const uint64_t two[SIGNALS] = { [SIGNAL_l1d_load_miss] = 2 };
	const uint64_t *const of[] = { none, two };

	(void)unused;
	assert_true(fabs(draws_spread(of, 2, misses, NULL) - sqrt(2)) < 1e-9);
}

/* Not even one of as many passes as were left out before. */
static void another_loop_is_not_the_same(void **unused)
{
	uint64_t now[SIGNALS] = { 0 };
	struct draws d = { .extrapolate = true };
	uint64_t left = synthetic(&d, now, PASSES);

	(void)unused;
	assert_true(draws_error(&d, misses, NULL) > 0);
	draws_pass(&d, now, left - 1, 0);
	assert_true(draws_error(&d, misses, NULL) < 0);
}

/* Whatever the number of batches, from 8 to 16, and the loop's end. */
static void equal_batches_have_no_error(void **unused)
{
	uint64_t now[SIGNALS] = { 0 };
	struct draws d = { .extrapolate = false };

	(void)unused;
	for (uint64_t passes = DRAWS_SETTLE + 8; passes < 300; passes++) {
		draws_start(&d, now);
		for (uint64_t left = passes; left; left--) {
			now[SIGNAL_l1d_load] += 16381;
			now[SIGNAL_branches_taken] += 100 - (left == 1);
			assert_int_equal(draws_pass(&d, now, left - 1, 0), 0);
		}
		assert_true(draws_error(&d, loads, NULL) == 0);
		assert_true(draws_error(&d, taken, NULL) == 0);
	}
}

static void no_error_without_passes_of_one_kind(void **unused)
{
	uint64_t now[SIGNALS] = { 0 };
	struct draws d = { .extrapolate = true };

	(void)unused;
	draws_start(&d, now);
	assert_true(draws_error(&d, misses, NULL) < 0);
	for (uint64_t left = 50; left; left--)
		assert_int_equal(draws_pass(&d, now, left - 1, 0), 0);
	assert_true(draws_error(&d, misses, NULL) == 0);
	/* another loop in the same run */
	for (uint64_t left = 500; left; left--)
		assert_int_equal(draws_pass(&d, now, left - 1, 0), 0);
	assert_true(draws_error(&d, misses, NULL) < 0);
}

static void nothing_is_drawn_where_the_simulator_skips(void **unused)
{
	uint64_t now[SIGNALS] = { 0 };
	struct draws d = { .extrapolate = true };

	(void)unused;
	draws_start(&d, now);
	assert_int_equal(draws_pass(&d, now, 998, 0), 0);
	assert_int_equal(draws_pass(&d, now, 997, 990), 0);
	assert_int_equal(draws_pass(&d, now, 6, 0), 0);
	assert_true(draws_error(&d, misses, NULL) == 0);
	assert_int_equal(draws_all(&d), 3);
}

/* However few the passes are; but what was left out is an estimate. */
static void without_a_draw_there_is_no_error(void **unused)
{
	uint64_t now[SIGNALS] = { 0 };
	struct draws d = { .extrapolate = true, .undrawn = true };

	(void)unused;
	draws_start(&d, now);
	assert_true(draws_error(&d, misses, NULL) == 0);
	state = 3;
	assert_true(synthetic(&d, now, PASSES) > 0);
	assert_true(draws_error(&d, misses, NULL) > 0);
}

static uint64_t generators_after(struct sim *sim, enum access_kind kind,
				 uint64_t line)
{
	const uint64_t record = access_pack(kind, 3, 0,
					    ACCESS_ARENA_BASE + line * 64);

	sim_feed(sim, &record, 1);
	return sim_generators(sim);
}

/* Two pages, or lines of one set, have room in each place; all LRU. */
static struct geometry room_for_two(void)
{
	const struct cache_geometry cache = {
		.present = true, .line_bytes = 64, .sets = 64, .ways = 2,
		.slices = 1
	};
	const struct tlb_geometry tlb = {
		.present = true, .entries = 2, .ways = 2
	};

	return (struct geometry){
		.l1d = cache, .l1i = cache, .l2 = cache, .l3 = cache,
		.dtlb = tlb, .itlb = tlb, .l2tlb = tlb, .l2itlb = tlb,
		.store_dtlb = tlb,
		.split_l2tlb = true
	};
}

/* Loads, stores and code move the places that they go through, but not the
 * others. */
static void each_draw_moves_a_generator(void **unused)
{
	struct geometry g;
	static const enum access_kind kinds[] = {
		ACCESS_LOAD, ACCESS_STORE, ACCESS_FETCH
	};
	const struct { enum replacement *policy; bool by[3]; } places[] = {
		{ &g.l1d.policy, { true, true, false } },
		{ &g.l1i.policy, { false, false, true } },
		{ &g.l2.policy, { true, true, true } },
		{ &g.l3.policy, { true, true, true } },
		{ &g.dtlb.policy, { true, false, false } },
		{ &g.store_dtlb.policy, { false, true, false } },
		{ &g.itlb.policy, { false, false, true } },
		{ &g.l2tlb.policy, { true, true, false } },
		{ &g.l2itlb.policy, { false, false, true } },
		{ NULL, { false, false, false } },
	};

	(void)unused;
	for (size_t i = 0; i < 3 * sizeof(places) / sizeof(*places); i++) {
		const bool moves = places[i / 3].by[i % 3];
		const enum access_kind kind = kinds[i % 3];
		struct sim *sim;
		uint64_t first;
		void *memory;

		g = room_for_two();
		if (places[i / 3].policy)
			*places[i / 3].policy = REPLACE_RANDOM;
		memory = aligned_alloc(64, (sim_bytes(&g, NULL) + 63) &
					   ~(size_t)63);
		sim = sim_init(memory, &g);
		first = sim_generators(sim);
		assert_true(generators_after(sim, kind, 0) == first);
		assert_true(generators_after(sim, kind, 64) == first);
		assert_true((generators_after(sim, kind, 128) != first) ==
			    moves);
		free(memory);
	}
}

/* Misses of PASSES walks, by the estimate from DRAWS_PASSES of them. */
static double walked(uint64_t seed, double *error)
{
	struct geometry g = {
		.l1d = { .present = true, .line_bytes = 64, .sets = 256,
			 .ways = 2, .slices = 1, .policy = REPLACE_RANDOM },
		.page_map = { .seed = seed },
	};
	const size_t bytes = sim_bytes(&g, NULL);
	void *memory = aligned_alloc(64, (bytes + 63) & ~(size_t)63);
	uint64_t record[LINES], counted[SIGNALS], left = PASSES;
	struct draws d = { .extrapolate = true };
	struct sim *sim = sim_init(memory, &g);

	assert_true(draws_possible(&g));
	for (uint64_t i = 0; i < LINES; i++)
		record[i] = access_pack(ACCESS_LOAD, 3, 0,
					ACCESS_ARENA_BASE + i * 64);
	draws_start(&d, sim_signals(sim));
	while (left) {
		sim_feed(sim, record, LINES);
		left--;
		left -= draws_pass(&d, sim_signals(sim), left, 0);
	}
	memcpy(counted, sim_signals(sim), sizeof(counted));
	draws_complete(&d, counted);
	*error = draws_error(&d, misses, NULL);
	free(memory);
	return (double)counted[SIGNAL_l1d_load_miss];
}

/*
 * 128 sets of 2 ways have 3 lines in turn. The line that is not in its set is
 * d lines away; at d = 0 it misses and takes the way of the next line or of
 * the one after, so that d becomes 0 or 1; from d = 1 it becomes 0. So two of
 * three accesses miss, 256 in a pass. Caches of other seeds must scatter as
 * each one says.
 */
static void seeds_scatter_as_each_one_says(void **unused)
{
	double error, sum = 0, squares = 0, errors = 0, sd;

	(void)unused;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		const double x = walked(seed, &error);

		sum += x;
		squares += x * x;
		errors += error * error;
	}
	sd = sqrt((squares - sum * sum / SEEDS) / (SEEDS - 1));
	print_message("mean %.0f, scatter %.0f, error %.0f\n", sum / SEEDS,
		      sd, sqrt(errors / SEEDS));
	assert_true(fabs(sum / SEEDS - 256.0 * PASSES) <
		    4 * sqrt(errors / SEEDS / SEEDS));
	assert_true(sd > 0.6 * sqrt(errors / SEEDS));
	assert_true(sd < 1.6 * sqrt(errors / SEEDS));
}

/* Draws of one geometry: lines read at random, in a cache of half of them. */
static void another_draw(uint64_t n, uint64_t *signal)
{
	const struct geometry g = {
		.l1d = { .present = true, .line_bytes = 64, .sets = 16,
			 .ways = 4, .slices = 1, .policy = REPLACE_RANDOM },
		.draw = n,
	};
	const size_t bytes = sim_bytes(&g, NULL);
	void *memory = aligned_alloc(64, (bytes + 63) & ~(size_t)63);
	struct sim *sim = sim_init(memory, &g);

	state = 5;
	for (int i = 0; i < 4000; i++) {
		const uint64_t record = access_pack(ACCESS_LOAD, 3, 0,
			ACCESS_ARENA_BASE + draw(128) * 64);

		sim_feed(sim, &record, 1);
	}
	memcpy(signal, sim_signals(sim), SIGNALS * sizeof(*signal));
	free(memory);
}

/* Spreads of eight each must be that of all. */
static void replicas_scatter_as_their_error(void **unused)
{
	static uint64_t signal[SEEDS][SIGNALS];
	const uint64_t *of[SEEDS];
	double squares = 0, all;

	(void)unused;
	for (unsigned n = 0; n < SEEDS; n++) {
		another_draw(n, signal[n]);
		of[n] = signal[n];
	}
	for (unsigned n = 0; n < SEEDS; n += 8)
		squares += pow(draws_spread(of + n, 8, misses, NULL), 2);
	all = draws_spread(of, SEEDS, misses, NULL);
	print_message("spread %.1f, by eights %.1f\n", all,
		      sqrt(squares * 8 / SEEDS));
	assert_true(all > 5);
	assert_true(fabs(sqrt(squares * 8 / SEEDS) / all - 1) < 0.25);
	assert_true(draws_spread(of, SEEDS, loads, NULL) == 0);
	another_draw(0, signal[1]);
	assert_memory_equal(signal[0], signal[1], sizeof(signal[0]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(error_is_that_of_independent_passes),
		cmocka_unit_test(anything_may_be_random),
		cmocka_unit_test(passes_are_left_out),
		cmocka_unit_test(what_does_not_vary_is_exact),
		cmocka_unit_test(without_a_draw_there_is_no_error),
		cmocka_unit_test(each_draw_moves_a_generator),
		cmocka_unit_test(errors_are_those_of_a_mean),
		cmocka_unit_test(spread_is_that_of_one),
		cmocka_unit_test(another_loop_is_not_the_same),
		cmocka_unit_test(equal_batches_have_no_error),
		cmocka_unit_test(no_error_without_passes_of_one_kind),
		cmocka_unit_test(nothing_is_drawn_where_the_simulator_skips),
		cmocka_unit_test(seeds_scatter_as_each_one_says),
		cmocka_unit_test(replicas_scatter_as_their_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
