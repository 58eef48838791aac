/* SPDX-License-Identifier: MIT */
/*
 * `assay cpu new`: the text of a CPU file that loads, from event tables or a
 * machine. What neither says is a stand-in with the confidence G and the source
 * `unknown`.
 */
#ifndef CPUFILE_DRAFT_H
#define CPUFILE_DRAFT_H

#include <stdio.h>

#include "cpufile/like.h"

struct draft {
	const char *name;	/* of the new CPU */
	const char *title;
	const char *core;	/* "E"; NULL: the CPU has one kind of core */
	const struct cpu_match *match;
	const struct geometry *machine;	/* as a machine reports it; NULL:
					 * all of it are stand-ins */
	const struct listed *listed;
	const struct sibling *sibling;
	const char *table_name;	/* under which tables have the CPU; "" */
	bool borrowed;		/* match->model is the sibling's */
	bool all;		/* events beyond the topics, too */
	bool used;		/* out: the sibling gave an expression */
	size_t events, known;	/* out: written, and those with an
				 * expression */
};

/* Writes the file. */
void draft_write(FILE *out, struct draft *draft);

#endif
