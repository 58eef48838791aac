/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a block accesses, as far as its instructions say it.
 *
 * 1. An access is derived if its address follows from the registers as they
 *    are when the block begins. Those of one base that are neighbours in the
 *    order of the program, and in memory, are a reach; it has one address.
 * 2. All others are direct: QEMU reports them. No reach goes on past one.
 * 3. Behind the first instruction that is not certain (operands.h) all is
 *    direct. So only an access that faults ends a block before a derived one.
 * 4. Reaches behind a direct access count only once that one is reported
 *    whole: it may have faulted.
 */
#ifndef PLUGIN_PREDICT_ADDRESSES_PLAN_H
#define PLUGIN_PREDICT_ADDRESSES_PLAN_H

#include <stddef.h>

#include "plugin/predict-addresses/operands.h"

#define PLAN_REACHES 63		/* raw.h has them in 6 bits */
#define PLAN_STEPS 256		/* longer blocks have no plan */

struct reach {
	uint64_t offset;
	uint16_t loads, stores;
	int8_t base_mask, index_mask;	/* -1, or 0: there is none */
	uint8_t base, index;	/* words of QEMU's state */
	uint8_t shift;
	uint8_t last;		/* its last byte */
	uint8_t grain;		/* if the address has none of these 6 bits, no
				 * access crosses a line */
	bool loads_only;
	uint16_t first, accesses;
};

/* Of an instruction that is certain. */
struct planned_access {
	uint64_t offset;	/* as in struct reach */
	uint64_t record;	/* without its address: base/access.h */
	uint16_t reach;		/* or NO_REACH: direct */
	uint16_t bytes;
	bool store;
};
#define NO_REACH UINT16_MAX

struct block;
struct step_info;

/* An instruction. */
struct planned_step {
	const struct plan *plan;
	const struct step_info *info;	/* its block's */
	uint16_t first, accesses;	/* if it is certain */
	uint16_t before;	/* reaches before it */
	uint16_t limit;		/* reaches that count behind it: rule 4 */
	uint16_t bytes;		/* of the last access */
	bool store;		/* is that one a store? */
	bool certain, direct;
};

/* What is looked at less often. */
struct plan_details {
	const struct block *block;
	bool segment;		/* some reaches are by that of x86-64 */
	bool simple;		/* all count at once, by no index */
	uint16_t accesses;	/* they are, and then a step each instruction */
	struct planned_access access[];
};

/* With one reach it is as long as a line of the cache: what the block has, too,
 * need not be looked at there. */
struct plan {
	uint64_t pc;		/* the block's */
	uint64_t hits;		/* of the reaches that count at once: loads, and
				 * stores in the upper half */
	struct plan_details *details;
	uint16_t instructions;
	uint16_t bytes;		/* of code, ... */
	uint8_t last;		/* ... and of the last instruction */
	uint8_t flow;		/* the block's */
	bool odd;		/* it has any_unseen */
	uint8_t reaches;
	uint8_t limit;		/* reaches that count at once: rule 4 */
	struct reach reach[];
};
_Static_assert(sizeof(struct plan) + sizeof(struct reach) == 64,
	       "of one line");

static inline struct planned_step *plan_steps(const struct plan *plan)
{
	return (struct planned_step *)(plan->details->access +
				       plan->details->accesses);
}

/* Loads, and stores in the upper half. */
static inline uint64_t reach_hits(const struct reach *r)
{
	return r->loads | (uint64_t)r->stores << 32;
}

static inline size_t plan_bytes(const struct plan *plan)
{
	return sizeof(*plan) + plan->reaches * sizeof(*plan->reach);
}

/* Of the instructions of a block, in their order, to be freed; NULL: no memory.
 * What is the block's is not filled in. */
struct plan *plan_new(const struct operands *o, uint32_t steps,
		      unsigned (*place)(unsigned reg));

static inline uint64_t reach_address(const struct reach *r,
				     const uint64_t *state)
{
	return r->offset + (state[r->base] & (uint64_t)r->base_mask) +
	       ((state[r->index] & (uint64_t)r->index_mask) << r->shift);
}

/* If it has no index. */
static inline uint64_t reach_simple(const struct reach *r,
				    const uint64_t *state)
{
	return r->offset + (state[r->base] & (uint64_t)r->base_mask);
}

static inline uint64_t planned_address(const struct reach *r,
				       const struct planned_access *a,
				       uint64_t reached)
{
	return reached + (a->offset - r->offset);
}

#endif
