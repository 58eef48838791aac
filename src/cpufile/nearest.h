/* SPDX-License-Identifier: MIT */
/*
 * Finds the CPU file that describes the CPU of an event table. If there is none,
 * finds the CPU file of the same vendor and kind of core whose events have the
 * largest share of equal codes and names.
 */
#ifndef CPUFILE_NEAREST_H
#define CPUFILE_NEAREST_H

#include "assay/record.h"
#include "cpufile/listed.h"
#include "cpus/cpu.h"

/*
 * The tables' events of the CPU that a file describes; of several kinds of
 * core, those of the kind that fits the file best. Without such a table, and if
 * tables is NULL, *out has no events.
 */
int listed_of(struct listed *out, const struct event_tables *tables,
	      const struct cpu *cpu, struct assay_error *err);

enum { NEAREST = 2 };

struct nearest {
	char name[NEAREST][ASSAY_NAME];	/* the nearest first; "": none */
	bool itself;	/* the first file describes the CPU itself */
	struct cpu_match match;	/* of that file, with vendor "" */
};

/* The CPU of the list, and where others are found. */
struct nearest_to {
	const struct listed *list;
	const struct table_cpu *cpu;	/* `match` is not NULL */
	const char *core;	/* "P", "E", "LP"; NULL: one kind */
	const struct event_tables *tables;	/* or NULL */
	const char *data_dir;
};

/*
 * Two CPUs are compared by their tables: the share of the events, with equal
 * code and name, of those that either has. Where the tables at hand do not have
 * the other CPU, its CPU file stands for its table. Shares that are almost
 * equal are decided by the years. A file that describes the CPU itself comes
 * first.
 * Returns 0, or the error of a bad file or table.
 */
int nearest_find(struct nearest *out, const struct nearest_to *to,
		 struct assay_error *err);

#endif
