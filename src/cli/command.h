/* SPDX-License-Identifier: MIT */
/*
 * Commands: each file cmd-<verb>.c holds one descriptor; commands.def lists the
 * descriptors in the order of the help.
 */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <stdio.h>

#include "cli/option.h"

struct context;

enum exit_code {
	EXIT_OK = 0,
	EXIT_FAILED = 1,
	EXIT_USAGE = 2,
	EXIT_CHECK = 3,		/* a check did not pass */
	EXIT_NO_COUNTERS = 4,
	/* commands that run a program: the codes of `env` and `nice` */
	EXIT_OWN = 125,		/* failed themselves */
	EXIT_NOT_RUNNABLE = 126,
	EXIT_NOT_FOUND = 127,
	EXIT_INTERRUPTED = 130
};

struct example { const char *command, *meaning; };

/* An environment variable that a command reads. */
struct variable { const char *name, *meaning; };

struct command {
	const char *name;
	const char *group;	/* heading in the list of commands */
	const char *summary;	/* one line */
	const char *arguments;	/* "KERNEL", "[NAME]" ... */
	size_t args;		/* at most */
	bool kernel;		/* argument 1 is a kernel with options */
	const char *kernel_option;	/* instead: the option that names a
					 * kernel */
	bool program;		/* "--" is followed by a program */
	bool program_first;	/* no "--" is needed before the program */
	const struct option *const *options;	/* NULL-terminated */
	const char *text;	/* paragraphs, separated by empty lines */
	const struct example *example;	/* ends with command == NULL */
	const struct variable *variable;	/* ends with name == NULL */
	const struct variable *verb;	/* words of argument 1 with arguments
					 * of their own; as .variable */
	int (*run)(struct context *context);	/* returns the exit code */
};

/* All commands, NULL-terminated. */
extern const struct command *const command_table[];

/* By name, or NULL. */
const struct command *command_find(const char *name);
/* The row of .verb whose first word is `name`, or NULL. */
const struct variable *command_verb(const struct command *command,
				    const char *name);
/* The nearest name, or NULL. */
const char *command_nearest(const char *name);

/* ---- help (help.c); columns: of the paper ------------------------------- */

/* The list of commands. */
void help_overview(FILE *out, unsigned columns);
/* Help on one command, with the kernel's options if `kernel` is given. */
void help_on(FILE *out, const struct command *command,
		  const char *kernel_name,
		  const struct assay_kernel_option *kernel, size_t kernels,
		  unsigned columns);

/* Help on a subcommand, a row of .verb. */
void help_on_verb(FILE *out, const struct command *command,
		  const struct variable *verb, unsigned columns);
extern const struct example overview_examples[];

/* Tables that commands share (command.c, controls.c). */
extern const struct option output_options[], common_options[], job_options[],
	on_option[], page_map_option[], cert_options[], control_options[],
	pin_option[], sysroot_option[];
extern const struct variable output_variables[], cert_variables[];

#endif
