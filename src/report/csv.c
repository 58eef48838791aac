/* SPDX-License-Identifier: MIT */
/*
 * The sink for spreadsheets: RFC 4180 quoting, one header line, every row with
 * the same columns. A row that has other columns starts a new part after a
 * blank line. An absent value is empty; report_remarks() has the reason.
 */
#include <stdlib.h>
#include <string.h>

#include "assay/error.h"
#include "base/text.h"
#include "report/cell.h"
#include "report/sink.h"

void report_csv_text(FILE *out, const char *text, char separator)
{
	char *copy = strdup(text), *p = copy;
	bool quoted;

	if (!copy)
		return;
	text_harmless(copy, true);	/* lines are parts of fields */
	quoted = strchr(copy, separator) || strpbrk(copy, "\"\n");
	if (quoted)
		fputc('"', out);
	for (; *p; p++)
		fprintf(out, *p == '"' ? "\"%c" : "%c", *p);
	if (quoted)
		fputc('"', out);
	free(copy);
}

static void put(const struct report *report, const char *text)
{
	report_csv_text(report->out, text, report->style.separator);
}

static bool same_columns(const struct table *table,
			 const struct assay_row *row)
{
	if (!table->type || strcmp(table->type, row->type) ||
	    table->columns != row->fields)
		return false;
	for (size_t i = 0; i < row->fields; i++)
		if (strcmp(table->column[i].field, row->field[i].name))
			return false;
	return true;
}

static int head(struct report *report, const struct assay_row *row)
{
	struct table *table = &report->table;

	report_separate(report);
	table_fini(table);
	table->type = strdup(row->type);
	if (!table->type)
		return -ASSAY_ENOMEM;
	for (size_t i = 0; i < row->fields; i++) {
		char name[256];

		if (!table_column(table, row->field[i].name))
			return -ASSAY_ENOMEM;
		if (i)
			fputc(report->style.separator, report->out);
		name_machine(name, sizeof(name), row->field[i].name);
		put(report, name);
	}
	fputc('\n', report->out);
	return 0;
}

static int remark(struct report *report, const struct assay_field *field,
		  const char *why)
{
	char name[256];

	name_machine(name, sizeof(name), field->name);
	return remarks_add(&report->remarks, name, "", why);
}

static int field(struct report *report, const struct assay_field *field)
{
	char number[CELL_NUMBER];

	/* an absent cell without a reason needs no remark */
	if (field->kind == ASSAY_FIELD_ABSENT &&
	    (!field->text || !*field->text))
		return 0;
	if (field_absent(field))
		return remark(report, field, field_why(field));
	if (field->kind == ASSAY_FIELD_TEXT) {
		put(report, field->text ? field->text : "");
		return 0;
	}
	number_machine(number, field);
	put(report, number);
	if (field->flags & ASSAY_FIELD_ESTIMATE)
		return remark(report, field, field->error > 0 ?
			      "estimated: another draw of the random "
			      "replacement gives another count" :
			      "estimated: counted during a part of the run "
			      "only");
	return 0;
}

static int row(struct report *report, const struct assay_row *row)
{
	int rc = same_columns(&report->table, row) ? 0 : head(report, row);

	for (size_t i = 0; i < row->fields && !rc; i++) {
		if (i)
			fputc(report->style.separator, report->out);
		rc = field(report, &row->field[i]);
	}
	fputc('\n', report->out);
	return rc;
}

const struct report_sink csv_sink = {
	.file = { "*.csv", "*.tsv" },
	.room = REPORT_FIELDS,
	.row = row,
};
