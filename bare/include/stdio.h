/* SPDX-License-Identifier: MIT */
/* The part of <stdio.h> that the image's sources use; see format.c. */
#ifndef BARE_STDIO_H
#define BARE_STDIO_H

#include <stdarg.h>
#include <stddef.h>

/*
 * %s %d %u %x %g with l, ll, a precision for %s, and a width that pads with
 * blanks or zeros. %g shows up to six decimals.
 */
int snprintf(char *out, size_t room, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
int vsnprintf(char *out, size_t room, const char *format, va_list args)
	__attribute__((format(printf, 3, 0)));

#endif
