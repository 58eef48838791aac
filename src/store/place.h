/* SPDX-License-Identifier: MIT */
/*
 * Where in a line of JSON a value stands. The JSON library checks syntax but
 * forgets places, so a complaint about a value finds its place again by its
 * path.
 */
#ifndef STORE_PLACE_H
#define STORE_PLACE_H

#include <stddef.h>

/* A value by its path: a member or an element of the value above. */
struct place {
	const struct place *up;	/* NULL: the whole line */
	const char *key;	/* a member; NULL: an element */
	size_t index;
};

/* The 0-based offset of the value in text, which is valid JSON. */
size_t place_find(const struct place *place, const char *text);

#endif
