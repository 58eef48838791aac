/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rule 9 of session.h: shadows, which filter, and what is common to them. */
#ifndef PLUGIN_FEED_FRONT_H
#define PLUGIN_FEED_FRONT_H

#include "plugin/callbacks/lane.h"
#include "plugin/decode/block.h"

/* What QEMU's word about an access looks like (front_possible). */
#define STORE_BIT 17
#define SIZE_BIT 4
#define SIZE_MASK 7
#define LINE_SHIFT 6
#define PAGE_SHIFT 12
#define LINE_OTHER(any) FILTER_OTHER(LINE_SHIFT, any)

/* Has it been written for such lines, and for this QEMU? */
bool front_possible(const struct filter *f);

/* ---- accesses ----------------------------------------------------------- */

/* In one word, which takes one addition; no buffer has so many. */
static inline uint64_t one_hit(bool store)
{
	return UINT64_C(1) << (store ? 32 : 0);
}

static inline void count_hit(struct lane *lane, bool store)
{
	lane->hits += one_hit(store);
}

/* All that the common case is not. */
void front_put(struct lane *lane, uint64_t record);
void front_put_parts(struct lane *lane);

/* Of an instruction that is_odd. */
void front_take_part(struct lane *lane, const struct step_info *step,
		     qemu_plugin_meminfo_t info, uint64_t address);

static inline uint64_t record_of(qemu_plugin_meminfo_t info, uint64_t address)
{
	return (uint64_t)(info >> STORE_BIT & 1) << WORD_KIND |
	       (uint64_t)(info >> SIZE_BIT & SIZE_MASK) << 56 |
	       (address & ACCESS_OPERAND_MASK);
}

/* In one line: as filter_data, of what is soon found. */
static inline bool is_quick(struct filter *f, uint64_t from, bool loads_only)
{
	return filter_quick(f, FILTER_DATA, from, LINE_SHIFT, loads_only);
}

static inline void take_access(struct lane *lane, qemu_plugin_meminfo_t info,
			       uint64_t from)
{
	const unsigned store = info >> STORE_BIT & 1;
	const uint64_t last = from + (1u << (info >> SIZE_BIT & SIZE_MASK)) - 1;

	if (__builtin_expect(last >> LINE_SHIFT == from >> LINE_SHIFT &&
			     is_quick(&lane->filter, from, !store), true))
		count_hit(lane, store);
	else
		front_put(lane, record_of(info, from));
}

static inline void front_take(struct lane *lane, qemu_plugin_meminfo_t info,
			      uint64_t from)
{
	if (__builtin_expect(lane->part.bytes != 0, false))
		front_put_parts(lane);
	take_access(lane, info, from);
}

/* An access that QEMU reports. */
static inline void take_reported(struct lane *lane,
				 const struct step_info *step,
				 qemu_plugin_meminfo_t info, uint64_t address)
{
	if (is_odd(step)) {
		front_take_part(lane, step, info, address);
		return;
	}
	front_take(lane, info, address);
}

/* ---- blocks ------------------------------------------------------------- */

void front_fetch(struct lane *lane, const struct block *b);

void front_count_rarer(struct lane *lane, const struct block *b);

/* flags: of an ACCESS_JUMP. */
void front_note_jump(struct lane *lane, uint64_t branch, uint64_t to,
		     unsigned flags);

/* Calls, returns and indirect jumps; the predictor keeps the return addresses
 * apart from the targets. */
static inline void note_transfer(struct lane *lane, enum flow flow,
				 uint64_t branch, uint64_t after, uint64_t pc)
{
	struct buffer *b = lane->buffer;
	const bool call = flow != FLOW_RETURN;

	if (flow == FLOW_JUMP) {
		front_note_jump(lane, branch, pc, 0);
		return;
	}
	b->call[b->calls] = access_pack(call ? ACCESS_CALL : ACCESS_RETURN, 0,
					0, (call ? after : pc) &
					   ACCESS_OPERAND_MASK);
	if (__builtin_expect(++b->calls == TRANSFERS, false))
		lane_flush(lane);
	if (flow == FLOW_INDIRECT_CALL)
		front_note_jump(lane, branch, pc, ACCESS_CALLED);
}

/* For the predictor: how the block before ended, that goes on at pc. */
static inline void note_end(struct lane *lane, enum flow flow, uint64_t branch,
			    uint64_t after, uint64_t pc)
{
	struct buffer *buffer = lane->buffer;
	const uint32_t i = buffer->outcomes;

	buffer->outcome[i] = branch << 1 | (pc != after);
	buffer->outcome_at[i] = (uint16_t)(lane->at - buffer->word);
	buffer->outcomes = i + (flow == FLOW_BRANCH);
	if (__builtin_expect((unsigned)flow - FLOW_CALL <
			     FLOW_REPEAT - FLOW_CALL, false))
		note_transfer(lane, flow, branch, after, pc);
}

/* Without: only how often. */
static inline void count_end(struct lane *lane, enum flow flow, uint64_t after,
			     uint64_t pc)
{
	lane->ended[flow][pc != after]++;
}

/* As filter_code, of what is soon found. */
static inline bool is_quick_code(struct filter *f, uint64_t line)
{
	return filter_quick(f, FILTER_CODE, line << LINE_SHIFT, LINE_SHIFT,
			    true);
}

/* What the block before has accessed is handed over. */
static inline void run_block(struct lane *lane, const struct block *b)
{
	if (session.predicts)
		note_end(lane, lane->flow, lane->branch, lane->after, b->pc);
	else
		count_end(lane, lane->flow, lane->after, b->pc);
	lane->sums.instructions += b->instructions;
	if (__builtin_expect(b->any_unseen || lane->flow == FLOW_REPEAT, false))
		front_count_rarer(lane, b);
	if (__builtin_expect(lane->sums.instructions >= STRETCH, false))
		lane_flush(lane);
	lane->flow = b->flow;
	lane->after = b->after;
	lane->branch = block_branch(b);
	if (b->first_line == lane->fetched && b->last_line == lane->fetched)
		return;
	if (b->first_line != b->last_line ||
	    !is_quick_code(&lane->filter, b->first_line)) {
		front_fetch(lane, b);
		return;
	}
	lane->fetched = b->first_line;
	lane->sums.fetches++;
}

#endif
