/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Beside a cache or TLB, a fully associative one of the same size with LRU. It
 * sees the lookups that the real one sees, and what takes lines away from it:
 * flushes, and evictions of an inclusive level below. A lookup of a line that
 * was never looked up before, for whatever reason, is the line's first.
 */
#ifndef PLUGIN_WHY_SHADOW_H
#define PLUGIN_WHY_SHADOW_H

#include "plugin/why/lines.h"
#include "sim/sim.h"

/* FIRST misses as well. */
enum shadow_verdict { SHADOW_HIT, SHADOW_MISS, SHADOW_FIRST };

struct shadow {
	struct lines lines;	/* room 0: the part is not present */
	bool gives;		/* exclusive: what is found leaves */
	uint64_t *seen;		/* a bit for each line, of 2^29 */
};

/* false: no memory. entries 0: the part is not present. */
bool shadow_build(struct shadow *s, uint64_t entries, bool gives);
void shadow_reset(struct shadow *s);
void shadow_free(struct shadow *s);
/* look: LOOK_KEEPS and its kind matter. Of one that only tells that a line
 * leaves, the answer is SHADOW_HIT. */
enum shadow_verdict shadow_look(struct shadow *s, unsigned look,
				uint32_t number);

#endif
