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

static void doubt(struct judge_shape *s, double half)
{
	if ((s->label == JUDGE_OVER || s->label == JUDGE_UNDER) &&
	    fabs(s->mean - s->expected) - half <= s->refuse)
		s->label = JUDGE_UNSURE;
}

/* Retired work that was counted once, or in two readings that differ: nobody
 * knows its noise. */
static bool is_few(const struct judge_shape *s)
{
	return s->readings && s->readings < 3 && s->truth <= JUDGE_UNIT &&
	       (s->readings == 1 || s->sd > 0) &&
	       judge_known(s) && s->expected > 0;
}

/*
 * What few readings miss their truths by, in one shape more, in the other less,
 * is first of all noise; at most 1 % of it, since real noise is no larger.
 */
static void pool_few(struct judge_list list)
{
	double sum = 0, squares = 0, scatter;
	size_t n = 0;

	for (size_t i = 0; i < list.shapes; i++) {
		const struct judge_shape *s = list.shape[i];

		if (!is_few(s))
			continue;
		sum += s->mean / s->expected - 1;
		squares += (s->mean / s->expected - 1) *
			   (s->mean / s->expected - 1);
		n++;
	}
	if (n < SHAPES)
		return;
	scatter = sqrt(fmax(0, squares - sum * sum / (double)n) /
		       (double)(n - 1));
	for (size_t i = 0; i < list.shapes; i++)
		if (is_few(list.shape[i]))
			doubt(list.shape[i], fmin(SURE * scatter, 0.01) *
			      list.shape[i]->expected);
}

void judge_pool(struct judge_list list)
{
	const double scatter = list.shapes < SHAPES ? 0 : common_scatter(list);

	for (size_t i = 0; i < list.shapes; i++) {
		struct judge_shape *s = list.shape[i];
		const double half = SURE * scatter * s->mean /
				    sqrt(s->readings ? s->readings : 1);

		s->wide = fmax(s->wide, half);
		doubt(s, s->wide);
	}
	pool_few(list);
}
