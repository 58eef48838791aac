/* SPDX-License-Identifier: MIT */
/*
 * Plots of characters. A cell holds 2 x 4 dots (a braille character); without
 * UTF-8 it holds one. Series are told apart by the rhythm of their dots or
 * their letter, and by colour where there is one.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/cell.h"
#include "report/plot/bar.h"
#include "report/plot/scale.h"
#include "report/report.h"

#define ROWS 14
#define COLUMNS_MOST 160
#define LEFT 9			/* columns of the y axis */
#define MARK_LINES 3

struct canvas {
	const struct report_plot *plot;
	const struct report_style *style;
	FILE *out;
	struct scale x, y;
	unsigned columns;
	unsigned char dots[ROWS][COLUMNS_MOST];	/* bits, or 1 */
	signed char series[ROWS][COLUMNS_MOST];	/* last drawn there; -1 */
	unsigned char mark[COLUMNS_MOST];
};

static const struct { const char *sample, *ascii, *colour; unsigned on, of; }
looks[] = {
	{ "⠤⠤⠤⠤", "*", "36", 1, 1 },
	{ "⠤ ⠤ ", "+", "33", 4, 8 },
	{ "⠄ ⠄ ", "o", "35", 1, 4 },
	{ "⠤⠄⠤⠄", "x", "32", 6, 8 },
};
#define LOOKS (sizeof(looks) / sizeof(*looks))

/* ---- dots --------------------------------------------------------------- */

static void dot(struct canvas *c, double x, double y, size_t series)
{
	static const unsigned char bit[4][2] = {
		{ 1, 8 }, { 2, 16 }, { 4, 32 }, { 64, 128 },
	};
	int wide = (int)c->columns * 2 - 1, high = ROWS * 4 - 1;
	int i = (int)lround(x * wide), j = high - (int)lround(y * high);

	if (i < 0 || i > wide || j < 0 || j > high)
		return;
	c->dots[j / 4][i / 2] |= bit[j % 4][i % 2];
	c->series[j / 4][i / 2] = (signed char)(series % LOOKS);
}

static void line(struct canvas *c, const struct report_series *s, size_t i,
		 size_t series, unsigned *phase)
{
	double x0 = scale_along(&c->x, s->x[i]);
	double x1 = scale_along(&c->x, s->x[i + 1]);
	double y0 = scale_along(&c->y, s->y[i]);
	double y1 = scale_along(&c->y, s->y[i + 1]);
	double far = fmax(fabs(x1 - x0) * c->columns * 2,
			  fabs(y1 - y0) * ROWS * 4);
	unsigned steps = (unsigned)ceil(far) + 1;

	for (unsigned k = 0; k <= steps; k++) {
		double t = (double)k / steps;

		if ((*phase)++ % looks[series % LOOKS].of <
			    looks[series % LOOKS].on || !c->style->utf8)
			dot(c, x0 + t * (x1 - x0), y0 + t * (y1 - y0), series);
	}
}

/* To the next point; steps keep their height until there. */
static void join(struct canvas *c, const struct report_series *s, size_t i,
		 size_t series, unsigned *phase)
{
	const double x[] = { s->x[i], s->x[i + 1], s->x[i + 1] };
	const double y[] = { s->y[i], s->y[i], s->y[i + 1] };
	const struct report_series steps = { .x = x, .y = y };

	if (s->look == PLOT_POINTS)
		return;
	if (s->look == PLOT_LINE) {
		line(c, s, i, series, phase);
		return;
	}
	line(c, &steps, 0, series, phase);
	line(c, &steps, 1, series, phase);
}

static void draw_series(struct canvas *c, size_t series)
{
	const struct report_series *s = &c->plot->series[series];
	unsigned phase = 0;

	for (size_t i = 0; i < s->points; i++) {
		if (!scale_shows(c->plot, s, i))
			continue;
		dot(c, scale_along(&c->x, s->x[i]),
		    scale_along(&c->y, s->y[i]), series);
		if (i + 1 < s->points && scale_shows(c->plot, s, i + 1))
			join(c, s, i, series, &phase);
	}
}

static unsigned column_of(const struct canvas *c, double x)
{
	return (unsigned)lround(scale_along(&c->x, x) * (c->columns - 1));
}

/* ---- text around -------------------------------------------------------- */

static void colour_on(const struct canvas *c, const char *colour)
{
	if (c->style->colour)
		fprintf(c->out, "\033[%sm", colour);
}

static void colour_off(const struct canvas *c)
{
	if (c->style->colour)
		fputs("\033[0m", c->out);
}

static void draw_legend(const struct canvas *c)
{
	const struct report_plot *plot = c->plot;
	unsigned used = (plot->y_unit ? text_width(plot->y_unit) : 0) +
			(plot->x_unit ? text_width(plot->x_unit) + 4 : 0);

	if (plot->title) {
		colour_on(c, "1");
		report_say(c->out, "%s", plot->title);
		colour_off(c);
		fputc('\n', c->out);
	}
	report_say(c->out, "%s", plot->y_unit ? plot->y_unit : "");
	if (plot->x_unit && strcmp(plot->x_unit, "bytes"))
		report_say(c->out, " by %s", plot->x_unit);
	for (size_t s = 0; s < plot->series_count; s++) {
		const unsigned width = 8 + text_width(plot->series[s].name);

		if (used && used + width > c->columns + LEFT + 4) {
			fputs("\n", c->out);
			used = 0;
		}
		used += width;
		fputs("   ", c->out);
		colour_on(c, looks[s % LOOKS].colour);
		fputs(c->style->utf8 ? looks[s % LOOKS].sample
				     : looks[s % LOOKS].ascii, c->out);
		colour_off(c);
		report_say(c->out, " %s", plot->series[s].name);
	}
	fputc('\n', c->out);
}

struct label_line { char text[COLUMNS_MOST + 1]; unsigned used; };

/* ASCII only: a mark's name is placed by bytes. */
static bool label_fits(const struct label_line *line, const char *name,
		       unsigned at, unsigned columns)
{
	size_t n = strlen(name);

	if (at + n > columns)
		return false;
	for (size_t i = at ? at - 1 : 0; i < at + n + 1 && i < columns; i++)
		if (line->text[i] != ' ')
			return false;
	return true;
}

static void draw_marks(struct canvas *c)
{
	struct label_line line[MARK_LINES];

	memset(line, ' ', sizeof(line));
	for (unsigned k = 0; k < MARK_LINES; k++)
		line[k].used = 0;
	for (size_t i = 0; i < c->plot->marks; i++) {
		const struct report_mark *mark = &c->plot->mark[i];
		unsigned n = (unsigned)strlen(mark->name), at, k;

		if (!scale_has(&c->x, mark->x))
			continue;
		at = column_of(c, mark->x);
		c->mark[at] = 1;
		at = at > n / 2 ? at - n / 2 : 0;
		if (n < c->columns && at + n > c->columns)
			at = c->columns - n;
		for (k = 0; k < MARK_LINES; k++)
			if (label_fits(&line[k], mark->name, at, c->columns))
				break;
		if (k == MARK_LINES)
			continue;
		memcpy(line[k].text + at, mark->name, n);
		if (at + n > line[k].used)
			line[k].used = at + n;
	}
	for (unsigned k = 0; k < MARK_LINES; k++)
		if (line[k].used)
			report_say(c->out, "%*s%.*s\n", LEFT, "",
				   (int)line[k].used, line[k].text);
}

/* The tick that falls into the row of the y axis; false: none does. */
static bool tick_in(const struct canvas *c, unsigned row, double *out)
{
	double tick[SCALE_TICKS];
	const size_t n = scale_ticks(&c->y, tick);

	for (size_t i = 0; i < n; i++) {
		*out = tick[i];
		if ((unsigned)lround((1 - scale_along(&c->y, tick[i])) *
				     (ROWS - 1)) == row)
			return true;
	}
	return false;
}

static void draw_axis(const struct canvas *c, unsigned row)
{
	const bool utf8 = c->style->utf8;
	double tick;

	if (tick_in(c, row, &tick))
		fprintf(c->out, "%*.6g%s", LEFT - 1, tick, utf8 ? "┤" : "+");
	else
		fprintf(c->out, "%*s%s", LEFT - 1, "", utf8 ? "│" : "|");
}

static void draw_cell(const struct canvas *c, unsigned row, unsigned column)
{
	unsigned char dots = c->dots[row][column];
	bool utf8 = c->style->utf8;

	if (!dots) {
		colour_on(c, "2");
		fputs(!c->mark[column] ? " " : utf8 ? "┊" : ":", c->out);
		colour_off(c);
		return;
	}
	colour_on(c, looks[c->series[row][column]].colour);
	if (utf8)
		fprintf(c->out, "\xe2%c%c", 0xa0 | dots >> 6,
			0x80 | (dots & 63));
	else
		fputs(looks[c->series[row][column]].ascii, c->out);
	colour_off(c);
}

/* Nothing is printed after a row's last dot or mark. */
static void draw_row(const struct canvas *c, unsigned row)
{
	unsigned end = c->columns;

	while (end && !c->dots[row][end - 1] && !c->mark[end - 1])
		end--;
	draw_axis(c, row);
	for (unsigned i = 0; i < end; i++)
		if (c->dots[row][i] || c->mark[i])
			draw_cell(c, row, i);
		else
			fputc(' ', c->out);
	fputc('\n', c->out);
}

/* The tick in that column, if its text has room there; else NaN. */
static double tick_at(const struct canvas *c, unsigned column)
{
	double tick[SCALE_TICKS];
	const size_t n = scale_ticks(&c->x, tick);

	for (size_t i = 0; i < n; i++)
		if (column_of(c, tick[i]) == column)
			return tick[i];
	return NAN;
}

static void draw_x_axis(const struct canvas *c)
{
	const bool utf8 = c->style->utf8;
	char labels[COLUMNS_MOST + 32];
	unsigned end = 0;

	memset(labels, ' ', sizeof(labels));
	fprintf(c->out, "%*s%s", LEFT - 1, "", utf8 ? "└" : "+");
	for (unsigned i = 0, free_from = 0; i < c->columns; i++) {
		const double value = i >= free_from ? tick_at(c, i) : NAN;
		char text[24];

		if (!isnan(value)) {
			scale_tick(text, sizeof(text), &c->x, c->plot->x_unit,
				   value);
			memcpy(labels + i, text, strlen(text));
			end = i + (unsigned)strlen(text);
			free_from = end + 2;
		}
		fputs(utf8 ? (isnan(value) ? "─" : "┴") :
		      isnan(value) ? "-" : "+", c->out);
	}
	fprintf(c->out, "\n%*s%.*s\n", LEFT, "", (int)end, labels);
}

static void draw_curves(struct canvas *c)
{
	draw_legend(c);
	draw_marks(c);
	for (size_t s = 0; s < c->plot->series_count; s++)
		draw_series(c, s);
	for (unsigned row = 0; row < ROWS; row++)
		draw_row(c, row);
	draw_x_axis(c);
}

void plot_terminal(const struct report_plot *plot,
		   const struct report_style *style, FILE *out)
{
	unsigned columns = style->columns ? style->columns : 80;
	struct canvas *c;

	if (plot->kind != PLOT_CURVES) {
		bars_draw(plot, style, out);
		return;
	}
	c = calloc(1, sizeof(*c));
	if (!c)
		return;
	c->plot = plot;
	c->style = style;
	c->out = out;
	if (columns > COLUMNS_MOST)
		columns = COLUMNS_MOST;
	c->columns = columns > LEFT + 20 + 4 ? columns - LEFT - 4 : 20;
	if (scale_find(plot, &c->x, &c->y))
		draw_curves(c);
	free(c);
}
