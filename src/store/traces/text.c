/* SPDX-License-Identifier: MIT */
/* Lines of text traces. See text.h. */
#include "store/traces/text.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>

#include "base/text.h"

enum { LARGEST = 4096 };

int trace_line_error(const struct trace_line *line, const char *format, ...)
{
	struct trace_input *in = &line->stream->in;
	const unsigned col = (unsigned)(line->at - line->text) + 1;
	struct assay_error shown;
	char why[400];
	va_list args;

	va_start(args, format);
	vsnprintf(why, sizeof(why), format, args);
	va_end(args);
	error_at(in->err, in->name, NULL, line->number, col, "%s", why);
	/* error_at() counts lines in the text, so the caret is made apart */
	error_at(&shown, "", line->text, 1, col, "-");
	error_add(in->err, "%s", strchr(shown.text, '\n') + 1);
	return -ASSAY_EPARSE;
}

/* Bytes before the newline; if that is not in data yet, all bytes in data. */
static size_t line_bytes(const struct trace_input *in, bool *complete)
{
	size_t left = trace_input_left(in);
	const unsigned char *end;

	if (left > TRACE_LINE + 1)
		left = TRACE_LINE + 1;
	end = memchr(trace_input_data(in), '\n', left);
	*complete = end;
	return end ? (size_t)(end - trace_input_data(in)) : left;
}

static int read_line(struct trace_line *line, size_t bytes, bool newline)
{
	struct trace_input *in = &line->stream->in;
	size_t kept = bytes > TRACE_LINE ? TRACE_LINE : bytes;

	memcpy(line->text, trace_input_data(in), kept);
	line->text[kept] = '\0';
	line->number++;
	line->at = line->text + strlen(line->text);
	if (line->at != line->text + kept)
		return trace_line_error(line, "a zero byte: this is no text");
	if (bytes > TRACE_LINE)
		return trace_line_error(line, "the line has more than %u "
					"bytes", TRACE_LINE);
	if (kept && line->text[kept - 1] == '\r')
		line->text[kept - 1] = '\0';
	line->at = line->text;
	trace_input_skip(in, bytes + newline);
	return 1;
}

int trace_line_next(struct trace_line *line)
{
	struct trace_input *in = &line->stream->in;
	bool complete = false;
	size_t bytes;
	int rc;

	bytes = line_bytes(in, &complete);
	if (!complete) {
		rc = trace_input_need(in, TRACE_LINE + 1);
		if (rc < 0)
			return rc;
		bytes = line_bytes(in, &complete);
	}
	return bytes || complete ? read_line(line, bytes, complete) : 0;
}

bool trace_line_blanks(struct trace_line *line)
{
	const char *from = line->at;

	line->at += strspn(line->at, " \t");
	return line->at != from;
}

static int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (char)tolower((unsigned char)c);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

int trace_line_address(struct trace_line *line, uint64_t *out)
{
	const char *p = line->at;
	uint64_t value = 0;

	if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X') && digit(p[2]) >= 0)
		p += 2;
	if (digit(*p) < 0)
		return trace_line_error(line, "an address in hexadecimal must "
					"stand here");
	for (; digit(*p) >= 0; p++) {
		if (value >> 60)
			return trace_line_error(line, "the address has more "
						"than 64 bits");
		value = value << 4 | (unsigned)digit(*p);
	}
	if (!trace_address(value, out))
		return trace_line_error(line, "the address needs more than "
					"%d bits", ACCESS_OPERAND_BITS);
	line->at = p;
	return 0;
}

int trace_line_size(struct trace_line *line, uint64_t *out)
{
	const char *p = line->at;
	uint64_t value = 0;

	if (*p != ',')
		return trace_line_error(line, "a comma and a size must stand "
					"here");
	line->at = ++p;
	for (; *p >= '0' && *p <= '9' && value <= LARGEST; p++)
		value = value * 10 + (unsigned)(*p - '0');
	if (!value || value > LARGEST)
		return trace_line_error(line, "a size from 1 to %d must stand "
					"here", LARGEST);
	line->at = p;
	*out = value;
	return 0;
}
