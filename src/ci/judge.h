/* SPDX-License-Identifier: MIT */
/*
 * Is a budget exceeded? Counts of two builds are compared in pairs of one
 * layout. Over the budget: the median change is more than allowed, at least 7
 * of 8 pairs are worse, and the median change is CI_FLOOR counts or more.
 * Pure functions.
 */
#ifndef CI_JUDGE_H
#define CI_JUDGE_H

#include "ci/ci.h"

enum ci_verdict { CI_INSIDE, CI_OVER, CI_BETTER, CI_NOT_JUDGED };
extern const char *const ci_verdict_words[];

struct ci_judged {
	enum ci_verdict verdict;
	double base, head;		/* in the canonical layout */
	struct compare_paired by;	/* .pairs 0: not judged */
	double least, most;		/* shares, over the pairs; infinite from
					 * a base of 0 */
	char why[200];			/* of CI_NOT_JUDGED */
};

/* Returns 0 or -ASSAY_ENOMEM. pairs > 0. */
int ci_judge(struct ci_judged *out, const struct ci_budget *budget,
	     const double *base, const double *head, unsigned pairs,
	     struct assay_error *err);

/*
 * Could more pairs of layouts, up to budget->layouts, still give CI_OVER or
 * CI_BETTER? If not, the verdict is CI_INSIDE, as all pairs would give it.
 */
bool ci_judge_open(const struct ci_budget *budget, const double *base,
		   const double *head, unsigned pairs);

/*
 * Do two runs of one build in one layout differ so little that the budget can
 * be judged: by a tenth of the budget at most?
 */
bool ci_judge_still(const struct ci_budget *budget, double first,
		    double again);

#endif
