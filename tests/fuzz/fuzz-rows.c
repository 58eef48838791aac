/* SPDX-License-Identifier: MIT */
/*
 * Lines of any bytes are refused with a place, or what was read is written,
 * read and written again without any change.
 */
#include "fuzz.h"

#include <stdio.h>

#include "base/record.h"
#include "base/row.h"
#include "report/report.h"
#include "store/rows.h"

static int on_row(void *ctx, const struct assay_row *row)
{
	need(row->type && row->fields <= ROWS_FIELDS);
	for (size_t i = 0; i < row->fields; i++) {
		const struct assay_field *f = &row->field[i];

		need(f->name && strlen(f->name) < ROWS_NAME);
		need(f->kind != ASSAY_FIELD_TEXT || f->text);
	}
	return report_row(ctx, row);
}

static int on_record(void *ctx, struct assay_record *record)
{
	(void)ctx;
	need(record->shape.kernel[0]);
	record_free(record);
	return 0;
}

/* The rows of a text, written in a format; NULL: refused. */
static char *written(const char *text, enum report_format format)
{
	const struct report_style style = { .separator = ',', .columns = 80 };
	struct assay_error err = { 0 };
	char *out = NULL;
	size_t bytes;
	FILE *file = open_memstream(&out, &bytes);
	struct report *report = report_open(file, format, &style);
	int rc;

	need(file && report);
	rc = rows_read(text, "f", on_row, on_record, report, &err);
	need(report_close(report) == 0);
	fclose(file);
	need(rc == 0 || (rc == -ASSAY_EPARSE && !strncmp(err.text, "f:", 2)));
	if (rc == 0)
		return out;
	free(out);
	return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	char *text = strndup((const char *)data, bytes), *lines, *again;

	need(text);
	lines = written(text, REPORT_JSON);
	free(text);
	if (!lines)
		return 0;
	again = written(lines, REPORT_JSON);
	need(again && !strcmp(lines, again));
	free(written(lines, REPORT_CSV));
	free(written(lines, REPORT_TEXT));
	free(written(lines, REPORT_MARKDOWN));
	free(lines);
	free(again);
	return 0;
}
