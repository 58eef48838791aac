/* SPDX-License-Identifier: MIT */
/* Statistics of timing samples. */
#include "analysis/latency/series.h"

#include <math.h>
#include <stdlib.h>

#include "kernels/draw.h"

#define ROUNDS 64
#define BUSY 0.85	/* of the full adds per cycle: the sibling works */
#define FEWEST 16	/* quiet samples, if there were more of others */
#define FAR_NS 50	/* slower ones are not served by what a core has */
#define RESAMPLES 60
#define QUARTERS 4
#define CHAINS 4	/* of independent adds, side by side */
#define SCATTERED 1.1

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

static double value_of(const struct time_sample *s, enum which which)
{
	return which == NS ? s->ns : which == CYCLES ? s->cycles : s->ghz;
}

static bool is_torn(const struct time_sample *s, enum which which)
{
	return which != NS && s->torn;
}

/*
 * Nobody worked on the core's other thread, as far as the looks before and
 * after show: two before and two after, since a look is short and others work
 * in bursts.
 */
static bool is_quiet(const struct time_sample *s, size_t n, size_t i,
		     double least)
{
	const size_t last = i + 3 < n ? i + 3 : n;

	for (size_t k = i ? i - 1 : 0; k < last; k++)
		if (s[k].round == s[i].round && s[k].adds > 0 &&
		    s[k].adds < least)
			return false;
	return true;
}

/* The samples that a figure is taken from, and their rounds, counted from 0. */
struct pool {
	struct series_mark *mark;
	size_t n;
	unsigned rounds;	/* at most ROUNDS; later ones are the last */
	double quantile;
	bool shared;		/* nearly all of them beside somebody */
};

struct choice { bool torn, busy; double least; };

static size_t fill(struct pool *p, const struct time_sample *s, size_t n,
		   enum which which, const struct choice *c)
{
	unsigned last = 0;

	p->n = p->rounds = 0;
	for (size_t i = 0; i < n; i++) {
		const double v = value_of(&s[i], which);

		if (!(v > 0) || (!c->torn && is_torn(&s[i], which)) ||
		    (!c->busy && !is_quiet(s, n, i, c->least)))
			continue;
		if ((!p->n || s[i].round != last) && p->rounds < ROUNDS)
			p->rounds++;
		last = s[i].round;
		p->mark[p->n++] = (struct series_mark){ v, p->rounds - 1 };
	}
	return p->n;
}

/*
 * Torn samples count only if there are no others. Of a core that was shared
 * for more than half of the time, some of the samples that look quiet are not:
 * so it is p10 of these instead of p25.
 */
static void choose(struct pool *p, const struct time_sample *s, size_t n,
		   enum which which, double least)
{
	struct choice all = { .busy = true }, quiet = { .least = least };
	size_t complete = fill(p, s, n, which, &all);
	unsigned rounds;

	p->quantile = 0.25;
	p->shared = false;
	if (!complete) {
		all.torn = quiet.torn = true;
		complete = fill(p, s, n, which, &all);
	}
	rounds = p->rounds;
	if (!(least > 0) || fill(p, s, n, which, &quiet) == complete)
		return;
	if (2 * p->n < complete)
		p->quantile = 0.1;
	p->shared = (p->n < FEWEST && 2 * p->n < complete) ||
		    (p->rounds < 2 && rounds > 1);
	if (!p->shared)
		return;
	p->quantile = 0.25;
	fill(p, s, n, which, &all);
}

static int by_value(const void *a, const void *b)
{
	const struct series_mark *x = a, *y = b;

	return (x->value > y->value) - (x->value < y->value);
}

/* The quantile, where each round counts as often as it was drawn. */
static double weighted(const struct pool *p, const unsigned *samples,
		       const unsigned *drawn)
{
	double complete = 0, sum = 0;
	size_t i = 0;

	for (unsigned r = 0; r < p->rounds; r++)
		complete += (double)samples[r] * drawn[r];
	for (; i + 1 < p->n; i++) {
		sum += drawn[p->mark[i].round];
		if (sum > p->quantile * complete)
			break;
	}
	return p->mark[i].value;
}

/* Student's t, 95 % to both sides, of so many degrees of freedom. */
static double student(unsigned freedom)
{
	static const double t[] = { 0, 12.7, 4.3, 3.18, 2.78, 2.57, 2.45, 2.36,
				    2.31, 2.26, 2.23, 2.2, 2.18 };
	const unsigned known = sizeof(t) / sizeof(*t);

	return freedom < known ? t[freedom] : 2.1;
}

/*
 * Half of a 95 % interval: by how much the answer moves if other rounds of the
 * same kind had been seen. Rounds are drawn, not samples: those of one round
 * are alike. mark is sorted.
 */
static double scatter(const struct pool *p)
{
	unsigned samples[ROUNDS] = { 0 };
	double sum = 0, square = 0;
	uint64_t seed = 1;

	for (size_t i = 0; i < p->n; i++)
		samples[p->mark[i].round]++;
	for (unsigned k = 0; k < RESAMPLES; k++) {
		unsigned drawn[ROUNDS] = { 0 };
		double v;

		for (unsigned r = 0; r < p->rounds; r++)
			drawn[draw_below(&seed, p->rounds)]++;
		v = weighted(p, samples, drawn) - p->mark[0].value;
		sum += v / RESAMPLES;
		square += v * v / RESAMPLES;
	}
	return student(p->rounds - 1) * sqrt(fmax(square - sum * sum, 0) *
		p->rounds / (p->rounds - 1));
}

/* The quantile of a quarter of the rounds; 0: it has no samples. */
static double quarter(const struct pool *p, unsigned which)
{
	const unsigned from = p->rounds * which / QUARTERS;
	const unsigned to = p->rounds * (which + 1) / QUARTERS;
	size_t n = 0, seen = 0;

	for (size_t i = 0; i < p->n; i++)
		n += p->mark[i].round >= from && p->mark[i].round < to;
	for (size_t i = 0; i < p->n; i++) {
		seen += p->mark[i].round >= from && p->mark[i].round < to;
		if (seen && (double)seen > p->quantile * (double)n)
			return p->mark[i].value;
	}
	return 0;
}

/*
 * Rounds that follow each other are alike where others come and go slowly:
 * drawing them anew does not show it. The quarters of the time do: half of a
 * 95 % interval of their mean, by the median of how far they are from their
 * median, since one disturbed quarter is no reason to doubt the others.
 */
static double drift(const struct pool *p)
{
	static const double sigmas = 1.4826;	/* of the normal distribution */
	const double wide = student(QUARTERS - 1) / sqrt(QUARTERS);
	double v[QUARTERS], middle;

	if (p->rounds < QUARTERS)
		return 0;
	for (unsigned k = 0; k < QUARTERS; k++)
		v[k] = quarter(p, k);
	middle = series_quantile(v, QUARTERS, 0.5);
	for (unsigned k = 0; k < QUARTERS; k++)
		v[k] = fabs(v[k] - middle);
	return wide * sigmas * series_quantile(v, QUARTERS, 0.5);
}

static double sorted_quantile(const struct pool *p, double q)
{
	const double at = q * (double)(p->n - 1);
	const size_t i = (size_t)at;
	const double v = p->mark[i].value;

	return i + 1 < p->n ? v + (at - (double)i) * (p->mark[i + 1].value - v) :
			      v;
}

/* What the rounds alone would say, quiet or not: p10 and p90 of that. */
static void find_range(const struct time_sample *s, size_t n, enum which which,
		       struct series_mark *scratch, struct series_figure *out)
{
	struct pool p = { .mark = scratch };
	double value[ROUNDS];
	unsigned rounds = 0;

	for (size_t i = 0, end; i < n && rounds < ROUNDS; i = end) {
		for (end = i; end < n && s[end].round == s[i].round;)
			end++;
		choose(&p, s + i, end - i, which, 0);
		if (!p.n)
			continue;
		qsort(p.mark, p.n, sizeof(*p.mark), by_value);
		value[rounds++] = sorted_quantile(&p, p.quantile);
	}
	if (!rounds)
		return;
	out->low = series_quantile(value, rounds, 0.1);
	out->high = series_quantile(value, rounds, 0.9);
}

/* Returns whether the core was shared nearly all of the time. */
static bool summarise(const struct time_sample *s, size_t n, enum which which,
		      double least, struct series_mark *scratch,
		      struct series_figure *out)
{
	struct pool p = { .mark = scratch };

	*out = (struct series_figure){ .error = INFINITY };
	find_range(s, n, which, scratch, out);
	choose(&p, s, n, which, least);
	if (!p.n)
		return false;
	qsort(p.mark, p.n, sizeof(*p.mark), by_value);
	out->value = sorted_quantile(&p, p.quantile);
	if (p.rounds > 1)
		out->error = fmax(scatter(&p), drift(&p)) / out->value;
	out->low = fmin(out->low, out->value);
	out->high = fmax(out->high, out->value);
	return p.shared;
}

static void see_clock(const struct time_sample *s, size_t n, double least,
		      struct series_mark *scratch, struct series_summary *out)
{
	const struct choice all = { .torn = true, .busy = true };
	struct pool p = { .mark = scratch };
	size_t torn = 0, seen = 0, busy = 0;

	for (size_t i = 0; i < n; i++) {
		torn += s[i].torn;
		seen += s[i].adds > 0;
		busy += s[i].adds > 0 && s[i].adds < least;
	}
	if (n)
		out->torn = (double)torn / (double)n;
	if (seen)
		out->sibling = (double)busy / (double)seen;
	if (!fill(&p, s, n, GHZ, &all))
		return;
	qsort(p.mark, p.n, sizeof(*p.mark), by_value);
	out->ghz = sorted_quantile(&p, 0.5);
	out->drift = (sorted_quantile(&p, 0.9) - sorted_quantile(&p, 0.1)) /
		     out->ghz;
}

void series_summarise(const struct time_sample *s, size_t n, double full_adds,
		      struct series_mark *scratch, struct series_summary *out)
{
	const double least = BUSY * full_adds;
	double matters = least;

	*out = (struct series_summary){ .samples = n };
	for (size_t i = 0; i < n; i++)
		out->rounds += !i || s[i].round != s[i - 1].round;
	summarise(s, n, NS, 0, scratch, &out->ns);
	if (out->ns.value > FAR_NS)
		matters = 0;
	else
		summarise(s, n, NS, least, scratch, &out->ns);
	out->shared = summarise(s, n, CYCLES, matters, scratch, &out->cycles);
	see_clock(s, n, least, scratch, out);
}

/*
 * Where nobody was seen alone, which is where the adds scatter and never come
 * near the one per chain that they are made for, that many are full.
 */
double series_full_adds(double *adds, size_t n)
{
	double full;

	if (!n)
		return 0;
	full = series_quantile(adds, n, 0.95);
	if (full < BUSY * CHAINS && series_quantile(adds, n, 0.75) >
				    SCATTERED * series_quantile(adds, n, 0.25))
		return CHAINS;
	return full;
}

double series_error(const struct series_summary *s)
{
	return fmin(s->ns.error, s->cycles.error);
}

enum series_state series_judge(const struct series_summary *s,
			       const struct series_rule *rule, bool over)
{
	const double error = s->shared ? INFINITY : series_error(s);

	if (s->rounds >= rule->least_rounds && error <= rule->good)
		return SERIES_STABLE;
	if (!over)
		return SERIES_MORE;
	return s->rounds > 1 && error <= rule->stable ? SERIES_STABLE :
							SERIES_UNSTABLE;
}
