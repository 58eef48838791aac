/* SPDX-License-Identifier: MIT */
/*
 * The plan: what the image is to do, as a text of one statement per line. See
 * docs/bare.md. The text is not trusted.
 *
 *	assay-plan 1
 *	repeats N
 *	warmup N
 *	plant WORD			a mistake of pmuv3.h, or "fault"
 *	event NAME CODE
 *	run KERNEL OPTION=VALUE...
 *
 * Empty lines and lines that begin with # are skipped. Statements hold for the
 * runs below them.
 */
#ifndef BARE_PLAN_H
#define BARE_PLAN_H

#include "base/encoding.h"
#include "counters/pmuv3.h"
#include "kernels/kernel.h"

#define PLAN_REPEATS 64

struct plan {
	const char *next;	/* the text that is left */
	unsigned line;
	unsigned repeats, warmup;
	bool fault;
	struct pmuv3_setup setup;
	struct group *group;	/* the caller's */
};

extern const char image_plan[];	/* ends with NUL */

void plan_begin(struct plan *plan, const char *text, struct group *group);

/*
 * The next run. Returns 1; 0 at the end of the plan; a negative code with
 * "plan line N: ...".
 */
int plan_next(struct plan *plan, const struct kernel **kernel,
	      struct assay_shape *shape, struct assay_error *err);

#endif
