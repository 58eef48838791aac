/* SPDX-License-Identifier: MIT */
/* The pool is a list of blocks; each is filled from the front. */
#include "cpus/pool.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 16384, ALIGN = alignof(max_align_t) };

struct block {
	struct block *next;
	size_t used, room;
	alignas(ALIGN) unsigned char memory[];
};

struct pool {
	struct block *block;
};

struct pool *pool_new(void)
{
	return calloc(1, sizeof(struct pool));
}

void pool_free(struct pool *pool)
{
	if (!pool)
		return;
	for (struct block *b = pool->block, *next; b; b = next) {
		next = b->next;
		free(b);
	}
	free(pool);
}

static struct block *add_block(struct pool *pool, size_t bytes)
{
	const size_t room = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;
	struct block *b = calloc(1, sizeof(*b) + room);

	if (!b)
		return NULL;
	b->room = room;
	b->next = pool->block;
	pool->block = b;
	return b;
}

void *pool_get(struct pool *pool, size_t bytes)
{
	struct block *b = pool->block;
	void *out;

	if (bytes > SIZE_MAX / 2)
		return NULL;
	bytes = (bytes + ALIGN - 1) / ALIGN * ALIGN;
	if (!b || b->room - b->used < bytes)
		b = add_block(pool, bytes);
	if (!b)
		return NULL;
	out = b->memory + b->used;
	b->used += bytes;
	return out;
}

void *pool_array(struct pool *pool, size_t count, size_t bytes)
{
	if (bytes && count > SIZE_MAX / bytes)
		return NULL;
	return pool_get(pool, count * bytes);
}

char *pool_text(struct pool *pool, const char *text, size_t length)
{
	char *out = pool_get(pool, length + 1);

	if (out)
		memcpy(out, text, length);
	return out;
}
