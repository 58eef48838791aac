/* SPDX-License-Identifier: MIT */
/*
 * One run: opens the counters of its set, starts the program (if there is one),
 * waits until the run has ended, and puts counts, times and noise into row
 * job->run of job->record.
 *
 * Noise: a program is never run again because of noise, since only its user
 * knows what a second run would do. The record is marked instead. Stolen time
 * is read only where there are several runs: reading it takes time.
 */
#include <math.h>
#include <string.h>

#include "stat/stat.h"
#include "base/noise.h"
#include "base/text.h"
#include "env/env.h"

#define LONG_NS 100000000	/* stolen time is counted in ticks of 10 ms, too
				 * coarse for shorter runs */

/* ---- noise --------------------------------------------------------------- */

static void noise_begin(struct stat_job *job)
{
	const struct assay_stat *stat = job->stat;

	if (!stat->program)
		return;
	if (!job->run)
		noise_init(&job->record->noise);
	job->stolen_known = stat->repeats > 1 &&
		env_stolen(&job->stolen, job->assay->sysroot, -1);
}

/*
 * The share of the program's time that the hypervisor took, as if all stolen
 * time had been taken from this program. The program's time is the elapsed
 * time, or the CPU time of its threads if that is longer. -1: not known.
 */
static double stolen_share(const struct stat_job *job,
			   const struct stat_watch *run)
{
	const double used = (double)run->user_ns + (double)run->system_ns;
	double stolen;
	uint64_t ns;

	if (!job->stolen_known || run->ns < LONG_NS ||
	    !env_stolen(&ns, job->assay->sysroot, -1) || ns < job->stolen)
		return -1;
	ns -= job->stolen;
	if (ns <= ENV_TICK_NS)
		return 0;
	stolen = (double)(ns - ENV_TICK_NS);
	return stolen / fmax((double)run->ns, used + stolen);
}

static void noise_end(struct stat_job *job, const struct stat_watch *run)
{
	struct assay_noise *noise = &job->record->noise;
	struct assay_noise_part *steal = &noise->part[ASSAY_NOISE_STEAL];
	double share;

	if (!noise->seen)
		return;
	share = stolen_share(job, run);
	if (share > steal->share)
		steal->share = share;
	noise->preempted += run->preempted;
	noise->disturbed |= noise_beyond(steal);
}

/* ---- the counters -------------------------------------------------------- */

static const char too_big[] =
	"its braces hold more events than there are counters";
static const char other_run[] = "counted in another run";

/*
 * Does the program inherit its counters? They are opened on this process then,
 * enabled on exec: this process calls no exec, so it is never counted, but
 * every process that it starts has them. Counters that are switched on later
 * (a delay, the control FIFO) must be opened on the program itself, which waits
 * before its exec meanwhile.
 */
static bool inherits(const struct stat_job *job)
{
	return job->stat->delay_ms == 0 && !job->stat->control;
}

/* Is each thread of the program counted by itself? */
static bool traced(const struct stat_job *job)
{
	return job->stat->program && job->stat->per_thread &&
	       !job->stat->pids && !job->stat->tids;
}

/* child: 0: this process, from which the program inherits. */
static int open_counters(struct stat_job *job, pid_t child,
			 struct assay_error *err)
{
	const struct follow_spot self = { .pid = child, .cpu = -1 };
	bool left_out[ASSAY_EVENTS];
	struct follow_setup setup;

	stat_follow_setup(job, &setup, left_out);
	if (!job->spots.spots) {
		setup.spot = &self;
		setup.spots = 1;
		setup.inherit = true;
		setup.on_exec = job->stat->delay_ms == 0;
	}
	return follow_open(&job->follow, &setup, err);
}

/* An error, with each reason once, if no event could be opened. */
static int check_any_open(const struct stat_job *job, struct assay_error *err)
{
	const struct follow *follow = job->follow;
	const struct group *group = &job->schedule.run.group;
	const char *last = NULL;

	for (unsigned e = 0; e < group->events; e++)
		if (follow->open[e])
			return 0;
	for (unsigned e = 0; e < group->events; e++) {
		const char *why = job->schedule.packing.together[e] ? too_big :
				  follow->why[e];

		if (!*why || (last && !strcmp(last, why)))
			continue;
		if (!last)
			error_set(err, -ASSAY_EUNAVAIL, "nothing can be "
				  "counted: '%s': %s", group->event[e].name,
				  why);
		else
			error_add(err, "'%s': %s", group->event[e].name, why);
		last = why;
	}
	if (!last)
		error_set(err, -ASSAY_EUNAVAIL, "nothing can be counted");
	return -ASSAY_EUNAVAIL;
}

static void read_run(struct stat_job *job)
{
	const unsigned run = job->run;
	struct assay_record *r = job->record;
	struct follow_value value[ASSAY_EVENTS] = { 0 };
	bool have[ASSAY_EVENTS];

	for (unsigned e = 0; e < r->events; e++) {
		struct assay_count *c = &r->counts[(size_t)run * r->events + e];

		have[e] = follow_read(job->follow, e, &value[e]);
		if (have[e] && stat_is_elapsed(job, e))
			value[e].value = (uint64_t)r->ns[run];
		if (!r->event[e].why[0] && job->follow->why[e][0])
			text_copy(r->event[e].why, ASSAY_WHY,
				  job->follow->why[e]);
		if (job->schedule.packing.together[e])
			text_copy(r->event[e].why, ASSAY_WHY, too_big);
		if (!have[e])
			c->why = r->event[e].why[0] ? r->event[e].why :
						      other_run;
	}
	stat_fill_counts(job, value, have, r->counts + (size_t)run * r->events);
}

/* Starts counting, and the program. */
static int go(struct stat_job *job, struct stat_child *child,
	      struct stat_trace *trace, struct assay_error *err)
{
	const struct assay_stat *stat = job->stat;

	if (job->spots.spots && stat->delay_ms == 0 && !traced(job))
		follow_enable(job->follow);
	if (!stat->program)
		return 0;
	if (child->pid)
		return stat_child_release(child, trace, stat->program[0],
					  &job->status, err);
	return stat_child_start(child, stat->program, stat->pin, job->no_aslr,
				&job->signals, &job->status, err);
}

static int watch_run(struct stat_job *job, pid_t child,
		     struct stat_trace *trace, uint64_t start, bool *stopped,
		     struct assay_error *err)
{
	struct stat_watch watch = {
		.stat = job->stat, .signals = &job->signals,
		.control = job->stat->control ? &job->control : NULL,
		.follow = job->follow, .child = child, .trace = trace,
		.spots = &job->spots,
		.start = start, .on = job->stat->delay_ms == 0,
		.interval = stat_report_interval, .ctx = job,
	};
	int rc;

	memset(job->last, 0, sizeof(job->last));
	job->watch = &watch;
	rc = stat_watch(&watch, err);
	job->watch = NULL;
	job->was_on = watch.ever_on;
	*stopped = watch.stopped;
	job->status = watch.status;
	job->record->ns[job->run] = watch.ns;
	job->user[job->run] = (double)watch.user_ns;
	job->system[job->run] = (double)watch.system_ns;
	noise_end(job, &watch);
	return rc;
}

/* Forks the program if it must wait for its counters, and opens these. */
static int prepare(struct stat_job *job, struct stat_child *child,
		   struct stat_trace *trace, struct assay_error *err)
{
	const struct assay_stat *stat = job->stat;
	int rc = 0;

	if (stat->program && (traced(job) || (!job->spots.spots &&
					      !inherits(job))))
		rc = stat_child_fork(child, stat->program, stat->pin,
				     job->no_aslr, &job->signals, err);
	if (rc < 0)
		return rc;
	rc = trace ? stat_threads_begin(job, trace, child->pid, err) :
		     open_counters(job, child->pid, err);
	if (rc == 0 && job->run == 0)
		rc = check_any_open(job, err);
	if (rc < 0 && child->pid)
		stat_child_drop(child);
	return rc;
}

int stat_run_once(struct stat_job *job, bool *stopped, struct assay_error *err)
{
	struct stat_child child = { 0 };
	struct stat_trace threads = { 0 };
	struct stat_trace *trace = traced(job) ? &threads : NULL;
	uint64_t start;
	int rc = prepare(job, &child, trace, err), ended;

	noise_begin(job);
	start = stat_now();
	if (rc == 0)
		rc = go(job, &child, trace, err);
	if (rc == 0)
		rc = watch_run(job, child.pid, trace, start, stopped, err);
	if (trace) {
		ended = stat_threads_end(trace, rc ? NULL : err);
		rc = rc ? rc : ended;
	}
	if (rc == 0) {
		read_run(job);
		job->runs = job->run + 1;
		if (job->stat->per_thread)
			rc = stat_report_threads(job, err);
		else if (job->spots.cgroups > 1)
			rc = stat_report_cgroups(job, err);
	}
	follow_close(job->follow);
	job->follow = NULL;
	return rc;
}
