/* SPDX-License-Identifier: MIT */
/* A page of HTML in one file. See page.h. */
#define _GNU_SOURCE	/* vasprintf */
#include "report/html/page.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/output/markup.h"
#include "base/row.h"
#include "base/text.h"
#include "report/plot/scale.h"

static const struct report_style people = { .utf8 = true, .verbose = true };

/* ---- the page ----------------------------------------------------------- */

/* Nothing is loaded and nothing is sent: the policy says so to the browser. */
void page_begin(struct page *page, const char *title, const char *answer)
{
	FILE *out = page->out;

	fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset="
	      "\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-"
	      "width,initial-scale=1\">\n<meta http-equiv=\"Content-Security-"
	      "Policy\" content=\"default-src 'none';style-src 'unsafe-inline'"
	      ";script-src 'unsafe-inline'\">\n<meta name=\"color-scheme\" "
	      "content=\"light dark\">\n<title>", out);
	markup_put(out, title);
	fprintf(out, "</title>\n<style>\n%s%s\n</style>\n</head>\n<body>\n"
		"<main>\n<h1>", page->css, plot_css);
	markup_put(out, title);
	fputs("</h1>\n<p class=\"answer\">", out);
	markup_put(out, answer);
	fputs("</p>\n", out);
}

static void close_section(struct page *page)
{
	fputs(page->open ? "</section>\n" : "", page->out);
	page->open = false;
}

void page_section(struct page *page, const char *title)
{
	close_section(page);
	page->open = true;
	fputs("<section>\n<h2>", page->out);
	markup_put(page->out, title);
	fputs("</h2>\n", page->out);
}

void page_part(struct page *page, const char *title)
{
	fputs("<h3>", page->out);
	markup_put(page->out, title);
	fputs("</h3>\n", page->out);
}

void page_text(struct page *page, const char *format, ...)
{
	va_list args;
	char *text;
	int n;

	va_start(args, format);
	n = vasprintf(&text, format, args);
	va_end(args);
	if (n < 0)
		return;
	fputs("<p>", page->out);
	markup_put(page->out, text);
	fputs("</p>\n", page->out);
	free(text);
}

void page_end(struct page *page)
{
	close_section(page);
	fprintf(page->out, "<div id=\"tip\" role=\"tooltip\"></div>\n</main>\n"
		"<script>\n%s</script>\n</body>\n</html>\n", page->js);
}

FILE *page_data_begin(struct page *page)
{
	close_section(page);
	fputs("<script type=\"application/json\" id=\"assay-data\">\n",
	      page->out);
	return page->out;
}

void page_data_end(struct page *page)
{
	fputs("</script>\n", page->out);
}

/* ---- tables ------------------------------------------------------------- */

int page_row(void *ctx, const struct assay_row *row)
{
	struct page_table *table = ctx;

	table->no_memory |= table_add(&table->table, row, &people,
				      &table->remarks) != 0;
	return table->no_memory;
}

static void put_head(const struct table *table, FILE *out)
{
	fputs("<thead><tr>", out);
	for (size_t i = 0; i < table->columns; i++) {
		const struct table_column *c = &table->column[i];
		const char *unit = table_head_unit(c);

		fputs(c->number ? "<th scope=\"col\" class=\"n\">" :
		      "<th scope=\"col\">", out);
		markup_print(out, "%s%s%s", c->group ? c->group : "",
			     c->group ? " " : "", c->name);
		if (unit)
			markup_print(out, " (%s)", unit);
		fputs("</th>", out);
	}
	fputs("</tr></thead>\n", out);
}

#define LONG_TEXT 24		/* letters of a cell that wants some width */

static const char *class_of(const struct table_cell *cell,
			    const struct table_column *column)
{
	const char *colour = cell->colour;

	return cell->kind == TABLE_NUMBER ||
	       (cell->kind == TABLE_ABSENT && column->number) ?
	       " class=\"n\"" :
	       !colour ? strlen(cell->text) > LONG_TEXT ? " class=\"t\"" : "" :
	       !strcmp(colour, "32") ? " class=\"good\"" :
	       !strcmp(colour, "31") ? " class=\"bad\"" :
	       !strcmp(colour, "33") ? " class=\"warn\"" : "";
}

static void put_cell(const struct table *table, size_t row, size_t column,
		     FILE *out)
{
	const struct table_cell *cell = table_cell_of(table, row, column);
	char text[TABLE_TEXT_MOST];

	if (!cell) {
		fputs("<td></td>", out);
		return;
	}
	fprintf(out, "<td%s>", class_of(cell, &table->column[column]));
	markup_put(out, table_show(cell, table->column[column].mixed, text));
	fputs("</td>", out);
}

static void put_remarks(const struct remarks *remarks, FILE *out)
{
	for (size_t i = 0; i < remarks->count; i++) {
		char *text = remark_text(remarks, i);

		fputs("<p class=\"remark\">", out);
		markup_put(out, text ? text : "");
		fputs("</p>\n", out);
		free(text);
	}
}

/* The frame of a table that may be wider than the screen: keys scroll it. */
static void frame(FILE *out, const char *name)
{
	fputs("<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label="
	      "\"", out);
	markup_put(out, name);
	fputs("\">\n", out);
}

static void put_table(const struct page_table *t, FILE *out)
{
	if (t->folded) {
		fputs("<details><summary>", out);
		markup_put(out, t->caption);
		fprintf(out, " (%zu)</summary>\n", t->table.rows);
	}
	frame(out, t->caption);
	fprintf(out, "<table%s>\n<caption>", t->filtered ?
		" class=\"filtered\"" : "");
	markup_put(out, t->caption);
	fputs("</caption>\n", out);
	put_head(&t->table, out);
	fputs("<tbody>\n", out);
	for (size_t row = 0; row < t->table.rows; row++) {
		fputs("<tr>", out);
		for (size_t i = 0; i < t->table.columns; i++)
			put_cell(&t->table, row, i, out);
		fputs("</tr>\n", out);
	}
	fputs("</tbody>\n</table>\n</div>\n", out);
	put_remarks(&t->remarks, out);
	fputs(t->folded ? "</details>\n" : "", out);
}

void page_table_end(struct page *page, struct page_table *t)
{
	table_drop_blank(&t->table);
	if (t->table.rows && t->table.columns)
		put_table(t, page->out);
	table_fini(&t->table);
	remarks_fini(&t->remarks);
}

/* ---- plots -------------------------------------------------------------- */

static struct assay_field number(const char *name, double value)
{
	struct assay_field field = field_value(name, plain_value(value));

	if (!isfinite(value))
		field = (struct assay_field){ .name = name,
					      .kind = ASSAY_FIELD_TEXT,
					      .text = "" };
	field.decimals = fabs(value) < 10 ? 4 : 2;
	return field;
}

static void add_curves(const struct report_plot *plot,
		       struct page_table *table)
{
	const bool bytes = plot->x_unit && !strcmp(plot->x_unit, "bytes");

	for (size_t s = 0; s < plot->series_count; s++)
		for (size_t i = 0; i < plot->series[s].points; i++) {
			struct assay_field field[] = {
				field_text("series", plot->series[s].name),
				number(bytes ? "size" : plot->x_unit ?
				       plot->x_unit : "x",
				       plot->series[s].x[i]),
				number(plot->y_unit && *plot->y_unit ?
				       plot->y_unit : "value",
				       plot->series[s].y[i]),
			};

			if (bytes)
				field[1].flags |= ASSAY_FIELD_BYTES;
			if (scale_shows(plot, &plot->series[s], i))
				page_row(table, &(struct assay_row){
					"point", field, 3 });
		}
}

enum { PARTS = 16 };

static void add_bars(const struct report_plot *plot, struct page_table *table)
{
	const struct report_bars *bars = &plot->bars;
	struct assay_field field[PARTS + 1];

	for (size_t row = 0; row < bars->rows; row++) {
		size_t n = 0;

		field[n++] = field_text("name", bars->row[row]);
		for (size_t i = 0; i < bars->parts && n <= PARTS; i++)
			field[n++] = number(bars->part[i],
					    bars->value[row * bars->parts + i]);
		page_row(table, &(struct assay_row){ "bar", field, n });
	}
}

void page_plot(struct page *page, const struct report_plot *plot)
{
	struct page_table data = { .folded = true };
	char caption[200];

	if (!plot_drawable(plot))
		return;
	fputs("<figure>\n<figcaption>", page->out);
	markup_put(page->out, plot->title ? plot->title : "");
	fputs("</figcaption>\n", page->out);
	plot_svg_inline(plot, page->out);
	snprintf(caption, sizeof(caption), "Data: %.180s",
		 plot->title ? plot->title : "");
	data.caption = caption;
	if (plot->kind == PLOT_CURVES)
		add_curves(plot, &data);
	else
		add_bars(plot, &data);
	page_table_end(page, &data);
	fputs("</figure>\n", page->out);
}

/* ---- source ------------------------------------------------------------- */

void page_source_begin(struct page *page, const char *file,
		       const char *const *count, size_t counts)
{
	FILE *out = page->out;

	frame(out, file);
	fputs("<table>\n<caption>", out);
	markup_put(out, file);
	fputs("</caption>\n<thead><tr>", out);
	for (size_t i = 0; i < counts; i++) {
		fputs("<th scope=\"col\" class=\"n\">", out);
		markup_put(out, count[i]);
		fputs("</th>", out);
	}
	fputs("<th scope=\"col\" class=\"n\">line</th><th scope=\"col\">source"
	      "</th><th scope=\"col\">why</th></tr></thead>\n<tbody>\n", out);
}

void page_source_line(struct page *page, int line, const double *value,
		      size_t counts, const char *text, size_t n,
		      const char *why)
{
	char *copy = strndup(text, n);
	FILE *out = page->out;

	fputs(value ? "<tr class=\"hot\">" : "<tr>", out);
	for (size_t i = 0; i < counts; i++) {
		char groups[48] = "";

		if (value && value[i] >= 1e18)
			snprintf(groups, sizeof(groups), "%.3g", value[i]);
		else if (value && value[i] > 0)
			text_groups(groups, sizeof(groups),
				    (uint64_t)(value[i] + 0.5));
		fprintf(out, "<td class=\"n\">%s</td>", groups);
	}
	fputs("<td class=\"n\">", out);
	if (line)
		fprintf(out, "%d", line);
	fputs("</td><td class=\"code\">", out);
	markup_put(out, copy ? copy : "");
	fputs("</td><td>", out);
	markup_put(out, why ? why : "");
	fputs("</td></tr>\n", out);
	free(copy);
}

void page_source_end(struct page *page)
{
	fputs("</tbody>\n</table>\n</div>\n", page->out);
}
