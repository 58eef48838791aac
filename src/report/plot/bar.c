/* SPDX-License-Identifier: MIT */
/* Bars of characters: shares of a whole as one bar, and values side by side. */
#include "report/plot/bar.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "report/cell.h"
#include "report/plot/scale.h"
#include "report/report.h"

#define PARTS 8
#define NAME_MOST 24		/* columns of a row's name */
#define BAR_MOST 100
#define NUMBER 12		/* columns behind a bar */

struct look { const char *utf8, *ascii, *colour; };
static const struct look looks[PARTS] = {
	{ "█", "#", "32" }, { "▓", "=", "36" }, { "▒", "-", "33" },
	{ "░", ".", "31" }, { "▚", "+", "35" }, { "▞", "x", "34" },
	{ "▖", "o", "37" }, { "▝", ":", "90" },
};

struct pen { char *out; size_t room; };

static void put(struct pen *pen, const char *text)
{
	size_t n = strlen(text);

	if (n >= pen->room)
		return;
	memcpy(pen->out, text, n + 1);
	pen->out += n;
	pen->room -= n;
}

static void part(struct pen *pen, unsigned cells, const struct look *look,
		 const struct report_style *style)
{
	char colour[16];

	if (!cells)
		return;
	if (style->colour) {
		snprintf(colour, sizeof(colour), "\033[%sm", look->colour);
		put(pen, colour);
	}
	while (cells--)
		put(pen, style->utf8 ? look->utf8 : look->ascii);
	if (style->colour)
		put(pen, "\033[0m");
}

/*
 * Each part ends where the sum of the shares so far ends, rounded, so that
 * rounding never loses a column.
 */
void report_bar(char *out, size_t room, const double *share, size_t shares,
		unsigned width, const struct report_style *style)
{
	struct pen pen = { out, room };
	double sum = 0;
	unsigned used = 0;

	if (!room)
		return;
	*out = '\0';
	for (size_t i = 0; i < shares && i < PARTS; i++) {
		double end;

		if (isfinite(share[i]) && share[i] > 0)
			sum += share[i];
		end = round(width * (sum < 1 ? sum : 1));
		part(&pen, (unsigned)end - used, &looks[i], style);
		used = (unsigned)end;
	}
	while (used++ < width)
		put(&pen, " ");
}

/* ---- plots -------------------------------------------------------------- */

static unsigned name_width(const struct report_bars *bars)
{
	unsigned most = 0;

	for (size_t i = 0; i < bars->rows; i++)
		if (text_width(bars->row[i]) > most)
			most = text_width(bars->row[i]);
	return most < NAME_MOST ? most : NAME_MOST;
}

static void put_name(FILE *out, const char *name, unsigned width, bool utf8)
{
	char text[4 * NAME_MOST + 8];

	text_shorten(text, sizeof(text), name, width, utf8);
	text_harmless(text, false);
	fprintf(out, "%s%*s", text, (int)width - (int)text_width(text) + 2, "");
}

static void put_legend(const struct report_plot *plot,
		       const struct report_style *style, FILE *out)
{
	const struct report_bars *bars = &plot->bars;

	if (plot->title) {
		fputs(style->colour ? "\033[1m" : "", out);
		report_say(out, "%s", plot->title);
		fputs(style->colour ? "\033[0m\n" : "\n", out);
	}
	for (size_t i = 0; i < bars->parts; i++) {
		char key[64] = "";
		struct pen pen = { key, sizeof(key) };

		part(&pen, 1, &looks[i % PARTS], style);
		fprintf(out, "%s%s ", i ? "   " : "", key);
		report_say(out, "%s", bars->part[i]);
	}
	if (plot->y_unit && *plot->y_unit)
		report_say(out, "   (%s)", plot->y_unit);
	fputc('\n', out);
}

/* "97 3 0 0 %" behind a bar of shares. */
static void put_shares(const struct report_bars *bars, size_t row, FILE *out)
{
	for (size_t i = 0; i < bars->parts && i < PARTS; i++)
		fprintf(out, "%s%.0f", i ? " / " : "",
			100 * scale_share(bars, row, i));
	fputs(" %\n", out);
}

static void draw_shares(const struct report_plot *plot, size_t row,
			unsigned width, const struct report_style *style,
			FILE *out)
{
	double share[PARTS] = { 0 };
	char bar[BAR_MOST * 16];

	for (size_t i = 0; i < plot->bars.parts && i < PARTS; i++)
		share[i] = scale_share(&plot->bars, row, i);
	report_bar(bar, sizeof(bar), share, PARTS, width, style);
	fprintf(out, "%s  ", bar);
	put_shares(&plot->bars, row, out);
}

/* From 0 to the value; what is below 0 has its number only. */
static void draw_value(double value, size_t which, const struct scale *scale,
		       unsigned width, const struct report_style *style,
		       FILE *out)
{
	char bar[BAR_MOST * 4 + 16] = "";
	struct pen pen = { bar, sizeof(bar) };
	const double most = scale->high / 1.05;

	if (isfinite(value) && value > 0)
		part(&pen, (unsigned)lround(width * fmin(1, value / most)),
		     &looks[which % PARTS], style);
	fputs(bar, out);
	fprintf(out, isfinite(value) ? "%s%.6g\n" : "%s-\n", *bar ? " " : "",
		value);
}

void bars_draw(const struct report_plot *plot, const struct report_style *style,
	       FILE *out)
{
	const struct report_bars *bars = &plot->bars;
	const unsigned columns = style->columns ? style->columns : 80;
	const unsigned name = name_width(bars), used = name + 2 + NUMBER +
		(plot->kind == PLOT_BARS ? 0 : 6);
	unsigned width = columns > used + 10 ? columns - used : 10;
	struct scale scale;

	if (!scale_find_bars(plot, &scale))
		return;
	width = width > BAR_MOST ? BAR_MOST : width;
	put_legend(plot, style, out);
	for (size_t row = 0; row < bars->rows; row++) {
		put_name(out, bars->row[row], name, style->utf8);
		if (plot->kind != PLOT_BARS) {
			draw_shares(plot, row, width, style, out);
			continue;
		}
		for (size_t i = 0; i < bars->parts; i++) {
			if (i)
				fprintf(out, "%*s", (int)name + 2, "");
			draw_value(bars->value[row * bars->parts + i], i,
				   &scale, width, style, out);
		}
	}
}
