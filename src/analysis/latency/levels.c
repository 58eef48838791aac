/* SPDX-License-Identifier: MIT */
/* Envelopes of latency by size, and their plateaus. See levels.h. */
#include "analysis/latency/levels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/latency/series.h"

#define RUN 3		/* points that begin a plateau */
#define FLAT 1.08	/* largest growth over these points */
#define DEPARTED 1.10	/* times its median: the plateau has ended */
#define SAME 1.5	/* ratio below which two stretches are one level */
#define NEAR 2		/* that ratio for a narrow first stretch: no small cache
			 * is less than twice as fast */
#define SNAP 0.12	/* largest relative distance to a rounded size */
#define CALM 0.95	/* share of the usual clock; below: disturbed */
#define STEEP 4		/* times a plateau: certainly the next level */
#define BROAD 6		/* points of a level, except the last one */
#define SLOW 0.45	/* share of the last level's cycles; above, a level
			 * needs BROADER points */
#define BROADER 12
#define LARGER 1.5	/* ratio of the sizes of two levels, at least */
#define PLACES 8
#define USUAL 0.6	/* quantile over places: remaining disturbance makes
			 * a cache seem smaller, never larger */

size_t levels_drop_disturbed(struct level_point *point, size_t points)
{
	double *ghz = malloc((points + 1) * sizeof(*ghz)), usual;
	size_t n = 0, forgotten = 0;

	for (size_t i = 0; ghz && i < points; i++)
		if (point[i].ghz > 0)
			ghz[n++] = point[i].ghz;
	usual = n ? series_quantile(ghz, n, 0.8) : 0;
	free(ghz);
	for (size_t i = 0; i < points; i++) {
		if (!(point[i].ghz > 0) || point[i].ghz >= CALM * usual)
			continue;
		point[i].cycles = point[i].ns = 0;
		forgotten++;
	}
	return forgotten;
}

void levels_envelope(const struct level_point *point, size_t sizes,
		     size_t sweeps, struct level_point *out)
{
	for (size_t i = 0; i < sizes; i++) {
		out[i] = (struct level_point){ .bytes = point[i].bytes };
		for (size_t s = 0; s < sweeps; s++) {
			const struct level_point *p = &point[s * sizes + i];

			if (p->cycles > 0 &&
			    (!(out[i].cycles > 0) || p->cycles < out[i].cycles))
				out[i].cycles = p->cycles;
			if (p->ns > 0 &&
			    (!(out[i].ns > 0) || p->ns < out[i].ns))
				out[i].ns = p->ns;
		}
	}
	for (size_t i = sizes; i-- > 1;) {
		const struct level_point *next = &out[i];
		struct level_point *p = &out[i - 1];

		if (next->cycles > 0 &&
		    (!(p->cycles > 0) || p->cycles > next->cycles)) {
			p->lowered = !(p->cycles > 0) ||
				  p->cycles > FLAT * next->cycles;
			p->cycles = next->cycles;
		}
		if (next->ns > 0 && (!(p->ns > 0) || p->ns > next->ns))
			p->ns = next->ns;
	}
}

double levels_snap(double bytes, double low, double high)
{
	const double base = exp2(floor(log2(bytes)));
	double best = 0;

	for (int i = 4; i <= 8; i++) {
		const double size = base * i / 4;

		if (i == 7 || size < low || size > high ||
		    fabs(size - bytes) > SNAP * bytes)
			continue;
		if (!best || fabs(size - bytes) < fabs(best - bytes))
			best = size;
	}
	return best;
}

size_t levels_sizes(uint64_t *out, size_t room, uint64_t from, uint64_t to,
		    unsigned steps, uint64_t unit)
{
	size_t n = 0;

	for (unsigned i = 0; n < room; i++) {
		const double exact = (double)from * exp2((double)i / steps);
		const uint64_t size = (uint64_t)(exact / (double)unit + 0.5) *
				      unit;

		if (exact > (double)to * 1.0001)
			break;
		if (size && (!n || size > out[n - 1]))
			out[n++] = size;
	}
	return n;
}

/* The median cycles: an envelope is ascending, so the middle point's. */
static double middle(const struct level_point *p, size_t from, size_t to)
{
	return p[(from + to) / 2].cycles;
}

/* Are this point and the next one above the limit? */
static bool departs(const struct level_point *p, size_t i, size_t sizes,
		    double limit)
{
	return p[i].cycles > limit &&
	       (i + 1 >= sizes || p[i + 1].cycles > limit);
}

static size_t plateau_end(const struct level_point *p, size_t sizes,
			  size_t from)
{
	size_t to = from + RUN - 1;

	while (to + 1 < sizes &&
	       !departs(p, to + 1, sizes, DEPARTED * middle(p, from, to)))
		to++;
	return to;
}

static void describe(struct level_found *out, const struct level_point *p,
		     size_t from, size_t to)
{
	*out = (struct level_found){
		.cycles = middle(p, from, to),
		.cycles_low = p[from].cycles, .cycles_high = p[to].cycles,
		.ns = p[(from + to) / 2].ns,
		.from = p[from].bytes, .to = p[to].bytes,
	};
}

/*
 * The size at which the curve first reaches `level` cycles, interpolated on
 * logarithmic axes; *above: the first point at or above `level`.
 */
static double crossing(const struct level_point *p, size_t sizes, double level,
		       size_t *above)
{
	for (size_t i = 1; i < sizes; i++) {
		double x0, x1, y0, y1;

		if (p[i].cycles < level)
			continue;
		*above = i;
		if (p[i - 1].cycles >= level)
			return (double)p[i - 1].bytes;
		x0 = log((double)p[i - 1].bytes);
		x1 = log((double)p[i].bytes);
		y0 = log(p[i - 1].cycles);
		y1 = log(p[i].cycles);
		return exp(x0 + (x1 - x0) * (log(level) - y0) / (y1 - y0));
	}
	*above = sizes - 1;
	return (double)p[sizes - 1].bytes;
}

/*
 * The cycles at the capacity, where half of the accesses are served by the next
 * level. Limited to STEEP times this level, since a level too small for a
 * plateau of its own may lie between the two.
 */
static double half_height(const struct level_found *l)
{
	return fmin((l->cycles + l->next) / 2, STEEP * l->cycles);
}

static void snap(struct level_found *l)
{
	const double snapped = levels_snap(l->bytes, l->low, l->high);

	l->snapped = snapped > 0;
	if (l->snapped)
		l->bytes = snapped;
}

static void bound(struct level_found *l, const struct level_found *next,
		  const struct level_point *p, size_t sizes)
{
	size_t above = 0;

	l->bounded = true;
	l->next = next->cycles;
	l->bytes = crossing(p, sizes, half_height(l), &above);
	l->low = fmin((double)l->to, l->bytes);
	l->high = fmax((double)p[above].bytes, l->bytes);
	snap(l);
}

void levels_place(struct level_found *l, const struct level_point *point,
		  size_t sizes, size_t places)
{
	double bytes[PLACES];
	size_t n = 0, above;

	if (!l->bounded || sizes < 2)
		return;
	for (size_t p = 0; p < places && n < PLACES; p++) {
		const struct level_point *at = point + p * sizes;

		if (at[0].cycles > 0 && at[0].cycles < half_height(l) &&
		    at[sizes - 1].cycles > half_height(l))
			bytes[n++] = crossing(at, sizes, half_height(l),
					      &above);
	}
	if (!n)
		return;
	l->bytes = series_quantile(bytes, n, USUAL);
	/* the size one step smaller still fitted */
	l->low = series_quantile(bytes, n, 0) *
		 (double)point[sizes - 2].bytes /
		 (double)point[sizes - 1].bytes;
	l->high = series_quantile(bytes, n, 1);
	snap(l);
}

/*
 * Drops plateaus that are too narrow: on scattered pages, and between the last
 * cache and memory, a rising curve may have short flat stretches. Points that
 * were lowered to a larger size's cycles do not count.
 */
static size_t drop_narrow(const struct level_point *p, size_t sizes,
			 struct level_found *l, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		const size_t enough = l[i].cycles > SLOW * l[n - 1].cycles ?
				      BROADER : BROAD;
		size_t points = 0;

		for (size_t k = 0; k < sizes; k++)
			points += !p[k].lowered && p[k].bytes >= l[i].from &&
				  p[k].bytes <= l[i].to;
		if (i + 1 == n || points >= enough)
			l[kept++] = l[i];
	}
	return kept;
}

/* Adds a stretch to a level: the longest stretch gives the level's cycles. */
static void extend(struct level_found *l, const struct level_found *stretch,
		   bool longest)
{
	l->to = stretch->to;
	l->cycles_high = stretch->cycles_high;
	if (!longest)
		return;
	l->cycles = stretch->cycles;
	l->ns = stretch->ns;
}

size_t levels_find(const struct level_point *p, size_t sizes,
		   struct level_found *out)
{
	size_t n = 0, i = 0, longest = 0;

	while (i + RUN <= sizes && n < LEVELS_MOST) {
		struct level_found stretch;
		size_t to;

		if (!(p[i].cycles > 0) ||
		    p[i + RUN - 1].cycles > FLAT * p[i].cycles) {
			i++;
			continue;
		}
		to = plateau_end(p, sizes, i);
		describe(&stretch, p, i, to);
		if (n && stretch.cycles < out[n - 1].cycles *
					  (longest < BROADER ? NEAR : SAME)) {
			extend(&out[n - 1], &stretch, to + 1 - i > longest);
			longest = to + 1 - i > longest ? to + 1 - i : longest;
		} else {
			out[n++] = stretch;
			longest = to + 1 - i;
		}
		i = to + 1;
	}
	n = drop_narrow(p, sizes, out, n);
	for (size_t k = 0; k + 1 < n; k++)
		bound(&out[k], &out[k + 1], p, sizes);
	return n;
}

size_t levels_join(const struct levels_curve *near,
		   const struct levels_curve *far, struct level_found *out)
{
	struct level_found a[LEVELS_MOST], b[LEVELS_MOST];
	const size_t an = levels_find(near->point, near->sizes, a);
	const size_t bn = levels_find(far->point, far->sizes, b);
	size_t n = 0, close;

	for (size_t i = 0; i < an && i < 2 && a[i].bounded; i++)
		out[n++] = a[i];
	close = n;
	for (size_t i = 0; i < bn && n < LEVELS_MOST; i++)
		if (!n || ((double)b[i].to > out[n - 1].bytes &&
			   b[i].cycles > out[n - 1].cycles *
					 (n == close ? NEAR : SAME) &&
			   !(b[i].bounded &&
			     b[i].bytes < LARGER * out[n - 1].bytes)))
			out[n++] = b[i];
	return n ? n : an ? (out[0] = a[0], 1) : 0;
}

/* ---- a busy machine ------------------------------------------------------ */

void levels_busy(char *out, size_t room, double off)
{
	*out = '\0';
	if (off > LEVELS_BUSY)
		snprintf(out, room, "not decided: machine busy, other work "
			 "took %.0f %% of this CPU's time: ", 100 * off);
}
