/* SPDX-License-Identifier: MIT */
/*
 * What a simulator is made of; private to this room.
 *
 * A record becomes steps: lookups of one line each, with translation and the
 * predictor's doings behind them (engine/records.h, engine/tlbs.h). Steps then go
 * through the caches (engine/caches.h).
 *
 * For fast-forward the state is three tiers, each driven by the ones before
 * and by itself, apart from the messages that are hashed:
 *   core	TLBs, predictor, prefetchers, write-combining buffers
 *   near	L1D and L1I, in columns of sets: line number mod near_units
 *   far	L2 and L3, in columns of sets: line number mod far_units
 */
#ifndef SIM_STATE_H
#define SIM_STATE_H

#include "sim/model/level.h"
#include "sim/model/pages.h"
#include "sim/model/predict.h"
#include "sim/sim.h"

/* Where a line can be, in the order of lookup. */
enum place { PLACE_L1D, PLACE_L1I, PLACE_L2, PLACE_L3, PLACE_MEMORY };
#define CACHES PLACE_MEMORY

struct cache {
	struct level lines;
	enum inclusion inclusion;
	bool present, write_through, no_write_allocate;
	bool silent_clean, loud_from_dram;
	bool takes_clean;	/* it wants clean victims of the level above */
	enum place below;
	unsigned longer;	/* its line: 2^longer lines of L1D */
};

/* What a step does to its line: the low three bits of its key. */
enum step_kind {
	STEP_LOAD, STEP_STORE, STEP_WALK, STEP_STORE_NT, STEP_FETCH,
	STEP_FLUSH, STEP_PREFETCH,
	STEP_CODE	/* L1I has missed it, and holds it by now */
};

#define STEPS 2048

#define STEP_KINDS 8
#define STEPS_AHEAD 16	/* keys that may be written beyond a list's end */

struct steps {
	uint32_t count;
	uint32_t of[STEP_KINDS];	/* of these, by kind */
	uint32_t key[STEPS + STEPS_AHEAD];	/* line << 3 | kind */
	uint64_t line[STEPS];	/* the virtual line, and ... */
	uint32_t pc[STEPS];	/* ... low bits of the PC: for prefetchers */
};

/* Records that only the predictor sees, of one pass. */
#define BRANCHES 256

struct branches {
	uint32_t count;		/* above BRANCHES: there were more */
	uint64_t record[BRANCHES];
};

/* How hits in L1D can be done at once: by its policy, or not. */
enum front { FRONT_NONE, FRONT_LRU, FRONT_TREE, FRONT_OTHER };

static inline enum front front_by(enum replacement policy)
{
	return policy == REPLACE_LRU ? FRONT_LRU :
	       policy == REPLACE_TREE_PLRU ? FRONT_TREE : FRONT_OTHER;
}

/* How engine/misses.h can take misses in L1D: not, anyhow, or compiled for a
 * hierarchy. */
enum misses {
	MISSES_BY_RULES, MISSES_QUICK,
#define HIERARCHY(name, ...) MISSES_##name,
#include "sim/engine/hierarchies.def"
#undef HIERARCHY
	MISS_PATHS
};

/* Groups of columns whose counts are multiplied alike. */
#define GROUPS 64

struct engine;
struct periods;
struct prefetchers;

#define COMBINING 8
#define CODE_FRAMES 16384

struct sim {
	uint64_t total[SIGNALS];
	/* Where the tiers count: total, or the part of a group. */
	uint64_t *core;
	bool grouped;
	struct cache cache[CACHES + 1];	/* MEMORY: not present */
	bool has_dtlb, has_itlb;
	struct level dtlb, itlb, l2tlb, l2itlb, store_dtlb;
	const struct level *first[2];	/* dtlb; of stores, maybe another one */
	uint32_t split_dtlb;	/* it is: 1 */
	const struct level *second[2];	/* behind dtlb, itlb; NULL: nothing */
	struct pages pages;
	unsigned line_shift, tlb_shift;
	unsigned walk_first;	/* level of its first descriptor; 0: none */
	enum place walk_place;
	enum place served;	/* of the last demand step */
	uint32_t last_virt;	/* TLB page of the last data lookup, | 1: in the
				 * stores' own TLB; if ... */
	bool same_page_free;	/* ... a second lookup changes nothing */
	bool unmasked;		/* sets are not chosen by parts of numbers */
	unsigned longest;	/* of the caches' `longer` */
	bool keeps_dram;	/* some level asks for LEVEL_DRAM */
	bool trains[3];		/* is a prefetcher on that trains on it */
	uint32_t requests;	/* of prefetchers, not issued yet */
	bool code_apart;	/* but for flushes, only fetches change L1I, ... */
	bool code_ahead;	/* ... and what it takes and loses is bare lines */
	enum front front;
	enum misses misses;
	bool coupled;		/* caches act on TLBs: step by step */
	bool ahead, ahead_l2, ahead_l3;	/* see engine/ahead.h */
	uint32_t missed;	/* L1D, of the last group of steps */
	bool draining;		/* steps that come up now are done at once */
	uint64_t pc_base;
	uint64_t loop_pc;	/* of the last conditional branch ... */
	uint32_t loop_run;	/* ... how often it was taken, at most 8 */
	uint32_t combining[COMBINING];	/* lines, newest first */
	/* Hashes of what went up: far to near, near or far to core. */
	uint64_t message_near, message_core;
	bool watched;		/* is message_core a hash, or 1 for any? */
	const struct engine *engine;
	sim_watch_fn *watch;	/* engine/watched.c */
	void *watch_ctx;
	uint64_t plain_limit;	/* below it, addresses are lines; 0: never */
	bool batches;		/* engine/batch.h can take loads and stores */
	struct prefetchers *prefetchers;
	struct predictor *predictor;
	struct periods *periods;
	struct geometry geometry;
	uint64_t code_frames[CODE_FRAMES / 64];	/* see may_be_code */
	struct steps steps;
	struct branches branches;
};

/* prefetch.c */
struct prefetchers *prefetchers_build(const struct geometry *g,
				      struct carve *c);
void prefetchers_reset(struct prefetchers *p);
const char *prefetchers_refusal(const struct geometry *g);
uint64_t prefetchers_hash(const struct prefetchers *p);
/* A miss, or the first use of a prefetched line, in a level that trains. */
void prefetchers_train(struct sim *s, unsigned level, uint64_t line,
		       uint32_t pc);
/* Issues what was asked for since. */
void prefetchers_issue(struct sim *s);
/* Is any prefetcher on that trains on this level (1, 2)? */
bool prefetchers_train_on(const struct geometry *g, unsigned level);
/* Can one of them change a TLB? */
bool prefetchers_cross_pages(const struct geometry *g);

/* flow.c */
#define FLOW_MOST_LISTED 65536u	/* entries of a predictor */

void flow_mispredicted(struct sim *s, uint64_t branches);
/* Does outcome k end a loop, if it is not taken? */
bool flow_looped(const struct sim *s, const uint64_t *outcome, size_t k);
/* The last of n conditional ones has run. */
void flow_ended(struct sim *s, const uint64_t *outcome, size_t n);

/* periods.c */
struct periods *periods_build(const struct sim *s, struct carve *c);
void periods_reset(struct periods *p);
/* Where a line's near and far tiers count while grouped. */
uint64_t *periods_near(struct periods *p, uint32_t key);
uint64_t *periods_far(struct periods *p, uint32_t key);

/* L1I never held a line of other frames of 4 KiB, by their low bits. */
static inline uint32_t code_frame(const struct sim *s, uint32_t key)
{
	return key >> 3 >> (PAGE_BITS - s->line_shift) & (CODE_FRAMES - 1);
}

static inline bool may_be_code(const struct sim *s, uint32_t key)
{
	const uint32_t frame = code_frame(s, key);

	return s->code_frames[frame / 64] >> frame % 64 & 1;
}

static inline uint64_t *count_near(struct sim *s, uint32_t key)
{
	return s->grouped ? periods_near(s->periods, key) : s->total;
}

static inline uint64_t *count_far(struct sim *s, uint32_t key)
{
	return s->grouped ? periods_far(s->periods, key) : s->total;
}

#endif
