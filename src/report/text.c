/* SPDX-License-Identifier: MIT */
/* The sink for people: tables, titles, sentences, plots. */
#include <stdlib.h>
#include <string.h>

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

/* A line that begins with a space stays as it is. */
static void note_line(const struct report *report, const char *text, size_t n)
{
	char *line = strndup(text, n);

	if (line && *line && *line != ' ')
		wrap_print(report->out, line, 0, 0, report->style.columns);
	else
		fprintf(report->out, "%.*s\n", (int)n, text);
	free(line);
}

static void note(struct report *report, const char *text)
{
	flush(report);
	report->started = true;
	while (*text) {
		const size_t n = strcspn(text, "\n");

		note_line(report, text, n);
		text += n + (text[n] == '\n');
	}
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
	plot_terminal(plot, &report->style, report->out);
}

const struct report_sink text_sink = {
	.file = { "*.txt", "*.log" },
	.room = REPORT_MIXED_ROWS | REPORT_REASONS | REPORT_PROSE |
		REPORT_FILES,
	.row = sink_row,
	.note = note,
	.title = title,
	.plot = plot,
	.flush = flush,
};
