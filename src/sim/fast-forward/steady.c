/* SPDX-License-Identifier: MIT */
/*
 * Exact fast-forward of passes that do what the one before did, though each
 * leaves the lines in other ways; see turn.h for why they go on so.
 *
 * The predictor learns for some passes more. Where nothing depends on it but
 * the counts of branches, it is given the branches of the last pass for each
 * of those that are left out.
 */
#include "sim/engine/engine.h"
#include "sim/fast-forward/periods.h"

/* Passes that a picture is compared with, before that is doubled. */
#define STEADY_PATIENCE 3

/* What happened since the picture. */
struct events {
	uint64_t of[SIGNALS];
};

static uint64_t sum(const struct events *e, enum signal from, unsigned n)
{
	uint64_t all = 0;

	for (unsigned i = 0; i < n; i++)
		all += e->of[from + i];
	return all;
}

/* Lookups by five causes, write-backs and stores passed on. */
static enum turn_by lower_turn(const struct events *e, enum signal load,
			       enum signal load_miss, enum signal passed,
			       enum signal removed, bool gives_away)
{
	const uint64_t found = sum(e, load, 6) - sum(e, load_miss, 6) +
			       e->of[passed] - e->of[passed + 1];

	if (e->of[removed] || (gives_away && found))
		return TURN_BY_ANYTHING;
	return found ? TURN_BY_USES : TURN_BY_FILLS;
}

static enum turn_by turn_of(const struct sim *s, enum place at,
			    const struct events *e)
{
	const bool gives_away = s->cache[at].inclusion == INCLUDE_EXCLUSIVE;

	switch (at) {
	case PLACE_L1D:
		if (e->of[SIGNAL_l1d_invalidate])
			return TURN_BY_ANYTHING;
		return sum(e, SIGNAL_l1d_load, 4) ==
		       sum(e, SIGNAL_l1d_load_miss, 4) ?
		       TURN_BY_FILLS : TURN_BY_USES;
	case PLACE_L2:
		return lower_turn(e, SIGNAL_l2_load, SIGNAL_l2_load_miss,
				  SIGNAL_l2_write_through,
				  SIGNAL_l2_invalidate, gives_away);
	case PLACE_L3:
		return lower_turn(e, SIGNAL_l3_load, SIGNAL_l3_load_miss,
				  SIGNAL_l3_write_through,
				  SIGNAL_l3_invalidate, gives_away);
	default:
		return TURN_BY_ANYTHING;
	}
}

_Static_assert(SIGNAL_l1d_prefetch == SIGNAL_l1d_load + 3 &&
	       SIGNAL_l1d_prefetch_fill == SIGNAL_l1d_load_miss + 3 &&
	       SIGNAL_l2_writeback == SIGNAL_l2_load + 5 &&
	       SIGNAL_l2_writeback_miss == SIGNAL_l2_load_miss + 5 &&
	       SIGNAL_l3_writeback == SIGNAL_l3_load + 5 &&
	       SIGNAL_l3_writeback_miss == SIGNAL_l3_load_miss + 5 &&
	       SIGNAL_l2_write_through_miss == SIGNAL_l2_write_through + 1 &&
	       SIGNAL_l3_write_through_miss == SIGNAL_l3_write_through + 1,
	       "lookups and misses are in the same order");

/* the predictor */

/* Signals that count nothing but what its records are about. */
static const enum signal predicted[] = {
	SIGNAL_branches, SIGNAL_branches_taken, SIGNAL_mispredicts,
	SIGNAL_calls, SIGNAL_returns, SIGNAL_return_mispredicts,
	SIGNAL_indirect_jumps, SIGNAL_wrong_path_loads
};
#define PREDICTED (sizeof(predicted) / sizeof(predicted[0]))

/* Can it be asked alone? Each pass has the same branches. */
static bool predictor_apart(const struct sim *s)
{
	return s->branches.count <= BRANCHES &&
	       !s->geometry.predictor.wrong_path_walks;
}

/* Is the predictor's next state worth a look? Early ones, then rarely. */
static bool worth_a_look(uint64_t pass)
{
	return pass < 64 || !(pass & (pass - 1));
}

/* The same branches as many times more, or until they change nothing. */
static void predict_on(struct sim *s, uint64_t passes)
{
	const uint32_t count = s->branches.count;
	uint64_t before[PREDICTED], then;

	for (uint64_t pass = 1; pass <= passes; pass++) {
		const bool look = worth_a_look(pass);

		then = look ? predictor_hash(s->predictor) : 0;
		for (unsigned i = 0; i < PREDICTED; i++)
			before[i] = s->total[predicted[i]];
		s->engine->feed(s, s->branches.record, count);
		if (!look || predictor_hash(s->predictor) != then)
			continue;
		for (unsigned i = 0; i < PREDICTED; i++)
			s->total[predicted[i]] += (passes - pass) *
				(s->total[predicted[i]] - before[i]);
		break;
	}
}

/* passes */

static bool all_alike(const struct sim *s, const struct events *e)
{
	const struct periods *p = s->periods;

	for (int at = 0; at < CACHES; at++)
		if (s->cache[at].present &&
		    !turn_alike(&s->cache[at].lines, &p->image[at],
				turn_of(s, (enum place)at, e)))
			return false;
	return true;
}

/* What happened as many times more, and the branches of so many passes. */
static void account(struct sim *s, struct events *e, uint64_t times,
		    uint64_t branches)
{
	struct periods *p = s->periods;

	for (int at = 0; at < CACHES; at++)
		if (s->cache[at].present)
			turn_on(&s->cache[at].lines, &p->image[at],
				turn_of(s, (enum place)at, e), times);
	e->of[SIGNAL_passes] = 0;	/* sim_pass counts them */
	for (unsigned i = 0; i < PREDICTED; i++)
		if (branches)
			e->of[predicted[i]] = 0;
	for (int i = 0; i < SIGNALS; i++)
		s->total[i] += times * e->of[i];
	predict_on(s, branches);
}

static void take_picture(struct sim *s, uint64_t core, uint64_t predictor)
{
	struct periods *p = s->periods;

	for (int at = 0; at < CACHES; at++)
		if (s->cache[at].present)
			image_take(&p->image[at], &s->cache[at].lines);
	words_copy(p->pictured_total, s->total, sizeof(p->pictured_total));
	p->pictured = true;
	p->pictured_core = core;
	p->pictured_predictor = predictor;
	p->since = 0;
}

/* The first pass is like no other, and the longest period is not known. */
static bool picture_is_old(struct periods *p)
{
	if (p->since < p->patience)
		return false;
	p->patience = p->patience ? 2 * p->patience : STEADY_PATIENCE;
	return true;
}

/* Accounts for whole periods that are left; returns their passes. */
static uint64_t leave_out(struct sim *s, struct events *e, bool apart,
			  uint64_t left)
{
	struct periods *p = s->periods;
	const uint64_t times = left / p->since, passes = times * p->since;

	account(s, e, times, apart ? passes : 0);
	p->fast_forwarded += passes;
	return passes;
}

uint64_t steady_pass(struct sim *s, uint64_t work, uint64_t left)
{
	struct periods *p = s->periods;
	uint64_t core, predictor;
	struct events e;
	bool learnt;

	if (work / PERIODS_STEADY < p->row_cost)
		return 0;
	core = periods_hash_core(s);
	predictor = periods_hash_predictor(s);
	learnt = predictor == p->pictured_predictor;
	p->since++;
	for (int i = 0; i < SIGNALS; i++)
		e.of[i] = s->total[i] - p->pictured_total[i];
	if (p->pictured && p->since <= left && core == p->pictured_core &&
	    (learnt || predictor_apart(s)) && all_alike(s, &e))
		return leave_out(s, &e, !learnt, left);
	if (!p->pictured || picture_is_old(p))
		take_picture(s, core, predictor);
	return 0;
}

/*
 * What comes before a run's first pass is counted with it, so no picture
 * is of use before that one has ended.
 */
void steady_start(struct sim *s)
{
	s->periods->patience = 0;
	s->periods->pictured = false;
}
