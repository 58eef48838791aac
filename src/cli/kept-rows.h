/* SPDX-License-Identifier: MIT */
/* Rows that are kept until all are there, because the answer comes first. */
#ifndef CLI_KEPT_ROWS_H
#define CLI_KEPT_ROWS_H

#include <stdbool.h>

#include "assay/row.h"

/* Zeroed: none. Rows and their texts are copies. */
struct kept_rows {
	struct assay_row *row;
	size_t rows, room;
	bool no_memory;		/* a row is missing */
};

/* An assay_row_fn: ctx is a struct kept_rows *. Non-zero: out of memory. */
int keep_row(void *ctx, const struct assay_row *row);
void kept_rows_free(struct kept_rows *kept);

#endif
