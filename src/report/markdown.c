/* SPDX-License-Identifier: MIT */
/* The sink for issues and wikis: Markdown tables. */
#include <stdlib.h>
#include <string.h>

#include "report/sink.h"

/* Sentences, titles and cells: no mark-up, whatever names hold. */
static void put(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (strchr("|\\`*_<>[]&~#", *text))
			fputc('\\', out);
		fputc(*text, out);
	}
}

static void put_remarks(const struct remarks *remarks, FILE *out)
{
	if (remarks->count)
		fputc('\n', out);
	for (size_t i = 0; i < remarks->count; i++) {
		char *text = remark_text(remarks, i);

		put(out, text ? text : "");
		fputc('\n', out);
		free(text);
	}
}

static void head(const struct table *table, FILE *out)
{
	for (size_t i = 0; i < table->columns; i++) {
		const struct table_column *c = &table->column[i];
		const char *unit = table_head_unit(c);

		fputs("| ", out);
		put(out, c->group ? c->group : "");
		fputs(c->group ? " " : "", out);
		put(out, c->name);
		fprintf(out, unit ? " (%s) " : " ", unit);
	}
	fputs("|\n", out);
	for (size_t i = 0; i < table->columns; i++)
		fputs(table->column[i].number ? "| ---: " : "| --- ", out);
	fputs("|\n", out);
}

static void draw(const struct table *table, const struct remarks *remarks,
		 FILE *out)
{
	if (!table->rows || !table->columns)
		return;
	head(table, out);
	for (size_t row = 0; row < table->rows; row++) {
		for (size_t i = 0; i < table->columns; i++) {
			const struct table_cell *cell =
				table_cell_of(table, row, i);
			char text[TABLE_TEXT_MOST];

			fputs("| ", out);
			if (cell)
				put(out, table_show(cell,
						    table->column[i].mixed,
						    text));
			fputc(' ', out);
		}
		fputs("|\n", out);
	}
	put_remarks(remarks, out);
}

static void flush(struct report *report)
{
	if (report->table.rows) {
		report_separate(report);
		draw(&report->table, &report->remarks, report->out);
	}
	table_fini(&report->table);
	remarks_fini(&report->remarks);
}

static void note(struct report *report, const char *text)
{
	flush(report);
	report_separate(report);
	put(report->out, text);
	fputc('\n', report->out);
}

static void title(struct report *report, const char *text)
{
	flush(report);
	report_separate(report);
	fputs("## ", report->out);
	put(report->out, text);
	fputc('\n', report->out);
}

const struct report_sink markdown_sink = {
	.file = { "*.md" },
	.room = REPORT_MIXED_ROWS | REPORT_REASONS,
	.fence = { "\n```text", "```\n" },
	.row = sink_row,
	.note = note,
	.title = title,
	.flush = flush,
};
