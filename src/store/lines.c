/* SPDX-License-Identifier: MIT */
/* Reads a file line by line. */
#include "store/lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "store/record-line.h"

/* A line; grows up to SCHEMA_LINE_BYTES. */
struct buffer {
	char *text;
	size_t bytes, room;
};

static int grow(struct buffer *b)
{
	size_t room = b->room ? 2 * b->room : 4096;
	char *text = realloc(b->text, room);

	if (!text)
		return -ASSAY_ENOMEM;
	b->text = text;
	b->room = room;
	return 0;
}

/*
 * The next line without its newline. Returns 1, 0 at the end of the file,
 * -ASSAY_ERANGE if it is too long, or -ASSAY_ENOMEM.
 */
static int next_line(FILE *in, struct buffer *b)
{
	int c;

	b->bytes = 0;
	do {
		c = getc(in);
		if (b->bytes + 2 > b->room && grow(b) < 0)
			return -ASSAY_ENOMEM;
		if (c == EOF || c == '\n')
			break;
		b->text[b->bytes++] = (char)c;
	} while (b->bytes <= SCHEMA_LINE_BYTES);
	b->text[b->bytes] = '\0';
	if (b->bytes > SCHEMA_LINE_BYTES)
		return -ASSAY_ERANGE;
	return b->bytes || c == '\n';
}

static bool blank(const struct line *line)
{
	return strspn(line->text, " \t\r") == line->bytes;
}

int lines_each(FILE *in, const char *name, lines_fn *fn, void *ctx,
	       struct assay_error *err)
{
	struct buffer b = { 0 };
	struct line line = { .file = name, .err = err };
	int rc, more;

	do {
		errno = 0;
		more = next_line(in, &b);
		line.number++;
		line.text = b.text;
		line.bytes = b.bytes;
		rc = more > 0 && !blank(&line) ? fn(ctx, &line) : 0;
	} while (more > 0 && rc == 0);
	if (more == -ASSAY_ENOMEM)
		rc = error_set(err, more, "no memory for a line of '%.200s'",
			       name);
	else if (more == -ASSAY_ERANGE)
		rc = line_error(&line, 0,
				 "this line is longer than %u bytes",
				 SCHEMA_LINE_BYTES);
	else if (rc == 0 && ferror(in))
		rc = error_read(err, name);
	free(b.text);
	return rc;
}
