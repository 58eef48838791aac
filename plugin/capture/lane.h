/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A thread of the program: what it captures, and how far the consumer is. */
#ifndef PLUGIN_CAPTURE_LANE_H
#define PLUGIN_CAPTURE_LANE_H

#include "plugin/callbacks/qemu.h"
#include "plugin/session.h"

#define WORDS 4096	/* in a buffer */
#define WORDS_PER_CALLBACK 2	/* at most */

/*
 * A captured event: bits 63..60 its kind, 47..0 the operand. Of an access, bits
 * 59..56 are log2 of its bytes and 55..48 the instruction's index in its block.
 */
enum word {
	WORD_LOAD, WORD_STORE,
	WORD_ODD_LOAD, WORD_ODD_STORE,	/* see consume_odd in consume.c */
	WORD_START = 8,		/* of a thread */
	WORD_INDEX,		/* operand: the next word's, if it has 255 */
	/* of tally.from; operand: the block that runs next, or 0 */
	WORD_ENTER, WORD_LEAVE,
	WORD_BEGIN, WORD_END,	/* of a region; operand: its number */
	WORD_DATA,		/* of --by data; operand: struct data_word * */
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
	uint64_t word[WORDS + WORDS_PER_CALLBACK];
};

/* Parts of one access so far; bytes 0: none. */
struct parts {
	uint64_t from, bytes;
	uint32_t index;
	bool store;
};

#define REGIONS_OPEN 32	/* at once, in one thread */

struct open_region { uint32_t id, depth; };

/* Which regions a thread is in. */
struct within {
	bool open;		/* of tally.from */
	bool inherited;		/* by being made inside: up to the thread's
				 * end */
	uint64_t stack, back;	/* stack pointer and return address at the
				 * entry */
	uint64_t caller[2];	/* AArch64: the addresses of its code */
	const struct block *last;
	uint32_t regions;
	struct open_region region[REGIONS_OPEN];
};

struct lane {
	/* the thread's own */
	uint64_t *at, *end;
	struct buffer *buffer;
	/* the thread's own, of TALLY_COUNT: */
	const struct block *last;	/* the last block */
	const struct step_info *part_of;	/* whose access `parts` is */
	struct sums sums;
	struct within within;
	struct data_call {
		uint64_t back, stack;	/* return address, stack pointer */
		uint64_t bytes, to;	/* to: where the address will be */
	} call;			/* of an allocator; back 0: none is open */
	uint64_t lowest;	/* stack pointer, in steps of pages */
	/* the consumer's; of TALLY_COUNT the thread's own */
	_Alignas(64) struct parts parts;
	struct block *block;	/* that runs now */
	struct block *loop;	/* the same, if rule 4 holds for it */
	uint64_t line;		/* of code, that was fetched last */
	uint32_t far;		/* of WORD_INDEX */
	bool counted;		/* inside of tally.from */
	uint32_t allocating;	/* --by data: for whom; 0: nobody */
	uint32_t regions, region[REGIONS_OPEN];	/* that are open */
};

/* A thread of that number, which is QEMU's, begins and ends. */
void lane_open(unsigned vcpu);
void lane_close(unsigned vcpu);
/* Puts a word into the buffer of the calling thread, or of one that has not
 * begun. */
void lane_put(struct lane *lane, uint64_t word);
/* In the child of a fork: the lane is empty, and its thread goes on. */
void lane_restart(struct lane *lane);

/* Callbacks of QEMU; lane.c has what their data is. */
qemu_exec_fn lane_block, lane_block_counted;
qemu_mem_fn lane_access, lane_access_far, lane_access_counted;

/* log2 of the power of two of bytes that touches the same lines; what touches
 * more stays in two. */
static inline unsigned parts_log2(const struct parts *parts)
{
	const uint64_t last = parts->from + parts->bytes - 1;
	const unsigned log2 = 63 - (unsigned)__builtin_clzll(parts->bytes);

	return log2 + ((parts->from + (UINT64_C(1) << log2) - 1) >>
		       session.line_shift != last >> session.line_shift);
}

#endif
