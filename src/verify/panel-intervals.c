/* SPDX-License-Identifier: MIT */
/* A real machine's counts as rows for the interval judge, and its verdicts. */
#include "verify/panel-intervals.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* A range at most this wide, as a share, is judged as a number: its middle. */
#define MODEL_BAND 0.03

/* The judge's margins: counts of start and stop; shares of retired work. */
#define MARGIN_COUNTS 3.0
#define MARGIN_WORK 0.0005
#define MARGIN_WORK_FEW 0.002

/* DISTURBANCE: NAN if the system may have added unknown counts. */
enum { PAGE_FAULTS, SWITCHES, DISTURBANCE, COVARIATES };
static const char *const covariate_names[] = { "page_faults", "switches",
					       "disturbance" };

/* How a shape of an event is judged: by the numbers; with bounds that leave
 * room for what the system added; or by the numbers less what was counted
 * beside the event. */
enum how { PLAIN, EXCUSED, EXPLAINED, HOWS };

struct intervals {
	const struct panel *p;
	struct certificate_event *out;
	struct judge_facts *facts;
	struct judge_row *row;
	size_t rows;
	double (*covariate)[HOWS][COVARIATES];	/* of each panel row */
	char (*shape)[180];
	bool *point;		/* of each event: some bounds were one number */
	bool *explained;	/* of each event: page faults and switches of
				 * threads explain what the system added */
	bool microcodes;	/* the shapes have different microcodes */
};

/* ---- rows ---------------------------------------------------------------- */

/* Retired work: fixed by the program, not by caches or predictors. */
static bool is_retired_work(const char *claim)
{
	static const char *const work[] = { "instructions", "loads", "stores",
					    "branches", "branches_taken" };

	while (*claim) {
		const size_t n = strcspn(claim, " +");
		bool known = !n;

		for (size_t i = 0; i < sizeof(work) / sizeof(*work); i++)
			known |= n == strlen(work[i]) &&
				 !memcmp(claim, work[i], n);
		if (!known)
			return false;
		claim += n + strspn(claim + n, " +");
	}
	return true;
}

static const char *quantity_of(const struct panel_event *e)
{
	return e->quantity ? e->quantity : e->claim_text;
}

/* One number, or bounds so narrow that their middle serves as one. */
static bool is_number(double low, double high)
{
	return isfinite(high) && high - low <= MODEL_BAND * (low + high);
}

/* Sets the row's expected count: one number, or bounds. */
static void set_expected(struct judge_row *r, const struct panel *p, size_t at,
		 const struct panel_event *e)
{
	const double low = p->low[at], high = p->high[at];

	r->expected = r->low = r->high = NAN;
	r->truth = JUDGE_MODEL;
	if (is_number(low, high)) {
		r->expected = (low + high) / 2;
		if (panel_is_closed(p, at) && is_retired_work(quantity_of(e)))
			r->truth = JUDGE_UNIT;
	} else {
		r->low = low;
		r->high = isfinite(high) ? high : NAN;
	}
}

/*
 * May disturbances explain why repetitions of a shape are above the bounds, or
 * differ where the bounds are wide? Then the shape neither refutes nor supports
 * the event.
 */
static bool is_excused(const struct panel *p, size_t from, size_t to,
		       size_t event)
{
	const double part = !is_retired_work(quantity_of(&p->event[event])) ?
		MODEL_BAND : to - from < 3 ? MARGIN_WORK_FEW : MARGIN_WORK;
	double least = INFINITY, most = 0;
	bool off = false, wide = false;

	for (size_t i = from; i < to; i++) {
		const size_t at = i * PANEL_EVENTS + event;
		const double count = p->count[at], high = p->high[at];

		if (isnan(count) || isnan(high))
			continue;
		if (count < p->low[at] || count > high + p->disturbance[i])
			return false;
		off |= count > high + MARGIN_COUNTS + part * high;
		wide |= !is_number(p->low[at], high);
		least = fmin(least, count);
		most = fmax(most, count);
	}
	return off ||
	       (wide && most > least && most <= least + p->disturbance[from]);
}

static void add_row(struct intervals *v, size_t row, size_t event,
		    enum how how)
{
	const struct panel *p = v->p;
	const size_t at = row * PANEL_EVENTS + event;
	const unsigned shape = p->row[row].shape;
	struct judge_row *r = &v->row[v->rows];

	if (isnan(p->count[at]) || isnan(p->low[at]) ||
	    (p->low[at] <= 0 && isinf(p->high[at])))
		return;
	*r = (struct judge_row){
		.machine = "", .microcode = p->shape[shape].microcode,
		.program = p->shape[shape].kernel, .shape = v->shape[shape],
		.event = p->event[event].name,
		.quantity = quantity_of(&p->event[event]),
		.count = p->count[at], .resolution = 1, .scaled = 1,
		.covariate = v->covariate[row][how],
		.run = (uint32_t)row,
	};
	set_expected(r, p, at, &p->event[event]);
	if (how == EXCUSED) {
		r->quantity = "";
		r->expected = NAN;
		r->low = p->low[at];
		r->high = p->high[at] + p->disturbance[row];
	}
	v->point[event] |= p->low[at] == p->high[at];
	v->rows++;
}

static void add_rows(struct intervals *v, size_t from, size_t to)
{
	for (size_t e = 0; e < v->p->events; e++) {
		const enum how how = v->explained[e] ? EXPLAINED :
			is_excused(v->p, from, to, e) ? EXCUSED : PLAIN;

		for (size_t i = from; i < to; i++)
			add_row(v, i, e, how);
	}
}

/*
 * "elements=64;order=linear", as the judge splits a shape. A repeated shape
 * (with prefetchers on) gets a name of its own.
 */
static void name_shape(struct intervals *v, size_t at)
{
	const struct panel_shape *s = &v->p->shape[at];
	char *out = v->shape[at];
	unsigned before = 0;

	for (size_t i = 0; i < at; i++)
		before += !strcmp(v->p->shape[i].kernel, s->kernel) &&
			  !strcmp(v->p->shape[i].text, s->text) &&
			  !strcmp(v->p->shape[i].microcode, s->microcode);
	snprintf(out, sizeof(*v->shape), "%s", s->text);
	if (before)
		snprintf(out + strlen(out), sizeof(*v->shape) - strlen(out),
			 " again=x%u", before);
	for (; *out; out++)
		*out = *out == ' ' ? ';' : *out;
}

/* Switches of threads are a covariate of EXPLAINED rows only, and only if a row
 * knows its switches. */
static void set_covariates(struct intervals *v)
{
	const struct panel *p = v->p;
	bool known = false;

	for (size_t i = 0; i < p->rows; i++)
		known |= !isnan(p->row[i].term[FIT_switches]);
	for (size_t i = 0; i < p->rows; i++) {
		for (int how = 0; how < HOWS; how++)
			v->covariate[i][how][PAGE_FAULTS] =
				p->row[i].term[FIT_faults];
		v->covariate[i][EXCUSED][DISTURBANCE] = NAN;
		if (known)
			v->covariate[i][EXPLAINED][SWITCHES] =
				p->row[i].term[FIT_switches];
	}
}

static void fill_rows(struct intervals *v)
{
	v->rows = 0;
	for (size_t i = 0, next; i < v->p->rows; i = next) {
		next = panel_next_shape(v->p, i);
		add_rows(v, i, next);
	}
}

static int prepare(struct intervals *v)
{
	const struct panel *p = v->p;

	v->row = calloc(p->rows * p->events + 1, sizeof(*v->row));
	v->covariate = calloc(p->rows + 1, sizeof(*v->covariate));
	v->shape = calloc(p->shapes + 1, sizeof(*v->shape));
	v->point = calloc(p->events + 1, sizeof(*v->point));
	v->explained = calloc(p->events + 1, sizeof(*v->explained));
	if (!v->row || !v->covariate || !v->shape || !v->point || !v->explained)
		return -ASSAY_ENOMEM;
	for (size_t i = 0; i < p->shapes; i++) {
		name_shape(v, i);
		v->microcodes |= strcmp(p->shape[i].microcode,
					p->shape[0].microcode) != 0;
	}
	set_covariates(v);
	return 0;
}

/* ---- verdicts ------------------------------------------------------------ */

static struct certificate_event *event_of(struct intervals *v,
					  const char *name)
{
	const int at = panel_find(v->p, name);

	return at < 0 ? NULL : &v->out[at];
}

static bool is_good(const struct judge_shape *s)
{
	return s->label == JUDGE_IN ||
	       (s->label == JUDGE_BOUNDS && s->low > 0 &&
		s->high <= 1.1 * s->low && s->least >= s->low &&
		s->most <= s->high);
}

/* Largest shares: of the truth, and of the repetitions. */
static int add_shape(void *ctx, const struct judge_shape *s)
{
	struct certificate_event *e = event_of(ctx, s->row[0]->event);
	const double bias = s->mean / s->expected - 1;
	const double spread = (s->most - s->least) / fmax(1, s->mean);

	e->shapes++;
	e->good += is_good(s);
	if (isfinite(bias) && (e->bias.why ||
			       fabs(bias) > fabs(e->bias.number)))
		e->bias = (struct assay_value){ .number = bias };
	if (e->spread.why || spread > e->spread.number)
		e->spread = (struct assay_value){ .number = spread };
	return 0;
}

/* "chase elements=64: 130 counted, 65 claimed" */
static void worst_text(char *out, size_t room, const struct judge_shape *s)
{
	char claim[80], shape[sizeof(*((struct intervals *)0)->shape)];

	if (!isnan(s->expected))
		snprintf(claim, sizeof(claim), "%.0f", s->expected);
	else if (isnan(s->high))
		snprintf(claim, sizeof(claim), "%.0f or more", s->low);
	else
		snprintf(claim, sizeof(claim), "%.0f to %.0f", s->low, s->high);
	text_copy(shape, sizeof(shape), s->row[0]->shape);
	for (char *c = shape; *c; c++)
		*c = *c == ';' ? ' ' : *c;
	snprintf(out, room, "%s%s%s: %.0f counted, %s claimed",
		 s->row[0]->program, *shape ? " " : "", shape, s->mean, claim);
}

/* Names the kernels whose verdict agrees with the event's verdict. */
static void proof_text(char *out, size_t room, const struct judge_verdict *all)
{
	for (size_t i = 0; i < all->parts; i++)
		if (!*all->part[i].parameter &&
		    assay_class_trust(all->part[i].class_) ==
		    assay_class_trust(all->class_))
			text_add(out, room, ", ", "%s", all->part[i].program);
}

/* Of several microcodes an event has the worst verdict. */
static bool is_worse(enum assay_class class_, enum assay_class than)
{
	static const int order[] = { 1, 2, 0 };	/* open, failing, right */

	return order[1 + assay_class_trust(class_)] >
	       order[1 + assay_class_trust(than)];
}

static int add_verdict(void *ctx, const struct judge_verdict *verdict)
{
	struct intervals *v = ctx;
	const int at = panel_find(v->p, verdict->event);
	struct certificate_event *e = &v->out[at];

	if (at < 0 || verdict->program ||
	    (*e->explains && !is_worse(verdict->class_, e->class_)))
		return 0;
	v->facts[at] = verdict->facts;
	v->facts[at].worst = NULL;	/* lives no longer than the judge */
	v->facts[at].banded = !v->point[at];
	e->class_ = judge_decide(&v->facts[at]);
	*e->fails = *e->proof = '\0';
	snprintf(e->explains, sizeof(e->explains), "%s%s%s%s",
		 v->microcodes ? "Microcode " : "",
		 v->microcodes ? verdict->microcode : "",
		 v->microcodes ? ": " : "", verdict->text);
	if (*verdict->next && strlen(e->explains) + strlen(verdict->next) + 8 <
			      sizeof(e->explains)) {
		strcat(e->explains, " Next: ");
		strcat(e->explains, verdict->next);
	}
	proof_text(e->proof, sizeof(e->proof), verdict);
	if (!assay_class_trust(e->class_) && verdict->facts.worst &&
	    !isnan(verdict->facts.worst->mean))
		worst_text(e->fails, sizeof(e->fails), verdict->facts.worst);
	return 0;
}

/* Marks events that are exact less page faults and switches as explained. */
static int note_explained(void *ctx, const struct judge_verdict *verdict)
{
	struct intervals *v = ctx;
	const int at = panel_find(v->p, verdict->event);

	if (at >= 0 && !verdict->program)
		v->explained[at] &= verdict->class_ == ASSAY_CLASS_FAULTS;
	return 0;
}

/*
 * What page faults and switches of threads explain needs no excuse: all events
 * are first judged without one. Of several microcodes each must be explained.
 */
static int explain(struct intervals *v, struct judge_input *in)
{
	int rc;

	for (size_t e = 0; e < v->p->events; e++)
		v->explained[e] = true;
	fill_rows(v);
	in->rows = v->rows;
	rc = judge_run(in, note_explained, NULL, v);
	fill_rows(v);
	in->rows = v->rows;
	return rc;
}

int panel_intervals(const struct panel *p, struct certificate_event *out,
		    struct judge_facts *facts)
{
	struct intervals v = { .p = p, .out = out, .facts = facts };
	int rc = prepare(&v);
	struct judge_input in = {
		.row = v.row, .covariate = covariate_names,
		.covariates = COVARIATES,
	};

	rc = rc ? rc : explain(&v, &in);
	if (rc == 0)
		rc = judge_run(&in, add_verdict, add_shape, &v);
	free(v.row);
	free(v.covariate);
	free(v.shape);
	free(v.point);
	free(v.explained);
	return rc;
}
