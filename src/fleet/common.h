/* SPDX-License-Identifier: MIT */
/* What odd nodes have, and few others; and how items are named to people. */
#ifndef FLEET_COMMON_H
#define FLEET_COMMON_H

#include "fleet/judge.h"

/* Nodes of one CPU. */
struct group {
	const char *cpu;	/* "": the files do not tell */
	uint32_t *node;
	size_t nodes;
	size_t values;		/* shared items */
	size_t odd;
};

struct common {
	const char *value;
	uint32_t item;
	size_t odd, others;	/* nodes that have the value */
};

/*
 * Calls fn for each text that at least 60 % of the odd nodes have, and at most
 * 10 % of the others. is_odd: of all nodes of the fleet. Returns 0, what fn
 * returned, or -ASSAY_ENOMEM.
 */
int common_each(const struct fleet *fleet, const struct group *group,
		const bool *is_odd,
		int (*fn)(void *ctx, const struct common *common), void *ctx);

/* "microcode", "setting governor", "verdict on L1D_CACHE", "chase ns (time)" */
void common_name(char *out, size_t room, const struct fleet *fleet,
		 size_t item);
/* What tells the point from the other points of the series: "elements=64". */
void common_point(char *out, size_t room, const struct fleet *fleet,
		  size_t item);

#endif
