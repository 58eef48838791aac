/* SPDX-License-Identifier: MIT */
/*
 * Adds up the values of a list whose elements lie in memory in random order,
 * several times; -DARRAY: of an array of the same values.
 */
#include <stdio.h>
#include <stdlib.h>

enum { VALUES = 1 << 15, ROUNDS = 10 };

struct element {
	struct element *next;
	long value;
	long other[6];
};

#ifdef ARRAY
static long value[VALUES];

static long add_up(void)
{
	long sum = 0;

	for (int i = 0; i < VALUES; i++)
		sum += value[i];
	return sum;
}

static void fill(void)
{
	for (int i = 0; i < VALUES; i++)
		value[i] = i;
}
#else
static struct element element[VALUES];

static long add_up(void)
{
	long sum = 0;

	for (struct element *e = element; e; e = e->next)
		sum += e->value;
	return sum;
}

static void fill(void)
{
	unsigned at = 0;

	/* each element once: a generator of full period */
	for (int i = 0; i < VALUES - 1; i++) {
		const unsigned to = (at * 1103515245u + 12345) % VALUES;

		element[at].value = i;
		element[at].next = &element[to];
		at = to;
	}
}
#endif

int main(void)
{
	long sum = 0;

	fill();
	for (int i = 0; i < ROUNDS; i++)
		sum += add_up();
	printf("%ld\n", sum);
	return 0;
}
