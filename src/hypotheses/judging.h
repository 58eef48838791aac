/* SPDX-License-Identifier: MIT */
/* Judging competing claims at one place after the other. */
#ifndef HYPOTHESES_JUDGING_H
#define HYPOTHESES_JUDGING_H

#include "hypotheses/ranking.h"
#include "run/run.h"

/* The places where a claim holds, is the least wrong, or is a false zero. */
struct score {
	const struct formula_file *file;
	char name[80];
	char holds[400], best[400], zero[400];
};

struct judging_run {
	struct assay *assay;
	const struct assay_judging *judging;
	struct formula_file *file[RUN_FILES];
	unsigned files;
	struct ranking ranking;
	struct assay_expectation expectation;
	bool quantities;	/* some claim is about a quantity */
	char (*event)[ASSAY_NAME];	/* with tables: of all files */
	unsigned events;
	unsigned judged;	/* places where something was judged */
	struct score score[RANKING_CLAIMS];
	unsigned scores;
	char where[160];
	struct event_sets event_sets;
};

/* Ranks the claims of one place, and emits the rows. */
int judging_finish(struct judging_run *c);
/* Emits which claim holds where, once all places were judged. */
int judging_summary(const struct judging_run *c);
/* Judges the claims on each machine of the caller's tables. */
int judging_tables(struct judging_run *c, struct assay_error *err);

#endif
