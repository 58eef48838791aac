/* SPDX-License-Identifier: MIT */
/* A file of JSON Lines, line by line. */
#ifndef STORE_LINES_H
#define STORE_LINES_H

#include <stdio.h>

#include "store/node.h"

/* The line is borrowed for the call. Non-zero ends the reading. */
typedef int lines_fn(void *ctx, const struct line *line);

/*
 * Calls fn for each line of at most 16 MiB that is not blank. Returns 0, what
 * fn returned, -ASSAY_EPARSE with file:line:col, -ASSAY_ENOMEM, or as
 * error_read().
 */
int lines_each(FILE *in, const char *name, lines_fn *fn, void *ctx,
	       struct assay_error *err);

#endif
