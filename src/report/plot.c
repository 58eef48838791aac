/* SPDX-License-Identifier: MIT */
/*
 * A line plot of characters. A cell holds 2 x 4 dots (a braille character);
 * without UTF-8 it holds one. Series are told apart by the rhythm of their
 * dots or their letter, and by colour where there is one.
 */
#include "report/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 14
#define COLUMNS_MOST 120
#define LEFT 9			/* columns of the y axis */
#define MARK_LINES 3
#define LOG_FACTOR 20		/* y is logarithmic above this ratio */

struct scale { double low, high; bool logarithmic; };

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

/* ---- scales ------------------------------------------------------------- */

static bool drawable(const struct report_series *s, size_t i)
{
	return isfinite(s->x[i]) && s->x[i] > 0 && isfinite(s->y[i]);
}

static void extend(struct scale *scale, double value)
{
	scale->low = fmin(scale->low, value);
	scale->high = fmax(scale->high, value);
}

static void find_range(struct canvas *c)
{
	c->x = c->y = (struct scale){ INFINITY, -INFINITY, false };
	for (size_t s = 0; s < c->plot->series_count; s++) {
		const struct report_series *series = &c->plot->series[s];

		for (size_t i = 0; i < series->points; i++) {
			if (!drawable(series, i))
				continue;
			extend(&c->x, series->x[i]);
			extend(&c->y, series->y[i]);
		}
	}
	c->x.logarithmic = true;
}

/* 1, 2 or 5 times a power of ten, not below the step. */
static double nice_step(double step)
{
	double power = pow(10, floor(log10(step)));

	for (int i = 0; i < 3; i++) {
		static const double nice[] = { 1, 2, 5 };

		if (step <= nice[i] * power * 1.0001)
			return nice[i] * power;
	}
	return 10 * power;
}

static void choose_scales(struct canvas *c)
{
	if (c->x.high <= c->x.low)
		c->x.high = c->x.low * 2;
	if (c->y.low > 0 && c->y.high / c->y.low > LOG_FACTOR) {
		c->y.logarithmic = true;
		c->y.low *= 0.9;
		c->y.high *= 1.1;
		return;
	}
	c->y.low = fmin(0, c->y.low);
	if (c->y.high <= c->y.low)
		c->y.high = c->y.low + 1;
	c->y.high += (c->y.high - c->y.low) * 0.05;
}

/* 0 .. 1 within the scale. */
static double along(const struct scale *scale, double value)
{
	if (!scale->logarithmic)
		return (value - scale->low) / (scale->high - scale->low);
	return log(value / scale->low) / log(scale->high / scale->low);
}

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
	double x0 = along(&c->x, s->x[i]), x1 = along(&c->x, s->x[i + 1]);
	double y0 = along(&c->y, s->y[i]), y1 = along(&c->y, s->y[i + 1]);
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

static void draw_series(struct canvas *c, size_t series)
{
	const struct report_series *s = &c->plot->series[series];
	unsigned phase = 0;

	for (size_t i = 0; i < s->points; i++) {
		if (!drawable(s, i))
			continue;
		dot(c, along(&c->x, s->x[i]), along(&c->y, s->y[i]), series);
		if (i + 1 < s->points && drawable(s, i + 1))
			line(c, s, i, series, &phase);
	}
}

static bool in_range(const struct scale *scale, double value)
{
	return value >= scale->low && value <= scale->high;
}

static unsigned column_of(const struct canvas *c, double x)
{
	return (unsigned)lround(along(&c->x, x) * (c->columns - 1));
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

	if (plot->title) {
		colour_on(c, "1");
		report_say(c->out, "%s", plot->title);
		colour_off(c);
		fputc('\n', c->out);
	}
	fputs(plot->y_unit ? plot->y_unit : "", c->out);
	if (plot->x_unit && strcmp(plot->x_unit, "bytes"))
		fprintf(c->out, " by %s", plot->x_unit);
	for (size_t s = 0; s < plot->series_count; s++) {
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

		if (!in_range(&c->x, mark->x))
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

/*
 * The label of a row of the y axis, if a tick falls into the row: powers of ten
 * (and 2 and 5 times them if there are few), or nice steps.
 */
static bool tick_in(const struct canvas *c, unsigned row, double tick)
{
	return in_range(&c->y, tick) &&
	       (unsigned)lround((1 - along(&c->y, tick)) * (ROWS - 1)) == row;
}

static bool log_tick(const struct canvas *c, unsigned row, double *tick)
{
	static const double times[] = { 1, 2, 5 };
	bool few = c->y.high / c->y.low < 1000;
	double power = pow(10, floor(log10(c->y.low)));

	for (; power <= c->y.high; power *= 10)
		for (int i = 0; i < (few ? 3 : 1); i++) {
			*tick = power * times[i];
			if (tick_in(c, row, *tick))
				return true;
		}
	return false;
}

static bool linear_tick(const struct canvas *c, unsigned row, double *tick)
{
	double step = nice_step((c->y.high - c->y.low) / 5);
	double first = ceil(c->y.low / step);

	for (unsigned i = 0; i < 16; i++) {
		*tick = (first + i) * step;
		if (fabs(*tick) < step / 1e6)
			*tick = 0;
		if (tick_in(c, row, *tick))
			return true;
	}
	return false;
}

static void draw_axis(const struct canvas *c, unsigned row)
{
	double tick;
	bool found = c->y.logarithmic ? log_tick(c, row, &tick)
				      : linear_tick(c, row, &tick);
	bool utf8 = c->style->utf8;

	if (found)
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

static void tick_text(char *out, size_t room, double x, bool bytes)
{
	static const char *const suffix[] = { "", "K", "M", "G", "T" };
	unsigned unit = 0;

	while (unit < 4 && x >= 1024) {
		x /= 1024;
		unit++;
	}
	snprintf(out, room, "%.4g%s", x,
		 unit || !bytes ? suffix[unit] : "B");
}

static void draw_x_axis(const struct canvas *c)
{
	bool bytes = c->plot->x_unit && !strcmp(c->plot->x_unit, "bytes");
	char labels[COLUMNS_MOST + 16];
	unsigned end = 0;

	memset(labels, ' ', sizeof(labels));
	fprintf(c->out, "%*s%s", LEFT - 1, "", c->style->utf8 ? "└" : "+");
	for (unsigned i = 0, free_from = 0; i < c->columns; i++) {
		double power = ceil(log2(c->x.low) - 1e-9);
		bool tick = false;

		for (; exp2(power) <= c->x.high * 1.000001; power++)
			if (column_of(c, exp2(power)) == i)
				break;
		if (exp2(power) <= c->x.high * 1.000001 && i >= free_from) {
			char text[16];

			tick_text(text, sizeof(text), exp2(power), bytes);
			memcpy(labels + i, text, strlen(text));
			end = i + (unsigned)strlen(text);
			free_from = end + 2;
			tick = true;
		}
		fputs(c->style->utf8 ? (tick ? "┴" : "─") : tick ? "+" : "-",
		      c->out);
	}
	fprintf(c->out, "\n%*s%.*s\n", LEFT, "", (int)end, labels);
}

void plot_draw(const struct report_plot *plot,
	       const struct report_style *style, FILE *out)
{
	unsigned columns = style->columns ? style->columns : 80;
	struct canvas *c = calloc(1, sizeof(*c));

	if (!c)
		return;
	c->plot = plot;
	c->style = style;
	c->out = out;
	find_range(c);
	if (columns > 100)
		columns = 100;
	c->columns = columns > LEFT + 20 + 4 ? columns - LEFT - 4 : 20;
	if (isfinite(c->x.low)) {
		choose_scales(c);
		draw_legend(c);
		draw_marks(c);
		for (size_t s = 0; s < plot->series_count; s++)
			draw_series(c, s);
		for (unsigned row = 0; row < ROWS; row++)
			draw_row(c, row);
		draw_x_axis(c);
	}
	free(c);
}
