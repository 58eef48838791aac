/* SPDX-License-Identifier: MIT */
/*
 * Did a number get worse? Compares an old with a new sample of one quantity,
 * or pairs of readings, and checks the change against a limit. All functions
 * are pure: equal input gives equal output.
 */
#ifndef ANALYSIS_COMPARE_COMPARE_H
#define ANALYSIS_COMPARE_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

#include "assay/error.h"
#include "assay/shape.h"

enum compare_better { COMPARE_LESS, COMPARE_MORE, COMPARE_NEITHER };

enum compare_state {
	COMPARE_SAME,		/* exact: equal; else no change is shown */
	COMPARE_BETTER, COMPARE_WORSE,
	COMPARE_OTHER,		/* changed; neither way is better */
	COMPARE_UNKNOWN		/* .why says why nothing can be said */
};

/* "same", "better", "worse", "changed", "not compared". */
extern const char *const compare_state_words[];

/* Below this chance two samples of one distribution count as changed. */
#define COMPARE_CHANCE 0.01

struct compare_sample {
	const double *value;
	size_t values;
	bool exact;		/* a count that does not vary */
	double error;		/* > 0: standard error of a single value */
	const char *why;	/* not NULL: there is no value, or none that
				 * can be compared; borrowed */
};

struct compare_change {
	enum compare_state state;
	double old, new;	/* medians; not of COMPARE_UNKNOWN */
	double low, high;	/* of new - old, 95 %; exact: new - old */
	double chance;		/* that equal distributions differ so much */
	bool exact;
	const char *why;	/* COMPARE_UNKNOWN; borrowed or static */
};

/* Which way is better, by the name of an event or a quantity. */
enum compare_better compare_better(const char *name);
/* Roughly the cycles that one more of the quantity costs; 0: not known. */
double compare_cost(const char *name);
/* The column of the rows by line that counts the quantity, or NULL. */
const char *compare_column(const char *name);

/* The state that a change from old to new is. */
enum compare_state compare_state_of(double old, double new,
				    enum compare_better better);

/*
 * Two exact values are compared exactly. Others are compared by their medians:
 * changed, if Mann-Whitney's test gives less than COMPARE_CHANCE; the interval
 * is bootstrapped, from the same random numbers each time. Returns 0 or
 * -ASSAY_ENOMEM.
 */
int compare_samples(struct compare_change *out,
		    const struct compare_sample *old,
		    const struct compare_sample *new,
		    enum compare_better better, struct assay_error *err);

/* The median of n > 0 values; sorts them. */
double compare_median(double *value, size_t n);

/* Mann-Whitney's two-sided chance for samples of a and b > 0 values; negative:
 * out of memory. */
double compare_ranks(const double *a, size_t na, const double *b, size_t nb);

/*
 * The 95 % interval of median(b) - median(a), of sorted samples. Returns 0 or
 * -ASSAY_ENOMEM.
 */
int compare_interval(double *low, double *high, const double *a, size_t na,
		     const double *b, size_t nb);

/* old[i] and new[i] were read under equal conditions. */
struct compare_paired {
	size_t pairs, worse, better;	/* of COMPARE_NEITHER: 0 */
	double median, low, high;	/* of new - old: least and most */
	double share;		/* median of new / old - 1; NAN if an old is 0
				 * and its new is not */
};

/* pairs > 0. Returns 0 or -ASSAY_ENOMEM. */
int compare_pairs(struct compare_paired *out, const double *old,
		  const double *new, size_t pairs, enum compare_better better);

/* ---- limits -------------------------------------------------------------- */

/* 'QUANTITY[@FUNCTION](>|<)[+-]N[%]': what the change must not be. */
struct compare_limit {
	char quantity[ASSAY_NAME];
	char function[256];	/* "": the total */
	bool above;		/* >: the change must not be more than .by */
	bool percent;		/* of the old value; else counts */
	double by;		/* 5 of "+5%" */
};

/* Blanks may stand around the sign and each word. Returns 0 or
 * -ASSAY_EINVAL. */
int compare_limit_parse(struct compare_limit *out, const char *text,
			struct assay_error *err);

enum compare_kept { COMPARE_KEPT, COMPARE_EXCEEDED, COMPARE_NOT_JUDGED };

/*
 * A change that is not shown counts as none. *why: of COMPARE_NOT_JUDGED;
 * borrowed or static.
 */
enum compare_kept compare_limit_check(const struct compare_limit *limit,
				      const struct compare_change *change,
				      const char **why);
/* The same for a number that is known: new - old, and the old value. */
enum compare_kept compare_limit_by(const struct compare_limit *limit,
				   double change, double old,
				   const char **why);

#endif
