/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How blocks ended, for the predictor: many at a time, as shadows noted it. */
#include "plugin/feed/ends.h"
#include "plugin/feed/feed.h"

#define PIECE 1024u		/* of outcomes, that are fed at a time */
#define MANY_ROUNDS 64u		/* of a loop, to be told as one branch */

/* What is before that word, then the walks of a wrong path. */
static void stray(struct taker *t, struct buffer *buffer, uint32_t at,
		  uint32_t walks)
{
	uint64_t record = access_pack(ACCESS_WRONG_PATH, 0, 0, walks);

	feed_records(buffer->word + t->fed, at - t->fed);
	feed_records(&record, 1);
	t->fed = at;
}

static void predict(struct taker *t, struct buffer *buffer, uint32_t from,
		    uint32_t n)
{
	uint32_t after[PIECE], walks;
	const size_t wrong = feed_outcomes(buffer->outcome + from, n, after,
					   &walks, NULL);

	for (size_t i = 0; i < wrong; i++)
		stray(t, buffer, buffer->outcome_at[from + after[i]], walks);
}

/* How often is a branch, which was taken just before, taken from i on, with no
 * other between? 0: not often. */
static uint32_t many_rounds(const struct buffer *buffer, uint32_t i)
{
	const uint64_t *o = buffer->outcome + i;
	const uint32_t most = buffer->outcomes - i;
	uint32_t n = 1;

	if (!(*o & SIM_TAKEN) || most < MANY_ROUNDS ||
	    o[MANY_ROUNDS - 1] != *o)
		return 0;
	while (n < most && o[n] == *o)
		n++;
	return n < MANY_ROUNDS ? 0 : n;
}

/* Where a piece from i on ends: before many rounds. */
static uint32_t piece(const struct buffer *buffer, uint32_t i,
		      uint32_t *rounds)
{
	const uint32_t left = buffer->outcomes - i;
	const uint32_t end = i + (left < PIECE ? left : PIECE);

	*rounds = 0;
	for (i += !i; i < end; i++) {
		if (__builtin_expect(buffer->outcome[i] !=
				     buffer->outcome[i - 1], true))
			continue;
		*rounds = many_rounds(buffer, i);
		if (*rounds)
			break;
	}
	return i < end ? i : end;
}

void ends_take(struct taker *t, struct buffer *buffer)
{
	uint32_t i = 0, end, rounds;

	while (i < buffer->outcomes) {
		end = piece(buffer, i, &rounds);
		predict(t, buffer, i, end - i);
		/* they are foreseen, and so no walks follow */
		if (rounds)
			feed_flow(buffer->outcome[end] >> 1,
				  access_pack(ACCESS_BRANCH, ACCESS_TAKEN, 0,
					      rounds), 0);
		i = end + rounds;
	}
	feed_calls(buffer->call, buffer->calls);
	feed_jumps(buffer->jump_pc, buffer->jump, buffer->jumps);
}
