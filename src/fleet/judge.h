/* SPDX-License-Identifier: MIT */
/*
 * Nodes that differ from the others of their CPU, by robust statistics: half of
 * the nodes may be odd without moving the median that a node is compared with.
 * docs/internals/fleet.md has the reasons for the limits.
 */
#ifndef FLEET_JUDGE_H
#define FLEET_JUDGE_H

#include "fleet/fleet.h"

#define JUDGE_LEAST 4		/* nodes that can be compared */

/* In what a node differs: in one series, or in one text. */
struct judge_odd {
	uint32_t node;
	uint32_t item;		/* the first point that differs */
	uint32_t last;		/* numbers: the last one */
	uint32_t points;	/* numbers: how many differ */
	double off;		/* numbers: the mean of value / median - 1 over
				 * those points */
	double sure;		/* numbers: standard errors; HUGE_VAL: the
				 * others are all equal */
	const char *text, *usual;	/* texts: this node's, and the others';
					 * NULL: numbers */
};

/* A text of which no value is usual. */
struct judge_split {
	uint32_t item;
	uint32_t most;		/* nodes that have the commonest value */
	const char *value;
};

struct judged {
	struct judge_odd *odd;	/* sorted by node, the surest first */
	size_t odds, odd_room;
	struct judge_split *split;
	size_t splits, split_room;
	size_t items;		/* that at least JUDGE_LEAST nodes share */
};

/*
 * Compares these nodes with each other, and adds to *out, which judged_fini()
 * frees. Returns 0 or -ASSAY_ENOMEM.
 */
int judge(struct judged *out, const struct fleet *fleet, const uint32_t *node,
	  size_t nodes);
void judged_sort(struct judged *judged);
void judged_fini(struct judged *judged);

#endif
