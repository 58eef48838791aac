/* SPDX-License-Identifier: MIT */
/*
 * The share of accesses that each level served, from the times of single
 * accesses. A block of timed accesses stands between two gates, short walks
 * through an L1-resident chain; the block counts only if both gates are quiet
 * and equally fast. The times of all blocks are a mixture of the levels'
 * distributions, whose weights come from expectation maximisation. The levels'
 * distributions come from calibration blocks, in which the level of
 * each access is known and the shares are similar: accesses change each other's
 * times, mostly through TLBs. Error bars come from a bootstrap over stretches
 * of blocks of both sorts. Times are in ticks of the counter.
 */
#ifndef ANALYSIS_LATENCY_MIXTURE_H
#define ANALYSIS_LATENCY_MIXTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MIX_L1, MIX_L2, MIX_L3, MIX_DRAM, MIX_LEVELS };

#define MIX_BLOCK 128	/* timed accesses of a block */
#define MIX_GATE 64	/* timed accesses of a gate */
#define MIX_BINS 256	/* of a histogram; the last one is memory */

struct mix_block {
	uint32_t before[MIX_GATE], after[MIX_GATE];	/* ticks */
	uint32_t ticks[MIX_BLOCK];
	uint8_t level[MIX_BLOCK];	/* of calibration blocks only */
};

/* The blocks of the program, or of the calibration. Borrowed. */
struct mix_source {
	struct mix_block *block;
	size_t blocks;
};

struct mix_input {
	struct mix_source mixture, calibration;
	unsigned granule;	/* step of the counter, in ticks */
	double ticks_per_ns;
	uint64_t seed;
};

struct mix_result {
	double share[MIX_LEVELS];	/* adds up to 1 */
	double low[MIX_LEVELS], high[MIX_LEVELS];	/* 95 % interval */
	bool present[MIX_LEVELS];	/* has a share of its own */
	double excess[MIX_LEVELS];	/* mean ticks of a calibration access,
					 * less those of an L1 hit */
	double far;		/* the same for the program's own accesses to
				 * memory, page walks included; 0: none */
	double l1;		/* mean ticks of an L1 hit */
	size_t blocks, kept;	/* of the program; with quiet gates */
	double other;		/* share of accesses that were interrupted */
	bool coarse;		/* the counter's step is larger than the
				 * difference between L1 and L2 */
	const char *why;	/* NULL, or why there is no answer; static */
};

/* Are the block's gates quiet, and near `middle` (mix_middle())? */
bool mix_quiet(const struct mix_block *block, double middle, unsigned granule,
	       double ticks_per_ns);
/* The usual mean ticks of the gates of all blocks; 0: none, or no memory. */
double mix_middle(const struct mix_source *source, size_t sources);

/*
 * The weights with which the levels' templates add up to the histogram, by
 * expectation maximisation; all have `bins` bins. Absent levels get 0.
 */
void mix_weights(const double *histogram, double (*template)[MIX_BINS],
		 const bool *present, size_t bins, double *weight);

/* Returns 0 or -ASSAY_ENOMEM; out->why is set if there is no answer. */
int mix_solve(const struct mix_input *input, struct mix_result *out);

#endif
