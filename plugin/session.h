/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The plugin at work: one session per process, because QEMU's callbacks know
 * no other way to it.
 *
 * 1. Each thread of the program collects records in its lane. A full lane is
 *    fed to the one simulator under the lock: threads take turns on one core.
 * 2. Translation is serialised by QEMU; blocks and sites are found and made
 *    there, also under the lock, and never freed.
 * 3. In a child process nothing is collected any more, and the tally is not
 *    touched: it is the parent's.
 */
#ifndef PLUGIN_SESSION_H
#define PLUGIN_SESSION_H

#include <pthread.h>

#include "base/access.h"
#include "decode.h"
#include "qemu.h"
#include "sim/sim.h"
#include "store/tally.h"

#define LANES 1024
#define LANE_RECORDS 2048

/* A translated block. */
struct block {
	struct block *next;	/* in its bucket */
	struct block *all;	/* the one made before */
	uint64_t pc;
	uint64_t after;		/* the address behind it */
	uint64_t first_line, last_line;	/* of code */
	uint64_t executions;	/* ATTRIBUTE */
	uint32_t instructions;
	uint32_t site_last;	/* site of the last instruction */
	uint16_t unseen[TALLY_UNSEENS];
	bool any_unseen;
	uint8_t flow;		/* enum flow, of the last instruction */
	uint8_t place_last;	/* its place in the block, for the record */
	uint32_t site[];	/* ATTRIBUTE: of each instruction */
};

struct lane {
	uint32_t records;
	const struct block *block;	/* that runs now */
	uint64_t line;		/* of code, that was fetched last */
	uint64_t pc_put;	/* the PC that the simulator knows */
	uint64_t instructions;	/* not put yet */
	uint64_t unseen[TALLY_UNSEENS];
	uint64_t loads, stores;	/* COUNT */
	uint64_t record[LANE_RECORDS];
	uint32_t site[LANE_RECORDS];	/* ATTRIBUTE */
};

struct session {
	struct tally_map map;
	struct sim *sim;
	pthread_mutex_t lock;
	bool child;		/* this process is one */
	bool places;		/* the model wants PCs */
	unsigned line_shift;
	unsigned store_bit;
	unsigned size_mask;
	struct decoded (*decode)(const unsigned char *p, size_t bytes);
	struct lane *lane[LANES];
};

extern struct session session;

/* lane.c */
void lane_open(unsigned vcpu);
void lane_flush(struct lane *lane);
void lanes_flush(void);
/* Callbacks of QEMU. */
qemu_exec_fn lane_block, lane_block_attributed, lane_block_counted;
qemu_mem_fn lane_access, lane_access_streaming, lane_access_attributed,
	    lane_access_counted;

/* block.c */
/* The block of that translation, found or made; NULL: out of memory. */
struct block *block_find(const struct qemu_plugin_tb *tb);
/* Gives what ran to the sites. */
void blocks_settle(void);

/* site.c: the site of an instruction, found or made. */
uint32_t site_find(uint64_t pc, uint64_t host);

#endif
