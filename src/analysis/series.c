/* SPDX-License-Identifier: MIT */
/* Statistics of timing samples. */
#include "analysis/series.h"

#include <math.h>
#include <stdlib.h>

#define ROUNDS 64
#define BUSY 0.77	/* of the full adds per cycle: the sibling works */

static int by_size(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double series_quantile(double *v, size_t n, double q)
{
	double at, part;
	size_t i;

	qsort(v, n, sizeof(*v), by_size);
	at = q * (double)(n - 1);
	i = (size_t)at;
	part = at - (double)i;
	return i + 1 < n ? v[i] + part * (v[i + 1] - v[i]) : v[n - 1];
}

enum which { NS, CYCLES, GHZ };

/* Of cycles and the clock, torn samples count only if there are no others. */
static size_t pick(const struct time_sample *s, size_t n, enum which which,
		   bool torn, double *out)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		const double v = which == NS ? s[i].ns :
				 which == CYCLES ? s[i].cycles : s[i].ghz;

		if (v > 0 && (which == NS || torn || !s[i].torn))
			out[kept++] = v;
	}
	return kept;
}

static double figure(const struct time_sample *s, size_t n, enum which which,
		     double *scratch)
{
	size_t kept = pick(s, n, which, false, scratch);

	if (!kept)
		kept = pick(s, n, which, true, scratch);
	return kept ? series_quantile(scratch, kept,
				      which == GHZ ? 0.5 : 0.25) : 0;
}

/*
 * Half of the 95 % interval of the median of r sorted values, by their ranks:
 * no shape of their distribution is assumed. Of few it is the whole range.
 */
static double scatter(const double *sorted, unsigned r)
{
	const double rank = r / 2.0 - 0.98 * sqrt(r);
	const unsigned k = rank > 0 ? (unsigned)rank : 0;

	return (sorted[r - 1 - k] - sorted[k]) / 2;
}

static void summarise(const struct time_sample *s, size_t n, enum which which,
		      double *scratch, struct series_figure *out)
{
	double value[ROUNDS];
	unsigned rounds = 0;

	*out = (struct series_figure){ .error = INFINITY };
	out->value = figure(s, n, which, scratch);
	for (size_t i = 0, end; i < n && rounds < ROUNDS; i = end) {
		for (end = i; end < n && s[end].round == s[i].round;)
			end++;
		value[rounds] = figure(s + i, end - i, which, scratch);
		rounds += value[rounds] > 0;
	}
	if (!rounds || out->value <= 0)
		return;
	out->low = fmin(series_quantile(value, rounds, 0.1), out->value);
	out->high = fmax(series_quantile(value, rounds, 0.9), out->value);
	if (rounds > 1)
		out->error = scatter(value, rounds) / out->value;
}

static void see_clock(const struct time_sample *s, size_t n, double full,
		      double *scratch, struct series_summary *out)
{
	size_t kept = pick(s, n, GHZ, true, scratch), torn = 0;
	size_t seen = 0, busy = 0;

	for (size_t i = 0; i < n; i++) {
		torn += s[i].torn;
		seen += s[i].adds > 0;
		busy += s[i].adds > 0 && s[i].adds < BUSY * full;
	}
	if (n)
		out->torn = (double)torn / (double)n;
	if (seen)
		out->sibling = (double)busy / (double)seen;
	if (!kept)
		return;
	out->ghz = series_quantile(scratch, kept, 0.5);
	out->drift = (series_quantile(scratch, kept, 0.9) -
		      series_quantile(scratch, kept, 0.1)) / out->ghz;
}

void series_summarise(const struct time_sample *s, size_t n, double full_adds,
		      double *scratch, struct series_summary *out)
{
	*out = (struct series_summary){ .samples = n };
	for (size_t i = 0; i < n; i++)
		out->rounds += !i || s[i].round != s[i - 1].round;
	summarise(s, n, NS, scratch, &out->ns);
	summarise(s, n, CYCLES, scratch, &out->cycles);
	see_clock(s, n, full_adds, scratch, out);
}

double series_error(const struct series_summary *s)
{
	return fmin(s->ns.error, s->cycles.error);
}

enum series_state series_judge(const struct series_summary *s,
			       const struct series_rule *rule, bool over)
{
	const double error = series_error(s);

	if (s->rounds >= rule->least_rounds && error <= rule->good)
		return SERIES_STABLE;
	if (!over)
		return SERIES_MORE;
	return s->rounds > 1 && error <= rule->stable ? SERIES_STABLE :
							SERIES_UNSTABLE;
}
