/* SPDX-License-Identifier: MIT */
/*
 * Noise beside counted repetitions. Invariants:
 *
 * 1. Looks are taken before the counters start and after they were stopped.
 * 2. Of a repetition that is done again nothing is kept; "repeated" counts it.
 * 3. If the thread waited of its own will (slept, did I/O), the share of time
 *    that others kept it off the CPU is not known.
 * 4. Stolen time comes in ticks, so it is read over 100 ms or more. If several
 *    repetitions ran in that time, none of them is done again, because stolen
 *    time does not tell which one was disturbed.
 * 5. Without warm-up the first repetition is the cold one. It is never done
 *    again, because a second one would be warm.
 */
#include "run/noise.h"

#include <math.h>

#include "run/core-clock.h"
#include "analysis/latency/series.h"

#define SHARED 0.8	/* fewer adds than this part: a sibling is active */

static void usage(void *ctx, struct env_thread_usage *out, bool begin)
{
	(void)ctx;
	env_thread_usage(out, begin);
}

static double clock_now(void *ctx, double *adds)
{
	(void)ctx;
	return core_clock_look(adds);
}

static bool stolen(void *ctx, uint64_t *ns, int cpu)
{
	return env_stolen(ns, ctx, cpu);
}

struct noise_port noise_machine(const char *sysroot)
{
	return (struct noise_port){
		.usage = usage, .clock = clock_now, .stolen = stolen,
		.ctx = (void *)(uintptr_t)sysroot,
	};
}

/* ---- one repetition ------------------------------------------------------ */

/* Noise of one repetition, before the repetition is kept or done again. */
struct seen {
	double off, steal, drift;	/* negative: not known */
	uint64_t preempted, ns;
	bool moved;
};

static double share_off(const struct env_thread_usage *from,
			const struct env_thread_usage *to)
{
	const uint64_t wall = to->wall_ns - from->wall_ns;
	const uint64_t ran = to->cpu_ns - from->cpu_ns;

	if (to->waited != from->waited || to->wall_ns <= from->wall_ns)
		return -1;	/* (3) */
	return ran >= wall ? 0 : (double)(wall - ran) / (double)wall;
}

/* Over the time since the last reading, if that is NOISE_STEAL_NS or more. */
static double share_stolen(struct noise_watch *w, uint64_t now)
{
	const uint64_t before = w->stolen, from = w->stolen_at;
	uint64_t ns;

	if (!from || now < from + NOISE_STEAL_NS ||
	    !w->port->stolen(w->port->ctx, &ns, w->cpu))
		return -1;
	w->stolen = ns;
	w->stolen_at = now;
	return ns > before + ENV_TICK_NS ?
	       fmin(1, (double)(ns - before - ENV_TICK_NS) /
		       (double)(now - from)) : 0;
}

static double look_at_clock(struct noise_watch *w)
{
	double adds = 0;
	const double ghz = w->port->clock(w->port->ctx, &adds);

	if (adds > w->most_adds)
		w->most_adds = adds;
	if (adds > 0) {
		w->looks++;
		w->shared += adds < SHARED * w->most_adds;
	}
	return ghz;
}

static double share_drifted(double before, double after)
{
	if (!(before > 0) || !(after > 0))
		return -1;
	return fabs(after - before) / ((after + before) / 2);
}

static void observe(struct noise_watch *w, struct seen *out)
{
	const struct env_thread_usage *from = &w->before;
	struct env_thread_usage to = { 0 };
	double ghz;

	w->port->usage(w->port->ctx, &to, false);
	ghz = look_at_clock(w);
	*out = (struct seen){
		.off = share_off(from, &to),
		.steal = share_stolen(w, to.wall_ns),
		.drift = share_drifted(w->ghz, ghz),
		.preempted = to.preempted - from->preempted,
		.ns = to.wall_ns - from->wall_ns,
		.moved = to.cpu != from->cpu,
	};
	w->ghz = ghz;
}

static bool beyond(const struct assay_noise *noise, int kind, double share)
{
	const struct assay_noise_part part = {
		share, noise->part[kind].limit
	};

	return noise_beyond(&part);
}

static bool itself_disturbed(const struct assay_noise *noise,
			     const struct seen *s)
{
	return s->moved || beyond(noise, ASSAY_NOISE_OFF, s->off) ||
	       (s->ns >= NOISE_STEAL_NS &&
		beyond(noise, ASSAY_NOISE_STEAL, s->steal)) ||	/* (4) */
	       beyond(noise, ASSAY_NOISE_DRIFT, s->drift);
}

static bool disturbed(const struct assay_noise *noise, const struct seen *s)
{
	return itself_disturbed(noise, s) ||
	       beyond(noise, ASSAY_NOISE_STEAL, s->steal);
}

/* ---- the record ---------------------------------------------------------- */

static void worst(struct assay_noise *noise, int kind, double share)
{
	if (share > noise->part[kind].share)
		noise->part[kind].share = share;
}

static void keep(struct noise_watch *w, const struct seen *s)
{
	struct assay_noise *noise = w->out;

	worst(noise, ASSAY_NOISE_OFF, s->off);
	worst(noise, ASSAY_NOISE_STEAL, s->steal);
	worst(noise, ASSAY_NOISE_DRIFT, s->drift);
	noise->preempted += s->preempted;
	noise->moved += s->moved;
	noise->disturbed |= disturbed(noise, s);
	if (w->looks)
		noise->part[ASSAY_NOISE_SIBLING].share =
			(double)w->shared / w->looks;
}

void noise_begin(struct noise_watch *watch, const struct noise_port *port,
		 struct assay_noise *out, int cpu, bool warm, double most_adds)
{
	struct env_thread_usage now = { 0 };

	*watch = (struct noise_watch){
		.port = port, .out = out, .cpu = cpu, .warm = warm,
		.most_adds = most_adds,
	};
	noise_init(out);
	watch->first_ghz = watch->ghz = look_at_clock(watch);
	port->usage(port->ctx, &now, true);
	if (port->stolen(port->ctx, &watch->stolen, cpu))
		watch->stolen_at = now.wall_ns;
}

void noise_before(void *ctx)
{
	struct noise_watch *w = ctx;

	w->port->usage(w->port->ctx, &w->before, true);
}

bool noise_after(void *ctx, unsigned repetition)
{
	struct noise_watch *w = ctx;
	struct seen s;

	observe(w, &s);
	if (itself_disturbed(w->out, &s) && w->out->repeated < NOISE_REPEATS &&
	    s.ns < NOISE_LONG_NS && (repetition || w->warm)) {	/* (5) */
		w->out->repeated++;
		return true;
	}
	keep(w, &s);
	return false;
}

/* ---- noise that the timing witness saw ----------------------------------- */

void noise_of_timing(struct assay_noise *out, const struct assay_timing *t)
{
	noise_init(out);
	out->part[ASSAY_NOISE_DRIFT] = (struct assay_noise_part){
		t->ghz > 0 ? t->drift : -1, 0 };
	out->part[ASSAY_NOISE_TORN] = (struct assay_noise_part){
		t->torn, SERIES_MOST_TORN };
	out->part[ASSAY_NOISE_SIBLING].share = t->ghz > 0 ? t->sibling : -1;
	out->repeated = t->repeated;
	out->disturbed = t->disturbed;
}

void noise_between(struct assay_noise *out, const struct env_thread_usage *from,
		   const struct env_thread_usage *to)
{
	/* no limit: chunks that were interrupted are left out anyway */
	out->part[ASSAY_NOISE_OFF] = (struct assay_noise_part){
		share_off(from, to), 0 };
	out->preempted = to->preempted - from->preempted;
}
