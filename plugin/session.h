/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of the plugin: one session per process, because QEMU's callbacks
 * get no pointer to it. Rules, which other files refer to by number:
 *
 * 1. Each thread of the program writes captured events into its buffer
 *    (capture/lane.c): the blocks that run and their accesses. Full buffers go
 *    through a queue to the consumer, a thread of the plugin, which turns
 *    events into records (feed/consume.c) and feeds the simulator
 *    (feed/feed.c). So threads share one simulated core, a buffer at a time.
 * 2. Branches act on the predictor alone, so they are predicted in lists, apart
 *    from the accesses. Wrong-path page walks are fed where their branch was.
 * 3. An access that can only hit and changes no state is counted, not fed
 *    (filter/filter.h).
 * 4. A loop that is one block is only counted after its first iteration, if its
 *    code lies in one line.
 * 5. QEMU serialises translation. Blocks and sites are made there, and never
 *    freed.
 * 6. A forked process counts into a tally of its own (children/), from 0 and
 *    with empty caches; a program that execve starts runs under a QEMU of its
 *    own. Where that is impossible, the child collects nothing and leaves the
 *    tally, which is its parent's, alone.
 * 7. QEMU performs wide accesses in parts. Adjacent parts of one execution of
 *    an instruction are joined, up to the instruction's width (struct
 *    decoded). An atomic operation is a load and a store, a store-exclusive a
 *    store, whatever QEMU reports.
 */
#ifndef PLUGIN_SESSION_H
#define PLUGIN_SESSION_H

#include <pthread.h>
#include <sys/types.h>

#include "plugin/decode/decode.h"
#include "plugin/feed/consume.h"
#include "sim/sim.h"
#include "store/programs/child-tally.h"

#define LANES 1024
#define GIBS (1 << 18)		/* move.h: of 48 bits */

/* A slot for another process or program. */
struct child_slot {
	struct tally_map map;	/* tally NULL: none */
	uint32_t slot;
	int fd;			/* the file's; closed by execve */
};

struct session {
	struct tally_map map;
	struct child_tally_head *tallies;
	uint32_t slot;		/* ours */
	struct child_slot forked;	/* of a process that is being forked */
	dev_t file_device, root_device;
	ino_t file_inode, root_inode;
	struct sim *sim;
	struct sim *redrawn[TALLY_DRAWS];	/* map.tally->draws of them */
	pthread_mutex_t lock;	/* of threads, and of move */
	pthread_mutex_t writes;	/* of what the tally counts */
	bool child;		/* forked, and not simulated: rule 6 */
	bool stale;		/* the simulator holds the parent's state */
	uint64_t guest_base;	/* QEMU's address of the program's address 0 */
	bool places;		/* a prefetcher needs the PC of accesses */
	bool attributes;	/* counts go to sites: --by */
	/* of what is fed now (regions/); set by the consumer */
	bool counts;		/* it is inside of tally.from */
	bool executes;		/* blocks count their executions: both */
	struct tally_site *charged;	/* the sites that get the counts, ... */
	struct tally_why *reasons;	/* ... and their reasons (--why) */
	uint64_t outside[1 + TALLY_DRAWS][SIGNALS];	/* of what was not
							 * inside */
	bool predicts;
	bool translates;	/* there is a code TLB */
	bool translates_data;
	unsigned line_shift;
	unsigned store_bit;	/* of QEMU's word about an access */
	unsigned size_bit, size_mask;
	struct decoded (*decode)(const unsigned char *p, size_t bytes);
	uint64_t extra[SIGNALS];	/* of what was counted, not fed */
	uint64_t move[GIBS];	/* what to flip in addresses of each GiB, + 1;
				 * 0: not known yet */
	uint32_t taken;		/* bit per low GiB */
	uint32_t running;	/* threads */
	struct lane *lane[LANES];
	struct consumer consumer;
	struct why *why;	/* NULL: without --why */
	struct data *data;	/* NULL: without --by data */
	uint64_t gib[16];	/* that move.h put at each of the low ones */
};

extern struct session session;

/* NULL: a thread too many. */
static inline struct lane *lane_of(unsigned vcpu)
{
	return __builtin_expect(vcpu < LANES, true) ? session.lane[vcpu] :
						      NULL;
}

/*
 * What the library reads is not written meanwhile. false: it does not read any
 * more, and nothing is to be written.
 */
static inline bool tally_begin(void)
{
	pthread_mutex_lock(&session.writes);
	__atomic_add_fetch(&session.map.tally->changes, 1, __ATOMIC_SEQ_CST);
	return !__atomic_load_n(&session.tallies->closed, __ATOMIC_SEQ_CST);
}

static inline void tally_end(void)
{
	__atomic_add_fetch(&session.map.tally->changes, 1, __ATOMIC_SEQ_CST);
	pthread_mutex_unlock(&session.writes);
}

#endif
