/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A thread of the program, and its buffers. */
#ifndef PLUGIN_CALLBACKS_LANE_H
#define PLUGIN_CALLBACKS_LANE_H

#include "plugin/callbacks/qemu.h"
#include "plugin/predict-addresses/plan.h"
#include "plugin/session.h"

#define WORDS 4096	/* in a buffer */
#define RAW_WORDS 16384	/* rule 11: the same */
#define STRETCH (UINT64_C(1) << 16)	/* instructions, in a buffer */
#define MOST_WORDS (2 * FILTER_MOST_BEFORE + 64)	/* that one callback and
						 * the end of it write */
#define BLOCKS (RAW_WORDS + MOST_WORDS)	/* of a raw buffer, at most: a shadow's
					 * is empty when it begins with one */
#define TRANSFERS 2048	/* calls, or jumps, in a buffer */

/*
 * A word: bits 63..60 its kind, 47..0 the operand. Of an access, bits 59..56
 * are log2 of its bytes and 55..48 the instruction's index in its block.
 */
enum word {
	WORD_LOAD, WORD_STORE,
	WORD_ODD_LOAD, WORD_ODD_STORE,	/* rules of their own: see take.c */
	WORD_START = 8,		/* of a thread */
	WORD_INDEX,		/* operand: the next word's, if it has 255 */
	WORD_BLOCK = 15,	/* operand: struct block * */
};

#define WORD_KIND 60
#define WORD_ODD_BIT 61
#define WORD_ODD (UINT64_C(1) << WORD_ODD_BIT)
#define WORD_INDEX_SHIFT 48
#define FAR_INDEX 255u

struct block;

struct buffer {
	struct buffer *next;	/* in the queue, or free */
	struct lane *lane;
	uint32_t words;
	bool raw;		/* rule 11: a thread's, not a shadow's */
	/* Rule 9: also, for the predictor, how blocks ended: see sim_outcomes,
	 * and at which word the next block began; sim_calls; sim_jumps. */
	struct sums sums;
	uint32_t outcomes, calls, jumps;
	uint64_t outcome[BLOCKS];
	uint16_t outcome_at[BLOCKS];
	uint64_t call[TRANSFERS], jump_pc[TRANSFERS], jump[TRANSFERS];
	uint64_t word[RAW_WORDS + MOST_WORDS];
};

/* Parts of one access so far; bytes 0: none. */
struct parts {
	uint64_t from, bytes;
	uint32_t index;
	bool store;
};

#define LIMIT_LEFT (UINT32_C(1) << 31)

/* Rule 10: the block that runs. */
struct ahead {
	const struct plan *plan;
	uint32_t seen;		/* bytes of the direct access */
	/* It faulted: beside the reaches that count, so many accesses of the
	 * next one, and bytes of the one behind them. */
	uint32_t whole, torn;
	bool left;		/* it did fault */
	const uint64_t *state;	/* QEMU's; NULL: not known yet */
	/* Where it is compared: accesses, and bytes of the next one. */
	const struct block *compared;
	uint32_t at, bytes;
	uint64_t address[PLAN_REACHES];
};

/* Rule 11: who does what the thread has written down. */
enum way {
	WAY_GIVE,		/* the taking thread */
	WAY_KEEP,		/* it does so itself */
	WAYS,
	WAY_TURN = WAYS		/* a bit: the other from the next block on */
};

/* A thread of the program: what it writes ... */
struct lane {
	uint64_t *at, *end;
	uint64_t hits;		/* rule 3: loads; stores in the upper half */
	uint64_t ended[FLOWS][2];	/* rule 9: blocks, without a predictor;
					 * [1]: and did not go on behind */
	uint64_t fetched;	/* rule 9: the last line of code */
	uint64_t after;		/* how the block before ended: what is behind
				 * it, ... */
	uint64_t branch;	/* ... its last instruction, ... */
	uint8_t flow;		/* ... and that one's enum flow */
	uint8_t way;		/* rule 11: enum way */
	const struct block *counted;	/* COUNT: the block before */
	uint64_t last;		/* rule 11: the block that runs, as raw.c's
				 * word; 0: flow, fetched, after and branch tell
				 * how the one before ended */
	struct parts part;
	const void *part_of;
	uint32_t done, limit;	/* rule 10: reaches of the plan that are handed
				 * over, and that count; LIMIT_LEFT: a fault */
	struct sums sums;
	struct filter filter;		/* rule 9 */
	struct buffer *buffer;
	struct lane *shadow[WAYS];	/* rule 11; NULL in a shadow */
	struct lane *of;		/* a shadow's lane; a lane's itself */
	uint64_t fed;			/* a shadow's: words of a raw buffer */
	bool dense;			/* there were many of them: atomic */
	struct ahead ahead;		/* rule 10 */
	/* ... and the taking thread's place in it. */
	_Alignas(64) struct block *block;	/* that runs now */
	struct block *loop;	/* the same, if rule 4 holds for it */
	uint64_t line;		/* of code, that was fetched last */
	uint32_t far;		/* of WORD_INDEX */
	struct parts parts;
};

/* NULL: no memory. */
struct lane *lane_new(void);
/* Empty, as before its first thread. */
void lane_restart(struct lane *lane);
/* Hands over what it has written. */
void lane_flush(struct lane *lane);
/* The same, and from now on it goes the other way. */
void lane_turn(struct lane *lane);
/* Callbacks of QEMU; lane.c has what their data is. */
qemu_exec_fn lane_block, lane_block_counted;
qemu_mem_fn lane_access, lane_access_first, lane_access_first_odd,
	    lane_access_far, lane_access_counted;

/* Room is for what one callback writes; see lane_flush. */
static inline void move_on(struct lane *lane)
{
	if (__builtin_expect(lane->at >= lane->end, false))
		lane_flush(lane);
}

/* The power of two of bytes that touches the same lines; what touches more
 * stays in two. */
static inline unsigned parts_log2(const struct parts *parts)
{
	const uint64_t last = parts->from + parts->bytes - 1;
	const unsigned log2 = 63 - (unsigned)__builtin_clzll(parts->bytes);

	return log2 + ((parts->from + (UINT64_C(1) << log2) - 1) >>
		       session.line_shift != last >> session.line_shift);
}

#endif
