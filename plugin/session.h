/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The plugin at work: one session per process, because QEMU's callbacks know
 * no other way to it.
 *
 * 1. Each thread of the program collects records in its lane. A full lane is
 *    fed to the one simulator under the lock: threads take turns on one core.
 * 2. Branches act on the predictor alone, unless a mispredicted one walks
 *    pages. They have a stream of their own then, which is fed after that of
 *    the accesses: the counts are the same, and both streams are even.
 * 3. A fetch of the line that was fetched last of all that can share its set,
 *    from the page that was fetched last (if there is a code TLB), hits and
 *    changes nothing. It is counted and not fed, unless L1I can lose lines to
 *    the levels below.
 * 4. A block that runs again and again is only counted, where its branch and
 *    its code change nothing by rules 2 and 3.
 * 5. Translation is serialised by QEMU; blocks and sites are found and made
 *    there, and never freed.
 * 6. In a child process nothing is collected any more, and the tally is not
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
	bool loops;		/* rule 4 */
	uint8_t flow;		/* enum flow, of the last instruction */
	uint8_t place_last;	/* its place in the block, for the record */
	uint32_t site[];	/* ATTRIBUTE: of each instruction */
};

struct stream {
	uint32_t records;
	uint64_t record[LANE_RECORDS];
	uint32_t site[LANE_RECORDS];	/* ATTRIBUTE */
};

/* Sums of what is fed in another form, or not at all. */
struct sums {
	uint64_t instructions;
	uint64_t fetches;	/* rule 3 */
	uint64_t flow[FLOWS];	/* branches, if there is no predictor */
	uint64_t taken;
	uint64_t unseen[TALLY_UNSEENS];
	uint64_t loads, stores;	/* COUNT */
};

#define NEWEST 64	/* lines of a page of 4 KiB, at most */

struct lane {
	struct stream access, flow;
	struct block *block;	/* that runs now */
	struct block *loop;	/* the same, if rule 4 holds for it */
	uint64_t again;		/* rule 4: how often it ran again */
	const struct block *flow_of;	/* the last record's in .flow */
	uint64_t line, page;	/* of code, that were fetched last */
	uint64_t newest[NEWEST];	/* by the low bits of the line */
	struct sums sums;
};

enum flow_way { FLOW_COUNTED, FLOW_APART, FLOW_AMONG };

#define GIBS (1 << 18)		/* of 48 bits */
#define LOW_GIBS 16

struct session {
	struct tally_map map;
	struct sim *sim;
	pthread_mutex_t lock;
	bool child;		/* this process is one */
	bool places;		/* accesses need their PC */
	enum flow_way flow_way;
	uint64_t newest_mask;	/* rule 3; UINT64_MAX: always feed */
	bool translates;	/* there is a code TLB */
	unsigned line_shift;
	unsigned store_bit;	/* of QEMU's word about an access */
	unsigned size_bit, size_mask;
	struct decoded (*decode)(const unsigned char *p, size_t bytes);
	uint64_t extra[SIGNALS];	/* beside the simulator's */
	uint64_t move[GIBS];	/* what to flip in addresses of each GiB */
	bool moved[GIBS];	/* it is known */
	uint32_t taken;		/* bit per low GiB */
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

/* board.c: what runs on a board; its callbacks. */
void board_translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb);
void board_exit(qemu_plugin_id_t id, void *data);

/* site.c: the site of an instruction, found or made. */
uint32_t site_find(uint64_t pc, uint64_t host);

#endif
