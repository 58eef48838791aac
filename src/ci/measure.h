/* SPDX-License-Identifier: MIT */
/*
 * Measures one build (a side) in as many layouts as the budgets need, and
 * judges. The other side is a build, too, or what a baseline holds.
 */
#ifndef CI_MEASURE_H
#define CI_MEASURE_H

#include "ci/judge.h"
#include "ci/run.h"

struct ci_side {
	const struct ci_program *program;	/* NULL: a baseline's */
	const char *tag;
	/* by layout; of a baseline: the budgets' quantities only */
	struct run *run;
	unsigned runs;
	unsigned kept[ASSAY_QUANTITIES];	/* layouts of each quantity in a
						 * baseline */
	struct run again[2];	/* layout 0 and the last one once more */
	unsigned repeated;	/* how many of .again are there */
	unsigned last;		/* layout of again[1] */
	struct ci_lines lines;	/* in layout 0 */
};

int ci_side_init(struct ci_side *out, const struct ci_program *program,
		 const char *tag, struct assay_error *err);
void ci_side_fini(struct ci_side *side);

/* One measurement: who runs, and where. */
struct ci_measurement {
	struct assay *assay;
	const struct assay_ci *ci;
	const char *folder;	/* for the files of runs */
	const struct ci_budget *budget;
	size_t budgets;
};

/*
 * Runs layout 0 of the sides that have a program, twice, once by line; then
 * further layouts, pair by pair, until no budget is open. Returns 0, or as
 * ci_run_jobs().
 */
int ci_measure(const struct ci_measurement *m, struct ci_side *base,
	       struct ci_side *head, struct assay_error *err);
/* Runs a side in all layouts, and the first and the last one twice. */
int ci_measure_all(const struct ci_measurement *m, struct ci_side *side,
		   struct assay_error *err);

/* Why the side's counts of the budget's quantity cannot be judged: absent, or
 * not the same in two runs. false: they can be. */
bool ci_side_moves(const struct ci_side *side, const struct ci_budget *budget,
		   char *why, size_t room);

/* Judges one budget. Returns 0 or -ASSAY_ENOMEM. */
int ci_measure_judge(struct ci_judged *out, const struct ci_budget *budget,
		     const struct ci_side *base, const struct ci_side *head,
		     struct assay_error *err);

#endif
