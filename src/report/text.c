/* SPDX-License-Identifier: MIT */
/* The sink for people: tables, titles, sentences, plots. */
#include <string.h>

#include "assay/error.h"
#include "report/plot.h"
#include "report/sink.h"
#include "report/wrap.h"

static void flush(struct report *report)
{
	if (report->table.rows) {
		report_separate(report);
		table_draw(&report->table, &report->remarks, &report->style,
			   report->out);
	}
	table_fini(&report->table);
	remarks_fini(&report->remarks);
}

static void note(struct report *report, const char *text)
{
	const char *end;

	flush(report);
	report->started = true;
	while ((end = strchr(text, '\n')) != NULL) {
		fprintf(report->out, "%.*s\n", (int)(end - text), text);
		text = end + 1;
	}
	if (*text == ' ')
		fprintf(report->out, "%s\n", text);
	else if (*text)
		wrap_print(report->out, text, 0, 0, report->style.columns);
}

static void title(struct report *report, const char *text)
{
	flush(report);
	report_separate(report);
	fprintf(report->out, report->style.colour ? "\033[1;4m%s\033[0m\n"
						  : "%s\n", text);
	report->started = false;
}

static void plot(struct report *report, const struct report_plot *plot)
{
	flush(report);
	report_separate(report);
	plot_draw(plot, &report->style, report->out);
}

const struct report_sink text_sink = {
	.room = REPORT_MIXED_ROWS | REPORT_REASONS | REPORT_PROSE |
		REPORT_FILES,
	.row = sink_row,
	.note = note,
	.title = title,
	.plot = plot,
	.flush = flush,
};
