/* SPDX-License-Identifier: MIT */
/*
 * Makes the plan of a call: which events are counted in which run.
 *
 * Input: the names of struct assay_stat (events with braces, formula files,
 * groups, a saved record). The events come from the list, from the formulas, or
 * from default_events. On machines with several kinds of core each event of a
 * core is repeated for each kind. Output: struct stat_plan, whose packing
 * divides the events into sets that fit the counters.
 */
#include <stdio.h>
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
static int parse_piece(struct stat_plan *plan, const char *text, size_t length,
		       unsigned char brace, struct assay_error *err)
{
	struct run *run = &plan->run;
	const unsigned before = run->group.events;
	char *piece = strndup(text, length);
	int rc;

	if (!piece)
		return error_set(err, -ASSAY_ENOMEM, "out of memory");
	rc = events_parse(&run->group, piece, &run->target.events, err);
	for (unsigned e = before; e < run->group.events; e++)
		plan->brace[e] = brace;
	free(piece);
	return rc;
}

static int parse_braces(struct stat_plan *plan, const char **list,
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
	return parse_piece(plan, text, length, brace, err);
}

static int parse_loose(struct stat_plan *plan, const char **list,
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
	return parse_piece(plan, text, length, PACKING_LOOSE, err);
}

static int parse_events(struct stat_plan *plan, const char *list,
			struct assay_error *err)
{
	unsigned char brace = 0;
	int rc = 0;

	if (!*list)
		return error_set(err, -ASSAY_EINVAL, "no events are named");
	while (*list && !rc) {
		if (*list != '{') {
			rc = parse_loose(plan, &list, err);
			continue;
		}
		rc = parse_braces(plan, &list, brace++, err);
		if (!rc && *list == ',' && !*++list)
			rc = error_set(err, -ASSAY_EINVAL, "the list of events "
				       "ends with a comma");
	}
	return rc;
}

/* Adds each event of the saved records once. */
static int parse_saved(struct stat_plan *plan, struct assay_error *err)
{
	const struct store *saved = &plan->run.target.saved;
	int rc = 0;

	for (size_t i = 0; i < saved->records && !rc; i++) {
		const struct assay_record *r = saved->record[i];

		for (unsigned e = 0; e < r->events && !rc; e++) {
			const char *name = r->event[e].name;
			bool known = false;

			for (unsigned k = 0; k < plan->run.group.events; k++)
				known |= text_equal(name, plan->run.group
						    .event[k].name);
			if (!known)
				rc = parse_piece(plan, name, strlen(name),
						 PACKING_LOOSE, err);
		}
	}
	return rc;
}

/* The name that formula files for events of Linux itself match: these have the
 * same names on every CPU. */
static const char linux_name[] = "linux";

/* The name that formula files are matched against. */
static const char *cpu_name(const struct stat_plan *plan)
{
	const struct target *t = &plan->run.target;
	const struct cpu *host = NULL;

	if (plan->replay && t->saved.records)
		return t->saved.record[0]->machine.cpu;
	if (t->events.find_cpu)
		host = t->events.find_cpu(t->events.ctx);
	return host ? host->name : linux_name;
}

/* Loads the formula files of -M, and for -g those that match the CPU. */
static int load_formulas(struct stat_plan *plan, const struct assay_stat *stat,
			 struct assay_error *err)
{
	struct run *run = &plan->run;
	int rc = 0;

	if (stat->formulas)
		rc = formulas_asked(run, stat->formulas, err);
	if (rc == 0 && stat->groups)
		rc = stat_group_check(stat->groups, err);
	if (rc == 0 && stat->groups)
		rc = formulas_fitting(run, cpu_name(plan), err);
	if (rc == 0 && stat->groups && strcmp(cpu_name(plan), linux_name))
		rc = formulas_fitting(run, linux_name, err);
	if (rc == 0 && stat->groups && run->files == run->asked)
		rc = error_set(err, -ASSAY_EUNAVAIL, "no formula file is for "
			       "this CPU (%.60s): name one by -M",
			       cpu_name(plan));
	return rc;
}

static int chosen_events(struct stat_plan *plan, struct assay_error *err)
{
	struct run *run = &plan->run;
	int rc = formulas_add_events(run, err);

	for (unsigned f = run->asked; f < run->files && !rc; f++)
		rc = stat_group_events(plan, f, err);
	return rc;
}

static int find_events(struct stat_plan *plan, const struct assay_stat *stat,
		       struct assay_error *err)
{
	const char *list = stat->events;
	int rc = 0;

	if (!list && !stat->formulas && !stat->groups && !plan->replay)
		list = default_events;
	if (list)
		rc = parse_events(plan, list, err);
	else if (plan->replay && !stat->formulas && !stat->groups)
		rc = parse_saved(plan, err);
	if (rc == 0)
		rc = chosen_events(plan, err);
	return rc;
}

static int find_target(struct stat_plan *plan, const struct assay *assay,
		       const struct assay_stat *stat, struct assay_error *err)
{
	const char *on = stat->on ? stat->on : "perf";

	if (!strcmp(on, "perf")) {
		/* The host's geometry is not needed, and finding it takes
		 * longer than many programs run. */
		plan->run.target.provider = &perf_provider;
		target_use_host(&plan->run.target, assay);
		return 0;
	}
	plan->replay = !strncmp(on, "replay:", 7);
	if (!plan->replay)
		return error_set(err, -ASSAY_EINVAL, "a program is counted on "
				 "perf, or saved counts on replay:FILE; '%.60s' "
				 "is for kernels (assay run), a software PMU "
				 "for programs is 'assay sim'", on);
	return target_init(&plan->run.target, assay, on, NULL, false, err);
}

/* Is this an event of a core's PMU? */
static bool of_core(const struct encoding *event)
{
	return event->family == ENCODING_HARDWARE ||
	       event->family == ENCODING_CACHE || event->family == ENCODING_RAW;
}

/* On a hybrid machine: repeats each event of a core for each kind of core. */
static int find_cores(struct stat_plan *plan, struct assay_error *err)
{
	const struct group *group = &plan->run.group;
	struct hybrid *hybrid;
	unsigned of_cores = 0;

	for (unsigned e = 0; e < group->events; e++)
		of_cores += of_core(&group->event[e]) ||
			    group->event[e].family == ENCODING_PMU;
	if (!of_cores)
		return 0;
	hybrid = malloc(sizeof(*hybrid));
	if (!hybrid)
		return error_set(err, -ASSAY_ENOMEM, "out of memory");
	hybrid_read(hybrid, plan->run.assay->sysroot);
	if (hybrid->cores < 2) {
		free(hybrid);
		return 0;
	}
	plan->hybrid = hybrid;
	return hybrid_expand(hybrid, &plan->run.group, plan->core, plan->brace,
			     err);
}

int stat_plan_init(struct stat_plan *out, const struct assay *assay,
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
		stat_plan_fini(out);
	return rc;
}

void stat_plan_fini(struct stat_plan *plan)
{
	for (unsigned i = 0; i < plan->run.files; i++)
		formula_free(plan->run.file[i]);
	plan->run.files = plan->run.asked = 0;
	target_fini(&plan->run.target);
	free(plan->hybrid);
	plan->hybrid = NULL;
}

static bool fits(void *ctx, const struct group *group, const unsigned *event,
		 unsigned n)
{
	(void)ctx;
	return follow_fits(group, event, n);
}

/* Events that must be on at the same times: those of a brace; without a brace,
 * the events of one set on the PMU of one kind of core. */
static void join(struct stat_plan *plan, bool multiplex)
{
	const struct group *group = &plan->run.group;

	for (unsigned e = 0; e < group->events; e++) {
		unsigned char *t = &plan->together[e];

		*t = FOLLOW_ALONE;
		if (plan->brace[e] != PACKING_LOOSE)
			*t = plan->brace[e];
		else if (!multiplex && plan->packing.set[e] < PACKING_NEVER &&
			 (of_core(&group->event[e]) || plan->core[e]))
			*t = (unsigned char)(ASSAY_EVENTS + plan->core[e]);
	}
}

void stat_plan_pack(struct stat_plan *plan, bool multiplex)
{
	if (multiplex || plan->replay) {
		memset(&plan->packing, 0, sizeof(plan->packing));
		plan->packing.sets = 1;
	} else {
		packing_make(&plan->packing, &plan->run.group, plan->brace,
			     fits, NULL);
	}
	join(plan, multiplex);
}

/* ---- the counters of a run ------------------------------------------------ */

/* Is event e counted in this run? */
static bool in_run(const struct stat_job *job, unsigned e, unsigned run)
{
	const unsigned set = job->plan.packing.set[e];

	if (set == PACKING_NEVER)	/* opened once, to learn why it fails */
		return run == 0 && !job->plan.packing.together[e];
	return set == PACKING_ALWAYS || set == run % job->plan.packing.sets;
}

/* A follow_setup.counts_on: has this CPU the PMU of the event? */
static bool counts_on(const void *ctx, unsigned event, int cpu)
{
	const struct stat_plan *plan = ctx;
	const unsigned kind = plan->core[event];

	return !kind || cpulist_has(&plan->hybrid->core[kind - 1].cpus,
				    (unsigned)cpu);
}

void stat_follow_setup(const struct stat_job *job, struct follow_setup *out,
		       bool *left_out)
{
	*out = (struct follow_setup){
		.events = &job->plan.run.group,
		.together = job->plan.together,
		.left_out = left_out,
		.spot = job->spots.spot, .spots = job->spots.spots,
		.counts_on = job->plan.hybrid ? counts_on : NULL,
		.ctx = &job->plan, .inherit = job->spots.inherit,
		.sysroot = job->assay->sysroot,
	};
	for (unsigned e = 0; e < out->events->events; e++)
		left_out[e] = !in_run(job, e, job->run);
}
