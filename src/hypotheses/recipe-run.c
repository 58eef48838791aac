/* SPDX-License-Identifier: MIT */
/* Makes one run of a recipe ready: its kernel, settings, events and formulas. */
#include "hypotheses/recipe-run.h"

#include "run/formulas.h"

/* Adds the recipe's events one by one: some may not exist on this CPU. */
static int set_events(struct run *run, const struct recipe_run *of,
		      struct assay_error *err)
{
	int rc = 0;

	run->group.events = 0;
	for (unsigned e = 0; e < of->events && rc == 0; e++)
		rc = formulas_add_event(run, of->event[e], err);
	return rc ? rc : formulas_add_events(run, err);
}

int recipe_run_init(struct run *run, struct assay *assay,
		    struct recipe_job *job, struct assay_error *err)
{
	const struct recipe_run *of = &job->recipe->run[job->index];
	int rc;

	job->job = (struct assay_job){
		.kernel = of->kernel, .on = job->on, .cpu = -1,
		.setting = job->setting, .settings = of->settings,
		.formulas = *of->formulas ? of->formulas : NULL,
		.page_map = job->page_map,
	};
	for (unsigned i = 0; i < of->settings; i++)
		job->setting[i] = (struct assay_setting){
			of->setting[i].name, of->setting[i].text };
	rc = run_init(run, assay, &job->job, err);
	if (rc == 0 && (rc = set_events(run, of, err)) < 0)
		run_fini(run);
	return rc;
}
