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
/* The same of the sources that rows name as "FILE:LINE" in "line". A relative
 * name is one of the folder --source-root. */
int inputs_check_sources(const struct settings *s, const struct kept_rows *rows,
			 struct assay_error *err);

#endif
