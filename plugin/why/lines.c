/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A hash table of slots, and a list through the slots. */
#include <stdlib.h>
#include <string.h>

#include "plugin/why/lines.h"

bool lines_build(struct lines *l, uint32_t room)
{
	uint32_t buckets = 4;

	while (buckets < 2 * room)
		buckets *= 2;
	*l = (struct lines){ .room = room, .mask = buckets - 1 };
	l->bucket = malloc(buckets * sizeof(*l->bucket));
	l->node = malloc(room * sizeof(*l->node));
	if (!l->bucket || !l->node)
		return false;
	lines_empty(l);
	return true;
}

void lines_free(struct lines *l)
{
	free(l->bucket);
	free(l->node);
	*l = (struct lines){ 0 };
}

void lines_empty(struct lines *l)
{
	if (!l->room)
		return;
	memset(l->bucket, 0, (l->mask + 1) * sizeof(*l->bucket));
	l->used = 0;
	l->newest = l->oldest = l->unused = LINES_NONE;
}

static uint32_t place_of(const struct lines *l, uint32_t number)
{
	return (number * 0x9e3779b1u >> 7) & l->mask;
}

/* The bucket of the line, or the empty one where it would be. */
static uint32_t bucket_of(const struct lines *l, uint32_t number)
{
	uint32_t at = place_of(l, number);

	while (l->bucket[at] && l->node[l->bucket[at] - 1].number != number)
		at = (at + 1) & l->mask;
	return at;
}

uint32_t lines_find(const struct lines *l, uint32_t number)
{
	return l->bucket[bucket_of(l, number)] - 1;	/* 0: LINES_NONE */
}

static void unlink_slot(struct lines *l, uint32_t slot)
{
	const struct lines_node *n = &l->node[slot];

	*(n->newer == LINES_NONE ? &l->newest : &l->node[n->newer].older) =
		n->older;
	*(n->older == LINES_NONE ? &l->oldest : &l->node[n->older].newer) =
		n->newer;
}

static void link_newest(struct lines *l, uint32_t slot)
{
	l->node[slot].newer = LINES_NONE;
	l->node[slot].older = l->newest;
	*(l->newest == LINES_NONE ? &l->oldest :
				    &l->node[l->newest].newer) = slot;
	l->newest = slot;
}

/* Empties a bucket, and moves those behind that were displaced. */
static void empty_bucket(struct lines *l, uint32_t hole)
{
	for (uint32_t at = (hole + 1) & l->mask; l->bucket[at];
	     at = (at + 1) & l->mask) {
		const uint32_t home =
			place_of(l, l->node[l->bucket[at] - 1].number);

		if (((at - home) & l->mask) < ((at - hole) & l->mask))
			continue;
		l->bucket[hole] = l->bucket[at];
		hole = at;
	}
	l->bucket[hole] = 0;
}

void lines_remove(struct lines *l, uint32_t number)
{
	const uint32_t at = bucket_of(l, number);
	const uint32_t slot = l->bucket[at] - 1;

	if (slot == LINES_NONE)
		return;
	empty_bucket(l, at);
	unlink_slot(l, slot);
	l->node[slot].older = l->unused;
	l->unused = slot;
}

static uint32_t free_slot(struct lines *l)
{
	uint32_t slot;

	if (l->unused == LINES_NONE && l->used < l->room)
		return l->used++;
	if (l->unused == LINES_NONE)
		lines_remove(l, l->node[l->oldest].number);
	slot = l->unused;
	l->unused = l->node[slot].older;
	return slot;
}

void lines_renew(struct lines *l, uint32_t slot)
{
	if (slot == l->newest)
		return;
	unlink_slot(l, slot);
	link_newest(l, slot);
}

uint32_t lines_add(struct lines *l, uint32_t number)
{
	const uint32_t slot = free_slot(l);

	l->node[slot].number = number;
	l->bucket[bucket_of(l, number)] = slot + 1;
	link_newest(l, slot);
	return slot;
}

uint32_t lines_use(struct lines *l, uint32_t number)
{
	const uint32_t slot = lines_find(l, number);

	if (slot == LINES_NONE)
		return lines_add(l, number);
	lines_renew(l, slot);
	return slot;
}
