/* SPDX-License-Identifier: MIT */
/*
 * From a record to what people compare: pies (accesses by level), metrics
 * (values of formulas), and predicted against measured quantities.
 */
#ifndef RUN_METRICS_H
#define RUN_METRICS_H

#include "run/run.h"

/* The most pies of a record; further ones are left out. */
#define METRICS_PIES 64
#define METRICS_VALUES 128
#define METRICS_COMPARED 160

/* All that is derived from one record. Large: allocate it on the heap. */
struct derived_metrics {
	struct assay_result result;
	char guessed[32];
	struct assay_expectation expectation;
	struct assay_pie pie[METRICS_PIES];
	struct assay_metric metric[METRICS_VALUES];
	struct assay_compared compared[METRICS_COMPARED];
};

/*
 * Fills *out for one shape of the run. record: NULL for the prediction only.
 * *out borrows from all arguments, and result.pie etc. point into *out.
 */
void metrics_derive(struct derived_metrics *out, const struct run *run,
		    const struct assay_shape *shape,
		    const struct assay_record *record);

/*
 * Why the prediction of a quantity does not hold for the page size that the
 * record's memory had (static); NULL: the prediction holds.
 */
const char *metrics_pages_differ(const struct assay_record *record,
				 int quantity);

/* Appends a pie; what it points to must outlive *derived. */
void metrics_add_pie(struct derived_metrics *derived,
		     const struct assay_pie *pie);

#endif
