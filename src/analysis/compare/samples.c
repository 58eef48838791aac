/* SPDX-License-Identifier: MIT */
/* Two samples: medians, Mann-Whitney's test, a bootstrapped interval. */
#include "analysis/compare/compare.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define EXACT_RANKS 50		/* readings: above, a normal approximation */
#define DRAWS 2000		/* of the bootstrap */
#define WORK 8000000u		/* readings drawn in all, at most */

const char *const compare_state_words[] = {
	[COMPARE_SAME] = "same", [COMPARE_BETTER] = "better",
	[COMPARE_WORSE] = "worse", [COMPARE_OTHER] = "changed",
	[COMPARE_UNKNOWN] = "not compared",
};

static int ascending(const void *pa, const void *pb)
{
	const double a = *(const double *)pa, b = *(const double *)pb;

	return (a > b) - (a < b);
}

static double middle(const double *sorted, size_t n)
{
	return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
}

double compare_median(double *value, size_t n)
{
	qsort(value, n, sizeof(*value), ascending);
	return middle(value, n);
}

enum compare_state compare_state_of(double old, double new,
				    enum compare_better better)
{
	if (old == new)
		return COMPARE_SAME;
	if (better == COMPARE_NEITHER)
		return COMPARE_OTHER;
	return (new < old) == (better == COMPARE_LESS) ? COMPARE_BETTER :
							 COMPARE_WORSE;
}

/* ---- Mann-Whitney -------------------------------------------------------- */

/* A reading, its sample, and twice its rank among all readings. */
struct ranked { double value; bool second; unsigned rank; };

static int by_value(const void *pa, const void *pb)
{
	const struct ranked *a = pa, *b = pb;

	return (a->value > b->value) - (a->value < b->value);
}

/* Gives equal readings the mean of their ranks. Returns the sum of t^3 - t over
 * all groups of t equal readings. */
static double rank(struct ranked *r, size_t n)
{
	double ties = 0;

	qsort(r, n, sizeof(*r), by_value);
	for (size_t i = 0, j; i < n; i = j) {
		for (j = i; j < n && r[j].value == r[i].value; j++)
			;
		for (size_t k = i; k < j; k++)
			r[k].rank = (unsigned)(i + j + 1);
		ties += pow((double)(j - i), 3) - (double)(j - i);
	}
	return ties;
}

/*
 * The share of all choices of nb readings whose rank sum is as far from the
 * mean as `sum`. ways[k * (most + 1) + s]: choices of k readings of sum s.
 */
static double exact_chance(const struct ranked *r, size_t n, size_t nb,
			   unsigned sum)
{
	const unsigned most = (unsigned)(n * (n + 1));
	const double mean = (double)nb * (double)(n + 1);
	double *ways = calloc((nb + 1) * (most + 1), sizeof(*ways));
	double all = 0, far = 0;

	if (!ways)
		return -1;
	ways[0] = 1;
	for (size_t i = 0; i < n; i++)
		for (size_t k = nb; k > 0; k--)
			for (unsigned s = most; s >= r[i].rank; s--)
				ways[k * (most + 1) + s] +=
					ways[(k - 1) * (most + 1) + s -
					     r[i].rank];
	for (unsigned s = 0; s <= most; s++) {
		const double w = ways[nb * (most + 1) + s];

		all += w;
		if (fabs(s - mean) >= fabs(sum - mean))
			far += w;
	}
	free(ways);
	return far / all;
}

static double normal_chance(double n, double na, double nb, double sum,
			    double ties)
{
	const double variance = na * nb / 12 * (n + 1 - ties / (n * (n - 1)));
	const double off = fabs(sum / 2 - nb * (n + 1) / 2) - 0.5;

	return variance > 0 && off > 0 ? erfc(off / sqrt(2 * variance)) : 1;
}

double compare_ranks(const double *a, size_t na, const double *b, size_t nb)
{
	const size_t n = na + nb;
	struct ranked *r = calloc(n, sizeof(*r));
	double ties, sum = 0, chance;

	if (!r)
		return -1;
	for (size_t i = 0; i < n; i++)
		r[i] = (struct ranked){ i < na ? a[i] : b[i - na], i >= na, 0 };
	ties = rank(r, n);
	for (size_t i = 0; i < n; i++)
		sum += r[i].second ? r[i].rank : 0;
	chance = n <= EXACT_RANKS ? exact_chance(r, n, nb, (unsigned)sum) :
		 normal_chance((double)n, (double)na, (double)nb, sum, ties);
	free(r);
	return chance;
}

/* ---- the interval -------------------------------------------------------- */

/* splitmix64: the same numbers in every run. */
static uint64_t draw(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* The k-th reading, from 0, of those drawn: drawn[i] times sorted[i]. */
static double nth(const double *sorted, const unsigned *drawn, size_t k)
{
	size_t i = 0;

	for (size_t seen = drawn[0]; seen <= k; seen += drawn[i])
		i++;
	return sorted[i];
}

/* The median of n readings that are drawn with replacement. */
static double drawn_median(const double *sorted, size_t n, unsigned *drawn,
			   uint64_t *state)
{
	memset(drawn, 0, n * sizeof(*drawn));
	for (size_t i = 0; i < n; i++)
		drawn[draw(state) % n]++;
	return (nth(sorted, drawn, (n - 1) / 2) + nth(sorted, drawn, n / 2)) /
	       2;
}

int compare_interval(double *low, double *high, const double *a, size_t na,
		     const double *b, size_t nb)
{
	const size_t most = na > nb ? na : nb;
	const size_t draws = WORK / (na + nb) < DRAWS ?
			     WORK / (na + nb) + 100 : DRAWS;
	unsigned *drawn = calloc(most, sizeof(*drawn));
	double *change = calloc(draws, sizeof(*change));
	uint64_t state = 1;

	for (size_t i = 0; drawn && change && i < draws; i++) {
		const double old = drawn_median(a, na, drawn, &state);

		change[i] = drawn_median(b, nb, drawn, &state) - old;
	}
	if (drawn && change) {
		qsort(change, draws, sizeof(*change), ascending);
		*low = change[draws / 40];
		*high = change[draws - 1 - draws / 40];
	}
	free(drawn);
	free(change);
	return drawn && change ? 0 : -ASSAY_ENOMEM;
}

/* ---- both ---------------------------------------------------------------- */

/* Why the samples cannot be compared, or NULL. */
static const char *why_not(const struct compare_sample *old,
			   const struct compare_sample *new)
{
	double least = 2;	/* chance of samples that do not overlap */

	if (old->why || new->why)
		return old->why ? old->why : new->why;
	if (!old->values || !new->values)
		return "not counted";
	if ((old->exact && new->exact) || (old->error > 0 && new->error > 0))
		return NULL;
	for (size_t i = 1; i <= old->values; i++)
		least *= (double)i / (double)(new->values + i);
	return least < COMPARE_CHANCE ? NULL :
	       "too few runs to tell a change from noise: count 5 times each "
	       "(-r 5)";
}

/* Single estimates with standard errors. */
static void by_error(struct compare_change *out,
		     const struct compare_sample *old,
		     const struct compare_sample *new)
{
	const double error = hypot(old->error, new->error);
	const double change = new->value[0] - old->value[0];

	out->old = old->value[0];
	out->new = new->value[0];
	out->low = change - 1.96 * error;
	out->high = change + 1.96 * error;
	out->chance = erfc(fabs(change) / error / sqrt(2));
}

static int by_ranks(struct compare_change *out,
		    const struct compare_sample *old,
		    const struct compare_sample *new)
{
	double *a = calloc(old->values + new->values, sizeof(*a)), *b;
	int rc = -ASSAY_ENOMEM;

	if (!a)
		return rc;
	b = a + old->values;
	memcpy(a, old->value, old->values * sizeof(*a));
	memcpy(b, new->value, new->values * sizeof(*b));
	out->old = compare_median(a, old->values);
	out->new = compare_median(b, new->values);
	out->chance = compare_ranks(a, old->values, b, new->values);
	if (out->chance >= 0)
		rc = compare_interval(&out->low, &out->high, a, old->values,
				      b, new->values);
	free(a);
	return rc;
}

int compare_samples(struct compare_change *out,
		    const struct compare_sample *old,
		    const struct compare_sample *new,
		    enum compare_better better, struct assay_error *err)
{
	struct compare_change c = { .why = why_not(old, new) };
	int rc = 0;

	c.exact = !c.why && old->exact && new->exact;
	if (c.exact) {
		c.old = old->value[0];
		c.new = new->value[0];
		c.low = c.high = c.new - c.old;
	} else if (!c.why && old->error > 0 && new->error > 0) {
		by_error(&c, old, new);
	} else if (!c.why) {
		rc = by_ranks(&c, old, new);
	}
	if (rc)
		return error_memory(err);
	c.state = c.why ? COMPARE_UNKNOWN :
		  c.exact || c.chance < COMPARE_CHANCE ?
		  compare_state_of(c.old, c.new, better) : COMPARE_SAME;
	*out = c;
	return 0;
}
