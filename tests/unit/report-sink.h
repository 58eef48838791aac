/* SPDX-License-Identifier: MIT */
/* A report that is written into memory. */
#ifndef REPORT_SINK_H
#define REPORT_SINK_H

#include <stdio.h>

#include "report/report.h"

struct sink {
	char *text;
	size_t bytes;
	FILE *file;
	struct report *report;
};

static const struct report_style plain = { .utf8 = true, .columns = 80 };

static inline void sink_open(struct sink *sink, enum report_format format,
		      const struct report_style *style)
{
	sink->text = NULL;
	sink->file = open_memstream(&sink->text, &sink->bytes);
	assert_non_null(sink->file);
	sink->report = report_open(sink->file, format, style);
	assert_non_null(sink->report);
}

static inline void sink_close(struct sink *sink)
{
	assert_int_equal(report_close(sink->report), 0);
	fclose(sink->file);
}

static inline void expect(struct sink *sink, const char *wanted)
{
	sink_close(sink);
	assert_string_equal(sink->text, wanted);
	free(sink->text);
}

#endif
