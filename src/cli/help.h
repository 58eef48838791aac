/* SPDX-License-Identifier: MIT */
/* Help texts, made from the tables of commands and options. */
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

#endif
