/* SPDX-License-Identifier: MIT */
/* A sentence that grows part by part. */
#include "cli/answers/phrase.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>

void phrase_add(struct phrase *phrase, const char *format, ...)
{
	const size_t room = sizeof(phrase->text) - phrase->used;
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(phrase->text + phrase->used, room, format, args);
	va_end(args);
	if (n > 0)
		phrase->used += (size_t)n < room ? (size_t)n : room - 1;
}

const char *phrase_between(size_t i, size_t all)
{
	return !i ? "" : i + 1 < all ? ", " : " and ";
}

const char *phrase_text(struct phrase *phrase)
{
	phrase->text[0] = (char)toupper((unsigned char)phrase->text[0]);
	return phrase->text;
}
