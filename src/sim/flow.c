/* SPDX-License-Identifier: MIT */
/*
 * Branches: what the predictor says to each, and what its mistakes cost. They
 * act on caches and TLBs only by the walks of a wrong path.
 */
#include "sim/state.h"

/* A taken run of this length that ends mispredicted was a loop. */
#define LOOP_RUN 8

static void mispredicted(struct sim *s, uint64_t branches)
{
	s->core[SIGNAL_mispredicts] += branches;
	s->core[SIGNAL_wrong_path_loads] +=
		branches * s->geometry.predictor.wrong_path_loads;
}

static uint32_t branch(struct sim *s, uint64_t pc, uint64_t record)
{
	const bool taken = access_log2_bytes(record) & ACCESS_TAKEN;
	const uint64_t run = access_operand(record);
	const uint64_t wrong = predictor_branch(s->predictor, pc, taken, run);
	const bool exits = !taken && wrong && s->loop_pc == pc &&
			   s->loop_run >= LOOP_RUN;

	s->core[SIGNAL_branches] += run;
	s->core[SIGNAL_branches_taken] += taken ? run : 0;
	mispredicted(s, wrong);
	if (!taken || s->loop_pc != pc)
		s->loop_run = 0;
	s->loop_pc = pc;
	if (taken)
		s->loop_run = run > LOOP_RUN ? LOOP_RUN :
			      s->loop_run + (uint32_t)run;
	return exits ? s->geometry.predictor.wrong_path_walks : 0;
}

static void transfer(struct sim *s, uint64_t pc, uint64_t record)
{
	const uint64_t to = access_operand(record);
	bool wrong = false;

	s->core[SIGNAL_branches]++;
	s->core[SIGNAL_branches_taken]++;
	switch (access_kind(record)) {
	case ACCESS_CALL:
		s->core[SIGNAL_calls]++;
		predictor_call(s->predictor, to);
		break;
	case ACCESS_RETURN:
		s->core[SIGNAL_returns]++;
		wrong = predictor_return(s->predictor, to);
		s->core[SIGNAL_return_mispredicts] += wrong;
		break;
	default:
		s->core[SIGNAL_indirect_jumps]++;
		wrong = predictor_jump(s->predictor, pc, to);
		break;
	}
	mispredicted(s, wrong);
}

uint32_t flow_count(struct sim *s, uint64_t pc, uint64_t record)
{
	if (access_kind(record) == ACCESS_BRANCH)
		return branch(s, pc, record);
	transfer(s, pc, record);
	return 0;
}

uint32_t sim_flow(struct sim *sim, uint64_t pc, uint64_t record)
{
	return flow_count(sim, pc, record);
}
