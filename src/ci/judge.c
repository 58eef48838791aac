/* SPDX-License-Identifier: MIT */
/* See judge.h. */
#include "ci/judge.h"

#include <math.h>

#include "base/text.h"

const char *const ci_verdict_words[] = {
	[CI_INSIDE] = "inside", [CI_OVER] = "over", [CI_BETTER] = "better",
	[CI_NOT_JUDGED] = "not judged",
};

static enum compare_better better_of(const struct ci_budget *b)
{
	return b->limit.above ? COMPARE_LESS : COMPARE_MORE;
}

/* The change in the unit of the budget, worse ones above 0. From a base of 0,
 * any change is more than each per cent. */
static double change(const struct ci_budget *b, double base, double head)
{
	double by = head - base;

	if (b->limit.percent && by != 0)
		by = base == 0 ? copysign(INFINITY, by) : 100 * by / base;
	return b->limit.above ? by : -by;
}

/* What is allowed, as change() counts it. */
static double allowed(const struct ci_budget *b)
{
	return b->limit.above ? b->limit.by : -b->limit.by;
}

/* Pairs that must go one way: 7 of 8. */
static size_t needed(size_t pairs)
{
	return pairs - pairs / 8;
}

/* median: of the changes, as change() counts them. */
static enum ci_verdict verdict(const struct ci_budget *b,
			       const struct compare_paired *by, double median)
{
	if (fabs(by->median) < CI_FLOOR)
		return CI_INSIDE;
	if (median > allowed(b) && by->worse >= needed(by->pairs))
		return CI_OVER;
	if (median < -fabs(allowed(b)) && by->better >= needed(by->pairs))
		return CI_BETTER;
	return CI_INSIDE;
}

static double share(double base, double head)
{
	return head == base ? 0 : base == 0 ? INFINITY : head / base - 1;
}

int ci_judge(struct ci_judged *out, const struct ci_budget *budget,
	     const double *base, const double *head, unsigned pairs,
	     struct assay_error *err)
{
	double by[CI_LAYOUTS];

	*out = (struct ci_judged){ .base = base[0], .head = head[0] };
	if (compare_pairs(&out->by, base, head, pairs, better_of(budget)) < 0)
		return error_memory(err);
	out->least = INFINITY;
	out->most = -INFINITY;
	for (unsigned i = 0; i < pairs; i++) {
		by[i] = change(budget, base[i], head[i]);
		out->least = fmin(out->least, share(base[i], head[i]));
		out->most = fmax(out->most, share(base[i], head[i]));
	}
	out->verdict = verdict(budget, &out->by, compare_median(by, pairs));
	return 0;
}

bool ci_judge_open(const struct ci_budget *budget, const double *base,
		   const double *head, unsigned pairs)
{
	const unsigned all = budget->layouts;
	const size_t spare = all - needed(all);
	size_t not_worse = 0, not_better = 0, within = 0;

	for (unsigned i = 0; i < pairs; i++) {
		double by = change(budget, base[i], head[i]);

		not_worse += by <= 0;
		not_better += by >= 0;
		within += fabs(head[i] - base[i]) < CI_FLOOR ||
			  fabs(by) <= fabs(allowed(budget));
	}
	return pairs < all && within <= all / 2 &&
	       (not_worse <= spare || not_better <= spare);
}

bool ci_judge_still(const struct ci_budget *budget, double first, double again)
{
	return fabs(change(budget, first, again)) <= fabs(allowed(budget)) / 10;
}
