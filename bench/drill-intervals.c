/* SPDX-License-Identifier: MIT */
/*
 * The drill's panels through the judge of intervals (src/analysis/judge): once
 * with exact counts and all margins 0, and once with the counts of a real
 * machine: noise, interrupts, rounding and few repetitions.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/judge/judge.h"
#include "drill.h"

enum { MOST_READINGS = 10 };

/* How a panel is counted. */
struct machine {
	bool exact;		/* the panel's counts, and no margins */
	double noise;		/* relative standard deviation */
	int digits;		/* that are kept; 0: all */
	unsigned readings;	/* of each shape */
};

/* A panel as rows, and what the judge says of each event. */
struct rows {
	struct drill *d;
	const struct panel *p;
	struct machine m;
	struct judge_row *row;
	size_t rows;
	double (*interrupts)[1];	/* of each shape and repetition */
	char (*shape)[200];
	bool *large;		/* of each event: is_large() in some reading */
	enum assay_class *class_;
};

/* ---- counts -------------------------------------------------------------- */

static double uniform(struct drill *d)
{
	return ((double)draw(d, 1000000) + 0.5) / 1000000;
}

/* Normal deviate: Box and Muller. */
static double normal(struct drill *d)
{
	const double r = sqrt(-2 * log(uniform(d)));

	return r * cos(2 * M_PI * uniform(d));
}

/* The step of a number of which `digits` digits are kept. */
static double step_of(double value, int digits)
{
	return digits && value >= 1 ?
	       fmax(1, pow(10, floor(log10(value)) + 1 - digits)) : 1;
}

/* Retired work: the truth is arithmetic. */
static bool is_work(const struct panel_event *e)
{
	static const char *const word[] = { "instructions", "loads", "stores",
					    "branches" };
	const char *at = e->claim_text;

	while (*at) {
		const size_t n = strcspn(at, " ");
		bool known = n == 1 && *at == '+';

		for (size_t i = 0; i < 4; i++)
			known |= n == strlen(word[i]) &&
				 !memcmp(at, word[i], n);
		if (!known)
			return false;
		at += n + (at[n] == ' ');
	}
	return *e->claim_text != '\0';
}

/* What a real machine would have counted for `clean`. */
static double seen(struct rows *r, double clean, bool work, double interrupts,
		   double *step)
{
	double value = clean;

	*step = 1;
	if (r->m.exact)
		return clean;
	value = fmax(0, round(value * (1 + r->m.noise * normal(r->d))));
	value += work ? interrupts : 0;
	*step = step_of(value, r->m.digits);
	return *step * round(value / *step);
}

/* ---- rows ---------------------------------------------------------------- */

/*
 * Is the count off by more than twice what the judge may excuse: the margin of
 * the truth, a 99 % interval of this noise, and a count per interrupt? Of one
 * or two readings of retired work the judge takes up to 1 % for noise.
 */
static bool is_large(const struct rows *r, double count, double claim,
		     bool work, double step, double interrupts)
{
	static const double quantile[] = { 3.5, 3.5, 3.5, 9.93, 5.85, 4.61,
					   4.04, 3.71, 3.5, 3.5, 3.5 };
	const unsigned n = r->m.readings;
	const double share = !work ? 0.03 : n < 3 ? 0.01 : 0.0005;
	const double half = quantile[n] * r->m.noise * count / sqrt(n);

	return fabs(count - claim) > 2 * (share * claim + 3 + step + half +
					  interrupts);
}

static void add_event(struct rows *r, size_t from, size_t to, size_t e)
{
	const struct panel *p = r->p;
	const struct panel_shape *shape = &p->shape[p->row[from].shape];
	const bool work = is_work(&p->event[e]);

	for (unsigned k = 0; k < r->m.readings; k++) {
		const size_t at = (from + k % (to - from)) * PANEL_EVENTS + e;
		double *irq = r->interrupts[p->row[from].shape *
					    MOST_READINGS + k], step;

		if (isnan(p->count[at]) || isnan(p->claim[at]))
			continue;
		r->row[r->rows] = (struct judge_row){
			.machine = "", .microcode = "",
			.program = shape->kernel,
			.shape = r->shape[p->row[from].shape],
			.event = p->event[e].name, .quantity = "",
			.count = seen(r, p->count[at], work, irq[0], &step),
			.expected = p->claim[at], .low = NAN, .high = NAN,
			.resolution = step, .scaled = 1, .run = k,
			.truth = r->m.exact || work ? JUDGE_UNIT : JUDGE_MODEL,
			.covariate = r->m.exact ? NULL : irq,
		};
		r->large[e] |= is_large(r, p->count[at], p->claim[at], work,
					step, irq[0]);
		r->rows++;
	}
}

static void fill(struct rows *r)
{
	const struct panel *p = r->p;

	for (size_t i = 0; i < p->shapes; i++) {
		snprintf(r->shape[i], sizeof(r->shape[i]), "%s at=x%zu",
			 p->shape[i].text, i);
		for (char *c = r->shape[i]; *c; c++)
			*c = *c == ' ' ? ';' : *c;
		for (unsigned k = 0; k < MOST_READINGS; k++)
			r->interrupts[i * MOST_READINGS + k][0] =
				5 + (double)draw(r->d, 60);
	}
	for (size_t i = 0, next; i < p->rows; i = next) {
		next = panel_next_shape(p, i);
		for (size_t e = 0; e < p->events; e++)
			add_event(r, i, next, e);
	}
}

static int take(void *ctx, const struct judge_verdict *v)
{
	struct rows *r = ctx;
	const int at = v->program ? -1 : panel_find(r->p, v->event);

	if (at >= 0)
		r->class_[at] = v->class_;
	return 0;
}

static int open_rows(struct rows *r)
{
	const struct panel *p = r->p;
	const size_t cells = p->shapes * MOST_READINGS;

	r->row = calloc(cells * p->events + 1, sizeof(*r->row));
	r->interrupts = calloc(cells + 1, sizeof(*r->interrupts));
	r->shape = calloc(p->shapes + 1, sizeof(*r->shape));
	r->large = calloc(p->events + 1, sizeof(*r->large));
	r->class_ = calloc(p->events + 1, sizeof(*r->class_));
	for (size_t e = 0; r->class_ && e < p->events; e++)
		r->class_[e] = ASSAY_CLASS_UNAVAILABLE;
	return r->row && r->interrupts && r->shape && r->large && r->class_ ?
	       0 : -ASSAY_ENOMEM;
}

static void close_rows(struct rows *r)
{
	free(r->row);
	free(r->interrupts);
	free(r->shape);
	free(r->large);
	free(r->class_);
}

/* ---- scores -------------------------------------------------------------- */

static void show(const struct rows *r, const struct fault_set *set, size_t e,
		 const char *what)
{
	char text[256];

	printf("%s: %s [%s, seed %u] noise %.1e, %d digits, %u readings: %s",
	       what, r->d->base->target.cpu->name, r->d->base->target.page_map,
	       r->d->base->seed, r->m.noise, r->m.digits, r->m.readings,
	       r->p->event[e].name);
	for (unsigned i = 0; i < set->faults; i++) {
		fault_text(text, sizeof(text), &set->fault[i]);
		printf(" %s", text);
	}
	printf(" is %s\n", assay_class_name(r->class_[e]));
}

/*
 * Has the fault ended in its class, where nothing blurs the counts? Two draws
 * of noise may both be below 0. A factor of 100, in programs with one truth
 * each, is no factor that hardware has, and is biased.
 */
static bool is_named(const struct fault *f, enum assay_class class_)
{
	const bool dead = class_ == ASSAY_CLASS_DEAD;

	switch (f->kind) {
	case FAULT_dead:
		return dead;
	case FAULT_kernel:
	case FAULT_noise:
		return dead || class_ == ASSAY_CLASS_UNSTABLE;
	case FAULT_double:
	case FAULT_times:
		return class_ == ASSAY_CLASS_PROPORTIONAL ||
		       (f->amount == 100 && class_ == ASSAY_CLASS_BIASED);
	default:
		return assay_class_fails(class_);
	}
}

static void score_exact(struct rows *r, const struct fault_set *set, size_t e,
			bool lies)
{
	struct interval_score *score = &r->d->score.exact;
	const enum assay_class class_ = r->class_[e];
	const struct fault *first = &set->fault[0];
	const bool fails = assay_class_fails(class_);
	const bool good = !lies ? !fails : set->faults > 1 ? fails :
			  is_named(first, class_);

	if (lies) {
		score->planted++;
		score->found += good;
		r->d->score.classes[first->kind][class_] += set->faults == 1;
	} else {
		score->clean++;
		score->accused += !good;
	}
	if (!good && score->planted - score->found + score->accused <=
		     MISSES_SHOWN)
		show(r, set, e, lies ? "margins 0, missed" :
		     "margins 0, accused");
}

/* With the interrupts counted beside, an event that adds them is right. */
static bool is_excused(const struct fault_set *set)
{
	for (unsigned i = 0; i < set->faults; i++)
		if (set->fault[i].kind == FAULT_interrupt)
			return true;
	return false;
}

static void score_noisy(struct rows *r, const struct fault_set *set, size_t e,
			bool lies)
{
	struct interval_score *score = &r->d->score.noisy;
	const bool accused = assay_class_fails(r->class_[e]);

	if (lies && (!r->large[e] || is_excused(set)))
		return;
	if (lies) {
		score->planted++;
		score->found += accused;
	} else {
		score->clean++;
		score->accused += accused;
	}
	if (accused != lies && score->planted - score->found +
			       score->accused <= MISSES_SHOWN)
		show(r, set, e, lies ? "noise, missed" : "noise, accused");
}

static int judge(struct drill *d, const struct panel *p,
		 const struct fault_set *set, struct machine m,
		 void (*score)(struct rows *r, const struct fault_set *set,
			       size_t e, bool lies))
{
	static const char *const names[] = { "interrupts" };
	struct rows r = { .d = d, .p = p, .m = m };
	int rc = open_rows(&r);

	if (rc == 0) {
		fill(&r);
		rc = judge_run(&(struct judge_input){
			.row = r.row, .rows = r.rows, .covariate = names,
			.covariates = !m.exact, .no_margins = m.exact },
			take, NULL, &r);
	}
	for (size_t e = 0; rc == 0 && e < p->events; e++)
		if (r.class_[e] != ASSAY_CLASS_UNAVAILABLE)
			score(&r, set, e, drill_changed(d, p, e));
	close_rows(&r);
	return rc;
}

/* Leaves the drill's own draws as they are. */
int drill_intervals(struct drill *d, const struct panel *p,
		    const struct fault_set *set)
{
	const uint64_t kept = d->state;
	const struct machine exact = { .exact = true, .readings = REPEATS };
	const struct machine noisy = {
		.noise = pow(10, -6 + 3 * uniform(d)),
		.digits = draw(d, 3) ? 3 + (int)draw(d, 4) : 0,
		.readings = 1 + (unsigned)draw(d, MOST_READINGS),
	};
	int rc = judge(d, p, set, exact, score_exact);

	rc = rc ? rc : judge(d, p, set, noisy, score_noisy);
	d->state = kept;
	return rc;
}
