/* SPDX-License-Identifier: MIT */
/* Escapes text for HTML and SVG. See markup.h. */
#include "base/output/markup.h"

#include <stdarg.h>
#include <string.h>

#include "base/utf8.h"

static const char *entity(char c)
{
	switch (c) {
	case '<': return "&lt;";
	case '>': return "&gt;";
	case '&': return "&amp;";
	case '"': return "&quot;";
	case '\'': return "&#39;";
	}
	return NULL;
}

void markup_put(FILE *out, const char *text)
{
	const unsigned char *p = (const unsigned char *)text;

	while (*p) {
		const unsigned n = utf8_bytes(p);
		const char *name = entity((char)*p);

		if (name)
			fputs(name, out);
		else if (!n || (utf8_acts(p, n) && *p != '\t' && *p != '\n'))
			fputs("\xef\xbf\xbd", out);
		else
			fwrite(p, 1, n, out);
		p += n ? n : 1;
	}
}

void markup_print(FILE *out, const char *format, ...)
{
	char text[2000];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	markup_put(out, text);
}
