/* SPDX-License-Identifier: MIT */
/* Jobs: every shape is measured, judged and handed out. */
#include <stdlib.h>

#include "api/judge.h"
#include "base/record.h"
#include "base/text.h"
#include "store/store.h"

static int run_shape(struct run *run, struct judgement *judgement,
		     unsigned index, assay_result_fn *fn, void *ctx,
		     struct assay_error *err)
{
	struct assay_record *record = NULL;
	struct assay_shape shape;
	int rc = sweep_shape(&run->sweep, index, &shape, err);

	if (rc == 0 && !run->job->predict)
		rc = run_measure(run, &shape, &record, err);
	if (rc < 0)
		return rc;
	judge(judgement, run, &shape, record);
	judgement->result.index = index;
	if (fn(ctx, &judgement->result))
		rc = error_set(err, -ASSAY_ESTOP, "stopped");
	record_free(record);
	return rc;
}

int assay_run(struct assay *assay, const struct assay_job *job,
	      assay_result_fn *fn, void *ctx, struct assay_error *err)
{
	struct run *run = calloc(1, sizeof(*run));
	struct judgement *judgement = calloc(1, sizeof(*judgement));
	int rc = -ASSAY_ENOMEM;

	if (!run || !judgement) {
		error_set(err, rc, "out of memory");
		goto out_free;
	}
	rc = run_init(run, assay, job, err);
	if (rc < 0)
		goto out_free;
	for (unsigned i = 0; i < run->sweep.shapes && rc == 0; i++)
		rc = run_shape(run, judgement, i, fn, ctx, err);
	run_fini(run);
out_free:
	free(judgement);
	free(run);
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
