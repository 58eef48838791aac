/* SPDX-License-Identifier: MIT */
/*
 * Cycles of pointers through memory, along which loads are timed. A random
 * cycle grows by insertion: after each insertion it is one cycle, uniformly
 * random. An element is a pointer to the next one; the memory is the caller's.
 */
#ifndef MEASURE_CHAIN_H
#define MEASURE_CHAIN_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Where elements lie: element i at base + i * step, plus (i * skew) % wrap;
 * with scatter, at a pseudo-random line of its `step` bytes.
 */
struct chain {
	unsigned char *base;
	uint64_t step;
	uint64_t skew, wrap;	/* 0: none */
	bool scatter;
	uint64_t window;	/* elements of a window: a random cycle loads a
				 * window's elements before those of the next;
				 * 0: all elements are one window */
};

/* The address of element i. */
void *chain_at(const struct chain *chain, uint64_t i);

/* Extends a random cycle of `from` elements (0: none yet) to `to` elements. */
void chain_extend(const struct chain *chain, uint64_t from, uint64_t to,
		  uint64_t *seed);

/* Makes a cycle in the order of memory. */
void chain_linear(const struct chain *chain, uint64_t elements);

/*
 * Inserts a second element behind each, `gap` bytes further in memory (a
 * negative gap as its two's complement).
 */
void chain_double(const struct chain *chain, uint64_t elements, uint64_t gap);

#endif
