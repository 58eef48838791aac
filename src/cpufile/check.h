/* SPDX-License-Identifier: MIT */
/*
 * `assay cpu check`: what a CPU file that loads lacks, where it contradicts
 * itself, and where it differs from the event tables at hand.
 */
#ifndef CPUFILE_CHECK_H
#define CPUFILE_CHECK_H

#include "cpufile/listed.h"
#include "cpus/cpu.h"

enum finding_kind {
	FINDING_CONTRADICTION,	/* cannot be true */
	FINDING_TABLE,		/* differs from an event table */
	FINDING_MISSING,	/* nobody has said */
	FINDING_KNOWN,		/* another file is for the same CPU */
	FINDING_KINDS
};

struct checking {
	const struct cpu *cpu;
	const char *asked;	/* its name, or a path */
	assay_row_fn *fn;
	void *ctx;
	size_t found[FINDING_KINDS];
	int rc;			/* of fn: non-zero ends the check */
};

/* One row "finding" {finding, where, what}. printf-like. */
void check_say(struct checking *c, enum finding_kind kind, const char *where,
	       const char *what, ...) __attribute__((format(printf, 4, 5)));

/* The file against itself: sizes, latencies, sources, gaps. */
void check_itself(struct checking *c);

/* The file's events against the vendor's list. */
void check_events(struct checking *c, const struct listed *list);

/* Does another file match the same registers? Two files that are found by name
 * contradict each other; a file given by its path is a draft beside them. */
void check_match(struct checking *c, const struct cpu *other);

#endif
