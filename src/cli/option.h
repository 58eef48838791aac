/* SPDX-License-Identifier: MIT */
/*
 * Tables of options, from which parsing, help, man pages and completion are
 * made. Options and arguments may be mixed; after "--" all words are arguments.
 */
#ifndef CLI_OPTION_H
#define CLI_OPTION_H

#include <stdbool.h>
#include <stddef.h>

#include "assay.h"

#define SETTINGS_ARGS 1024
#define SETTINGS_KERNEL 64	/* kernel options of one line */

/* All values of a command line: one struct for all commands. */
struct settings {
	/* output: form, file, remarks */
	bool help, json, quiet, verbose;
	const char *separator, *output, *format, *colour, *data_dir;
	const char *event_tables;
	const char *db;
	bool no_store;
	/* events, formulas, and the place that counts */
	char *events, *formulas;	/* joined by commas; owned */
	const char *on, *page_map, *pages;
	char place[1100];	/* text of `on` where the user gave a file */
	int repeats, warmup, cpu;	/* -1: not given */
	bool no_fast_forward, predict, slope, pie;
	/* settings of the machine during the run (controls.c) */
	const char *sysroot, *prefetchers, *governor, *nice, *realtime;
	int huge_pages;			/* -1: not given */
	/* options that only one or two commands have */
	const char *cpu_name, *of, *core, *like;
	bool man, plain, restore, measure, record;
	const char *trace, *trace_format, *by, *dump_trace;
	const char *sort, *inline_at, *source_root;
	bool source;
	int most;		/* -1: not given */
	const char *board, *kernel_name, *image, *plant, *file;
	const char *model, *model_file;
	int level, from_level, shift;	/* -1: not given */
	/* verify, and commands that use certificates */
	char *faults;			/* joined by commas; owned */
	const char *cert_dir;
	int seed;		/* -1: not given */
	bool quick, thorough, save, verified, wrong, unknown;
	bool table;
	const char *map, *experiment, *from, *truth;
	char *sets;			/* joined by commas; owned */
	/* stat */
	char *groups;		/* joined by commas; owned */
	char *cgroups;		/* joined by commas; owned */
	const char *cpus, *pin, *pids, *tids, *delay, *control;
	int interval;		/* -1: not given */
	bool per_thread, multiplex, append;
	bool per_process, no_inherit, why;
	char *fail_if;		/* compare; joined by newlines; owned */
	/* ci */
	const char *folder, *ci_format;
	int layouts;		/* -1: not given */
	/* ranks of a parallel job */
	bool all_ranks;
	/* fleet, list, export */
	bool slurm, mpi, fleet;
	char *nodes;		/* joined by commas; owned */
	int tries;		/* -1: not given */
	const char *textfile;
	char *against;		/* audit; joined by newlines; owned */
	/* sim, beside .from and .slope */
	const char *region, *only, *steps;
	bool per_region;
	/* derive */
	char *withhold, *claims;	/* joined by commas; owned */
	bool all;
	const char *figure, *title;	/* plot, report */
	/* arguments, kernel options, the program */
	const char *arg[SETTINGS_ARGS];
	size_t args;
	struct assay_setting kernel[SETTINGS_KERNEL];
	size_t kernels;
	char **program;		/* words after "--", NULL-terminated; NULL:
				 * no "--" was given */
};

void settings_init(struct settings *settings);
void settings_fini(struct settings *settings);

enum option_kind {
	OPTION_FLAG,		/* bool */
	OPTION_TEXT,		/* const char *; the last value counts */
	OPTION_LIST,		/* char *; all values, joined by commas */
	OPTION_LINES,		/* char *; all values, joined by newlines */
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
	const char *words;	/* TEXT: "a|b|c", or NULL: any text */
};

/* Rows of a table; `field` is a member of struct settings. WORD: one of
 * "a|b|c". */
#define FLAG(letter, name, field, help) \
	{ letter, name, OPTION_FLAG, NULL, help, FIELD(field), 0, NULL }
#define WORD(letter, name, arg, field, words, help) \
	{ letter, name, OPTION_TEXT, arg, help, FIELD(field), 0, words }
#define TEXT(letter, name, arg, field, help) \
	WORD(letter, name, arg, field, NULL, help)
#define LIST(letter, name, arg, field, help) \
	{ letter, name, OPTION_LIST, arg, help, FIELD(field), 0, NULL }
#define LINES(letter, name, arg, field, help) \
	{ letter, name, OPTION_LINES, arg, help, FIELD(field), 0, NULL }
#define NUMBER(letter, name, arg, field, least, help) \
	{ letter, name, OPTION_NUMBER, arg, help, FIELD(field), least, NULL }

/* The options and arguments that a command accepts. */
struct grammar {
	const struct option *const *table;	/* NULL-terminated; each ends
						 * with a row without a name */
	const struct assay_kernel_option *kernel;
	size_t kernels;
	size_t args;		/* arguments at most */
	bool program;		/* after "--": a program with arguments */
	bool program_first;	/* the first argument begins a program */
};

/*
 * Parses the words after the command's name. Strings are borrowed from argv.
 * Returns 0; -ASSAY_EINVAL with "did you mean"; -ASSAY_ENOMEM.
 */
int options_parse(struct settings *out, const struct grammar *grammar,
		  int argc, char **argv, struct assay_error *err);

/*
 * The first argument, without knowing the kernel's options: each is assumed to
 * be followed by its value. NULL: no argument.
 */
const char *options_first_argument(const struct grammar *grammar, int argc,
				   char **argv);

/* By letter, or, if letter is 0, by a long name of n characters; or NULL. */
const struct option *options_find(const struct option *const *table,
				  char letter, const char *name, size_t n);
/* The kernel's option of the n bytes long name; NULL: the kernel has none. */
const struct assay_kernel_option *
options_find_kernel(const struct assay_kernel_option *kernel, size_t kernels,
		    const char *name, size_t n);

/* Calls fn for each option of the tables. */
void options_each(const struct option *const *table,
		  void (*fn)(void *ctx, const struct option *option),
		  void *ctx);

/* Is word one of "a|b|c"? */
bool words_have(const char *words, const char *word);

#endif
