/* SPDX-License-Identifier: MIT */
/*
 * Calibration lines: lines that are brought into a known cache level, so that
 * the times of loads from that level can be measured. How a line gets into its
 * level:
 * - L1: a few lines that are loaded again and again.
 * - L2: a chain four times as large as the L1, chased before each block.
 * - L3: lines that are loaded, and then pushed out of the L2 by a sweep over
 *   other lines, every few blocks.
 * - Memory: lines that are flushed right before they are loaded.
 */
#ifndef TIMING_CALIBRATION_H
#define TIMING_CALIBRATION_H

#include "analysis/latency/mixture.h"
#include "base/geometry.h"
#include "measure/time.h"

/* One cyclic chain of lines per level (MIX_L1 ... MIX_DRAM). */
struct calibration_lines {
	void *head[MIX_LEVELS];	/* NULL: no such level */
	uint64_t lines[MIX_LEVELS];
	/* The rest is used by calibration.c only. */
	void **line[MIX_LEVELS];	/* the lines in the chain's order */
	uint64_t next[MIX_LEVELS];	/* index of the next line to use */
	void *sweep;		/* a chain that replaces all lines of the L2 */
	uint64_t sweep_lines;
	uint64_t placed;	/* lines of L3 that were swept out of the L2
				 * and not loaded since */
	unsigned age;		/* blocks since the last sweep */
	uint64_t seed;
	/* The addresses that a block loads. Not on the stack: an L1 that
	 * predicts ways by a part of the address could confuse the list with a
	 * line. */
	void *gate[MIX_GATE], *list[MIX_BLOCK];
};

/*
 * Lays the chains out in memory of calibration_bytes(span) at `base`, which
 * stays the caller's. Lines are spread over `span` bytes, as the lines of the
 * target are, so that TLBs behave alike. A cache that is not present, or too
 * small for a chain of its own, gets none.
 */
void calibration_lay(struct calibration_lines *out, unsigned char *base,
		     uint64_t span, const struct geometry *caches);
/* Bytes for these caches and that span; a span counts up to 32 MiB. */
uint64_t calibration_bytes(uint64_t span, const struct geometry *caches);

/* Before the first block and after the last one. Returns 0 or -ASSAY_ENOMEM;
 * calibration_end() is due in either case. */
int calibration_begin(struct calibration_lines *lines);
void calibration_end(struct calibration_lines *lines);

/* Times MIX_GATE loads of L1's lines into ticks[]: the gate before or after a
 * block. */
void calibration_gate(const struct time_clock *clock,
		      struct calibration_lines *lines, uint32_t *ticks);

/* Chases a level's chain once around. */
void calibration_traverse(const struct time_clock *clock,
			  const struct calibration_lines *lines, int level);

/*
 * Times a block of loads, of each level the given share, with a gate before and
 * behind it. Returns when (in ticks) all lines were in their levels.
 */
uint64_t calibration_block(const struct time_clock *clock,
			   struct calibration_lines *lines,
			   const double *share, struct mix_block *out);

/* Another program ran on the core: no line is in its level any more. */
void calibration_displaced(struct calibration_lines *lines);

#endif
