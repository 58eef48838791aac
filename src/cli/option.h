/* SPDX-License-Identifier: MIT */
/*
 * Option tables, from which parsing, help, man pages and completion are made.
 * Options and arguments may come in any order; after "--" all are arguments.
 */
#ifndef CLI_OPTION_H
#define CLI_OPTION_H

#include "cli/settings.h"

enum option_kind {
	OPTION_FLAG,		/* bool */
	OPTION_TEXT,		/* const char *; the last one counts */
	OPTION_LIST,		/* char *; all of them, joined by commas */
	OPTION_NUMBER		/* int >= .least */
};

struct option {
	char letter;		/* or 0 */
	const char *name;
	enum option_kind kind;
	const char *arg;	/* "FILE"; NULL for flags */
	const char *help;
	size_t field;		/* offset in struct settings */
	int least;
	const char *words;	/* TEXT: "a|b|c", or NULL: anything */
};

/* All that a command accepts. */
struct grammar {
	const struct option *const *table;	/* NULL-terminated; each ends
						 * with a row without a name */
	const struct assay_kernel_option *kernel;
	size_t kernels;
	size_t args;		/* arguments at most */
	bool program;		/* what follows "--" is one with arguments */
	bool program_first;	/* so is what the first argument begins */
};

/*
 * Parses what follows the command's name. Strings are borrowed from argv.
 * Returns 0; -ASSAY_EINVAL with "did you mean"; -ASSAY_ENOMEM.
 */
int options_parse(struct settings *out, const struct grammar *grammar,
		  int argc, char **argv, struct assay_error *err);

/*
 * The first argument, found without knowing the kernel's options: they are
 * taken to be followed by their value. NULL: there is none.
 */
const char *options_first_argument(const struct grammar *grammar, int argc,
				   char **argv);

/* Calls fn for each option of the tables. */
void options_each(const struct option *const *table,
		  void (*fn)(void *ctx, const struct option *option),
		  void *ctx);

/* Is word one of "a|b|c"? */
bool words_have(const char *words, const char *word);

#endif
