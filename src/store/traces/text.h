/* SPDX-License-Identifier: MIT */
/* Text traces: one line at a time, numbers, and complaints with a caret. */
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

/* -ASSAY_EPARSE at line->at: "file:line:col: error: ...", line and caret. */
int trace_line_error(const struct trace_line *line, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Moves over blanks; false: there were none. */
bool trace_line_blanks(struct trace_line *line);

/* A hexadecimal address, 0x allowed. 0 or an error. */
int trace_line_address(struct trace_line *line, uint64_t *out);

/* Decimal bytes from 1 to 4096, with a comma before them. 0 or an error. */
int trace_line_size(struct trace_line *line, uint64_t *out);

#endif
