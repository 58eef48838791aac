/* SPDX-License-Identifier: MIT */
/*
 * Makes the schedule of a call: which events are counted in which run.
 *
 * Input: the names of struct assay_stat (events with braces, formula files,
 * groups, a saved record). The events come from the list, from the formulas, or
 * from default_events. On machines with several kinds of core each event of a
 * core is repeated for each kind. Output: struct stat_schedule, whose packing
 * divides the events into sets that fit the counters.
 */
#include <stdlib.h>
#include <string.h>

#include "run/formulas.h"
#include "stat/stat.h"
#include "base/text.h"
#include "events/hybrid.h"

/* Counted if the caller names no events, formulas or groups. */
static const char default_events[] =
	"task-clock,context-switches,cpu-migrations,page-faults,"
	"instructions,cycles,branches,branch-misses,cache-misses";

/* Parses one piece of the list: the events in a brace, or those between two
 * braces. */
static int parse_piece(struct stat_schedule *schedule, const char *text,
		       size_t length, unsigned char brace,
		       struct assay_error *err)
{
	struct run *run = &schedule->run;
	const unsigned before = run->group.events;
	char *piece = strndup(text, length);
	int rc;

	if (!piece)
		return error_memory(err);
	rc = events_parse(&run->group, piece, &run->target.events, err);
	for (unsigned e = before; e < run->group.events; e++)
		schedule->brace[e] = brace;
	free(piece);
	return rc;
}

static int parse_braces(struct stat_schedule *schedule, const char **list,
			unsigned char brace, struct assay_error *err)
{
	const char *text = *list + 1;
	const size_t length = strcspn(text, "{}");

	if (text[length] != '}')
		return error_set(err, -ASSAY_EINVAL, "'%.40s': the brace is "
				 "not closed", *list);
	if (brace >= ASSAY_EVENTS)
		return error_set(err, -ASSAY_ERANGE, "more than %d braces",
				 ASSAY_EVENTS);
	*list = text + length + 1;
	if (**list && **list != ',')
		return error_set(err, -ASSAY_EINVAL, "'%.40s': nothing but a "
				 "comma follows a brace; modifiers belong to "
				 "each event", *list);
	return parse_piece(schedule, text, length, brace, err);
}

static int parse_loose(struct stat_schedule *schedule, const char **list,
		       struct assay_error *err)
{
	const char *text = *list;
	size_t length = strcspn(text, "{");

	*list = text + length;
	if (**list) {
		if (text[length - 1] != ',')
			return error_set(err, -ASSAY_EINVAL, "'%.40s': a comma "
					 "is missing before the brace", *list);
		length--;
	}
	return parse_piece(schedule, text, length, PACKING_LOOSE, err);
}

static int parse_events(struct stat_schedule *schedule, const char *list,
			struct assay_error *err)
{
	unsigned char brace = 0;
	int rc = 0;

	if (!*list)
		return error_set(err, -ASSAY_EINVAL, "no events are named");
	while (*list && !rc) {
		if (*list != '{') {
			rc = parse_loose(schedule, &list, err);
			continue;
		}
		rc = parse_braces(schedule, &list, brace++, err);
		if (!rc && *list == ',' && !*++list)
			rc = error_set(err, -ASSAY_EINVAL, "the list of events "
				       "ends with a comma");
	}
	return rc;
}

/* Adds each event of the saved records once. */
static int parse_saved(struct stat_schedule *schedule, struct assay_error *err)
{
	const struct store *saved = &schedule->run.target.saved;
	const struct group *group = &schedule->run.group;
	int rc = 0;

	for (size_t i = 0; i < saved->records && !rc; i++) {
		const struct assay_record *r = saved->record[i];

		for (unsigned e = 0; e < r->events && !rc; e++) {
			const char *name = r->event[e].name;
			bool known = false;

			for (unsigned k = 0; k < group->events; k++)
				known |= text_equal(name, group->event[k].name);
			if (!known)
				rc = parse_piece(schedule, name, strlen(name),
						 PACKING_LOOSE, err);
		}
	}
	return rc;
}

/* The name that formula files for events of Linux itself match: these have the
 * same names on every CPU. */
static const char linux_name[] = "linux";

/* The name that formula files are matched against. */
static const char *cpu_name(const struct stat_schedule *schedule)
{
	const struct target *t = &schedule->run.target;
	const struct cpu *host = NULL;

	if (schedule->replay && t->saved.records)
		return t->saved.record[0]->machine.cpu;
	if (t->events.find_cpu)
		host = t->events.find_cpu(t->events.ctx);
	return host ? host->name : linux_name;
}

/* Loads the formula files of -M, and for -g those that match the CPU. */
static int load_formulas(struct stat_schedule *schedule,
			 const struct assay_stat *stat,
			 struct assay_error *err)
{
	struct run *run = &schedule->run;
	int rc = 0;

	if (stat->formulas)
		rc = formulas_load_named(run, stat->formulas, err);
	if (rc == 0 && stat->groups)
		rc = stat_group_check(stat->groups, err);
	if (rc == 0 && stat->groups)
		rc = formulas_load_fitting(run, cpu_name(schedule), err);
	if (rc == 0 && stat->groups && strcmp(cpu_name(schedule), linux_name))
		rc = formulas_load_fitting(run, linux_name, err);
	if (rc == 0 && stat->groups && run->files == run->asked)
		rc = error_set(err, -ASSAY_EUNAVAIL, "no formula file is for "
			       "this CPU (%.60s): name one by -M",
			       cpu_name(schedule));
	return rc;
}

static int chosen_events(struct stat_schedule *schedule,
			 struct assay_error *err)
{
	struct run *run = &schedule->run;
	int rc = formulas_add_events(run, err);

	for (unsigned f = run->asked; f < run->files && !rc; f++)
		rc = stat_group_events(schedule, f, err);
	return rc;
}

static int find_events(struct stat_schedule *schedule,
		       const struct assay_stat *stat, struct assay_error *err)
{
	const char *list = stat->events;
	int rc = 0;

	if (!list && !stat->formulas && !stat->groups && !schedule->replay)
		list = default_events;
	if (list)
		rc = parse_events(schedule, list, err);
	else if (schedule->replay && !stat->formulas && !stat->groups)
		rc = parse_saved(schedule, err);
	if (rc == 0)
		rc = chosen_events(schedule, err);
	return rc;
}

static int find_target(struct stat_schedule *schedule,
		       const struct assay *assay, const struct assay_stat *stat,
		       struct assay_error *err)
{
	const char *on = stat->on ? stat->on : "perf";

	if (!strcmp(on, "perf")) {
		/* The host's geometry is not needed, and finding it takes
		 * longer than many programs run. */
		schedule->run.target.provider = &perf_provider;
		target_use_host(&schedule->run.target, assay);
		schedule->run.target.events.elapsed = true;
		return 0;
	}
	schedule->replay = !strncmp(on, "replay:", 7);
	if (!schedule->replay)
		return error_set(err, -ASSAY_EINVAL, "a program is counted on "
				 "perf, or saved counts on replay:FILE; "
				 "'%.60s' is for kernels (assay run), a "
				 "software PMU for programs is 'assay sim'",
				 on);
	return target_init(&schedule->run.target, assay, on, NULL, false, err);
}

/* Is this an event of a core's PMU? */
static bool of_core(const struct encoding *event)
{
	return event->family == ENCODING_HARDWARE ||
	       event->family == ENCODING_CACHE || event->family == ENCODING_RAW;
}

/* On a hybrid machine: repeats each event of a core for each kind of core. */
static int find_cores(struct stat_schedule *schedule, struct assay_error *err)
{
	const struct group *group = &schedule->run.group;
	struct hybrid *hybrid;
	unsigned of_cores = 0;

	for (unsigned e = 0; e < group->events; e++)
		of_cores += of_core(&group->event[e]) ||
			    group->event[e].family == ENCODING_PMU;
	if (!of_cores)
		return 0;
	hybrid = malloc(sizeof(*hybrid));
	if (!hybrid)
		return error_memory(err);
	hybrid_read(hybrid, schedule->run.assay->sysroot);
	if (hybrid->cores < 2) {
		free(hybrid);
		return 0;
	}
	schedule->hybrid = hybrid;
	return hybrid_expand(hybrid, &schedule->run.group, schedule->core,
			     schedule->brace, err);
}

int stat_schedule_init(struct stat_schedule *out, const struct assay *assay,
		   const struct assay_stat *stat, struct assay_error *err)
{
	int rc;

	memset(out->brace, PACKING_LOOSE, sizeof(out->brace));
	memset(out->together, FOLLOW_ALONE, sizeof(out->together));
	out->packing.sets = 1;
	out->run.assay = assay;
	out->groups = stat->groups;
	rc = find_target(out, assay, stat, err);
	if (rc == 0)
		rc = load_formulas(out, stat, err);
	if (rc == 0)
		rc = find_events(out, stat, err);
	if (rc == 0 && !out->replay)
		rc = find_cores(out, err);
	if (rc < 0)
		stat_schedule_fini(out);
	return rc;
}

void stat_schedule_fini(struct stat_schedule *schedule)
{
	for (unsigned i = 0; i < schedule->run.files; i++)
		formula_free(schedule->run.file[i]);
	schedule->run.files = schedule->run.asked = 0;
	target_fini(&schedule->run.target);
	free(schedule->hybrid);
	schedule->hybrid = NULL;
}

static bool fits(void *ctx, const struct group *group, const unsigned *event,
		 unsigned n)
{
	(void)ctx;
	return follow_fits(group, event, n);
}

/* Events that must be on at the same times: those of a brace; without a brace,
 * the events of one set on the PMU of one kind of core. */
static void join(struct stat_schedule *schedule, bool multiplex)
{
	const struct group *group = &schedule->run.group;

	for (unsigned e = 0; e < group->events; e++) {
		unsigned char *t = &schedule->together[e];

		*t = FOLLOW_ALONE;
		if (schedule->brace[e] != PACKING_LOOSE)
			*t = schedule->brace[e];
		else if (!multiplex &&
			 schedule->packing.set[e] < PACKING_NEVER &&
			 (of_core(&group->event[e]) || schedule->core[e]))
			*t = (unsigned char)(ASSAY_EVENTS + schedule->core[e]);
	}
}

void stat_schedule_pack(struct stat_schedule *schedule, bool multiplex)
{
	if (multiplex || schedule->replay) {
		memset(&schedule->packing, 0, sizeof(schedule->packing));
		schedule->packing.sets = 1;
	} else {
		packing_make(&schedule->packing, &schedule->run.group,
			     schedule->brace, fits, NULL);
	}
	join(schedule, multiplex);
}

/* ---- the counters of a run ----------------------------------------------- */

/* Is event e counted in this run? */
static bool in_run(const struct stat_job *job, unsigned e, unsigned run)
{
	const unsigned set = job->schedule.packing.set[e];

	if (set == PACKING_NEVER)	/* opened once, to learn why it fails */
		return run == 0 && !job->schedule.packing.together[e];
	return set == PACKING_ALWAYS || set == run % job->schedule.packing.sets;
}

/* A follow_setup.counts_on: has this CPU the PMU of the event? */
static bool counts_on(const void *ctx, unsigned event, int cpu)
{
	const struct stat_schedule *schedule = ctx;
	const unsigned kind = schedule->core[event];

	return !kind || cpulist_has(&schedule->hybrid->core[kind - 1].cpus,
				    (unsigned)cpu);
}

void stat_follow_setup(const struct stat_job *job, struct follow_setup *out,
		       bool *left_out)
{
	*out = (struct follow_setup){
		.events = &job->schedule.run.group,
		.together = job->schedule.together,
		.left_out = left_out,
		.spot = job->spots.spot, .spots = job->spots.spots,
		.counts_on = job->schedule.hybrid ? counts_on : NULL,
		.ctx = &job->schedule, .inherit = job->spots.inherit,
		.sysroot = job->assay->sysroot,
	};
	for (unsigned e = 0; e < out->events->events; e++)
		left_out[e] = !in_run(job, e, job->run);
}
