/* SPDX-License-Identifier: MIT */
/* Axes: ranges, positions and ticks. See scale.h. */
#include "report/plot/scale.h"

#include <math.h>
#include <string.h>

#define LOG_FACTOR 20		/* y is logarithmic above this ratio */
#define FEW 1000		/* a ratio below which ticks are 1, 2 and 5 */

static bool is_log(enum plot_scale kind)
{
	return kind == PLOT_LOG2 || kind == PLOT_LOG10;
}

bool scale_shows(const struct report_plot *plot, const struct report_series *s,
		 size_t i)
{
	return isfinite(s->x[i]) && isfinite(s->y[i]) &&
	       (s->x[i] > 0 || plot->x_scale == PLOT_LINEAR) &&
	       (s->y[i] > 0 || !is_log(plot->y_scale));
}

static void extend(struct scale *scale, double value)
{
	scale->low = fmin(scale->low, value);
	scale->high = fmax(scale->high, value);
}

/* A logarithmic y has room around its points, a linear one has 0. */
static void widen_y(struct scale *y, enum plot_scale kind)
{
	y->kind = kind != PLOT_AUTO ? kind :
		  y->low > 0 && y->high / y->low > LOG_FACTOR ? PLOT_LOG10 :
								PLOT_LINEAR;
	if (is_log(y->kind)) {
		y->low *= 0.9;
		y->high *= 1.1;
		return;
	}
	y->low = fmin(0, y->low);
	if (y->high <= y->low)
		y->high = y->low + 1;
	y->high += (y->high - y->low) * 0.05;
}

bool scale_find(const struct report_plot *plot, struct scale *x,
		struct scale *y)
{
	*x = *y = (struct scale){ INFINITY, -INFINITY, PLOT_LINEAR };
	for (size_t s = 0; s < plot->series_count; s++) {
		const struct report_series *series = &plot->series[s];

		for (size_t i = 0; i < series->points; i++) {
			if (!scale_shows(plot, series, i))
				continue;
			extend(x, series->x[i]);
			extend(y, series->y[i]);
		}
	}
	if (!isfinite(x->low))
		return false;
	x->kind = plot->x_scale == PLOT_AUTO ? PLOT_LOG2 : plot->x_scale;
	if (x->high <= x->low)
		x->high = is_log(x->kind) ? x->low * 2 : x->low + 1;
	widen_y(y, plot->y_scale);
	return true;
}

bool scale_find_bars(const struct report_plot *plot, struct scale *out)
{
	const struct report_bars *bars = &plot->bars;

	*out = (struct scale){ INFINITY, -INFINITY, PLOT_LINEAR };
	for (size_t i = 0; i < bars->rows * bars->parts; i++)
		if (isfinite(bars->value[i]))
			extend(out, bars->value[i]);
	if (!isfinite(out->low))
		return false;
	widen_y(out, PLOT_LINEAR);
	return true;
}

bool plot_drawable(const struct report_plot *plot)
{
	struct scale x, y;

	return plot->kind == PLOT_CURVES ? scale_find(plot, &x, &y)
					 : scale_find_bars(plot, &x);
}

double scale_along(const struct scale *scale, double value)
{
	if (!is_log(scale->kind))
		return (value - scale->low) / (scale->high - scale->low);
	return log(value / scale->low) / log(scale->high / scale->low);
}

bool scale_has(const struct scale *scale, double value)
{
	return value >= scale->low && value <= scale->high;
}

/* ---- ticks -------------------------------------------------------------- */

/* 1, 2 or 5 times a power of ten, not below the step. */
static double nice_step(double step)
{
	static const double nice[] = { 1, 2, 5 };
	double power = pow(10, floor(log10(step)));

	for (int i = 0; i < 3; i++)
		if (step <= nice[i] * power * 1.0001)
			return nice[i] * power;
	return 10 * power;
}

static size_t linear_ticks(const struct scale *scale, double *out)
{
	double step = nice_step((scale->high - scale->low) / 5);
	double first = ceil(scale->low / step);
	size_t n = 0;

	for (unsigned i = 0; i < 16; i++) {
		const double tick = (first + i) * step;

		if (scale_has(scale, tick))
			out[n++] = fabs(tick) < step / 1e6 ? 0 : tick;
	}
	return n;
}

static size_t log10_ticks(const struct scale *scale, double *out)
{
	static const double times[] = { 1, 2, 5 };
	const int each = scale->high / scale->low < FEW ? 3 : 1;
	double power = pow(10, floor(log10(scale->low)));
	size_t n = 0;

	/* below the smallest numbers the power is 0, and stays 0 */
	for (; power > 0 && power <= scale->high && n + 3 < SCALE_TICKS;
	     power *= 10)
		for (int i = 0; i < each; i++)
			if (scale_has(scale, power * times[i]))
				out[n++] = power * times[i];
	return n;
}

static size_t log2_ticks(const struct scale *scale, double *out)
{
	double power = ceil(log2(scale->low) - 1e-9);
	size_t n = 0;

	for (; exp2(power) <= scale->high * 1.000001 && n < SCALE_TICKS;
	     power++)
		out[n++] = exp2(power);
	return n;
}

size_t scale_ticks(const struct scale *scale, double out[SCALE_TICKS])
{
	switch (scale->kind) {
	case PLOT_LOG2:
		return log2_ticks(scale, out);
	case PLOT_LOG10:
		return log10_ticks(scale, out);
	default:
		return linear_ticks(scale, out);
	}
}

void scale_binary(char *out, size_t room, double value, bool bytes)
{
	static const char *const suffix[] = { "", "K", "M", "G", "T" };
	unsigned unit = 0;

	while (unit < 4 && value >= 1024) {
		value /= 1024;
		unit++;
	}
	snprintf(out, room, "%.4g%s", value,
		 unit || !bytes ? suffix[unit] : "B");
}

void scale_tick(char *out, size_t room, const struct scale *scale,
		const char *unit, double value)
{
	const bool bytes = unit && !strcmp(unit, "bytes");

	if (scale->kind == PLOT_LOG2 || bytes)
		scale_binary(out, room, value, bytes);
	else
		snprintf(out, room, "%.6g", value);
}

double scale_share(const struct report_bars *bars, size_t row, size_t part)
{
	const double *value = bars->value + row * bars->parts;
	double sum = 0;

	for (size_t i = 0; i < bars->parts; i++)
		if (isfinite(value[i]) && value[i] > 0)
			sum += value[i];
	return isfinite(value[part]) && value[part] > 0 ? value[part] / sum : 0;
}
