/* SPDX-License-Identifier: MIT */
/* Text for people that goes straight to a file. See report.h. */
#define _GNU_SOURCE	/* vasprintf */
#include <stdarg.h>
#include <stdlib.h>

#include "base/text.h"
#include "report/report.h"

void report_say(FILE *out, const char *format, ...)
{
	char *text;
	va_list args;
	int n;

	va_start(args, format);
	n = vasprintf(&text, format, args);
	va_end(args);
	if (n < 0) {
		fputs("assay: out of memory\n", out);
		return;
	}
	text_harmless(text, true);
	fputs(text, out);
	free(text);
}
