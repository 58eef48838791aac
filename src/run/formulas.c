/* SPDX-License-Identifier: MIT */
/* Loads formula files: the files that the user named, and files of the CPU. */
#define _GNU_SOURCE	/* FNM_CASEFOLD */
#include "run/formulas.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/data.h"
#include "base/text.h"
#include "events/resolvers.h"

static int load(struct run *run, const char *name, const char *variant,
		struct assay_error *err)
{
	if (run->files == RUN_FILES)
		return error_set(err, -ASSAY_ERANGE,
				 "more than %d formula files", RUN_FILES);
	return formula_load(&run->file[run->files++], name, variant,
			    run->assay->data_dir, err);
}

int formulas_load_named(struct run *run, const char *list,
			struct assay_error *err)
{
	char *text = strdup(list ? list : ""), *next = text, *name, *variant;
	int rc = 0;

	if (!text)
		return error_memory(err);
	while (list && rc == 0 && (name = strsep(&next, ","))) {
		variant = strchr(name, ':');
		if (variant)
			*variant++ = '\0';
		rc = load(run, name, variant, err);
		if (rc < 0)
			run->file[--run->files] = NULL;
	}
	run->asked = run->files;
	free(text);
	return rc;
}

static bool fits_name(const struct formula_file *file, const char *cpu)
{
	for (const char *const *p = file->cpu; *p; p++)
		if (fnmatch(*p, cpu, FNM_CASEFOLD) == 0)
			return true;
	return false;
}

bool formulas_fit(const struct formula_file *file, const char *name,
		  const struct cpu *cpu)
{
	const char *const *alias = cpu ? cpu->alias : NULL;
	bool found = fits_name(file, name);

	for (; alias && *alias && !found; alias++)
		found = fits_name(file, *alias);
	return found;
}

static bool gives_quantities(const struct formula_file *file)
{
	for (size_t i = 0; i < file->formulas; i++)
		if (file->formula[i].quantity >= 0)
			return true;
	return false;
}

static int load_fitting(struct run *run, const char *cpu,
			bool (*wanted)(const struct formula_file *file),
			struct assay_error *err)
{
	char name[ASSAY_NAME];
	unsigned chars;
	int rc = 0;

	for (const struct data_file *f = data_files; f->path && !rc; f++) {
		struct formula_file *file;

		chars = 0;
		if (sscanf(f->path, "formulas/%63[^./].yaml%n", name,
			   (int *)&chars) != 1 || !chars)
			continue;
		rc = load(run, name, NULL, err);
		if (rc < 0) {
			run->file[--run->files] = NULL;
			break;
		}
		file = run->file[run->files - 1];
		if (formulas_fit(file, cpu, run->target.cpu) && wanted(file))
			continue;
		formula_free(file);
		run->file[--run->files] = NULL;
	}
	return rc;
}

int formulas_load_fitting(struct run *run, const char *cpu,
			  struct assay_error *err)
{
	return load_fitting(run, cpu, gives_quantities, err);
}

static bool claims_quantities(const struct formula_file *file)
{
	for (size_t i = 0; i < file->formulas; i++)
		if (file->formula[i].claims >= 0)
			return true;
	return false;
}

int formulas_load_claiming(struct run *run, const char *cpu,
			   struct assay_error *err)
{
	return load_fitting(run, cpu, claims_quantities, err);
}

static bool of_core(const struct encoding *event)
{
	return event->family == ENCODING_HARDWARE ||
	       event->family == ENCODING_CACHE || event->family == ENCODING_RAW;
}

int formulas_check_event(struct run *run, const char *name,
			 struct assay_error *err)
{
	const struct events_target *on = &run->target.events;
	const struct encoding *event = &run->group.event[0];
	const char *why;
	int rc;

	run->group.events = 0;
	rc = events_parse(&run->group, name, on, err);
	if (rc)
		return rc;
	run->group.events = 0;
	why = *event->absent ? event->absent :
	      on->target == EVENTS_PERF && of_core(event) &&
	      !pmu_core(on->sysroot) ? pmu_core_absent : NULL;
	return why ? error_set(err, -ASSAY_EUNAVAIL, "'%s': %s", name, why) :
		     0;
}

int formulas_add_event(struct run *run, const char *name,
		       struct assay_error *err)
{
	struct assay_error why;
	struct encoding *event;
	int rc;

	for (unsigned i = 0; i < run->group.events; i++)
		if (text_equal(run->group.event[i].name, name))
			return 0;
	rc = events_parse(&run->group, name, &run->target.events, &why);
	if (rc != -ASSAY_ENOENT) {
		if (rc < 0)
			error_set(err, rc, "%s", why.text);
		return rc;
	}
	if (run->group.events == ASSAY_EVENTS)
		return error_set(err, -ASSAY_ERANGE, "more than %d events",
				 ASSAY_EVENTS);
	event = &run->group.event[run->group.events++];
	*event = (struct encoding){ .family = ENCODING_NAME };
	text_copy(event->name, sizeof(event->name), name);
	snprintf(event->absent, sizeof(event->absent),
		 "%s is not an event of this CPU", name);
	return 0;
}

int formulas_add_events(struct run *run, struct assay_error *err)
{
	int rc = 0;

	for (unsigned f = 0; f < run->asked; f++)
		for (size_t e = 0; e < run->file[f]->events && rc == 0; e++)
			rc = formulas_add_event(run, run->file[f]->event[e],
						err);
	return rc;
}
