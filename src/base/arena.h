/* SPDX-License-Identifier: MIT */
/* The memory that a kernel accesses: one aligned block, owned by the caller. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

enum arena_pages { ARENA_4K, ARENA_THP, ARENA_HUGE_2M };

struct arena {
	unsigned char *base;	/* 2 MiB aligned where possible, page aligned
				 * always; NULL if bytes == 0 */
	size_t bytes;
	enum arena_pages pages;
};

#endif
