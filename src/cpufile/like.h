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

/* An expression over signals, or why there is none, and how sure that is. */
struct meaning {
	const char *counts;	/* "": unmodelled */
	const char *why;	/* unmodelled: the reason */
	char confidence;
	const char *source;	/* keys of the new file's sources */
	const struct cpu_event *event;	/* of the sibling; or NULL */
};

/*
 * The meaning of an event of the list. By equal code, name and vendor's text,
 * or by the architecture, the sibling's confidence stays where a document says
 * so (D, R); all else is a guess (G). From an event that does not count what
 * its vendor says, the vendor's text is taken, as a guess.
 */
struct meaning meaning_of(const struct listed_event *event,
			  const struct sibling *sibling, bool arm);

#endif
