/* SPDX-License-Identifier: MIT */
/*
 * Plots as a script for gnuplot that holds its data:
 *
 *	gnuplot x.gp > x.svg
 *
 * Names stand in single quotes, in which gnuplot replaces nothing.
 */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "report/plot/scale.h"

/* A quote becomes U+2019: gnuplot 5.4 cannot read '' twice in quotes. */
static void put_quoted(FILE *out, const char *text)
{
	char copy[300];

	text_copy(copy, sizeof(copy), text ? text : "");
	text_harmless(copy, false);
	fputc('\'', out);
	for (const char *p = copy; *p; p++)
		fputs(*p == '\'' ? "\u2019" : (char[]){ *p, '\0' }, out);
	fputc('\'', out);
}

static void put_set(FILE *out, const char *what, const char *text)
{
	fprintf(out, "set %s ", what);
	put_quoted(out, text);
	fputs(" noenhanced\n", out);
}

/* ---- curves ------------------------------------------------------------- */

static void put_axis(FILE *out, char axis, const struct scale *scale,
		     const char *unit)
{
	double tick[SCALE_TICKS];
	const size_t n = scale_ticks(scale, tick);
	char text[32];

	if (scale->kind == PLOT_LOG2 || scale->kind == PLOT_LOG10)
		fprintf(out, "set logscale %c %d\n", axis,
			scale->kind == PLOT_LOG2 ? 2 : 10);
	fprintf(out, "set %crange [%.17g:%.17g]\nset %ctics norotate (", axis,
		scale->low, scale->high, axis);
	for (size_t i = 0; i < n; i++) {
		scale_tick(text, sizeof(text), scale, unit, tick[i]);
		fprintf(out, "%s'%s' %.17g", i ? ", " : "", text, tick[i]);
	}
	fputs(")\n", out);
}

static void put_series(const struct report_plot *plot, size_t series,
		       FILE *out)
{
	const struct report_series *s = &plot->series[series];

	fprintf(out, "$d%zu << EOD\n", series);
	for (size_t i = 0; i < s->points; i++)
		if (scale_shows(plot, s, i))
			fprintf(out, "%.17g\t%.17g\n", s->x[i], s->y[i]);
		else
			fputc('\n', out);	/* a gap */
	fputs("EOD\n", out);
}

static void put_marks(const struct report_plot *plot, const struct scale *x,
		      FILE *out)
{
	for (size_t i = 0; i < plot->marks; i++) {
		if (!scale_has(x, plot->mark[i].x))
			continue;
		fprintf(out, "set arrow from first %.17g,graph 0 to first "
			"%.17g,graph 1 nohead dashtype 2\nset label ",
			plot->mark[i].x, plot->mark[i].x);
		put_quoted(out, plot->mark[i].name);
		fprintf(out, " at first %.17g,graph %g center noenhanced\n",
			plot->mark[i].x, 1.03 + 0.05 * (double)(i % 3));
	}
}

static void put_curves(const struct report_plot *plot, FILE *out)
{
	static const char *const look[] = {
		[PLOT_LINE] = "linespoints", [PLOT_POINTS] = "points",
		[PLOT_STEPS] = "steps",
	};
	struct scale x, y;

	scale_find(plot, &x, &y);
	for (size_t s = 0; s < plot->series_count; s++)
		put_series(plot, s, out);
	put_axis(out, 'x', &x, plot->x_unit);
	put_axis(out, 'y', &y, plot->y_unit);
	put_marks(plot, &x, out);
	fputs("set key outside bottom center\nset grid y\nplot ", out);
	for (size_t s = 0; s < plot->series_count; s++) {
		fprintf(out, "%s$d%zu using 1:2 with %s dashtype %zu title ",
			s ? ", \\\n     " : "", s, look[plot->series[s].look],
			s % 4 + 1);
		put_quoted(out, plot->series[s].name);
		fputs(" noenhanced", out);
	}
	fputc('\n', out);
}

/* ---- bars, shares, pies ------------------------------------------------- */

/* A pie is a stacked bar here: gnuplot has no pies. */
static bool is_stacked(const struct report_plot *plot)
{
	return plot->kind == PLOT_SHARES || plot->kind == PLOT_PIES;
}

static void put_bars(const struct report_plot *plot, FILE *out)
{
	const struct report_bars *bars = &plot->bars;
	const bool stacked = is_stacked(plot);

	fputs("$d0 << EOD\n", out);
	for (size_t row = 0; row < bars->rows; row++)
		for (size_t i = 0; i < bars->parts; i++)
			fprintf(out, "%.17g%c", stacked ?
				100 * scale_share(bars, row, i) :
				bars->value[row * bars->parts + i],
				i + 1 < bars->parts ? '\t' : '\n');
	fprintf(out, "EOD\nset style data histograms\nset style histogram %s\n"
		"set style fill solid 0.8\nset boxwidth 0.8\nset yrange [0:%s]"
		"\nset xtics noenhanced rotate by -30 (",
		stacked ? "rowstacked" : "clustered", stacked ? "100" : "*");
	for (size_t row = 0; row < bars->rows; row++) {
		fputs(row ? ", " : "", out);
		put_quoted(out, bars->row[row]);
		fprintf(out, " %zu", row);
	}
	fputs(")\nset key outside right\nplot ", out);
	for (size_t i = 0; i < bars->parts; i++) {
		fprintf(out, "%s$d0 using %zu title ", i ? ", \\\n     " : "",
			i + 1);
		put_quoted(out, bars->part[i]);
		fputs(" noenhanced", out);
	}
	fputc('\n', out);
}

void plot_gnuplot(const struct report_plot *plot, size_t plots, FILE *out)
{
	size_t all = 0;

	for (size_t i = 0; i < plots; i++)
		all += plot_drawable(&plot[i]);
	fprintf(out, "# gnuplot FILE.gp > FILE.svg\nset terminal svg size "
		"900,%zu dynamic\nset encoding utf8\nset datafile missing "
		"'nan'\nset multiplot layout %zu,1\n", 400 * all, all);
	for (size_t i = 0; i < plots; i++) {
		if (!plot_drawable(&plot[i]))
			continue;
		fputs("\nunset label\nunset arrow\nunset logscale\nset xrange "
		      "[*:*]\nset yrange [*:*]\n", out);
		put_set(out, "title", plot[i].title);
		put_set(out, "xlabel", plot[i].x_unit);
		put_set(out, "ylabel", is_stacked(&plot[i]) ? "%" :
			plot[i].y_unit);
		if (plot[i].kind == PLOT_CURVES)
			put_curves(&plot[i], out);
		else
			put_bars(&plot[i], out);
	}
	fputs("unset multiplot\n", out);
}
