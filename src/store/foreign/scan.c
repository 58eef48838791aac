/* SPDX-License-Identifier: MIT */
/* Lines, fields and numbers of foreign texts. */
#include "store/foreign/scan.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"

/* ---- lines --------------------------------------------------------------- */

int scan_line(struct scan *s)
{
	const char *from = s->text + s->at, *end;
	size_t n;

	if (s->at >= s->bytes)
		return 0;
	end = memchr(from, '\n', s->bytes - s->at);
	n = end ? (size_t)(end - from) : s->bytes - s->at;
	if (n + 1 > s->room) {
		free(s->line);
		s->room = 2 * n + 128;
		s->line = malloc(s->room);
		if (!s->line)
			return error_set(s->err, -ASSAY_ENOMEM, "no memory for "
					 "a line of '%.200s'", s->file);
	}
	s->from = s->at;
	s->at += n + 1;
	s->number++;
	n -= n && from[n - 1] == '\r';
	memcpy(s->line, from, n);
	s->line[n] = '\0';
	s->field[0] = s->line;
	s->fields = 1;
	return 1;
}

void scan_close(struct scan *s)
{
	free(s->line);
	s->line = NULL;
}

bool scan_is_text(const char *line)
{
	const unsigned char *p = (const unsigned char *)line;
	unsigned n;

	for (; *p; p += n) {
		n = utf8_bytes(p);
		if (!n || (*p < ' ' && *p != '\t') || *p == 0x7f ||
		    (*p == 0xc2 && p[1] < 0xa0))
			return false;
	}
	return true;
}

void scan_split(struct scan *s, const char *separator)
{
	const size_t n = strlen(separator);
	char *next = s->line;

	for (s->fields = 0; s->fields < SCAN_FIELDS && next;) {
		s->field[s->fields++] = next;
		next = strstr(next, separator);
		if (next && s->fields < SCAN_FIELDS) {
			*next = '\0';
			next += n;
		}
	}
}

void scan_split_quoted(struct scan *s, char separator)
{
	char *from = s->line, *to = s->line;

	for (s->fields = 0; s->fields < SCAN_FIELDS && from;) {
		bool quoted = *from == '"';
		char *next = NULL;

		s->field[s->fields++] = to;
		for (from += quoted; *from; from++) {
			if (quoted && *from == '"' && *++from != '"')
				quoted = false;
			if (!*from || (!quoted && *from == separator))
				break;
			*to++ = *from;
		}
		if (*from)
			next = from + 1;
		*to++ = '\0';
		from = next;
	}
}

void scan_words(struct scan *s)
{
	char *next = s->line;

	for (s->fields = 0; s->fields < SCAN_FIELDS;) {
		next += strspn(next, " \t");
		if (!*next)
			return;
		s->field[s->fields++] = next;
		next += strcspn(next, " \t");
		if (*next)
			*next++ = '\0';
	}
}

int scan_error(const struct scan *s, const char *at, const char *format, ...)
{
	char text[600];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return error_at(s->err, s->file, s->text, s->number,
			(unsigned)(at - s->line) + 1, "%s", text);
}

/* ---- numbers ------------------------------------------------------------- */

/* The digits of a number without the mark; `places`: digits behind the mark. */
struct digits {
	char text[64];
	int n, places, exponent;
	bool negative;
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static const char *take_digits(struct digits *d, const char *p)
{
	for (; is_digit(*p) && d->n < (int)sizeof(d->text); p++)
		if (d->n || *p != '0')
			d->text[d->n++] = *p;
	return p;
}

static const char *take_exponent(struct digits *d, const char *p)
{
	const bool minus = *p == '-';

	if (*p == '-' || *p == '+')
		p++;
	if (!is_digit(*p))
		return "?";
	for (; is_digit(*p) && d->exponent < 1000; p++)
		d->exponent = 10 * d->exponent + (*p - '0');
	d->exponent = minus ? -d->exponent : d->exponent;
	return p;
}

static bool read_digits(struct digits *d, const char *text)
{
	const char *from, *p = text;

	*d = (struct digits){ .negative = *p == '-' };
	p += *p == '-' || *p == '+';
	from = p;
	p = take_digits(d, p);
	if (p > from && (*p == '.' || *p == ',')) {
		const char *mark = p;

		p = take_digits(d, p + 1);
		d->places = (int)(p - mark) - 1;
	}
	if (p > from && (*p == 'e' || *p == 'E'))
		p = take_exponent(d, p + 1);
	return p > from && !*p;
}

enum scan_number scan_number(const char *text, int shift, uint64_t *out)
{
	enum scan_number kind = SCAN_EXACT;
	struct digits d;
	uint64_t value = 0;
	int kept;

	if (!read_digits(&d, text))
		return SCAN_NOTHING;
	kept = d.n - d.places + d.exponent + shift;	/* of the result */
	for (int i = 0; i < kept; i++) {
		const unsigned digit = i < d.n ? (unsigned)d.text[i] - '0' : 0;

		if (__builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, digit, &value))
			return d.negative ? SCAN_BELOW : SCAN_BEYOND;
	}
	for (int i = kept < 0 ? 0 : kept; i < d.n; i++)
		if (d.text[i] != '0')
			kind = SCAN_ROUNDED;
	if (kept >= 0 && kept < d.n && d.text[kept] >= '5' &&
	    __builtin_add_overflow(value, 1, &value))
		return SCAN_BEYOND;
	if (kept > d.n)		/* the digits end before the last place */
		kind = SCAN_ROUNDED;
	*out = value;
	return d.negative && d.n ? SCAN_BELOW : kind;
}
