/* SPDX-License-Identifier: MIT */
/* Filling a struct assay_error: one sentence, or a compiler-like place. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"

const char *assay_code_text(int code)
{
	switch (code) {
	case 0:
		return "no error";
#define X(name, number, text) case -(number): return text;
#include "assay/errors.def"
#undef X
	}
	return "unknown error code";
}

void text_harmless(char *text, bool lines)
{
	unsigned char *p = (unsigned char *)text;

	while (*p) {
		unsigned n = utf8_bytes(p);
		const bool blank = *p == '\n' || *p == '\t';

		if (blank && !lines)
			*p = ' ';
		if (!n || (!blank && utf8_acts(p, n))) {
			*p = '?';
			n = 1;
		}
		p += n;
	}
}

int error_set(struct assay_error *err, int code, const char *format, ...)
{
	va_list args;

	if (!err)
		return code;
	err->code = code;
	err->sys_errno = 0;
	va_start(args, format);
	vsnprintf(err->text, sizeof(err->text), format, args);
	va_end(args);
	text_harmless(err->text, true);
	return code;
}

int error_memory(struct assay_error *err)
{
	return error_set(err, -ASSAY_ENOMEM, "out of memory");
}

static void append(struct assay_error *err, const char *format, va_list args)
{
	size_t used = strlen(err->text);

	vsnprintf(err->text + used, sizeof(err->text) - used, format, args);
	text_harmless(err->text + used, true);
}

void error_add(struct assay_error *err, const char *format, ...)
{
	va_list args;

	if (!err)
		return;
	if (err->text[0])
		error_append(err, "\n");
	va_start(args, format);
	append(err, format, args);
	va_end(args);
}

void error_append(struct assay_error *err, const char *format, ...)
{
	va_list args;

	if (!err)
		return;
	va_start(args, format);
	append(err, format, args);
	va_end(args);
}

/* The start of line `line` (from 1), or NULL. */
static const char *find_line(const char *text, unsigned line)
{
	while (text && --line) {
		text = strchr(text, '\n');
		if (text)
			text++;
	}
	return text;
}

/*
 * The source line and a caret below it. Long lines show the part around the
 * column; tabs are copied so that the caret stays in place.
 */
static void add_caret(struct assay_error *err, const char *line, unsigned col)
{
	enum { SHOWN = 120, BEFORE = 60 };
	char source[SHOWN + 1], caret[SHOWN + 1];
	size_t length = strcspn(line, "\r\n");
	size_t at = col ? col - 1 : 0, from, n, i;

	if (at > length)
		at = length;
	from = at > BEFORE ? at - BEFORE : 0;
	n = length - from < SHOWN ? length - from : SHOWN;
	memcpy(source, line + from, n);
	source[n] = '\0';
	for (i = 0; i < at - from && i < SHOWN - 1; i++)
		caret[i] = line[from + i] == '\t' ? '\t' : ' ';
	caret[i] = '^';
	caret[i + 1] = '\0';
	error_add(err, "%s", source);
	error_add(err, "%s", caret);
}

int error_at(struct assay_error *err, const char *file, const char *text,
	     unsigned line, unsigned col, const char *format, ...)
{
	const char *source;
	va_list args;

	if (!err)
		return -ASSAY_EPARSE;
	error_set(err, -ASSAY_EPARSE, "%.300s:%u:%u: error: ", file, line, col);
	va_start(args, format);
	append(err, format, args);
	va_end(args);
	source = line ? find_line(text, line) : NULL;
	if (source)
		add_caret(err, source, col);
	return -ASSAY_EPARSE;
}
