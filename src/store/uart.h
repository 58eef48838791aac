/* SPDX-License-Identifier: MIT */
/*
 * UART logs of the bare-metal image: lines of JSON, each with a checksum,
 * among whatever else a serial line shows. What is whole is taken; the rest is
 * reported by line.
 */
#ifndef STORE_UART_H
#define STORE_UART_H

#include "store/store.h"

enum uart_kind {
	UART_NOISE,	/* nothing of the image's */
	UART_DAMAGED,	/* the image wrote something else */
	UART_FAULT,	/* the image took an exception */
	UART_ERROR,	/* the image could not do something */
};

/* Borrowed for the call. */
struct uart_mark {
	enum uart_kind kind;
	unsigned line;		/* of the log, from 1 */
	const char *why;
	const char *text;	/* an excerpt, printable */
};
typedef void uart_fn(void *ctx, const struct uart_mark *mark);

struct uart_log {
	struct store store;	/* the records that are whole */
	unsigned lines, damaged, noise, faults, errors;
	bool ended;		/* the image said that it was done */
	unsigned status, promised;	/* then: its status and records */
};

/* Does the file hold a line of the image? False if it cannot be read, too. */
bool uart_is_log(const char *path);

/*
 * Reads a log ("-": stdin) of at most 65536 records; fn may be NULL. Returns
 * 0, -ASSAY_ENOMEM or as error_read(); nothing in the log is an error.
 */
int uart_read(struct uart_log *out, const char *path, uart_fn *fn, void *ctx,
	      struct assay_error *err);
void uart_fini(struct uart_log *log);

/* Is this a whole line that says which run begins, of how many? */
bool uart_progress(const char *text, size_t bytes, unsigned *number,
		   unsigned *of);

#endif
