/* SPDX-License-Identifier: MIT */
/* Taking blocks of timed accesses, of a target and of each level alone. */
#include "api/classify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/series.h"
#include "assay/error.h"
#include "measure/chain.h"

#define LINE 64
#define NEAR_LINES 16
#define DRAM_LINES 4096
#define UNTIMED 16	/* looks at the untimed average, in each phase */
#define AWAY_NS 30000
#define SMALL 0.02	/* share beyond L2 that leaves the average to it */

const struct classify_plan classify_default_plan = {
	.phases = 4, .blocks = 400, .level_blocks = 60,
};

/* ---- the levels' chains ------------------------------------------------- */

static uint64_t l2_lines(const struct geometry *g)
{
	uint64_t bytes = 4 * cache_bytes(&g->l1d);

	if (bytes > cache_bytes(&g->l2) / 4)
		bytes = cache_bytes(&g->l2) / 4;
	return bytes > 2 * cache_bytes(&g->l1d) ? bytes / LINE : 0;
}

/* Four times the L2, walked in a cycle: never in it. */
static uint64_t l3_lines(const struct geometry *g)
{
	const uint64_t bytes = 4 * cache_bytes(g->l2.present ? &g->l2
							     : &g->l1d);

	return bytes <= cache_bytes(&g->l3) / 2 ? bytes / LINE : 0;
}

uint64_t classify_bytes(const struct geometry *g)
{
	const uint64_t least = DRAM_LINES * 2 * LINE;
	const uint64_t l3 = l3_lines(g) * LINE;

	return l3 > least ? l3 : least;
}

/* Each level uses its own word of the lines. */
static void lay_level(struct classify_levels *out, int level, uint64_t lines,
		      unsigned char *base, uint64_t step)
{
	const struct chain chain = {
		.base = base + (size_t)level * sizeof(void *),
		.step = step, .scatter = step > LINE,
	};
	uint64_t seed = (uint64_t)level + 1;

	if (!lines)
		return;
	chain_extend(&chain, 0, lines, &seed);
	out->head[level] = chain_at(&chain, 0);
	out->lines[level] = lines;
}

static uint64_t step_of(uint64_t bytes, uint64_t lines)
{
	return lines ? bytes / lines / LINE * LINE : LINE;
}

void classify_lay(struct classify_levels *out, unsigned char *base,
		  uint64_t bytes, uint64_t span, const struct geometry *g)
{
	const uint64_t l2 = l2_lines(g), l3 = l3_lines(g);

	*out = (struct classify_levels){ .head = { NULL } };
	if (span > bytes)
		span = bytes;
	if (span < l2 * LINE)
		span = l2 * LINE;
	lay_level(out, MIX_L1, NEAR_LINES, base, LINE);
	lay_level(out, MIX_L2, l2, base, step_of(span, l2));
	lay_level(out, MIX_L3, l3, base, step_of(bytes, l3));
	lay_level(out, MIX_DRAM, DRAM_LINES, base, step_of(bytes, DRAM_LINES));
}

/* ---- blocks ------------------------------------------------------------- */

static void each(const struct time_clock *clock, void **head, unsigned n,
		 uint32_t *ticks)
{
	clock->port->each(clock->ctx, NULL, head, n, ticks);
}

/* The next n lines of a level, along its chain or from its list. */
static void each_of(const struct time_clock *clock, struct classify_levels *l,
		    int level, unsigned n, uint32_t *ticks)
{
	void *list[MIX_BLOCK];

	if (!l->line[level]) {
		each(clock, &l->head[level], n, ticks);
		return;
	}
	for (unsigned i = 0; i < n; i++)
		list[i] = l->line[level][l->next[level]++ % l->lines[level]];
	clock->port->each(clock->ctx, list, NULL, n, ticks);
}

/* A quiet walk: its lines are brought back first. */
static void gate(const struct time_clock *clock, struct classify_levels *l,
		 uint32_t *ticks)
{
	each_of(clock, l, MIX_L1, NEAR_LINES, ticks);
	each_of(clock, l, MIX_L1, MIX_GATE, ticks);
}

/* The next lines of memory's chain leave every cache. */
static void push_out(const struct time_clock *clock,
		     const struct classify_levels *l, unsigned n)
{
	const uint64_t lines = l->lines[MIX_DRAM];
	void *head = l->head[MIX_DRAM], *line[MIX_BLOCK];

	for (unsigned i = 0; i < n; i++) {
		line[i] = l->line[MIX_DRAM] ? l->line[MIX_DRAM]
			  [(l->next[MIX_DRAM] + i) % lines] : head;
		head = *(void **)line[i];
	}
	for (unsigned i = 0; i < n; i++)
		clock->port->flush(clock->ctx, line[i]);
	clock->port->end(clock->ctx);
}

/*
 * Whoever ran in between has emptied the caches: a block that took much longer
 * than the quickest one shows it.
 */
struct watch { double least; unsigned again; };

static bool was_away(const struct time_clock *clock, struct watch *w,
		     uint64_t from)
{
	const double ticks = (double)(clock->port->end(clock->ctx) - from);

	if (!(w->least > 0) || ticks < w->least)
		w->least = ticks;
	return ticks > 2 * w->least + AWAY_NS * clock->ticks_per_ns;
}

static void warm_level(const struct time_clock *clock,
		       struct classify_levels *l, int level)
{
	uint64_t steps = 2 * l->lines[level];
	void **line = l->line[level], *head = l->head[level];

	steps -= steps % TIME_UNROLL;
	if (line)	/* what comes next was seen longest ago */
		head = line[l->next[level] % l->lines[level]];
	if (steps && (level == MIX_L2 || level == MIX_L3))
		clock->port->chase(clock->ctx, &head, 1, steps);
	if (!line)
		l->head[level] = head;
}

static void take_level(const struct time_clock *clock,
		       struct classify_levels *l, int level, unsigned blocks,
		       struct mix_source *out)
{
	struct watch watch = { .again = blocks };

	if (!l->head[level])
		return;
	warm_level(clock, l, level);
	for (unsigned i = 0; i < blocks; i++) {
		struct mix_block *b = &out->block[out->blocks++];
		const uint64_t from = clock->port->begin(clock->ctx);

		gate(clock, l, b->before);
		if (level == MIX_DRAM)
			push_out(clock, l, MIX_BLOCK);
		each_of(clock, l, level, MIX_BLOCK, b->ticks);
		gate(clock, l, b->after);
		if (!was_away(clock, &watch, from) || !watch.again)
			continue;
		watch.again--;
		out->blocks--;
		i--;
		warm_level(clock, l, level);
	}
}

static void take_target(const struct time_clock *clock,
			const struct classify_target *target,
			struct classify_levels *l, unsigned blocks,
			struct mix_source *out)
{
	struct watch watch = { .again = blocks / 2 };

	for (unsigned i = 0; i < blocks; i++) {
		struct mix_block *b = &out->block[out->blocks++];
		const uint64_t from = clock->port->begin(clock->ctx);

		gate(clock, l, b->before);
		target->block(target->ctx, clock, b->ticks);
		gate(clock, l, b->after);
		if (!was_away(clock, &watch, from) || !watch.again)
			continue;
		watch.again--;
		out->blocks--;
		i--;
		if (target->warm)
			target->warm(target->ctx, clock);
	}
}

/* ---- the self-check ----------------------------------------------------- */

struct averages { double ns[256]; unsigned n; };

static void take_average(const struct time_clock *clock,
			 const struct classify_target *target,
			 struct averages *out)
{
	for (unsigned i = 0; target->untimed && i < UNTIMED; i++)
		if (out->n < sizeof(out->ns) / sizeof(*out->ns))
			out->ns[out->n++] = target->untimed(target->ctx,
							    clock);
}

/* ns of one access of L1's and L2's own chains, untimed: exact. */
struct near { double l1[UNTIMED * 8], l2[UNTIMED * 8]; unsigned n; };

static double chain_ns(const struct time_clock *clock,
		       struct classify_levels *l, int level)
{
	struct timed t = { .chains = 1, .lines = l->lines[level],
			   .head = { l->head[level] } };
	struct time_sample s = { 0 };
	double core = 1;

	if (!l->head[level])
		return 0;
	time_chunk(clock, &t, 1024, &core, &s);
	l->head[level] = t.head[0];
	return s.ns;
}

static void take_near(const struct time_clock *clock,
		      struct classify_levels *l, struct near *out)
{
	warm_level(clock, l, MIX_L2);
	for (unsigned i = 0; i < UNTIMED && out->n < UNTIMED * 8; i++) {
		out->l1[out->n] = chain_ns(clock, l, MIX_L1);
		out->l2[out->n++] = chain_ns(clock, l, MIX_L2);
	}
}

static double beyond_l2(const struct mix_result *m)
{
	return m->share[MIX_L3] + m->share[MIX_DRAM];
}

static double predict(const struct time_pie *p)
{
	double sum = 0;

	for (int k = 0; k < MIX_LEVELS; k++)
		sum += p->mix.share[k] * p->cost_ns[k];
	return sum;
}

/*
 * Where next to nothing lies beyond the L2, the average alone says how L1 and
 * L2 share the rest: 4 and 14 cycles are far apart for it. Whether it holds
 * the few slow accesses is not known: with them and without, the bars reach
 * from one to the other.
 */
static void split_by_average(struct time_pie *p)
{
	struct mix_result *m = &p->mix;
	const double rest = m->share[MIX_L1] + m->share[MIX_L2];
	const double c1 = p->cost_ns[MIX_L1], c2 = p->cost_ns[MIX_L2];
	const double far = predict(p) - m->share[MIX_L1] * c1 -
			   m->share[MIX_L2] * c2;
	const double most = (p->average_ns - rest * c1) / (c2 - c1);
	const double least = most - far / (c2 - c1);
	const double high = fmin(fmax(most, 0), rest);
	const double low = fmin(fmax(least, 0), rest);
	const double doubt = 0.02 + 0.02 * p->average_ns / (c2 - c1);

	m->share[MIX_L2] = (high + low) / 2;
	m->share[MIX_L1] = rest - m->share[MIX_L2];
	m->low[MIX_L2] = fmax(low - doubt, 0);
	m->high[MIX_L2] = fmin(high + doubt, 1);
	m->low[MIX_L1] = fmax(rest - high - doubt, 0);
	m->high[MIX_L1] = fmin(rest - low + doubt, 1);
	p->by_average = true;
}

static void find_costs(struct time_pie *p, struct near *near,
		       const struct time_clock *clock)
{
	const double l1 = series_quantile(near->l1, near->n, 0.25);

	for (int k = 0; k < MIX_LEVELS; k++)
		if (p->mix.present[k])
			p->cost_ns[k] = l1 + p->mix.excess[k] /
					clock->ticks_per_ns;
	if (p->mix.present[MIX_L2])
		p->cost_ns[MIX_L2] = series_quantile(near->l2, near->n, 0.25);
}

/*
 * Timed one by one, the L2's own lines must cost what they cost in a row; if
 * they cost more, they were not in the L2, and its distribution is not its own.
 */
static bool is_polluted(const struct time_pie *p,
			const struct time_clock *clock)
{
	const double apart = p->cost_ns[MIX_L2] - p->cost_ns[MIX_L1];

	return p->mix.present[MIX_L2] && p->mix.excess[MIX_L2] /
	       clock->ticks_per_ns > 1.4 * apart + 0.6;
}

static void check(struct time_pie *p, struct averages *average,
		  struct near *near, const struct time_clock *clock)
{
	struct mix_result *m = &p->mix;
	double error;

	p->note = "";
	find_costs(p, near, clock);
	if (is_polluted(p, clock)) {
		m->why = "cannot tell here: others push the lines that the "
			 "L2's own time is taken from out of it";
		return;
	}
	if (average->n)
		p->average_ns = series_quantile(average->ns, average->n, 0.5);
	if (average->n && m->coarse && m->present[MIX_L2] &&
	    beyond_l2(m) < SMALL && p->cost_ns[MIX_L2] > 1.2 * p->cost_ns[MIX_L1])
		split_by_average(p);
	p->predicted_ns = predict(p);
	error = fabs(p->predicted_ns - p->average_ns);
	p->consistent = !average->n || error < 0.7 ||
			error < 0.1 * p->average_ns;
	if (!p->consistent)
		p->note = "the shares do not explain the average time: the "
			  "machine was disturbed, or accesses overlap";
	else if (p->by_average)
		p->note = "the counter is too coarse for L1 and L2: the "
			  "average time decides between them";
}

/* ---- lists ------------------------------------------------------------- */

static int make_lists(struct classify_levels *l)
{
	for (int k = 0; k < MIX_LEVELS; k++) {
		void *at = l->head[k];

		if (!at)
			continue;
		l->line[k] = malloc(l->lines[k] * sizeof(void *));
		if (!l->line[k])
			return -ASSAY_ENOMEM;
		for (uint64_t i = 0; i < l->lines[k]; i++) {
			l->line[k][i] = at;
			at = *(void **)at;
		}
	}
	return 0;
}

static void free_lists(struct classify_levels *l)
{
	for (int k = 0; k < MIX_LEVELS; k++) {
		free(l->line[k]);
		l->line[k] = NULL;
	}
}

/* ---- all of it ---------------------------------------------------------- */

static int make_room(struct mix_source *source, size_t blocks)
{
	source->block = malloc(blocks * sizeof(*source->block));
	if (!source->block)
		return -ASSAY_ENOMEM;
	/* touched now: a page fault while timing would show */
	memset(source->block, 0xff, blocks * sizeof(*source->block));
	return 0;
}

static void take_levels(const struct time_clock *clock, unsigned blocks,
			struct classify_levels *levels, struct mix_input *in)
{
	for (int k = 0; k < MIX_LEVELS; k++)
		if (k != MIX_DRAM || clock->port->flush)
			take_level(clock, levels, k, blocks, &in->level[k]);
}

int classify(const struct time_clock *clock, const struct classify_plan *plan,
	     const struct classify_target *target,
	     struct classify_levels *levels, struct time_pie *out)
{
	struct mix_input in = {
		.granule = clock->granule, .seed = 1,
		.ticks_per_ns = clock->ticks_per_ns,
	};
	struct averages average = { .n = 0 };
	struct near near = { .n = 0 };
	int rc = make_room(&in.mixture, plan->phases * plan->blocks);

	if (rc == 0 && target->listed)
		rc = make_lists(levels);
	for (int k = 0; k < MIX_LEVELS && rc == 0; k++)
		rc = make_room(&in.level[k],
			       (plan->phases + 1) * plan->level_blocks);
	for (unsigned i = 0; i < plan->phases && rc == 0; i++) {
		take_levels(clock, plan->level_blocks, levels, &in);
		if (target->warm)
			target->warm(target->ctx, clock);
		take_average(clock, target, &average);
		take_target(clock, target, levels, plan->blocks, &in.mixture);
		take_near(clock, levels, &near);
	}
	*out = (struct time_pie){ .note = "" };
	if (rc == 0)
		take_levels(clock, plan->level_blocks, levels, &in);
	if (rc == 0)
		rc = mix_solve(&in, &out->mix);
	if (rc == 0 && !out->mix.why)
		check(out, &average, &near, clock);
	free_lists(levels);
	free(in.mixture.block);
	for (int k = 0; k < MIX_LEVELS; k++)
		free(in.level[k].block);
	return rc;
}

/* ---- a walk as target --------------------------------------------------- */

static void walk_block(void *ctx, const struct time_clock *clock,
		       uint32_t *ticks)
{
	struct classify_walk *w = ctx;

	each(clock, &w->timed.head[w->turn++ % w->timed.chains], MIX_BLOCK,
	     ticks);
}

static double walk_untimed(void *ctx, const struct time_clock *clock)
{
	struct classify_walk *w = ctx;
	struct timed one = w->timed;
	struct time_sample s;
	double core = 1;

	one.chains = 1;
	time_chunk(clock, &one, time_steps(clock, &one, TIME_CHUNK_NS), &core,
		   &s);
	w->timed.head[0] = one.head[0];
	return s.ns;
}

static void walk_warm(void *ctx, const struct time_clock *clock)
{
	struct classify_walk *w = ctx;

	time_warm(clock, &w->timed);
}

void classify_walk_target(struct classify_target *out,
			  struct classify_walk *walk)
{
	*out = (struct classify_target){
		.warm = walk_warm, .block = walk_block,
		.untimed = walk_untimed, .ctx = walk,
	};
}
