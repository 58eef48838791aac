/* SPDX-License-Identifier: MIT */
/*
 * Jobs (struct assay_job): a kernel with its options. assay_run() measures and
 * derives each shape and hands it out; assay_trace_write() writes the accesses
 * of one shape as a trace. An option of the job that would have no effect where
 * the job runs is an error.
 */
#include <stdio.h>
#include <stdlib.h>

#include "run/run.h"
#include "run/slope.h"
#include "timing/timing.h"
#include "timing/time-pie.h"
#include "base/record.h"
#include "base/text.h"
#include "env/env.h"
#include "store/store.h"
#include "store/traces/trace.h"

/* ---- options without effect --------------------------------------------- */

enum where {
	ON_NOTHING,		/* --predict: nothing is run */
	ON_SAVED,		/* --on replay:FILE */
	ON_MODEL,		/* --on sim:CPU */
	ON_CLOCK,		/* --on time */
	ON_COUNTERS,		/* counters of this machine: perf, null ... */
	WHERES
};

/* Options of a job as bits; names[] has their spelling. */
enum what { SLOPE, PIE, REPEATS, WARMUP, CPU, PAGES, ALL_PASSES, WHATS };

static const char *const names[WHATS] = {
	[SLOPE] = "--slope", [PIE] = "--pie", [REPEATS] = "--repeat",
	[WARMUP] = "--warmup", [CPU] = "--cpu", [PAGES] = "--page-size",
	[ALL_PASSES] = "--no-fast-forward",
};

#define A(what) (1u << (what))

/* Where a job runs: the options without effect, and why. */
static const struct { unsigned unused; const char *why; } table[WHERES] = {
	[ON_NOTHING] = { A(SLOPE) | A(PIE) | A(REPEATS),
			 "--predict runs nothing" },
	[ON_SAVED] = { A(REPEATS) | A(WARMUP) | A(CPU) | A(PAGES) |
		       A(ALL_PASSES), "a saved run is not run again" },
	[ON_MODEL] = { A(CPU) | A(PAGES),
		       "it is for runs on this machine, not for a simulation" },
	[ON_CLOCK] = { A(WARMUP) | A(ALL_PASSES),
		       "--on time has its own warm-up, and leaves out none of "
		       "its passes" },
	[ON_COUNTERS] = { A(ALL_PASSES),
			  "only a simulation (sim:CPU) leaves out passes" },
};

static enum where where(const struct run *run)
{
	const struct provider *p = run->target.provider;

	if (run->job->predict)
		return ON_NOTHING;
	if (p->drive == DRIVE_NOTHING)
		return ON_SAVED;
	if (p->drive == DRIVE_TRACED)
		return ON_MODEL;
	return p == &time_provider ? ON_CLOCK : ON_COUNTERS;
}

static unsigned asked(const struct assay_job *job)
{
	return (job->slope ? A(SLOPE) : 0) | (job->pie ? A(PIE) : 0) |
	       (job->repeats ? A(REPEATS) : 0) |
	       (job->warmup_given ? A(WARMUP) : 0) |
	       (job->cpu >= 0 ? A(CPU) : 0) | (job->pages ? A(PAGES) : 0) |
	       (job->no_fast_forward ? A(ALL_PASSES) : 0);
}

static int refuse_unused(const struct run *run, struct assay_error *err)
{
	const enum where here = where(run);
	const unsigned unused = asked(run->job) & table[here].unused;

	for (int i = 0; i < WHATS; i++)
		if (unused & A(i))
			return error_set(err, -ASSAY_EINVAL,
					 "%s would do nothing here: %s",
					 names[i], table[here].why);
	return 0;
}

static int check(const struct run *run, struct assay_error *err)
{
	int rc = refuse_unused(run, err);

	if (rc == 0)
		rc = time_pie_check(run, err);
	return rc ? rc : run_check_length(run, err);
}

/* ---- running ------------------------------------------------------------ */

/* A run and the results of its present shape; big: on the heap. */
struct work {
	struct run run;
	struct derived_metrics derived_metrics;
	struct slopes slopes;
	struct time_pie witness;
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
	metrics_derive(&work->derived_metrics, run, &shape, record);
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
	rc = check(&work->run, err);
	if (rc < 0)
		goto out_run;
	if (work->run.target.provider == &time_provider && !job->predict)
		rc = timing_run(&work->run, &work->derived_metrics, fn, ctx,
				err);
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
		rc = check(run, err);
		*shapes = run->sweep.shapes;
		run_fini(run);
	}
	free(run);
	return rc;
}

/* ---- writing ------------------------------------------------------------ */

int assay_record_write(FILE *out, const struct assay_record *record,
		       struct assay_error *err)
{
	return store_write(out, record, err);
}

static int trace_stream(const struct run *run, const struct assay_shape *shape,
			struct arena *arena, const char *path,
			struct assay_error *err)
{
	struct access_trace trace;
	struct trace_writer *writer;
	int rc = trace_writer_open(&writer, path, err);

	if (rc < 0)
		return rc;
	trace.sink = trace_writer_sink(writer);
	trace.host = (uintptr_t)arena->base;
	trace.base = ACCESS_ARENA_BASE;
	trace.records = 0;
	trace.left_out = 0;
	run->kernel->trace(shape, arena, run->target.isa, &trace);
	access_flush(&trace);
	return trace_writer_close(writer, err);
}

static int trace_shape(const struct run *run, const struct assay_shape *shape,
		       const char *path, struct assay_error *err)
{
	uint64_t bytes = run->kernel->arena_bytes(shape);
	struct arena arena = { 0 };
	int rc = 0;

	if (bytes > SIZE_MAX / 2)
		return error_set(err, -ASSAY_ERANGE, "the shape needs %llu "
				 "bytes", (unsigned long long)bytes);
	if (bytes)
		rc = env_arena_map(&arena, bytes, ARENA_4K, err);
	if (rc < 0)
		return rc;
	if (bytes)
		run->kernel->prepare(shape, &arena);
	rc = trace_stream(run, shape, &arena, path, err);
	env_arena_unmap(&arena);
	return rc;
}

int assay_trace_write(struct assay *assay, const struct assay_job *job,
		      const char *path, struct assay_error *err)
{
	struct assay_shape shape;
	struct run run;
	int rc = run_init(&run, assay, job, err);

	if (rc < 0)
		return rc;
	if (run.sweep.shapes != 1)
		rc = error_set(err, -ASSAY_EINVAL, "a trace is of one shape, "
			       "but the options give %u", run.sweep.shapes);
	if (rc == 0)
		rc = sweep_shape(&run.sweep, 0, &shape, err);
	if (rc == 0)
		rc = trace_shape(&run, &shape, path, err);
	run_fini(&run);
	return rc;
}
