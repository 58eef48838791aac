/* SPDX-License-Identifier: MIT */
/* Bars, shares and pies as SVG. */
#include <math.h>
#include <string.h>

#include "base/output/markup.h"
#include "report/plot/svg.h"

#define NAMES 200.		/* width of the names of rows */
#define NUMBERS 90.		/* behind the bars */
#define ROW 24.			/* height of a bar and the gap below */
#define PIE 150.		/* a pie and its name take a square of this */
#define RADIUS 54.
#define NAME_LETTERS 24

static double top_of(const struct report_plot *plot)
{
	return 26 + 16. * svg_legend_lines(plot);
}

static unsigned pies_a_line(void)
{
	return (unsigned)(SVG_WIDTH / PIE);
}

double svg_bars_height(const struct report_plot *plot)
{
	const struct report_bars *bars = &plot->bars;
	const size_t each = plot->kind == PLOT_BARS ? bars->parts : 1;
	const size_t a_line = pies_a_line();

	if (plot->kind == PLOT_PIES)
		return top_of(plot) +
		       PIE * (double)((bars->rows + a_line - 1) / a_line);
	return top_of(plot) + ROW * (double)(bars->rows * each) + 12;
}

/* "row, part: 12.3 %": the title of a datum. */
static void put_title(const struct report_plot *plot, size_t row, size_t part,
		      FILE *out)
{
	const struct report_bars *bars = &plot->bars;
	const double value = bars->value[row * bars->parts + part];
	char number[40];

	svg_number(number, sizeof(number), value);
	markup_print(out, "%.200s\n%.80s: %s %.40s", bars->row[row],
		     bars->part[part], isfinite(value) ? number : "not known",
		     plot->y_unit ? plot->y_unit : "");
	if (plot->kind != PLOT_BARS)
		markup_print(out, " (%.1f %%)",
			     100 * scale_share(bars, row, part));
	fputs("</title></g>", out);
}

/* A long name ends in "...": its title has all of it. */
static void put_name(FILE *out, double x, double y, const char *anchor,
		     const char *name)
{
	char text[4 * NAME_LETTERS + 8];
	size_t n = 0, letters = 0;

	while (name[n] && letters < NAME_LETTERS)
		letters += ((unsigned char)name[n++] & 0xc0) != 0x80;
	while (((unsigned char)name[n] & 0xc0) == 0x80)
		n++;
	snprintf(text, sizeof(text), "%.*s%s", (int)n, name,
		 name[n] ? "..." : "");
	svg_text(out, x, y, anchor, text);
}

static void put_rect(const struct report_plot *plot, size_t row, size_t part,
		     const struct svg_area *at, FILE *out)
{
	char rect[240];

	snprintf(rect, sizeof(rect), "<rect class=\"part f%zu\" x=\"%.1f\" "
		 "y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>",
		 part % SVG_COLOURS, at->left, at->top, at->width, at->height);
	svg_datum(out, rect, !row && !part);
	put_title(plot, row, part, out);
}

static void put_shares(const struct report_plot *plot, size_t row, double y,
		       FILE *out)
{
	const struct report_bars *bars = &plot->bars;
	struct svg_area at = { NAMES, y, 0, ROW - 6 };

	for (size_t i = 0; i < bars->parts; i++) {
		at.width = (SVG_WIDTH - NAMES - 20) *
			   scale_share(bars, row, i);
		put_rect(plot, row, i, &at, out);
		at.left += at.width;
	}
}

static void put_values(const struct report_plot *plot, size_t row, double y,
		       const struct scale *scale, FILE *out)
{
	const struct report_bars *bars = &plot->bars;
	const double all = SVG_WIDTH - NAMES - NUMBERS;

	for (size_t i = 0; i < bars->parts; i++) {
		const double value = bars->value[row * bars->parts + i];
		struct svg_area at = { NAMES, y + ROW * (double)i, 0, ROW - 6 };
		char text[40];

		if (isfinite(value) && value > 0)
			at.width = all * value / scale->high;
		put_rect(plot, row, i, &at, out);
		svg_number(text, sizeof(text), value);
		svg_text(out, NAMES + at.width + 6, at.top + 13, "start",
			 isfinite(value) ? text : "not known");
	}
}

/* A slice from .. to, in turns; a full turn is a circle: an arc from a point
 * to itself draws nothing. */
static void put_slice(const struct report_plot *plot, size_t row, size_t part,
		      double from, double to, FILE *out)
{
	const double a = 2 * M_PI * from, b = 2 * M_PI * to;
	const size_t c = part % SVG_COLOURS;
	char slice[240];

	if (to - from > 0.9999)
		snprintf(slice, sizeof(slice), "<circle class=\"part f%zu\" "
			 "r=\"%.0f\"/>", c, RADIUS);
	else
		snprintf(slice, sizeof(slice), "<path class=\"part f%zu\" d=\""
			 "M0 0L%.2f %.2fA%.0f %.0f 0 %d 1 %.2f %.2fz\"/>", c,
			 RADIUS * sin(a), -RADIUS * cos(a), RADIUS, RADIUS,
			 to - from > 0.5, RADIUS * sin(b), -RADIUS * cos(b));
	svg_datum(out, slice, !row && from == 0);
	put_title(plot, row, part, out);
}

static void put_pie(const struct report_plot *plot, size_t row, FILE *out)
{
	const struct report_bars *bars = &plot->bars;
	const size_t a_line = pies_a_line();
	const double x = PIE * ((double)(row % a_line) + 0.5);
	const double y = top_of(plot) + PIE * (double)(row / a_line);
	double from = 0;

	put_name(out, x, y + 12, "middle", bars->row[row]);
	fprintf(out, "<g transform=\"translate(%.1f %.1f)\">", x,
		y + 22 + RADIUS);
	for (size_t i = 0; i < bars->parts; i++) {
		const double share = scale_share(bars, row, i);

		if (share > 0.0001)
			put_slice(plot, row, i, from, from + share, out);
		from += share;
	}
	fputs("</g>", out);
}

void svg_bars(const struct report_plot *plot, FILE *out)
{
	const struct report_bars *bars = &plot->bars;
	const double each = plot->kind == PLOT_BARS ? (double)bars->parts : 1;
	struct scale scale;

	scale_find_bars(plot, &scale);
	svg_text(out, 8, 14, "start", plot->y_unit ? plot->y_unit : "");
	svg_legend(plot, 18, out);
	for (size_t row = 0; row < bars->rows; row++) {
		const double y = top_of(plot) + ROW * each * (double)row;

		if (plot->kind == PLOT_PIES) {
			put_pie(plot, row, out);
			continue;
		}
		put_name(out, NAMES - 8, y + 13, "end", bars->row[row]);
		if (plot->kind == PLOT_SHARES)
			put_shares(plot, row, y, out);
		else
			put_values(plot, row, y, &scale, out);
	}
}
