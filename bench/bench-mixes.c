/* SPDX-License-Identifier: MIT */
/*
 * The pie by time on known mixes of L1, L2, L3 and memory: each share within 3
 * points of the truth with bars as short, or said to be unquiet; and all bars
 * of a run holding the truth in at least 90 of 100 runs. Half of the runs are
 * on pages of 4 KiB, half on transparent huge ones.
 *
 *	bench-mixes [RUNS [FIRST]]	VERBOSE=1 shows each run
 */
#define _GNU_SOURCE
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "timing/classify.h"
#include "timing/clock.h"
#include "assay.h"
#include "env/env.h"

#define MIB ((uint64_t)1 << 20)

static struct time_clock ticks;
static struct geometry caches;

static void die(const char *what, const struct assay_error *err)
{
	fprintf(stderr, "bench-mixes: %s: %s\n", what, err ? err->text : "");
	exit(1);
}

static const char *judge_goal(bool met)
{
	return met ? "met" : "NOT met";
}

static const double mixes[][MIX_LEVELS] = {
	{ 0.5, 0, 0, 0.5 }, { 0.25, 0.25, 0.25, 0.25 },
	{ 0.9, 0.05, 0.04, 0.01 }, { 0, 0.5, 0.5, 0 },
	{ 0.97, 0.01, 0.01, 0.01 }, { 0.7, 0.3, 0, 0 },
	{ 0.1, 0.2, 0.3, 0.4 }, { 0, 0.8, 0.1, 0.1 },
};
enum { MIXES = sizeof(mixes) / sizeof(*mixes) };

/*
 * Lines of each level in the order of their cycle; never looked up. Each block
 * arranges where its lines are: L3's were loaded and then swept out of the L2 a
 * few blocks ago, of L2's other lines four times the L1 was walked just before,
 * L1's were touched last, memory's are flushed.
 */
struct mix {
	const double *share;
	void **line[MIX_LEVELS];
	uint64_t lines[MIX_LEVELS], next[MIX_LEVELS];
	void *sweep;
	uint64_t sweep_lines;
	uint64_t swept, age;	/* lines of L3, and blocks, since */
	uint64_t seed;
	int level[MIX_BLOCK];	/* of the next block */
	uint64_t l3, lost;	/* lines of L3 that were timed, and those of
				 * them that took as long as memory */
};

static double draw_share(uint64_t *seed)
{
	*seed = *seed * UINT64_C(6364136223846793005) +
		UINT64_C(1442695040888963407);
	return (double)(*seed >> 33) / 2147483648.0;
}

static int draw_level(struct mix *m)
{
	double x = draw_share(&m->seed);
	int level = 0;

	while (level < MIX_DRAM && x >= m->share[level])
		x -= m->share[level++];
	return level;
}

/* Along its cycle, one after the other, as a chase does. */
static void walk(const struct mix *m, int level)
{
	void *volatile at = m->line[level][m->next[level] % m->lines[level]];

	for (uint64_t i = 0; i < m->lines[level]; i++)
		at = *(void **)at;
}

/* Other tenants empty the L3 within milliseconds, and a core's other thread the
 * L1: few lines that are used often stay in it. */
#define SWEEP_EVERY 2
#define HOT_LINES 4

static void place(void *ctx, const struct time_clock *clock)
{
	struct mix *m = ctx;
	void *volatile at = m->sweep;
	uint64_t uses[MIX_LEVELS] = { 0 };

	(void)clock;
	for (unsigned i = 0; i < MIX_BLOCK; i++)
		uses[m->level[i] = draw_level(m)]++;

	m->swept += uses[MIX_L3];
	if (m->share[MIX_L3] > 0 &&
	    (m->age++ % SWEEP_EVERY == 0 || m->swept > m->lines[MIX_L3])) {
		walk(m, MIX_L3);
		for (uint64_t i = 0; i < m->sweep_lines; i++)
			at = *(void **)at;
		m->swept = uses[MIX_L3];
	}
	walk(m, MIX_L2);
	/* an L2 that does not replace the oldest first loses some of them */
	walk(m, MIX_L2);
}

/*
 * From here on it is memory for sure: those of L3's lines that others have
 * pushed out by then count as memory's in the truth.
 */
#define MEMORY_NS 75

static void mix_block(void *ctx, const struct time_clock *clock,
		      uint32_t *out)
{
	struct mix *m = ctx;
	void *list[MIX_BLOCK];

	for (uint64_t i = 0; i < m->lines[MIX_L1]; i++)
		*(void *volatile *)m->line[MIX_L1][i];
	for (unsigned i = 0; i < MIX_BLOCK; i++) {
		const int k = m->level[i];

		list[i] = m->line[k][m->next[k]++ % m->lines[k]];
		if (k == MIX_DRAM)
			clock->port->flush(clock->ctx, list[i]);
	}
	clock->port->end(clock->ctx);
	clock->port->each(clock->ctx, list, NULL, MIX_BLOCK, out);
	for (unsigned i = 0; i < MIX_BLOCK; i++) {
		m->l3 += m->level[i] == MIX_L3;
		m->lost += m->level[i] == MIX_L3 &&
			   out[i] - clock->overhead >
			   MEMORY_NS * clock->ticks_per_ns;
	}
}

static void lay_mix(struct mix *m, const struct calibration_lines *l)
{
	for (int k = 0; k < MIX_LEVELS; k++) {
		void *at = l->head[k];

		m->lines[k] = l->lines[k];
		m->next[k] = 0;
		m->line[k] = calloc(l->lines[k] + 1, sizeof(void *));
		if (!m->line[k])
			die("out of memory", NULL);
		for (uint64_t i = 0; i < l->lines[k]; i++) {
			m->line[k][i] = at;
			at = *(void **)at;
		}
	}
	m->lines[MIX_L1] = HOT_LINES;
	m->sweep = l->sweep;
	m->sweep_lines = l->sweep_lines;
}

struct score {
	unsigned runs, answers, bars, good;
	unsigned marked;	/* said to be unquiet, or refused */
	unsigned kept;		/* good or marked */
	double worst, seconds;
	uint64_t l3, lost;
};

static void score_run(struct score *score, const struct classify_result *pie,
		      const double *truth)
{
	const bool marked = pie->mix.why || pie->noisy;
	bool good = !pie->mix.why, held = good;

	for (int k = 0; k < MIX_LEVELS && good; k++)
		good = fabs(pie->mix.share[k] - truth[k]) <= 0.03;
	for (int k = 0; k < MIX_LEVELS && !pie->mix.why; k++) {
		score->worst = fmax(score->worst,
				    fabs(pie->mix.share[k] - truth[k]));
		held &= truth[k] >= pie->mix.low[k] &&
			truth[k] <= pie->mix.high[k];
	}
	score->runs++;
	score->answers += !pie->mix.why;
	score->bars += held;
	score->good += good;
	score->marked += marked;
	score->kept += good || marked;
}

#define SPAN (4 * MIB)

static struct classify_result run_mix(const struct arena *arena, const double *share,
			       uint64_t seed, struct score *score,
			       double *truth)
{
	struct calibration_lines levels, own;
	struct mix m = { .share = share, .seed = seed };
	const struct classify_target target = {
		.place = place, .block = mix_block, .ctx = &m,
	};
	struct classify_result pie;
	const uint64_t from = env_now_ns();
	double lost;

	calibration_lay(&levels, arena->base, SPAN, &caches);
	calibration_lay(&own, arena->base + arena->bytes / 2, SPAN, &caches);
	lay_mix(&m, &own);
	if (classify(&ticks, &classify_default_config, &target, &levels, &pie))
		die("out of memory", NULL);
	for (int k = 0; k < MIX_LEVELS; k++)
		free(m.line[k]);
	score->seconds += (double)(env_now_ns() - from) / 1e9;
	score->l3 += m.l3;
	score->lost += m.lost;
	lost = m.l3 ? share[MIX_L3] * (double)m.lost / (double)m.l3 : 0;
	memcpy(truth, share, MIX_LEVELS * sizeof(*truth));
	truth[MIX_L3] -= lost;
	truth[MIX_DRAM] += lost;
	return pie;
}

static void show_run(unsigned i, const struct classify_result *pie,
		     const double *truth)
{
	const struct mix_result *m = &pie->mix;

	printf("  mix %u:", i % MIXES);
	for (int k = 0; k < MIX_LEVELS; k++)
		printf(" %.3f (%.3f..%.3f)%s", m->share[k], m->low[k],
		       m->high[k], truth[k] < m->low[k] || truth[k] > m->high[k] ?
		       "!" : "");
	printf(" L2 %+.1f L3 %+.1f memory %+.0f ticks, kept %zu of %zu %s\n",
	       m->excess[1], m->excess[2], m->excess[3], m->kept, m->blocks,
	       m->why ? m->why : pie->note);
}

static void show_score(const struct score *s, const char *what)
{
	printf("%s: %u runs, %u answers, %u with all shares within 3 points, "
	       "worst %.1f; %u said unquiet; %u without a share off by more "
	       "unsaid; all bars hold in %u; %.1f %% of L3's lines were in "
	       "memory; %.1f s a run\n", what, s->runs, s->answers, s->good,
	       100 * s->worst, s->marked, s->kept, s->bars,
	       s->l3 ? 100.0 * (double)s->lost / (double)s->l3 : 0,
	       s->runs ? s->seconds / s->runs : 0);
}

static void add_score(struct score *sum, const struct score *s)
{
	sum->runs += s->runs;
	sum->answers += s->answers;
	sum->good += s->good;
	sum->bars += s->bars;
	sum->marked += s->marked;
	sum->kept += s->kept;
	sum->seconds += s->seconds;
	sum->l3 += s->l3;
	sum->lost += s->lost;
	sum->worst = fmax(sum->worst, s->worst);
}

static void bench_mixes(unsigned runs, unsigned first)
{
	static const enum arena_pages pages[] = { ARENA_4K, ARENA_THP };
	const uint64_t bytes = 2 * calibration_bytes(SPAN, &caches);
	struct score score[MIXES] = { 0 }, sum = { 0 };
	struct assay_error err = { 0 };
	struct arena arena[2];
	char what[64];

	for (int i = 0; i < 2; i++)
		if (env_arena_map(&arena[i], bytes, pages[i], &err))
			die("arena", &err);
	for (unsigned i = first; i < first + runs; i++) {
		struct score *s = &score[i % MIXES];
		double truth[MIX_LEVELS];
		const struct classify_result pie = run_mix(&arena[i / MIXES % 2],
						    mixes[i % MIXES], i + 1,
						    s, truth);

		score_run(s, &pie, truth);
		if (getenv("VERBOSE"))
			show_run(i, &pie, truth);
	}
	for (unsigned i = 0; i < MIXES; i++) {
		const double *m = mixes[i];

		snprintf(what, sizeof(what), "mix %.0f/%.0f/%.0f/%.0f",
			 100 * m[0], 100 * m[1], 100 * m[2], 100 * m[3]);
		show_score(&score[i], what);
		add_score(&sum, &score[i]);
	}
	show_score(&sum, "all");
	printf("counter steps of %u ticks; goal: each run within 3 points or "
	       "said unquiet %s; goal: all bars hold in 90 %% of the answers "
	       "%s\n", ticks.granule, judge_goal(sum.kept == sum.runs),
	       judge_goal(sum.bars * 10 >= sum.answers * 9));
	for (int i = 0; i < 2; i++)
		env_arena_unmap(&arena[i]);
}

int main(int argc, char **argv)
{
	struct env_affinity old;
	struct assay_error err = { 0 };

	setlinebuf(stdout);
	if (timing_clock(&ticks, &err))
		die("clock", &err);
	if (env_geometry(&caches, "/", &err))
		die("caches", &err);
	env_pin(sched_getcpu(), &old, NULL);
	bench_mixes(argc > 1 ? (unsigned)atoi(argv[1]) : 100,
		    argc > 2 ? (unsigned)atoi(argv[2]) : 0);
	return 0;
}
