/* SPDX-License-Identifier: MIT */
/* A running command: its settings, the library handle, and its report. */
#ifndef CLI_CONTEXT_H
#define CLI_CONTEXT_H

#include "cli/command.h"
#include "cli/rows.h"
#include "report/report.h"

struct stored;

struct context {
	const struct command *command;
	char **word;		/* of the command line, behind the command */
	int words;
	struct settings settings;
	struct assay *assay;
	struct report_output output;
	struct report *report;	/* open while the command runs */
	enum report_format format;	/* of the output */
	FILE *lines;		/* what a page or picture is made of; NULL: the
				 * output is neither */
	bool drawn;		/* the command itself wrote the page */
	bool partial;		/* results are worth keeping after a failure */
	struct stored *stored;	/* the run in the database (stored.h) or NULL */
	struct ranks *ranks;	/* the place in a job (fleet/ranks.h) */
};

/* Checks -j, -x and -o, then opens the library and the report. */
int context_open(struct context *context, struct assay_error *err);

/* Is the file one of records, by its ending, or "-", or a run's number? */
bool context_is_records(const char *name);

/* Ends the report and renames the finished output. Returns the exit code. */
int context_close(struct context *context, int exit_code);

/*
 * "assay COMMAND: what: why" on stderr, further lines below. Returns the exit
 * code for the error.
 */
int complain(const struct context *context, const struct assay_error *err);
int complain_text(const char *command, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Complains about an unknown command and suggests the nearest name. */
int unknown_command(const char *command, const char *word);
/* --measure and --cpu of topo and doctor: EXIT_OK, or the complaint's code. */
int wrong_measure(const struct context *context);

/*
 * Leaves standard output to the program that is run: without -o, the results go
 * to standard error. Returns 0, or -1: standard error cannot be written.
 */
int context_leave_output(struct context *context);

/* "n=4096,stride=64" of --set: splits the text in place. Returns how many. */
#define SETS 32			/* at most */
size_t sets_split(char *text, struct assay_setting *set);

/* Sets up the job from the settings. */
void context_job(const struct context *context, struct assay_job *job);

/* No rows yet. For people rows are kept; else each row is reported at once. */
struct kept_rows context_rows(const struct context *context);
/* Reports a row of at most 16 fields without the field named `name`. */
int show_without(struct context *context, const struct assay_row *row,
		 const char *name);

/*
 * Runs the command. With control_options, first undoes the settings that a
 * killed run left, then applies this run's settings until the command ends.
 */
int controls_run(struct context *context);

#endif
