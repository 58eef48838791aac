/* SPDX-License-Identifier: MIT */
/* Taking blocks of timed accesses, of a target and of each level alone. */
#include "timing/classify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/latency/series.h"
#include "assay/error.h"

#define EVEN 0.3	/* part of the known mixture that is so for certain */
#define PILOT 4		/* phases of a first look */
#define SHORT 0.025	/* of a bar, to one side: good enough */
#define WIDE 0.03	/* longer than this: not a quiet machine */
#define TOO_WIDE 0.15	/* no answer */
#define LOOKS 4
#define UNTIMED 16	/* looks at the untimed average, in each phase */
#define AWAY_NS 30000
#define WARMED 32768	/* lines: time_warm walks all of them */
#define COMPLETE 262144	/* lines that an L3 may hold */
#define ONWARD 4096	/* steps between two blocks */
#define ONWARD_FAR 1024	/* where they are slow */
#define SMALL 0.02	/* share beyond L2 that leaves the average to it */

const struct classify_config classify_default_config = {
	.phases = 16, .blocks = 100, .calibration_blocks = 60,
};

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

/* ---- known blocks ------------------------------------------------------- */

static void take_known(const struct time_clock *clock,
		       struct calibration_lines *l, const double *share,
		       unsigned blocks, struct mix_source *out)
{
	struct watch watch = { .again = blocks };

	calibration_displaced(l);
	for (unsigned i = 0; i < blocks; i++) {
		const uint64_t from = calibration_block(clock, l, share,
			&out->block[out->blocks++]);

		if (!was_away(clock, &watch, from) || !watch.again)
			continue;
		watch.again--;
		out->blocks--;
		i--;
		calibration_displaced(l);
	}
}

/* ---- what is asked about ------------------------------------------------ */

static void take_target(const struct time_clock *clock,
			const struct classify_target *target,
			struct calibration_lines *l, unsigned blocks,
			struct mix_source *out)
{
	struct watch watch = { .again = blocks / 2 };

	for (unsigned i = 0; i < blocks; i++) {
		struct mix_block *b = &out->block[out->blocks++];
		uint64_t from;

		if (target->place)
			target->place(target->ctx, clock);
		from = clock->port->begin(clock->ctx);
		calibration_gate(clock, l, b->before);
		target->block(target->ctx, clock, b->ticks);
		calibration_gate(clock, l, b->after);
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

struct averages { double ns[256 * LOOKS]; unsigned n; };

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

static void take_near(const struct time_clock *clock,
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
 * A kernel's misses come in bursts, so short stretches differ, and only their
 * mean is that of all. Interrupted ones are longer than any burst makes them.
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
 * Where next to nothing lies beyond the L2, the average alone says how L1 and
 * L2 share the rest: 4 and 14 cycles are far apart for it. Whether it holds
 * the few slow accesses is not known: with them and without, the bars reach
 * from one to the other.
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
 * Timed one by one, the L2's own lines must cost about what they cost in a row;
 * if they cost much more, they were not in the L2, and if they cost no more
 * than the L1's, something pushed those out: neither distribution is its own.
 */
static bool is_polluted(const struct classify_result *p,
			const struct time_clock *clock)
{
	const double apart = p->cost_ns[MIX_L2] - p->cost_ns[MIX_L1];
	const double seen = p->mix.excess[MIX_L2] / clock->loads.ticks_per_ns;

	return p->mix.present[MIX_L2] &&
	       (seen > 2 * apart + 2 || seen < 0.4 * apart);
}

/* Of all that the average is of: what is in no block has its own mean. */
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
 * Memory's known lines lie in few pages. Where the walk's lie in more than the
 * TLBs hold, one access costs a page walk more, which its own times show.
 */
static bool is_paged(struct classify_result *p, const struct classify_target *target,
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
		m->why = "cannot tell here: others push the lines that L1's "
			 "and L2's own times are taken from out of them";
		return;
	}
	if (average->n)
		p->average_ns = target->over_l1 ?
			undisturbed_mean(average) + p->cost_ns[MIX_L1] :
			series_quantile(average->ns, average->n, 0.5);
	if (average->n && !target->over_l1 && m->coarse && m->present[MIX_L2] &&
	    beyond_l2(m) < SMALL && p->cost_ns[MIX_L2] > 1.2 * p->cost_ns[MIX_L1])
		split_by_average(p);
	p->predicted_ns = predict_all(p, target, clock);
	p->consistent = !average->n || is_explained(p);
	if (!p->consistent && is_paged(p, target, clock)) {
		p->consistent = true;
		p->note = "an access to memory costs more here than where "
			  "pages are few: page walks";
	}
	if (!p->consistent)
		p->note = "the shares do not explain the average time: the "
			  "machine was disturbed, or accesses overlap";
	else if (p->by_average)
		p->note = "the counter is too coarse for L1 and L2: the "
			  "average time decides between them";
}

/* ---- all of it ---------------------------------------------------------- */

struct work {
	const struct time_clock *clock;
	const struct classify_config *plan;
	const struct classify_target *target;
	struct calibration_lines *levels;
	struct mix_input in;
	struct averages average;
	struct near near;
	bool present[MIX_LEVELS];
};

/*
 * Every page is touched now, one by one: a page fault while timing would empty
 * the caches. (A memset would not do it: compilers make one call of the two,
 * which hands out pages that are not there yet.)
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
	const struct classify_config *plan = w->plan;
	int rc = calibration_begin(w->levels);

	for (int k = 0; k < MIX_LEVELS; k++)
		w->present[k] = w->levels->head[k] &&
				(k != MIX_DRAM || w->clock->port->flush);
	if (rc == 0)
		rc = make_room(&w->in.mixture, (size_t)LOOKS * plan->phases *
					       plan->blocks);
	if (rc == 0)
		rc = make_room(&w->in.known, (size_t)LOOKS * (plan->phases + 1) *
					     plan->calibration_blocks);
	return rc;
}

/* The shares of known blocks: like what is asked about, but all that is. */
static void known_shares(const struct work *w, const double *like,
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
	w->in.mixture.blocks = w->in.known.blocks = 0;
	w->average.n = w->near.n = 0;
}

/* Known blocks and others in turns, so that drift meets both alike. */
static void take_phases(struct work *w, unsigned phases, const double *share)
{
	const unsigned known = w->plan->calibration_blocks;

	for (unsigned i = 0; i < phases; i++) {
		take_known(w->clock, w->levels, share, known, &w->in.known);
		if (w->target->warm)
			w->target->warm(w->target->ctx, w->clock);
		take_average(w->clock, w->target, &w->average);
		take_target(w->clock, w->target, w->levels, w->plan->blocks,
			    &w->in.mixture);
		take_near(w->clock, w->levels, &w->near);
	}
	take_known(w->clock, w->levels, share, known, &w->in.known);
}

/* The longest bar to either side. */
static double widest(const struct mix_result *m)
{
	double most = 0;

	for (int k = 0; k < MIX_LEVELS; k++)
		most = fmax(most, fmax(m->high[k] - m->share[k],
				       m->share[k] - m->low[k]));
	return m->why ? 1 : most;
}

static int look(struct work *w, const double *share, struct classify_result *out)
{
	int rc;

	*out = (struct classify_result){ .note = "" };
	take_phases(w, w->plan->phases, share);
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
		p->mix.why = "cannot tell here: the machine is too unquiet";
	p->noisy = wide > WIDE;
	if (p->noisy && !*p->note)
		p->note = "the machine is unquiet: the bars are wide";
}

/*
 * A first look says which mixture the known blocks should resemble. Blocks are
 * added until each bar is short or the time for it is over; what is wide then
 * is said to be.
 */
static int take_all(struct work *w, struct classify_result *out)
{
	struct mix_result first;
	double share[MIX_LEVELS];
	int rc;

	known_shares(w, NULL, share);
	take_phases(w, (w->plan->phases + PILOT - 1) / PILOT, share);
	rc = mix_solve(&w->in, &first);
	if (rc < 0)
		return rc;
	known_shares(w, first.why ? NULL : first.share, share);
	forget(w);
	for (unsigned i = 0; i < LOOKS; i++) {
		rc = look(w, share, out);
		if (rc < 0 || widest(&out->mix) <= SHORT)
			break;
	}
	if (rc == 0)
		mark(out);
	return rc;
}

int classify(const struct time_clock *clock, const struct classify_config *plan,
	     const struct classify_target *target,
	     struct calibration_lines *levels, struct classify_result *out)
{
	struct work w = {
		.clock = clock, .plan = plan, .target = target,
		.levels = levels,
		.in = {
			.granule = clock->loads.granule, .seed = 1,
			.ticks_per_ns = clock->loads.ticks_per_ns,
		},
	};
	int rc = begin(&w);

	*out = (struct classify_result){ .note = "" };
	if (rc == 0)
		rc = take_all(&w, out);
	calibration_end(levels);
	free(w.in.mixture.block);
	free(w.in.known.block);
	return rc;
}

/* ---- a walk as target --------------------------------------------------- */

static void walk_block(void *ctx, const struct time_clock *clock,
		       uint32_t *ticks)
{
	struct classify_chase *w = ctx;

	clock->port->each(clock->ctx, NULL,
			  &w->timed.head[w->turn++ % w->timed.chains],
			  MIX_BLOCK, ticks);
}

static double walk_untimed(void *ctx, const struct time_clock *clock)
{
	struct classify_chase *w = ctx;
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
	struct classify_chase *w = ctx;
	const struct timed *t = &w->timed;
	void *head[TIME_CHAINS];

	time_warm(clock, &w->timed);
	if (t->kernel || t->lines <= WARMED || t->lines > COMPLETE)
		return;
	/* what comes next was seen longest ago, and by this walk last */
	memcpy(head, t->head, sizeof(head));
	clock->port->chase(clock->ctx, head, t->chains, t->lines / t->chains /
			   TIME_UNROLL * TIME_UNROLL);
}

/*
 * Timed one by one, lines are visited so seldom that others push out what they
 * would not if the walk went on at its own speed; so it does, between blocks.
 * Whoever ran meanwhile has emptied the caches.
 */
static void walk_place(void *ctx, const struct time_clock *clock)
{
	struct classify_chase *w = ctx;
	struct timed *t = &w->timed;
	struct watch watch = { .least = w->least };
	const uint64_t from = clock->port->begin(clock->ctx);

	if (t->kernel || t->lines > COMPLETE)
		return;
	clock->port->chase(clock->ctx, t->head, t->chains,
			   (t->lines > WARMED ? ONWARD_FAR : ONWARD) /
			   t->chains);
	if (was_away(clock, &watch, from))
		walk_warm(ctx, clock);
	w->least = watch.least;
}

void classify_chase_target(struct classify_target *out,
			  struct classify_chase *walk)
{
	*out = (struct classify_target){
		.warm = walk_warm, .place = walk_place, .block = walk_block,
		.untimed = walk_untimed, .ctx = walk,
	};
}
