/* SPDX-License-Identifier: MIT */
/*
 * Competing claims on the same records: hypotheses about the level that served
 * each access (a pie), or formulas for one quantity. Each claim's values are
 * compared, level by level, with the record's truth: the software PMU's, the
 * closed form's, or the timed pie's of the same shape. The claims are then
 * ranked by their mean error.
 */
#ifndef HYPOTHESES_RANKING_H
#define HYPOTHESES_RANKING_H

#include "analysis/formulas/formula.h"
#include "assay.h"

#define RANKING_CLAIMS 64
#define RANKING_ABOUT ASSAY_QUANTITIES	/* .about of pies */
#define RANKING_HOLDS 0.01	/* largest error of a right claim */

/* A claim's value for one level (pies), or for its quantity (level 0). */
struct ranked_level {
	unsigned judged, fails;
	double worst;		/* signed, as a share */
	char at[96];		/* the shape of the worst error */
	char first[96], last[96];	/* shapes where the claim fails */
	double said, right;	/* claimed and true value at the worst */
	const char *by;		/* witness of `right`: "F", "S", "T"; "E": what
				 * a table states */
	char because[400];
};

struct ranked_claim {
	const struct formula_file *file;
	const struct hypothesis *hypothesis;	/* NULL: a formula's claim */
	const struct formula *formula;		/* NULL: a hypothesis */
	char name[80];		/* "h4", "h4:reads" of another variant */
	int about;		/* a quantity, or RANKING_ABOUT */
	const char *zeroed;	/* an absent event that the claim needs */
	char why[200];		/* "needs EVENT: the reason" of its absence */
	bool false_zero;	/* read as 0, the event makes a part 0 that is
				 * not 0 */
	struct assay_value said;	/* of the last record: the quantity, or
					 * the pie's total */
	unsigned shapes, judged, fails, inconsistent;
	double sum, worst;	/* of each shape's largest error */
	char at[96];
	unsigned levels;	/* 1, or PIE_PARTS */
	struct ranked_level level[PIE_PARTS];
	unsigned rank;		/* from 1; 0: not ranked */
	unsigned tied;		/* others of the same rank */
};

struct ranking {
	struct ranked_claim claim[RANKING_CLAIMS];
	unsigned claims;
	const char *where;	/* "sim:cortex-a76" */
	assay_row_fn *fn;
	void *ctx;
};

/* The level that served each access of one run, by timing. */
struct ranked_times {
	struct assay_quantities value, low, high;
};

/* One record, with its prediction and its times. */
struct ranked_record {
	const struct assay_record *record;
	const struct assay_expectation *expectation;	/* or NULL */
	const struct ranked_times *timed;	/* or NULL; used only if no
						 * other truth is known */
	const char *kernel, *shape;
	bool table;		/* a place of a published table: an event that
				 * the record lacks is not known, not 0 */
};

/* Adds all claims of a file. -ASSAY_ERANGE if there are too many. */
int ranking_add(struct ranking *c, const struct formula_file *file,
		struct assay_error *err);
/*
 * Adds the metric named `metric` (of any file, with or without a claim) as a
 * claim about a quantity. Returns the number of metrics found, or an error.
 */
int ranking_add_metric(struct ranking *c, const struct formula_file *file,
		       const char *metric, int quantity,
		       struct assay_error *err);
/* Forgets the judged records, keeps the claims. */
void ranking_reset(struct ranking *c);
/* Is some claim a pie, for which this record has no truth yet? */
bool ranking_wants_time(const struct ranking *c,
			const struct ranked_record *r);
/* Judges every claim on the record; emits a row "size" per claim and level. */
int ranking_add_record(struct ranking *c, const struct ranked_record *r);
/* Ranks the claims; sorts them by what they are about and by rank. */
void ranking_sort(struct ranking *c);
/* "L1" .. "total", or the name of the claim's quantity. */
const char *ranking_level_name(const struct ranked_claim *claim,
			       unsigned level);
/* Emits rows "rank", then a row "level" for each level that fails. */
int ranking_rows(const struct ranking *c);
/* Emits rows "difference" between claims about one quantity on a record. */
int ranking_differences(const struct ranking *c,
			const struct assay_record *record);
/* Has any claim about a quantity or pie been compared with a truth? */
bool ranking_judged(const struct ranking *c);
/* Has any claim given a value? */
bool ranking_said(const struct ranking *c);

#endif
