/* SPDX-License-Identifier: MIT */
/*
 * Memory that ends where nothing may be touched, for code whose accesses no
 * sanitizer sees: inline assembly, and vectors that are gathered.
 */
#ifndef GUARDED_H
#define GUARDED_H

#include <stddef.h>
#include <sys/mman.h>

#define GUARDED_PAGE ((size_t)4096)
#define GUARDED_AROUND ((size_t)256 << 20)	/* on either side; costs nothing */

static inline size_t guarded_pages(size_t bytes)
{
	return (bytes + GUARDED_PAGE - 1) & ~(GUARDED_PAGE - 1);
}

/* Aligned to 64 bytes, which `bytes` is rounded up to; NULL: there is none. */
static inline void *guarded_alloc(size_t bytes)
{
	const size_t pages = guarded_pages(bytes);
	char *all = mmap(NULL, pages + 2 * GUARDED_AROUND, PROT_NONE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (all == MAP_FAILED)
		return NULL;
	all += GUARDED_AROUND;
	if (mprotect(all, pages, PROT_READ | PROT_WRITE)) {
		munmap(all - GUARDED_AROUND, pages + 2 * GUARDED_AROUND);
		return NULL;
	}
	return all + (pages - ((bytes + 63) & ~(size_t)63));
}

static inline void guarded_free(void *memory, size_t bytes)
{
	const size_t pages = guarded_pages(bytes);
	char *all = (char *)memory + ((bytes + 63) & ~(size_t)63) - pages;

	munmap(all - GUARDED_AROUND, pages + 2 * GUARDED_AROUND);
}

#endif
