/* SPDX-License-Identifier: MIT */
/*
 * Binary search in a sorted array. With a power of two of elements, the first
 * probes of all searches are in few sets; -DELEMENTS=31013: in many.
 */
#include <stdio.h>

#ifndef ELEMENTS
#define ELEMENTS (1u << 15)
#endif

static unsigned element[ELEMENTS];

static unsigned find(unsigned wanted)
{
	unsigned from = 0, left = ELEMENTS;

	while (left > 1) {
		const unsigned half = left / 2;

		if (element[from + half] <= wanted)
			from += half;
		left -= half;
	}
	return from;
}

int main(void)
{
	unsigned x = 1, sum = 0;

	for (unsigned i = 0; i < ELEMENTS; i++)
		element[i] = i;
	for (int i = 0; i < 200000; i++) {
		x = x * 1664525u + 1013904223u;
		sum += find((x >> 8) % ELEMENTS);
	}
	printf("%u\n", sum);
	return 0;
}
