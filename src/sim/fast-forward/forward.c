/* SPDX-License-Identifier: MIT */
/* A pass has ended: which ways of leaving out those to come are tried. */
#include "sim/fast-forward/periods.h"

/* Early ones often, later ones now and then. */
static bool worth_a_search(uint32_t rows)
{
	return rows > 1 && (rows <= 64 || rows % 4 == 0);
}

/* A run's start disturbs the core for some passes. */
#define SETTLED 2
/* ... and one that goes on for so long is no disturbance. */
#define UNSETTLED 16

/* Starts to multiply by the last run's periods once the core goes round. */
static bool try_known(struct sim *s, uint64_t left)
{
	struct periods *p = s->periods;
	const uint32_t *streak = p->joint ? p->joint_streak : p->streak;

	if (streak[p->core_period] < SETTLED)
		return false;
	p->first = p->rows - 1;
	p->trial = p->rows + p->most <= PERIODS_ROWS && left / 2 > p->most &&
		   multiply_start(s, left);
	p->known = p->trial;
	return p->trial;
}

/* Every pass to come is like the last one. sim_pass counts the passes. */
static uint64_t multiply_last(struct sim *s, uint64_t left)
{
	struct periods *p = s->periods;

	for (int i = 0; i < SIGNALS; i++)
		if (i != SIGNAL_passes)
			s->total[i] += left * (s->total[i] - p->before[i]);
	p->fast_forwarded += left;
	return left;
}

static uint64_t search(struct sim *s, uint64_t left)
{
	struct periods *p = s->periods;

	if (p->known && (try_known(s, left) || p->rows < UNSETTLED))
		return 0;
	if (worth_a_search(p->rows) && periods_find(p)) {
		if (p->most == 1)
			return multiply_last(s, left);
		if (left / 2 > p->most && multiply_start(s, left))
			return 0;
	}
	if (p->rows == PERIODS_ROWS) {
		periods_new_attempt(p);
		p->idle = p->gap;
		p->gap *= 2;
	}
	return 0;
}

/* No search has a result with fewer rows. */
#define ROWS_LEAST 4

/* What was simulated, roughly. */
static uint64_t work_of(const struct sim *s)
{
	return s->total[SIGNAL_instructions] + s->total[SIGNAL_loads] +
	       s->total[SIGNAL_stores];
}

/*
 * A row looks at each set of each cache: more rows than the passes to come
 * could save are not written.
 */
static bool worth_a_row(const struct periods *p, uint64_t work, uint64_t left)
{
	return (unsigned __int128)left * work >=
	       (unsigned __int128)p->row_cost * (p->written + ROWS_LEAST);
}

static uint64_t search_on(struct sim *s, uint64_t left)
{
	struct periods *p = s->periods;
	uint64_t skipped;

	p->written++;
	periods_add_row(s);
	skipped = search(s, left);
	words_copy(p->before, s->total, sizeof(p->before));
	return skipped;
}

static uint64_t watch(struct sim *s, uint64_t left)
{
	struct periods *p = s->periods;
	const uint64_t pass = work_of(s) - p->work;
	uint64_t skipped;

	if (p->multiplying)
		return multiply_pass(s);
	if (p->off || p->coupled || !left || (s->unmasked && s->pages.moved))
		return 0;
	skipped = steady_pass(s, pass, left);
	if (skipped) {
		periods_new_attempt(p);
		return skipped;
	}
	if (p->idle) {
		p->idle--;
		return 0;
	}
	return worth_a_row(p, pass, left) ? search_on(s, left) : 0;
}

uint64_t sim_pass(struct sim *sim, uint64_t left)
{
	uint64_t skipped;

	skipped = watch(sim, left);
	sim->periods->work = work_of(sim);
	sim->total[SIGNAL_passes] += 1 + skipped;
	sim->branches.count = 0;
	sim->message_near = 0;
	sim->message_core = 0;
	sim->watched = !sim->periods->off;
	if (skipped == left)	/* what comes next is no pass of these */
		sim_new_run(sim);
	return skipped;
}

void sim_set_fast_forward(struct sim *sim, int on)
{
	sim->periods->off = !on;
}

void sim_new_run(struct sim *sim)
{
	if (sim->periods->multiplying)
		multiply_cancel(sim);
	periods_reset(sim->periods);
	steady_start(sim);
	sim->watched = false;
}

uint64_t sim_fast_forwarded(const struct sim *sim)
{
	return sim->periods->fast_forwarded;
}
