/* SPDX-License-Identifier: MIT */
/* What a command reads and what the command writes. */
#ifndef CLI_INPUTS_H
#define CLI_INPUTS_H

#include "cli/command.h"
#include "cli/rows.h"

/* Returns 0, or -ASSAY_EINVAL: a file that would be written is also read, or
 * lies in a folder that is read. */
int inputs_check(const struct command *command, const struct settings *s,
		 struct assay_error *err);
/* -ASSAY_EINVAL: the output file is also a source file that a row names as
 * "FILE:LINE" in its field "line". A relative FILE lies in --source-root. */
int inputs_check_sources(const struct settings *s, const struct kept_rows *rows,
			 struct assay_error *err);

#endif
