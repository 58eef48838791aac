/* SPDX-License-Identifier: MIT */
/* A file that assay wrote with -j: its records and its other rows, in order. */
#ifndef STORE_EACH_H
#define STORE_EACH_H

#include "assay/error.h"
#include "assay/record.h"
#include "assay/row.h"

/*
 * Each returns 0, or a code that ends the reading. What is handed over is
 * borrowed for the call.
 */
struct each {
	int (*record)(void *ctx, const struct assay_record *record);
	int (*row)(void *ctx, const struct assay_row *row);
	void *ctx;
};

/*
 * Members of a row that are neither text nor number nor absent are left out, as
 * are those beyond the 64th. Returns 0, what a function returned, -ASSAY_EPARSE
 * with file:line:col, -ASSAY_ENOMEM, or as error_read().
 */
int store_each(const char *path, const struct each *each,
	       struct assay_error *err);

#endif
