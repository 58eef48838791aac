/* SPDX-License-Identifier: MIT */
/*
 * UART logs of the bare-metal image: lines of JSON, each with a checksum, mixed
 * with other output of the serial line. Undamaged records are stored; all other
 * bytes are reported by line. docs/bare.md describes the lines.
 */
#ifndef STORE_UART_H
#define STORE_UART_H

#include "store/store.h"

enum uart_kind {
	UART_NOISE,	/* the image did not write this */
	UART_DAMAGED,	/* a line of the image that lost or changed bytes */
	UART_FAULT,	/* the image took an exception */
	UART_ERROR,	/* the image reported an error */
};

/* A report on a part of the log; valid during the call. */
struct uart_mark {
	enum uart_kind kind;
	unsigned line;		/* of the log, from 1 */
	const char *why;
	const char *text;	/* an excerpt, printable */
};
typedef void uart_fn(void *ctx, const struct uart_mark *mark);

struct uart_log {
	struct store store;	/* the undamaged records */
	unsigned lines, damaged, noise, faults, errors;
	bool ended;		/* the image wrote its last line: */
	unsigned status, promised;	/* its status and number of records */
};

/* Has the text a line of the image? */
bool uart_is_text(const char *text, size_t bytes);

/*
 * Reads a log ("-": stdin) of at most 65536 records; fn may be NULL. Returns
 * 0, -ASSAY_ENOMEM or as error_read(). Whatever the log holds is no error.
 */
int uart_read(struct uart_log *out, const char *path, uart_fn *fn, void *ctx,
	      struct assay_error *err);
/* The same from an open stream; `name` is its name in messages. */
int uart_read_stream(struct uart_log *out, FILE *in, const char *name,
		     uart_fn *fn, void *ctx, struct assay_error *err);
void uart_fini(struct uart_log *log);

/* Is the text an undamaged line that announces run *number of *of? */
bool uart_progress(const char *text, size_t bytes, unsigned *number,
		   unsigned *of);

#endif
