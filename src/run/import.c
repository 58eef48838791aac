/* SPDX-License-Identifier: MIT */
/* Records from whatever file. See import.h. */
#define _GNU_SOURCE	/* fmemopen */
#include "run/import.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "store/input.h"

enum { UART, RECORDS, CSV, FOREIGN, UNKNOWN = FOREIGN + FOREIGN_FORMATS };

#define ENTRY(id, name, from, ...) from,
const char *const import_formats[] = {
	"uart", "records", "csv", FOREIGNS(ENTRY, , ) NULL
};

/* A file that is being read. */
struct text {
	const struct import_source *source;
	const char *name;	/* in messages */
	char *text;
	size_t bytes;
	struct assay_error *err;
};

static void pass_uart(void *ctx, const struct uart_mark *mark)
{
	static const char *const words[] = {
		[UART_NOISE] = "noise", [UART_DAMAGED] = "damaged",
		[UART_FAULT] = "fault", [UART_ERROR] = "error",
	};
	const struct import_source *source = ctx;

	source->fn(source->ctx, &(struct import_mark){
		   words[mark->kind], mark->line, mark->why, mark->text });
}

static void pass_unused(void *ctx, unsigned line, const char *why,
			const char *text)
{
	const struct import_source *source = ctx;

	source->fn(source->ctx, &(struct import_mark){ "unused", line, why,
						       text });
}

/* Reads the text as a stream of the image's lines, or of records. */
static int read_stream(struct imported *out, const struct text *t,
		       bool is_uart)
{
	FILE *in = fmemopen(t->text, t->bytes, "r");
	int rc;

	if (!in)
		return error_set(t->err, -ASSAY_ENOMEM, "out of memory");
	rc = is_uart ? uart_read_stream(&out->log, in, t->name,
					t->source->fn ? pass_uart : NULL,
					(void *)t->source, t->err) :
		       store_read_stream(&out->store, in, t->name, t->err);
	fclose(in);
	if (rc || !is_uart)
		return rc;
	out->store = out->log.store;
	out->lines = out->log.lines;
	out->log.store = (struct store){ 0 };
	return 0;
}

static int read_foreign(struct imported *out, const struct text *t,
			enum foreign_format format)
{
	struct foreign f;
	int rc = foreign_read(&f, format, t->name, t->text, t->bytes,
			      t->source->fn ? pass_unused : NULL,
			      (void *)t->source, t->err);

	if (rc)
		return rc;
	out->store = f.store;
	out->lines = f.lines;
	out->unused = f.unused;
	out->lost = f.lost;
	return 0;
}

static int read_table(struct imported *out, const struct text *t)
{
	struct table *table;
	int rc = table_parse(&table, t->name, t->text, t->bytes,
			     &t->source->table, t->err);

	if (rc)
		return rc;
	rc = table_records(&out->store, table, t->name, t->err);
	out->lost = "for how long an event was counted; what was expected is "
		    "for assay verify --table";
	table_free(table);
	return rc;
}

static int unknown(const struct text *t)
{
	error_set(t->err, -ASSAY_EINVAL, "'%.200s' is of no format that assay "
		  "can read", t->name);
	error_add(t->err, "can be read: records of assay, UART logs of its "
		  "images, CSV with the columns event and count, "
		  FOREIGNS(FOREIGN_WORDS, ", ", " and "));
	error_add(t->err, "try: --from FORMAT, if the file is one of them, or "
		  "--map 'event=COLUMN;count=COLUMN'");
	return -ASSAY_EINVAL;
}

/* The index in import_formats, or UNKNOWN. */
static int recognise(const struct text *t)
{
	const size_t blanks = strspn(t->text, " \t\r\n");
	const int format = (int)foreign_recognise(t->text, t->bytes);

	if (t->source->table.map)
		return CSV;
	if (uart_is_text(t->text, t->bytes))
		return UART;
	if (format != FOREIGN_NONE)
		return FOREIGN + format;
	if (table_begins(t->text))
		return CSV;
	return t->text[blanks] == '{' || blanks == t->bytes ? RECORDS :
							      UNKNOWN;
}

static int find_format(int *out, const struct text *t)
{
	const char *from = t->source->from;
	int i = 0;

	*out = recognise(t);
	if (!from)
		return *out == UNKNOWN ? unknown(t) : 0;
	while (import_formats[i] && !text_equal(import_formats[i], from))
		i++;
	*out = i;
	if (import_formats[i])
		return 0;
	error_set(t->err, -ASSAY_EINVAL, "unknown format '%.60s'", from);
	error_meant(t->err, from, import_formats);
	error_add(t->err, "known: uart, records, csv, " FOREIGNS(FOREIGN_FROM,
								", ", ", "));
	return -ASSAY_EINVAL;
}

static int read_text(struct imported *out, const struct text *t)
{
	int format, rc = find_format(&format, t);

	if (rc)
		return rc;
	*out = (struct imported){ .format = import_formats[format] };
	if (format == CSV)
		return read_table(out, t);
	if (format < FOREIGN && t->bytes)
		rc = read_stream(out, t, format == UART);
	if (format == RECORDS && !rc && t->source->places) {
		rc = places_read(t->source->places, t->text, t->name, t->err);
		if (rc)
			store_fini(&out->store);
	}
	if (format < FOREIGN)
		return rc;
	return read_foreign(out, t, (enum foreign_format)(format - FOREIGN));
}

/* A byte-order mark in front is no part of the text. */
static void drop_mark(struct text *t)
{
	if (t->bytes < 3 || memcmp(t->text, "\xef\xbb\xbf", 3))
		return;
	t->bytes -= 3;
	memmove(t->text, t->text + 3, t->bytes + 1);
}

int import_read(struct imported *out, const struct import_source *source,
		struct assay_error *err)
{
	struct text t = { .source = source, .err = err,
			  .name = strcmp(source->path, "-") ? source->path :
							      "stdin" };
	int rc = input_load(&t.text, &t.bytes, source->path, IMPORT_BYTES, err);

	if (rc == -ASSAY_ENOENT) {	/* the name of built-in records? */
		*out = (struct imported){ .format = import_formats[RECORDS] };
		return store_read(&out->store, source->path, source->data_dir,
				  err);
	}
	if (!rc) {
		drop_mark(&t);
		rc = read_text(out, &t);
	}
	free(t.text);
	return rc;
}
