/* SPDX-License-Identifier: MIT */
/*
 * What an event counts, taken over from the CPU file of a sibling: a CPU of the
 * same vendor with the same code under the same name.
 */
#ifndef CPUFILE_LIKE_H
#define CPUFILE_LIKE_H

#include "cpufile/listed.h"
#include "cpus/cpu.h"

struct sibling {
	struct cpu *cpu;	/* NULL: no CPU file is a sibling */
	struct listed listed;	/* the tables' events of the sibling */
};

/*
 * The CPU file with the most codes and names in common with the list; or the
 * file `name`, if it is not NULL. Returns 0, or the error of a bad file or
 * table. Free *out with sibling_free().
 */
int sibling_find(struct sibling *out, const struct listed *list,
		 const struct cpu_match *match, const char *name,
		 const struct event_tables *tables, const char *data_dir,
		 struct assay_error *err);
void sibling_free(struct sibling *sibling);

/*
 * The tables' events of the CPU that a file describes; of several kinds of
 * core, those of the kind that fits the file best. Without such a table, and if
 * tables is NULL, *out has no events.
 */
int listed_of(struct listed *out, const struct event_tables *tables,
	      const struct cpu *cpu, struct assay_error *err);

/* An expression over signals, or why there is none, and how sure that is. */
struct meaning {
	const char *counts;	/* "": unmodelled */
	const char *why;	/* unmodelled: the reason */
	char confidence;
	const char *source;	/* keys of the new file's sources */
	const struct cpu_event *event;	/* of the sibling; or NULL */
};

/*
 * The meaning of an event of the list. The sibling's confidence stays if a
 * document says so (D, R) and the vendor's texts are equal; all else that is
 * taken over is a guess (G). What an architecture defines is recalled (R). An
 * event that does not count what its vendor says gives the vendor's text, as a
 * guess.
 */
struct meaning meaning_of(const struct listed_event *event,
			  const struct sibling *sibling,
			  const struct cpu_match *match);

#endif
