/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What runs looks at thousands of small things, one after the other: side by
 * side, in huge pages, they need few lines and no page walks.
 */
#define _GNU_SOURCE	/* MADV_HUGEPAGE */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "plugin/arena.h"

enum { LINE = 64 };
#define HUGE (UINT64_C(2) << 20)

static struct {
	pthread_mutex_t lock;
	char *at, *end;
} arena = { .lock = PTHREAD_MUTEX_INITIALIZER };

static char *map(size_t bytes)
{
	char *from = mmap(NULL, bytes + HUGE, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t before;

	if (from == MAP_FAILED)
		return NULL;
	before = -(uintptr_t)from % HUGE;
	if (before)
		munmap(from, before);
	if (before < HUGE)
		munmap(from + before + bytes, HUGE - before);
	madvise(from + before, bytes, MADV_HUGEPAGE);
	return from + before;
}

static bool make_room(size_t bytes)
{
	const size_t mapped = (bytes + HUGE - 1) / HUGE * HUGE;

	if ((size_t)(arena.end - arena.at) >= bytes)
		return true;
	arena.at = map(mapped);
	arena.end = arena.at ? arena.at + mapped : NULL;
	return arena.at;
}

static size_t full_lines(size_t bytes)
{
	return (bytes + LINE - 1) / LINE * LINE;
}

void *arena_take(size_t bytes)
{
	void *out = NULL;

	bytes = full_lines(bytes);
	pthread_mutex_lock(&arena.lock);
	if (make_room(bytes)) {
		out = arena.at;
		arena.at += bytes;
	}
	pthread_mutex_unlock(&arena.lock);
	return out;
}

void arena_give_back(void *memory, size_t bytes)
{
	pthread_mutex_lock(&arena.lock);
	if (arena.at == (char *)memory + full_lines(bytes)) {
		arena.at = memory;
		memset(memory, 0, full_lines(bytes));
	}
	pthread_mutex_unlock(&arena.lock);
}

void arena_lock(void)
{
	pthread_mutex_lock(&arena.lock);
}

void arena_unlock(void)
{
	pthread_mutex_unlock(&arena.lock);
}
