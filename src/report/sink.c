/* SPDX-License-Identifier: MIT */
/* What sinks have in common: one table at a time. */
#include "report/sink.h"

#include <errno.h>
#include <string.h>

int sink_row(struct report *report, const struct assay_row *row)
{
	struct table *table = &report->table;

	if (table->type && strcmp(table->type, row->type))
		report->sink->flush(report);
	if (!table->type)
		table->type = strdup(row->type);
	if (!table->type)
		return -ASSAY_ENOMEM;
	return table_add(table, row, &report->style, &report->remarks);
}

void report_separate(struct report *report)
{
	if (report->started)
		fputc('\n', report->out);
	report->started = true;
}

bool sink_push(struct report *report)
{
	if (!ferror(report->out))
		errno = 0;
	fflush(report->out);
	if (!ferror(report->out))
		return false;
	if (!report->failed)
		report->failed = errno;
	return true;
}
