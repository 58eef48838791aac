/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rule 11 of session.h: what a thread of the program writes down. */
#include "plugin/capture/raw.h"
#include "plugin/feed/front.h"
#include "plugin/predict-addresses/entry.h"

static inline uint64_t access_word(enum raw kind, qemu_plugin_meminfo_t info)
{
	return (uint64_t)kind << RAW_KIND |
	       (info >> STORE_BIT & 1 ? RAW_STORE : 0) |
	       (uint64_t)(info >> SIZE_BIT & SIZE_MASK) << RAW_SIZE;
}

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

/* ---- turning ------------------------------------------------------------ */

static const struct block *last_block(const struct lane *lane)
{
	if (!lane->last || lane->last >> RAW_KIND != RAW_AHEAD)
		return raw_operand(lane->last);
	return raw_plan(lane->last)->details->block;
}

/* How the last block ended, and its code, are not for the other to know. */
static __attribute__((noinline)) void turn(struct lane *lane)
{
	const struct block *b = last_block(lane);

	if (b) {
		lane->flow = b->flow;
		lane->fetched = b->last_line;
		lane->after = b->after;
		lane->branch = block_branch(b);
	}
	*lane->at++ = raw_word(RAW_LEAVE, NULL);
	lane_turn(lane);
	*lane->at++ = (uint64_t)RAW_ENTER << RAW_KIND | lane->flow;
	*lane->at++ = lane->fetched;
	*lane->at++ = lane->after;
	*lane->at++ = lane->branch;
}

static inline void begin_block(struct lane *lane, uint64_t word)
{
	if (__builtin_expect(lane->way & WAY_TURN, false))
		turn(lane);
	lane->last = word;
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

/* ---- blocks ------------------------------------------------------------- */

void raw_block(struct lane *lane, const struct block *b)
{
	begin_block(lane, raw_word(RAW_BLOCK, b));
	put(lane, lane->last);
}

void raw_first(struct lane *lane, const struct block *b,
	       qemu_plugin_meminfo_t info, uint64_t address)
{
	begin_block(lane, access_word(RAW_FIRST, info) | (uintptr_t)b);
	put_two(lane, lane->last, address);
}

static inline __attribute__((always_inline)) void
put_ahead(struct lane *lane, uint64_t word, const uint64_t *state,
	  uint32_t reaches, bool simple)
{
	enum { AHEAD = 64 };
	const struct plan *plan = (const void *)(uintptr_t)(word - reaches);
	uint64_t *at = lane->at;

	__builtin_prefetch(at + AHEAD, 1);	/* another core has read it */
	lane->ahead.state = state;
	lane->last = word;
	*at++ = word;
	for (uint32_t i = 0; i < reaches; i++)
		*at++ = simple ? reach_simple(&plan->reach[i], state) :
				 reach_address(&plan->reach[i], state);
	lane->at = at;
	move_on(lane);
}

/* data: the word. */
void raw_ahead_any(unsigned vcpu, void *data, const uint64_t *state)
{
	struct lane *lane = lane_of(vcpu);
	const uint64_t word = (uintptr_t)data;

	if (!lane)
		return;
	if (lane->way & WAY_TURN)
		turn(lane);
	put_ahead(lane, word, state, word & RAW_REACHES, false);
}

/* Compiled for each shape, so that n is constant; and nothing is called in
 * between, so that no register is saved. */
#define SHAPE(n) \
	void raw_ahead_##n(unsigned vcpu, void *data, const uint64_t *state) \
	{ \
		struct lane *lane = lane_of(vcpu); \
	\
		if (__builtin_expect(!lane || lane->way & WAY_TURN, false)) \
			raw_ahead_any(vcpu, data, state); \
		else \
			put_ahead(lane, (uintptr_t)data, state, n, true); \
	}
SHAPE(0)
SHAPE(1)
SHAPE(2)
SHAPE(3)
SHAPE(4)

/* ---- accesses ----------------------------------------------------------- */

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

void raw_direct(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t address,
		void *data)
{
	struct lane *lane = lane_of(vcpu);

	if (lane)
		put_two(lane, access_word(RAW_DIRECT, info) | (uintptr_t)data,
			address);
}

/* ---- faults ------------------------------------------------------------- */

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
