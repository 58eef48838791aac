/* SPDX-License-Identifier: MIT */
/*
 * Growing arrays. `array` is the address of a pointer to allocated memory, or
 * to NULL; the pointer changes only if there is memory.
 */
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Makes room for `room` elements. False: no memory. */
static inline bool array_resize(void *array, size_t room, size_t element_bytes)
{
	void *old, *more;

	memcpy(&old, array, sizeof(old));
	more = reallocarray(old, room, element_bytes);
	if (more)
		memcpy(array, &more, sizeof(more));
	return more;
}

/* Makes room for one more element than `used`, at powers of two. An array that
 * grows by this alone needs no count of its room. */
static inline bool array_more(void *array, size_t used, size_t element_bytes)
{
	return used & (used - 1) ||
	       array_resize(array, used ? 2 * used : 1, element_bytes);
}

#endif
