/* SPDX-License-Identifier: MIT */
/* Numbers that look random and are the same each time (xorshift). */
#ifndef TESTS_DRAW_H
#define TESTS_DRAW_H

#include <stdint.h>

/* The state must not be 0. */
static inline uint64_t draw_next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

#endif
