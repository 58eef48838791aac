/* SPDX-License-Identifier: MIT */
/*
 * States of a set that are alike.
 *
 * Where all accesses of a set miss, its lines move on through its ways, so it
 * is what it was only after as many passes as it has ways, or more; and yet
 * each pass does the same as the one before. Two states are alike if a
 * renaming of the ways makes one of the other, and all that happens to the set
 * respects it:
 *   tree-PLRU	the children of a node may change places, and so may trees
 *		with their ranks, as long as no way is ever empty
 *   others that keep a line in its way, but random
 *		if there are only fills: which way is the next is then said by
 *		the words alone, and these go round. Name the ways in the order
 *		in which they are filled: states are alike that have the same
 *		course of names, and the same line under each name.
 * What is done to a set does the same to all states that are alike to it. So
 * if a pass has renamed its ways, the same pass renames them so again.
 */
#ifndef SIM_TURN_H
#define SIM_TURN_H

#include "sim/model/level.h"

/* A copy of a level's arrays. */
struct image {
	uint32_t *entry;
	uint64_t *word;
};

/* What was done to a level since the image was taken. */
enum turn_by { TURN_BY_ANYTHING, TURN_BY_USES, TURN_BY_FILLS };

void image_build(struct image *i, const struct level *l, struct carve *c);
void image_take(const struct image *i, const struct level *l);

/* Is each set the same as in the image, or alike? */
bool turn_alike(const struct level *l, const struct image *then,
		enum turn_by by);
/* Makes of it, alike to the image, what it is after `passes` times the same. */
void turn_on(const struct level *l, const struct image *then, enum turn_by by,
	     uint64_t passes);

#endif
