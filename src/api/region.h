/* SPDX-License-Identifier: MIT */
/* How the counts of a region add up; for region.c and its test. */
#ifndef API_REGION_H
#define API_REGION_H

#include <stdbool.h>
#include <stdint.h>

#include "assay/count.h"
#include "assay/quantity.h"

struct region_sum {
	uint64_t raw, pairs;
	bool estimate;
	const char *why;	/* absent in some pair */
};

void region_add(struct region_sum *sum, const struct assay_count *count);
struct assay_value region_total(const struct region_sum *sum,
				const struct assay_value *overhead);

#endif
