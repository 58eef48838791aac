/* SPDX-License-Identifier: MIT */
/* Looks for nodes that lie off the others in a part of one series. */
#ifndef FLEET_SCAN_H
#define FLEET_SCAN_H

#include "fleet/fleet.h"

struct scan_found {
	uint32_t node;
	uint32_t first, last;	/* items */
	uint32_t points;
	double off, sure;	/* as in struct judge_odd */
};

struct scan {
	const struct fleet *fleet;
	const uint32_t *node;
	size_t nodes;
	const uint32_t *item;	/* of one series, in its order */
	size_t items;
	double windows, threes;	/* comparisons of a node in all series */
	void (*found)(void *ctx, const struct scan_found *found);
	void *ctx;
	size_t shared;		/* out: items that enough nodes have */
};

/* Finds each node at most once. Returns 0 or -ASSAY_ENOMEM. */
int scan_series(struct scan *scan);

/* Adds the comparisons of one node that a series of that many items causes. */
void scan_count(size_t items, double *windows, double *threes);

#endif
