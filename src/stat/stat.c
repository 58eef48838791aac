/* SPDX-License-Identifier: MIT */
/*
 * assay_stat(): runs the program as often as it is asked to, each time with
 * the counters of one set, and hands out what was counted.
 */
#include "stat/job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/record.h"
#include "base/text.h"
#include "counters/perf-group.h"

enum { OWN_FAILURE = 125 };

/* ---- one run -------------------------------------------------------------- */

static const char too_big[] =
	"its braces hold more events than there are counters";
static const char other_run[] = "counted in another run";

/*
 * Is the program counted by what it inherits? Counters that wait for an exec
 * are opened on ourselves then: they never count us, as we call none, but
 * whatever we start has them. To be switched on by hand, they must be opened
 * on the program, which waits for it.
 */
static bool inherits(const struct stat_job *job)
{
	return job->stat->delay_ms == 0 && !job->stat->control;
}

/* Is each of its threads counted by itself? */
static bool traced(const struct stat_job *job)
{
	return job->stat->program && job->stat->per_thread &&
	       !job->stat->pids && !job->stat->tids;
}

/* child: 0: ourselves. */
static int open_counters(struct stat_job *job, pid_t child,
			 struct assay_error *err)
{
	const struct follow_spot self = { .pid = child, .cpu = -1 };
	bool left_out[ASSAY_EVENTS];
	struct follow_setup setup;

	stat_setup(job, &setup, left_out);
	if (!job->spots.spots) {
		setup.spot = &self;
		setup.spots = 1;
		setup.inherit = true;
		setup.on_exec = job->stat->delay_ms == 0;
	}
	return follow_open(&job->follow, &setup, err);
}

/* Nothing can be counted: one line for each reason. */
static int nothing_opens(const struct stat_job *job, struct assay_error *err)
{
	const struct follow *follow = job->follow;
	const struct group *group = &job->plan.run.group;
	const char *last = NULL;

	for (unsigned e = 0; e < group->events; e++)
		if (follow->open[e])
			return 0;
	for (unsigned e = 0; e < group->events; e++) {
		const char *why = job->plan.packing.together[e] ? too_big :
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
		if (!r->event[e].why[0] && job->follow->why[e][0])
			text_copy(r->event[e].why, ASSAY_WHY,
				  job->follow->why[e]);
		if (job->plan.packing.together[e])
			text_copy(r->event[e].why, ASSAY_WHY, too_big);
		if (!have[e])
			c->why = r->event[e].why[0] ? r->event[e].why :
						      other_run;
	}
	stat_take_counts(job, value, have, r->counts + (size_t)run * r->events);
}

static int go(struct stat_job *job, struct stat_child *child,
	      struct assay_error *err)
{
	const struct assay_stat *stat = job->stat;

	if (job->spots.spots && stat->delay_ms == 0 && !traced(job))
		follow_enable(job->follow);
	if (!stat->program)
		return 0;
	if (child->pid)
		return stat_child_go(child, stat->program[0], &job->status,
				     err);
	return stat_child_start(child, stat->program, stat->pin, job->fixed,
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
		.interval = stat_on_interval, .ctx = job,
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
	stat_noise_end(job, &watch);
	return rc;
}

/* Counters that are open, and a program that waits if it must. */
static int prepare(struct stat_job *job, struct stat_child *child,
		   struct stat_trace *trace, struct assay_error *err)
{
	const struct assay_stat *stat = job->stat;
	int rc = 0;

	if (stat->program && (traced(job) || (!job->spots.spots &&
					      !inherits(job))))
		rc = stat_child_make(child, stat->program, stat->pin,
				     job->fixed, &job->signals, err);
	if (rc < 0)
		return rc;
	rc = trace ? stat_threads_begin(job, trace, child->pid, err) :
		     open_counters(job, child->pid, err);
	if (rc == 0 && job->run == 0)
		rc = nothing_opens(job, err);
	if (rc < 0 && child->pid)
		stat_child_drop(child);
	return rc;
}

static int run_once(struct stat_job *job, bool *stopped,
		    struct assay_error *err)
{
	struct stat_child child = { 0 };
	struct stat_trace threads = { 0 };
	struct stat_trace *trace = traced(job) ? &threads : NULL;
	uint64_t start;
	int rc = prepare(job, &child, trace, err), ended;

	stat_noise_begin(job);
	start = stat_now();
	if (rc == 0)
		rc = go(job, &child, err);
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
			rc = stat_hand_out_threads(job, err);
		else if (job->spots.cgroups > 1)
			rc = stat_hand_out_cgroups(job, err);
	}
	follow_close(job->follow);
	job->follow = NULL;
	return rc;
}

/* ---- all runs ------------------------------------------------------------- */

/* Breakpoint registers are held, never shared in time. */
static void no_counter(char why[ASSAY_WHY], bool breakpoint, bool watchdog,
		       unsigned sets)
{
	if (breakpoint)
		snprintf(why, ASSAY_WHY, "no breakpoint register was left for "
			 "it (most CPUs have 4): -r %u counts all in turns",
			 sets);
	else
		snprintf(why, ASSAY_WHY, "no counter was left for it%s: -r %u "
			 "counts all in turns, --multiplex shares the counters",
			 watchdog ? " (the NMI watchdog holds one)" : "", sets);
}

/* Why an event that fits no set of the runs that there were has no count. */
static void explain_left_out(struct stat_job *job)
{
	struct assay_record *r = job->record;
	const struct packing *p = &job->plan.packing;
	struct perf_place place = { .watchdog = false };

	if (p->sets > job->runs)
		perf_place_read(&place, job->assay->sysroot);
	for (unsigned e = 0; e < r->events; e++)
		if (p->set[e] < PACKING_NEVER && p->set[e] >= job->runs &&
		    !r->event[e].why[0])
			no_counter(r->event[e].why,
				   job->plan.run.group.event[e].family ==
				   ENCODING_BREAKPOINT, place.watchdog,
				   p->sets);
}

static int finish(struct stat_job *job, struct assay_error *err)
{
	struct assay_record *r = job->record;
	struct assay_stat_result frame = { .record = r, .runs = job->runs };
	const bool child = job->stat->program != NULL;
	double *ns = calloc(job->runs + 1, sizeof(*ns));
	int rc;

	if (!ns)
		return error_set(err, -ASSAY_ENOMEM, "out of memory");
	r->repeats = job->runs;
	explain_left_out(job);
	for (unsigned i = 0; i < job->runs; i++)
		ns[i] = (double)r->ns[i];
	frame.elapsed = stat_mean_time(ns, job->runs, true);
	frame.user = stat_mean_time(job->user, job->runs, child);
	frame.system = stat_mean_time(job->system, job->runs, child);
	rc = record_own_reasons(r) ?
	     error_set(err, -ASSAY_ENOMEM, "out of memory") :
	     stat_hand_out(job, r, &frame, err);
	free(ns);
	if (rc == 0 && !stat_anything(r))
		rc = error_set(err, -ASSAY_EUNAVAIL, "nothing was counted: "
			       "'%s': %s", r->event[0].name,
			       r->event[0].why[0] ? r->event[0].why :
			       r->counts[0].why ? r->counts[0].why : "");
	return rc;
}

static int run_all(struct stat_job *job, struct assay_error *err)
{
	const unsigned repeats = job->stat->program && job->stat->repeats ?
				 job->stat->repeats : 1;
	bool stopped = false;
	int rc = 0;

	if (repeats > STAT_RUNS)
		return error_set(err, -ASSAY_ERANGE, "more than %d runs",
				 STAT_RUNS);
	job->record = record_new(job->plan.run.group.events, repeats);
	job->user = calloc(repeats, sizeof(*job->user));
	job->system = calloc(repeats, sizeof(*job->system));
	if (!job->record || !job->user || !job->system)
		return error_set(err, -ASSAY_ENOMEM, "out of memory");
	stat_name_events(job, job->record);
	stat_plan_pack(&job->plan, job->stat->multiplex);
	for (job->run = 0; job->run < repeats && !stopped && !rc; job->run++)
		rc = run_once(job, &stopped, err);
	return rc < 0 ? rc : finish(job, err);
}

static void make_title(struct stat_job *job)
{
	const struct assay_stat *s = job->stat;
	char *const *word = s->program;
	size_t used = 0;

	if (s->cgroup)
		snprintf(job->title, sizeof(job->title),
			 "control group%s %.150s%s%.60s",
			 job->spots.cgroups > 1 ? "s" : "", s->cgroup,
			 s->cpus ? " on CPUs " : "", s->cpus ? s->cpus : "");
	else if (s->cpus)
		snprintf(job->title, sizeof(job->title), "CPUs %.200s", s->cpus);
	else if (s->pids || s->tids)
		snprintf(job->title, sizeof(job->title), "%s %.200s",
			 s->pids ? "process" : "thread",
			 s->pids ? s->pids : s->tids);
	else
		for (; word && *word && used < sizeof(job->title); word++)
			used += (size_t)snprintf(job->title + used,
						 sizeof(job->title) - used,
						 "%s%s", used ? " " : "",
						 *word);
}

static int live(struct stat_job *job, struct assay_error *err)
{
	int rc = stat_spots_init(&job->spots, job->stat, job->assay->sysroot,
				 err);

	if (rc < 0)
		return rc;
	make_title(job);
	rc = stat_name_threads(job, err);
	if (rc == 0 && job->stat->control)
		rc = stat_control_open(&job->control, job->stat->control, err);
	if (rc < 0)
		goto out_spots;
	rc = process_signals_take(&job->signals, err);
	if (rc == 0) {
		rc = run_all(job, err);
		process_signals_give(&job->signals);
	}
	if (job->stat->control)
		stat_control_close(&job->control);
out_spots:
	free(job->thread);
	stat_spots_fini(&job->spots);
	record_free(job->record);
	free(job->user);
	free(job->system);
	return rc;
}

/* ---- the call ------------------------------------------------------------- */

static int check(const struct assay_stat *s, struct assay_error *err)
{
	const bool saved = s->on && !strncmp(s->on, "replay:", 7);
	const int spots = (s->cpus || s->cgroup) + !!s->pids + !!s->tids;
	const char *wrong = NULL;

	if (s->program && !s->program[0])
		wrong = "the program has no name";
	else if (spots > 1)
		wrong = "CPUs or a control group, processes and threads "
			"exclude each other";
	else if (saved && (s->program || spots || s->control ||
			   s->interval_ms || s->delay_ms || s->repeats > 1 ||
			   s->multiplex || s->per_thread))
		wrong = "a saved record is only read: nothing can be run, "
			"repeated or divided";
	else if (!saved && !s->program && !spots)
		wrong = "what is to be counted? -- PROGRAM, -p, -t, -C "
			"or -G";
	else if (s->pin && !s->program)
		wrong = "only a program can be pinned to CPUs";
	else if (s->per_thread && (s->cpus || s->cgroup))
		wrong = "counting per thread needs a program, -p or -t: what "
			"runs on CPUs or in a control group is counted "
			"together";
	else if (s->repeats > 1 && !s->program)
		wrong = "only a program can be run several times";
	else if (s->delay_ms < ASSAY_STAT_WAIT)
		wrong = "a delay is 0 or more milliseconds, or -1";
	else if (s->delay_ms == ASSAY_STAT_WAIT && !s->control)
		wrong = "waiting for 'enable' needs a control FIFO";
	return wrong ? error_set(err, -ASSAY_EINVAL, "%s", wrong) : 0;
}

int assay_stat(struct assay *assay, const struct assay_stat *stat,
	       assay_stat_fn *fn, void *ctx, int *status,
	       struct assay_error *err)
{
	struct stat_job *job;
	int rc = check(stat, err);

	*status = OWN_FAILURE;
	if (rc < 0)
		return rc;
	job = calloc(1, sizeof(*job));
	if (!job)
		return error_set(err, -ASSAY_ENOMEM, "out of memory");
	job->stat = stat;
	job->assay = assay;
	job->fn = fn;
	job->ctx = ctx;
	job->status = OWN_FAILURE;
	rc = stat_plan_init(&job->plan, assay, stat, err);
	if (rc < 0)
		goto out_job;
	job->fixed = stat_needs_symbols(&job->plan.run.group);
	if (job->fixed)
		rc = stat_find_symbols(&job->plan.run.group, stat);
	if (rc > 0)
		rc = stat_not_run(rc, stat->program[0], &job->status, err);
	if (rc == 0)
		rc = assay_trust_open(&job->trust, assay, stat->on, err);
	if (rc == 0 && job->plan.replay)
		job->status = 0;
	if (rc == 0)
		rc = job->plan.replay ? stat_replay(job, err) : live(job, err);
	assay_trust_close(job->trust);
	stat_plan_fini(&job->plan);
out_job:
	*status = job->status;
	free(job);
	return rc;
}
