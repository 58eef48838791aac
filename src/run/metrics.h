/* SPDX-License-Identifier: MIT */
/* From a record to pies, metrics and comparisons. */
#ifndef RUN_METRICS_H
#define RUN_METRICS_H

#include "run/run.h"

#define METRICS_PIES 64
#define METRICS_MOST 128
#define METRICS_COMPARED 160

/* All that is derived from one record; big: on the heap. */
struct derived_metrics {
	struct assay_result result;
	struct assay_expectation expectation;
	struct assay_pie pie[METRICS_PIES];
	struct assay_metric metric[METRICS_MOST];
	struct assay_compared compared[METRICS_COMPARED];
};

/* record: NULL for a prediction only. Everything in out borrows from the
 * arguments. */
void metrics_derive(struct derived_metrics *out, const struct run *run,
	   const struct assay_shape *shape, const struct assay_record *record);

/* Why the quantity's prediction does not hold for the memory that the record
 * had; NULL: it does. */
const char *metrics_pages_differ(const struct assay_record *record, int quantity);

/* One more pie, behind those that are there. */
void metrics_add_pie(struct derived_metrics *derived_metrics, const struct assay_pie *pie);

#endif
