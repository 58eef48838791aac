/* SPDX-License-Identifier: MIT */
/*
 * Made-up nodes: records of one sweep of a list, with noise of a seed. Of each
 * hundred nodes one is slow on a few sizes.
 */
#ifndef TESTS_MADE_FLEET_H
#define TESTS_MADE_FLEET_H

#include <stdbool.h>
#include <stdint.h>

#include "assay/record.h"

struct made {
	unsigned nodes, sizes, events;
	double noise;		/* of one value, as a share */
	double slow;		/* as a share */
	unsigned slow_sizes;	/* neighbours */
	bool scattered;		/* the slow sizes are no neighbours */
	unsigned one_of;	/* slow nodes: one of so many; 0: none */
	uint64_t seed;
};

bool made_is_slow(const struct made *made, unsigned node);
/* "n00042" */
void made_name(char out[16], unsigned node);
/* The record of one size; for record_free(). NULL: no memory. */
struct assay_record *made_record(const struct made *made, unsigned node,
				 unsigned size);

#endif
