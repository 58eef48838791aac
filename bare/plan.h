/* SPDX-License-Identifier: MIT */
/*
 * The plan: the runs that the image does, as a text of one statement per line.
 * See docs/bare.md. The text is checked like any input.
 *
 *	assay-plan 1
 *	repeats N
 *	warmup N
 *	plant WORD			a mistake of pmuv3.h, or "fault"
 *	event NAME CODE
 *	run KERNEL OPTION=VALUE...
 *
 * Empty lines and lines that begin with # are skipped. Each statement applies
 * to the runs below it.
 */
#ifndef BARE_PLAN_H
#define BARE_PLAN_H

#include "base/encoding.h"
#include "counters/pmuv3.h"
#include "kernels/kernel.h"

#define PLAN_REPEATS 64

struct plan {
	const char *next;	/* the unread text */
	unsigned line;		/* number of the last line that was read */
	unsigned repeats, warmup;
	bool fault;		/* access an unmapped address before a run */
	struct pmuv3_setup setup;
	struct group *group;	/* the caller's; gets the events */
};

void plan_begin(struct plan *plan, const char *text, struct group *group);

/*
 * Reads up to the next run. Returns 1; 0 at the end of the plan; -ASSAY_EPARSE
 * with "plan line N: ...".
 */
int plan_next(struct plan *plan, const struct kernel **kernel,
	      struct assay_shape *shape, struct assay_error *err);

#endif
