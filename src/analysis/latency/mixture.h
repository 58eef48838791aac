/* SPDX-License-Identifier: MIT */
/*
 * Which level served an access, from its own time. Blocks of timed accesses
 * stand between two short walks through an L1-resident chain; a block counts
 * only if both were quiet and alike (the gate). What remains is a mixture of
 * the levels' own distributions, and its weights are found by expectation
 * maximisation. Those distributions come from blocks of accesses whose level is
 * known, in a like mixture: what an access costs depends on its neighbours,
 * through TLBs above all. Error bars come from drawing blocks anew, of both.
 */
#ifndef ANALYSIS_LATENCY_MIXTURE_H
#define ANALYSIS_LATENCY_MIXTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MIX_L1, MIX_L2, MIX_L3, MIX_DRAM, MIX_LEVELS };

#define MIX_BLOCK 128	/* timed accesses in one block */
#define MIX_GATE 64	/* in each of the two walks beside it */
#define MIX_BINS 256

struct mix_block {
	uint32_t before[MIX_GATE], after[MIX_GATE];	/* ticks */
	uint32_t ticks[MIX_BLOCK];
	uint8_t level[MIX_BLOCK];	/* of known blocks only */
};

/* Blocks of one source: what is asked about, or what is known. */
struct mix_source {
	struct mix_block *block;
	size_t blocks;
};

struct mix_input {
	struct mix_source mixture, known;
	unsigned granule;	/* of the counter, in ticks */
	double ticks_per_ns;
	uint64_t seed;
};

struct mix_result {
	double share[MIX_LEVELS];	/* adds up to 1 */
	double low[MIX_LEVELS], high[MIX_LEVELS];	/* 95 % */
	bool present[MIX_LEVELS];	/* could be told apart */
	double excess[MIX_LEVELS];	/* mean ticks over an L1 hit */
	double far;		/* the same of what the mixture has from memory,
				 * page walks included; 0: nothing is */
	double l1;		/* mean ticks of an L1 hit */
	size_t blocks, kept;	/* of the mixture, by the gate */
	double other;		/* share of accesses that were interrupted */
	bool coarse;		/* the counter's steps are larger than what lies
				 * between L1 and L2 */
	const char *why;	/* NULL; or why there is no answer */
};

/* May the block be believed? middle: the usual mean of quiet walks. */
bool mix_quiet(const struct mix_block *block, double middle, unsigned granule,
	       double ticks_per_ns);
/* The usual mean of the walks beside all blocks. */
double mix_middle(const struct mix_source *source, size_t sources);

/*
 * Weights of the templates in the histogram; both over `bins`. Absent levels
 * get 0.
 */
void mix_weights(const double *histogram, double (*template)[MIX_BINS],
		 const bool *present, size_t bins, double *weight);

/* Returns 0 or -ASSAY_ENOMEM; out->why says if there is no answer. */
int mix_solve(const struct mix_input *input, struct mix_result *out);

#endif
