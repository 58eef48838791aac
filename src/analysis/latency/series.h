/* SPDX-License-Identifier: MIT */
/*
 * Statistics of timing samples: one figure of ns and one of cycles per access,
 * with their errors, and a rule when to stop measuring.
 *
 * The figure is the p25 of the samples. Disturbance only makes accesses slower,
 * so neither the mean nor the median is usable (an SMT neighbour that works
 * half of the time moves the median); one wrong measurement of the clock spoils
 * a sample's cycles, so neither is the minimum. Samples beside which a
 * neighbour was seen are left out if enough others remain; for memory all
 * samples count, because memory is not private to the core.
 */
#ifndef ANALYSIS_LATENCY_SERIES_H
#define ANALYSIS_LATENCY_SERIES_H

#include <stddef.h>

#include "base/timing.h"

/* A round with a larger share of torn samples is measured again. */
#define SERIES_MOST_TORN 0.5

/* Sorts v; the q-quantile (0 .. 1) of its n > 0 numbers, interpolated. */
double series_quantile(double *v, size_t n, double q);

/* A number and its uncertainty. */
struct series_figure {
	double value;
	double low, high;	/* p10 and p90 of the single rounds' values,
				 * disturbed rounds included */
	double error;		/* relative: half of a 95 % interval of value,
				 * the larger of a bootstrap over rounds and
				 * the differences between the four quarters
				 * of the measuring time */
};

struct series_summary {
	struct series_figure ns;	/* p25 */
	struct series_figure cycles;	/* p25; value 0: no clock */
	double ghz;		/* median */
	double drift;		/* (p90 - p10) / median of the clock */
	double torn;		/* share of samples whose clock changed */
	double sibling;		/* share of samples in which an SMT sibling
				 * slowed the register adds */
	bool shared;		/* a sibling worked beside nearly all samples:
				 * the undisturbed value is not known */
	unsigned rounds;
	size_t samples;
};

/* When to stop, by the smaller error of the two figures. */
struct series_rule {
	unsigned least_rounds;
	double good;		/* stop at an error up to this */
	double stable;		/* after the last round: a larger error makes
				 * the answer a range */
};

enum series_state { SERIES_MORE, SERIES_STABLE, SERIES_UNSTABLE };

/* A value and its round. */
struct series_mark { double value; unsigned round; };

/*
 * Summarises n samples, sorted by round. scratch: n marks. full_adds:
 * independent adds per cycle of a core without a busy sibling (0: not known).
 */
void series_summarise(const struct time_sample *sample, size_t n,
		      double full_adds, struct series_mark *scratch,
		      struct series_summary *out);

/* full_adds from n measurements of adds per cycle (sorts them); 0: n is 0. */
double series_full_adds(double *adds, size_t n);

/* over: this was the last round. */
enum series_state series_judge(const struct series_summary *summary,
			       const struct series_rule *rule, bool over);

/* The smaller one of the two figures' errors. */
double series_error(const struct series_summary *summary);

#endif
