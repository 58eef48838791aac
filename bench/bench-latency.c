/* SPDX-License-Identifier: MIT */
/*
 * The timing witness against its goals, and against the tools that people use,
 * in one run on one CPU:
 *
 * 1. seventeen sizes, 4K to 256M, in one second of measuring;
 * 2. L1, L2 and memory within 3 % of the median of long runs, 10 times of 12;
 * 3. the same with another process busy on the same CPU, within 10 %;
 * 4. known mixes of L1, L2, L3 and memory: each share within 3 points, the
 *    bars holding the truth, in at least 90 of 100 runs.
 *
 * Peers are run if their paths are given: MULTICHASE, LAT_MEM_RD and
 * MEMORY_LATENCY (of google/multichase, intel/lmbench, and
 * clamchowder/Microbenchmarks).
 *
 *	bench-latency [all|sweep|repeat|busy|mixes [RUNS [FIRST]]]
 */
#define _GNU_SOURCE
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "api/classify.h"
#include "api/rounds.h"
#include "api/timing.h"
#include "assay.h"
#include "env/env.h"
#include "measure/chain.h"

#define LINE 64
#define MIB ((uint64_t)1 << 20)
#define MEMORY (256 * MIB)

static struct time_clock ticks;
static struct geometry caches;

static void die(const char *what, const struct assay_error *err)
{
	fprintf(stderr, "bench-latency: %s: %s\n", what, err ? err->text : "");
	exit(1);
}

static double now_s(void)
{
	return (double)env_now_ns() / 1e9;
}

static const char *judge_goal(bool met)
{
	return met ? "met" : "NOT met";
}

/* ---- 1: the sweep ------------------------------------------------------- */

struct sweep_seen { unsigned stable, shapes; double seconds; };

static int see_result(void *ctx, const struct assay_result *r)
{
	struct sweep_seen *seen = ctx;

	seen->shapes++;
	if (!r->timing)
		return 0;
	seen->stable += r->timing->stable;
	seen->seconds += r->timing->seconds;
	return 0;
}

static void bench_sweep(void)
{
	static const char *const pages[] = { "4K", "thp" };
	const struct assay_setting size = { "elements", "64..4194304" };
	struct assay_error err = { 0 };
	struct assay *assay;

	if (assay_open(&assay, NULL, &err))
		die("open", &err);
	for (int i = 0; i < 2; i++) {
		const struct assay_job job = {
			.kernel = "chase", .on = "time", .setting = &size,
			.settings = 1, .pages = pages[i], .cpu = -1,
		};
		struct sweep_seen seen = { 0 };
		const double from = now_s();

		if (assay_run(assay, &job, see_result, &seen, &err)) {
			printf("sweep %s: %s\n", pages[i], err.text);
			continue;
		}
		printf("sweep of %u sizes, %s: %.2f s of measuring (%.2f s with "
		       "mapping memory and laying out), %u stable; goal <= 1 s "
		       "of measuring %s\n", seen.shapes, pages[i],
		       seen.seconds, now_s() - from, seen.stable,
		       judge_goal(seen.seconds <= 1));
	}
	assay_close(assay);
}

/* ---- single sizes ------------------------------------------------------- */

struct place { const char *name; uint64_t bytes; struct timed timed; };
enum { PLACES = 3 };
static struct place places[PLACES] = {
	{ .name = "L1" }, { .name = "L2" }, { .name = "memory" }
};

/*
 * What a sweep times beside them: 4K to 64M one after the other in one word of
 * the lines, 128M in another.
 */
enum { OTHERS = 16 };
static struct timed others[OTHERS];

static void lay_chain(struct timed *t, unsigned char *base, uint64_t bytes,
		      uint64_t *seed)
{
	const struct chain chain = { .base = base, .step = LINE };

	t->lines = bytes / LINE;
	t->base = base;
	t->chains = 1;
	chain_extend(&chain, 0, t->lines, seed);
	t->head[0] = chain_at(&chain, 0);
}

static void lay_others(unsigned char *base)
{
	uint64_t seed = 5, at = 0;

	for (int i = 0; i < OTHERS; i++) {
		const uint64_t bytes = (uint64_t)4096 << i;
		const bool last = i == OTHERS - 1;

		lay_chain(&others[i], base + (last ? 0 : at) +
			  (last ? 4 : 3) * sizeof(void *), bytes, &seed);
		at += bytes;
	}
}

/* Half of the L1; between the L1 and the L2; all of the block. */
static void lay_places(unsigned char *base)
{
	const double l1 = (double)cache_bytes(&caches.l1d);
	const double l2 = (double)cache_bytes(&caches.l2);
	uint64_t seed = 3;

	places[0].bytes = (uint64_t)(l1 ? l1 / 2 : 16384);
	places[1].bytes = (uint64_t)(l2 ? fmin(sqrt(l1 * l2), l2 / 4)
					: 262144) / 4096 * 4096;
	places[2].bytes = MEMORY;
	for (int i = 0; i < PLACES; i++)
		lay_chain(&places[i].timed, base + (size_t)i * sizeof(void *),
			  places[i].bytes, &seed);
	lay_others(base);
}

/* All places in rounds, as part of a whole sweep. Returns its seconds. */
static double look(const struct rounds_plan *plan,
		   struct series_summary *out)
{
	struct rounds_item item[PLACES + OTHERS] = { 0 };
	double ns = 0;

	for (int i = 0; i < PLACES + OTHERS; i++)
		item[i].timed = i < PLACES ? places[i].timed :
					     others[i - PLACES];
	if (rounds_run(&ticks, plan, item, PLACES + OTHERS))
		die("out of memory", NULL);
	for (int i = 0; i < PLACES; i++)
		out[i] = item[i].summary;
	for (int i = 0; i < PLACES + OTHERS; i++)
		ns += item[i].ns;
	rounds_fini(item, PLACES + OTHERS);
	return ns / 1e9;
}

#define LONG_RUNS 3

struct longs { double cycles[PLACES][2 * LONG_RUNS], ns[PLACES][2 * LONG_RUNS];
	       unsigned runs; };

static void look_long(struct longs *out)
{
	struct rounds_plan plan = rounds_default_plan;
	struct series_summary one[PLACES];

	plan.rule.good = 0;
	plan.most_rounds = 30;
	plan.slice_ns = 5e6;
	for (int run = 0; run < LONG_RUNS; run++, out->runs++) {
		look(&plan, one);
		for (int i = 0; i < PLACES; i++) {
			out->cycles[i][out->runs] = one[i].cycles.value;
			out->ns[i][out->runs] = one[i].ns.value;
		}
	}
}

/* Medians over all long runs so far. */
static void usual(const struct longs *longs, double *cycles, double *ns)
{
	struct longs sorted = *longs;

	for (int i = 0; i < PLACES; i++) {
		cycles[i] = series_quantile(sorted.cycles[i], sorted.runs,
					    0.5);
		ns[i] = series_quantile(sorted.ns[i], sorted.runs, 0.5);
	}
}

/* ---- peers -------------------------------------------------------------- */

/* The last number of the last line, or (at > 0) of the line of that size. */
static double last_number(FILE *in, double at)
{
	double found = 0, best = INFINITY;
	char line[512];

	while (fgets(line, sizeof(line), in)) {
		char *comma = strchr(line, ',');
		double size, value;
		int n;

		if (comma)
			*comma = ' ';
		n = sscanf(line, "%lf %lf", &size, &value);
		if (n == 1 && at <= 0)
			found = size;
		if (n == 2 && (at <= 0 || fabs(size - at) < best)) {
			best = fabs(size - at);
			found = value;
		}
	}
	return found;
}

static double run_peer(const char *command, double at)
{
	FILE *in = popen(command, "r");
	double value;

	if (!in)
		return 0;
	value = last_number(in, at);
	pclose(in);
	return value;
}

enum { MULTICHASE, MEMORY_LATENCY, LAT_MEM_RD, PEERS };
static const char *const peers[PEERS] = {
	"MULTICHASE", "MEMORY_LATENCY", "LAT_MEM_RD"
};

/* ns, or 0: there is no such peer. */
static double peer_ns(int peer, uint64_t bytes)
{
	const char *path = getenv(peers[peer]);
	const unsigned long long kib = bytes / 1024;
	char command[1024];

	if (!path)
		return 0;
	if (peer == LAT_MEM_RD)
		snprintf(command, sizeof(command),
			 "ENOUGH=10000 %s -t -N 1 %llu 64 2>&1", path,
			 (unsigned long long)((bytes + MIB - 1) / MIB));
	else if (peer == MULTICHASE)
		snprintf(command, sizeof(command), "%s -H -m %lluk -s 64 "
			 "-T %lluk -n 2 2>/dev/null", path, kib, kib);
	else
		snprintf(command, sizeof(command), "%s -test asm -hugepages "
			 "-sizekb %llu -iter 10000000 2>/dev/null", path, kib);
	return run_peer(command, peer == LAT_MEM_RD ?
			(double)bytes / (double)MIB : 0);
}

static void show_peers(const double *ns, bool busy)
{
	for (int k = 0; k < PEERS; k++) {
		if (!getenv(peers[k]))
			continue;
		for (int i = 0; i < PLACES; i++) {
			const double from = now_s();
			const double peer = peer_ns(k, places[i].bytes);

			printf("  %s %s%s: %.2f ns, %.2f of the quiet truth, "
			       "%.1f s\n", peers[k], places[i].name,
			       busy ? " beside a busy process" : "", peer,
			       peer / ns[i], now_s() - from);
		}
	}
}

#define REPEATS 12

/* ---- 2: repetitions ----------------------------------------------------- */

/* Between long runs, so that drift of the machine is in them too. */
static void bench_repeat(struct longs *longs, double *cycles, double *ns)
{
	struct series_summary one[REPEATS][PLACES];
	double longest = 0;

	for (int run = 0; run < REPEATS; run++)
		longest = fmax(longest, look(&rounds_default_plan,
					     one[run]));
	look_long(longs);
	usual(longs, cycles, ns);
	for (int i = 0; i < PLACES; i++) {
		unsigned good = 0, stable = 0;
		double worst = 0;

		for (int run = 0; run < REPEATS; run++) {
			const struct series_summary *s = &one[run][i];
			const double error = fabs(s->cycles.value /
						  cycles[i] - 1);

			good += error <= 0.03;
			stable += series_error(s) <=
				  rounds_default_plan.rule.stable;
			worst = fmax(worst, error);
		}
		printf("%s: %.2f cycles, %.2f ns (long runs); %u of %d within "
		       "3 %%, worst %.1f %%, %u said stable; goal >= 10 %s\n",
		       places[i].name, cycles[i], ns[i], good, REPEATS,
		       100 * worst, stable, judge_goal(good >= 10));
	}
	if (getenv("VERBOSE"))
		for (int run = 0; run < REPEATS; run++)
			printf("  memory in sweep %d: %.1f cycles\n", run,
			       one[run][PLACES - 1].cycles.value);
	printf("%d sweeps of %d sizes: %.2f s of measuring at most; goal <= 1 s "
	       "%s\n", REPEATS, PLACES + OTHERS, longest,
	       judge_goal(longest <= 1));
	show_peers(ns, false);
}

/* ---- 3: a busy CPU ------------------------------------------------------ */

static pid_t start_busy(void)
{
	const pid_t child = fork();

	if (child)
		return child;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (volatile unsigned i = 0;; i++)
		;
}

static void bench_busy(const double *cycles, const double *ns)
{
	struct series_summary one[PLACES];
	const pid_t busy = start_busy();

	usleep(100000);
	look(&rounds_default_plan, one);
	for (int i = 0; i < PLACES; i++) {
		const double ratio = one[i].cycles.value / cycles[i];

		printf("%s beside a busy process on the same CPU: %.2f cycles, "
		       "%.2f of the quiet one; goal within 10 %% %s\n",
		       places[i].name, one[i].cycles.value, ratio,
		       judge_goal(fabs(ratio - 1) <= 0.1));
	}
	show_peers(ns, true);
	if (busy > 0) {
		kill(busy, SIGKILL);
		waitpid(busy, NULL, 0);
	}
}

/* ---- 4: known mixes ----------------------------------------------------- */

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

/* Other tenants empty the L3 within milliseconds. */
#define SWEEP_EVERY 2

static void place(void *ctx)
{
	struct mix *m = ctx;
	void *volatile at = m->sweep;
	uint64_t uses[MIX_LEVELS] = { 0 };

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

	walk(m, MIX_L1);
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

static void lay_mix(struct mix *m, const struct known_levels *l)
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
	m->sweep = l->sweep;
	m->sweep_lines = l->sweep_lines;
}

struct score {
	unsigned answers, bars, all, good;
	double worst;
	uint64_t l3, lost;
};

static void score_run(struct score *score, const struct time_pie *pie,
		      const double *truth)
{
	bool good = true;

	if (pie->mix.why)
		return;
	score->answers++;
	for (int k = 0; k < MIX_LEVELS; k++) {
		const double error = fabs(pie->mix.share[k] - truth[k]);

		score->all++;
		score->bars += truth[k] >= pie->mix.low[k] &&
			       truth[k] <= pie->mix.high[k];
		score->worst = fmax(score->worst, error);
		good &= error <= 0.03;
	}
	score->good += good;
}

#define SPAN (4 * MIB)

static struct time_pie run_mix(const struct arena *arena, const double *share,
			       uint64_t seed, struct score *score,
			       double *truth)
{
	struct known_levels levels, own;
	struct mix m = { .share = share, .seed = seed };
	const struct classify_target target = {
		.place = place, .block = mix_block, .ctx = &m,
	};
	struct time_pie pie;
	double lost;

	known_lay(&levels, arena->base, SPAN, &caches);
	known_lay(&own, arena->base + arena->bytes / 2, SPAN, &caches);
	lay_mix(&m, &own);
	if (classify(&ticks, &classify_default_plan, &target, &levels, &pie))
		die("out of memory", NULL);
	for (int k = 0; k < MIX_LEVELS; k++)
		free(m.line[k]);
	score->l3 += m.l3;
	score->lost += m.lost;
	lost = m.l3 ? share[MIX_L3] * (double)m.lost / (double)m.l3 : 0;
	memcpy(truth, share, MIX_LEVELS * sizeof(*truth));
	truth[MIX_L3] -= lost;
	truth[MIX_DRAM] += lost;
	return pie;
}

static void show_run(unsigned i, const struct time_pie *pie,
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
	       m->why ? m->why : "");
}

static void show_score(const struct score *s, const char *what)
{
	printf("%s: %u answers, %u with all shares within 3 points, worst "
	       "%.1f; bars hold %u of %u; %.1f %% of L3's lines were in "
	       "memory\n", what, s->answers, s->good, 100 * s->worst, s->bars,
	       s->all, s->l3 ? 100.0 * (double)s->lost / (double)s->l3 : 0);
}

static void bench_mixes(unsigned runs, unsigned first)
{
	static const enum arena_pages pages[] = { ARENA_4K, ARENA_THP };
	const uint64_t bytes = 2 * known_bytes(SPAN, &caches);
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
		const struct time_pie pie = run_mix(&arena[i / MIXES % 2],
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
		sum.answers += score[i].answers;
		sum.good += score[i].good;
		sum.bars += score[i].bars;
		sum.all += score[i].all;
	}
	printf("%u runs, counter steps of %u ticks: %u answers (the others "
	       "refused), %u within 3 points; goal: all %s; bars hold %.0f %%; "
	       "goal >= 90 %s\n", runs, ticks.granule, sum.answers, sum.good,
	       judge_goal(sum.good == sum.answers && sum.answers),
	       sum.all ? 100.0 * sum.bars / sum.all : 0,
	       judge_goal(sum.bars * 10 >= sum.all * 9));
	for (int i = 0; i < 2; i++)
		env_arena_unmap(&arena[i]);
}

/* ---- all ---------------------------------------------------------------- */

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "all";
	const bool all = !strcmp(what, "all");
	struct env_affinity old;
	struct assay_error err = { 0 };
	double cycles[PLACES], ns[PLACES];
	struct longs longs = { .runs = 0 };
	struct arena arena;

	setlinebuf(stdout);
	if (timing_clock(&ticks, &err))
		die("clock", &err);
	if (env_geometry(&caches, "/", &err))
		die("caches", &err);
	if (all || !strcmp(what, "sweep"))
		bench_sweep();
	env_pin(sched_getcpu(), &old, NULL);
	if (all || !strcmp(what, "mixes"))
		bench_mixes(argc > 2 ? (unsigned)atoi(argv[2]) : 100,
			    argc > 3 ? (unsigned)atoi(argv[3]) : 0);
	if (!all && strcmp(what, "repeat") && strcmp(what, "busy"))
		return 0;
	if (env_arena_map(&arena, MEMORY, ARENA_THP, NULL) &&
	    env_arena_map(&arena, MEMORY, ARENA_4K, &err))
		die("arena", &err);
	lay_places(arena.base);
	look_long(&longs);
	usual(&longs, cycles, ns);
	if (all || !strcmp(what, "repeat"))
		bench_repeat(&longs, cycles, ns);
	if (all || !strcmp(what, "busy"))
		bench_busy(cycles, ns);
	env_arena_unmap(&arena);
	return 0;
}
