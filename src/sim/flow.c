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
	if (wrong)
		mispredicted(s, 1);
}

/* ---- conditional branches ------------------------------------------------ */

#define BRANCH_TAKEN ((uint64_t)ACCESS_TAKEN << 56)
/* One that is not taken, once. */
#define BRANCH_ONCE ((uint64_t)ACCESS_BRANCH << 60 | 1)

/* What conditional branches have counted. */
struct counted {
	uint64_t branches, taken, wrong;
};

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

/* Those have run. */
static void end(struct sim *s, const struct sim_branch *of, size_t n,
		const struct counted *c)
{
	size_t last = n;

	s->core[SIGNAL_branches] += c->branches;
	s->core[SIGNAL_branches_taken] += c->taken;
	mispredicted(s, c->wrong);
	while (last && access_kind(of[last - 1].record) != ACCESS_BRANCH)
		last--;
	if (!last)
		return;
	s->loop_run = looped(s, of, last, of[last - 1].pc);
	s->loop_pc = of[last - 1].pc;
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

/* Several in a row; is the first wrong? */
static bool repeat(const struct predictor *p, uint64_t *history,
		   const struct sim_branch *of, struct counted *c)
{
	const bool taken = of->record & BRANCH_TAKEN;
	const uint64_t run = access_operand(of->record);
	bool first;
	const uint64_t wrong = predict_all(p, history, of->pc, taken, run,
					   &first);

	c->branches += run;
	c->taken += taken ? run : 0;
	c->wrong += wrong;
	return first;
}

/* Not words_copy, which would keep them out of registers. */
static inline void copy_history(uint64_t *to, const uint64_t *from)
{
	for (int word = 0; word < PREDICT_WORDS; word++)
		to[word] = from[word];
}

/* One after the other; the first that ends a loop mispredicted is the last. */
static inline __attribute__((always_inline)) size_t
take(struct sim *s, const struct sim_branch *of, size_t n, uint32_t *walks,
     const uint32_t words)
{
	const uint32_t after_loop = s->geometry.predictor.wrong_path_walks;
	/* what is stored meanwhile changes nothing in here */
	const struct predictor p = *s->predictor;
	uint64_t *const history = s->predictor->history;
	struct counted c = { .branches = 0 };
	uint64_t now[PREDICT_WORDS];
	uint32_t wrong;
	size_t i = 0;

	copy_history(now, history);
	for (*walks = 0; i < n && !*walks; i++) {
		const uint64_t record = of[i].record;
		const bool taken = record & BRANCH_TAKEN;

		if ((record & ~BRANCH_TAKEN) == BRANCH_ONCE) {
			wrong = predictor_outcome(&p, now, words, of[i].pc,
						  taken, NULL);
			c.branches++;
			c.taken += taken;
			c.wrong += wrong != 0;
			if (__builtin_expect(wrong != 0, false)) {
				copy_history(history, now);
				predictor_allocate(&p, history, of[i].pc,
						   taken, wrong);
			}
			predictor_shift(&p, now, words, taken);
		} else if (access_kind(record) == ACCESS_BRANCH) {
			copy_history(history, now);
			wrong = repeat(&p, history, &of[i], &c);
			copy_history(now, history);
		} else {
			transfer(s, of[i].pc, record);
			continue;
		}
		if (__builtin_expect(wrong && !taken && after_loop, false) &&
		    looped(s, of, i, of[i].pc) >= LOOP_RUN)
			*walks = after_loop;
	}
	copy_history(history, now);
	end(s, of, i, &c);
	return i;
}

/* Nobody says how a branch goes on. */
static void count(struct sim *s, const struct sim_branch *b)
{
	const uint64_t run = access_operand(b->record);

	if (access_kind(b->record) != ACCESS_BRANCH) {
		transfer(s, b->pc, b->record);
		return;
	}
	s->core[SIGNAL_branches] += run;
	if (access_log2_bytes(b->record) & ACCESS_TAKEN)
		s->core[SIGNAL_branches_taken] += run;
}

size_t sim_branches(struct sim *s, const struct sim_branch *of, size_t n,
		    uint32_t *walks)
{
	if (s->predictor->kind == PREDICT_NONE) {
		*walks = 0;
		for (size_t i = 0; i < n; i++)
			count(s, &of[i]);
		return n;
	}
	switch (s->predictor->words) {
	case 0:
		return take(s, of, n, walks, 0);
	case 1:
		return take(s, of, n, walks, 1);
	case 2:
		return take(s, of, n, walks, 2);
	default:
		return take(s, of, n, walks, PREDICT_WORDS);
	}
}

uint32_t sim_flow(struct sim *sim, uint64_t pc, uint64_t record)
{
	const struct sim_branch one = { pc, record };
	uint32_t walks;

	sim_branches(sim, &one, 1, &walks);
	return walks;
}
