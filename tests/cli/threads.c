/* SPDX-License-Identifier: MIT */
/* Threads that each fill a table of their own, some of them at once. */
#include <pthread.h>

enum { THREADS = 4, WORDS = 4096, ROUNDS = 5 };

static volatile long table[THREADS][WORDS];

static void *fill(void *arg)
{
	volatile long *words = arg;

	for (int round = 0; round < ROUNDS; round++)
		for (int i = 0; i < WORDS; i++)
			words[i] += i;
	return NULL;
}

int main(void)
{
	pthread_t thread[THREADS];

	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, fill, (void *)table[i]))
			return 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
