/* SPDX-License-Identifier: MIT */
/* An option that would do nothing is a mistake, and is said to be one. */
#include "api/refuse.h"

#include "base/text.h"

enum where {
	ON_NOTHING,		/* --predict: nothing is run */
	ON_SAVED,		/* it was run elsewhere */
	ON_MODEL,
	ON_CLOCK,		/* --on time */
	ON_COUNTERS,		/* this machine: perf, null ... */
	WHERES
};

enum what { SLOPE, PIE, REPEATS, WARMUP, CPU, PAGES, ALL_PASSES, WHATS };

static const char *const names[WHATS] = {
	[SLOPE] = "--slope", [PIE] = "--pie", [REPEATS] = "--repeat",
	[WARMUP] = "--warmup", [CPU] = "--cpu", [PAGES] = "--page-size",
	[ALL_PASSES] = "--no-fast-forward",
};

#define A(what) (1u << (what))

static const struct { unsigned unused; const char *why; } table[WHERES] = {
	[ON_NOTHING] = { A(SLOPE) | A(PIE) | A(REPEATS),
			 "--predict runs nothing" },
	[ON_SAVED] = { A(REPEATS) | A(WARMUP) | A(CPU) | A(PAGES) |
		       A(ALL_PASSES), "a saved run is as it was" },
	[ON_MODEL] = { A(CPU) | A(PAGES),
		       "it is for runs on this machine, not for a simulation" },
	[ON_CLOCK] = { A(WARMUP) | A(ALL_PASSES),
		       "--on time has its own warm-up, and leaves out none of "
		       "its passes" },
	[ON_COUNTERS] = { A(ALL_PASSES),
			  "only a simulation (sim:CPU) leaves out passes" },
};

static enum where where(const struct run *run)
{
	const struct provider *p = run->target.provider;

	if (run->job->predict)
		return ON_NOTHING;
	if (p->drive == DRIVE_NOTHING)
		return ON_SAVED;
	if (p->drive == DRIVE_TRACED)
		return ON_MODEL;
	return p == &time_provider ? ON_CLOCK : ON_COUNTERS;
}

static unsigned asked(const struct assay_job *job)
{
	return (job->slope ? A(SLOPE) : 0) | (job->pie ? A(PIE) : 0) |
	       (job->repeats ? A(REPEATS) : 0) |
	       (job->warmup_given ? A(WARMUP) : 0) |
	       (job->cpu >= 0 ? A(CPU) : 0) | (job->pages ? A(PAGES) : 0) |
	       (job->no_fast_forward ? A(ALL_PASSES) : 0);
}

int refuse_job(const struct run *run, struct assay_error *err)
{
	const enum where here = where(run);
	const unsigned unused = asked(run->job) & table[here].unused;

	for (int i = 0; i < WHATS; i++)
		if (unused & A(i))
			return error_set(err, -ASSAY_EINVAL,
					 "%s would do nothing here: %s",
					 names[i], table[here].why);
	return 0;
}
