/* SPDX-License-Identifier: MIT */
/* The sentence above judge's tables: which is right, and why others fail. */
#ifndef CLI_ANSWERS_JUDGE_ANSWER_H
#define CLI_ANSWERS_JUDGE_ANSWER_H

#include <stdbool.h>

#include "assay.h"
#include "cli/answers/answers.h"

/* One claim on one place, as the rows "rank" and "level" have it. */
struct judged_claim {
	char on[160], about[40], name[80], title[200], verdict[24];
	bool ranked;
	unsigned rank, right, runs;	/* runs: where something is true */
	double worst;			/* largest error, a share */
	double off;			/* error of the level below; signed */
	char level[24], because[400];	/* the level that is furthest off */
};

struct judge_answer {
	struct judged_claim *claim;	/* in the order of the rows */
	size_t claims;
	unsigned violated;		/* laws between events */
};

/* Keeps what a row tells; rows of other types are ignored. */
void judge_answer_add(struct judge_answer *answer,
		       const struct assay_row *row);
void judge_answer_sentence(const struct judge_answer *answer, bool interrupted,
		      struct phrase *out);
/* "h4: refills are misses", a line for each hypothesis. */
void judge_answer_titles(const struct judge_answer *answer,
			 struct phrase *out);
void judge_answer_fini(struct judge_answer *answer);

#endif
