/* SPDX-License-Identifier: MIT */
/* Which formats and endings each command has, and which one is asked for. */
#ifndef CLI_FORMATS_MATRIX_H
#define CLI_FORMATS_MATRIX_H

#include "cli/context.h"

/*
 * Checks -j, -x, --format and the name after -o, against each other and against
 * the command's row of matrix.def. Returns 0 or -ASSAY_EINVAL.
 */
int matrix_check(const struct context *context, struct assay_error *err);
/* The format that --format, -j, -x or the name after -o ask for. */
enum report_format matrix_format(const struct context *context);
/* Does the command write the file itself: no report, but such as *.yaml? */
bool matrix_is_own(const struct context *context);

/* "text|csv": the formats of the command; verb: its first argument, or NULL. */
void matrix_formats(char *out, size_t room, const struct command *command,
		    const char *verb);
/* For the help: a sentence with its formats and names of files. */
void matrix_text(char *out, size_t room, const struct command *command);

/* `assay list formats`: all rows of matrix.def. */
int matrix_list(struct context *context);

#endif
