/* SPDX-License-Identifier: MIT */
/* From a record to pies, metrics and comparisons. */
#ifndef RUN_METRICS_H
#define RUN_METRICS_H

#include "run/run.h"

#define JUDGE_PIES 64
#define JUDGE_METRICS 128
#define JUDGE_COMPARED 160

/* All that is derived from one record; big: on the heap. */
struct judgement {
	struct assay_result result;
	struct assay_expectation expectation;
	struct assay_pie pie[JUDGE_PIES];
	struct assay_metric metric[JUDGE_METRICS];
	struct assay_compared compared[JUDGE_COMPARED];
};

/* record: NULL for a prediction only. Everything in out borrows from the
 * arguments. */
void judge(struct judgement *out, const struct run *run,
	   const struct assay_shape *shape, const struct assay_record *record);

/* Why the quantity's prediction does not hold for the memory that the record
 * had; NULL: it does. */
const char *judge_pages(const struct assay_record *record, int quantity);

/* One more pie, behind those that are there. */
void judge_add_pie(struct judgement *judgement, const struct assay_pie *pie);

#endif
