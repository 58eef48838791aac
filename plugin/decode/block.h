/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Blocks: what is known of a translation. */
#ifndef PLUGIN_DECODE_BLOCK_H
#define PLUGIN_DECODE_BLOCK_H

#include "plugin/callbacks/qemu.h"
#include "plugin/session.h"

/* Of an instruction in a block. */
struct step_info {
	uint32_t site;		/* ATTRIBUTE */
	uint16_t offset;	/* from the block's pc */
	uint16_t widest : 13,	/* struct decoded */
		 streaming : 1, atomic : 2;
};

/* A translated block. */
struct block {
	_Alignas(64) uint64_t pc;
	uint64_t after;		/* the address behind it */
	uint64_t first_line, last_line;	/* of code */
	uint64_t executions;	/* ATTRIBUTE; written by the consumer */
	uint64_t settled;	/* of them; under session.writes */
	uint32_t instructions;
	bool any_unseen;
	bool loops;		/* rule 4 */
	bool enters;		/* the function of tally.from begins here */
	uint8_t allocates;	/* --by data: 1 + the allocator that begins */
	uint8_t flow;		/* enum flow, of the last instruction */
	uint32_t code;		/* its bytes, which are behind the steps */
	uint16_t unseen[TALLY_UNSEENS];
	struct block *next;	/* in its bucket */
	struct block *all;	/* the one made before */
	struct step_info step[];
};

/* Has it rules of its own? Then its parts are put together. */
static inline bool is_odd(const struct step_info *step)
{
	return step->widest || step->streaming;
}

/* A string instruction that runs again retires once for all its rounds, and is
 * fetched once. */
static inline bool block_runs_again(const struct block *from,
				    const struct block *b)
{
	return from->flow == FLOW_REPEAT && b->instructions == 1 &&
	       from->after == b->after;
}

/* The block of that translation, found or made; NULL: out of memory. */
struct block *block_find(const struct qemu_plugin_tb *tb);

/* Adds the executions of all blocks to their sites; the consumer may run. */
void blocks_settle(void);
/* Sets the executions of all blocks to 0. */
void blocks_forget(void);

#endif
