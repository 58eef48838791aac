/* SPDX-License-Identifier: MIT */
/* assay db import: what assay import reads becomes a run, in one transaction. */
#define _GNU_SOURCE	/* open_memstream */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/db/db.h"
#include "cli/rows.h"

enum { MOST = 1 << 30 };	/* bytes of a file, as for assay import */

struct importing {
	struct context *context;
	struct database *db;
	const char *path;
	char *text;		/* lines of assay; NULL: of another tool */
	const char *at;		/* the next one */
	char *line;		/* a record of another tool's file */
	bool begun;
	uint64_t records, values;
	struct assay_error *err;
};

/* Of assay's own files all lines are stored as they are. */
static bool is_own(const char *text)
{
	return !strncmp(text + strspn(text, " \t\r\n"), "{\"t\":\"", 6);
}

static int begin(struct importing *im, const struct assay_record *record)
{
	char line[DATABASE_PATH + 40], name[DATABASE_PATH];
	const struct assay_place *place = record && *record->place.node ?
					  &record->place : NULL;
	const struct database_run run = {
		.command = "import", .line = line,
		.host = record ? record->machine.host : "",
		.node = place ? place->node : NULL,
		.job = place ? place->job : NULL,
		.rank = place ? place->rank : -1,
	};

	text_shell(name, sizeof(name), im->path);
	snprintf(line, sizeof(line), "assay db import %s", name);
	im->begun = true;
	return database_begin(im->db, &run, im->err);
}

/* Stores lines up to the next record. Returns the record's length, 0 at the end
 * of the file, or a negative code. */
static long next_record(struct importing *im)
{
	static const char record[] = "{\"t\":\"record\"";

	while (*im->at) {
		const size_t n = strcspn(im->at, "\r\n");
		const size_t all = n + strspn(im->at + n, "\r\n");
		int rc = 0;

		if (!strncmp(im->at, record, sizeof(record) - 1))
			return (long)n;
		if (strspn(im->at, " \t\r\n") < n)
			rc = database_add(im->db, im->at, n, im->err);
		if (rc)
			return rc;
		im->at += all;
	}
	return 0;
}

static int disorder(struct importing *im)
{
	return error_set(im->err, -ASSAY_EINVAL, "'%.600s': its records do not "
			 "begin with {\"t\":\"record\", as assay writes them",
			 im->path);
}

static int add_own(struct importing *im, const struct assay_record *record)
{
	const long n = next_record(im);
	int rc;

	if (n <= 0)
		return n ? (int)n : disorder(im);
	rc = database_add_record(im->db, record, im->at,
				 (size_t)n, im->err);
	im->at += n;
	return rc;
}

static int add_foreign(struct importing *im, const struct assay_record *record)
{
	char *line = NULL;
	size_t bytes;
	FILE *out = open_memstream(&line, &bytes);
	int rc;

	if (!out)
		return error_memory(im->err);
	rc = assay_record_write(out, record, im->err);
	if (fclose(out) && !rc)
		rc = error_memory(im->err);
	rc = rc ? rc : database_add_record(im->db, record, line, bytes,
					   im->err);
	free(line);
	return rc;
}

static int on_record(void *ctx, const struct assay_record *record)
{
	struct importing *im = ctx;
	int rc = im->begun ? 0 : begin(im, record);

	im->records++;
	im->values += (uint64_t)record->events * record->repeats;
	if (!rc)
		rc = im->text ? add_own(im, record) : add_foreign(im, record);
	return rc;
}

static int ignore_mark(void *ctx, const struct assay_row *row)
{
	(void)ctx;
	(void)row;
	return 0;
}

static int load(struct importing *im)
{
	size_t bytes;
	int rc;

	if (!strcmp(im->path, "-"))
		return error_set(im->err, -ASSAY_EINVAL, "db import reads "
				 "files, not standard input");
	rc = text_load(&im->text, &bytes, im->path, MOST, im->err);
	if (rc || is_own(im->text)) {
		im->at = im->text;
		return rc;
	}
	free(im->text);
	im->text = NULL;
	return 0;
}

static int add_all(struct importing *im)
{
	const struct settings *s = &im->context->settings;
	const struct assay_importing ask = {
		.path = im->path, .from = s->from, .cpu = s->cpu_name,
		.map = s->map,
	};
	struct assay_error why = { 0 };
	struct assay_import got;
	int rc = assay_import_as(im->context->assay, &ask, on_record,
				 ignore_mark, im, &got, &why);

	if (rc == -ASSAY_ESTOP)
		return im->err->code;
	if (rc)
		return error_set(im->err, rc, "%s", why.text);
	if (!im->begun)
		rc = begin(im, NULL);
	if (!rc && im->text && next_record(im) != 0)
		rc = im->err->code ? im->err->code : disorder(im);
	return rc;
}

static int show(struct importing *im, int64_t run)
{
	struct assay_field field[] = {
		field_count("run", (uint64_t)run),
		field_text("file", im->path),
		field_count("records", im->records),
		field_count("values", im->values),
	};

	field[0].flags = ASSAY_FIELD_PLAIN;
	return report_row(im->context->report, &(struct assay_row){
			  "imported", field, 4 });
}

int db_import(struct context *context, struct database *db, const char *path,
	      struct assay_error *err)
{
	struct importing im = { .context = context, .db = db, .path = path,
				.err = err };
	int64_t run;
	int rc = load(&im);

	err->code = 0;
	rc = rc ? rc : add_all(&im);
	rc = rc ? rc : database_commit(db, err);
	run = database_number(db);
	if (im.begun)	/* of a file with a mistake nothing stays */
		rc = rc ? (database_abandon(db), rc) :
			  database_end(db, 0, err);
	free(im.text);
	return rc ? rc : show(&im, run);
}
