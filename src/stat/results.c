/* SPDX-License-Identifier: MIT */
/*
 * From counter values to the results that the caller gets: one result for all
 * runs; and one for each interval, thread or control group of a run. An absent
 * count has its reason.
 */
#include "stat/stat.h"

#include <stdlib.h>
#include <string.h>

#include "base/record.h"
#include "base/text.h"

static const char on_other_cores[] =
	"the program never ran on a core of this kind";

/* Are events a and b one event, counted by the PMUs of two kinds of core? */
static bool same_event(const struct group *group, unsigned a, unsigned b)
{
	const char *x = strchr(group->event[a].name, '/');
	const char *y = strchr(group->event[b].name, '/');

	return x && y && !strcmp(x, y);
}

/*
 * The PMU of one kind of core counts only while the program runs on such cores,
 * so its running time is shorter than the enabled time. If the running times of
 * all kinds add up to the enabled time (but for 0.1 %), nothing was missed: the
 * counts are exact, not scaled estimates.
 */
static void complete_cores(const struct stat_schedule *schedule,
			const struct follow_value *value,
			struct assay_count *count)
{
	const struct group *group = &schedule->run.group;

	for (unsigned e = 0; e < group->events; e++) {
		uint64_t running = 0;

		if (!schedule->core[e] || count[e].state == ASSAY_COUNT_PRESENT)
			continue;
		for (unsigned f = 0; f < group->events; f++)
			if (schedule->core[f] && same_event(group, e, f))
				running += value[f].running;
		if (running < value[e].enabled - value[e].enabled / 1000)
			continue;
		if (value[e].running)
			count[e].state = ASSAY_COUNT_PRESENT;
		else if (running)
			count[e].why = on_other_cores;
	}
}

/* Why a counter was enabled for no time at all. */
static const char *asleep(const struct stat_job *job)
{
	const struct assay_stat *stat = job->stat;
	const bool part = job->watch != NULL;

	if (!(part ? job->watch->was_on : job->was_on))
		return part ? "not counted: counting was off in this interval" :
			      "not counted: counting was never switched on";
	if (stat->cgroup)
		return part ? "not counted: nothing of the control group ran "
			      "in this interval" :
			      "not counted: nothing of the control group ran";
	if (stat->pids || stat->tids || stat->per_thread)
		return part ? "not counted: it did not run in this interval" :
			      "not counted: it did not run meanwhile";
	return part ? "not counted: the program did not run in this interval" :
		      "not counted: the program did not run meanwhile";
}

bool stat_is_elapsed(const struct stat_job *job, unsigned event)
{
	return text_equal(job->schedule.run.group.event[event].name,
			  events_elapsed);
}

void stat_fill_counts(const struct stat_job *job,
			const struct follow_value *value, const bool *have,
			struct assay_count *out)
{
	for (unsigned e = 0; e < job->schedule.run.group.events; e++) {
		if (!have[e])
			continue;
		out[e] = stat_count_of(&value[e]);
		if (!value[e].enabled && !value[e].running)
			out[e].why = asleep(job);
	}
	if (job->schedule.hybrid && !job->stat->cpus && !job->stat->cgroup)
		complete_cores(&job->schedule, value, out);
}

void stat_name_events(const struct stat_job *job, struct assay_record *record)
{
	const struct group *group = &job->schedule.run.group;

	record->machine = job->assay->machine;
	record->place = job->assay->place;
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

int stat_report(struct stat_job *job, const struct assay_record *record,
		    const struct assay_stat_result *frame,
		    struct assay_error *err)
{
	struct stat_summary *s = calloc(1, sizeof(*s));
	int rc;

	if (!s)
		return error_memory(err);
	rc = stat_summarize(s, &job->schedule, job->trust, record, err);
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

/* Why an event has no count in this run. An event that could not be opened in
 * an earlier run is not tried again: the reason is that run's. */
static const char *not_counted(const struct stat_job *job, unsigned event)
{
	const char *now = job->follow->why[event];
	const char *before = job->record->event[event].why;

	if (stat_is_elapsed(job, event))
		return "the elapsed time is that of the complete run";
	return *now ? now : *before ? before : "not counted in this run";
}

/* The result of a part of a run: an interval, a thread or a control group. */
static int report_part(struct stat_job *job, const struct follow_value *value,
			 const bool *have, struct assay_stat_result *frame,
			 struct assay_error *err)
{
	struct assay_record *r = record_new(job->schedule.run.group.events, 1);
	int rc;

	if (!r)
		return error_memory(err);
	stat_name_events(job, r);
	for (unsigned e = 0; e < r->events; e++)
		text_copy(r->event[e].why, ASSAY_WHY, have[e] ? "" :
			  not_counted(job, e));
	stat_fill_counts(job, value, have, r->counts);
	frame->elapsed.mean.why = frame->user.mean.why =
		frame->system.mean.why = "not measured of a part";
	frame->runs = 1;
	frame->run = job->stat->repeats > 1 ? job->run + 1 : 0;
	rc = stat_report(job, r, frame, err);
	record_free(r);
	return rc;
}

int stat_report_interval(void *ctx, uint64_t ns)
{
	struct stat_job *job = ctx;
	struct follow_value now[ASSAY_EVENTS], delta[ASSAY_EVENTS] = { 0 };
	struct assay_stat_result frame = {
		.kind = ASSAY_STAT_INTERVAL, .seconds = (double)ns / 1e9,
	};
	bool have[ASSAY_EVENTS];
	int rc;

	for (unsigned e = 0; e < job->schedule.run.group.events; e++) {
		struct follow_value *last = &job->last[e];

		have[e] = follow_read(job->follow, e, &now[e]);
		if (!have[e])
			continue;
		if (stat_is_elapsed(job, e))
			now[e] = (struct follow_value){ ns, ns, ns };
		delta[e] = (struct follow_value){
			.value = now[e].value - last->value,
			.enabled = now[e].enabled - last->enabled,
			.running = now[e].running - last->running,
		};
		*last = now[e];
	}
	rc = report_part(job, delta, have, &frame, NULL);
	return rc;
}

/* The result of `spots` spots, from spot `first` on. */
static int report_spots(struct stat_job *job, size_t first, size_t spots,
			  struct assay_stat_result *frame,
			  struct assay_error *err)
{
	struct follow_value value[ASSAY_EVENTS];
	bool have[ASSAY_EVENTS];

	for (unsigned e = 0; e < job->schedule.run.group.events; e++)
		have[e] = !stat_is_elapsed(job, e) &&
			  follow_read_spots(job->follow, e, first, spots,
					    &value[e]);
	return report_part(job, value, have, frame, err);
}

int stat_report_threads(struct stat_job *job, struct assay_error *err)
{
	int rc = 0;

	for (size_t s = 0; s < job->spots.spots && !rc; s++) {
		struct assay_stat_result frame = {
			.kind = ASSAY_STAT_THREAD,
			.tid = job->spots.spot[s].pid,
			.thread = job->thread[s],
		};

		rc = report_spots(job, s, 1, &frame, err);
	}
	return rc;
}

int stat_report_cgroups(struct stat_job *job, struct assay_error *err)
{
	const struct stat_spots *all = &job->spots;
	const size_t each = all->cgroups ? all->spots / all->cgroups : 0;
	int rc = 0;

	for (size_t g = 0; g < all->cgroups && !rc; g++) {
		struct assay_stat_result frame = {
			.kind = ASSAY_STAT_CGROUP,
			.cgroup = all->cgroup[g].name,
		};

		rc = report_spots(job, g * each, each, &frame, err);
	}
	return rc;
}

struct assay_stat_time stat_mean_time(const double *ns, unsigned n,
					bool measured)
{
	struct assay_stat_time t = { .mean = { .why = "not measured" } };

	if (!measured || !n)
		return t;
	t.mean.why = NULL;
	stat_mean(ns, n, &t.mean.number, &t.error);
	return t;
}

bool stat_any_counted(const struct assay_record *record)
{
	for (size_t i = 0; i < (size_t)record->repeats * record->events; i++)
		if (record->counts[i].state != ASSAY_COUNT_ABSENT)
			return true;
	return false;
}
