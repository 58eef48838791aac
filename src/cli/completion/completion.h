/* SPDX-License-Identifier: MIT */
/*
 * What may stand where the cursor is. The scripts of the shells call
 *
 *	assay --complete WORD...
 *
 * with the words behind "assay", the last one up to the cursor. The answer has
 * a line for each candidate: the word, a tab, an explanation. A line
 * ":files", ":folders" or ":programs", a tab and a text asks the shell for its
 * own candidates, each behind that text. Nothing is written anywhere, and
 * nothing is asked of hardware.
 */
#ifndef CLI_COMPLETION_COMPLETION_H
#define CLI_COMPLETION_COMPLETION_H

#include <stdio.h>

#include "cli/command.h"

/* A command line up to the cursor. */
struct line {
	FILE *out;
	const struct command *command;
	struct settings settings;	/* texts and arguments so far */
	const char *typed;		/* the last word */
	size_t kept;			/* bytes of `typed` before the value:
					 * "--cpu=", "a,b," */
	const struct option *option;	/* whose value is typed, or NULL */
	const struct assay_kernel_option *kernel_option;	/* the same */
	struct assay_kernel_option kernel[SETTINGS_KERNEL];
	size_t kernels;
	bool only_arguments;		/* "--" stands before */
};

/* Prints all candidates. */
void complete_line(FILE *out, int words, char *const *word);

/* Prints the candidate if it continues what is typed. */
void offer(const struct line *line, const char *value, const char *why);
/* The alternatives of "a|b|c". */
void offer_words(const struct line *line, const char *words);
void offer_commands(struct line *line);
/* The subcommands of a command. */
void offer_verbs(const struct line *line, const struct command *command);
/* What stands for a word in capitals of a usage line, or for the value of the
 * option: "KERNEL", "FILE". */
void offer_placeholder(struct line *line, const char *name);

#endif
