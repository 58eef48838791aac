/* SPDX-License-Identifier: MIT */
/* Text from outside in HTML and SVG. */
#ifndef BASE_MARKUP_H
#define BASE_MARKUP_H

#include <stdio.h>

/*
 * Writes a text that is valid in the content and in the quoted attributes of
 * HTML and XML. What a reader would act on (utf8_acts(), but for tabs and line
 * ends) and what is no UTF-8 becomes U+FFFD.
 */
void markup_put(FILE *out, const char *text);
/* Formats as printf does, up to 2,000 bytes, and writes that by markup_put. */
void markup_print(FILE *out, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
