/* SPDX-License-Identifier: MIT */
/*
 * The run of a command in the database: all records and rows that the command
 * hands out pass here, in whatever format the user reads them. They are stored
 * as the lines that -j prints. Commands with `store_options` store their runs;
 * of all others, and where nothing is to be stored, these functions do nothing.
 */
#ifndef CLI_STORED_H
#define CLI_STORED_H

#include "cli/context.h"

extern const struct option store_options[];

/* Begins a run. Why nothing is stored is said on stderr, and is no error. */
void stored_begin(struct context *context);
/* The report that takes the run's rows; NULL: nothing is stored. */
struct report *stored_report(const struct context *context);
/* Rows that stored_report() has not got; they are stored soon. */
void stored_row(struct context *context, const struct assay_row *row);
void stored_record(struct context *context, const struct assay_record *record);
/*
 * All of the above is in the database when this returns, in one transaction:
 * called before the same is printed.
 */
void stored_point(struct context *context);
/* The path of the certificate that marks the run's events. */
void stored_certificate(struct context *context, const char *path);
void stored_end(struct context *context, int exit_code);

#endif
