/* SPDX-License-Identifier: MIT */
/* Pseudo-random numbers for filling arenas: splitmix64. */
#ifndef KERNELS_DRAW_H
#define KERNELS_DRAW_H

#include <stdint.h>

static inline uint64_t draw(uint64_t *state)
{
	uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

/* 0 .. n - 1; the bias, n / 2^64, is not worth a rejection loop. */
static inline uint64_t draw_below(uint64_t *state, uint64_t n)
{
	return (uint64_t)((unsigned __int128)draw(state) * n >> 64);
}

#endif
