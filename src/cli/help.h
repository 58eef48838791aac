/* SPDX-License-Identifier: MIT */
/* Help, man pages and completions, all made from the tables. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include <stdio.h>

#include "cli/command.h"

/* The list of commands. */
void help_overview(FILE *out, unsigned columns);
/* One command; kernel options too, if any are given. */
void help_on(FILE *out, const struct command *command,
		  const char *kernel_name,
		  const struct assay_kernel_option *kernel, size_t kernels,
		  unsigned columns);

/* A man page as scdoc source; command NULL: assay(1). */
void man_page(FILE *out, const struct command *command);

/* A completion script. shell: "bash", "zsh" or "fish". */
void completion_script(FILE *out, const char *shell);

#endif
