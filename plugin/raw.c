/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rule 11 of session.h: into the buffers, and out of them. */
#include "ahead.h"
#include "front.h"
#include "raw.h"
#include "replay.h"

static inline uint64_t access_word(enum raw kind, qemu_plugin_meminfo_t info)
{
	return (uint64_t)kind << RAW_KIND |
	       (info >> STORE_BIT & 1 ? RAW_STORE : 0) |
	       (uint64_t)(info >> SIZE_BIT & SIZE_MASK) << RAW_SIZE;
}

/* ---- into the buffer ---------------------------------------------------- */

static inline void put(struct lane *lane, uint64_t word)
{
	*lane->at++ = word;
	move_on(lane);
}

static inline void put_two(struct lane *lane, uint64_t word, uint64_t other)
{
	lane->at[0] = word;
	lane->at[1] = other;
	lane->at += 2;
	move_on(lane);
}

void raw_open(struct lane *lane)
{
	lane->ahead.compared = NULL;
	lane->last = 0;
	lane->flow = FLOW_NEXT;
	lane->fetched = UINT64_MAX;
	put(lane, raw_word(RAW_OPEN, NULL));
}

void raw_settle(struct lane *lane)
{
	put(lane, raw_word(RAW_SETTLE, NULL));
}

void raw_block(struct lane *lane, const struct block *b)
{
	lane->last = raw_word(RAW_BLOCK, b);
	put(lane, lane->last);
}

void raw_first(struct lane *lane, const struct block *b,
	       qemu_plugin_meminfo_t info, uint64_t address)
{
	lane->last = access_word(RAW_FIRST, info) | (uintptr_t)b;
	put_two(lane, lane->last, address);
}

void raw_plain(struct lane *lane, qemu_plugin_meminfo_t info, uint64_t address)
{
	put(lane, access_word(RAW_PLAIN, info) |
		  (address & ACCESS_OPERAND_MASK));
}

void raw_odd(struct lane *lane, const struct step_info *step,
	     qemu_plugin_meminfo_t info, uint64_t address)
{
	put_two(lane, access_word(RAW_ODD, info) | (uintptr_t)step, address);
}

void raw_direct(struct lane *lane, const struct planned_step *step,
		qemu_plugin_meminfo_t info, uint64_t address)
{
	put_two(lane, access_word(RAW_DIRECT, info) | (uintptr_t)step,
		address);
}

/* There is room: move_on has seen to it. */
void raw_fault(struct lane *lane, const struct fault *fault)
{
	lane->ahead.left = true;
	*lane->at++ = (uint64_t)RAW_FAULT << RAW_KIND |
		      (fault->store ? RAW_STORE : 0) |
		      (fault->nowhere ? RAW_NOWHERE : 0) |
		      (fault->address & ACCESS_OPERAND_MASK);
}

void raw_unfault(struct lane *lane)
{
	lane->ahead.left = false;
	lane->at--;
}

/* ---- turning ------------------------------------------------------------ */

/* How the block before ended, and its code, are not for it to know. */
static void begin(struct lane *lane, enum flow flow, uint64_t fetched,
		  uint64_t after)
{
	filter_reset(&lane->filter);
	lane->part.bytes = 0;
	ahead_open(lane);
	lane->flow = (uint8_t)flow;
	lane->fetched = fetched;
	lane->after = after;
}

static void enter(struct lane *lane)
{
	ahead_settle(lane);
	filter_tell(&lane->filter, &lane->at);
	lane_turn(lane, WAY_RAW);
	lane->last = 0;
	*lane->at++ = (uint64_t)RAW_ENTER << RAW_KIND | lane->flow;
	*lane->at++ = lane->fetched;
	*lane->at++ = lane->after;
}

static const struct block *last_block(const struct lane *lane)
{
	const void *of = raw_operand(lane->last);

	return lane->last >> RAW_KIND == RAW_AHEAD ?
	       ((const struct plan *)of)->block : of;
}

static void leave(struct lane *lane)
{
	const struct block *b = last_block(lane);

	*lane->at++ = raw_word(RAW_LEAVE, NULL);
	lane_turn(lane, WAY_FILTER);
	if (b)
		begin(lane, b->flow, b->last_line, b->after);
	else
		begin(lane, lane->flow, lane->fetched, lane->after);
}

void raw_turn(struct lane *lane)
{
	if (lane->way & WAY_RAW)
		leave(lane);
	else
		enter(lane);
}

/* ---- out of it ---------------------------------------------------------- */

static qemu_plugin_meminfo_t info_of(uint64_t word)
{
	return (word & RAW_STORE ? 1u << STORE_BIT : 0) |
	       (uint32_t)(word >> RAW_SIZE & SIZE_MASK) << SIZE_BIT;
}

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
		front_open(lane);
		break;
	case RAW_SETTLE:
		ahead_settle(lane);
		break;
	case RAW_LEAVE:
		take_leave(lane);
		break;
	case RAW_BLOCK:
		front_run(lane, raw_operand(word));
		break;
	case RAW_PLAIN:
		front_take(lane, info_of(word), word & ACCESS_OPERAND_MASK);
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
		begin(lane, *word & ACCESS_OPERAND_MASK, word[1], word[2]);
		return 3;
	case RAW_FIRST:
		front_run(lane, of);
		take_access(lane, info_of(*word), word[1]);
		return 2;
	case RAW_DIRECT:
		ahead_direct(lane, of, info_of(*word), word[1]);
		return 2;
	case RAW_ODD:
		take_reported(lane, of, info_of(*word), word[1]);
		return 2;
	default:
		return take_short(lane, *word);
	}
}

void raw_take(struct buffer *buffer)
{
	enum { SPARSE = 4 };
	const uint64_t *word = buffer->word, *end = word + buffer->words;
	struct lane *lane = buffer->lane->shadow;

	lane->fed = 0;
	while (word < end)
		word = *word >> RAW_KIND == RAW_AHEAD ?
		       replay(lane, word, end) : word + take_other(lane, word);
	lane_flush(lane);
	__atomic_store_n(&lane->of->dense, lane->fed > buffer->words / SPARSE,
			 __ATOMIC_RELAXED);
}
