/* SPDX-License-Identifier: MIT */
/*
 * Which events are counted in which run, if there are more of them than
 * counters. How many counters there are is not asked but tried, by whoever
 * calls: what is free depends on the event, on the NMI watchdog, and on others.
 */
#ifndef EVENTS_PACKING_H
#define EVENTS_PACKING_H

#include <stdbool.h>

#include "base/encoding.h"

/* Instead of the number of a set. */
enum {
	PACKING_NEVER = 254,	/* cannot be counted, not even alone */
	PACKING_ALWAYS = 255,	/* needs no counter: in every set */
};

/* Not in braces: counted wherever there is room. */
#define PACKING_LOOSE 255

struct packing {
	unsigned sets;		/* at least 1 */
	unsigned char set[ASSAY_EVENTS];
	bool together[ASSAY_EVENTS];	/* NEVER: it fits alone, but not with
					 * the others of its braces */
};

/* Can these events be counted at the same time? */
typedef bool packing_fits_fn(void *ctx, const struct group *group,
			     const unsigned *event, unsigned n);

/*
 * First fit, in the order of the group. brace[e] is the number of the braces
 * that hold event e, or PACKING_LOOSE; events in one pair of braces come into
 * one set or none. NULL: all are loose.
 */
void packing_make(struct packing *out, const struct group *group,
		  const unsigned char *brace, packing_fits_fn *fits,
		  void *ctx);

#endif
