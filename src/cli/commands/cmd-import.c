/* SPDX-License-Identifier: MIT */
/* assay import: records from the log of a serial line. */
#include <string.h>

#include "cli/context.h"
#include "cli/rows.h"

struct importing {
	struct context *context;
	struct assay_error err;	/* why a record could not be written */
};

static int show_record(struct context *context, const struct assay_record *r)
{
	char shape[256], counted[32];
	unsigned absent = 0;

	shape_text(shape, sizeof(shape), &r->shape);
	for (unsigned e = 0; e < r->events; e++)
		absent += assay_record_value(r, e).why != NULL;
	snprintf(counted, sizeof(counted), "%u of %u", r->events - absent,
		 r->events);
	const struct assay_field field[] = {
		field_text("kernel", r->shape.kernel),
		field_text("shape", shape),
		field_text("cpu", r->machine.cpu),
		field_text("events counted", counted),
	};

	return report_row(context->report,
			  &(struct assay_row){ "record", field, 4 });
}

static int on_record(void *ctx, const struct assay_record *record)
{
	struct importing *importing = ctx;
	struct report *report = importing->context->report;

	if (report_has(report, REPORT_RECORDS))
		return assay_record_write(report_file(report), record,
					  &importing->err) ||
		       report_push(report);
	return show_record(importing->context, record);
}

/* Complaints about incomplete input go to stderr: stdout is for records. */
static int on_mark(void *ctx, const struct assay_row *row)
{
	const struct importing *importing = ctx;
	const char *what = row_text(row, "what");

	if (importing->context->settings.quiet)
		return 0;
	fprintf(stderr, "%s:%llu: %s: %s\n",
		importing->context->settings.arg[0],
		(unsigned long long)row->field[0].count, what,
		row_text(row, "why"));
	if (importing->context->settings.verbose)
		fprintf(stderr, "  %s\n", row_text(row, "text"));
	return 0;
}

static int judge(struct context *context, const struct assay_import *import)
{
	bool complete = import->ended && import->promised == import->records &&
		     !import->damaged && !import->faults && !import->errors;

	if (!import->records)
		return complain_text("import", EXIT_USAGE, "'%s' holds no "
				     "whole record of the image",
				     context->settings.arg[0]);
	if (report_has(context->report, REPORT_PROSE))
		report_note(context->report, "\n%u lines: %u records whole, %u "
			    "damaged lines, %u of noise", import->lines,
			    import->records, import->damaged, import->noise);
	if (!import->ended && !context->settings.quiet)
		complain_text("import", 0, "the log ends before the image "
			      "did");
	else if (import->promised != import->records &&
		 !context->settings.quiet)
		complain_text("import", 0, "the image wrote %u records",
			      import->promised);
	return complete ? EXIT_OK : EXIT_CHECK;
}

static int run(struct context *context)
{
	struct importing importing = { .context = context };
	struct assay_error err = { 0 };
	struct assay_import import;

	if (!context->settings.args)
		return complain_text("import", EXIT_USAGE,
				     "which log? assay import UART.log");
	if (assay_import(context->assay, context->settings.arg[0], on_record,
			 on_mark, &importing, &import, &err))
		return complain(context, importing.err.code ?
				&importing.err : &err);
	return judge(context, &import);
}

static const struct option *const options[] = {
	output_options, common_options, NULL
};

static const struct example examples[] = {
	{ "assay import uart.log", "what is in it, and what was damaged" },
	{ "assay import uart.log -o records.jsonl",
	  "the records, for 'assay verify --on replay:records.jsonl'" },
	{ 0 }
};

const struct command import_command = {
	.name = "import",
	.group = "measure",
	.summary = "records from the UART log of a bare-metal run",
	.arguments = "UART.log",
	.args = 1,
	.options = options,
	.text =
		"Reads the UART log of a bare-metal image. Each line that the "
		"image writes has a checksum. Undamaged lines become records. "
		"Damaged lines, lines that other programs wrote into, and "
		"complaints of the image are listed with their line numbers on "
		"standard error. Exits with 3 if the image lost anything, with "
		"2 if there is no undamaged record.",
	.example = examples,
	.run = run,
};
