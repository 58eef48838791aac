/* SPDX-License-Identifier: MIT */
/*
 * The reference's sets: a cache or a TLB, with every replacement policy but
 * random. Every line has time stamps, every search looks at every way.
 */
#ifndef TESTS_REFERENCE_BOX_H
#define TESTS_REFERENCE_BOX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/geometry.h"

#define NONE UINT64_MAX

struct line {
	uint64_t what;		/* line or page; NONE: empty */
	bool dirty, mru;
	bool dram;		/* memory has served it */
	bool ahead;		/* prefetched, and not used since */
	int age;
	uint64_t used, filled;	/* when */
};

/* A cache or a TLB. */
struct box {
	bool present, write_through, no_allocate, silent, loud, policy_first;
	enum inclusion inclusion;
	enum replacement policy;
	int sets, slices, ways;	/* sets: of a slice */
	uint64_t lines;		/* of L1D in one of its own; or 1 */
	struct line *line;	/* slices * sets * ways */
	bool *node;		/* as many; of each tree the root is 1 */
	uint64_t clock;
	int selector, rare;	/* of DRRIP: between its two ways to fill */
};

/* Nothing but these is set; empty. */
void box_new(struct box *b, bool present, uint32_t sets, uint32_t slices,
	     uint32_t ways, enum replacement policy);
void box_free(struct box *b);
/* NULL: it is not there. */
struct line *box_find(struct box *b, uint64_t what);
/* The line that would go, or an empty one. */
struct line *box_room(struct box *b, uint64_t what);
/* The line was found, or was put there. */
void box_use(struct box *b, struct line *l, bool fill);

#endif
