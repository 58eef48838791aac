/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rule 11 of session.h. A word: bits 63..60 say what it is and 47..0 the
 * operand, most often the address of what is in it in this process.
 */
#include "front.h"

enum raw {
	RAW_OPEN,		/* a thread begins */
	RAW_SETTLE,		/* it is done with all before */
	RAW_AHEAD,		/* of a plan; its reaches' addresses follow */
	RAW_BLOCK,		/* of a block without one */
	RAW_DIRECT,		/* of a struct planned_step; its address, too */
	RAW_ACCESS,		/* of a struct step_info; its address, too */
	RAW_FAULT		/* operand: its address */
};

#define RAW_KIND 60
#define RAW_STORE (UINT64_C(1) << 59)	/* of accesses, and of a fault */
#define RAW_NOWHERE (UINT64_C(1) << 58)	/* struct fault */
#define RAW_SIZE 55			/* its log2, in 3 bits */

/* Where the simulator has neither branches nor pages to look at. */
bool raw_possible(const struct geometry *g)
{
	return entry_compared && session.operands &&
	       g->predictor.kind == PREDICT_NONE &&
	       !g->dtlb.present && !g->itlb.present;
}

static inline uint64_t raw_word(enum raw kind, const void *of)
{
	return (uint64_t)kind << RAW_KIND | (uintptr_t)of;
}

/* ---- into the buffer ---------------------------------------------------- */

void raw_open(struct lane *lane)
{
	lane->ahead.state = NULL;
	lane->ahead.compared = NULL;
	*lane->at++ = raw_word(RAW_OPEN, NULL);
	move_on(lane);
}

void raw_settle(struct lane *lane)
{
	*lane->at++ = raw_word(RAW_SETTLE, NULL);
	move_on(lane);
}

void raw_plain_block(struct lane *lane, const struct block *b)
{
	*lane->at++ = raw_word(RAW_BLOCK, b);
	move_on(lane);
}

static inline void put_access(struct lane *lane, enum raw kind,
			      const void *of, qemu_plugin_meminfo_t info,
			      uint64_t address)
{
	lane->at[0] = raw_word(kind, of) |
		      (info >> STORE_BIT & 1 ? RAW_STORE : 0) |
		      (uint64_t)(info >> SIZE_BIT & SIZE_MASK) << RAW_SIZE;
	lane->at[1] = address;
	lane->at += 2;
	move_on(lane);
}

void raw_access(struct lane *lane, const struct step_info *step,
		qemu_plugin_meminfo_t info, uint64_t address)
{
	put_access(lane, RAW_ACCESS, step, info, address);
}

/* data: the instruction's struct planned_step. */
void raw_direct(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t address,
		void *data)
{
	struct lane *lane = lane_of(vcpu);

	if (lane)
		put_access(lane, RAW_DIRECT, data, info, address);
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

static inline __attribute__((always_inline)) void
write_block(unsigned vcpu, const struct plan *plan, const uint64_t *state,
	    uint32_t reaches, bool simple)
{
	struct lane *lane = lane_of(vcpu);
	uint64_t *at;

	if (__builtin_expect(!lane, false))
		return;
	at = lane->at;
	lane->ahead.state = state;
	*at++ = raw_word(RAW_AHEAD, plan);
	for (uint32_t i = 0; i < reaches; i++)
		*at++ = simple ? reach_simple(&plan->reach[i], state) :
				 reach_address(&plan->reach[i], state);
	lane->at = at;
	move_on(lane);
}

/* data: the plan. Compiled for each shape, so that n is constant. */
#define SHAPE(n) \
	void raw_block_##n(unsigned vcpu, void *data, const uint64_t *state) \
	{ \
		write_block(vcpu, data, state, n, true); \
	}
SHAPE(0)
SHAPE(1)
SHAPE(2)
SHAPE(3)
SHAPE(4)

void raw_block_any(unsigned vcpu, void *data, const uint64_t *state)
{
	const struct plan *plan = data;

	write_block(vcpu, plan, state, plan->reaches, false);
}

/* ---- out of it ---------------------------------------------------------- */

static const void *pointer(uint64_t word)
{
	return (const void *)(uintptr_t)(word & ACCESS_OPERAND_MASK);
}

static qemu_plugin_meminfo_t info_of(uint64_t word)
{
	return (word & RAW_STORE ? 1u << STORE_BIT : 0) |
	       (uint32_t)(word >> RAW_SIZE & SIZE_MASK) << SIZE_BIT;
}

static void take_fault(struct lane *lane, uint64_t word)
{
	const struct fault fault = {
		.address = word & ACCESS_OPERAND_MASK,
		.store = word & RAW_STORE, .nowhere = word & RAW_NOWHERE
	};

	ahead_fault(lane, &fault);
	lane->ahead.left = false;
}

/* What is not a block ahead; returns how many words that was. */
static uint32_t take_other(struct lane *lane, const uint64_t *word)
{
	const void *of = pointer(*word);

	switch (*word >> RAW_KIND) {
	case RAW_OPEN:
		front_open(lane);
		return 1;
	case RAW_SETTLE:
		ahead_settle(lane);
		return 1;
	case RAW_BLOCK:
		front_run(lane, of);
		return 1;
	case RAW_DIRECT:
		ahead_direct(lane, of, info_of(*word), word[1]);
		return 2;
	case RAW_ACCESS:
		take_reported(lane, of, info_of(*word), word[1]);
		return 2;
	default:
		take_fault(lane, *word);
		return 1;
	}
}

/* Where another buffer goes on nothing is known of what comes next. */
static bool is_whole(const struct buffer *buffer, uint32_t next)
{
	return next < buffer->words &&
	       buffer->word[next] >> RAW_KIND != RAW_FAULT;
}

void raw_take(struct buffer *buffer)
{
	enum { AHEAD = 64 };
	struct lane *lane = buffer->lane->shadow;
	const struct plan *plan;
	uint32_t next;

	for (uint32_t i = 0; i < buffer->words; i = next) {
		const uint64_t *word = &buffer->word[i];

		if (__builtin_expect(*word >> RAW_KIND != RAW_AHEAD, false)) {
			next = i + take_other(lane, word);
			continue;
		}
		/* another core has written it, and as much of what follows */
		__builtin_prefetch(word + AHEAD);
		plan = pointer(*word);
		next = i + 1u + plan->reaches;
		__builtin_prefetch(pointer(buffer->word[next]));
		ahead_replay(lane, plan, word + 1, is_whole(buffer, next));
	}
	lane_flush(lane);
}
