/* SPDX-License-Identifier: MIT */
/* Pairs of readings under equal conditions, such as one layout of memory. */
#include "analysis/compare/compare.h"

#include <math.h>
#include <stdlib.h>

static double share(double old, double new)
{
	if (old == new)
		return 0;
	return old == 0 ? NAN : new / old - 1;
}

int compare_pairs(struct compare_paired *out, const double *old,
		  const double *new, size_t pairs, enum compare_better better)
{
	double *change = calloc(2 * pairs, sizeof(*change));
	struct compare_paired p = { .pairs = pairs };
	bool endless = false;

	if (!change)
		return -ASSAY_ENOMEM;
	for (size_t i = 0; i < pairs; i++) {
		const enum compare_state state =
			compare_state_of(old[i], new[i], better);

		change[i] = new[i] - old[i];
		change[pairs + i] = share(old[i], new[i]);
		endless |= isnan(change[pairs + i]);
		p.worse += state == COMPARE_WORSE;
		p.better += state == COMPARE_BETTER;
	}
	p.median = compare_median(change, pairs);
	p.low = change[0];
	p.high = change[pairs - 1];
	p.share = endless ? NAN : compare_median(change + pairs, pairs);
	free(change);
	*out = p;
	return 0;
}
