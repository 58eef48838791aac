/* SPDX-License-Identifier: MIT */
/* The plugin's queue: who waits for what was given before waits for no more,
 * however much other threads go on giving. */

#include "check.h"

#include <semaphore.h>

#include "plugin/capture/queue.h"

static struct buffer first, second;
static sem_t drained, all_taken;
static int taken;

/* There is always another buffer: the second one is not done before the first
 * is known to be. Where that is not noticed, this waits for ever. */
static void take_one(struct buffer *buffer)
{
	taken++;
	if (buffer == &first) {
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(waits_for_earlier_ones_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
