/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The plugin at work: one session per process, because QEMU's callbacks know
 * no other way to it.
 *
 * 1. Each thread of the program writes words into a buffer (lane.c): which
 *    block runs, and what it accesses. Full buffers go to a thread of ours
 *    (queue.c), which makes records of the words (take.c) and feeds the one
 *    simulator (feed.c): threads take turns on one core, a buffer each.
 * 2. Branches act on the predictor alone, at once, out of the stream of
 *    accesses; what walks the wrong path of one is put there.
 * 3. What changes nothing but counts is counted and not fed (filter.h).
 * 4. A block that runs again and again is only counted, where its branch and
 *    its code change nothing by rules 2 and 3.
 * 5. Translation is serialised by QEMU; blocks and sites are found and made
 *    there, and never freed.
 * 6. A process that is forked counts into a tally of its own (kin.c), from 0
 *    and with empty caches; a program that takes another's place is run by a
 *    QEMU of its own (follow.c). Where that cannot be, nothing is collected any
 *    more in the child, and the tally is not touched: it is the parent's.
 * 7. QEMU performs wide accesses in parts. Parts of one execution of one
 *    instruction that lie side by side are one access again, as wide as the
 *    instruction can make it (struct decoded). An atomic operation is a load
 *    and a store, a store-exclusive a store, whatever QEMU makes of it.
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
struct heir {
	struct tally_map map;	/* tally NULL: none */
	uint32_t slot;
	int fd;			/* the file's; closed by execve */
};

struct session {
	struct tally_map map;
	struct child_tally_head *tallies;
	uint32_t slot;		/* ours */
	struct heir heir;	/* of what is being forked */
	dev_t file_device, root_device;
	ino_t file_inode, root_inode;
	struct sim *sim;
	struct sim *redrawn[TALLY_DRAWS];	/* map.tally->draws of them */
	pthread_mutex_t lock;	/* of threads, and of move */
	pthread_mutex_t writes;	/* of what the tally counts */
	bool child;		/* this process is one, and does not count */
	bool stale;		/* what is simulated is the parent's */
	uint64_t guest_base;	/* of the program's addresses in ours */
	bool places;		/* accesses need their PC */
	bool attributes;	/* and their site */
	bool predicts;
	bool translates;	/* there is a code TLB */
	bool translates_data;
	unsigned line_shift;
	unsigned store_bit;	/* of QEMU's word about an access */
	unsigned size_bit, size_mask;
	struct decoded (*decode)(const unsigned char *p, size_t bytes);
	uint64_t extra[SIGNALS];	/* beside the simulator's */
	uint64_t move[GIBS];	/* what to flip in addresses of each GiB, + 1;
				 * 0: not known yet */
	uint32_t taken;		/* bit per low GiB */
	uint32_t running;	/* threads */
	struct lane *lane[LANES];
	struct taker taker;
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
