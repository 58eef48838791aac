/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A set of at most `room` line numbers in the order of their last use. */
#ifndef PLUGIN_WHY_LINES_H
#define PLUGIN_WHY_LINES_H

#include <stdbool.h>
#include <stdint.h>

#define LINES_NONE UINT32_MAX

struct lines_node {
	uint32_t number, newer, older;	/* older: also of the free list */
};

struct lines {
	uint32_t room, used, newest, oldest, unused;
	uint32_t mask;		/* of buckets: a power of two - 1 */
	uint32_t *bucket;	/* a slot + 1, or 0; open addressing */
	struct lines_node *node;
};

/* false: no memory. */
bool lines_build(struct lines *l, uint32_t room);
void lines_free(struct lines *l);
void lines_empty(struct lines *l);
/* The line's slot, below `room`; LINES_NONE: it is not in the set. */
uint32_t lines_find(const struct lines *l, uint32_t number);
/* Makes a line in that slot the newest. */
void lines_renew(struct lines *l, uint32_t slot);
/* Adds a line that is not in the set; of a full one the oldest leaves. Returns
 * the line's slot. */
uint32_t lines_add(struct lines *l, uint32_t number);
/* One of both: makes a line the newest; of a full set the oldest one leaves. Returns the
 * line's slot. */
uint32_t lines_use(struct lines *l, uint32_t number);
void lines_remove(struct lines *l, uint32_t number);

#endif
