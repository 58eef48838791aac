/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rule 11 of session.h: what threads have written down is done in their
 * shadows. */
#include "plugin/capture/raw.h"
#include "plugin/feed/replay.h"
#include "plugin/feed/shadow.h"
#include "plugin/predict-addresses/ahead.h"

static void take_leave(struct lane *lane)
{
	ahead_settle(lane);
	filter_tell(&lane->filter, &lane->at);
}

static void take_fault(struct lane *lane, uint64_t word)
{
	const struct fault fault = {
		.address = word & ACCESS_OPERAND_MASK,
		.store = word & RAW_STORE, .nowhere = word & RAW_NOWHERE
	};

	ahead_fault(lane, &fault);
}

/* Of one word; returns how many. */
static uint32_t take_short(struct lane *lane, uint64_t word)
{
	switch (word >> RAW_KIND) {
	case RAW_OPEN:
		ahead_open(lane);
		break;
	case RAW_SETTLE:
		ahead_settle(lane);
		break;
	case RAW_LEAVE:
		take_leave(lane);
		break;
	case RAW_BLOCK:
		ahead_run(lane, raw_operand(word));
		break;
	case RAW_PLAIN:
		front_take(lane, raw_info(word), word & ACCESS_OPERAND_MASK);
		break;
	default:
		take_fault(lane, word);
		break;
	}
	return 1;
}

/* What is not a block ahead; returns how many words that was. */
static uint32_t take_other(struct lane *lane, const uint64_t *word)
{
	const void *of = raw_operand(*word);

	switch (*word >> RAW_KIND) {
	case RAW_ENTER:
		ahead_begin(lane, *word & ACCESS_OPERAND_MASK, word[1], word[2],
			    word[3]);
		return 4;
	case RAW_FIRST:
		ahead_run(lane, of);
		take_access(lane, raw_info(*word), word[1]);
		return 2;
	case RAW_DIRECT:
		ahead_direct(lane, of, raw_info(*word), word[1]);
		return 2;
	case RAW_ODD:
		take_reported(lane, of, raw_info(*word), word[1]);
		return 2;
	default:
		return take_short(lane, *word);
	}
}

void shadow_take(struct lane *shadow, struct buffer *buffer)
{
	enum { SPARSE = 4 };
	const uint64_t *word = buffer->word, *end = word + buffer->words;

	buffer->word[buffer->words] = raw_word(RAW_FAULT, NULL);
	shadow->fed = 0;
	while (word < end)
		word = *word >> RAW_KIND == RAW_AHEAD ?
		       replay(shadow, word) :
		       word + take_other(shadow, word);
	lane_flush(shadow);
	__atomic_store_n(&shadow->of->dense,
			 shadow->fed > buffer->words / SPARSE, __ATOMIC_RELAXED);
}
