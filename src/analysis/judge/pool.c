/* SPDX-License-Identifier: MIT */
/* The scatter that the shapes of one event have in common. */
#include <stdlib.h>

#include "analysis/judge/parts.h"

#define SHAPES 3	/* that a common scatter needs */
#define SURE 3.5	/* standard errors: about one in 2000 */

/* A standard deviation of n readings is below so much of the true one in half
 * of all cases: square root of chi square's median over n - 1. */
static double typical(unsigned n)
{
	static const double few[] = { 1, 1, 0.6745, 0.8326, 0.8880, 0.9161 };

	return n < sizeof(few) / sizeof(*few) ? few[n] : 0.95;
}

/* Of one reading, relative to its count; 0: not known. */
static double common_scatter(struct judge_list list)
{
	double *part = malloc(list.shapes * sizeof(*part)), out = 0;
	size_t n = 0;

	for (size_t i = 0; i < list.shapes && part; i++) {
		const struct judge_shape *s = list.shape[i];

		if (s->readings > 1 && s->mean > 0)
			part[n++] = s->sd / s->mean / typical(s->readings);
	}
	if (n >= SHAPES)
		out = judge_median(part, n);
	free(part);
	return out;
}

void judge_pool(struct judge_list list)
{
	const double scatter = list.shapes < SHAPES ? 0 : common_scatter(list);

	for (size_t i = 0; i < list.shapes; i++) {
		struct judge_shape *s = list.shape[i];
		const double half = SURE * scatter * s->mean /
				    sqrt(s->readings ? s->readings : 1);

		s->wide = fmax(s->half, half);
		if ((s->label == JUDGE_OVER || s->label == JUDGE_UNDER) &&
		    fabs(s->mean - s->expected) - s->wide <= s->refuse)
			s->label = JUDGE_UNSURE;
	}
}
