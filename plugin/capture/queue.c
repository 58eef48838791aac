/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Full buffers, from the program's threads to the one that simulates. The
 * order in which they are given is the order in which they are simulated.
 * Both sides sleep until there are several, or room for several, so that
 * neither wakes the other all the time.
 */
#define _GNU_SOURCE	/* pthread_setname_np */
#include <signal.h>
#include <stdlib.h>

#include "plugin/arena.h"
#include "plugin/capture/queue.h"

enum { DEPTH = 32, SEVERAL = 4, ROOM = DEPTH / 2 };

static struct {
	void (*consume)(struct buffer *buffer);
	pthread_mutex_t lock;
	pthread_cond_t full, room, progress;
	struct buffer *first, *last;	/* to be simulated */
	struct buffer *unused;
	unsigned queued;
	uint64_t done;		/* since the beginning */
	bool waits;		/* the consumer waits for work */
	unsigned hurry;		/* threads that wait for what they see */
	bool runs;		/* the consumer has been started */
	bool stopped;
} queue = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
	.full = PTHREAD_COND_INITIALIZER,
	.room = PTHREAD_COND_INITIALIZER,
	.progress = PTHREAD_COND_INITIALIZER,
};

static bool worth_waking(void)
{
	return queue.queued >= SEVERAL || (queue.hurry && queue.queued);
}

/* The next buffer stays in the queue until it is done. */
static struct buffer *await_full(void)
{
	while (!queue.queued || (queue.waits && !worth_waking())) {
		queue.waits = true;
		pthread_cond_wait(&queue.full, &queue.lock);
	}
	queue.waits = false;
	return queue.first;
}

static void drop_first(void)
{
	struct buffer *done = queue.first;

	queue.first = done->next;
	queue.queued--;
	queue.done++;
	if (queue.hurry)
		pthread_cond_broadcast(&queue.progress);
	done->next = queue.unused;
	queue.unused = done;
	if (queue.queued == DEPTH - ROOM)
		pthread_cond_broadcast(&queue.room);
}

static void *run(void *unused)
{
	struct buffer *next;

	(void)unused;
	pthread_mutex_lock(&queue.lock);
	for (;;) {
		next = await_full();
		pthread_mutex_unlock(&queue.lock);
		queue.consume(next);
		pthread_mutex_lock(&queue.lock);
		drop_first();
	}
	return NULL;
}

/* The program's signals are for its own threads. */
static bool start(void)
{
	sigset_t all, before;
	pthread_t thread;
	int rc;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	rc = pthread_create(&thread, NULL, run, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (rc)
		return false;
	pthread_setname_np(thread, "assay");
	pthread_detach(thread);
	return true;
}

void queue_open(void (*consume)(struct buffer *buffer))
{
	queue.consume = consume;
}

struct buffer *queue_get(void)
{
	struct buffer *out;

	pthread_mutex_lock(&queue.lock);
	out = queue.unused;
	if (out)
		queue.unused = out->next;
	pthread_mutex_unlock(&queue.lock);
	return out ? out : arena_take(sizeof(*out));
}

/* What is forked and runs another program at once needs no thread. */
static void ensure_thread(void)
{
	if (queue.runs || queue.stopped)
		return;
	queue.runs = start();
	queue.stopped = !queue.runs;
	if (queue.stopped)
		session.map.tally->lost_threads++;
}

void queue_put(struct buffer *buffer)
{
	pthread_mutex_lock(&queue.lock);
	ensure_thread();
	while (queue.queued >= DEPTH && !queue.stopped)
		pthread_cond_wait(&queue.room, &queue.lock);
	buffer->next = NULL;
	if (queue.stopped) {
		buffer->next = queue.unused;
		queue.unused = buffer;
	} else {
		if (queue.queued++)
			queue.last->next = buffer;
		else
			queue.first = buffer;
		queue.last = buffer;
		if (queue.waits && worth_waking())
			pthread_cond_signal(&queue.full);
	}
	pthread_mutex_unlock(&queue.lock);
}

/* Other threads may go on giving. */
void queue_drain(void)
{
	uint64_t all;

	pthread_mutex_lock(&queue.lock);
	all = queue.done + queue.queued;
	queue.hurry++;
	pthread_cond_signal(&queue.full);
	while (queue.done < all)
		pthread_cond_wait(&queue.progress, &queue.lock);
	queue.hurry--;
	pthread_mutex_unlock(&queue.lock);
}

void queue_stop(void)
{
	pthread_mutex_lock(&queue.lock);
	queue.stopped = true;
	pthread_cond_broadcast(&queue.room);
	pthread_mutex_unlock(&queue.lock);
}

void queue_lock(void)
{
	pthread_mutex_lock(&queue.lock);
}

void queue_unlock(void)
{
	pthread_mutex_unlock(&queue.lock);
}

static void reuse_all(void)
{
	struct buffer *next;

	for (struct buffer *b = queue.queued ? queue.first : NULL;
	     queue.queued; b = next, queue.queued--) {
		next = b->next;
		b->next = queue.unused;
		queue.unused = b;
	}
}

void queue_reset(void)
{
	pthread_mutex_init(&queue.lock, NULL);
	pthread_cond_init(&queue.full, NULL);
	pthread_cond_init(&queue.room, NULL);
	pthread_cond_init(&queue.progress, NULL);
	reuse_all();
	queue.waits = queue.runs = queue.stopped = false;
	queue.hurry = 0;
}
