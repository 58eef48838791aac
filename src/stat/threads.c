/* SPDX-License-Identifier: MIT */
/* The threads of a program, or of a process: their names, and counters of
 * those that begin while it runs. */
#include "stat/job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

void stat_name_thread(struct stat_job *job, size_t spot, pid_t tid)
{
	char path[64], name[THREAD_NAME];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/comm", (int)tid);
	file = fopen(path, "re");
	if (file && fgets(name, sizeof(name), file)) {
		name[strcspn(name, "\n")] = '\0';
		text_copy(job->thread[spot], THREAD_NAME, name);
	}
	if (file)
		fclose(file);
}

int stat_name_threads(struct stat_job *job, struct assay_error *err)
{
	if (!job->stat->per_thread || !job->spots.spots)
		return 0;
	job->thread = calloc(job->spots.spots, sizeof(*job->thread));
	if (!job->thread)
		return error_set(err, -ASSAY_ENOMEM, "out of memory");
	for (size_t i = 0; i < job->spots.spots; i++)
		stat_name_thread(job, i, job->spots.spot[i].pid);
	return 0;
}

/* ---- a program's ---------------------------------------------------------- */

static int grow(struct stat_job *job, pid_t tid)
{
	const size_t n = job->spots.spots + 1;
	struct follow_spot *spot = realloc(job->spots.spot, n * sizeof(*spot));
	char (*thread)[THREAD_NAME];

	if (!spot)
		return -ASSAY_ENOMEM;
	job->spots.spot = spot;
	thread = realloc(job->thread, n * sizeof(*thread));
	if (!thread)
		return -ASSAY_ENOMEM;
	job->thread = thread;
	spot[n - 1] = (struct follow_spot){ .pid = tid, .cpu = -1 };
	memset(thread[n - 1], 0, THREAD_NAME);
	job->spots.spots = n;
	return 0;
}

static int add(void *ctx, pid_t tid, size_t *spot)
{
	struct stat_job *job = ctx;
	bool left_out[ASSAY_EVENTS];
	struct follow_setup setup;
	int rc = grow(job, tid);

	if (rc < 0)
		return rc;
	*spot = job->spots.spots - 1;
	stat_name_thread(job, *spot, tid);
	stat_setup(job, &setup, left_out);
	/* The first waits for its exec; all others are stopped, and run when
	 * they may. */
	setup.on_exec = *spot == 0 && job->stat->delay_ms == 0;
	setup.inherit = false;
	rc = *spot == 0 ? follow_open(&job->follow, &setup, NULL) :
			  follow_add(job->follow, &setup);
	if (rc == 0 && *spot > 0 && job->watch && job->watch->on)
		follow_enable_spot(job->follow, *spot);
	return rc;
}

static void name(void *ctx, size_t spot, pid_t tid)
{
	stat_name_thread(ctx, spot, tid);
}

static void gone(void *ctx, size_t spot)
{
	struct stat_job *job = ctx;

	follow_retire(job->follow, spot);
}

int stat_threads_begin(struct stat_job *job, struct stat_trace *trace,
		       pid_t child, struct assay_error *err)
{
	int rc;

	job->spots.spots = 0;
	*trace = (struct stat_trace){ .add = add, .name = name, .gone = gone,
				      .ctx = job };
	rc = stat_trace_begin(trace, child, err);
	if (rc == -ASSAY_ENOMEM)
		error_set(err, rc, "out of memory");
	return rc;
}

int stat_threads_end(struct stat_trace *trace, struct assay_error *err)
{
	stat_trace_end(trace);
	if (trace->failed == -ASSAY_ERANGE)
		return error_set(err, trace->failed, "more than %d threads: "
				 "count them together, without --per-thread",
				 FOLLOW_SPOTS);
	if (trace->failed)
		return error_set(err, trace->failed, "out of memory");
	return 0;
}
