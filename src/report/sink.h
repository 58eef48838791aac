/* SPDX-License-Identifier: MIT */
/* What a report's formats share: private to the room. */
#ifndef REPORT_SINK_H
#define REPORT_SINK_H

#include "report/remarks.h"
#include "report/report.h"
#include "report/table.h"

struct report_sink {
	int (*row)(struct report *report, const struct assay_row *row);
	void (*note)(struct report *report, const char *text);
	void (*title)(struct report *report, const char *title);
	void (*plot)(struct report *report, const struct report_plot *plot);
	void (*flush)(struct report *report);
};

struct report {
	FILE *out;
	enum report_format format;
	const struct report_sink *sink;
	struct report_style style;
	struct remarks remarks;	/* of the whole report (CSV), or of the table */
	struct table table;	/* rows not drawn yet; CSV: only its columns */
	bool started;		/* something was printed: parts are separated */
	bool no_memory;
	int failed;		/* errno of the first write that failed */
};

extern const struct report_sink text_sink, csv_sink, json_sink, markdown_sink;

/* A row of the table that is drawn when rows of another type come. */
int sink_row(struct report *report, const struct assay_row *row);

/* A blank line between two parts of a text. */
void report_separate(struct report *report);

#endif
