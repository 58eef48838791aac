/* SPDX-License-Identifier: MIT */
/* How the counters of a run are opened. */
#include "stat/job.h"

static bool in_run(const struct stat_job *job, unsigned e, unsigned run)
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

void stat_setup(const struct stat_job *job, struct follow_setup *out,
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
