/* SPDX-License-Identifier: MIT */
/* Sentences that sum up a command's rows; each stands above the rows. */
#ifndef CLI_ANSWERS_ANSWERS_H
#define CLI_ANSWERS_ANSWERS_H

#include "assay/stat.h"
#include "cli/rows.h"

/* A sentence that grows part by part; text beyond its room is cut off. */
struct phrase { char text[1600]; size_t used; };

void phrase_add(struct phrase *phrase, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* The sentence, with an upper-case first letter. */
const char *phrase_text(struct phrase *phrase);
/*
 * The separator before part `i`, from 0, of a list of `all` parts: "", ", " or
 * " and ".
 */
const char *phrase_between(size_t i, size_t all);

/*
 * topo: sizes of caches and the sources that disagree; after a measurement, the
 * sizes that timing confirms or refutes, and the traits that are doubted.
 */
void topo_answer(const struct kept_rows *kept, struct phrase *out);

/*
 * stat: the values of the metrics, and the doubtful metrics; without metrics
 * how many events were counted and verified. violated: number of identities
 * between events that the counts violate.
 */
void stat_answer(const struct assay_stat_result *r, unsigned violated,
		 struct phrase *out);

/* ---- run, sweep: do the counts agree, how long does an access take ------- */

struct run_pace {
	double ns;			/* per access */
	struct assay_value cycles;
	char at[100];			/* the shape, or "" */
};

struct run_answer {
	unsigned runs, total, predicted, counted;
	unsigned verdicts[ASSAY_UNAVAILABLE + 1];
	char disagrees[200];		/* the first count that disagrees */
	bool timed;
	struct run_pace fast, slow;
};

/* shape: what tells this run from others of the command, or "". */
void run_answer_add(struct run_answer *answer, const struct assay_result *r,
		    const char *shape);
void run_answer_sentence(const struct run_answer *answer, struct phrase *out);

/* ---- judge: which claim is right, and why others fail -------------------- */

/* One claim on one place, from the rows "rank" and "level". */
struct judged_claim {
	char on[160], about[40], name[80], title[200], verdict[24];
	bool ranked;
	unsigned rank, right, runs;	/* runs: where something is true */
	double worst;			/* largest error, a share */
	double off;			/* error of the level below; signed */
	char level[24], because[400];	/* level with the largest error */
};

struct judge_answer {
	struct judged_claim *claim;	/* in the order of the rows */
	size_t claims;
	unsigned violated;		/* laws between events */
};

/* Keeps a row "rank" or "level"; rows of other types are ignored. */
void judge_answer_add(struct judge_answer *answer,
		       const struct assay_row *row);
void judge_answer_sentence(const struct judge_answer *answer, bool interrupted,
		      struct phrase *out);
/* "h4: refills are misses", a line for each hypothesis. */
void judge_answer_titles(const struct judge_answer *answer,
			 struct phrase *out);
void judge_answer_fini(struct judge_answer *answer);

/* ---- sweep --formulas: which hypothesis agrees, over which sizes --------- */

#define SWEPT_HYPOTHESES 64
#define SWEPT_FIELDS (4 + SWEPT_HYPOTHESES)

struct swept_hypothesis {
	char name[80], title[120];
	unsigned agree, judged, contradicts;	/* runs */
	unsigned first_index, last_index;	/* runs that agree */
	char first[80], last[80];		/* their shapes */
	double worst;				/* a share of the accesses */
	char worst_at[80];
	char why[200];				/* why absent in some run */
};

struct sweep_answer {
	struct swept_hypothesis of[SWEPT_HYPOTHESES];
	unsigned hypotheses, runs, total;
	unsigned truths;		/* runs where something is true */
	bool timed;			/* by the times of the loads */
	unsigned metrics;		/* formulas that are not pies */
	unsigned agree, disagree;	/* formulas against predictions */
	char disagrees[200];		/* the first one that disagrees */
};

/* The true pie of the run (levels that served the accesses), or NULL. */
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
