/* SPDX-License-Identifier: MIT */
/*
 * The sink for programs: one object per line, "t" is the row's type. Whole
 * numbers are exact: above 2^53, where readers round, they are strings. An
 * absent value is null, and its reason is another member.
 */
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "report/cell.h"
#include "report/sink.h"

void report_json_text(FILE *out, const char *text)
{
	const unsigned char *p = (const unsigned char *)text;

	fputc('"', out);
	while (*p) {
		const unsigned plain = utf8_plain(p);
		const unsigned n = plain ? plain : utf8_bytes(p);
		const unsigned acts = plain ? 0 : utf8_acts(p, n);

		if (*p == '"' || *p == '\\')
			fprintf(out, "\\%c", *p);
		else if (acts)
			fprintf(out, "\\u%04x", acts);
		else if (!n)
			fputs("\\ufffd", out);
		else
			fwrite(p, 1, n, out);
		p += n ? n : 1;
	}
	fputc('"', out);
}

static void key(FILE *out, const char *name, const char *suffix)
{
	char text[256];

	name_machine(text, sizeof(text) - 16, name);
	strcat(text, suffix);
	fputc(',', out);
	report_json_text(out, text);
	fputc(':', out);
}

static void field(FILE *out, const struct assay_field *field)
{
	char number[CELL_NUMBER];

	key(out, field->name, "");
	if (field_absent(field)) {
		fputs("null", out);
		key(out, field->name, "_why");
		report_json_text(out, field_why(field));
		return;
	}
	if (field->kind == ASSAY_FIELD_TEXT) {
		report_json_text(out, field->text ? field->text : "");
		return;
	}
	number_machine(number, field);
	if (field->kind == ASSAY_FIELD_COUNT &&
	    field->count > UINT64_C(1) << 53)
		report_json_text(out, number);
	else
		fputs(number, out);
	if (field->flags & ASSAY_FIELD_ESTIMATE) {
		key(out, field->name, "_estimate");
		fputs("true", out);
	}
	if (field->error > 0) {
		key(out, field->name, "_error");
		fprintf(out, "%.6g", field->error);
	}
}

static int row(struct report *report, const struct assay_row *row)
{
	fputs("{\"t\":", report->out);
	report_json_text(report->out, row->type);
	for (size_t i = 0; i < row->fields; i++)
		field(report->out, &row->field[i]);
	fputs("}\n", report->out);
	return 0;
}

static void note(struct report *report, const char *text)
{
	fputs("{\"t\":\"note\",\"text\":", report->out);
	report_json_text(report->out, text);
	fputs("}\n", report->out);
}

#define LINES(more, ...) { \
	.file = { __VA_ARGS__ }, \
	.room = REPORT_RECORDS | REPORT_MIXED_ROWS | REPORT_REASONS | (more), \
	.row = row, \
	.note = note, \
}
const struct report_sink json_sink = LINES(0, "*.jsonl", "*.json");
/* Of these lines the command makes something else (REPORT_DRAWN). */
const struct report_sink html_sink = LINES(REPORT_DRAWN, "*.html");
const struct report_sink svg_sink = LINES(REPORT_DRAWN, "*.svg");
const struct report_sink gnuplot_sink = LINES(REPORT_DRAWN, "*.gp");
const struct report_sink prometheus_sink = LINES(REPORT_DRAWN, "*.prom");
/* Formats that end in .json like others: by --format alone. */
const struct report_sink tracker_sink = LINES(REPORT_DRAWN, NULL);
