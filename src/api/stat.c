/* SPDX-License-Identifier: MIT */
/*
 * assay_stat(): runs the program as often as it is asked to, each time with
 * the counters of one set, and hands out what was counted.
 */
#include "api/stat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/record.h"
#include "base/text.h"

enum { OWN_FAILURE = 125 };

#define THREAD_NAME 32

struct job {
	const struct assay_stat *stat;
	struct assay *assay;
	assay_stat_fn *fn;
	void *ctx;
	struct stat_plan plan;
	struct stat_spots spots;
	char (*thread)[THREAD_NAME];	/* of each spot, with per_thread */
	struct stat_signals signals;
	struct stat_control control;
	struct assay_trust *trust;
	struct assay_record *record;
	double *user, *system;		/* ns of each run */
	char title[256];
	unsigned runs;			/* complete ones */
	int status;
	/* of the run that goes on */
	const struct follow *follow;
	struct follow_value last[ASSAY_EVENTS];	/* at the last interval */
};

/* ---- results -------------------------------------------------------------- */

static const char on_other_cores[] =
	"the program never ran on a core of this kind";

/* Events that are one event, counted by the PMUs of several kinds of core. */
static bool same_event(const struct group *group, unsigned a, unsigned b)
{
	const char *x = strchr(group->event[a].name, '/');
	const char *y = strchr(group->event[b].name, '/');

	return x && y && !strcmp(x, y);
}

/*
 * Of one kind of core's PMU: what it misses of the program's time, others may
 * have counted; if nothing is missing, nothing is an estimate.
 */
static void judge_cores(const struct stat_plan *plan,
			const struct follow_value *value,
			struct assay_count *count)
{
	const struct group *group = &plan->run.group;

	for (unsigned e = 0; e < group->events; e++) {
		uint64_t running = 0;

		if (!plan->core[e] || count[e].state == ASSAY_COUNT_PRESENT)
			continue;
		for (unsigned f = 0; f < group->events; f++)
			if (plan->core[f] && same_event(group, e, f))
				running += value[f].running;
		if (running < value[e].enabled - value[e].enabled / 1000)
			continue;
		if (value[e].running)
			count[e].state = ASSAY_COUNT_PRESENT;
		else if (running)
			count[e].why = on_other_cores;
	}
}

static void take_counts(const struct job *job,
			const struct follow_value *value, const bool *have,
			struct assay_count *out)
{
	for (unsigned e = 0; e < job->plan.run.group.events; e++)
		if (have[e])
			out[e] = stat_judge(&value[e]);
	if (job->plan.hybrid && !job->stat->cpus)
		judge_cores(&job->plan, value, out);
}

static void name_events(const struct job *job, struct assay_record *record)
{
	const struct group *group = &job->plan.run.group;

	record->machine = job->assay->machine;
	text_copy(record->provider, sizeof(record->provider), "perf");
	text_copy(record->shape.kernel, sizeof(record->shape.kernel),
		  "program");
	text_copy(record->settings.options, sizeof(record->settings.options),
		  job->title);
	for (unsigned e = 0; e < group->events; e++) {
		text_copy(record->event[e].name, ASSAY_NAME,
			  group->event[e].name);
		text_copy(record->event[e].code,
			  sizeof(record->event[e].code), group->event[e].code);
	}
}

static int hand_out(struct job *job, const struct assay_record *record,
		    const struct assay_stat_result *frame,
		    struct assay_error *err)
{
	struct stat_summary *s = malloc(sizeof(*s));
	int rc;

	if (!s)
		return error_set(err, -ASSAY_ENOMEM, "out of memory");
	rc = stat_summarize(s, &job->plan, job->trust, record, err);
	if (rc == 0) {
		struct assay_stat_result result = *frame;

		result.title = job->title;
		result.count = s->result.count;
		result.counts = s->result.counts;
		result.metric = s->result.metric;
		result.metrics = s->result.metrics;
		result.sets = s->result.sets;
		result.about = s->result.about;
		result.status = job->status;
		if (job->fn(job->ctx, &result))
			rc = error_set(err, -ASSAY_ESTOP, "stopped");
		stat_summary_fini(s);
	}
	free(s);
	return rc;
}

static const char asleep[] =
	"not counted: nothing ran meanwhile, or counting was off";

/* A part of a run: an interval or a thread. */
static int hand_out_part(struct job *job, const struct follow_value *value,
			 const bool *have, struct assay_stat_result *frame,
			 struct assay_error *err)
{
	struct assay_record *r = record_new(job->plan.run.group.events, 1);
	int rc;

	if (!r)
		return error_set(err, -ASSAY_ENOMEM, "out of memory");
	name_events(job, r);
	for (unsigned e = 0; e < r->events; e++)
		text_copy(r->event[e].why, ASSAY_WHY, have[e] ?
			  value[e].enabled ? "" : asleep :
			  job->follow->why[e][0] ? job->follow->why[e] :
			  "not counted in this run");
	take_counts(job, value, have, r->counts);
	frame->elapsed.mean.why = frame->user.mean.why =
		frame->system.mean.why = "not measured of a part";
	frame->runs = 1;
	rc = hand_out(job, r, frame, err);
	record_free(r);
	return rc;
}

static int on_interval(void *ctx, uint64_t ns)
{
	struct job *job = ctx;
	struct follow_value now[ASSAY_EVENTS], delta[ASSAY_EVENTS] = { 0 };
	struct assay_stat_result frame = {
		.kind = ASSAY_STAT_INTERVAL, .seconds = (double)ns / 1e9,
	};
	bool have[ASSAY_EVENTS];
	int rc;

	for (unsigned e = 0; e < job->plan.run.group.events; e++) {
		struct follow_value *last = &job->last[e];

		have[e] = follow_read(job->follow, e, &now[e]);
		if (!have[e])
			continue;
		delta[e] = (struct follow_value){
			now[e].value - last->value,
			now[e].enabled - last->enabled,
			now[e].running - last->running,
		};
		*last = now[e];
	}
	rc = hand_out_part(job, delta, have, &frame, NULL);
	return rc;
}

static int hand_out_threads(struct job *job, struct assay_error *err)
{
	struct follow_value value[ASSAY_EVENTS];
	bool have[ASSAY_EVENTS];
	int rc = 0;

	for (size_t s = 0; s < job->spots.spots && !rc; s++) {
		struct assay_stat_result frame = {
			.kind = ASSAY_STAT_THREAD,
			.tid = job->spots.spot[s].pid,
			.thread = job->thread[s],
		};

		for (unsigned e = 0; e < job->plan.run.group.events; e++)
			have[e] = follow_read_spot(job->follow, e, s,
						   &value[e]);
		rc = hand_out_part(job, value, have, &frame, err);
	}
	return rc;
}

/* ---- one run -------------------------------------------------------------- */

static const char too_big[] =
	"its braces hold more events than there are counters";
static const char other_run[] = "counted in another run";

static bool in_run(const struct job *job, unsigned e, unsigned run)
{
	const unsigned set = job->plan.packing.set[e];

	if (set == PACKING_NEVER)	/* tried once, for the reason */
		return run == 0 && !job->plan.packing.together[e];
	return set == PACKING_ALWAYS || set == run % job->plan.packing.sets;
}

static bool counts_on(const void *ctx, unsigned event, int cpu)
{
	const struct stat_plan *plan = ctx;
	const unsigned kind = plan->core[event];

	return !kind || cpulist_has(&plan->hybrid->core[kind - 1].cpus,
				    (unsigned)cpu);
}

static int open_counters(struct job *job, unsigned run, pid_t child,
			 struct follow **out, struct assay_error *err)
{
	const struct follow_spot self = { child, -1 };
	bool left_out[ASSAY_EVENTS];
	struct follow_setup setup = {
		.events = &job->plan.run.group,
		.together = job->plan.together,
		.left_out = left_out, .spot = &self, .spots = 1,
		.counts_on = job->plan.hybrid ? counts_on : NULL,
		.ctx = &job->plan, .inherit = true,
		.on_exec = job->stat->delay_ms == 0,
		.sysroot = job->assay->sysroot,
	};

	for (unsigned e = 0; e < setup.events->events; e++)
		left_out[e] = !in_run(job, e, run);
	if (job->spots.spots) {
		setup.spot = job->spots.spot;
		setup.spots = job->spots.spots;
		setup.inherit = job->spots.inherit;
		setup.on_exec = false;
	}
	return follow_open(out, &setup, err);
}

/* Nothing can be counted: one line for each reason. */
static int nothing_opens(const struct job *job, const struct follow *follow,
			 struct assay_error *err)
{
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

static void read_run(struct job *job, unsigned run)
{
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
	take_counts(job, value, have, r->counts + (size_t)run * r->events);
}

static int go(struct job *job, struct stat_child *child, struct assay_error *err)
{
	if (job->spots.spots && job->stat->delay_ms == 0)
		follow_enable(job->follow);
	if (!child->pid)
		return 0;
	return stat_child_go(child, job->stat->program[0], &job->status, err);
}

static int watch_run(struct job *job, unsigned run, pid_t child,
		     uint64_t start, bool *stopped, struct assay_error *err)
{
	struct stat_watch watch = {
		.stat = job->stat, .signals = &job->signals,
		.control = job->stat->control ? &job->control : NULL,
		.follow = job->follow, .child = child, .spots = &job->spots,
		.start = start,
		.interval = on_interval, .ctx = job,
	};
	int rc;

	memset(job->last, 0, sizeof(job->last));
	rc = stat_watch(&watch, err);
	/* Whoever is still there counts no further while we read. */
	follow_disable(job->follow);
	*stopped = watch.stopped;
	job->status = watch.status;
	job->record->ns[run] = watch.ns;
	job->user[run] = (double)watch.user_ns;
	job->system[run] = (double)watch.system_ns;
	return rc;
}

static int run_once(struct job *job, unsigned run, bool *stopped,
		    struct assay_error *err)
{
	struct stat_child child = { 0 };
	struct follow *follow = NULL;
	uint64_t start;
	int rc = 0;

	if (job->stat->program)
		rc = stat_child_make(&child, job->stat->program,
				     job->stat->pin, &job->signals, err);
	if (rc < 0)
		return rc;
	rc = open_counters(job, run, child.pid, &follow, err);
	if (rc == 0 && run == 0)
		rc = nothing_opens(job, follow, err);
	if (rc < 0) {
		if (child.pid)
			stat_child_drop(&child);
		follow_close(follow);
		return rc;
	}
	job->follow = follow;
	start = stat_now();
	rc = go(job, &child, err);
	if (rc == 0)
		rc = watch_run(job, run, child.pid, start, stopped, err);
	if (rc == 0) {
		read_run(job, run);
		job->runs = run + 1;
		if (job->stat->per_thread)
			rc = hand_out_threads(job, err);
	}
	follow_close(follow);
	job->follow = NULL;
	return rc;
}

/* ---- all runs ------------------------------------------------------------- */

static struct assay_stat_time mean_time(const double *ns, unsigned n,
					bool measured)
{
	struct assay_stat_time t = { .mean = { .why = "not measured" } };

	if (!measured || !n)
		return t;
	t.mean.why = NULL;
	stat_mean(ns, n, &t.mean.number, &t.error);
	return t;
}

static bool anything(const struct assay_record *record)
{
	for (size_t i = 0; i < (size_t)record->repeats * record->events; i++)
		if (record->counts[i].state != ASSAY_COUNT_ABSENT)
			return true;
	return false;
}

/* Why an event that fits no set of the runs that there were has no count. */
static void explain_left_out(struct job *job)
{
	struct assay_record *r = job->record;
	const struct packing *p = &job->plan.packing;

	for (unsigned e = 0; e < r->events; e++)
		if (p->set[e] < PACKING_NEVER && p->set[e] >= job->runs &&
		    !r->event[e].why[0])
			snprintf(r->event[e].why, ASSAY_WHY, "no counter was "
				 "left for it: -r %u counts all in turns, "
				 "--multiplex shares the counters", p->sets);
}

static int finish(struct job *job, struct assay_error *err)
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
	frame.elapsed = mean_time(ns, job->runs, true);
	frame.user = mean_time(job->user, job->runs, child);
	frame.system = mean_time(job->system, job->runs, child);
	rc = record_own_reasons(r) ?
	     error_set(err, -ASSAY_ENOMEM, "out of memory") :
	     hand_out(job, r, &frame, err);
	free(ns);
	if (rc == 0 && !anything(r))
		rc = error_set(err, -ASSAY_EUNAVAIL, "nothing was counted: "
			       "'%s': %s", r->event[0].name,
			       r->event[0].why[0] ? r->event[0].why :
			       r->counts[0].why ? r->counts[0].why : "");
	return rc;
}

static int run_all(struct job *job, struct assay_error *err)
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
	name_events(job, job->record);
	stat_plan_pack(&job->plan, job->stat->multiplex);
	for (unsigned run = 0; run < repeats && !stopped && !rc; run++)
		rc = run_once(job, run, &stopped, err);
	return rc < 0 ? rc : finish(job, err);
}

static void make_title(struct job *job)
{
	const struct assay_stat *s = job->stat;
	char *const *word = s->program;
	size_t used = 0;

	if (s->cpus)
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

static int name_threads(struct job *job, struct assay_error *err)
{
	char path[64];

	if (!job->stat->per_thread)
		return 0;
	job->thread = calloc(job->spots.spots, sizeof(*job->thread));
	if (!job->thread)
		return error_set(err, -ASSAY_ENOMEM, "out of memory");
	for (size_t i = 0; i < job->spots.spots; i++) {
		FILE *file;

		snprintf(path, sizeof(path), "/proc/%d/comm",
			 (int)job->spots.spot[i].pid);
		file = fopen(path, "re");
		if (file && fgets(job->thread[i], THREAD_NAME, file))
			job->thread[i][strcspn(job->thread[i], "\n")] = '\0';
		if (file)
			fclose(file);
	}
	return 0;
}

static int live(struct job *job, struct assay_error *err)
{
	int rc = stat_spots_init(&job->spots, job->stat, job->assay->sysroot,
				 err);

	if (rc < 0)
		return rc;
	make_title(job);
	rc = name_threads(job, err);
	if (rc == 0 && job->stat->control)
		rc = stat_control_open(&job->control, job->stat->control, err);
	if (rc < 0)
		goto out_spots;
	rc = stat_signals_take(&job->signals, err);
	if (rc == 0) {
		rc = run_all(job, err);
		stat_signals_give(&job->signals);
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

/* ---- saved records -------------------------------------------------------- */

/* The events asked for, from one saved record. */
static struct assay_record *pick(const struct stat_plan *plan,
				 const struct assay_record *saved)
{
	const struct group *group = &plan->run.group;
	struct assay_record *r = record_new(group->events, saved->repeats);

	if (!r)
		return NULL;
	r->machine = saved->machine;
	r->settings = saved->settings;
	r->shape = saved->shape;
	r->truth = saved->truth;
	text_copy(r->provider, sizeof(r->provider), saved->provider);
	memcpy(r->ns, saved->ns, saved->repeats * sizeof(*r->ns));
	for (unsigned e = 0; e < group->events; e++) {
		const int from = assay_record_find(saved,
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

static int replay_one(struct job *job, const struct assay_record *saved,
		      bool *counted, struct assay_error *err)
{
	struct assay_record *r = pick(&job->plan, saved);
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
	frame.elapsed = mean_time(ns, saved->repeats, timed);
	frame.user = frame.system = mean_time(NULL, 0, false);
	*counted |= anything(r);
	rc = hand_out(job, r, &frame, err);
out_record:
	free(ns);
	record_free(r);
	return rc;
}

static int replay(struct job *job, struct assay_error *err)
{
	const struct store *saved = &job->plan.run.target.saved;
	bool counted = false;
	int rc = 0;

	for (size_t i = 0; i < saved->records && !rc; i++)
		rc = replay_one(job, saved->record[i], &counted, err);
	if (rc == 0 && !counted)
		rc = error_set(err, -ASSAY_EUNAVAIL, "the saved records have "
			       "none of these events");
	return rc;
}

/* ---- the call ------------------------------------------------------------- */

static int check(const struct assay_stat *s, struct assay_error *err)
{
	const bool saved = s->on && !strncmp(s->on, "replay:", 7);
	const int spots = !!s->cpus + !!s->pids + !!s->tids;
	const char *wrong = NULL;

	if (s->program && !s->program[0])
		wrong = "the program has no name";
	else if (spots > 1)
		wrong = "CPUs, processes and threads exclude each other";
	else if (saved && (s->program || spots || s->control ||
			   s->interval_ms || s->delay_ms || s->repeats > 1 ||
			   s->multiplex || s->per_thread))
		wrong = "a saved record is only read: nothing can be run, "
			"repeated or divided";
	else if (!saved && !s->program && !spots)
		wrong = "what is to be counted? -- PROGRAM, -p, -t or -C";
	else if (s->pin && !s->program)
		wrong = "only a program can be pinned to CPUs";
	else if (s->per_thread && !s->pids && !s->tids)
		wrong = "counting per thread needs -p or -t: the threads that "
			"a program starts are counted together";
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
	struct job *job;
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
	rc = assay_trust_open(&job->trust, assay, stat->on, err);
	if (rc == 0 && job->plan.replay)
		job->status = 0;
	if (rc == 0)
		rc = job->plan.replay ? replay(job, err) : live(job, err);
	assay_trust_close(job->trust);
	stat_plan_fini(&job->plan);
out_job:
	*status = job->status;
	free(job);
	return rc;
}
