/* SPDX-License-Identifier: MIT */
/*
 * Plots as SVG, for papers and for pages: curves, and files. Each datum has a
 * title: pointers and keyboards find it.
 */
#include "report/plot/svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/output/markup.h"

#define CURVES 250.		/* height of the area of curves */
#define MARK_LINES 3
#define RIGHT 20.

/* ---- curves ------------------------------------------------------------- */

struct curves {
	const struct report_plot *plot;
	FILE *out;
	struct scale x, y;
	struct svg_area area;
};

static double across(const struct curves *c, double x)
{
	return c->area.left + c->area.width * scale_along(&c->x, x);
}

static double down(const struct curves *c, double y)
{
	return c->area.top +
	       c->area.height * (1 - scale_along(&c->y, y));
}

static void put_y_axis(const struct curves *c)
{
	double tick[SCALE_TICKS];
	const size_t n = scale_ticks(&c->y, tick);
	char text[32];

	for (size_t i = 0; i < n; i++) {
		const double y = down(c, tick[i]);

		scale_tick(text, sizeof(text), &c->y, c->plot->y_unit, tick[i]);
		fprintf(c->out, "<path class=\"grid\" d=\"M%.1f %.1fh%.1f\"/>",
			c->area.left, y, c->area.width);
		svg_text(c->out, c->area.left - 6, y + 4, "end", text);
	}
}

/* Ticks whose text would touch the text before get none. */
static void put_x_axis(const struct curves *c)
{
	const double bottom = c->area.top + c->area.height;
	double tick[SCALE_TICKS], used = 0;
	const size_t n = scale_ticks(&c->x, tick);
	const bool bytes = c->plot->x_unit && !strcmp(c->plot->x_unit, "bytes");
	char text[32];

	fprintf(c->out, "<path class=\"axis\" d=\"M%.1f %.1fh%.1f\"/>",
		c->area.left, bottom, c->area.width);
	for (size_t i = 0; i < n; i++) {
		const double x = across(c, tick[i]);
		double half;

		scale_tick(text, sizeof(text), &c->x, c->plot->x_unit, tick[i]);
		half = svg_text_width(text) / 2 + 3;
		if (x - half < used)
			continue;
		used = x + half;
		fprintf(c->out, "<path class=\"axis\" d=\"M%.1f %.1fv4\"/>", x,
			bottom);
		svg_text(c->out, x, bottom + 17, "middle", text);
	}
	svg_text(c->out, c->area.left + c->area.width / 2, bottom + 34,
		 "middle", bytes ? "size" : c->plot->x_unit ? c->plot->x_unit :
							      "");
}

/* Each name stands on the first line that has room, a mark without room for its
 * name keeps its column. Without out: nothing is drawn. Returns the lines. */
static int put_marks(const struct curves *c)
{
	double used[MARK_LINES] = { 0 };
	int lines = 0;

	for (size_t i = 0; i < c->plot->marks; i++) {
		const struct report_mark *mark = &c->plot->mark[i];
		const double half = svg_text_width(mark->name) / 2;
		double x;
		int k = 0;

		if (!scale_has(&c->x, mark->x))
			continue;
		x = across(c, mark->x);
		while (k < MARK_LINES && x - half - 4 < used[k])
			k++;
		if (k < MARK_LINES)
			used[k] = x + half;
		if (k < MARK_LINES && k >= lines)
			lines = k + 1;
		if (!c->out)
			continue;
		fprintf(c->out, "<path class=\"mark\" d=\"M%.1f %.1fv%.1f\"/>",
			x, c->area.top, c->area.height);
		if (k < MARK_LINES)
			svg_text(c->out,
				 fmin(fmax(x, half), SVG_WIDTH - half),
				 c->area.top - 5 - SVG_LINE * k, "middle",
				 mark->name);
	}
	return lines;
}

static void put_path(const struct curves *c, size_t series)
{
	const struct report_series *s = &c->plot->series[series];
	bool pen = false;

	if (s->look == PLOT_POINTS)
		return;
	fprintf(c->out, "<path class=\"line c%zu d%zu\" d=\"",
		series % SVG_COLOURS, series % 4);
	for (size_t i = 0; i < s->points; i++) {
		if (!scale_shows(c->plot, s, i)) {
			pen = false;
			continue;
		}
		if (pen && s->look == PLOT_STEPS)
			fprintf(c->out, "H%.1f", across(c, s->x[i]));
		fprintf(c->out, "%c%.1f %.1f", pen ? 'L' : 'M',
			across(c, s->x[i]), down(c, s->y[i]));
		pen = true;
	}
	fputs("\"/>", c->out);
}

static void put_points(const struct curves *c, size_t series)
{
	const struct report_series *s = &c->plot->series[series];

	for (size_t i = 0; i < s->points; i++)
		if (scale_shows(c->plot, s, i))
			svg_shape(c->out, series, across(c, s->x[i]),
			      down(c, s->y[i]));
}

/* ---- data of curves: a column for each x -------------------------------- */

static int by_value(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* All different x of the series, rising; for free(). */
static double *all_x(const struct report_plot *plot, size_t *n)
{
	size_t all = 0, kept = 0;
	double *x;

	for (size_t s = 0; s < plot->series_count; s++)
		all += plot->series[s].points;
	x = calloc(all + 1, sizeof(*x));
	*n = 0;
	if (!x)
		return NULL;
	all = 0;
	for (size_t s = 0; s < plot->series_count; s++)
		for (size_t i = 0; i < plot->series[s].points; i++)
			if (scale_shows(plot, &plot->series[s], i))
				x[all++] = plot->series[s].x[i];
	qsort(x, all, sizeof(*x), by_value);
	for (size_t i = 0; i < all; i++)
		if (!i || x[i] != x[kept - 1])
			x[kept++] = x[i];
	*n = kept;
	return x;
}

static void put_values(const struct curves *c, double x)
{
	char text[40];

	scale_tick(text, sizeof(text), &c->x, c->plot->x_unit, x);
	markup_print(c->out, "%s%s%.60s", text,
		     c->plot->x_unit && strcmp(c->plot->x_unit, "bytes") ?
		     " " : "", c->plot->x_unit &&
		     strcmp(c->plot->x_unit, "bytes") ? c->plot->x_unit : "");
	for (size_t s = 0; s < c->plot->series_count; s++)
		for (size_t i = 0; i < c->plot->series[s].points; i++) {
			if (c->plot->series[s].x[i] != x ||
			    !scale_shows(c->plot, &c->plot->series[s], i))
				continue;
			svg_number(text, sizeof(text),
				   c->plot->series[s].y[i]);
			markup_print(c->out, "\n%.80s: %s %.40s",
				     c->plot->series[s].name, text,
				     c->plot->y_unit ? c->plot->y_unit : "");
		}
}

/* Columns end in the middle between two x. */
static void put_data(const struct curves *c)
{
	const double end = c->area.left + c->area.width;
	size_t n;
	double *x = all_x(c->plot, &n);

	for (size_t i = 0; i < n; i++) {
		const double at = across(c, x[i]);
		const double from = i ? (across(c, x[i - 1]) + at) / 2 :
				    c->area.left - 6;
		const double to = i + 1 < n ? (across(c, x[i + 1]) + at) / 2 :
				  end + 6;
		char hit[160];

		snprintf(hit, sizeof(hit), "<rect class=\"hit\" x=\"%.1f\" "
			 "y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>", from,
			 c->area.top, to - from, c->area.height);
		svg_datum(c->out, hit, !i);
		put_values(c, x[i]);
		fputs("</title></g>", c->out);
	}
	free(x);
}

static double curves_begin(struct curves *c, const struct report_plot *plot,
			   FILE *out)
{
	*c = (struct curves){ .plot = plot, .area = {
		SVG_LEFT, 0, SVG_WIDTH - SVG_LEFT - RIGHT, CURVES
	} };
	scale_find(plot, &c->x, &c->y);
	c->area.top = 28 + SVG_LINE * (svg_legend_lines(plot) + put_marks(c));
	c->out = out;
	return c->area.top;
}

static void put_curves(const struct report_plot *plot, FILE *out)
{
	struct curves c;

	curves_begin(&c, plot, out);
	svg_text(out, 8, 14, "start", plot->y_unit ? plot->y_unit : "");
	svg_legend(plot, 18, out);
	put_y_axis(&c);
	put_x_axis(&c);
	put_marks(&c);
	for (size_t s = 0; s < plot->series_count; s++)
		put_path(&c, s);
	for (size_t s = 0; s < plot->series_count; s++)
		put_points(&c, s);
	put_data(&c);
}

/* ---- files -------------------------------------------------------------- */

static double svg_height(const struct report_plot *plot)
{
	struct curves c;

	if (!plot_drawable(plot))
		return 0;
	return plot->kind == PLOT_CURVES ?
	       curves_begin(&c, plot, NULL) + CURVES + 42 :
	       svg_bars_height(plot);
}

static void put_contents(const struct report_plot *plot, FILE *out)
{
	if (plot->kind == PLOT_CURVES)
		put_curves(plot, out);
	else
		svg_bars(plot, out);
}

void plot_svg_inline(const struct report_plot *plot, FILE *out)
{
	const double height = svg_height(plot);

	if (!(height > 0))
		return;
	fprintf(out, "<svg viewBox=\"0 0 %.0f %.0f\" role=\"group\" "
		"aria-label=\"", SVG_WIDTH, height);
	markup_put(out, plot->title ? plot->title : "plot");
	fputs("\">", out);
	put_contents(plot, out);
	fputs("</svg>\n", out);
}

void plot_svg(const struct report_plot *plot, size_t plots, FILE *out)
{
	double height = 0, y = 0;

	for (size_t i = 0; i < plots; i++)
		height += svg_height(&plot[i]) + 30;
	fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 "
		"%.0f %.0f\" width=\"%.0f\" height=\"%.0f\" role=\"group\">\n",
		SVG_WIDTH, height, SVG_WIDTH, height);
	fprintf(out, "<style>svg{color-scheme:light dark;color:#1a1a1a;"
		"background:#fff}@media(prefers-color-scheme:dark){svg{color:"
		"#e8e8e8;background:#16181c}}%s</style>\n", plot_css);
	for (size_t i = 0; i < plots; i++) {
		const double h = svg_height(&plot[i]);

		if (!(h > 0))
			continue;
		svg_text(out, SVG_WIDTH / 2, y + 20, "middle",
			 plot[i].title ? plot[i].title : "");
		fprintf(out, "\n<g transform=\"translate(0 %.1f)\">", y + 30);
		put_contents(&plot[i], out);
		fputs("</g>\n", out);
		y += h + 30;
	}
	fputs("</svg>\n", out);
}
