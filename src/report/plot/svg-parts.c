/* SPDX-License-Identifier: MIT */
/*
 * What curves and bars of SVG have in common: text, colours, legends. Colours
 * are classes, whose rules know dark screens; series differ by dashes and by
 * the shape of their points, too.
 */
#include <math.h>
#include <string.h>

#include "base/output/markup.h"
#include "report/plot/svg.h"

/* light and dark: each has 3:1 or more against its background */
const char plot_css[] =
	"svg text{font:12px system-ui,'DejaVu Sans',sans-serif;"
	"fill:currentColor;stroke:none}"
	".grid{stroke:currentColor;stroke-opacity:.15}"
	".axis{stroke:currentColor;fill:none}"
	".mark{stroke:currentColor;stroke-opacity:.6;stroke-dasharray:2 3}"
	".line{fill:none;stroke-width:2}"
	".d1{stroke-dasharray:7 4}.d2{stroke-dasharray:2 3}"
	".d3{stroke-dasharray:9 3 2 3}"
	".hit{fill:transparent;stroke:none}"
	".datum{outline:none}"
	".datum:focus .hit,.datum:hover .hit{stroke:currentColor;fill:"
	"currentColor;fill-opacity:.12}"
	".datum:focus .part,.datum:hover .part{stroke:currentColor;"
	"stroke-width:2}"
	".c0{stroke:#0b66a8}.c1{stroke:#b84a00}.c2{stroke:#1f7a4d}"
	".c3{stroke:#8f3f97}.c4{stroke:#7a6100}.c5{stroke:#b3261e}"
	".c6{stroke:#00707a}.c7{stroke:#5b5b5b}"
	".f0{fill:#0b66a8}.f1{fill:#b84a00}.f2{fill:#1f7a4d}.f3{fill:#8f3f97}"
	".f4{fill:#7a6100}.f5{fill:#b3261e}.f6{fill:#00707a}.f7{fill:#5b5b5b}"
	"@media(prefers-color-scheme:dark){"
	".c0{stroke:#6cb6ee}.c1{stroke:#f3a15f}.c2{stroke:#6fce9d}"
	".c3{stroke:#dc9ae3}.c4{stroke:#dcc14b}.c5{stroke:#ff8f86}"
	".c6{stroke:#57cdd8}.c7{stroke:#b9b9b9}"
	".f0{fill:#6cb6ee}.f1{fill:#f3a15f}.f2{fill:#6fce9d}.f3{fill:#dc9ae3}"
	".f4{fill:#dcc14b}.f5{fill:#ff8f86}.f6{fill:#57cdd8}.f7{fill:#b9b9b9}"
	"}"
	"@media print{svg{color:#000}}";

/* ---- parts -------------------------------------------------------------- */

double svg_text_width(const char *text)
{
	double width = 0;

	for (; *text; text++)
		if (((unsigned char)*text & 0xc0) != 0x80)
			width += strchr("iljtfr.,:;'|()[] ", *text) ? 4.4 :
				 (*text >= 'A' && *text <= 'Z') ||
				 strchr("mw%_", *text) ? 8.6 : 7.2;
	return width;
}

void svg_text(FILE *out, double x, double y, const char *anchor,
	      const char *text)
{
	fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y,
		anchor);
	markup_put(out, text);
	fputs("</text>", out);
}

void svg_number(char *out, size_t room, double value)
{
	if (value == floor(value) && fabs(value) < 1e15)
		snprintf(out, room, "%.0f", value);
	else
		snprintf(out, room, "%.4g", value);
}

void svg_datum(FILE *out, const char *shape, bool first)
{
	fprintf(out, "<g class=\"datum\" role=\"img\" tabindex=\"%d\">%s"
		"<title>", first ? 0 : -1, shape);
}

/* ---- legend ------------------------------------------------------------- */

static size_t count_names(const struct report_plot *plot)
{
	const size_t parts = plot->bars.parts;

	/* bars of one kind need no legend */
	return plot->kind == PLOT_CURVES ? plot->series_count :
	       plot->kind == PLOT_BARS && parts == 1 ? 0 : parts;
}

static const char *name_of(const struct report_plot *plot, size_t i)
{
	return plot->kind == PLOT_CURVES ? plot->series[i].name :
					   plot->bars.part[i];
}

/* The place of the i-th name; *line counts from 0. */
static double name_place(const struct report_plot *plot, size_t i,
			 unsigned *line)
{
	double x = SVG_LEFT;

	*line = 0;
	for (size_t k = 0; k <= i; k++) {
		const double width = 48 + svg_text_width(name_of(plot, k));

		if (x + width > SVG_WIDTH && x > SVG_LEFT) {
			x = SVG_LEFT;
			++*line;
		}
		x += k < i ? width : 0;
	}
	return x;
}

unsigned svg_legend_lines(const struct report_plot *plot)
{
	const size_t n = count_names(plot);
	unsigned line = 0;

	if (!n)
		return 0;
	name_place(plot, n - 1, &line);
	return line + 1;
}

void svg_shape(FILE *out, size_t series, double x, double y)
{
	const size_t c = series % SVG_COLOURS;

	switch (series % 4) {
	case 0:
		fprintf(out, "<circle class=\"f%zu\" cx=\"%.1f\" cy=\"%.1f\" "
			"r=\"3\"/>", c, x, y);
		return;
	case 1:
		fprintf(out, "<rect class=\"f%zu\" x=\"%.1f\" y=\"%.1f\" "
			"width=\"5.4\" height=\"5.4\"/>", c, x - 2.7, y - 2.7);
		return;
	case 2:
		fprintf(out, "<path class=\"f%zu\" d=\"M%.1f %.1fl3.6 6.4h-7.2z"
			"\"/>", c, x, y - 4);
		return;
	default:
		fprintf(out, "<path class=\"f%zu\" d=\"M%.1f %.1fl3.7 3.7-3.7 "
			"3.7-3.7-3.7z\"/>", c, x, y - 3.7);
	}
}

static void sample(const struct report_plot *plot, size_t i, double x,
		   double y, FILE *out)
{
	const size_t c = i % SVG_COLOURS;

	if (plot->kind != PLOT_CURVES) {
		fprintf(out, "<rect class=\"f%zu\" x=\"%.1f\" y=\"%.1f\" "
			"width=\"12\" height=\"10\"/>", c, x + 8, y - 9);
		return;
	}
	if (plot->series[i].look != PLOT_POINTS)
		fprintf(out, "<path class=\"line c%zu d%zu\" d=\"M%.1f %.1fh24"
			"\"/>", c, i % 4, x, y - 4);
	svg_shape(out, i, x + 12, y - 4);
}

void svg_legend(const struct report_plot *plot, double top, FILE *out)
{
	for (size_t i = 0; i < count_names(plot); i++) {
		unsigned line;
		const double x = name_place(plot, i, &line);
		const double y = top + SVG_LINE * line + 12;

		sample(plot, i, x, y, out);
		svg_text(out, x + 30, y, "start", name_of(plot, i));
	}
}
