/* SPDX-License-Identifier: MIT */
/* The slope estimator. */
#include "run/slope.h"

#include <math.h>
#include <string.h>

#include "base/noise.h"
#include "base/record.h"
#include "base/text.h"

enum { POINTS = 3 };
static const int64_t multiple[POINTS] = { 1, 2, 4 };

void slope_fit(struct assay_slope *out, const struct assay_value y[3],
	       double units)
{
	/* (x - 7/3) times 3 at x = 1, 2, 4: exact in doubles */
	static const double weight[POINTS] = { -4, -1, 5 };
	double sum = 0, rise = 0, slope, at_two;
	struct assay_value none = { .number = 0 };

	for (int i = 0; i < POINTS; i++) {
		if (y[i].why && !none.why)
			none.why = y[i].why;
		none.estimate |= y[i].estimate;
		sum += y[i].number;
		rise += weight[i] * y[i].number;
	}
	out->per_unit = out->overhead = out->curvature = none;
	if (none.why)
		return;
	slope = rise / 14;
	at_two = y[0].number + (y[2].number - y[0].number) / 3;
	out->per_unit.number = slope / units;
	out->overhead.number = (sum - 7 * slope) / 3;
	out->curvature.number = y[1].number - at_two;
}

enum assay_verdict slope_verdict(const struct assay_slope *slope, double units)
{
	const double off = fabs(slope->curvature.number);
	const double rise = fabs(slope->per_unit.number * units);
	const double error = fabs(slope->per_unit.number -
				  slope->predicted.number) * units;
	/* rounding errors of doubles of this size */
	const double rounding = 1e-12 * (rise + 1);

	if (slope->per_unit.why || slope->predicted.why)
		return ASSAY_UNAVAILABLE;
	if (slope->per_unit.estimate || slope->predicted.estimate ||
	    (off > rise / 100 && off > rounding))
		return ASSAY_INCONCLUSIVE;
	return error <= off + rounding ? ASSAY_AGREES : ASSAY_DISAGREES;
}

const char *slope_option(const struct kernel *kernel)
{
	static const char *const names[] = { "passes", "iterations", "rounds",
					     "accesses", "pages", "offsets" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (kernel_option(kernel, names[i]))
			return names[i];
	return NULL;
}

/* The shape with k times the work; derived options follow. */
static int scale(struct assay_shape *out, const struct kernel *kernel,
		 const struct assay_shape *shape, const char *option,
		 int64_t k, struct assay_error *err)
{
	int64_t value = assay_shape_get(shape, option);
	int rc;

	*out = *shape;
	for (unsigned i = 0; i < kernel->options; i++)
		if (kernel->option[i].derived)
			out->option[i].value = -1;
	if (value > INT64_MAX / k)
		return error_set(err, -ASSAY_ERANGE, "%lld times '%s' is too "
				 "large", (long long)k, option);
	rc = kernel_set(kernel, out, option, value * k, err);
	return rc < 0 ? rc : kernel->resolve(out, err);
}

static struct assay_value least_ns(const struct assay_record *r)
{
	struct assay_value best = { .why = "not timed" };

	for (unsigned i = 0; i < r->repeats; i++) {
		if (!r->ns[i])
			continue;
		if (best.why || (double)r->ns[i] < best.number)
			best = (struct assay_value){ .number = r->ns[i] };
	}
	return best;
}

/* The value of line `i` in a record: events, then quantities, then time. */
static struct assay_value value(const struct assay_record *r, unsigned i)
{
	if (i < r->events)
		return assay_record_value(r, i);
	i -= r->events;
	return i == ASSAY_Q_ns ? least_ns(r) : r->truth.of[i];
}

static const char *name(const struct assay_record *r, unsigned i)
{
	return i < r->events ? r->event[i].name :
			       assay_quantity_name(i - r->events);
}

/* One more unit of work by the closed form; absent if there is none. */
static struct assay_value predicted(const struct assay_expectation e[2],
				    int quantity, double units)
{
	const struct assay_expected *n, *twice;
	struct assay_value out = { .why = "nothing is predicted for it" };

	if (quantity < 0)
		return out;
	n = assay_expectation_find(&e[0], quantity);
	twice = assay_expectation_find(&e[1], quantity);
	if (!n || !twice)
		return out;
	out = (struct assay_value){
		.number = (twice->value - n->value) / units };
	if (!n->exact || !twice->exact)
		out.estimate = true;
	return out;
}

/* The quantity that an event alone gives on this CPU, or -1. */
static int quantity_of(const struct run *run, const struct assay_record *r,
		       unsigned i)
{
	if (i >= r->events)
		return (int)(i - r->events);
	for (unsigned f = 0; f < run->files; f++) {
		const struct formula_file *file = run->file[f];

		for (size_t k = 0; k < file->formulas; k++) {
			const struct formula *one = &file->formula[k];

			const int event = formula_is_event(one);

			if (one->quantity >= 0 && event >= 0 &&
			    text_equal(file->event[event], r->event[i].name))
				return one->quantity;
		}
	}
	return -1;
}

static const char not_each_time[] = "not counted at each amount of work";

static void fit_all(struct slopes *out, const struct run *run,
		    struct assay_record *const r[3],
		    const struct assay_expectation e[2], double units)
{
	for (unsigned i = 0; i < r[0]->events + ASSAY_QUANTITIES; i++) {
		struct assay_value y[POINTS];
		const char *pages;
		int quantity;
		struct assay_slope *line = &out->line[out->lines];

		for (int k = 0; k < POINTS; k++) {
			y[k] = value(r[k], i);
			/* reasons of records other than the first are freed
			 * with them */
			if (k && y[k].why)
				y[k].why = not_each_time;
		}
		if (i >= r[0]->events && y[0].why)
			continue;
		slope_fit(line, y, units);
		line->name = name(r[0], i);
		quantity = quantity_of(run, r[0], i);
		line->predicted = predicted(e, quantity, units);
		pages = metrics_pages_differ(r[2], quantity);
		if (pages)
			line->predicted.why = pages;
		line->verdict = slope_verdict(line, units);
		out->lines++;
	}
}

static void expect(const struct run *run, const struct assay_shape *shape,
		   struct assay_expectation *out)
{
	const struct target *t = &run->target;

	memset(out, 0, sizeof(*out));
	run->kernel->expect(shape, t->isa, t->cpu ? &t->geometry : NULL,
			    run_warmup(run) > 0, out);
}

void slope_noise(struct assay_record *const r[3])
{
	for (int k = 1; k < POINTS; k++)
		if (r[0]->noise.seen && r[k]->noise.seen)
			noise_join(&r[0]->noise, &r[k]->noise);
}

int slope_measure(struct slopes *out, struct run *run,
		  const struct assay_shape *shape,
		  struct assay_record *first, struct assay_error *err)
{
	const char *option = slope_option(run->kernel);
	struct assay_record *r[POINTS] = { first };
	struct assay_expectation e[2];
	struct assay_shape scaled;
	int rc = 0;

	out->lines = 0;
	if (!option)
		return error_set(err, -ASSAY_EINVAL, "kernel '%s' has no "
				 "option that scales its work, so there is no "
				 "slope", run->kernel->name);
	expect(run, shape, &e[0]);
	for (int k = 1; k < POINTS && rc == 0; k++) {
		rc = scale(&scaled, run->kernel, shape, option,
			   multiple[k], err);
		if (rc == 0 && k == 1)
			expect(run, &scaled, &e[1]);
		if (rc == 0)
			rc = run_measure(run, &scaled, &r[k], err);
		if (rc == 0 && r[k]->repeats < first->repeats)
			rc = error_set(err, -ASSAY_ESTOP, "stopped");
	}
	if (rc == 0) {
		slope_noise(r);
		fit_all(out, run, r, e,
			(double)assay_shape_get(shape, option));
	}
	for (int k = 1; k < POINTS; k++)
		record_free(r[k]);
	return rc;
}
