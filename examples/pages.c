/* SPDX-License-Identifier: MIT */
/*
 * Reads one value of each of 256 pages, again and again: all in one set of a
 * cache with 64 sets. -DSTRIDE=4160: in all sets, but more pages than a data
 * TLB of 64 entries holds.
 */
#include <stdio.h>

#ifndef STRIDE
#define STRIDE 4096
#endif

enum { PAGES = 256, ROUNDS = 1000 };

static char memory[PAGES * STRIDE];

static long read_pages(void)
{
	long sum = 0;

	for (int i = 0; i < PAGES; i++)
		sum += memory[i * STRIDE];
	return sum;
}

int main(void)
{
	long sum = 0;

	for (int i = 0; i < PAGES; i++)
		memory[i * STRIDE] = 1;
	for (int i = 0; i < ROUNDS; i++)
		sum += read_pages();
	printf("%ld\n", sum);
	return 0;
}
