/* SPDX-License-Identifier: MIT */
/* Reading back what `-j` wrote: rows of any type, and records. */
#ifndef STORE_ROWS_H
#define STORE_ROWS_H

#include <stdbool.h>

#include "assay/error.h"
#include "assay/record.h"
#include "assay/row.h"

/* Members of a row and bytes of a name at most. */
enum { ROWS_FIELDS = 128, ROWS_NAME = 96 };

/*
 * Reads JSON Lines: `record` gets each record, which is then its own (non-zero:
 * no memory); `row` each object of another type. A member "x_why" is the reason
 * of an absent "x", "x_error" and "x_estimate" belong to a number "x", wherever
 * they stand; members that are no text and no number, and names with '|' or a
 * blank, are left out. Returns 0, -ASSAY_EPARSE with file:line:col,
 * -ASSAY_ENOMEM, or -ASSAY_ESTOP.
 */
int rows_read(const char *text, const char *name, assay_row_fn *row,
	      int (*record)(void *ctx, struct assay_record *record), void *ctx,
	      struct assay_error *err);

/* Does the text begin as such a file does? */
bool rows_are(const char *text);

#endif
