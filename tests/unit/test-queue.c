/* SPDX-License-Identifier: MIT */
/* The plugin's queue: who waits for what was given before waits for no more,
 * however much other threads go on giving; and nothing is lost between threads.
 * Also built with ThreadSanitizer. */

#include "check.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

#include "plugin/capture/queue.h"

static struct buffer first, second;
static sem_t drained, all_taken;
static int taken;
static uint64_t sum;	/* of what threads gave */

enum { THREADS = 4, GIVEN = 500 };

/* The first thread sleeps in queue_drain() only. */
static void await_drain(void)
{
	char state = 'R';

	while (state != 'S') {
		FILE *file = fopen("/proc/self/stat", "r");

		if (!file || fscanf(file, "%*d %*s %c", &state) != 1)
			abort();
		fclose(file);
	}
}

/* There is always another buffer: the second one is not done before the first
 * is known to be. Where that is not noticed, this waits for ever. */
static void take_one(struct buffer *buffer)
{
	if (buffer->words) {
		sum += buffer->word[0];
		return;
	}
	taken++;
	if (buffer == &first) {
		await_drain();
		queue_put(&second);
		return;
	}
	sem_wait(&drained);
	sem_post(&all_taken);
}

static void waits_for_earlier_ones_only(void **state)
{
	(void)state;
	sem_init(&drained, 0, 0);
	sem_init(&all_taken, 0, 0);
	queue_open(take_one);
	queue_put(&first);
	queue_drain();
	sem_post(&drained);
	sem_wait(&all_taken);
	queue_drain();
	assert_int_equal(taken, 2);
	assert_ptr_equal(queue_get(), &second);
	assert_ptr_equal(queue_get(), &first);
}

static void *give(void *from)
{
	const unsigned first_value = *(const unsigned *)from;

	for (unsigned i = 0; i < GIVEN; i++) {
		struct buffer *b = queue_get();

		b->words = 1;
		b->word[0] = first_value + i;
		queue_put(b);
		if (i % 64 == 0)
			queue_drain();
	}
	return NULL;
}

static void nothing_is_lost_between_threads(void **state)
{
	const uint64_t all = THREADS * GIVEN;
	pthread_t thread[THREADS];
	unsigned from[THREADS];

	(void)state;
	for (unsigned i = 0; i < THREADS; i++) {
		from[i] = i * GIVEN;
		assert_int_equal(pthread_create(&thread[i], NULL, give,
						&from[i]), 0);
	}
	for (unsigned i = 0; i < THREADS; i++)
		assert_int_equal(pthread_join(thread[i], NULL), 0);
	queue_drain();
	assert_int_equal(sum, all * (all - 1) / 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(waits_for_earlier_ones_only),
		cmocka_unit_test(nothing_is_lost_between_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
