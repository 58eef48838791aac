/* SPDX-License-Identifier: MIT */
/*
 * What an event counts, taken over from the CPU file of a sibling: a CPU of the
 * same vendor with the same code under the same name.
 */
#ifndef CPUFILE_LIKE_H
#define CPUFILE_LIKE_H

#include "cpufile/nearest.h"

struct sibling {
	struct cpu *cpu;	/* NULL: no CPU file is a sibling */
	struct listed listed;	/* the tables' events of the sibling */
	struct nearest nearest;	/* empty, if a name was given */
};

/*
 * The nearest CPU file; or the file `name`, if it is not NULL. *out is zeroed
 * before. Returns 0, or the error of a bad file or table. Free *out with
 * sibling_free().
 */
int sibling_find(struct sibling *out, const struct nearest_to *to,
		 const char *name, struct assay_error *err);
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
