/* SPDX-License-Identifier: MIT */
/*
 * Noise beside a program. It is never run again for it, since nobody but its
 * user knows what a second run would do: the record is marked. What costs a
 * look before the run is looked at only where there are several runs.
 */
#include "stat/job.h"

#include <math.h>

#include "base/noise.h"
#include "env/env.h"

#define LONG_NS 100000000	/* the kernel's ticks are 10 ms */

void stat_noise_begin(struct stat_job *job)
{
	const struct assay_stat *stat = job->stat;

	if (!stat->program)
		return;
	if (!job->run)
		noise_init(&job->record->noise);
	job->stolen_known = stat->repeats > 1 &&
		env_stolen(&job->stolen, job->assay->sysroot, -1);
}

/* As if all that was stolen had been stolen from the program; of its time, or
 * of its threads' time if that is more. */
static double share_stolen(const struct stat_job *job,
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

void stat_noise_end(struct stat_job *job, const struct stat_watch *run)
{
	struct assay_noise *noise = &job->record->noise;
	struct assay_noise_part *steal = &noise->part[ASSAY_NOISE_STEAL];
	double share;

	if (!noise->seen)
		return;
	share = share_stolen(job, run);
	if (share > steal->share)
		steal->share = share;
	noise->preempted += run->preempted;
	noise->disturbed |= noise_beyond(steal);
}
