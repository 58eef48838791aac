/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The blocks that ran, rule 9 of session.h: instructions that retired, and the
 * branches between one block and the next. Which of them it is cannot be
 * foreseen, so nothing depends on it but what is kept: conditional branches and
 * the others are written each time, and kept by moving on.
 */
#include "block.h"
#include "feed.h"
#include "runs.h"

#define MANY_ROUNDS 64u		/* of a loop, to be told as one branch */

static uint32_t number_before(const struct lane *lane,
			      const struct buffer *buffer, uint32_t i)
{
	return i ? buffer->ran[i - 1] : lane->of->ran;
}

/* ---- predicting ---------------------------------------------------------- */

/* What is before that word, then the walks of a wrong path. */
static void stray(struct taker *t, struct buffer *buffer, uint32_t at,
		  uint32_t walks)
{
	uint64_t record = access_pack(ACCESS_STRAY, 0, 0, walks);

	feed_records(buffer->word + t->fed, at - t->fed);
	feed_records(&record, 1);
	t->fed = at;
}

/* What `from` ended with, that went on to b, if it is one of them. */
static inline uint64_t transfer(const struct run *from, const struct run *b)
{
	const uint64_t to = from->flow == FLOW_CALL ? from->pc + from->bytes :
						      b->pc;

	return (uint64_t)(from->flow + TRANSFER_KIND) << 60 |
	       (to & ACCESS_OPERAND_MASK);
}

static void predict(struct taker *t, struct buffer *buffer, struct ends *e)
{
	uint32_t after[PIECE], walks;
	const size_t n = feed_outcomes(e->outcome, e->outcomes, after,
				       &walks, NULL);

	for (size_t i = 0; i < n; i++)
		stray(t, buffer, buffer->ran_at[e->went[after[i]]], walks);
	feed_calls(e->call, e->calls);
	feed_jumps(e->pc, e->jump, e->jumps);
}

/* ---- runs ---------------------------------------------------------------- */

/* A block begins a thread, counts more than others, or comes behind a string
 * instruction, which it may be again. false: nothing ended there. */
static __attribute__((noinline)) bool take_rarer(struct taker *t,
						 const struct lane *lane,
						 const struct buffer *buffer,
						 uint32_t i)
{
	const struct block *b = *block_of(buffer->ran[i]);
	const struct block *from = *block_of(number_before(lane, buffer, i));

	if (!b)
		return false;
	for (int k = 0; k < TALLY_UNSEENS; k++)
		t->sums.unseen[k] += b->unseen[k];
	if (from && block_runs_again(from, b)) {
		t->sums.instructions--;
		t->sums.fetches -= block_fetched_again(b);
	}
	return true;
}

/* How often does loop b, which has run, run from i on? 0: not often. */
static uint32_t many_rounds(const struct run *b, const struct buffer *buffer,
			    uint32_t i)
{
	const uint32_t *ran = buffer->ran + i, most = buffer->runs - i;
	uint32_t n = 1;

	if (b->flow != FLOW_BRANCH || b->odd || most < MANY_ROUNDS ||
	    ran[MANY_ROUNDS - 1] != *ran)
		return 0;
	while (n < most && ran[n] == *ran)
		n++;
	return n < MANY_ROUNDS ? 0 : n;
}

/* From i on up to `end`, or to many rounds of the block before, which end it,
 * and are told; where that is. */
static uint32_t take_ones(struct taker *t, const struct lane *lane,
			  const struct buffer *buffer, struct ends *e,
			  uint32_t i, uint32_t end, uint32_t *rounds)
{
	const struct run *from = run_of(number_before(lane, buffer, i)), *b;
	uint32_t outcomes = e->outcomes, calls = e->calls, jumps = e->jumps;
	uint64_t instructions = 0, pc;

	for (; i < end; i++, from = b) {
		b = run_of(buffer->ran[i]);
		if (__builtin_expect(b == from, false)) {
			*rounds = many_rounds(b, buffer, i);
			if (*rounds)
				break;
		}
		instructions += b->instructions;
		if (__builtin_expect(b->odd, false) &&
		    !take_rarer(t, lane, buffer, i))
			continue;
		pc = from->pc + from->bytes - from->last;
		e->outcome[outcomes] = pc << 1 |
				       (b->pc != from->pc + from->bytes);
		e->went[outcomes] = i;
		e->pc[jumps] = pc;
		e->call[calls] = e->jump[jumps] = transfer(from, b);
		outcomes += from->branches;
		calls += (uint32_t)from->flow - FLOW_CALL < 2;
		jumps += from->flow == FLOW_JUMP;
	}
	t->sums.instructions += instructions;
	e->outcomes = outcomes;
	e->calls = calls;
	e->jumps = jumps;
	return i;
}

/* The same of a piece; eight at a time where that is possible. */
static uint32_t take_piece(struct taker *t, const struct lane *lane,
			   const struct buffer *buffer, struct ends *e,
			   uint32_t i, bool eights, uint32_t *rounds)
{
	const uint32_t left = buffer->runs - i;
	const uint32_t end = i + (left < PIECE ? left : PIECE);
	uint32_t stop;

	e->outcomes = e->calls = e->jumps = *rounds = 0;
	while (i < end && !*rounds) {
		if (eights && i)
			i = runs_eights(buffer->ran, i, end, e,
					&t->sums.instructions);
		stop = eights && i + 8 < end ? i + 8 : end;
		i = take_ones(t, lane, buffer, e, i, stop, rounds);
	}
	return i;
}

/* A loop is taken so often more, which no walks follow. */
static void take_rounds(struct taker *t, const struct run *loop,
			uint32_t rounds)
{
	t->sums.instructions += (uint64_t)rounds * loop->instructions;
	feed_flow(loop->pc + loop->bytes - loop->last,
		  access_pack(ACCESS_BRANCH, ACCESS_TAKEN, 0, rounds), 0);
}

void runs_take(struct taker *t, struct lane *lane, struct buffer *buffer)
{
	const bool eights = runs_in_eights();
	const uint32_t runs = buffer->runs;
	struct ends e;
	uint32_t i = 0, rounds;

	if (!session.run[0])
		return;		/* no code has run */
	while (i < runs) {
		i = take_piece(t, lane, buffer, &e, i, eights, &rounds);
		predict(t, buffer, &e);
		if (rounds)
			take_rounds(t, run_of(buffer->ran[i]), rounds);
		i += rounds;
	}
	if (runs)
		lane->of->ran = buffer->ran[runs - 1];
}
