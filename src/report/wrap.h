/* SPDX-License-Identifier: MIT */
/* Breaks UTF-8 text into lines of a limited width. */
#ifndef REPORT_WRAP_H
#define REPORT_WRAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct wrap_line { const char *start; size_t bytes; unsigned width; };

/*
 * Reads the next line from *rest: as much as fits into `width`, ending after
 * one of the characters of `breaks` if possible. Spaces at the end of a line
 * and at the start of the next are dropped; the blank before three digits of a
 * number is no space. False: *rest is empty.
 */
bool wrap_next(const char **rest, unsigned width, const char *breaks,
	       struct wrap_line *line);

/* The number of lines after wrapping; and line n (from 0), or "". */
unsigned wrap_count(const char *text, unsigned width, const char *breaks);
bool wrap_nth(const char *text, unsigned width, const char *breaks,
	      unsigned n, struct wrap_line *line);

/* The widest part that has no break inside. */
unsigned wrap_widest_part(const char *text, const char *breaks);

/* Prints words from the current column `at` on, hanging at `indent`. */
void wrap_print(FILE *out, const char *text, unsigned at, unsigned indent,
		unsigned columns);

#endif
