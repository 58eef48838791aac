/* SPDX-License-Identifier: MIT */
/*
 * The sentence above `sweep --formulas`: which hypothesis agrees with what is
 * true, over which sizes; and the columns that show it size by size.
 */
#ifndef CLI_ANSWERS_SWEEP_ANSWER_H
#define CLI_ANSWERS_SWEEP_ANSWER_H

#include <stdbool.h>

#include "assay.h"
#include "cli/answers/answers.h"

#define SWEPT_HYPOTHESES 64
#define SWEPT_FIELDS (4 + SWEPT_HYPOTHESES)

struct swept_hypothesis {
	char name[80], title[120];
	unsigned agree, judged, contradicts;	/* runs */
	unsigned first_index, last_index;	/* runs where it agrees */
	char first[80], last[80];		/* their shapes */
	double worst;				/* a share of the accesses */
	char worst_at[80];
	char why[200];				/* absent in some run: why */
};

struct sweep_answer {
	struct swept_hypothesis of[SWEPT_HYPOTHESES];
	unsigned hypotheses, runs, total;
	unsigned truths;		/* runs where something is true */
	bool timed;			/* by the times of the loads */
	unsigned metrics;		/* formulas that are no pie */
	unsigned agree, disagree;	/* formulas beside predictions */
	char disagrees[200];		/* the first one that does not agree */
};

/* What is true of who served the accesses of that run, or NULL. */
const struct assay_pie *sweep_truth(const struct assay_result *r);
void sweep_answer_add(struct sweep_answer *answer,
		       const struct assay_result *r, const char *shape);
/*
 * The true shares, then each hypothesis's largest error. Names are kept in
 * *columns. Returns how many.
 */
struct sweep_columns { char name[SWEPT_FIELDS][80]; };
size_t sweep_answer_fields(const struct assay_result *r,
			   struct assay_field field[SWEPT_FIELDS],
			   struct sweep_columns *columns);
void sweep_answer_sentence(const struct sweep_answer *answer,
			   struct phrase *out);

#endif
