/* SPDX-License-Identifier: MIT */
/* The CPU that a program is simulated on if the user names none. */
#ifndef PROGRAM_MODEL_H
#define PROGRAM_MODEL_H

#include "run/handle.h"

struct model {
	const char *cpu;	/* "host", or a CPU file's name */
	char why[400];
};

/*
 * This machine, if the program is for the machine's instruction set and the
 * machine has a CPU file or reports its caches; else a server CPU of the
 * program's instruction set. Errors are those of program_find().
 */
int model_choose(struct model *out, const struct assay *assay,
		 const char *program, const char *plugin,
		 struct assay_error *err);

#endif
