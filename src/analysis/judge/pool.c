/* SPDX-License-Identifier: MIT */
/* Checks failures against the scatter that the shapes of one event share. */
#include <stdlib.h>

#include "analysis/judge/parts.h"

#define SHAPES 3	/* least number of shapes for a common scatter */
#define SURE 3.5	/* standard errors; chance exceeds them once in 2000 */

/* Median ratio of the standard deviation of n readings to the true standard
 * deviation: square root of chi square's median over n - 1. */
static double typical(unsigned n)
{
	static const double few[] = { 1, 1, 0.6745, 0.8326, 0.8880, 0.9161 };

	return n < sizeof(few) / sizeof(*few) ? few[n] : 0.95;
}

/* Whether the shape has few counts. Their scatter is counts that something
 * adds; the scatter of many counts is a share of the mean. */
static bool has_few_counts(const struct judge_shape *s)
{
	const double step = judge_is_rate(s) ? s->resolution : judge_floor(s);

	return s->mean <= 100 * step;
}

/*
 * Median over the shapes of the standard deviation of one reading: in counts,
 * over the shapes with few counts, or as a share of the mean, over the others.
 * An unstable shape shows no noise that others have, too. 0: too few shapes.
 */
static double common_scatter(struct judge_list list, bool few)
{
	double *part = malloc(list.shapes * sizeof(*part)), out = 0;
	size_t n = 0;

	for (size_t i = 0; i < list.shapes && part; i++) {
		const struct judge_shape *s = list.shape[i];

		if (s->readings > 1 && s->mean > 0 &&
		    has_few_counts(s) == few && !judge_is_unstable(s))
			part[n++] = s->sd / (few ? 1 : s->mean) /
				    typical(s->readings);
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

/* Whether retired work was counted once, or in two readings that differ: too
 * few readings to know the noise. */
static bool is_few(const struct judge_shape *s)
{
	return s->readings && s->readings < 3 && s->truth <= JUDGE_UNIT &&
	       (s->readings == 1 || s->sd > 0) &&
	       judge_known(s) && s->expected > 0;
}

/*
 * Takes the scatter of the relative errors of shapes with few readings for
 * noise. A failure that the noise explains becomes unsure. The noise explains
 * at most 1 % of a truth, since real noise is no larger.
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
	const double share = common_scatter(list, false);
	const double counts = common_scatter(list, true);

	for (size_t i = 0; i < list.shapes; i++) {
		struct judge_shape *s = list.shape[i];
		const double half = SURE * fmax(counts, share * s->mean) /
				    sqrt(s->readings ? s->readings : 1);

		s->wide = fmax(s->wide, half);
		doubt(s, s->wide);
	}
	pool_few(list);
}
