/* SPDX-License-Identifier: MIT */
/*
 * The value of a metric (a formula) over several runs, and its standard error.
 * The value is the formula applied to the means of its events. The error comes
 * from the jackknife: the formula is evaluated again without one run at a time.
 * All counts of a run are left out together, so counts that are correlated
 * within a run are not treated as independent. Where the events were counted in
 * several sets, runs are left out of one set at a time, and the variances of
 * the sets are added.
 */
#include <math.h>
#include <stdlib.h>

#include "stat/stat.h"

#define BLOCKS 200	/* blocks of runs in a set at most: a block is what the
			 * jackknife leaves out at a time */

/* The means of all runs except those in one block of one set. */
struct jackknife {
	const struct stat_means *means;
	const struct formula *formula;
	int at[FORMULA_EVENTS];	/* of each event of the formula's file: its
				 * place in the record, or -1 */
	unsigned set, block;
	bool all;		/* no run is left out */
};

static bool counted(const struct assay_record *r, unsigned run, unsigned e,
		    double *x)
{
	const struct assay_count *c = &r->counts[(size_t)run * r->events + e];

	*x = c->state == ASSAY_COUNT_ABSENT ? 0 :
	     (double)assay_count_estimate(c);
	return c->state != ASSAY_COUNT_ABSENT;
}

static unsigned runs_of(const struct stat_means *m, unsigned set)
{
	return set < m->record->repeats ?
	       (m->record->repeats - set - 1) / m->sets + 1 : 0;
}

static unsigned blocks_of(const struct stat_means *m, unsigned set)
{
	const unsigned runs = runs_of(m, set);

	return runs < BLOCKS ? runs : BLOCKS;
}

static struct assay_value mean_of(const struct jackknife *w, unsigned e)
{
	const struct stat_means *m = w->means;
	const unsigned step = w->all ? 0 : m->sets * blocks_of(m, w->set);
	double sum = m->sum[e], n = m->runs[e], x;

	for (unsigned run = w->set + m->sets * w->block;
	     step && run < m->record->repeats; run += step)
		if (counted(m->record, run, e, &x)) {
			sum -= x;
			n -= 1;
		}
	if (n < 1)
		return (struct assay_value){ .why = "counted in one run only" };
	return (struct assay_value){ .number = sum / n };
}

/* An expr_value() callback: the mean of the event that the formula names. */
static struct assay_value value_of(const void *ctx, int name)
{
	const struct jackknife *w = ctx;

	if (w->at[name] >= 0)
		return mean_of(w, (unsigned)w->at[name]);
	return (struct assay_value){ .why = "not counted" };
}

/* Adds the jackknife variance over the blocks of one set to *out: (n - 1) / n
 * times the sum of squared deviations. Returns why it is not known, or NULL. */
static const char *add_variance(struct jackknife *w, unsigned set, double *out)
{
	const unsigned blocks = blocks_of(w->means, set);
	double sum = 0, squares = 0, x[BLOCKS];

	w->set = set;
	if (blocks < 2)
		return "counted in one run only";
	for (w->block = 0; w->block < blocks; w->block++) {
		const struct assay_value v = expr_tree_value(&w->formula->expr,
							     value_of, w);

		if (v.why)
			return v.why;
		x[w->block] = v.number;
		sum += v.number;
	}
	for (unsigned i = 0; i < blocks; i++)
		squares += (x[i] - sum / blocks) * (x[i] - sum / blocks);
	*out += squares * (blocks - 1) / blocks;
	return NULL;
}

/* Was any event of the formula counted in a run of this set? */
static bool concerns(const struct jackknife *w, unsigned set)
{
	const struct stat_means *m = w->means;
	double x;

	for (unsigned i = 0; i < w->formula->events; i++) {
		const int e = w->at[w->formula->event[i]];

		for (unsigned run = set; e >= 0 && run < m->record->repeats;
		     run += m->sets)
			if (counted(m->record, run, (unsigned)e, &x))
				return true;
	}
	return false;
}

static void find_error(struct jackknife *w, struct assay_stat_metric *out)
{
	double variance = 0;
	const char *why = NULL;
	bool any = false;

	w->all = false;
	for (unsigned set = 0; set < w->means->sets && !why; set++) {
		if (!concerns(w, set))
			continue;
		any = true;
		why = add_variance(w, set, &variance);
	}
	out->error = why ? 0 : sqrt(variance);
	out->error_why = any || w->means->record->repeats > 1 ? why :
			 "counted in one run only";
}

int stat_means_init(struct stat_means *out, const struct assay_record *record,
		    unsigned sets)
{
	double x;

	*out = (struct stat_means){ .record = record, .sets = sets ? sets : 1 };
	out->sum = calloc(record->events + 1, sizeof(*out->sum));
	out->runs = calloc(record->events + 1, sizeof(*out->runs));
	if (!out->sum || !out->runs) {
		stat_means_fini(out);
		return -ASSAY_ENOMEM;
	}
	for (unsigned run = 0; run < record->repeats; run++)
		for (unsigned e = 0; e < record->events; e++)
			if (counted(record, run, e, &x)) {
				out->sum[e] += x;
				out->runs[e]++;
			}
	return 0;
}

void stat_means_fini(struct stat_means *means)
{
	free(means->sum);
	free(means->runs);
	*means = (struct stat_means){ .sets = 1 };
}

void stat_metric_value(struct assay_stat_metric *out,
		       const struct stat_means *means,
		       const struct formula_file *file,
		       const struct formula *formula)
{
	struct jackknife w = { .means = means, .formula = formula,
			       .all = true };
	struct assay_value v;

	out->error_why = "there is no mean";
	if (out->value.why)
		return;
	for (unsigned i = 0; i < formula->events; i++)
		w.at[formula->event[i]] =
			assay_record_find(means->record,
					  file->event[formula->event[i]]);
	v = expr_tree_value(&formula->expr, value_of, &w);
	if (v.why)
		return;
	out->value.number = v.number;
	find_error(&w, out);
}
