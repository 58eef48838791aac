/* SPDX-License-Identifier: MIT */
/*
 * Marks the large values of an array: in random order, by a branch that goes
 * either way. -DSORTED: in order.
 */
#include <stdio.h>
#include <stdlib.h>

enum { VALUES = 1 << 14, ROUNDS = 40 };

static unsigned char value[VALUES];

static int by_value(const void *a, const void *b)
{
	return *(const unsigned char *)a - *(const unsigned char *)b;
}

static void mark_large(void)
{
	for (int i = 0; i < VALUES; i++)
		if (value[i] >= 128)
			value[i] ^= 1;
}

int main(void)
{
	unsigned x = 1;

	for (int i = 0; i < VALUES; i++) {
		x = x * 1664525u + 1013904223u;
		value[i] = (unsigned char)(x >> 24);
	}
#ifdef SORTED
	qsort(value, VALUES, sizeof(*value), by_value);
#endif
	(void)by_value;
	for (int i = 0; i < ROUNDS; i++)
		mark_large();
	printf("%d\n", value[5]);
	return 0;
}
