/* SPDX-License-Identifier: MIT */
/* The sink for issues and wikis: Markdown tables. */
#include <string.h>

#include "assay/error.h"
#include "report/sink.h"

static void flush(struct report *report)
{
	if (report->table.rows) {
		report_separate(report);
		table_markdown(&report->table, &report->remarks, report->out);
	}
	table_fini(&report->table);
	remarks_fini(&report->remarks);
}

static void note(struct report *report, const char *text)
{
	flush(report);
	report_separate(report);
	fprintf(report->out, "%s\n", text);
}

static void title(struct report *report, const char *text)
{
	flush(report);
	report_separate(report);
	fprintf(report->out, "## %s\n", text);
}

const struct report_sink markdown_sink = {
	.row = sink_row,
	.note = note,
	.title = title,
	.flush = flush,
};
