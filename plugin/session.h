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
 *    instruction can make it (struct decoded).
 * 8. A block whose first access is certain is announced by that access. What
 *    is before it in the block accesses nothing; if that access faults, it is
 *    not counted either.
 * 9. Where neither the sites of accesses nor their addresses' instructions
 *    matter, the program's threads filter themselves (front.c), and write
 *    records; with several threads each buffer begins with an empty filter.
 *    Blocks go beside the records, by number.
 * 10. There, most addresses are known when a block begins (ahead.c): they
 *    follow from QEMU's registers. They are handed over when the next block
 *    begins, or what QEMU reports comes after them, since one may fault; those
 *    that change nothing count at once, and a fault takes that back, but not
 *    that their pages are newest in a TLB.
 * 11. Whichever side waits for the other gets more to do: between two blocks a
 *    thread may stop to filter, and only writes down what it would have done
 *    (raw.c); then the taking thread does that, in the thread's shadow, a lane
 *    behind the queue. What one filter has not told is told before the other
 *    begins, empty.
 */
#ifndef PLUGIN_SESSION_H
#define PLUGIN_SESSION_H

#include <pthread.h>
#include <sys/types.h>

#include "base/access.h"
#include "decode.h"
#include "filter.h"
#include "plan.h"
#include "qemu.h"
#include "sim/sim.h"
#include "store/kin.h"

#define LANES 1024
#define WORDS 4096	/* in a buffer */
#define RAW_WORDS 16384	/* rule 11: the same */
#define STRETCH (UINT64_C(1) << 16)	/* instructions, in a buffer, where runs
					 * are not written down */
#define RUNS 8192	/* of blocks, in a buffer */
#define MOST_WORDS (2 * FILTER_MOST_BEFORE + 64)	/* that one callback and
						 * the end of it write */
#define STREAM_RECORDS 2048

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

/* Of an instruction in a block. */
struct step_info {
	uint32_t site;		/* ATTRIBUTE */
	uint16_t widest;	/* struct decoded */
	uint8_t place;		/* for the record */
	bool streaming;
};

/* A translated block. */
struct block {
	_Alignas(64) uint64_t pc;
	uint64_t after;		/* the address behind it */
	uint64_t first_line, last_line;	/* of code */
	uint64_t executions;	/* ATTRIBUTE; the taking thread's */
	uint32_t number;	/* of its struct run */
	uint32_t instructions;
	bool any_unseen;
	bool loops;		/* rule 4 */
	uint8_t flow;		/* enum flow, of the last instruction */
	uint32_t first;		/* rule 8: the index of the access, or ... */
	uint16_t unseen[TALLY_UNSEENS];
	const struct plan *plan;	/* rule 10; or NULL */
	struct block *next;	/* in its bucket */
	struct block *all;	/* the one made before */
	struct step_info step[];
};
#define NO_ACCESS UINT32_MAX	/* ... it is announced by a callback */

/* What rule 9 needs of a block whenever it runs; there are many. */
struct run {
	uint64_t pc;
	uint16_t bytes;		/* up to what is behind it */
	uint16_t instructions;
	uint8_t place;		/* the last one's: its PC is pc + 4 * place */
	uint8_t flow;		/* enum flow; and is that FLOW_BRANCH? */
	bool branches;
	bool odd;		/* more is to be done than for all blocks */
};
#define RUN_NONE 0u		/* nothing ran before the next one */
#define RUN_CHUNK_BITS 12
#define RUN_CHUNK (1u << RUN_CHUNK_BITS)
#define RUN_CHUNKS (1u << 16)

struct run_chunk {
	_Alignas(64) struct run run[RUN_CHUNK];
	const struct block *block[RUN_CHUNK];
};

struct stream {
	uint32_t records;
	uint64_t record[STREAM_RECORDS];
	uint32_t site[STREAM_RECORDS];	/* ATTRIBUTE */
};

/* Sums of what is fed in another form, or not at all. */
struct sums {
	uint64_t instructions;
	uint64_t fetches;	/* rule 3 */
	uint64_t hits[2];	/* rule 3: loads, stores; and those of them */
	uint64_t split[2];	/* that are in two lines */
	uint64_t flow[FLOWS];	/* branches, if there is no predictor */
	uint64_t taken;
	uint64_t unseen[TALLY_UNSEENS];
	uint64_t loads, stores;	/* COUNT */
};

struct lane;

struct buffer {
	struct buffer *next;	/* in the queue, or free */
	struct lane *lane;
	uint32_t words;
	/* Rule 9: also blocks, and at which word each began to run. */
	struct sums sums;
	bool raw;		/* rule 11 */
	uint32_t runs;
	uint32_t ran[RUNS];
	uint16_t ran_at[RUNS];
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

/* Rule 11: what a thread does. */
enum way {
	WAY_FILTER,
	WAY_RAW,		/* it only writes down */
	WAY_TURN		/* a bit: the other when the next block begins */
};

/* A thread of the program: what it writes ... */
struct lane {
	uint64_t *at, *end;
	uint32_t runs;		/* rule 9 */
	uint64_t hits;		/* rule 3: loads, and stores in the upper half */
	uint64_t fetched;	/* rule 9: the last line of code */
	uint64_t after;		/* without a predictor: how the block before
				 * ended */
	uint8_t flow;
	uint8_t way;		/* rule 11: enum way */
	const struct block *counted;	/* COUNT: the block before */
	uint64_t last;		/* rule 11: the same, as raw.c's word */
	struct parts part;
	const void *part_of;
	uint32_t done, limit;	/* rule 10: reaches of the plan that are handed
				 * over, and that count; LIMIT_LEFT: a fault */
	struct sums sums;
	struct filter filter;		/* rule 9 */
	struct buffer *buffer;
	struct lane *shadow;		/* rule 11; a shadow's is NULL, and ... */
	struct lane *of;		/* ... this its lane; a lane's itself */
	uint64_t fed;			/* a shadow's: words, of one raw buffer */
	bool dense;			/* there were many of them: atomic */
	struct ahead ahead;		/* rule 10 */
	/* ... and the taking thread's place in it. */
	_Alignas(64) struct block *block;	/* that runs now */
	struct block *loop;	/* the same, if rule 4 holds for it */
	uint32_t ran;		/* rule 9: the last one; of a shadow none */
	uint64_t line;		/* of code, that was fetched last */
	uint32_t far;		/* of WORD_INDEX */
	struct parts parts;
};

/* What the taking thread knows of the simulator. */
struct taker {
	struct stream access;
	struct sums sums;
	struct lane *lane;	/* whose words were last */
	uint64_t again;		/* rule 4: how often lane->loop ran again */
	struct filter filter;
	uint32_t fed;		/* rule 9: words of the buffer */
};

#define GIB 30
#define GIBS (1 << 18)		/* of 48 bits */
#define LOW_GIBS 16

/* A slot for another process or program. */
struct heir {
	struct tally_map map;	/* tally NULL: none */
	uint32_t slot;
	int fd;			/* the file's; closed by execve */
};

/* Rule 10 rests on how QEMU keeps registers: that is compared, at first. */
struct trust {
	bool watched;		/* faults are */
	bool never;		/* it was found different */
	bool always;		/* compare, and end if it is */
	uint32_t compared;	/* addresses that were as expected, and ... */
	uint32_t segments;	/* ... by the base of FS */
};

struct session {
	struct tally_map map;
	struct kin *kin;
	uint32_t slot;		/* ours */
	struct heir heir;	/* of what is being forked */
	dev_t file_device, root_device;
	ino_t file_inode, root_inode;
	struct sim *sim;
	struct sim *redrawn[TALLY_DRAWS];	/* map.tally->draws of them */
	pthread_mutex_t lock;	/* of the tally; and translation's */
	bool child;		/* this process is one, and does not count */
	bool stale;		/* what is simulated is the parent's */
	uint64_t guest_base;	/* of the program's addresses in ours */
	bool places;		/* accesses need their PC */
	bool attributes;	/* and their site */
	bool predicts;
	bool fronts;		/* rule 9 */
	bool turns;		/* rule 11: at each buffer, which is small */
	bool threaded;		/* there has been a second thread */
	struct trust trust;	/* rule 10 */
	bool translates;	/* there is a code TLB */
	bool translates_data;
	unsigned line_shift;
	unsigned store_bit;	/* of QEMU's word about an access */
	unsigned size_bit, size_mask;
	struct decoded (*decode)(const unsigned char *p, size_t bytes);
	struct operands (*operands)(const unsigned char *p, size_t bytes,
				    uint64_t pc);	/* or NULL: rule 10 not */
	uint64_t extra[SIGNALS];	/* beside the simulator's */
	uint64_t move[GIBS];	/* what to flip in addresses of each GiB, + 1;
				 * 0: not known yet */
	uint32_t taken;		/* bit per low GiB */
	uint32_t running;	/* threads */
	struct lane *lane[LANES];
	struct run_chunk *run[RUN_CHUNKS];
	struct taker taker;
};

extern struct session session;

/* NULL: a thread too many. */
static inline struct lane *lane_of(unsigned vcpu)
{
	return __builtin_expect(vcpu < LANES, true) ? session.lane[vcpu] :
						      NULL;
}

/* lane.c */
void lane_open(unsigned vcpu);
void lane_close(unsigned vcpu);
/* Empty, as before its first thread; and a thread begins in it. */
void lane_restart(struct lane *lane);
void lane_begin(struct lane *lane);
/* Hands over what it has written. */
void lane_flush(struct lane *lane);
/* The same, and from now on it does that. */
void lane_turn(struct lane *lane, enum way way);
/* Callbacks of QEMU; lane.c has what their data is. */
qemu_exec_fn lane_block, lane_block_counted;
qemu_mem_fn lane_access, lane_access_first, lane_access_first_odd,
	    lane_access_far, lane_access_counted;

/* The power of two of bytes that touches the same lines; what touches more
 * stays in two. */
static inline unsigned parts_log2(const struct parts *parts)
{
	const uint64_t last = parts->from + parts->bytes - 1;
	const unsigned log2 = 63 - (unsigned)__builtin_clzll(parts->bytes);

	return log2 + ((parts->from + (UINT64_C(1) << log2) - 1) >>
		       session.line_shift != last >> session.line_shift);
}

/* front.c: the same, filtered. */
/* Has it been written for such lines, and for this QEMU? */
bool front_possible(const struct filter *f);
/* A lane is new; a thread begins in it. */
void front_init(struct lane *lane);
void front_open(struct lane *lane);
void front_put_parts(struct lane *lane);
void front_settle(struct lane *lane);
qemu_exec_fn front_block;
qemu_mem_fn front_access, front_access_first, front_access_odd;

/* Has it rules of its own? Then its parts are put together. */
static inline bool is_odd(const struct step_info *step)
{
	return step->widest || step->streaming;
}

/* ahead.c: rule 10. */
/* Can it hold here? */
bool ahead_possible(void);
/* Registers what the block needs; false: it does it without. */
bool ahead_watch(struct qemu_plugin_tb *tb, struct block *b);
void ahead_open(struct lane *lane);
/* Hands over what the block before has done. */
void ahead_settle(struct lane *lane);
/* Where it was left: an access, as the program sees it, faults. */
struct fault {
	uint64_t address;
	bool nowhere;		/* it is none at all, the address is unknown */
	bool store;
};
/* And back again. */
struct unfaulted {
	uint32_t done, limit;
	uint64_t hits[2];	/* of its sums */
};
struct unfaulted ahead_fault(struct lane *lane, const struct fault *fault);
void ahead_unfault(struct lane *lane, const struct unfaulted *before);

/* What a block that is known ahead, and its code, look like: all that it
 * derives counts at once (rule 4 of plan.h), by one register each. */
enum { SHAPES = 5, SHAPE_ANY = SHAPES, ENTRIES };

/* entry-*.S: callbacks, which add QEMU's state; by shape, the number of
 * reaches. None is possible on this machine if the last is NULL. */
extern qemu_exec_fn *const entry_block[ENTRIES], *const entry_compared;
typedef void state_fn(unsigned vcpu, void *data, const uint64_t *state);
state_fn ahead_block_0, ahead_block_1, ahead_block_2, ahead_block_3,
	 ahead_block_4, ahead_block_any, compare_block;

/* What QEMU reports of a step that is direct. */
void ahead_direct(struct lane *lane, const struct planned_step *step,
		  qemu_plugin_meminfo_t info, uint64_t address);

/* compare.c: the same addresses as QEMU's? */
qemu_mem_fn compare_access;
/* Enough of them were, for that plan. */
bool compare_done(const struct plan *plan);

/* raw.c: rule 11. */
/* Into the thread's buffer. */
void raw_open(struct lane *lane);
void raw_settle(struct lane *lane);
void raw_block(struct lane *lane, const struct block *b);
void raw_first(struct lane *lane, const struct block *b,
	       qemu_plugin_meminfo_t info, uint64_t address);
void raw_plain(struct lane *lane, qemu_plugin_meminfo_t info,
	       uint64_t address);
void raw_odd(struct lane *lane, const struct step_info *step,
	     qemu_plugin_meminfo_t info, uint64_t address);
void raw_direct(struct lane *lane, const struct planned_step *step,
		qemu_plugin_meminfo_t info, uint64_t address);
void raw_fault(struct lane *lane, const struct fault *fault);
void raw_unfault(struct lane *lane);
/* The next block does not run yet: the lane turns. */
void raw_turn(struct lane *lane);
/* And out of it. */
void raw_take(struct buffer *buffer);

/* fault-*.c: the program's accesses that fault. */
void fault_watch(void);

/* queue.c: full buffers to the taking thread, which starts with the first. */
/* An empty buffer; NULL: no memory. */
struct buffer *queue_get(void);
/* Gives it away, full; returns how many there are now that wait. */
unsigned queue_put(struct buffer *buffer);
/* Waits until all that was given is fed. */
void queue_drain(void);
/* From now on nothing is taken any more. */
void queue_stop(void);
/* Around a fork; and in the child: nothing was given. */
void queue_lock(void);
void queue_unlock(void);
void queue_reset(void);

/* arena.c: memory that is never freed, 0, in pages as large as possible,
 * and beginning with a line. */
void *arena_take(size_t bytes);
/* It was the last one. */
void arena_give_back(void *memory, size_t bytes);
/* Around a fork. */
void arena_lock(void);
void arena_unlock(void);

/* move.c: programs' addresses to where the simulator is fast. */
void move_in(uint64_t gib);
filter_move move_of;

/* The same of a record. */
static inline uint64_t moved(uint64_t record)
{
	const uint64_t *flip = &session.move[access_operand(record) >> GIB];

	if (__builtin_expect(!__atomic_load_n(flip, __ATOMIC_RELAXED), false))
		move_in(access_operand(record) >> GIB);
	return record ^ (__atomic_load_n(flip, __ATOMIC_RELAXED) - 1);
}

/* take.c: words into records. */
void take(struct buffer *buffer);

/* runs.c: what the blocks of a buffer, which have run, retire and predict. What
 * walks of a wrong path come after is fed before them. */
void runs_take(struct taker *t, struct lane *lane, struct buffer *buffer);

/* feed.c: records into the simulator and the tally. */
/* A branch, at pc; returns what sim_flow does. */
uint32_t feed_flow(uint64_t pc, uint64_t record, uint32_t site);
/* As sim_outcomes, sim_calls and sim_jumps; rule 9, without ATTRIBUTE. */
size_t feed_outcomes(const uint64_t *outcome, size_t n, uint32_t *after,
		     uint32_t *walks);
void feed_calls(const uint64_t *record, size_t n);
void feed_jumps(const uint64_t *pc, const uint64_t *record, size_t n);
/* Records as they are; a record may have been changed then. */
void feed_records(uint64_t *record, size_t records);
/* The stream and the sums; both are empty then. */
void taker_feed(struct taker *taker);

/* block.c */
/* A string instruction that runs again retires once for all its rounds. */
static inline bool block_runs_again(const struct block *from,
				    const struct block *b)
{
	return from->flow == FLOW_REPEAT && b->instructions == 1 &&
	       from->after == b->after;
}

/* The block of that translation, found or made; NULL: out of memory. */
struct block *block_find(const struct qemu_plugin_tb *tb);
static inline struct run *run_of(uint32_t number)
{
	return &session.run[number >> RUN_CHUNK_BITS]->run[number %
							   RUN_CHUNK];
}

/* Of RUN_NONE none. */
static inline const struct block **block_of(uint32_t number)
{
	return &session.run[number >> RUN_CHUNK_BITS]->block[number %
							     RUN_CHUNK];
}

/* Gives what ran to the sites. */
void blocks_settle(void);
/* Nothing has run. */
void blocks_forget(void);

/* board.c: what runs on a board; its callbacks. */
void board_translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb);
void board_exit(qemu_plugin_id_t id, void *data);

/* plugin.c */
/* Nothing has been taken. */
void simulator_forget(void);
/* The caches are empty; later, in the taking thread. */
void simulator_reset(void);

/*
 * What the library reads is not written meanwhile. false: it does not read any
 * more, and nothing is to be written. Of one thread at a time.
 */
static inline bool tally_begin(void)
{
	__atomic_add_fetch(&session.map.tally->changes, 1, __ATOMIC_SEQ_CST);
	return !__atomic_load_n(&session.kin->closed, __ATOMIC_SEQ_CST);
}

static inline void tally_end(void)
{
	__atomic_add_fetch(&session.map.tally->changes, 1, __ATOMIC_SEQ_CST);
}

/* guest.c: the program's memory. */
static inline void *guest_host(uint64_t address)
{
	return (void *)(uintptr_t)(address + session.guest_base);
}

static inline uint64_t guest_address(const void *host)
{
	return (uint64_t)(uintptr_t)host - session.guest_base;
}

/* false: not all of it can be read. */
bool guest_read(void *out, size_t bytes, uint64_t address);
/* With its 0. false: it cannot be read, or is longer. */
bool guest_text(char *out, size_t room, uint64_t address);

/* kin.c: tallies of what is started. */
/* Maps the head and a slot. Returns 0 or -1. */
int kin_open(const char *path, uint32_t slot);
/* This program runs, and so what was before it is done. */
void kin_begin(void);
/* The tally is complete, and is not touched any more. */
void kin_done(void);
/* The calling thread of the program. */
void kin_here(unsigned vcpu);
/* Is what this process starts to be simulated? */
bool kin_follows(void);
/* Are files where they were? */
bool kin_same_root(void);
/* A slot for another, filled but for its name. false: there is none, or the
 * library's file cannot be opened again. */
bool kin_take(struct heir *out);
void kin_give_back(struct heir *heir);
/* Handlers of fork. */
void kin_before_fork(void);
void kin_in_parent(void);
void kin_in_child(void);

/* follow.c: an execve of the program's; addresses are its own. */
struct execution {
	int directory, flags;	/* of execveat */
	uint64_t path, arguments, environment;
};

/* Does not return if the other program runs; else why it does not. */
enum tally_native kin_follow(const struct execution *e);

/* started.c: names what is run and not simulated. */
void started_note(uint64_t path, uint64_t arguments);

/* site.c: the site of an instruction, found or made. */
uint32_t site_find(uint64_t pc, uint64_t host);

#endif
