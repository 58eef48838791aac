/* SPDX-License-Identifier: MIT */
/*
 * Lines through several shapes, from the simplest on: a constant, a factor,
 * both. Weights are 1/margin^2, since the margin tells how well a truth is
 * known. A line fits if each shape's distance from the line is at most the sum
 * of margin and interval.
 */
#include "analysis/judge/parts.h"

/* Least ratio of the largest truth to the smallest that shows a slope. */
#define LEVERAGE 1.5

bool judge_leverage(struct judge_list list, double factor)
{
	double least = INFINITY, most = 0;

	for (size_t i = 0; i < list.shapes; i++) {
		const struct judge_shape *s = list.shape[i];

		if (!judge_known(s) || s->expected <= 0)
			continue;
		least = fmin(least, s->expected);
		most = fmax(most, s->expected);
	}
	return most >= factor * least;
}

/* Whether the factor is one that hardware designs have: two ports, half a
 * line, a lane. */
bool judge_round(double factor, const struct judge_shape *s)
{
	static const double other[] = { 32, 64, 1. / 32, 1. / 64, 1.5, 2.5,
					2. / 3 };
	const double near = s->truth == JUDGE_UNIT ? 0.0005 : 0.01;

	for (int i = 2; i <= 16; i++)
		if (fabs(factor / i - 1) <= near ||
		    fabs(factor * i - 1) <= near)
			return true;
	for (size_t i = 0; i < sizeof(other) / sizeof(*other); i++)
		if (fabs(factor / other[i] - 1) <= near)
			return true;
	return false;
}

static double off(const struct judge_shape *s)
{
	return s->mean - s->expected;
}

/* The shape's margin without the cap of judge_margin(). Never 0, since callers
 * divide by the margin. */
static double margin(const struct judge_shape *s)
{
	const enum judge_truth truth = s->truth ? s->truth : JUDGE_UNIT;

	return s->margin > 0 ? judge_margin(s, truth, false) :
			       1e-9 * fabs(s->expected) + 1e-9;
}

/* ---- a constant ---------------------------------------------------------- */

static double mean_off(struct judge_list list)
{
	double sum = 0, weights = 0;

	for (size_t i = 0; i < list.shapes; i++) {
		const struct judge_shape *s = list.shape[i];
		const double w = 1 / (margin(s) * margin(s));

		if (judge_known(s)) {
			sum += w * off(s);
			weights += w;
		}
	}
	return weights > 0 ? sum / weights : NAN;
}

/*
 * Whether all shapes have the excess `a`, as start-up adds. `a` is at most a
 * tenth of the least truth, unless there are four shapes. At least one shape
 * must show an excess beyond its own interval. *proven: in half of the shapes
 * the interval is no wider than the margin or 0.3 a. Rates are counts per unit
 * of work; start-up adds no fixed number to a rate.
 */
static bool constant_fits(struct judge_list list, double a, double *misfit,
			  bool *proven)
{
	double least = INFINITY;
	size_t shapes = 0, clear = 0;
	bool shown = false;

	*misfit = 0;
	for (size_t i = 0; i < list.shapes; i++) {
		const struct judge_shape *s = list.shape[i];
		const double m = s->margin;
		const double room = (a > m ? fmin(m, 0.1 * a + 3) : m) +
				    s->wide;

		if (!judge_known(s))
			continue;
		if (fabs(off(s) - a) > room || judge_is_rate(s))
			return false;
		clear += s->half <= fmax(m, 0.3 * a);
		shown |= off(s) > s->wide;
		*misfit = fmax(*misfit, fabs(off(s) - a) / (m + s->wide));
		least = fmin(least, s->expected);
		shapes++;
	}
	*proven = 2 * clear >= shapes;
	return shown && shapes > 1 && (shapes >= 4 || a <= 0.1 * least);
}

static bool constant(struct judge_list list, double *a, double *misfit,
		     bool *proven)
{
	*a = mean_off(list);
	return *a > 0 && judge_leverage(list, LEVERAGE) &&
	       constant_fits(list, *a, misfit, proven);
}

/* ---- a factor ------------------------------------------------------------ */

/*
 * Slope through 0 of the means over the truths, with weights 1/margin^2. *half:
 * half-width of the slope's interval, from the intervals of the means. *part:
 * the largest .refuse as a share of its truth.
 */
static double mean_factor(struct judge_list list, double *half, double *part)
{
	double tt = 0, mt = 0, noise = 0;

	*part = 0;
	for (size_t i = 0; i < list.shapes; i++) {
		const struct judge_shape *s = list.shape[i];
		const double t = s->expected, w = 1 / (margin(s) * margin(s));

		if (!judge_known(s) || t <= 0)
			continue;
		mt += w * s->mean * t;
		tt += w * t * t;
		noise += w * t * s->wide * w * t * s->wide;
		*part = fmax(*part, s->refuse / t);
	}
	*half = tt > 0 ? sqrt(noise) / tt : INFINITY;
	return tt > 0 ? mt / tt : NAN;
}

static bool factor_fits(struct judge_list list, double b, double *misfit)
{
	*misfit = 0;
	for (size_t i = 0; i < list.shapes; i++) {
		const struct judge_shape *s = list.shape[i];
		const double room = fmax(1, b) * margin(s) + s->wide;
		const double rest = fabs(s->mean - b * s->expected);

		if (!judge_known(s))
			continue;
		if (rest > room)
			return false;
		*misfit = fmax(*misfit, rest / room);
	}
	return true;
}

/* A factor needs two truths that differ, or one truth and a factor that
 * hardware designs have. The interval of the factor must exclude 1. */
bool judge_factor(struct judge_list list, double *factor, double *misfit)
{
	double half, part;
	const double b = mean_factor(list, &half, &part);

	*factor = b;
	if (!(b > 0) || fabs(b - 1) - half <= part ||
	    !factor_fits(list, b, misfit))
		return false;
	return judge_leverage(list, LEVERAGE) ||
	       judge_round(b, list.shape[0]);
}

/* ---- both ---------------------------------------------------------------- */

static bool has_three_truths(struct judge_list list)
{
	double seen[2] = { NAN, NAN };

	for (size_t i = 0; i < list.shapes; i++) {
		const double t = list.shape[i]->expected;

		if (!judge_known(list.shape[i]) || t == seen[0] ||
		    t == seen[1])
			continue;
		if (!isnan(seen[1]))
			return true;
		seen[isnan(seen[0]) ? 0 : 1] = t;
	}
	return false;
}

/* Weighted least squares of m = a + b t, with m the mean and t the truth. */
static bool solve(struct judge_list list, double *a, double *b)
{
	double w1 = 0, t1 = 0, m1 = 0, tt = 0, tm = 0, low;

	for (size_t i = 0; i < list.shapes; i++) {
		const struct judge_shape *s = list.shape[i];
		const double w = 1 / (margin(s) * margin(s));

		if (!judge_known(s))
			continue;
		w1 += w;
		t1 += w * s->expected;
		m1 += w * s->mean;
		tt += w * s->expected * s->expected;
		tm += w * s->expected * s->mean;
	}
	low = w1 * tt - t1 * t1;
	if (!(low > 1e-12 * w1 * tt))
		return false;
	*b = (w1 * tm - t1 * m1) / low;
	*a = (m1 - *b * t1) / w1;
	return true;
}

static bool both_fit(struct judge_list list, double a, double b)
{
	for (size_t i = 0; i < list.shapes; i++) {
		const struct judge_shape *s = list.shape[i];

		if (judge_known(s) && fabs(s->mean - a - b * s->expected) >
		    fmax(1, b) * margin(s) + s->wide)
			return false;
	}
	return true;
}

static bool both(struct judge_list list, double *b, double *a)
{
	double half, part, slope;

	mean_factor(list, &half, &part);
	if (!has_three_truths(list) || !judge_leverage(list, LEVERAGE) ||
	    !solve(list, a, &slope))
		return false;
	*b = slope;
	return *a > 0 && slope > 0 && fabs(slope - 1) - half > part &&
	       both_fit(list, *a, slope);
}

/* The simplest line that fits. Where truths differ little, a constant and a
 * factor may both fit: then the line with the smaller misfit is taken. */
enum judge_line judge_fit(struct judge_list list, double *b, double *a)
{
	double factor, add, misfit_a = 0, misfit_b = 0;
	bool a_fits, b_fits, proven = false;

	*b = *a = NAN;
	a_fits = constant(list, &add, &misfit_a, &proven);
	b_fits = judge_factor(list, &factor, &misfit_b);
	if (a_fits && proven && (!b_fits || misfit_a <= misfit_b)) {
		*a = add;
		return JUDGE_CONSTANT;
	}
	if (b_fits) {
		*b = factor;
		return JUDGE_FACTOR;
	}
	if (a_fits)
		return JUDGE_MAYBE;
	return both(list, b, a) ? JUDGE_FACTOR_CONSTANT : JUDGE_NO_LINE;
}
