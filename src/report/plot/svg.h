/* SPDX-License-Identifier: MIT */
/* What the parts of the SVG writer share. */
#ifndef REPORT_PLOT_SVG_H
#define REPORT_PLOT_SVG_H

#include "report/plot/scale.h"

#define SVG_WIDTH 760.
#define SVG_LEFT 64.
#define SVG_LINE 16.		/* of text */
#define SVG_COLOURS 8

/* A rectangle of the picture. */
struct svg_area { double left, top, width, height; };

/* ---- svg-parts.c -------------------------------------------------------- */

/* About the width of the text: letters differ, and fonts do. */
double svg_text_width(const char *text);
/* "<text x y class>escaped</text>"; anchor: "start", "middle" or "end". */
void svg_text(FILE *out, double x, double y, const char *anchor,
	      const char *text);
/* "8.57", "1.2e+09": a value in a title. */
void svg_number(char *out, size_t room, double value);
/* A datum up to its title's text, which the caller writes, with both ends. The
 * first one of a plot is in the order of tabs, the page's script moves on by
 * arrows. */
void svg_datum(FILE *out, const char *shape, bool first);
/* The point of a series. */
void svg_shape(FILE *out, size_t series, double x, double y);
/* The names of the series or parts, from `top`; how many lines they take. */
unsigned svg_legend_lines(const struct report_plot *plot);
void svg_legend(const struct report_plot *plot, double top, FILE *out);

/* ---- svg-bars.c --------------------------------------------------------- */

double svg_bars_height(const struct report_plot *plot);
/* The contents of one <svg>. */
void svg_bars(const struct report_plot *plot, FILE *out);

#endif
