/* SPDX-License-Identifier: MIT */
/*
 * Exact fast-forward of periodic kernels; private to forward.c and the files
 * that it calls.
 *
 * The state is split into the core, near units and far units (state.h). If
 *   1. the core's state and all messages to it have repeated with period q
 *      during the last M passes,
 *   2. so have the messages from far to near units, and
 *   3. each near unit's state is what it was p passes ago, and each far unit's
 *      together with its near unit's, p <= M a multiple of q,
 * then every unit repeats with its p for ever: the next event is, for its unit,
 * what it was p passes ago, since all that acts on the unit is. If 2 does not
 * hold, units are joint (one near unit with all far units behind it),
 * so that those messages stay inside.
 *
 * Then M more passes are simulated, counting by period; each pass j < p of a
 * unit stands for all passes that are like it. Last, the state of each unit is
 * set to the one it will have at the end.
 *
 * What was found for one run is tried first in the next: its periods are taken
 * for granted, M passes are counted by them while their rows are written, and
 * then 1 to 3 are asked of these rows: 1 and 2 of all M, 3 of the state before
 * the first of them and p passes later. So what was counted is part of the
 * repetition, and no pass is spent on the search; if a trial fails, what was
 * simulated stays counted.
 *
 * A run's passes are all of the same records, and so of the same work, but that
 * the first may have some more before it.
 *
 * Passes that are long, beside a look at all sets, are first asked for less:
 * has one left the core as some pass before did, and all sets alike to what
 * they were then (turn.h)? Then those in between are what repeats.
 */
#ifndef SIM_PERIODS_H
#define SIM_PERIODS_H

#include "sim/state.h"
#include "sim/fast-forward/turn.h"

#define PERIODS_ROWS 512	/* passes that are remembered */
#define PERIODS_CORE 64		/* longest period of the core */
#define PERIODS_UNITS 2048	/* most far units */
#define PERIODS_FIRST_GAP 256
#define PERIODS_SET_COST 2	/* a set hashed, as accesses simulated */
#define PERIODS_STEADY 4	/* looks at all sets for a steady pass */

struct periods {
	bool coupled;	/* by words that sets share, or by longer lines */
	bool off, multiplying;
	uint32_t near_units, far_units;
	uint64_t near_reciprocal, far_reciprocal;	/* to divide by them */
	bool known;		/* the periods are those of the last run */
	bool trial;		/* ... and are multiplied before the proof */
	bool joint;		/* near and far columns have one period */
	/* detection */
	uint32_t rows;		/* of this attempt */
	uint64_t idle, gap;	/* passes until the next attempt, and after */
	uint64_t written;	/* rows of all attempts in this run */
	uint64_t work;		/* until the end of the last pass */
	uint64_t row_cost;	/* a row's, in the same unit */
	uint64_t *core, *up_core, *up_near;	/* PERIODS_ROWS each */
	uint64_t *near, *far;	/* PERIODS_ROWS * units */
	uint32_t streak[PERIODS_CORE + 1];	/* passes that repeated ... */
	uint32_t joint_streak[PERIODS_CORE + 1];	/* ... not asking 2 */
	uint64_t before[SIGNALS];	/* totals a pass ago */
	/* multiplication */
	uint32_t core_period, most;
	uint32_t first;		/* trial: the row before them */
	uint32_t done;		/* of the `most` passes */
	uint64_t span;		/* passes that are accounted for */
	uint16_t *near_period, *far_period;
	uint8_t *near_group, *far_group;	/* the core's is 0 */
	uint32_t groups;
	uint32_t group_period[GROUPS];
	uint64_t count[GROUPS][SIGNALS];
	uint64_t extra[SIGNALS];
	struct image image[CACHES];
	uint64_t fast_forwarded;
	/* the end of some pass before, in the images and: */
	bool pictured;
	uint64_t pictured_core, pictured_predictor;
	uint64_t pictured_total[SIGNALS];
	uint64_t since;		/* passes */
	uint64_t patience;	/* passes until the next picture; 0: at once */
};

/* periods.c: the row of the pass that has ended. */
void periods_add_row(struct sim *s);
/* What comes next is no part of the rows that there are. */
void periods_new_attempt(struct periods *p);
/* Sets all periods by the rows; false if they are not known yet. */
bool periods_find(struct periods *p);
/* Do the rows prove the periods that were taken for granted? */
bool periods_proven(const struct periods *p);

/* The core's state in two parts: the predictor, and what it does not change
 * where mispredicts cause no page walks. The PC and the write-combining buffers
 * are in neither: after its first pass a run's passes all end with the same. */
uint64_t periods_hash_core(const struct sim *s);
uint64_t periods_hash_predictor(const struct sim *s);

/*
 * steady.c: a pass has ended that did `work`, and `left` follow it. Returns how
 * many of these it has accounted for, since they do what the last ones did.
 */
uint64_t steady_pass(struct sim *s, uint64_t work, uint64_t left);
/* A run begins. */
void steady_start(struct sim *s);

/* multiply.c: starts with the periods found; false if there are too many. */
bool multiply_start(struct sim *s, uint64_t left);
/* A pass has ended; returns how many to leave out, 0 until the last one. */
uint64_t multiply_pass(struct sim *s);
/* Gives up: what was simulated stays counted. */
void multiply_cancel(struct sim *s);

#endif
