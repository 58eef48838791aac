/* SPDX-License-Identifier: MIT */
/*
 * If there are more events than counters: which events are counted in the same
 * run. The number of counters is not given; the caller's function tries
 * whether events fit together, because the free counters depend on the events,
 * on the NMI watchdog and on other programs. First fit, in the group's order.
 */
#ifndef EVENTS_PACKING_H
#define EVENTS_PACKING_H

#include <stdbool.h>

#include "base/encoding.h"

/* In place of the number of a set. */
enum {
	PACKING_NEVER = 254,	/* cannot be counted, not even alone */
	PACKING_ALWAYS = 255,	/* needs no counter: in every set */
};

/* In place of the number of a pair of braces: the event is in none. */
#define PACKING_LOOSE 255

struct packing {
	unsigned sets;		/* at least 1 */
	unsigned char set[ASSAY_EVENTS];	/* of each event */
	bool together[ASSAY_EVENTS];	/* of NEVER: the event fits alone, but
					 * not with the others of its braces */
};

/* Can these n events of the group be counted at the same time? */
typedef bool packing_fits_fn(void *ctx, const struct group *group,
			     const unsigned *event, unsigned n);

/*
 * Distributes the events over sets. brace[e] is the number of the pair of
 * braces that holds event e, or PACKING_LOOSE. Events in one pair of braces
 * come into the same set, or into none. brace may be NULL: all are loose.
 */
void packing_make(struct packing *out, const struct group *group,
		  const unsigned char *brace, packing_fits_fn *fits,
		  void *ctx);

#endif
