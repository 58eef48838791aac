/* SPDX-License-Identifier: MIT */
/* CSV after RFC 4180; the separator is a comma, a semicolon or a tab. */
#include "tables/source.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"
#include "tables/table.h"

static int no_memory(struct assay_error *err)
{
	return error_set(err, -ASSAY_ENOMEM, "out of memory");
}

/* ---- the text ------------------------------------------------------------ */

int csv_open(struct csv *csv, const char *name, const char *text, size_t bytes,
	     struct assay_error *err)
{
	*csv = (struct csv){ .file = name, .bytes = bytes, .line = 1,
			     .col = 1 };
	csv->text = malloc(bytes + 1);
	csv->cell = calloc(TABLE_COLUMNS, sizeof(*csv->cell));
	if (!csv->text || !csv->cell) {
		csv_close(csv);
		return no_memory(err);
	}
	memcpy(csv->text, text, bytes);
	csv->text[bytes] = '\0';
	if (!strncmp(csv->text, "\xef\xbb\xbf", 3))
		csv->at = 3;
	return 0;
}

void csv_close(struct csv *csv)
{
	free(csv->text);
	free(csv->cell);
	free(csv->words);
	csv->text = csv->words = NULL;
	csv->cell = NULL;
}

int csv_mistake(const struct csv *csv, const struct cell *cell,
		struct assay_error *err, const char *format, ...)
{
	char text[600];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return error_at(err, csv->file, csv->text, cell->line, cell->col, "%s",
			text);
}

/* ---- cells --------------------------------------------------------------- */

static int mistake_here(const struct csv *csv, struct assay_error *err,
			const char *what)
{
	const struct cell here = { NULL, csv->line, csv->col };

	return csv_mistake(csv, &here, err, "%s", what);
}

static void put(struct csv *csv, char c)
{
	csv->words[csv->used++] = c;
}

static bool at_end(const struct csv *csv)
{
	const char *p = csv->text + csv->at;

	return csv->at >= csv->bytes || *p == '\n' ||
	       (*p == '\r' && p[1] == '\n');
}

/* Checks and copies one character of a cell. */
static int take(struct csv *csv, struct assay_error *err)
{
	const unsigned char *p = (const unsigned char *)csv->text + csv->at;
	unsigned n;

	if (*p >= 0x20 && *p < 0x7f) {	/* nearly all characters */
		put(csv, csv->text[csv->at++]);
		csv->col++;
		return 0;
	}
	n = utf8_bytes(p);
	if (csv->at >= csv->bytes || at_end(csv))
		return mistake_here(csv, err,
				    "a quote is not closed in its line");
	if (*p < 0x20 || *p == 0x7f ||
	    (*p == 0xc2 && p[1] < 0xa0))
		return mistake_here(csv, err, "a control character");
	if (!n)
		return mistake_here(csv, err, "this is not UTF-8");
	for (unsigned i = 0; i < n; i++)
		put(csv, csv->text[csv->at++]);
	csv->col++;
	return 0;
}

static int quoted(struct csv *csv, struct assay_error *err)
{
	csv->at++;
	csv->col++;
	for (;;) {
		const char *p = csv->text + csv->at;
		int rc;

		if (*p == '"' && p[1] != '"')
			break;
		if (*p == '"') {
			csv->at++;
			csv->col++;
		}
		rc = take(csv, err);
		if (rc)
			return rc;
	}
	csv->at++;
	csv->col++;
	if (!at_end(csv) && csv->text[csv->at] != csv->separator)
		return mistake_here(csv, err, "text behind a closing quote");
	return 0;
}

/* Makes room for the cells of a row, each with its final NUL: no more bytes
 * than the row has, and TABLE_COLUMNS. */
static int make_room(struct csv *csv, struct assay_error *err)
{
	const char *line = csv->text + csv->at;
	const char *end = memchr(line, '\n', csv->bytes - csv->at);
	const size_t bytes = end ? (size_t)(end - line) :
				   csv->bytes - csv->at;
	char *grown;

	csv->used = 0;
	if (bytes + TABLE_COLUMNS + 2 <= csv->room)
		return 0;
	grown = realloc(csv->words, 2 * bytes + TABLE_COLUMNS + 2);
	if (!grown)
		return no_memory(err);
	csv->words = grown;
	csv->room = 2 * bytes + TABLE_COLUMNS + 2;
	return 0;
}

static int one_cell(struct csv *csv, struct assay_error *err)
{
	const size_t from = csv->used;
	struct cell *cell = &csv->cell[csv->cells];
	int rc = 0;

	if (csv->cells >= TABLE_COLUMNS)
		return mistake_here(csv, err, "more than 256 columns");
	csv->cells++;
	*cell = (struct cell){ csv->words + from, csv->line, csv->col };
	if (csv->text[csv->at] == '"')
		rc = quoted(csv, err);
	else
		while (!rc && !at_end(csv) &&
		       csv->text[csv->at] != csv->separator)
			rc = take(csv, err);
	put(csv, '\0');
	if (!rc && csv->used - from > TABLE_CELL)
		rc = csv_mistake(csv, cell, err, "the cell is too long");
	return rc;
}

static void end_line(struct csv *csv)
{
	if (csv->at >= csv->bytes)
		return;
	csv->at += csv->text[csv->at] == '\r' ? 2 : 1;
	csv->line++;
	csv->col = 1;
}

int csv_row(struct csv *csv, struct assay_error *err)
{
	int rc;

	while (csv->at < csv->bytes && at_end(csv))
		end_line(csv);
	csv->cells = 0;
	if (csv->at >= csv->bytes)
		return 0;
	if (!csv->separator) {
		const char *first = strpbrk(csv->text + csv->at, ",;\t\n");

		csv->separator = first && *first != '\n' ? *first : ',';
	}
	rc = make_room(csv, err);
	while (!rc && !(rc = one_cell(csv, err))) {
		if (at_end(csv)) {
			end_line(csv);
			return 1;
		}
		csv->at++;
		csv->col++;
	}
	return rc;
}
