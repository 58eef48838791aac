/* SPDX-License-Identifier: MIT */
/*
 * Finding the image's lines (frames) in a UART log. See uart.h.
 *
 * 1. A frame begins with {"t":" and ends with ,"crc32":"XXXXXXXX"}. Quotes in
 *    strings are escaped, so an undamaged frame has its beginning only once:
 *    the last beginning before a checksum is the frame's.
 * 2. The checksum (CRC-32, reflected 0xedb88320) covers all bytes from the
 *    beginning to the comma before "crc32".
 * 3. Each byte is read a constant number of times, whatever the log holds.
 */
#define _GNU_SOURCE	/* memmem */
#include "store/uart.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/record.h"
#include "base/loading/library.h"
#include "base/text.h"
#include "store/record-line.h"

#define LINE_BYTES (1u << 20)
#define EXCERPT 160

static const char head[] = "{\"t\":\"", tail[] = ",\"crc32\":\"";
enum { HEAD = sizeof(head) - 1, TAIL = sizeof(tail) - 1,
       TAIL_ALL = TAIL + 10 };	/* eight digits, quote, brace */

struct scan {
	struct uart_log *log;
	const char *path;
	uart_fn *fn;
	void *ctx;
	unsigned line;
};

static uint32_t crc32_of(const char *text, size_t bytes)
{
	uint32_t crc = 0xffffffff;

	for (size_t i = 0; i < bytes; i++) {
		crc ^= (unsigned char)text[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
	}
	return ~crc;
}

static void mark(struct scan *s, enum uart_kind kind, const char *why,
		 const char *text, size_t bytes)
{
	char excerpt[EXCERPT + 1];
	size_t n = bytes < EXCERPT ? bytes : EXCERPT;

	s->log->damaged += kind == UART_DAMAGED;
	s->log->noise += kind == UART_NOISE;
	s->log->faults += kind == UART_FAULT;
	s->log->errors += kind == UART_ERROR;
	if (!s->fn)
		return;
	for (size_t i = 0; i < n; i++)
		excerpt[i] = text[i] >= ' ' && text[i] < 0x7f ? text[i] : '?';
	excerpt[n] = '\0';
	s->fn(s->ctx, &(struct uart_mark){ kind, s->line, why, excerpt });
}

/* ---- undamaged frames --------------------------------------------------- */

static int read_record(struct scan *s, const char *text, size_t bytes)
{
	struct assay_error why = { 0 };
	struct assay_record *record = NULL;
	const struct line line = {
		.file = s->path, .number = s->line, .text = text,
		.bytes = bytes, .err = &why,
	};
	int rc = parse_line(&record, &line);

	if (rc == -ASSAY_ENOMEM)
		return rc;
	if (rc == 0 && !record)
		return 0;
	if (rc < 0 || s->log->store.records == SCHEMA_RECORDS) {
		why.text[strcspn(why.text, "\n")] = '\0';
		mark(s, UART_DAMAGED, rc < 0 ? why.text : "too many records",
		     text, bytes);
		record_free(record);
		return 0;
	}
	rc = store_add(&s->log->store, record);
	if (rc < 0)
		record_free(record);
	return rc;
}

static unsigned member(const json_t *of, const char *key)
{
	json_int_t value = json_integer_value(json_object_get(of, key));

	return value < 0 || value > 0x7fffffff ? 0 : (unsigned)value;
}

static void read_other(struct scan *s, const json_t *json, const char *type,
		       const char *text, size_t bytes)
{
	const char *said = json_string_value(json_object_get(json, "text"));

	if (strcmp(type, "end") == 0) {
		s->log->ended = true;
		s->log->status = member(json, "status");
		s->log->promised = member(json, "records");
	} else if (strcmp(type, "fault") == 0) {
		mark(s, UART_FAULT, "the image took an exception", text, bytes);
	} else if (strcmp(type, "error") == 0) {
		mark(s, UART_ERROR, said ? said : "", text, bytes);
	}
}

static int read_frame(struct scan *s, const char *text, size_t bytes)
{
	json_error_t e = { .line = 1 };
	json_t *json = json_loadb(text, bytes, JSON_REJECT_DUPLICATES, &e);
	const char *type = json_string_value(json_object_get(json, "t"));
	char why[sizeof(e.text) + 48];
	int rc = 0;

	snprintf(why, sizeof(why), "its checksum fits, but it is no JSON%s%s",
		 json ? "" : ": ", json ? "" : e.text);
	if (!type)
		mark(s, UART_DAMAGED, why, text, bytes);
	else if (strcmp(type, "record") == 0)
		rc = read_record(s, text, bytes);
	else
		read_other(s, json, type, text, bytes);
	json_decref(json);
	return rc;
}

/* ---- lines -------------------------------------------------------------- */

static const char *find(const char *from, const char *to, const char *what,
			size_t bytes)
{
	return from < to ? memmem(from, (size_t)(to - from), what, bytes)
			 : NULL;
}

static const char *find_last_head(const char *from, const char *to)
{
	const char *last = NULL, *at = from;

	while ((at = find(at, to, head, HEAD)) != NULL)
		last = at++;
	return last;
}

static bool checksum_fits(const char *begin, const char *comma, const char *to)
{
	char digits[9], wanted[9];

	if (to - comma < TAIL_ALL || memcmp(comma + TAIL + 8, "\"}", 2) != 0)
		return false;
	memcpy(digits, comma + TAIL, 8);
	digits[8] = '\0';
	snprintf(wanted, sizeof(wanted), "%08x",
		 crc32_of(begin, (size_t)(comma - begin)));
	return strcmp(digits, wanted) == 0;
}

static bool only_blanks(const char *from, const char *to)
{
	for (; from < to; from++)
		if (!strchr(" \t\r", *from) || !*from)
			return false;
	return true;
}

/* Reports bytes that are not part of an undamaged frame. */
static void report_rest(struct scan *s, const char *from, const char *to)
{
	const char *begin = find(from, to, head, HEAD);

	if (only_blanks(from, to))
		return;
	if (begin)
		mark(s, UART_DAMAGED, "it was cut: there is no checksum",
		     begin, (size_t)(to - begin));
	else
		mark(s, UART_NOISE, "not from the image", from,
		     (size_t)(to - from));
}

static int scan_line(struct scan *s, const char *from, const char *to)
{
	const char *comma, *begin, *next;
	int rc = 0;

	while (!rc && (comma = find(from, to, tail, TAIL)) != NULL) {
		begin = find_last_head(from, comma);
		next = to - comma < TAIL_ALL ? to : comma + TAIL_ALL;
		if (begin && checksum_fits(begin, comma, to)) {
			report_rest(s, from, begin);
			rc = read_frame(s, begin, (size_t)(next - begin));
		} else {
			mark(s, UART_DAMAGED, begin ?
			     "its checksum does not fit" :
			     "its beginning is missing", from,
			     (size_t)(to - from));
		}
		from = next;
	}
	report_rest(s, from, to);
	return rc;
}

/* ---- files -------------------------------------------------------------- */

/* Reads the next line and keeps its first LINE_BYTES. False at the end. */
static bool next_line(FILE *in, char *out, size_t *bytes)
{
	int c = getc(in);

	for (*bytes = 0; c != EOF && c != '\n'; c = getc(in))
		if (*bytes < LINE_BYTES)
			out[(*bytes)++] = (char)c;
	return c != EOF || *bytes;
}

static int read_lines(struct scan *s, FILE *in, struct assay_error *err)
{
	char *line = malloc(LINE_BYTES);
	size_t bytes;
	int rc = line ? 0 : -ASSAY_ENOMEM;

	while (rc == 0 && next_line(in, line, &bytes)) {
		s->line++;
		rc = scan_line(s, line, line + bytes);
	}
	free(line);
	s->log->lines = s->line;
	if (rc < 0)
		return error_set(err, rc, "no memory for '%.200s'", s->path);
	return ferror(in) ? error_read(err, s->path) : 0;
}

int uart_read_stream(struct uart_log *out, FILE *in, const char *name,
		     uart_fn *fn, void *ctx, struct assay_error *err)
{
	struct scan s = { out, name, fn, ctx, 0 };
	int rc;

	*out = (struct uart_log){ .lines = 0 };
	rc = library_need(LIBRARY_JANSSON, err);
	rc = rc ? rc : read_lines(&s, in, err);
	if (rc < 0)
		uart_fini(out);
	return rc;
}

int uart_read(struct uart_log *out, const char *path, uart_fn *fn, void *ctx,
	      struct assay_error *err)
{
	bool standard = strcmp(path, "-") == 0;
	FILE *in = standard ? stdin : fopen(path, "r");
	int rc;

	if (!in)
		return error_read(err, path);
	rc = uart_read_stream(out, in, path, fn, ctx, err);
	if (!standard)
		fclose(in);
	return rc;
}

void uart_fini(struct uart_log *log)
{
	store_fini(&log->store);
}

bool uart_is_text(const char *text, size_t bytes)
{
	return find(text, text + bytes, tail, TAIL) != NULL;
}

bool uart_progress(const char *text, size_t bytes, unsigned *number,
		   unsigned *of)
{
	const char *begin = find(text, text + bytes, head, HEAD);
	const char *comma = find(text, text + bytes, tail, TAIL);
	json_t *json = NULL;

	if (begin && comma && checksum_fits(begin, comma, text + bytes))
		json = json_loadb(begin, (size_t)(comma + TAIL_ALL - begin), 0,
				  NULL);
	*number = member(json, "number");
	*of = member(json, "of");
	json_decref(json);
	return *number && *of;
}
