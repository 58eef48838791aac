/* SPDX-License-Identifier: MIT */
/*
 * Text traces: reading line by line, numbers in a line, and errors with the
 * line and a caret. Functions that return int give 0 or an error, as
 * trace_read().
 */
#ifndef STORE_TRACES_TEXT_H
#define STORE_TRACES_TEXT_H

#include "store/traces/stream.h"

#define TRACE_LINE 4096u	/* bytes of a line at most */

struct trace_line {
	struct trace_stream *stream;
	unsigned number;	/* from 1 */
	const char *at;		/* where reading goes on */
	char text[TRACE_LINE + 1];	/* NUL-terminated, no newline */
};

/* Returns 1 with the next line, 0 at the end, or an error. */
int trace_line_next(struct trace_line *line);

/* Sets "file:line:col: error: ..." for line->at; returns -ASSAY_EPARSE. */
int trace_line_error(const struct trace_line *line, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Skips blanks; false: there were none. */
bool trace_line_blanks(struct trace_line *line);

/* Reads a hexadecimal address, with or without 0x. */
int trace_line_address(struct trace_line *line, uint64_t *out);

/* Reads a comma and a decimal number of bytes from 1 to 4096. */
int trace_line_size(struct trace_line *line, uint64_t *out);

#endif
