/* SPDX-License-Identifier: MIT */
/* Pieces of data that miss: sim-data knows the lines and the functions. */
#include <stdio.h>
#include <stdlib.h>

enum { LONGS = 1 << 16, ROUNDS = 3 };

static long table[LONGS];

static __attribute__((noinline)) long *by_malloc(void)
{
	return malloc(LONGS * sizeof(long));
}

static __attribute__((noinline)) long *by_calloc(void)
{
	return calloc(LONGS, sizeof(long));
}

static __attribute__((noinline)) long *by_realloc(long *p)
{
	return realloc(p, 2 * LONGS * sizeof(long));
}

static __attribute__((noinline)) long *by_memalign(void)
{
	void *p;

	return posix_memalign(&p, 4096, LONGS * sizeof(long)) ? NULL : p;
}

/* Each line once a round. */
static __attribute__((noinline)) long add_up(long *p, int longs)
{
	long sum = 0;

	for (int r = 0; r < ROUNDS; r++)
		for (int i = 0; i < longs; i += 8)
			sum += p[i]++;
	return sum;
}

static __attribute__((noinline)) long on_stack(void)
{
	long local[LONGS] = { 1 };

	return add_up(local, LONGS);
}

int main(void)
{
	long *a = by_malloc(), *b = by_calloc(), *c = by_memalign();
	long sum;

	if (!a || !b || !c)
		return 1;
	sum = add_up(a, LONGS) + add_up(b, LONGS) + add_up(c, LONGS);
	sum += add_up(table, LONGS) + on_stack();
	a = by_realloc(a);
	sum += a ? add_up(a, 2 * LONGS) : 0;
	free(a);
	/* memory that another piece had */
	printf("%d\n", sum == add_up(by_malloc(), LONGS));
	return 0;
}
