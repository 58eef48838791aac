/* SPDX-License-Identifier: MIT */
/*
 * The scanner of all foreign texts: lines, their fields, and numbers. A line is
 * copied before it is split, so that errors can show the line.
 */
#ifndef STORE_FOREIGN_SCAN_H
#define STORE_FOREIGN_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "assay/error.h"

#define SCAN_FIELDS 4096	/* further fields stay in the last one */

struct scan {
	const char *file;	/* the file's name in messages */
	const char *text;	/* NUL-terminated */
	size_t bytes, from, at;	/* where the line and the next one begin */
	unsigned number;	/* of the line, from 1 */
	char *line;		/* the line, without its end */
	size_t room;
	char *field[SCAN_FIELDS];
	unsigned fields;
	struct assay_error *err;
};

/* The next line, as one field. Returns 1; 0 at the end; or -ASSAY_ENOMEM. */
int scan_line(struct scan *scan);
void scan_close(struct scan *scan);

/* No control character but a tab, and valid UTF-8? */
bool scan_is_text(const char *line);

/* Splits the line at each `separator`, which is not empty. */
void scan_split(struct scan *scan, const char *separator);
/* Splits a CSV line: a quoted field may hold separators; "" is a quote. */
void scan_split_quoted(struct scan *scan, char separator);
/* Splits the line at blanks and tabs; fields are not empty. */
void scan_words(struct scan *scan);

/* -ASSAY_EPARSE at a place of the line. */
int scan_error(const struct scan *scan, const char *at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

enum scan_number {
	SCAN_EXACT,		/* *out is the number, to the last digit */
	SCAN_ROUNDED,		/* *out is the nearest whole number */
	SCAN_BELOW,		/* the number is below 0 */
	SCAN_BEYOND,		/* ... or not below 2^64 */
	SCAN_NOTHING,		/* this is no number */
};

/*
 * The decimal number that the text is, times 10^shift. The mark before its
 * decimals is '.' or ','. A number with an exponent is rounded unless its digits
 * reach the last place.
 */
enum scan_number scan_number(const char *text, int shift, uint64_t *out);

#endif
