/* SPDX-License-Identifier: MIT */
/* How long a range of values takes, by the closed forms of its shapes. */
#include <stdlib.h>

#include "base/text.h"
#include "counters/provider.h"
#include "run/run.h"

/* Seconds that a range may take without a question. */
#define MOST 3600.0

enum {
	SLOPE_WORK = 1 + 2 + 4,	/* --slope: of the shape's own */
	TIME_RUNS = 12,		/* --on time: of a kernel, at least */
};

/* Of an instruction. In a simulation all passes are simulated. */
static double seconds_each(const struct run *run)
{
	return run->target.provider->drive == DRIVE_NATIVE ? 1e-9 : 1e-8;
}

/* A simulation leaves out most of many passes. */
static void leave_out(const struct run *run, struct assay_shape *shape)
{
	const int passes = assay_shape_find(shape, "passes");

	if (passes >= 0 && shape->option[passes].value > 64 &&
	    run->target.provider->drive == DRIVE_TRACED &&
	    !run->job->no_fast_forward)
		shape->option[passes].value = 64;
}

static double instructions(const struct run *run, unsigned index,
			   struct assay_expectation *e)
{
	const struct assay_expected *row;
	struct assay_shape shape;

	if (sweep_shape(&run->sweep, index, &shape, NULL) < 0)
		return 0;
	leave_out(run, &shape);
	e->rows = 0;
	run->kernel->expect(&shape, run->target.isa, NULL, false, e);
	row = assay_expectation_find(e, ASSAY_Q_instructions);
	return row ? row->value : 0;
}

/* How often a shape's work is done. --on time walks cycles of lines only for as
 * long as needed. */
static double runs_of(const struct run *run)
{
	const double repeats = run_repeats(run) * (run->job->slope ?
						   SLOPE_WORK : 1.0);

	if (run->target.provider != &time_provider)
		return repeats + run_warmup(run);
	return run->kernel->cycle ? 0 : TIME_RUNS;
}

int run_check_length(const struct run *run, struct assay_error *err)
{
	const double runs = runs_of(run);
	struct assay_expectation *e;
	double seconds = 0;

	if (!run->sweep.range || run->job->predict ||
	    run->target.provider->drive == DRIVE_NOTHING)
		return 0;
	e = malloc(sizeof(*e));
	if (!e)
		return error_memory(err);
	for (unsigned i = 0; i < run->sweep.shapes; i++)
		seconds += instructions(run, i, e) * runs * seconds_each(run);
	free(e);
	if (seconds <= MOST)
		return 0;
	error_set(err, -ASSAY_ERANGE, "this range takes about %.3g hours: its "
		  "%u points have %.3g instructions, at %g ns each",
		  seconds / 3600, run->sweep.shapes,
		  seconds / seconds_each(run), seconds_each(run) * 1e9);
	error_add(err, "try: a shorter range; a list of values (1,1000,...) is "
		  "not asked about");
	return -ASSAY_ERANGE;
}
