/* SPDX-License-Identifier: MIT */
/* A kernel's stream as a trace. */
#include <stdio.h>

#include "run/run.h"
#include "base/text.h"
#include "env/env.h"
#include "store/traces/trace.h"

static int write_stream(const struct run *run, const struct assay_shape *shape,
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

static int write_shape(const struct run *run, const struct assay_shape *shape,
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
	rc = write_stream(run, shape, &arena, path, err);
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
		rc = write_shape(&run, &shape, path, err);
	run_fini(&run);
	return rc;
}
