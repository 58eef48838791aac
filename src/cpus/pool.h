/* SPDX-License-Identifier: MIT */
/*
 * A memory pool: many small allocations that are freed together. All that is
 * read of one data file is allocated from one pool.
 */
#ifndef CPUS_POOL_H
#define CPUS_POOL_H

#include <stddef.h>

struct pool;

/* Returns NULL if there is no memory. */
struct pool *pool_new(void);
void pool_free(struct pool *pool);

/* Zeroed bytes, aligned for any type, valid until pool_free; or NULL. */
void *pool_get(struct pool *pool, size_t bytes);
/* As pool_get, of count elements; NULL too if their product overflows. */
void *pool_array(struct pool *pool, size_t count, size_t bytes);
/* A NUL-terminated copy of length bytes; or NULL. */
char *pool_text(struct pool *pool, const char *text, size_t length);

#endif
