/* SPDX-License-Identifier: MIT */
/*
 * assay_stat(): checks what is asked for, runs the program as often as asked,
 * each time with the counters of one set (run-once.c), and hands out the
 * results. With --on replay:FILE nothing runs: the results are those of the
 * saved records.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stat/stat.h"
#include "base/record.h"
#include "base/text.h"
#include "counters/perf-group.h"

enum { OWN_FAILURE = 125 };	/* the exit status of assay's own errors */

/* ---- all runs ------------------------------------------------------------ */

/* Breakpoint registers are not multiplexed: --multiplex would not help. */
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

/* The reason of each event whose set was never run: there were fewer runs than
 * sets. */
static void explain_left_out(struct stat_job *job)
{
	struct assay_record *r = job->record;
	const struct packing *p = &job->schedule.packing;
	struct perf_limits place = { .watchdog = false };

	if (p->sets > job->runs)
		perf_limits_read(&place, job->assay->sysroot);
	for (unsigned e = 0; e < r->events; e++)
		if (p->set[e] < PACKING_NEVER && p->set[e] >= job->runs &&
		    !r->event[e].why[0])
			no_counter(r->event[e].why,
				   job->schedule.run.group.event[e].family ==
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
		return error_memory(err);
	r->repeats = job->runs;
	explain_left_out(job);
	for (unsigned i = 0; i < job->runs; i++)
		ns[i] = (double)r->ns[i];
	frame.elapsed = stat_mean_time(ns, job->runs, true);
	frame.user = stat_mean_time(job->user, job->runs, child);
	frame.system = stat_mean_time(job->system, job->runs, child);
	rc = record_own_reasons(r) ? error_memory(err) :
	     stat_report(job, r, &frame, err);
	free(ns);
	if (rc == 0 && !stat_any_counted(r))
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
	job->record = record_new(job->schedule.run.group.events, repeats);
	job->user = calloc(repeats, sizeof(*job->user));
	job->system = calloc(repeats, sizeof(*job->system));
	if (!job->record || !job->user || !job->system)
		return error_memory(err);
	stat_name_events(job, job->record);
	stat_schedule_pack(&job->schedule, job->stat->multiplex);
	for (job->run = 0; job->run < repeats && !stopped && !rc; job->run++)
		rc = stat_run_once(job, &stopped, err);
	return rc < 0 ? rc : finish(job, err);
}

static void make_title(struct stat_job *job)
{
	const struct assay_stat *s = job->stat;
	char *const *word = s->program;

	if (s->cgroup)
		snprintf(job->title, sizeof(job->title),
			 "control group%s %.150s%s%.60s",
			 job->spots.cgroups > 1 ? "s" : "", s->cgroup,
			 s->cpus ? " on CPUs " : "", s->cpus ? s->cpus : "");
	else if (s->cpus)
		snprintf(job->title, sizeof(job->title), "CPUs %.200s",
			 s->cpus);
	else if (s->pids || s->tids)
		snprintf(job->title, sizeof(job->title), "%s %.200s",
			 s->pids ? "process" : "thread",
			 s->pids ? s->pids : s->tids);
	else
		for (; word && *word; word++)
			text_add(job->title, sizeof(job->title), " ", "%s",
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
	rc = process_signals_block(&job->signals, err);
	if (rc == 0) {
		rc = run_all(job, err);
		process_signals_restore(&job->signals);
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

/* ---- saved records ------------------------------------------------------- */

/* A copy of a saved record with only the events that were asked for. */
static struct assay_record *pick(const struct stat_schedule *schedule,
				 const struct assay_record *saved)
{
	const struct group *group = &schedule->run.group;
	struct assay_record *r = record_new(group->events, saved->repeats);

	if (!r)
		return NULL;
	r->machine = saved->machine;
	r->settings = saved->settings;
	r->noise = saved->noise;
	r->shape = saved->shape;
	r->truth = saved->truth;
	text_copy(r->provider, sizeof(r->provider), saved->provider);
	memcpy(r->ns, saved->ns, saved->repeats * sizeof(*r->ns));
	for (unsigned e = 0; e < group->events; e++) {
		const int from = record_find_plain(saved,
						   group->event[e].name);

		if (from >= 0)
			r->event[e] = saved->event[from];
		text_copy(r->event[e].name, ASSAY_NAME, group->event[e].name);
		if (from < 0)
			text_copy(r->event[e].why, ASSAY_WHY, "not recorded: "
				  "the saved record has no such event");
		for (unsigned k = 0; k < saved->repeats && from >= 0; k++)
			r->counts[(size_t)k * r->events + e] =
				saved->counts[(size_t)k * saved->events +
					      (unsigned)from];
	}
	return r;
}

static int replay_one(struct stat_job *job, const struct assay_record *saved,
		      bool *counted, struct assay_error *err)
{
	struct assay_record *r = pick(&job->schedule, saved);
	struct assay_stat_result frame = { .record = r };
	bool timed = saved->repeats > 0;
	double *ns = calloc(saved->repeats + 1, sizeof(*ns));
	int rc = -ASSAY_ENOMEM;

	if (!r || !ns || record_own_reasons(r)) {
		error_set(err, rc, "out of memory");
		goto out_record;
	}
	for (unsigned i = 0; i < saved->repeats; i++) {
		ns[i] = (double)saved->ns[i];
		timed = timed && saved->ns[i];
	}
	text_copy(job->title, sizeof(job->title), saved->settings.options[0] ?
		  saved->settings.options : saved->shape.kernel);
	frame.runs = saved->repeats;
	frame.elapsed = stat_mean_time(ns, saved->repeats, timed);
	frame.user = frame.system = stat_mean_time(NULL, 0, false);
	*counted |= stat_any_counted(r);
	rc = stat_report(job, r, &frame, err);
out_record:
	free(ns);
	record_free(r);
	return rc;
}

static int replay(struct stat_job *job, struct assay_error *err)
{
	const struct store *saved = &job->schedule.run.target.saved;
	bool counted = false;
	int rc = 0;

	for (size_t i = 0; i < saved->records && !rc; i++)
		rc = replay_one(job, saved->record[i], &counted, err);
	if (rc == 0 && !counted)
		rc = error_set(err, -ASSAY_EUNAVAIL, "the saved records have "
			       "none of these events");
	return rc;
}

/* ---- the call ------------------------------------------------------------ */

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
		return error_memory(err);
	job->stat = stat;
	job->assay = assay;
	job->fn = fn;
	job->ctx = ctx;
	job->status = OWN_FAILURE;
	rc = stat_schedule_init(&job->schedule, assay, stat, err);
	if (rc < 0)
		goto out_job;
	job->no_aslr = stat_needs_symbols(&job->schedule.run.group);
	if (job->no_aslr)
		rc = stat_find_symbols(&job->schedule.run.group, stat);
	if (rc > 0)
		rc = stat_exec_failed(rc, stat->program[0], &job->status, err);
	if (rc == 0)
		rc = assay_trust_open(&job->trust, assay, stat->on, err);
	if (rc == 0 && job->schedule.replay)
		job->status = 0;
	if (rc == 0)
		rc = job->schedule.replay ? replay(job, err) : live(job, err);
	assay_trust_close(job->trust);
	stat_schedule_fini(&job->schedule);
out_job:
	*status = job->status;
	free(job);
	return rc;
}
