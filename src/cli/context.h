/* SPDX-License-Identifier: MIT */
/* A command at work: its settings, the library, and where its results go. */
#ifndef CLI_CONTEXT_H
#define CLI_CONTEXT_H

#include "cli/command.h"
#include "cli/rows.h"
#include "report/report.h"

struct context {
	const struct command *command;
	struct settings settings;
	struct assay *assay;
	struct report_output output;
	struct report *report;	/* open while the command runs */
	bool partial;		/* results are worth keeping after a failure */
};

/* Checks -j, -x and -o, then opens the library and the report. */
int context_open(struct context *context, struct assay_error *err);

/* A file of records, by the ending of its name; or "-". */
bool context_is_records(const char *name);

/* Ends the report and gives the output its name. Returns the exit code. */
int context_close(struct context *context, int exit_code);

/*
 * "assay COMMAND: what: why" on stderr, further lines below it. Returns the
 * exit code that the error stands for.
 */
int complain(const struct context *context, const struct assay_error *err);
int complain_text(const char *command, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The complaint about a word that is no command, with the nearest one. */
int unknown_command(const char *command, const char *word);
/* --measure and --cpu of topo and doctor: EXIT_OK, or the complaint's code. */
int wrong_measure(const struct context *context);

/* A program that is run has standard output for itself: without -o the results
 * go to standard error. Returns 0, or -1: that cannot be written. */
int context_leave_output(struct context *context);

/* The job that the settings describe. */
void context_job(const struct context *context, struct assay_job *job);

/* None yet. For people rows are kept; else they go to the report at once. */
struct kept_rows context_rows(const struct context *context);
/* Reports a row, of 16 fields at most, without the field of that name. */
int show_without(struct context *context, const struct assay_row *row,
		 const char *name);

/*
 * Runs the command. One that has control_options among its options finds and
 * undoes what a killed run left, and has its settings for the time of the run.
 */
int controls_run(struct context *context);

#endif
