/* SPDX-License-Identifier: MIT */
/* The sum of a region's counts; for region.c and its test. A pair is one
 * assay_region_begin() with its assay_region_end(). */
#ifndef API_REGION_H
#define API_REGION_H

#include <stdbool.h>
#include <stdint.h>

#include "assay/count.h"
#include "assay/quantity.h"

struct region_sum {
	uint64_t raw, pairs;	/* overhead is not subtracted from raw */
	bool estimate;		/* the count of a pair was scaled */
	const char *why;	/* the count of a pair was absent; or NULL */
};

/* Adds the count of one pair. */
void region_add(struct region_sum *sum, const struct assay_count *count);
/* The sum less the overhead of each pair, unless the overhead is absent; absent
 * if the count of a pair was. */
struct assay_value region_total(const struct region_sum *sum,
				const struct assay_value *overhead);

#endif
