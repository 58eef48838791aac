/* SPDX-License-Identifier: MIT */
/*
 * Cycles of pointers through memory: what the timing witness walks. Insertion
 * makes one uniformly random cycle, and each shorter one is a cycle too while
 * it is being extended.
 */
#ifndef MEASURE_CHAIN_H
#define MEASURE_CHAIN_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Element i is at base + i * step, plus (i * skew) % wrap, or (scatter) at a
 * line of its step that looks random.
 */
struct chain {
	unsigned char *base;
	uint64_t step;
	uint64_t skew, wrap;	/* 0: none */
	bool scatter;
	uint64_t window;	/* elements that are visited together before
				 * the next ones; 0: any order of all */
};

void *chain_at(const struct chain *chain, uint64_t i);

/* Extends a random cycle of `from` elements (0: none yet) to `to`. */
void chain_extend(const struct chain *chain, uint64_t from, uint64_t to,
		  uint64_t *seed);

/* A cycle in the order of memory. */
void chain_linear(const struct chain *chain, uint64_t elements);

/*
 * Puts a second element after each: `gap` bytes further (-gap: nearer). The cycle then visits
 * both of a pair in a row.
 */
void chain_double(const struct chain *chain, uint64_t elements, uint64_t gap);

#endif
