/* SPDX-License-Identifier: MIT */
/* Times blocks of a target and of calibration lines until the bars are
 * short. */
#include "timing/classify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/latency/series.h"
#include "assay/error.h"

#define EVEN 0.3	/* of calibration blocks: part with equal shares of all
			 * levels; the rest has the target's shares */
#define PILOT 4		/* the pilot has this part of the phases */
#define SHORT 0.025	/* half a bar: short enough to stop */
#define WIDE 0.03	/* half a bar: the machine is noisy */
#define TOO_WIDE 0.15	/* half a bar: no answer */
#define ATTEMPTS 4	/* most times that all phases are run */
#define UNTIMED 16	/* untimed averages in each phase */
#define AWAY_NS 30000	/* a block this much late was interrupted */
#define WARMED 32768	/* lines up to which time_warm() chases all */
#define COMPLETE 262144	/* lines that an L3 may hold */
#define ONWARD 4096	/* steps between two blocks */
#define ONWARD_FAR 1024	/* the same if steps are slow: beyond WARMED lines */
#define SMALL 0.02	/* share beyond L2 that the average may ignore */

const struct classify_config classify_default_config = {
	.phases = 16, .blocks = 100, .calibration_blocks = 60,
};

/*
 * An interrupted block is timed again, because the other program changed the
 * caches. Interrupted: it took much longer than the quickest block.
 */
struct block_times {
	double least;		/* ticks of the quickest block */
	unsigned again;		/* blocks that may still be timed again */
};

static bool was_interrupted(const struct time_clock *clock,
			    struct block_times *w, uint64_t from)
{
	const double ticks = (double)(clock->port->end(clock->ctx) - from);

	if (!(w->least > 0) || ticks < w->least)
		w->least = ticks;
	return ticks > 2 * w->least + AWAY_NS * clock->ticks_per_ns;
}

/* ---- calibration blocks ------------------------------------------------- */

static void add_calibration(const struct time_clock *clock,
			    struct calibration_lines *l, const double *share,
			    unsigned blocks, struct mix_source *out)
{
	struct block_times times = { .again = blocks };

	calibration_displaced(l);
	for (unsigned i = 0; i < blocks; i++) {
		const uint64_t from = calibration_block(clock, l, share,
			&out->block[out->blocks++]);

		if (!was_interrupted(clock, &times, from) || !times.again)
			continue;
		times.again--;
		out->blocks--;
		i--;
		calibration_displaced(l);
	}
}

/* ---- the target's blocks ------------------------------------------------ */

static void add_target(const struct time_clock *clock,
		       const struct classify_target *target,
		       struct calibration_lines *l, unsigned blocks,
		       struct mix_source *out)
{
	struct block_times times = { .again = blocks / 2 };

	for (unsigned i = 0; i < blocks; i++) {
		struct mix_block *b = &out->block[out->blocks++];
		uint64_t from;

		if (target->place)
			target->place(target->ctx, clock);
		from = clock->port->begin(clock->ctx);
		calibration_gate(clock, l, b->before);
		target->block(target->ctx, clock, b->ticks);
		calibration_gate(clock, l, b->after);
		if (!was_interrupted(clock, &times, from) || !times.again)
			continue;
		times.again--;
		out->blocks--;
		i--;
		if (target->warm)
			target->warm(target->ctx, clock);
	}
}

/* ---- the self-check ----------------------------------------------------- */

struct averages { double ns[256 * ATTEMPTS]; unsigned n; };

static void add_averages(const struct time_clock *clock,
			 const struct classify_target *target,
			 struct averages *out)
{
	for (unsigned i = 0; target->untimed && i < UNTIMED; i++)
		if (out->n < sizeof(out->ns) / sizeof(*out->ns))
			out->ns[out->n++] = target->untimed(target->ctx,
							    clock);
}

/* ns of one access to L1 and to L2: calibration chains, timed in one piece. */
struct near { double l1[UNTIMED * 8], l2[UNTIMED * 8]; unsigned n; };

static double chain_ns(const struct time_clock *clock,
		       struct calibration_lines *l, int level)
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

static void add_near(const struct time_clock *clock,
		     struct calibration_lines *l, struct near *out)
{
	if (l->head[MIX_L2])
		calibration_traverse(clock, l, MIX_L2);
	for (unsigned i = 0; i < UNTIMED && out->n < UNTIMED * 8; i++) {
		out->l1[out->n] = chain_ns(clock, l, MIX_L1);
		out->l2[out->n++] = chain_ns(clock, l, MIX_L2);
	}
}

/*
 * The mean of all averages but the interrupted ones. Not the median: a kernel's
 * misses come in bursts, so single averages differ. No burst makes an average
 * as long as an interrupt does.
 */
static double undisturbed_mean(struct averages *a)
{
	const double most = 2 * series_quantile(a->ns, a->n, 0.9) + 1;
	double sum = 0;
	unsigned n = 0;

	for (; n < a->n && a->ns[n] <= most; n++)
		sum += a->ns[n];
	return sum / n;
}

static double beyond_l2(const struct mix_result *m)
{
	return m->share[MIX_L3] + m->share[MIX_DRAM];
}

static double predict(const struct classify_result *p)
{
	double sum = 0;

	for (int k = 0; k < MIX_LEVELS; k++)
		sum += p->mix.share[k] * p->cost_ns[k];
	return sum;
}

/*
 * If nearly no access goes beyond the L2, the average time alone decides
 * between L1 and L2. Whether the average contains the few slow accesses is not
 * known: the bars reach from the share with them to the share without them.
 */
static void split_by_average(struct classify_result *p)
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

static void find_costs(struct classify_result *p, struct near *near,
		       const struct time_clock *clock)
{
	const double l1 = series_quantile(near->l1, near->n, 0.25);

	for (int k = 0; k < MIX_LEVELS; k++)
		if (p->mix.present[k])
			p->cost_ns[k] = l1 + p->mix.excess[k] /
					clock->loads.ticks_per_ns;
	if (p->mix.present[MIX_L2])
		p->cost_ns[MIX_L2] = series_quantile(near->l2, near->n, 0.25);
}

/*
 * Were the calibration lines in other levels than intended? The L2's lines must
 * cost about the same timed singly as timed in one piece. If they cost much
 * more, they were not in the L2; if they cost no more than the L1's lines, the
 * L1's lines were not in the L1.
 */
static bool is_polluted(const struct classify_result *p,
			const struct time_clock *clock)
{
	const double apart = p->cost_ns[MIX_L2] - p->cost_ns[MIX_L1];
	const double seen = p->mix.excess[MIX_L2] / clock->loads.ticks_per_ns;

	return p->mix.present[MIX_L2] &&
	       (seen > 2 * apart + 2 || seen < 0.4 * apart);
}

/* The prediction for all accesses in the average, also those in no block. */
static double predict_all(const struct classify_result *p,
			  const struct classify_target *target,
			  const struct time_clock *clock)
{
	double ticks, others;

	if (!target->others)
		return predict(p);
	others = target->others(target->ctx, &ticks);
	if (!(others > 0))
		return predict(p);
	return (predict(p) + others * (p->cost_ns[MIX_L1] +
		fmax(ticks - p->mix.l1, 0) / clock->loads.ticks_per_ns)) /
	       (1 + others);
}

static bool is_explained(const struct classify_result *p)
{
	const double error = fabs(p->predicted_ns - p->average_ns);

	return error < 0.7 || error < 0.1 * p->average_ns;
}

/*
 * Calibration lines in memory lie in few pages. If the target's pages exceed
 * the TLBs, its accesses cost a page walk more, as their own times (mix.far)
 * show: does that cost explain the average?
 */
static bool is_paged(struct classify_result *p,
		     const struct classify_target *target,
		     const struct time_clock *clock)
{
	const double known = p->cost_ns[MIX_DRAM];

	p->cost_ns[MIX_DRAM] = p->cost_ns[MIX_L1] + p->mix.far /
						    clock->loads.ticks_per_ns;
	p->predicted_ns = predict_all(p, target, clock);
	if (p->cost_ns[MIX_DRAM] > known && is_explained(p))
		return true;
	p->cost_ns[MIX_DRAM] = known;
	p->predicted_ns = predict_all(p, target, clock);
	return false;
}

static void check(struct classify_result *p, struct averages *average,
		  struct near *near, const struct classify_target *target,
		  const struct time_clock *clock)
{
	struct mix_result *m = &p->mix;

	p->note = "";
	find_costs(p, near, clock);
	if (is_polluted(p, clock)) {
		m->why = "cannot tell here: other programs push the "
			 "calibration lines out of L1 and L2";
		return;
	}
	if (average->n)
		p->average_ns = target->over_l1 ?
			undisturbed_mean(average) + p->cost_ns[MIX_L1] :
			series_quantile(average->ns, average->n, 0.5);
	if (average->n && !target->over_l1 && m->coarse && m->present[MIX_L2] &&
	    beyond_l2(m) < SMALL &&
	    p->cost_ns[MIX_L2] > 1.2 * p->cost_ns[MIX_L1])
		split_by_average(p);
	p->predicted_ns = predict_all(p, target, clock);
	p->consistent = !average->n || is_explained(p);
	if (!p->consistent && is_paged(p, target, clock)) {
		p->consistent = true;
		p->note = "accesses to memory include page walks";
	}
	if (!p->consistent)
		p->note = "the shares do not explain the average time: the "
			  "machine was disturbed, or accesses overlap";
	else if (p->by_average)
		p->note = "the counter is too coarse for L1 and L2: the "
			  "average time decides between them";
}

/* ---- phases ------------------------------------------------------------- */

struct work {
	const struct time_clock *clock;
	const struct classify_config *config;
	const struct classify_target *target;
	struct calibration_lines *lines;
	struct mix_input in;
	struct averages average;
	struct near near;
	bool present[MIX_LEVELS];
};

/*
 * Touches every page now: a page fault while timing would disturb the caches.
 * (malloc + memset would not: compilers turn them into calloc, whose pages are
 * not mapped yet.)
 */
static int make_room(struct mix_source *source, size_t blocks)
{
	source->block = malloc(blocks * sizeof(*source->block));
	if (!source->block)
		return -ASSAY_ENOMEM;
	for (size_t i = 0; i < blocks; i++)
		*(volatile uint32_t *)source->block[i].ticks = 0;
	return 0;
}

static int begin(struct work *w)
{
	const struct classify_config *c = w->config;
	int rc = calibration_begin(w->lines);

	for (int k = 0; k < MIX_LEVELS; k++)
		w->present[k] = w->lines->head[k] &&
				(k != MIX_DRAM || w->clock->port->flush);
	if (rc == 0)
		rc = make_room(&w->in.mixture, (size_t)ATTEMPTS * c->phases *
					       c->blocks);
	if (rc == 0)
		rc = make_room(&w->in.calibration, (size_t)ATTEMPTS *
					     (c->phases + 1) *
					     c->calibration_blocks);
	return rc;
}

/* Shares of levels in calibration blocks: like the target's, but no present
 * level has 0. like: the target's; NULL: not known. */
static void calibration_shares(const struct work *w, const double *like,
			       double *share)
{
	unsigned levels = 0;

	for (int k = 0; k < MIX_LEVELS; k++)
		levels += w->present[k];
	for (int k = 0; k < MIX_LEVELS; k++)
		share[k] = !w->present[k] ? 0 : !like ? 1.0 / levels :
			   EVEN / levels + (1 - EVEN) * like[k];
}

static void forget(struct work *w)
{
	w->in.mixture.blocks = w->in.calibration.blocks = 0;
	w->average.n = w->near.n = 0;
}

/* Calibration and target alternate, so that drift affects both alike. */
static int run_phases(struct work *w, unsigned phases, const double *share)
{
	const struct classify_config *const config = w->config;
	const unsigned blocks = config->calibration_blocks;

	for (unsigned i = 0; i < phases; i++) {
		if (config->stopped && config->stopped(config->stopped_ctx))
			return -ASSAY_ESTOP;
		add_calibration(w->clock, w->lines, share, blocks,
				&w->in.calibration);
		if (w->target->warm)
			w->target->warm(w->target->ctx, w->clock);
		add_averages(w->clock, w->target, &w->average);
		add_target(w->clock, w->target, w->lines, w->config->blocks,
			   &w->in.mixture);
		add_near(w->clock, w->lines, &w->near);
	}
	add_calibration(w->clock, w->lines, share, blocks, &w->in.calibration);
	return 0;
}

/* The longest half of a bar; 1 if there is no answer. */
static double widest(const struct mix_result *m)
{
	double most = 0;

	for (int k = 0; k < MIX_LEVELS; k++)
		most = fmax(most, fmax(m->high[k] - m->share[k],
				       m->share[k] - m->low[k]));
	return m->why ? 1 : most;
}

static int attempt(struct work *w, const double *share,
		   struct classify_result *out)
{
	int rc = run_phases(w, w->config->phases, share);

	*out = (struct classify_result){ .note = "" };
	if (rc == 0)
		rc = mix_solve(&w->in, &out->mix);
	if (rc == 0 && !out->mix.why)
		check(out, &w->average, &w->near, w->target, w->clock);
	return rc;
}

static void mark(struct classify_result *p)
{
	const double wide = widest(&p->mix);

	if (p->mix.why)
		return;
	if (wide > TOO_WIDE)
		p->mix.why = "cannot tell here: the machine is too noisy";
	p->noisy = wide > WIDE;
	if (p->noisy && !*p->note)
		p->note = "the machine is noisy: the bars are wide";
}

/*
 * A pilot estimates the target's shares, which calibration blocks then
 * resemble. Blocks are added until every bar is short, at most ATTEMPTS times;
 * bars that are still wide are marked.
 */
static int run_attempts(struct work *w, struct classify_result *out)
{
	struct mix_result pilot;
	double share[MIX_LEVELS];
	int rc;

	calibration_shares(w, NULL, share);
	rc = run_phases(w, (w->config->phases + PILOT - 1) / PILOT, share);
	if (rc == 0)
		rc = mix_solve(&w->in, &pilot);
	if (rc < 0)
		return rc;
	calibration_shares(w, pilot.why ? NULL : pilot.share, share);
	forget(w);
	for (unsigned i = 0; i < ATTEMPTS; i++) {
		rc = attempt(w, share, out);
		if (rc < 0 || widest(&out->mix) <= SHORT)
			break;
	}
	if (rc == 0)
		mark(out);
	return rc;
}

int classify(const struct time_clock *clock,
	     const struct classify_config *config,
	     const struct classify_target *target,
	     struct calibration_lines *lines, struct classify_result *out)
{
	struct work w = {
		.clock = clock, .config = config, .target = target,
		.lines = lines,
		.in = {
			.granule = clock->loads.granule, .seed = 1,
			.ticks_per_ns = clock->loads.ticks_per_ns,
		},
	};
	int rc = begin(&w);

	*out = (struct classify_result){ .note = "" };
	if (rc == 0)
		rc = run_attempts(&w, out);
	calibration_end(lines);
	free(w.in.mixture.block);
	free(w.in.calibration.block);
	return rc;
}

/* ---- a chase as target -------------------------------------------------- */

static void chase_block(void *ctx, const struct time_clock *clock,
			uint32_t *ticks)
{
	struct classify_chase *c = ctx;

	clock->port->each(clock->ctx, NULL,
			  &c->timed.head[c->next++ % c->timed.chains],
			  MIX_BLOCK, ticks);
}

static double chase_untimed(void *ctx, const struct time_clock *clock)
{
	struct classify_chase *c = ctx;
	struct timed one = c->timed;
	struct time_sample s;
	double core = 1;

	one.chains = 1;
	time_chunk(clock, &one, time_steps(clock, &one, TIME_CHUNK_NS), &core,
		   &s);
	c->timed.head[0] = one.head[0];
	return s.ns;
}

static void chase_warm(void *ctx, const struct time_clock *clock)
{
	struct classify_chase *c = ctx;
	const struct timed *t = &c->timed;
	void *head[TIME_CHAINS];

	time_warm(clock, &c->timed);
	if (t->kernel || t->lines <= WARMED || t->lines > COMPLETE)
		return;
	/* once around on copies of the heads: as in the steady state, the next
	 * lines of the chase are those loaded longest ago */
	memcpy(head, t->head, sizeof(head));
	clock->port->chase(clock->ctx, head, t->chains, t->lines / t->chains /
			   TIME_UNROLL * TIME_UNROLL);
}

/*
 * Timing loads one by one is slow: a sibling could push out lines that stay in
 * the cache when the chase runs at full speed. So the chase runs on at full
 * speed between blocks. If it was interrupted meanwhile, it is warmed again.
 */
static void chase_place(void *ctx, const struct time_clock *clock)
{
	struct classify_chase *c = ctx;
	struct timed *t = &c->timed;
	struct block_times times = { .least = c->least };
	const uint64_t from = clock->port->begin(clock->ctx);

	if (t->kernel || t->lines > COMPLETE)
		return;
	clock->port->chase(clock->ctx, t->head, t->chains,
			   (t->lines > WARMED ? ONWARD_FAR : ONWARD) /
			   t->chains);
	if (was_interrupted(clock, &times, from))
		chase_warm(ctx, clock);
	c->least = times.least;
}

void classify_chase_target(struct classify_target *out,
			   struct classify_chase *chase)
{
	*out = (struct classify_target){
		.warm = chase_warm, .place = chase_place, .block = chase_block,
		.untimed = chase_untimed, .ctx = chase,
	};
}
