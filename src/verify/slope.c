/* SPDX-License-Identifier: MIT */
/*
 * Verify by slopes. Starting and stopping the counters is counted, too, so only
 * the growth of a count with the work is compared with a closed form.
 */

#include "run/slope.h"
#include "verify/verify.h"
#include "base/record.h"
#include "base/row.h"
#include "base/text.h"

/* Does a native count disagree? It may hold the overhead of counting. */
static bool overhead_matters(const struct run *run,
			     const struct assay_result *r)
{
	if (run->target.provider->drive != DRIVE_NATIVE)
		return false;
	for (size_t i = 0; i < r->compareds; i++)
		if (r->compared[i].verdict == ASSAY_DISAGREES)
			return true;
	return false;
}

static int emit(const struct verify *v, const struct run *run,
		const struct assay_shape *shape, const struct assay_slope *s)
{
	char text[160];

	verify_shape_text(text, sizeof(text), &run->sweep, shape);
	const struct assay_field field[] = {
		field_text("kernel", run->kernel->name),
		field_text("shape", text), field_text("slope of", s->name),
		field_text("work", slope_option(run->kernel)),
		field_value("per unit", s->per_unit),
		field_value("predicted", s->predicted),
		field_value("overhead", s->overhead),
		field_value("off the line", s->curvature),
		field_text("verdict", verify_verdict_words[s->verdict]),
	};

	return ROW_EMIT(v->fn, v->ctx, "slope", field);
}

/* A count that disagrees but agrees as a slope differs by overhead only. */
static void overrule(struct derived_metrics *j, const struct assay_slope *s)
{
	for (size_t i = 0; i < j->result.compareds; i++) {
		struct assay_compared *c = &j->compared[i];

		if (c->verdict == ASSAY_DISAGREES &&
		    s->verdict == ASSAY_AGREES && text_equal(c->from, s->name))
			c->verdict = ASSAY_AGREES;
	}
}

static int add_slopes(struct verify *v, struct run *run,
		      struct derived_metrics *j,
		      const struct assay_shape *shape,
		      const struct slopes *slopes)
{
	int rc = 0;

	for (size_t i = 0; i < slopes->lines && rc == 0; i++) {
		overrule(j, &slopes->line[i]);
		if (v->ask->slope)
			rc = emit(v, run, shape, &slopes->line[i]);
	}
	return rc;
}

int verify_slope(struct verify *v, struct run *run, struct derived_metrics *j,
		 const struct assay_shape *shape, struct assay_error *err)
{
	struct assay_record *first = NULL;
	struct slopes slopes;
	int rc;

	if (!slope_option(run->kernel) ||
	    (!v->ask->slope && !overhead_matters(run, &j->result)))
		return 0;
	rc = run_measure(run, shape, &first, err);
	if (rc == 0)
		rc = slope_measure(&slopes, run, shape, first, err);
	if (rc == 0)
		rc = add_slopes(v, run, j, shape, &slopes);
	record_free(first);
	/* four times as much may be more than the kernel can do */
	return rc == -ASSAY_ERANGE ? 0 : rc;
}
