/* SPDX-License-Identifier: MIT */
/*
 * A picture as data. Three writers draw the same description: characters of a
 * terminal, SVG, and a script for gnuplot.
 */
#ifndef REPORT_PLOT_PLOT_H
#define REPORT_PLOT_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum plot_kind {
	PLOT_CURVES,		/* .series over x, with .mark */
	PLOT_BARS,		/* .bars: a bar for each part of each row */
	PLOT_SHARES,		/* .bars: each row is a whole, one bar */
	PLOT_PIES,		/* the same as pies; a terminal shows bars */
};

/* AUTO: x as LOG2; y as LOG10 if its range spans a factor of 20, or LINEAR. */
enum plot_scale { PLOT_AUTO, PLOT_LINEAR, PLOT_LOG2, PLOT_LOG10 };

enum plot_look { PLOT_LINE, PLOT_POINTS, PLOT_STEPS };

struct report_series {
	const char *name;
	const double *x, *y;	/* y NaN: no point */
	size_t points;
	enum plot_look look;
};

struct report_mark { double x; const char *name; };	/* a dashed column */

struct report_bars {
	const char *const *row;
	size_t rows;
	const char *const *part;
	size_t parts;
	const double *value;	/* rows x parts; NaN: absent. Shares: parts of
				 * the row's sum; negative ones take no room */
};

struct report_plot {
	const char *title;
	const char *x_unit;	/* "bytes": ticks as 4K, 1M ... */
	const char *y_unit;
	const struct report_series *series;
	size_t series_count;
	const struct report_mark *mark;
	size_t marks;
	enum plot_kind kind;
	enum plot_scale x_scale, y_scale;
	struct report_bars bars;
};

struct report_style;

/* Draws nothing if no point can be drawn. */
void plot_terminal(const struct report_plot *plot,
		   const struct report_style *style, FILE *out);
/* One file with all plots below each other. */
void plot_svg(const struct report_plot *plot, size_t plots, FILE *out);
void plot_gnuplot(const struct report_plot *plot, size_t plots, FILE *out);
/* One <svg> for a page that has the rules of plot_css. */
void plot_svg_inline(const struct report_plot *plot, FILE *out);
extern const char plot_css[];

/* Has the plot anything to draw? */
bool plot_drawable(const struct report_plot *plot);

#endif
