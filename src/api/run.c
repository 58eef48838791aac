/* SPDX-License-Identifier: MIT */
/* Jobs: every shape is measured, judged and handed out. */
#include <stdlib.h>

#include "api/refuse.h"
#include "run/slope.h"
#include "timing/timing.h"
#include "timing/time-pie.h"
#include "base/record.h"
#include "base/text.h"
#include "store/store.h"

/* The room that one job needs besides its run. */
struct work {
	struct run run;
	struct derived_metrics derived_metrics;
	struct slopes slopes;
	struct time_witness witness;
};

static int run_shape(struct work *work, unsigned index, assay_result_fn *fn,
		     void *ctx, struct assay_error *err)
{
	struct run *run = &work->run;
	struct assay_result *result = &work->derived_metrics.result;
	struct assay_record *record = NULL;
	struct assay_shape shape;
	bool complete;
	int rc = sweep_shape(&run->sweep, index, &shape, err);

	if (rc == 0 && !run->job->predict)
		rc = run_measure(run, &shape, &record, err);
	if (rc < 0)
		return rc;
	complete = record && record->repeats == run_repeats(run);
	judge(&work->derived_metrics, run, &shape, record);
	result->index = index;
	if (complete)
		rc = time_pie_add(run, &shape, &work->derived_metrics,
				   &work->witness, err);
	if (rc == 0 && run->job->slope && complete)
		rc = slope_measure(&work->slopes, run, &shape, record, err);
	result->slope = work->slopes.line;
	result->slopes = run->job->slope && complete ? work->slopes.lines : 0;
	result->work = slope_option(run->kernel);
	if (rc == 0 && (fn(ctx, result) || (record && !complete)))
		rc = error_set(err, -ASSAY_ESTOP, "stopped");
	record_free(record);
	return rc;
}

int assay_run(struct assay *assay, const struct assay_job *job,
	      assay_result_fn *fn, void *ctx, struct assay_error *err)
{
	struct work *work = calloc(1, sizeof(*work));
	int rc;

	if (!work)
		return error_set(err, -ASSAY_ENOMEM, "out of memory");
	rc = run_init(&work->run, assay, job, err);
	if (rc < 0)
		goto out_work;
	rc = refuse_job(&work->run, err);
	if (rc == 0)
		rc = time_pie_check(&work->run, err);
	if (rc < 0)
		goto out_run;
	if (work->run.target.provider == &time_provider && !job->predict)
		rc = timing_run(&work->run, &work->derived_metrics, fn, ctx, err);
	else
		for (unsigned i = 0; i < work->run.sweep.shapes && rc == 0; i++)
			rc = run_shape(work, i, fn, ctx, err);
out_run:
	run_fini(&work->run);
out_work:
	free(work);
	return rc;
}

int assay_job_check(struct assay *assay, const struct assay_job *job,
		    unsigned *shapes, struct assay_error *err)
{
	struct run *run = calloc(1, sizeof(*run));
	int rc;

	if (!run)
		return error_set(err, -ASSAY_ENOMEM, "out of memory");
	rc = run_init(run, assay, job, err);
	if (rc == 0) {
		rc = refuse_job(run, err);
		if (rc == 0)
			rc = time_pie_check(run, err);
		*shapes = run->sweep.shapes;
		run_fini(run);
	}
	free(run);
	return rc;
}

int assay_record_write(FILE *out, const struct assay_record *record,
		       struct assay_error *err)
{
	return store_write(out, record, err);
}
