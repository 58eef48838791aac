/* SPDX-License-Identifier: MIT */
/*
 * Statistics of timing samples. Disturbance only ever makes an access slower,
 * and one bad look at the clock ruins a sample's cycles: so p25 for
 * nanoseconds and for cycles (whose median follows a neighbour on the core as
 * soon as it works half of the time), never the mean, never the minimum; and
 * of those samples only beside which no neighbour was seen, if there are such
 * (but for memory, which is not the core's).
 */
#ifndef ANALYSIS_LATENCY_SERIES_H
#define ANALYSIS_LATENCY_SERIES_H

#include <stddef.h>
#include <stdint.h>

#include "base/timing.h"

/* Share of samples in whose time the clock moved; with more, time again. */
#define SERIES_MOST_TORN 0.5

/* Sorts v; the q-th quantile (0..1) of n > 0 numbers, interpolated. */
double series_quantile(double *v, size_t n, double q);

/* A number and how well it is known. */
struct series_figure {
	double value;
	double low, high;	/* p10 and p90 of the rounds' own values, be
				 * they disturbed or not */
	double error;		/* relative: half of a 95 % interval of value,
				 * by drawing rounds anew, or from the quarters
				 * of the time if these differ by more */
};

struct series_summary {
	struct series_figure ns;	/* p25 */
	struct series_figure cycles;	/* p25; value 0: no clock */
	double ghz;		/* median */
	double drift;		/* (p90 - p10) / median of the clock */
	double torn;		/* share of samples whose clock moved */
	double sibling;		/* share in which an SMT sibling worked, as far
				 * as the adds show it */
	bool shared;		/* it worked beside nearly all of them: what is
				 * without it is not known */
	unsigned rounds;
	size_t samples;
};

/* Is the answer good enough to stop; is it a number at all? */
struct series_rule {
	unsigned least_rounds;
	double good;		/* stop when one figure's error is below */
	double stable;		/* at the end: above it is a range */
};

enum series_state { SERIES_MORE, SERIES_STABLE, SERIES_UNSTABLE };

/* A number and the round that it is of. */
struct series_mark { double value; unsigned round; };

/*
 * Samples of round r stand together, rounds ascending. scratch: room for n.
 * full_adds: independent adds per cycle of a core that has no busy sibling (0:
 * not known).
 */
void series_summarise(const struct time_sample *sample, size_t n,
		      double full_adds, struct series_mark *scratch,
		      struct series_summary *out);

/* full_adds of what was seen over some time. Sorts adds; 0 if n is 0. */
double series_full_adds(double *adds, size_t n);

/* over: there will be no further round. */
enum series_state series_judge(const struct series_summary *summary,
			       const struct series_rule *rule, bool over);

/* The better known one of the two figures decides. */
double series_error(const struct series_summary *summary);

#endif
