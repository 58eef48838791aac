/* SPDX-License-Identifier: MIT */
/*
 * Branches: what the predictor says to each, and what its mistakes cost. They
 * act on caches and TLBs only by the walks of a wrong path.
 */
#include "sim/engine/engine.h"

/* A taken run of this length that ends mispredicted was a loop. */
#define LOOP_RUN 8
/* So few are not worth a list. */
#define FEW 4

void flow_mispredicted(struct sim *s, uint64_t branches)
{
	s->core[SIGNAL_mispredicts] += branches;
	s->core[SIGNAL_wrong_path_loads] +=
		branches * s->geometry.predictor.wrong_path_loads;
}

static void transferred(struct sim *s, size_t n, uint64_t wrong)
{
	s->core[SIGNAL_branches] += n;
	s->core[SIGNAL_branches_taken] += n;
	flow_mispredicted(s, wrong);
}

void sim_calls(struct sim *s, const uint64_t *record, size_t n)
{
	struct predictor *p = s->predictor;
	uint64_t returns = 0, wrong = 0;

	for (size_t i = 0; i < n; i++)
		returns += access_kind(record[i]) == ACCESS_RETURN;
	if (p->stack_entries)
		wrong = predictor_stack(p, record, n);
	else if (p->kind != PREDICT_NONE)
		wrong = returns;
	s->core[SIGNAL_calls] += n - returns;
	s->core[SIGNAL_returns] += returns;
	s->core[SIGNAL_return_mispredicts] += wrong;
	transferred(s, n, wrong);
}

void sim_jumps(struct sim *s, const uint64_t *pc, const uint64_t *record,
	       size_t n)
{
	uint64_t wrong = 0, called = 0;

	for (size_t i = 0; i < n; i++) {
		wrong += predictor_jump(s->predictor, pc[i],
					access_operand(record[i]));
		called += access_log2_bytes(record[i]) & ACCESS_CALLED;
	}
	s->core[SIGNAL_indirect_jumps] += n;
	transferred(s, n - called, wrong);
}

/* ---- conditional branches ------------------------------------------------ */

/* How often was this one taken in a row just before the end of n, at most
 * LOOP_RUN: among those, and before them? */
static uint32_t looped(const struct sim *s, const uint64_t *outcome, size_t n,
		       uint64_t pc)
{
	uint32_t run = 0;

	while (n--) {
		if (outcome[n] != (pc << 1 | SIM_TAKEN))
			return run;
		if (++run == LOOP_RUN)
			return run;
	}
	run += s->loop_pc == pc ? s->loop_run : 0;
	return run < LOOP_RUN ? run : LOOP_RUN;
}

static uint64_t pc_of(uint64_t outcome)
{
	return (uint64_t)((int64_t)outcome >> 1);
}

bool flow_looped(const struct sim *s, const uint64_t *outcome, size_t k)
{
	return looped(s, outcome, k, pc_of(outcome[k])) == LOOP_RUN;
}

void flow_ended(struct sim *s, const uint64_t *outcome, size_t n)
{
	s->loop_run = looped(s, outcome, n, pc_of(outcome[n - 1]));
	s->loop_pc = pc_of(outcome[n - 1]);
}

/* Notes the last of `run` equal outcomes of one branch. */
static void ended(struct sim *s, uint64_t pc, bool taken, uint64_t run)
{
	if (s->loop_pc == pc)
		run += s->loop_run;
	s->loop_run = !taken ? 0 : run < LOOP_RUN ? (uint32_t)run : LOOP_RUN;
	s->loop_pc = pc;
}

static uint64_t predict_all(const struct predictor *p, uint64_t *history,
			    uint64_t pc, bool taken, uint64_t run, bool *first)
{
	switch (p->words) {
	case 0:
		return predictor_run(p, history, 0, pc, taken, run,
				     first);
	case 1:
		return predictor_run(p, history, 1, pc, taken, run,
				     first);
	case 2:
		return predictor_run(p, history, 2, pc, taken, run,
				     first);
	default:
		return predictor_run(p, history, PREDICT_WORDS, pc, taken, run,
				     first);
	}
}

/* So many in a row; returns the walks that follow. */
static uint32_t one(struct sim *s, uint64_t pc, bool taken, uint64_t run)
{
	const bool loop = s->loop_pc == pc && s->loop_run == LOOP_RUN;
	bool first = false;

	s->core[SIGNAL_branches] += run;
	s->core[SIGNAL_branches_taken] += taken ? run : 0;
	if (s->predictor->kind == PREDICT_NONE)
		return 0;
	flow_mispredicted(s, predict_all(s->predictor, s->predictor->history,
					 pc, taken, run, &first));
	ended(s, pc, taken, run);
	return first && !taken && loop ?
	       s->geometry.predictor.wrong_path_walks : 0;
}

/* Was the last one of the list predicted wrongly, as this is how many were? */
static void note_wrong(uint64_t *wrong, size_t last, uint64_t now)
{
	if (last % 64 == 0)
		wrong[last / 64] = 0;
	wrong[last / 64] |= now << last % 64;
}

size_t sim_outcomes(struct sim *s, const uint64_t *outcome, size_t n,
		    uint32_t *after, uint32_t *walks, uint64_t *wrong)
{
	const uint64_t *mispredicts = &s->core[SIGNAL_mispredicts];
	size_t found = 0;

	*walks = s->geometry.predictor.wrong_path_walks;
	if (n >= FEW && s->predictor->kind != PREDICT_NONE &&
	    s->predictor->entries <= FLOW_MOST_LISTED)
		return s->engine->outcomes(s, outcome, n, after, wrong);
	for (size_t i = 0; i < n; i++) {
		const uint64_t before = *mispredicts;

		after[found] = (uint32_t)i;
		found += one(s, pc_of(outcome[i]), outcome[i] & SIM_TAKEN,
			     1) != 0;
		if (wrong)
			note_wrong(wrong, i, *mispredicts - before);
	}
	return found;
}

uint32_t sim_flow(struct sim *s, uint64_t pc, uint64_t record)
{
	switch (access_kind(record)) {
	case ACCESS_BRANCH:
		return one(s, pc, access_log2_bytes(record) & ACCESS_TAKEN,
			   access_operand(record));
	case ACCESS_JUMP:
		if (access_log2_bytes(record) & ACCESS_DIRECT)
			transferred(s, 1, 0);
		else
			sim_jumps(s, &pc, &record, 1);
		return 0;
	default:
		sim_calls(s, &record, 1);
		return 0;
	}
}
