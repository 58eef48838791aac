/* SPDX-License-Identifier: MIT */
/*
 * Per point: the median of the nodes, and their noise by the median absolute
 * deviation, steadied by the noise of the points around it. Per node: its
 * deviations in standard errors, added up over windows of neighbours and over
 * the three largest. docs/internals/fleet.md has the reasons for the numbers.
 */
#define _GNU_SOURCE
#include "fleet/scan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "assay/error.h"

static const double
	wrong = 2e-4,		/* share of good nodes that may be accused */
	least_off = 0.025,	/* a smaller deviation is no difference */
	least_alone = 0.05,	/* the same where a series has fewer than three
				 * points */
	noise_least = 0.002,	/* numbers are rounded */
	most_sure = 7,		/* of one point: one outlier is no window */
	alone_sure = 8,		/* of a point in so short a series */
	agree_sure = 1.5,	/* points of a window */
	three_sure = 2.5,	/* points far apart */
	usual = 0.7;		/* exact numbers: as judge.c has it for texts */
enum { AROUND = 4, STEADY = 48, MANY = 24, FEW = 12, LEAST = 4 };

/* Points of one node whose deviations have one sign. */
struct sum { double sure, off; size_t points, agree; size_t first, last; };

/* The tables have a row for each item and a column for each node. */
struct work {
	struct scan *scan;
	float *off;		/* value / median - 1; NAN: absent */
	float *sure;		/* the same in standard errors, capped */
	double *own;		/* of each item: the noise of the nodes */
	double *pick;		/* for a median */
	struct sum *before;	/* of one node: sums over the items before */
	bool *exact;		/* of each item: most nodes are equal */
	double window_limit, three_limit;
};

static int by_value(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *v, size_t n)
{
	qsort(v, n, sizeof(*v), by_value);
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

/* ---- limits -------------------------------------------------------------- */

/* So many standard errors that a share p of normal noise lies beyond them. */
static double quantile(double p)
{
	double low = 0, high = 40;

	for (int i = 0; i < 60; i++) {
		const double middle = (low + high) / 2;

		if (erfc(middle / M_SQRT2) > p)
			low = middle;
		else
			high = middle;
	}
	return high;
}

/* Windows have 3, 6, 12 ... points. */
static double windows(size_t items)
{
	double all = 0;

	for (size_t n = 3; n <= items; n *= 2)
		all += (double)(items - n + 1);
	return all;
}

static double threes(size_t items)
{
	const double n = (double)items;

	return n < 3 ? 0 : n * (n - 1) * (n - 2) / 6;
}

void scan_count(size_t items, double *in_windows, double *in_threes)
{
	*in_windows += windows(items);
	*in_threes += threes(items);
}

/* ---- points -------------------------------------------------------------- */

static float *row(const struct work *w, float *table, size_t item)
{
	return table + item * w->scan->nodes;
}

/* Reads the item into the row of .off. Returns how many nodes have it. */
static size_t load(const struct work *w, size_t item)
{
	const struct scan *s = w->scan;
	size_t n = 0;

	for (size_t i = 0; i < s->nodes; i++) {
		const double v = fleet_get(s->fleet, s->node[i], s->item[item]);

		row(w, w->off, item)[i] = (float)v;
		if (!isnan(v))
			w->pick[n++] = v;
	}
	return n;
}

/* Turns the values into deviations from their median, and returns how many of
 * them are 0. */
static size_t subtract(const struct work *w, size_t item, double middle)
{
	const struct scan *s = w->scan;
	float *off = row(w, w->off, item);
	size_t equal = 0;

	for (size_t i = 0; i < s->nodes; i++) {
		const double v = fleet_get(s->fleet, s->node[i], s->item[item]);

		if (isnan(v))
			continue;
		off[i] = v == middle ? 0 : middle == 0 ? copysignf(1, (float)v)
			 : (float)(v / middle - 1);
		equal += v == middle;
	}
	return equal;
}

static void measure_noise(struct work *w, size_t item, size_t n)
{
	const float *off = row(w, w->off, item);
	size_t k = 0;

	for (size_t i = 0; i < w->scan->nodes; i++)
		if (!isnan(off[i]))
			w->pick[k++] = fabs(off[i]);
	/* n / (n - 0.8): few nodes look less noisy than they are */
	w->own[item] = 1.4826 * median(w->pick, n) * (double)n /
		       ((double)n - 0.8);
}

static void look_at(struct work *w, size_t item)
{
	const enum fleet_kind kind =
		w->scan->fleet->item[w->scan->item[item]].kind;
	const size_t n = load(w, item);
	size_t equal;

	w->own[item] = NAN;
	if (n < LEAST) {
		for (size_t i = 0; i < w->scan->nodes; i++)
			row(w, w->off, item)[i] = NAN;
		return;
	}
	w->scan->shared++;
	equal = subtract(w, item, median(w->pick, n));
	w->exact[item] = kind == FLEET_EXACT && (double)equal >= usual *
			 (double)n;
	measure_noise(w, item, n);
}

/* The median noise of the points around. */
static double noise_around(const struct work *w, size_t item)
{
	const size_t from = item > AROUND ? item - AROUND : 0;
	double own[2 * AROUND + 1];
	size_t n = 0;

	for (size_t i = from; i < w->scan->items && i <= item + AROUND; i++)
		if (!isnan(w->own[i]))
			own[n++] = w->own[i];
	return median(own, n);
}

/* Few nodes tell little of their noise: the points around tell more. */
static double noise_of(const struct work *w, size_t item)
{
	const double own = w->own[item], around = noise_around(w, item);
	const double n = (double)w->scan->nodes;
	double noise = fmax(own, around);

	if (w->scan->nodes >= MANY)
		noise = sqrt((n * own * own + STEADY * around * around) /
			     (n + STEADY));
	return fmax(noise, noise_least);
}

static void rate(struct work *w, size_t item)
{
	const float *off = row(w, w->off, item);
	float *sure = row(w, w->sure, item);
	const double noise = isnan(w->own[item]) ? 1 : noise_of(w, item);

	for (size_t i = 0; i < w->scan->nodes; i++)
		sure[i] = isnan(off[i]) ? NAN : (float)(off[i] / noise);
}

/* ---- nodes --------------------------------------------------------------- */

static void sum_add(struct sum *s, const struct work *w, size_t node,
		    size_t item, int sign)
{
	const double sure = sign * row(w, w->sure, item)[node];

	if (isnan(sure))
		return;
	if (!s->points++)
		s->first = item;
	s->last = item;
	s->sure += fmin(sure, most_sure);
	s->off += sign * row(w, w->off, item)[node];
	s->agree += sure >= agree_sure;
}

static double sum_sure(const struct sum *s)
{
	return s->points ? s->sure / sqrt((double)s->points) : 0;
}

/* With few nodes, noise may look like a deviation. */
static double least_of(const struct work *w, double least)
{
	return w->scan->nodes < FEW ? least * FEW / (double)w->scan->nodes :
				      least;
}

static bool is_off(const struct work *w, const struct sum *s, double limit)
{
	return s->points >= 3 && s->agree >= 3 && 2 * s->agree >= s->points &&
	       sum_sure(s) >= limit &&
	       s->off >= least_of(w, least_off) * (double)s->points;
}

/* The surest of two. */
static void keep(struct sum *best, const struct sum *s)
{
	if (!best->points || sum_sure(s) > sum_sure(best))
		*best = *s;
}

static void sum_up(const struct work *w, size_t node, int sign)
{
	struct sum all = { 0 };

	for (size_t i = 0; i < w->scan->items; i++) {
		w->before[i] = all;
		sum_add(&all, w, node, i, sign);
	}
	w->before[w->scan->items] = all;
}

static void try_windows(struct sum *best, const struct work *w)
{
	const struct sum *b = w->before;

	for (size_t n = 3; n <= w->scan->items; n *= 2)
		for (size_t i = 0; i + n <= w->scan->items; i++) {
			const struct sum s = {
				b[i + n].sure - b[i].sure,
				b[i + n].off - b[i].off,
				b[i + n].points - b[i].points,
				b[i + n].agree - b[i].agree, i, i + n - 1,
			};

			if (is_off(w, &s, w->window_limit))
				keep(best, &s);
		}
}

/* The three surest points, wherever they are. */
static void try_three(struct sum *best, const struct work *w, size_t node,
		      int sign)
{
	size_t top[3] = { 0 }, n = 0;
	struct sum s = { 0 };

	for (size_t i = 0; i < w->scan->items; i++) {
		size_t at = n;

		if (!(sign * row(w, w->sure, i)[node] >= three_sure))
			continue;
		while (at && row(w, w->sure, i)[node] * sign >
			     row(w, w->sure, top[at - 1])[node] * sign) {
			if (at < 3)
				top[at] = top[at - 1];
			at--;
		}
		if (at < 3)
			top[at] = i;
		n += n < 3;
	}
	for (size_t i = 0; i < n; i++)
		sum_add(&s, w, node, top[i], sign);
	if (is_off(w, &s, w->three_limit))
		keep(best, &s);
}

/* A series of one or two points. */
static void try_alone(struct sum *best, const struct work *w, size_t node,
		      int sign)
{
	for (size_t i = 0; i < w->scan->items; i++) {
		const double off = sign * row(w, w->off, i)[node];
		struct sum s = { 0 };

		sum_add(&s, w, node, i, sign);
		if (off >= least_of(w, least_alone) &&
		    sign * row(w, w->sure, i)[node] >= alone_sure)
			keep(best, &s);
	}
}

/* All points that differ as the found ones do. */
static void report(const struct work *w, size_t node, const struct sum *best,
		   int sign)
{
	const struct scan *s = w->scan;
	struct sum all = { 0 };

	for (size_t i = 0; i < s->items; i++)
		if (sign * row(w, w->sure, i)[node] >=
		    (i >= best->first && i <= best->last ? agree_sure :
							   alone_sure / 2))
			sum_add(&all, w, node, i, sign);
	s->found(s->ctx, &(struct scan_found){
		.node = s->node[node], .first = s->item[all.first],
		.last = s->item[all.last], .points = (uint32_t)all.points,
		.off = sign * all.off / (double)all.points,
		.sure = sum_sure(best),
	});
}

/* Numbers that are equal on most nodes: each other one differs. */
static bool report_exact(const struct work *w, size_t node)
{
	const struct scan *s = w->scan;
	struct sum all = { 0 };

	for (size_t i = 0; i < s->items; i++)
		if (w->exact[i] && row(w, w->off, i)[node] != 0)
			sum_add(&all, w, node, i, 1);
	if (!all.points)
		return false;
	s->found(s->ctx, &(struct scan_found){
		.node = s->node[node], .first = s->item[all.first],
		.last = s->item[all.last], .points = (uint32_t)all.points,
		.off = all.off / (double)all.points, .sure = HUGE_VAL,
	});
	return true;
}

static void judge_node(const struct work *w, size_t node)
{
	struct sum best[2] = { { .points = 0 }, { .points = 0 } };
	int better;

	if (report_exact(w, node))
		return;
	for (int i = 0; i < 2; i++) {
		const int sign = i ? -1 : 1;

		if (w->scan->items < 3) {
			try_alone(&best[i], w, node, sign);
			continue;
		}
		sum_up(w, node, sign);
		if (w->before[w->scan->items].agree < 3)
			continue;
		try_windows(&best[i], w);
		try_three(&best[i], w, node, sign);
	}
	better = sum_sure(&best[1]) > sum_sure(&best[0]);
	if (best[better].points)
		report(w, node, &best[better], better ? -1 : 1);
}

int scan_series(struct scan *s)
{
	const size_t cells = s->items * s->nodes;
	struct work w = {
		.scan = s, .off = calloc(cells + 1, sizeof(*w.off)),
		.sure = calloc(cells + 1, sizeof(*w.sure)),
		.own = calloc(s->items + 1, sizeof(*w.own)),
		.pick = calloc(s->nodes + 1, sizeof(*w.pick)),
		.before = calloc(s->items + 1, sizeof(*w.before)),
		.exact = calloc(s->items + 1, sizeof(*w.exact)),
		.window_limit = quantile(wrong / 2 / fmax(s->windows, 1)),
		.three_limit = quantile(wrong / 2 / fmax(s->threes, 1)),
	};
	const bool ready = w.off && w.sure && w.own && w.pick && w.before &&
			   w.exact;

	for (size_t i = 0; ready && i < s->items; i++)
		look_at(&w, i);
	for (size_t i = 0; ready && i < s->items; i++)
		rate(&w, i);
	for (size_t i = 0; ready && s->shared && i < s->nodes; i++)
		judge_node(&w, i);
	free(w.off);
	free(w.sure);
	free(w.own);
	free(w.pick);
	free(w.before);
	free(w.exact);
	return ready ? 0 : -ASSAY_ENOMEM;
}
