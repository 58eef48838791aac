/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --by data: what the missed lines belong to. allocations.c runs in the
 * program's threads: it sees calls of the functions that allocate memory, by
 * their names, reads their arguments and results from QEMU's state of the CPU
 * at the begin of blocks, and puts them into the stream of records. data.c is
 * the consumer's side. Freed memory still belongs to its last owner.
 */
#ifndef PLUGIN_DATA_DATA_H
#define PLUGIN_DATA_DATA_H

#include "plugin/capture/lane.h"

/* A kind of record that no trace has; operand: struct data_word *. */
enum { DATA_RECORD = 15 };

/* Memory that was allocated by the call before pc; pc 0: the stack of a
 * thread. from 0: the call begins; or it ends without memory, if pc is 0. */
struct data_word {
	uint64_t from, bytes, pc;
};

struct variable {
	uint64_t from, to;
	uint32_t name, object;
	uint32_t datum;		/* 0: none yet */
};

/* ---- threads of the program ---------------------------------------------- */

/* Looks for allocators and variables of a new object, at each translation. */
void data_translated(struct block *b, uint64_t host);
/* A block begins. state: QEMU's of the CPU. */
void data_block(struct lane *lane, const struct block *b,
		const uint64_t *state);

/* ---- the consumer -------------------------------------------------------- */

/* NULL, or why it cannot be. */
const char *data_build(void);
static inline uint64_t data_word(uint64_t word)
{
	return access_pack((enum access_kind)DATA_RECORD, 0, 0, word);
}

/* Takes a DATA_RECORD; false: the record is another one. */
bool data_record(uint64_t record);
/* The counts of what the record accesses. */
uint64_t *data_count(uint64_t record);

/* ---- variables.c --------------------------------------------------------- */

/* The variables of an object that is mapped. */
void variables_add(uint32_t object);
/* NULL: the address is in no variable. Valid until the lock is given back. */
struct variable *variables_at(uint64_t address);

#endif
