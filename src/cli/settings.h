/* SPDX-License-Identifier: MIT */
/* Everything that a command line can say: one struct for all commands. */
#ifndef CLI_SETTINGS_H
#define CLI_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "assay.h"

#define SETTINGS_ARGS 1024
#define SETTINGS_KERNEL 64	/* kernel options on one line at most */

struct settings {
	/* how to print */
	bool help, json, quiet, verbose;
	const char *separator, *output, *colour, *data_dir;
	/* what to run */
	char *events, *formulas;	/* joined by commas; owned */
	const char *on, *page_map, *pages;
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

#endif
