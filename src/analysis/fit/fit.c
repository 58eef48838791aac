/* SPDX-License-Identifier: MIT */
/*
 * From an event's counts to its class: survey() measures bias and spread over
 * all rows, explain() finds the reason for counts that are not as claimed. See
 * fit.h.
 */
#include "analysis/fit/fit.h"

#include <math.h>
#include <stddef.h>

#include "analysis/fit/search.h"
#include "cpus/signals.h"

void fit_terms(double term[FIT_TERMS], const uint64_t *signal)
{
#define S(name) (double)signal[CPU_SIGNAL_##name]
#define X(name, sum, what) term[FIT_##name] = sum;
#include "analysis/fit/terms.def"
#undef X
#undef S
	term[FIT_cycles] = NAN;
	term[FIT_passes] = NAN;
	term[FIT_runs] = 1;
	term[FIT_faults] = NAN;
	term[FIT_switches] = NAN;
}

static bool used(const struct fit_column *c, size_t row)
{
	return !isnan(c->count[row]) && !isnan(c->claim[row]);
}

static void add_bias(struct fit_result *out, double count, double claim,
		     size_t row)
{
	double bias = (count - claim) / (claim != 0 ? fabs(claim) : 1);

	if (!out->measured || fabs(bias) > fabs(out->bias)) {
		out->bias = bias;
		out->worst = row;
	}
	out->measured = true;
}

/* The spread of the rows of one shape, as a share. */
static void add_spread(struct fit_result *out, const struct fit_column *c,
		       size_t from, size_t to)
{
	double least = INFINITY, most = -INFINITY;

	for (size_t i = from; i < to; i++) {
		double d = c->count[i] - (isnan(c->claim[i]) ? 0 :
					  c->claim[i] - c->claim[from]);

		if (isnan(c->count[i]))
			continue;
		least = fmin(least, d);
		most = fmax(most, d);
	}
	if (most > least)
		out->spread = fmax(out->spread, (most - least) /
				   fmax(1, fabs(most)));
}

/*
 * Counts the shapes, and those that are as claimed; finds the largest bias and
 * spread. Rows of a shape follow each other. Returns the number of rows with a
 * count and a claim.
 */
static size_t survey(const struct fit_panel *p, const struct fit_column *c,
		     struct fit_result *out)
{
	size_t rows = 0;

	for (size_t i = 0, next; i < p->rows; i = next) {
		bool any = false, good = true;

		for (next = i; next < p->rows &&
		     p->row[next].shape == p->row[i].shape; next++) {
			if (!used(c, next))
				continue;
			any = true;
			rows++;
			good &= c->count[next] == c->claim[next];
			add_bias(out, c->count[next], c->claim[next], next);
		}
		add_spread(out, c, i, next);
		out->shapes += any;
		out->good += any && good;
	}
	return rows;
}

static bool all_zero(const struct fit_panel *p, const struct fit_column *c,
		     const double *values)
{
	for (size_t i = 0; i < p->rows; i++)
		if (used(c, i) && values[i] != 0)
			return false;
	return true;
}

/* Another event whose claim is worded differently, but equal in every row. */
static int find_twin(const struct fit_panel *p, size_t index)
{
	const struct fit_column *c = &p->column[index];

	for (size_t k = 0; k < p->columns; k++) {
		const struct fit_column *o = &p->column[k];
		bool same = k != index && __builtin_strcmp(o->claim_text,
							   c->claim_text);

		for (size_t i = 0; i < p->rows && same; i++)
			same = !used(c, i) || o->claim[i] == c->claim[i];
		if (same)
			return (int)k;
	}
	return -1;
}

/* What a deviation shows. */
static const struct judge_facts shown[FIT_KINDS] = {
	[FIT_AS_CLAIMED] = { .label = JUDGE_IN },
	[FIT_DEAD] = { .label = JUDGE_ZERO, .fails = 1 },
	[FIT_FACTOR] = { .label = JUDGE_OVER, .fails = 1,
			 .line = JUDGE_FACTOR },
	[FIT_WRAP] = { .label = JUDGE_OVER, .fails = 1 },
	[FIT_SATURATE] = { .label = JUDGE_OVER, .fails = 1 },
	[FIT_ADDS] = { .label = JUDGE_OVER, .fails = 1 },
	[FIT_OTHER] = { .label = JUDGE_OVER, .fails = 1 },
	[FIT_ONLY] = { .label = JUDGE_OVER, .fails = 1 },
	[FIT_INTERRUPTS] = { .label = JUDGE_IN, .terms = true,
			     .unseen = true },
	[FIT_NOISE] = { .unstable = true },
	[FIT_KERNEL] = { .label = JUDGE_ZERO, .fails = 1 },
	[FIT_CONSTANT] = { .label = JUDGE_OVER, .fails = 1,
			   .line = JUDGE_CONSTANT },
	[FIT_NONE] = { .label = JUDGE_OVER, .fails = 1 },
};

/* A constant that is taken off is not what start and stop add. */
static bool is_below(const struct fit_model *m)
{
	return m->terms && m->amount[0] < 0;
}

static void decide(struct fit_result *out)
{
	out->facts = shown[out->kind];
	if (out->kind == FIT_CONSTANT && is_below(&out->model))
		out->facts.line = JUDGE_NO_LINE;
	out->facts.unstable |= out->kind == FIT_NONE && out->spread > 0.001;
	out->class_ = judge_decide(&out->facts);
}

unsigned fit_model_kinds(const struct fit_model *m, size_t index,
			 enum fit_kind *out, unsigned room)
{
	unsigned n = 0;
#define KIND(condition, kind) \
	do { if ((condition) && n < room) out[n++] = kind; } while (0)

	KIND(m->noise > 0, FIT_NOISE);
	KIND(m->base < 0 && m->interrupt > 0, FIT_KERNEL);
	KIND(m->base < 0 && m->terms, FIT_ONLY);
	KIND(m->base >= 0 && (size_t)m->base != index, FIT_OTHER);
	KIND(m->wrap, FIT_WRAP);
	KIND(m->full > 0, FIT_SATURATE);
	KIND(m->base >= 0 && m->terms &&
	     (m->terms > 1 || m->term[0] != FIT_runs), FIT_ADDS);
	KIND(m->base >= 0 && m->factor != 1, FIT_FACTOR);
	KIND(m->base >= 0 && m->terms == 1 && m->term[0] == FIT_runs,
	     FIT_CONSTANT);
	KIND(m->base >= 0 && m->interrupt > 0, FIT_INTERRUPTS);
	KIND(n == 0, m->base < 0 ? FIT_DEAD : FIT_AS_CLAIMED);
#undef KIND
	return n;
}

static void explain(const struct fit_panel *p, size_t index,
		    struct fit_result *out)
{
	if (fit_search(p, index, out))
		fit_model_kinds(&out->model, index, &out->kind, 1);
	else
		out->kind = FIT_NONE;
	decide(out);
}

void fit_event(const struct fit_panel *panel, size_t index,
	       struct fit_result *out)
{
	const struct fit_column *c = &panel->column[index];
	size_t rows;

	*out = (struct fit_result){ .twin = -1, .model = {
		.base = (int)index, .factor = 1 } };
	rows = survey(panel, c, out);
	if (!rows) {
		out->class_ = judge_decide(&out->facts);
		out->why = "nothing is claimed that could be checked";
		return;
	}
	if (out->good < out->shapes) {
		explain(panel, index, out);
		return;
	}
	out->twin = find_twin(panel, index);
	out->facts = shown[FIT_AS_CLAIMED];
	out->facts.only_zero = all_zero(panel, c, c->claim);
	out->class_ = judge_decide(&out->facts);
	if (out->facts.only_zero)
		out->why = "0 is claimed and counted in every shape: the "
			   "event may be dead";
}
