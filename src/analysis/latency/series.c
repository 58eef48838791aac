/* SPDX-License-Identifier: MIT */
/* Quantiles, bootstrap errors and stopping of timing samples. See series.h. */
#include "analysis/latency/series.h"

#include <math.h>
#include <stdlib.h>

#include "kernels/draw.h"

#define ROUNDS 64
#define BUSY 0.85	/* share of the full adds; below, a sibling works */
#define FEWEST 16	/* fewer quiet samples among many are not enough */
#define FAR_NS 50	/* a slower access is not served by the core's caches */
#define RESAMPLES 60	/* of the bootstrap */
#define QUARTERS 4
#define CHAINS 4	/* parallel chains in the loop of register adds */
#define SCATTERED 1.1	/* p75 / p25 of the adds with a busy sibling */

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
 * Did the register adds show no busy sibling? Two looks before and two after
 * the sample are checked, since a look is short and neighbours work in bursts.
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

/* The samples behind a figure, with their rounds renumbered from 0. */
struct pool {
	struct series_mark *mark;
	size_t n;
	unsigned rounds;	/* at most ROUNDS: later rounds join the last */
	double quantile;	/* of the figure */
	bool shared;		/* nearly all have a busy sibling */
};

/* Which samples count: torn ones, ones with fewer adds than `least`. */
struct choice { bool torn, busy; double least; };

/* Fills the pool with the accepted samples; returns their number. */
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
 * Chooses the samples and the quantile. Torn samples count only if there are no
 * others. If a sibling was busy in more than half of the samples, the sibling
 * was busy in some of the others, too, unseen; then the p10 of those is used
 * instead of the p25.
 */
static void choose(struct pool *p, const struct time_sample *s, size_t n,
		   enum which which, double least)
{
	struct choice all = { .busy = true }, quiet = { .least = least };
	size_t total = fill(p, s, n, which, &all);
	unsigned rounds;

	p->quantile = 0.25;
	p->shared = false;
	if (!total) {
		all.torn = quiet.torn = true;
		total = fill(p, s, n, which, &all);
	}
	rounds = p->rounds;
	if (!(least > 0) || fill(p, s, n, which, &quiet) == total)
		return;
	if (2 * p->n < total)
		p->quantile = 0.1;
	p->shared = (p->n < FEWEST && 2 * p->n < total) ||
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

/* The pool's quantile if each round counts as often as it was drawn. */
static double weighted(const struct pool *p, const unsigned *samples,
		       const unsigned *drawn)
{
	double total = 0, sum = 0;
	size_t i = 0;

	for (unsigned r = 0; r < p->rounds; r++)
		total += (double)samples[r] * drawn[r];
	for (; i + 1 < p->n; i++) {
		sum += drawn[p->mark[i].round];
		if (sum > p->quantile * total)
			break;
	}
	return p->mark[i].value;
}

/* Student's t, two-sided 95 %, by degrees of freedom. */
static double student(unsigned freedom)
{
	static const double t[] = { 0, 12.7, 4.3, 3.18, 2.78, 2.57, 2.45, 2.36,
				    2.31, 2.26, 2.23, 2.2, 2.18 };
	const unsigned known = sizeof(t) / sizeof(*t);

	return freedom < known ? t[freedom] : 2.1;
}

/*
 * Half of a 95 % interval of the figure, by a bootstrap over rounds (samples of
 * one round are not independent). mark is sorted.
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

/* The quantile in one quarter of the rounds; 0: no samples there. */
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
 * Half of a 95 % interval from the four quarters of the time: slow changes of
 * the load make successive rounds alike, which the bootstrap does not see. The
 * spread is the median absolute deviation, which one disturbed quarter does not
 * move.
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

/* The quantile of a pool whose marks are sorted by value. */
static double sorted_quantile(const struct pool *p, double q)
{
	const double at = q * (double)(p->n - 1), part = at - floor(at);
	const size_t i = (size_t)at;
	const double v = p->mark[i].value;

	return i + 1 < p->n ? v + part * (p->mark[i + 1].value - v) : v;
}

/* Sets low and high: p10 and p90 of the single rounds' values, quiet or not. */
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

/* Returns whether nearly all samples have a busy sibling. */
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
 * The adds of an idle core are near one per chain. Adds that scatter and stay
 * far below had a busy sibling all the time; then one per chain is returned.
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
