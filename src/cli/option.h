/* SPDX-License-Identifier: MIT */
/*
 * Option tables, from which parsing, help, man pages and completion are made.
 * Options and arguments may come in any order; after "--" all are arguments.
 */
#ifndef CLI_OPTION_H
#define CLI_OPTION_H

#include <stdbool.h>
#include <stddef.h>

#include "assay.h"

#define SETTINGS_ARGS 1024
#define SETTINGS_KERNEL 64	/* kernel options on one line at most */

/* Everything that a command line can say: one struct for all commands. */
struct settings {
	/* how to print */
	bool help, json, quiet, verbose;
	const char *separator, *output, *colour, *data_dir;
	/* what to run */
	char *events, *formulas;	/* joined by commas; owned */
	const char *on, *page_map, *pages;
	char place[1100];	/* what on points to if a file was meant */
	int repeats, warmup, cpu;	/* -1: not given */
	bool no_fast_forward, predict, slope, pie;
	/* the machine for the time of the run */
	const char *sysroot, *prefetchers, *governor, *nice, *realtime;
	int huge_pages;			/* -1: not given */
	/* of single commands */
	const char *cpu_name, *of;
	bool man, plain, restore, measure, record;
	const char *trace, *trace_format, *by, *dump_trace;
	int most;		/* -1: not given */
	const char *board, *kernel_name, *image, *plant, *file;
	const char *model, *model_file;
	int level, from_level, shift;	/* -1: not given */
	/* verify, and who uses certificates */
	char *faults;			/* joined by commas; owned */
	const char *cert_dir;
	int seed;		/* -1: not given */
	bool quick, thorough, save, verified, wrong, unknown;
	bool table;
	const char *map, *experiment;
	char *sets;			/* joined by commas; owned */
	/* stat */
	char *groups;		/* joined by commas; owned */
	char *cgroups;		/* the same */
	const char *cpus, *pin, *pids, *tids, *delay, *control;
	int interval;		/* -1: not given */
	bool per_thread, multiplex, append;
	bool per_process, no_inherit;
	/* derive */
	char *withhold, *claims;	/* joined by commas; owned */
	bool all;
	/* what is left */
	const char *arg[SETTINGS_ARGS];
	size_t args;
	struct assay_setting kernel[SETTINGS_KERNEL];
	size_t kernels;
	char **program;		/* what follows "--", NULL-terminated;
				 * NULL: there was none */
};

void settings_init(struct settings *settings);
void settings_fini(struct settings *settings);

enum option_kind {
	OPTION_FLAG,		/* bool */
	OPTION_TEXT,		/* const char *; the last one counts */
	OPTION_LIST,		/* char *; all of them, joined by commas */
	OPTION_NUMBER		/* int >= .least */
};

#define FIELD(name) offsetof(struct settings, name)

struct option {
	char letter;		/* or 0 */
	const char *name;
	enum option_kind kind;
	const char *arg;	/* "FILE"; NULL for flags */
	const char *help;
	size_t field;		/* FIELD(name) */
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
