/* SPDX-License-Identifier: MIT */
/* Mixtures whose shares are known, seen through counters that are not. */
#include "check.h"

#include <math.h>

#include "analysis/latency/mixture.h"

#define BLOCKS 600
#define KNOWN_BLOCKS 480

/* Times over an L1 hit, in ticks. */
struct machine {
	double l1, excess[MIX_LEVELS];
	unsigned granule;
	double jitter;		/* of one access, ticks */
	double torn;		/* share of blocks beside a busy sibling */
	double lost;		/* share of L3 lines that are in memory */
	double later;		/* all of the mixture, and the walks beside it */
	double beside;		/* only those walks */
};

/* As seen with a counter of 2 ticks per ns that moves by 2, and by 26. */
static const struct machine fine = {
	.l1 = 52, .excess = { 0, 8, 76, 230 }, .granule = 2, .jitter = 1.2,
	.lost = 0.01,
};
static const struct machine coarse = {
	.l1 = 60, .excess = { 0, 7, 33, 300 }, .granule = 26, .jitter = 1.5,
	.lost = 0.02,
};

static uint64_t seed = 99;
static double uniform(void)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (double)(seed >> 33) / 2147483648.0;
}

static double normal(void)
{
	return uniform() + uniform() + uniform() + uniform() + uniform() +
	       uniform() + uniform() + uniform() + uniform() + uniform() +
	       uniform() + uniform() - 6;
}

static uint32_t see(const struct machine *m, double ticks, double clock)
{
	const double phase = uniform() * m->granule;
	const double end = phase + (ticks + m->jitter * normal()) * clock;

	return (uint32_t)(floor(end / m->granule) * m->granule);
}

static int pick(const double *share)
{
	double x = uniform();
	int k = 0;

	while (k < MIX_DRAM && x >= share[k])
		x -= share[k++];
	return k;
}

static void fill(const struct machine *m, const double *share,
		 struct mix_source *out)
{
	for (size_t i = 0; i < out->blocks; i++) {
		struct mix_block *b = &out->block[i];
		const bool torn = uniform() < m->torn;
		const double clock = 1 + 0.01 * normal() / 3;

		for (int k = 0; k < MIX_GATE; k++) {
			const double l1 = m->l1 + m->beside;

			b->before[k] = see(m, l1, clock);
			b->after[k] = see(m, l1 + (torn ? 25 * uniform() : 0),
					  clock);
		}
		for (int k = 0; k < MIX_BLOCK; k++) {
			int level = pick(share);

			b->level[k] = (uint8_t)level;
			if (level == MIX_L3 && uniform() < m->lost)
				level = MIX_DRAM;
			b->ticks[k] = see(m, m->l1 + m->excess[level] +
					  (level == MIX_DRAM ?
					   20 * fabs(normal()) : 0) +
					  (torn ? 30 * uniform() : 0), clock);
		}
	}
}

static struct mix_block *blocks[2];	/* the mixture's, the known ones */

static int set_up(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++)
		blocks[i] = calloc(BLOCKS, sizeof(struct mix_block));
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++)
		free(blocks[i]);
	return 0;
}

static const double even_shares[] = { 0.25, 0.25, 0.25, 0.25 };

static struct mix_result solve(const struct machine *m, const double *share)
{
	struct mix_input in = {
		.mixture = { blocks[0], BLOCKS },
		.calibration = { blocks[1], KNOWN_BLOCKS },
		.granule = m->granule, .ticks_per_ns = 2, .seed = seed,
	};
	struct machine mixed = *m, known = *m;
	struct mix_result out;

	mixed.lost = 0;
	mixed.l1 += m->later;
	known.beside = 0;
	fill(&mixed, share, &in.mixture);
	fill(&known, even_shares, &in.calibration);
	assert_int_equal(mix_solve(&in, &out), 0);
	return out;
}

static const double mixes[][MIX_LEVELS] = {
	{ 0.5, 0, 0, 0.5 }, { 0.25, 0.25, 0.25, 0.25 },
	{ 0.9, 0.05, 0.04, 0.01 }, { 0, 0.5, 0.5, 0 },
	{ 0.97, 0.01, 0.01, 0.01 }, { 0.7, 0.3, 0, 0 },
};
enum { MIXES = sizeof(mixes) / sizeof(*mixes) };

static void check_machine(const struct machine *m, double limit,
			  unsigned runs)
{
	unsigned inside = 0, all = 0;

	for (unsigned run = 0; run < runs; run++) {
		const double *truth = mixes[run % MIXES];
		const struct mix_result r = solve(m, truth);
		double sum = 0;

		assert_null(r.why);
		for (int k = 0; k < MIX_LEVELS; k++) {
			if (fabs(r.share[k] - truth[k]) > limit)
				fail_msg("mix %u level %d: %.3f for %.3f",
					 run % MIXES, k, r.share[k],
					 truth[k]);
			inside += truth[k] >= r.low[k] &&
				  truth[k] <= r.high[k];
			all++;
			sum += r.share[k];
			assert_true(r.low[k] <= r.share[k]);
			assert_true(r.high[k] >= r.share[k]);
		}
		assert_true(fabs(sum - 1) < 1e-6);
	}
	assert_true(inside * 10 >= all * 9);
}

static void fine_counters_resolve_every_level(void **state)
{
	(void)state;
	check_machine(&fine, 0.03, 2 * MIXES);
}

/* Steps of 26 ticks, and 7 ticks between L1 and L2: by distribution only. */
static void coarse_counters_resolve_distributions(void **state)
{
	const struct mix_result r = solve(&coarse, mixes[1]);

	(void)state;
	assert_true(r.coarse);
	check_machine(&coarse, 0.06, MIXES);
}

/* A third of a tick is five points here, if it is not taken out. */
static void drift_is_seen_by_the_walks_beside(void **state)
{
	struct machine m = coarse;
	double off = 0;

	(void)state;
	m.later = 0.35;
	for (int i = 0; i < 8; i++)
		off += solve(&m, mixes[5]).share[MIX_L2] - mixes[5][MIX_L2];
	if (fabs(off / 8) > 0.03)
		fail_msg("off by %.3f", off / 8);
}

/* What differs between the walks and is no drift is no error of a share. */
static void walks_that_differ_widen_the_bars(void **state)
{
	struct machine m = coarse;
	struct mix_result r;

	(void)state;
	m.beside = 2;
	r = solve(&m, mixes[5]);
	assert_null(r.why);
	assert_true(r.high[MIX_L2] - r.low[MIX_L2] > 0.2);
	assert_true(r.low[MIX_L2] <= mixes[5][MIX_L2] &&
		    r.high[MIX_L2] >= mixes[5][MIX_L2]);
}

static void torn_blocks_do_not_count(void **state)
{
	struct machine m = fine;
	struct mix_result r;

	(void)state;
	m.torn = 0.6;
	r = solve(&m, mixes[1]);
	assert_true(r.kept < r.blocks / 2 && r.kept > r.blocks / 4);
	for (int k = 0; k < MIX_LEVELS; k++)
		assert_true(fabs(r.share[k] - 0.25) < 0.03);
}

static void a_loud_machine_is_refused(void **state)
{
	struct machine m = fine;
	struct mix_result r;

	(void)state;
	m.torn = 1;
	r = solve(&m, mixes[1]);
	assert_non_null(r.why);
}

/* An L3 whose lines are nearly all lost cannot be told from memory. */
static void a_lost_cache_is_not_claimed(void **state)
{
	static const double two[] = { 0.5, 0, 0, 0.5 };
	struct machine m = fine;
	struct mix_result r;

	(void)state;
	m.lost = 0.9;
	r = solve(&m, two);
	assert_null(r.why);
	assert_false(r.present[MIX_L3]);
	assert_true(r.share[MIX_L3] == 0);
	assert_true(fabs(r.share[MIX_DRAM] - 0.5) < 0.02);
	/* and where it did serve accesses there is no answer */
	r = solve(&m, mixes[1]);
	assert_non_null(r.why);
}

static void interrupts_are_not_memory(void **state)
{
	struct mix_source *source;
	struct mix_input in = { .granule = 2, .ticks_per_ns = 2 };
	struct mix_result r;

	(void)state;
	solve(&fine, mixes[0]);
	in.mixture = (struct mix_source){ blocks[0], BLOCKS };
	in.calibration = (struct mix_source){ blocks[1], KNOWN_BLOCKS };
	source = &in.mixture;
	for (size_t i = 0; i < source->blocks; i++)
		source->block[i].ticks[7] = 50000;
	assert_int_equal(mix_solve(&in, &r), 0);
	assert_true(fabs(r.other - 1.0 / MIX_BLOCK) < 1e-3);
	assert_true(fabs(r.share[MIX_DRAM] - 0.5) < 0.03);
}

static void even(struct mix_block *b, uint32_t before, uint32_t after)
{
	for (int k = 0; k < MIX_GATE; k++) {
		b->before[k] = before;
		b->after[k] = after;
	}
}

static void gates_close_for_each_reason(void **state)
{
	static struct mix_block b;

	(void)state;
	even(&b, 52, 52);
	assert_true(mix_quiet(&b, 52, 2, 2));
	assert_false(mix_quiet(&b, 60, 2, 2));	/* not the usual time */
	even(&b, 52, 56);			/* the clock moved between */
	assert_false(mix_quiet(&b, 54, 2, 2));
	assert_true(mix_quiet(&b, 54, 26, 2));	/* one step says nothing */
	even(&b, 52, 52);
	for (int k = 0; k < MIX_GATE; k += 4)
		b.after[k] = 70;		/* a sibling works */
	assert_false(mix_quiet(&b, 52, 2, 2));
	even(&b, 52, 52);
	b.before[3] = 9000;			/* one interrupt is none of it */
	assert_true(mix_quiet(&b, 52, 2, 2));
}

static void weights_of_a_histogram(void **state)
{
	static double template[MIX_LEVELS][MIX_BINS];
	double h[MIX_BINS] = { 0 }, w[MIX_LEVELS];
	const bool present[MIX_LEVELS] = { true, true, false, false };

	(void)state;
	template[MIX_L1][0] = 0.75;
	template[MIX_L1][1] = 0.25;
	template[MIX_L2][0] = 0.25;
	template[MIX_L2][1] = 0.75;
	h[0] = 60;
	h[1] = 40;
	mix_weights(h, template, present, MIX_BINS, w);
	assert_true(fabs(w[MIX_L1] - 0.7) < 1e-6);
	assert_true(fabs(w[MIX_L2] - 0.3) < 1e-6);
	assert_true(w[MIX_L3] == 0 && w[MIX_DRAM] == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fine_counters_resolve_every_level),
		cmocka_unit_test(coarse_counters_resolve_distributions),
		cmocka_unit_test(drift_is_seen_by_the_walks_beside),
		cmocka_unit_test(walks_that_differ_widen_the_bars),
		cmocka_unit_test(torn_blocks_do_not_count),
		cmocka_unit_test(a_loud_machine_is_refused),
		cmocka_unit_test(a_lost_cache_is_not_claimed),
		cmocka_unit_test(interrupts_are_not_memory),
		cmocka_unit_test(gates_close_for_each_reason),
		cmocka_unit_test(weights_of_a_histogram),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
