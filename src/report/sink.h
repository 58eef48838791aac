/* SPDX-License-Identifier: MIT */
/* What a report's formats share: private to the room. */
#ifndef REPORT_SINK_H
#define REPORT_SINK_H

#include "report/remarks.h"
#include "report/report.h"
#include "report/table.h"

/*
 * A format: one constant per format, in the format's own file. If a function is
 * NULL, the format leaves out what the function would draw.
 */
struct report_sink {
	const char *file[4];	/* names of files: "*.csv"; NULL-terminated */
	unsigned room;		/* enum report_room */
	const char *fence[2];	/* before and after aligned lines; or NULL */
	int (*row)(struct report *report, const struct assay_row *row);
	void (*note)(struct report *report, const char *text);
	void (*title)(struct report *report, const char *title);
	void (*plot)(struct report *report, const struct report_plot *plot);
	void (*flush)(struct report *report);
};

/* The rows that wait for the answer. */
struct report_held {
	FILE *out;		/* the report's own file; NULL: nothing waits */
	char *text;
	size_t bytes;
	bool started;
};

struct report {
	FILE *out;
	const struct report_sink *sink;
	struct report_style style;
	struct remarks remarks;	/* of the whole report (CSV), or of the table */
	struct table table;	/* rows not drawn yet; CSV: the columns only */
	bool started;		/* output has begun: a blank line separates
				 * the next part */
	struct report_held held;
	bool no_memory;
	int failed;		/* errno of the first write that failed */
};

#define REPORT_SINK(id, sink, name) extern const struct report_sink sink##_sink;
REPORT_FORMATS(REPORT_SINK)
#undef REPORT_SINK

/* A row of the table that is drawn when rows of another type come. */
int sink_row(struct report *report, const struct assay_row *row);

/* A blank line between two parts of a text. */
void report_separate(struct report *report);

/* Flushes the file. True: a write failed; report->failed has its errno. */
bool sink_push(struct report *report);

#endif
