/* SPDX-License-Identifier: MIT */
/*
 * Accesses whose level is known, since it is arranged: what the times of all
 * others are compared with. That a line is in its level is not hoped for: an
 * L2's whole chain, four times the L1, is walked before each block; an L3's
 * lines are loaded and then swept out of the L2, every few blocks; memory's are
 * flushed.
 */
#ifndef TIMING_CALIBRATION_H
#define TIMING_CALIBRATION_H

#include "analysis/latency/mixture.h"
#include "base/geometry.h"
#include "measure/time.h"

/* Chains whose accesses are served by one level each. */
struct calibration_lines {
	void *head[MIX_LEVELS];	/* NULL: no such level */
	uint64_t lines[MIX_LEVELS];
	/* of this room only: the lines in the order of their cycle */
	void **line[MIX_LEVELS];
	uint64_t next[MIX_LEVELS];
	void *sweep;		/* lines that leave nothing else in the L2 */
	uint64_t sweep_lines;
	uint64_t placed;	/* lines of L3 that are still out of the L2 */
	unsigned age;		/* blocks since they were put there */
	uint64_t seed;
	/* what is loaded: always from here, since an L1 that predicts its ways
	 * by part of the address may confuse a list with a line */
	void *gate[MIX_GATE], *list[MIX_BLOCK];
};

/*
 * Lays the levels' chains out in memory of calibration_bytes(span), as sparsely as
 * what they stand for (which spans `span` bytes), so that TLBs see the same.
 * Caches that are not present, or that do not fit, get no chain.
 */
void calibration_lay(struct calibration_lines *out, unsigned char *base,
		  uint64_t span, const struct geometry *caches);
/* Bytes that it needs for these caches and that span (beyond 32 MiB: less). */
uint64_t calibration_bytes(uint64_t span, const struct geometry *caches);

/* Around all that follows. Returns 0 or -ASSAY_ENOMEM; calibration_end either way. */
int calibration_begin(struct calibration_lines *levels);
void calibration_end(struct calibration_lines *levels);

/* A quiet walk through the L1's lines: MIX_GATE times. */
void calibration_gate(const struct time_clock *clock, struct calibration_lines *levels,
		uint32_t *ticks);

/* Once along a level's chain, back to where it began. */
void calibration_traverse(const struct time_clock *clock,
		 const struct calibration_lines *levels, int level);

/*
 * A block of these shares, with the walks beside it. Returns when (ticks) all
 * was in its place.
 */
uint64_t calibration_block(const struct time_clock *clock,
		 struct calibration_lines *levels, const double *share,
		 struct mix_block *out);

/* Somebody else ran: nothing is where it was. */
void calibration_displaced(struct calibration_lines *levels);

#endif
