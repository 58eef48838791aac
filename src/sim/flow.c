/* SPDX-License-Identifier: MIT */
/*
 * Branches: what the predictor says to each, and what its mistakes cost. They
 * act on caches and TLBs only by the walks of a wrong path.
 */
#include "sim/engine.h"

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

void flow_transfers(struct sim *s, const struct sim_branch *of, uint64_t which)
{
	uint64_t n[3] = { 0, 0, 0 }, wrong[3] = { 0, 0, 0 };

	for (; which; which &= which - 1) {
		const struct sim_branch *b = &of[__builtin_ctzll(which)];
		const enum access_kind kind = access_kind(b->record);
		const uint64_t to = access_operand(b->record);

		n[kind - ACCESS_CALL]++;
		if (kind == ACCESS_CALL)
			predictor_call(s->predictor, to);
		else if (kind == ACCESS_RETURN)
			wrong[1] += predictor_return(s->predictor, to);
		else
			wrong[2] += predictor_jump(s->predictor, b->pc, to);
	}
	s->core[SIGNAL_branches] += n[0] + n[1] + n[2];
	s->core[SIGNAL_branches_taken] += n[0] + n[1] + n[2];
	s->core[SIGNAL_calls] += n[0];
	s->core[SIGNAL_returns] += n[1];
	s->core[SIGNAL_return_mispredicts] += wrong[1];
	s->core[SIGNAL_indirect_jumps] += n[2];
	flow_mispredicted(s, wrong[1] + wrong[2]);
}

/* ---- conditional branches ------------------------------------------------ */

/* How often the one before n was taken in a row just before, at most LOOP_RUN:
 * among those, and before them. */
static uint32_t looped(const struct sim *s, const struct sim_branch *of,
		       size_t n, uint64_t pc)
{
	uint64_t run = 0;

	while (n--) {
		if (access_kind(of[n].record) != ACCESS_BRANCH)
			continue;
		if (of[n].pc != pc || !(of[n].record & BRANCH_TAKEN))
			return (uint32_t)run;
		run += access_operand(of[n].record);
		if (run >= LOOP_RUN)
			return LOOP_RUN;
	}
	run += s->loop_pc == pc ? s->loop_run : 0;
	return run < LOOP_RUN ? (uint32_t)run : LOOP_RUN;
}

bool flow_looped(const struct sim *s, const struct sim_branch *of, size_t n)
{
	return looped(s, of, n, of[n].pc) >= LOOP_RUN;
}

void flow_ended(struct sim *s, const struct sim_branch *of, size_t last)
{
	s->loop_run = looped(s, of, last + 1, of[last].pc);
	s->loop_pc = of[last].pc;
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

/* By itself, or several in a row. */
static void one(struct sim *s, const struct sim_branch *b, uint32_t *walks)
{
	const bool taken = b->record & BRANCH_TAKEN;
	const uint64_t run = access_operand(b->record);
	bool first;

	if (access_kind(b->record) != ACCESS_BRANCH) {
		flow_transfers(s, b, 1);
		return;
	}
	flow_mispredicted(s, predict_all(s->predictor, s->predictor->history,
					 b->pc, taken, run, &first));
	s->core[SIGNAL_branches] += run;
	s->core[SIGNAL_branches_taken] += taken ? run : 0;
	if (first && !taken && flow_looped(s, b, 0))
		*walks = s->geometry.predictor.wrong_path_walks;
	flow_ended(s, b, 0);
}

/* Nobody says how a branch goes on. */
static void count(struct sim *s, const struct sim_branch *b)
{
	const uint64_t run = access_operand(b->record);

	if (access_kind(b->record) != ACCESS_BRANCH) {
		flow_transfers(s, b, 1);
		return;
	}
	s->core[SIGNAL_branches] += run;
	if (access_log2_bytes(b->record) & ACCESS_TAKEN)
		s->core[SIGNAL_branches_taken] += run;
}

static size_t count_all(struct sim *s, const struct sim_branch *of, size_t n)
{
	for (size_t i = 0; i < n; i++)
		count(s, &of[i]);
	return n;
}

size_t sim_branches(struct sim *s, const struct sim_branch *of, size_t n,
		    uint32_t *walks)
{
	const bool listed = s->predictor->entries <= FLOW_MOST_LISTED;
	size_t i = 0, some;

	*walks = 0;
	if (s->predictor->kind == PREDICT_NONE)
		return count_all(s, of, n);
	for (; i < n && !*walks; i += some) {
		some = listed && n - i >= FEW ?
		       s->engine->branches(s, of + i, n - i, walks) : 0;
		if (some)
			continue;
		one(s, &of[i], walks);
		some = 1;
	}
	return i;
}

uint32_t sim_flow(struct sim *sim, uint64_t pc, uint64_t record)
{
	const struct sim_branch one = { pc, record };
	uint32_t walks;

	sim_branches(sim, &one, 1, &walks);
	return walks;
}
