/* SPDX-License-Identifier: MIT */
/* Line breaking; see wrap.h. */
#include "report/wrap.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static const char *next_char(const char *p)
{
	do
		p++;
	while (((unsigned char)*p & 0xc0) == 0x80);
	return p;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* A blank at which a line may end: no blank of "8 192". */
static bool is_gap(const char *start, const char *p)
{
	return *p == ' ' &&
	       !(p > start && is_digit(p[-1]) && is_digit(p[1]) &&
		 is_digit(p[2]) && is_digit(p[3]) && !is_digit(p[4]));
}

bool wrap_next(const char **rest, unsigned width, const char *breaks,
	       struct wrap_line *line)
{
	const char *start = *rest + strspn(*rest, " "), *p, *cut = NULL;
	unsigned n = 0;

	if (!*start)
		return false;
	for (p = start; *p && (n < width || n == 0); n++) {
		const char *next = next_char(p);

		if (is_gap(start, p) || (*p != ' ' && strchr(breaks, *p) &&
					 *next))
			cut = *p == ' ' ? p : next;
		p = next;
	}
	if (!*p || is_gap(start, p) || !cut)
		cut = p;
	*rest = cut;
	while (cut > start && cut[-1] == ' ')
		cut--;
	line->start = start;
	line->bytes = (size_t)(cut - start);
	line->width = 0;
	for (p = start; p < cut; p = next_char(p))
		line->width++;
	return true;
}

unsigned wrap_count(const char *text, unsigned width, const char *breaks)
{
	struct wrap_line line;
	unsigned n = 0;

	while (wrap_next(&text, width, breaks, &line))
		n++;
	return n;
}

bool wrap_nth(const char *text, unsigned width, const char *breaks,
	      unsigned n, struct wrap_line *line)
{
	while (wrap_next(&text, width, breaks, line))
		if (!n--)
			return true;
	*line = (struct wrap_line){ "", 0, 0 };
	return false;
}

unsigned wrap_widest_part(const char *text, const char *breaks)
{
	unsigned widest = 0, n = 0;

	for (const char *p = text; *p; p = next_char(p)) {
		n += *p != ' ';
		if (n > widest)
			widest = n;
		if (strchr(breaks, *p))
			n = 0;
	}
	return widest;
}

void wrap_print(FILE *out, const char *text, unsigned at, unsigned indent,
		unsigned columns)
{
	unsigned room = columns ? columns : ~0u;
	char *copy = strdup(text);
	struct wrap_line line;
	const char *rest = copy;

	if (!copy)
		return;
	text_harmless(copy, true);
	if (room < indent + 20)
		room = indent + 20;
	for (unsigned n = 0;
	     wrap_next(&rest, room - (n ? indent : at), " ", &line); n++)
		fprintf(out, "%s%*s%.*s", n ? "\n" : "", n ? (int)indent : 0,
			"", (int)line.bytes, line.start);
	fputc('\n', out);
	free(copy);
}
