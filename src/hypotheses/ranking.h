/* SPDX-License-Identifier: MIT */
/*
 * Competing claims on the same records: hypotheses about one picture (who
 * served the accesses), or formulas for one quantity. What each claim says is
 * compared, level by level, with the record's truth: the software PMU's, the
 * closed form, or the pie by time of the same shape. The claims are then
 * ranked by their mean error.
 */
#ifndef HYPOTHESES_RANKING_H
#define HYPOTHESES_RANKING_H

#include "analysis/formulas/formula.h"
#include "assay.h"

#define RANKING_CLAIMS 64
#define RANKING_ABOUT ASSAY_QUANTITIES	/* .about of pies */
#define RANKING_HOLDS 0.01	/* largest error of a claim that holds */

/* What a claim says of one level (pies), or of its quantity (level 0). */
struct ranked_level {
	unsigned judged, fails;
	double worst;		/* signed, as a share */
	char at[96];		/* the shape where that was */
	char first[96], last[96];	/* shapes where it fails */
	double said, right;	/* there, where it was worst */
	const char *by;		/* and who said what is right: "F", "S",
				 * "T" */
	char because[400];
	bool false_zero;	/* said 0 for want of a counter */
};

struct ranked_claim {
	const struct formula_file *file;
	const struct hypothesis *hypothesis;	/* or NULL */
	const struct formula *formula;		/* or NULL */
	char name[80];		/* "h4", "h4:reads" of another variant */
	int about;		/* a quantity, or RANKING_ABOUT */
	const char *zeroed;	/* an event that was read as 0 */
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

/* Who served the accesses of one run, by the time of each. */
struct ranked_times {
	struct assay_quantities value, low, high;
};

/* One record with what is known of it. */
struct ranked_record {
	const struct assay_record *record;
	const struct assay_expectation *expectation;	/* or NULL */
	const struct ranked_times *timed;	/* or NULL; heard where nobody
						 * else says what is true */
	const char *kernel, *shape;
};

/* Adds all claims of a file. -ASSAY_ERANGE if there are too many. */
int ranking_add(struct ranking *c, const struct formula_file *file,
		struct assay_error *err);
/*
 * Adds the metric of that name (of any file; it need not claim anything) as a
 * claim about a quantity. Returns how many metrics there were, or an error.
 */
int ranking_add_metric(struct ranking *c, const struct formula_file *file,
		       const char *metric, int quantity,
		       struct assay_error *err);
/* Forgets what was seen, keeps the claims. */
void ranking_reset(struct ranking *c);
/* Does a claim speak of who served it, and nobody knows that yet? */
bool ranking_wants_time(const struct ranking *c,
			const struct ranked_record *r);
/* Judges every claim on it; a row "size" for each level of each. */
int ranking_add_record(struct ranking *c, const struct ranked_record *r);
/* Ranks them. Claims are sorted by what they are about and by rank. */
void ranking_sort(struct ranking *c);
/* "L1" .. "total", or the quantity that the claim is about. */
const char *ranking_level_name(const struct ranked_claim *claim,
			       unsigned level);
/* Was a counter that is not there read as 0, and is the claim 0 by that? */
bool ranking_false_zero(const struct ranked_claim *claim);
/* Rows "rank", then "level" for what fails. */
int ranking_rows(const struct ranking *c);
/* Rows "difference" between claims about one quantity on a record. */
int ranking_differences(const struct ranking *c,
			const struct assay_record *record);
/* Has any claim about a quantity or pie been compared with a truth? */
bool ranking_judged(const struct ranking *c);
/* Has any claim said anything? */
bool ranking_said(const struct ranking *c);

#endif
