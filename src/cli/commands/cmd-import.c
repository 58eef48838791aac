/* SPDX-License-Identifier: MIT */
/* assay import: records from UART logs and from other tools' counts. */
#include <string.h>

#include "cli/import-files.h"
#include "cli/context.h"
#include "cli/rows.h"
#include "store/foreign/formats.def"

#define SCREEN 20		/* records, or events of one, without -v */
#define FORMATS 32		/* more than there are */
#define MARKS 5			/* unused lines of a file, without -v */

struct importing {
	struct context *context;
	struct records_seen seen;
	struct kept_rows rows;	/* for people: a row for each record */
	struct kept_rows events;	/* ... for each event, up to a screen */
	const char *path;
	unsigned marks;		/* unused lines of this file */
	bool bulk;		/* the file is one of a folder */
	bool many;		/* files */
	unsigned files, records, twice, unknown;
	int failed;		/* the exit code of files that failed */
	unsigned counted, absent, estimates;	/* events */
	bool incomplete;	/* a UART log */
	const char *told[FORMATS];	/* what these lack was said */
	size_t tolds;
	char format[32];	/* of the file that was read last */
	struct assay_error err;	/* why a record could not be written */
	struct assay_setting set[SETS];
	size_t sets;
};

/* ---- records ------------------------------------------------------------- */

static const char *why_absent(const struct assay_record *r, unsigned e,
			      unsigned *counted)
{
	const char *why = "not counted";

	*counted = 0;
	for (unsigned i = 0; i < r->repeats; i++) {
		const struct assay_count *c = &r->counts[i * r->events + e];

		*counted += c->state != ASSAY_COUNT_ABSENT;
		if (c->state == ASSAY_COUNT_ABSENT && c->why)
			why = c->why;
	}
	return why;
}

static int keep_event(struct importing *im, const struct assay_record *r,
		      unsigned e, const char *shape)
{
	struct assay_value value = assay_record_value(r, e);
	unsigned counted;
	const char *why = why_absent(r, e, &counted);
	char times[32];
	const struct assay_field field[] = {
		field_text("file", im->many ? im->path : ""),
		field_text("shape", shape),
		field_text("event", r->event[e].name),
		value.why ? field_text("count", "-") :
			    value_field("count", value),
		field_text("repetitions", times),
		field_text("remark", counted < r->repeats ? why :
			   value.estimate ? "an estimate" : ""),
	};

	snprintf(times, sizeof(times), "%u of %u", counted, r->repeats);
	im->counted += counted > 0;
	im->absent += !counted;
	im->estimates += value.estimate && !value.why;
	return im->events.rows > SCREEN && !im->context->settings.verbose ? 0 :
	       keep_row(&im->events, &(struct assay_row){ "event", field, 6 });
}

static int show_record(struct importing *im, const struct assay_record *r)
{
	const unsigned before = im->counted;
	char shape[256], counted[32];
	int rc = 0;

	shape_text(shape, sizeof(shape), &r->shape);
	for (unsigned e = 0; e < r->events && !rc; e++)
		rc = keep_event(im, r, e, shape);
	snprintf(counted, sizeof(counted), "%u of %u", im->counted - before,
		 r->events);
	const struct assay_field field[] = {
		field_text("file", im->path),
		field_text("kernel", r->shape.kernel),
		field_text("shape", shape),
		field_text("cpu", r->machine.cpu),
		field_text("events counted", counted),
	};

	return rc ? rc : keep_row(&im->rows, &(struct assay_row){
				  "record", field, 5 });
}

static int on_record(void *ctx, const struct assay_record *record)
{
	struct importing *im = ctx;
	struct report *report = im->context->report;
	const int twice = records_seen_add(&im->seen, record);

	if (twice < 0)
		return -1;
	im->twice += twice > 0;
	im->records += !twice;
	if (twice)
		return 0;
	if (report_has(report, REPORT_RECORDS))
		return assay_record_write(report_file(report), record,
					  &im->err) || report_push(report);
	return show_record(im, record);
}

/* ---- lines that were not used -------------------------------------------- */

/* Complaints about incomplete input go to stderr: stdout is for records. */
static int on_mark(void *ctx, const struct assay_row *row)
{
	struct importing *im = ctx;
	const struct settings *s = &im->context->settings;
	const char *what = row_text(row, "what");
	const bool unused = !strcmp(what, "unused");

	im->marks += unused;
	if (s->quiet || (unused && !s->verbose && im->marks > MARKS))
		return 0;
	report_say(stderr, "%s:%.0f: %s: %s\n", im->path,
		   row_number(row, "line"), what, row_text(row, "why"));
	if (s->verbose || unused)
		report_say(stderr, "  %s\n", row_text(row, "text"));
	return 0;
}

static void tell_lost(struct importing *im, const struct assay_import *import)
{
	if (im->context->settings.quiet)
		return;
	if (im->marks > MARKS && !im->context->settings.verbose)
		report_say(stderr, "%s: %u more lines were not used (-v)\n",
			   im->path, im->marks - MARKS);
	for (size_t i = 0; i < im->tolds; i++)
		if (!strcmp(im->told[i], import->format))
			return;
	if (!import->lost || im->tolds == FORMATS)
		return;
	complain_text("import", 0, "%s does not say: %s", import->format,
		      import->lost);
	im->told[im->tolds++] = import->format;
}

/* ---- files --------------------------------------------------------------- */

static void check_log(struct importing *im, const struct assay_import *import)
{
	const bool quiet = im->context->settings.quiet;

	im->incomplete |= !import->ended || import->damaged ||
			  import->promised != import->records ||
			  import->faults || import->errors;
	if (report_has(im->context->report, REPORT_PROSE))
		report_note(im->context->report, "\n%u lines: %u records "
			    "whole, %u damaged lines, %u of noise",
			    import->lines, import->records, import->damaged,
			    import->noise);
	if (!import->ended && !quiet)
		complain_text("import", 0, "the log ends before the image "
			      "did");
	else if (import->promised != import->records && !quiet)
		complain_text("import", 0, "the image wrote %u records",
			      import->promised);
}

static int read_file(void *ctx, const char *path)
{
	struct importing *im = ctx;
	const struct assay_importing ask = {
		.path = path, .from = im->context->settings.from,
		.cpu = im->context->settings.cpu_name,
		.map = im->context->settings.map, .set = im->set,
		.sets = im->sets,
	};
	struct assay_error err = { 0 };
	struct assay_import import;
	int code, rc;

	im->path = path;
	im->marks = 0;
	im->files++;
	rc = assay_import_as(im->context->assay, &ask, on_record, on_mark, im,
			     &import, &err);
	if (rc == -ASSAY_ESTOP)
		return complain(im->context, im->err.code ? &im->err : &err);
	if (rc == -ASSAY_EINVAL && im->bulk && !im->context->settings.from) {
		im->unknown++;	/* a folder may hold other files, too */
		return 0;
	}
	if (rc) {
		code = complain(im->context, &err);
		if (im->failed != EXIT_USAGE)
			im->failed = code;
		report_hold(im->context->report);
		return 0;
	}
	snprintf(im->format, sizeof(im->format), "%s", import.format);
	tell_lost(im, &import);
	if (!strcmp(import.format, "uart"))
		check_log(im, &import);
	return 0;
}

/* ---- the answer ---------------------------------------------------------- */

static void say(struct importing *im)
{
	struct report *report = im->context->report;
	char more[200] = "", what[300];
	size_t used = 0;

	if (im->estimates)
		used += (size_t)snprintf(more, sizeof(more), ", %u of them as "
					 "estimates", im->estimates);
	if (im->absent)
		snprintf(more + used, sizeof(more) - used, "; %u %s absent",
			 im->absent, im->absent == 1 ? "is" : "are");
	if (im->files == 1)
		snprintf(what, sizeof(what), "'%.200s' is %s", im->path,
			 im->format);
	else
		snprintf(what, sizeof(what), "%u files", im->files);
	report_answer(report, "%s: %u record%s, %u event%s counted%s%s%s.",
		      what, im->records, im->records == 1 ? "" : "s",
		      im->counted, im->counted == 1 ? "" : "s", more,
		      im->twice ? "; a record that was there before is left "
		      "out" : "", im->unknown ? "; files of unknown content "
		      "are left out" : "");
}

static void show(struct importing *im)
{
	struct report *report = im->context->report;
	const bool all = im->context->settings.verbose;
	const bool prose = report_has(report, REPORT_PROSE);
	const struct kept_rows *rows = prose &&
		(all || im->events.rows <= SCREEN) ? &im->events : &im->rows;

	for (size_t i = 0; i < rows->rows &&
	     (all || !prose || i < SCREEN); i++)
		report_row(report, &rows->row[i]);
	report_flush(report);
	if (prose && !all && rows->rows > SCREEN)
		report_note(report, "%zu more: -v shows all, -o FILE.jsonl "
			    "writes them", rows->rows - SCREEN);
	if (prose && im->twice)
		report_note(report, "%u record%s there twice", im->twice,
			    im->twice == 1 ? " was" : "s were");
	if (prose && im->unknown)
		report_note(report, "%u file%s of no format that assay can "
			    "read", im->unknown,
			    im->unknown == 1 ? " is" : "s are");
}

static int finish(struct importing *im)
{
	if (!im->records && im->failed)
		return im->failed;
	if (!im->records && !im->twice)
		return complain_text("import", EXIT_USAGE, "'%s' holds no "
				     "%srecord%s", im->context->settings.arg[0],
				     strcmp(im->format, "uart") ? "" :
				     "whole ", strcmp(im->format, "uart") ?
				     "" : " of the image");
	if (!report_has(im->context->report, REPORT_RECORDS)) {
		show(im);
		say(im);
	}
	im->context->partial = im->failed && im->records;
	if (im->failed)
		return im->failed;
	return im->incomplete ? EXIT_CHECK : EXIT_OK;
}

static int run(struct context *context)
{
	const struct settings *s = &context->settings;
	struct importing im = { .context = context };
	int rc = 0;

	if (!s->args)
		return complain_text("import", EXIT_USAGE, "which file? assay "
				     "import FILE, or - for standard input");
	im.many = s->args > 1 || is_folder(s->arg[0]);
	im.sets = sets_split(context->settings.sets, im.set);
	report_hold(context->report);
	for (size_t i = 0; i < s->args && !rc; i++) {
		im.bulk = is_folder(s->arg[i]);
		rc = im.bulk ? folder_each(s->arg[i], read_file, &im) :
			       read_file(&im, s->arg[i]);
	}
	rc = rc ? rc : finish(&im);
	report_release(context->report);
	kept_rows_free(&im.rows);
	kept_rows_free(&im.events);
	records_seen_free(&im.seen);
	return rc;
}

static const struct option own[] = {
	WORD(0, "from", "FORMAT", from,
	  "records|uart|csv|" FOREIGNS(FOREIGN_FROM, "|", "|"),
	  "the format of the files (else their content says which): records, "
	  "uart, csv, " FOREIGNS(FOREIGN_FROM, ", ", " or ")),
	TEXT(0, "cpu", "NAME", cpu_name,
	  "the CPU that counted, where a file does not say which; with a name "
	  "of 'assay list cpus', verify checks the laws of that CPU, too"),
	TEXT(0, "map", "'FIELD=EXPRESSION;...'", map,
	  "the files are tables: where the fields are, as in "
	  "'event=name;count=Value'"),
	LIST(0, "set", "KEY=NUMBER", sets,
	  "a name for the expressions of --map; may be repeated"),
	{ 0 }
};

static const struct option *const options[] = {
	own, output_options, common_options, NULL
};

static const struct example examples[] = {
	{ "assay import p.csv", "what 'perf stat -x, -o p.csv' counted" },
	{ "assay import p.csv -j", "the same as records" },
	{ "assay import results/ -o records.jsonl",
	  "all files of a folder, for 'assay verify --on records.jsonl'" },
	{ "assay import t.csv --map 'event=name;count=Value'",
	  "a table whose columns have other names" },
	{ "assay import uart.log", "what is in it, and what was damaged" },
	{ 0 }
};

const struct command import_command = {
	.name = "import",
	.group = "measure",
	.summary = "records from other tools' counts, and from UART logs",
	.arguments = "FILE...",
	.args = SETTINGS_ARGS,
	.options = options,
	.text =
		"Reads records from files of other tools: tables with the "
		"columns event and count, "
		FOREIGNS(FOREIGN_WORDS, ", ", " and ") ". The content of a "
		"file says its format. A folder stands for all files in it, "
		"'-' for standard input. Equal records are taken once. Every "
		"command that takes a record reads these files, too: assay "
		"verify --on p.csv.\n\n"
		"A number that the tool scaled, averaged or rounded is an "
		"estimate in the record. An event without a count is absent, "
		"with the reason. Lines without a count, such as output of "
		"the counted program, are listed on standard error. Exits "
		"with 2 if a file cannot be read, with 4 if a library is "
		"missing.\n\n"
		"Each line that a bare-metal image writes into its UART log "
		"has a checksum. Undamaged lines become records. Damaged "
		"lines, lines that other programs wrote into, and complaints "
		"of the image are listed with their line numbers on standard "
		"error. Exits with 3 if the image lost anything, with 2 if "
		"there is no undamaged record.",
	.example = examples,
	.run = run,
};
