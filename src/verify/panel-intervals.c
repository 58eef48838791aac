/* SPDX-License-Identifier: MIT */
/* A real machine's counts: rows for the judge of intervals, and its verdicts. */
#include "verify/panel-intervals.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/judge/judge.h"
#include "base/text.h"

/* A band whose middle is no further from its ends is as good as a number. */
#define MODEL_BAND 0.03

enum { PAGE_FAULTS, COVARIATES };
static const char *const covariate_names[] = { "page_faults" };

struct intervals {
	const struct panel *p;
	struct certificate_event *out;
	struct judge_row *row;
	size_t rows;
	double (*covariate)[COVARIATES];	/* of each row of the panel */
	char (*shape)[sizeof(((struct panel_shape *)0)->text)];
	bool *point;		/* of each event: a truth was one number */
};

/* ---- rows ---------------------------------------------------------------- */

/* Work that retires: what an instruction is, no cache or predictor decides. */
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

/* What must have been counted: a number, a narrow band, or bounds. */
static void know(struct judge_row *r, const struct panel *p, size_t at,
		 const struct panel_event *e)
{
	const double low = p->low[at], high = p->high[at];
	const double middle = (low + high) / 2;

	r->expected = r->low = r->high = NAN;
	r->truth = JUDGE_MODEL;
	if (isfinite(high) && high - low <= 2 * MODEL_BAND * middle) {
		r->expected = middle;
		if (panel_is_closed(p, at) && is_retired_work(quantity_of(e)))
			r->truth = JUDGE_UNIT;
	} else {
		r->low = low;
		r->high = isfinite(high) ? high : NAN;
	}
}

static void add_row(struct intervals *v, size_t row, size_t event)
{
	const struct panel *p = v->p;
	const size_t at = row * PANEL_EVENTS + event;
	const unsigned shape = p->row[row].shape;
	struct judge_row *r = &v->row[v->rows];

	if (isnan(p->count[at]) || isnan(p->low[at]) ||
	    (p->low[at] <= 0 && isinf(p->high[at])))
		return;
	*r = (struct judge_row){
		.machine = "", .microcode = "",
		.program = p->shape[shape].kernel, .shape = v->shape[shape],
		.event = p->event[event].name,
		.quantity = quantity_of(&p->event[event]),
		.count = p->count[at], .resolution = 1, .scaled = 1,
		.covariate = v->covariate[row], .run = (uint32_t)row,
	};
	know(r, p, at, &p->event[event]);
	v->point[event] |= p->low[at] == p->high[at];
	v->rows++;
}

/* "elements=64 order=linear" as the judge splits it. */
static void name_shape(char *out, size_t room, const struct panel_shape *s)
{
	text_copy(out, room, s->text);
	for (; *out; out++)
		*out = *out == ' ' ? ';' : *out;
}

static int prepare(struct intervals *v)
{
	const struct panel *p = v->p;

	v->row = calloc(p->rows * p->events + 1, sizeof(*v->row));
	v->covariate = calloc(p->rows + 1, sizeof(*v->covariate));
	v->shape = calloc(p->shapes + 1, sizeof(*v->shape));
	v->point = calloc(p->events + 1, sizeof(*v->point));
	if (!v->row || !v->covariate || !v->shape || !v->point)
		return -ASSAY_ENOMEM;
	for (size_t i = 0; i < p->shapes; i++)
		name_shape(v->shape[i], sizeof(*v->shape), &p->shape[i]);
	for (size_t i = 0; i < p->rows; i++) {
		v->covariate[i][PAGE_FAULTS] = p->row[i].term[FIT_faults];
		for (size_t e = 0; e < p->events; e++)
			add_row(v, i, e);
	}
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
static int take_shape(void *ctx, const struct judge_shape *s)
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
static void tell_worst(char *out, size_t room, const struct judge_shape *s)
{
	char claim[80], shape[200];

	if (!isnan(s->expected))
		snprintf(claim, sizeof(claim), "%.0f", s->expected);
	else if (isnan(s->high))
		snprintf(claim, sizeof(claim), "%.0f or more", s->low);
	else
		snprintf(claim, sizeof(claim), "%.0f to %.0f", s->low, s->high);
	text_copy(shape, sizeof(shape), s->row[0]->shape);
	for (char *c = shape; *c; c++)
		*c = *c == ';' ? ' ' : *c;
	snprintf(out, room, "%s %s: %.0f counted, %s claimed",
		 s->row[0]->program, shape, s->mean, claim);
}

/* The kernels whose verdicts are of the same kind as that of all. */
static void tell_proof(char *out, size_t room, const struct judge_verdict *all)
{
	size_t used = 0;

	for (size_t i = 0; i < all->parts && used < room; i++)
		if (!*all->part[i].parameter &&
		    assay_class_trust(all->part[i].class_) ==
		    assay_class_trust(all->class_))
			used += (size_t)snprintf(out + used, room - used,
				"%s%s", used ? ", " : "",
				all->part[i].program);
}

static int take(void *ctx, const struct judge_verdict *verdict)
{
	struct intervals *v = ctx;
	const int at = panel_find(v->p, verdict->event);
	struct certificate_event *e = &v->out[at];

	if (at < 0 || verdict->program)
		return 0;
	e->class_ = verdict->class_;
	/* no witness gave a number: only bands were kept to */
	if (e->class_ == ASSAY_CLASS_EXACT && !v->point[at])
		e->class_ = ASSAY_CLASS_BOUNDED;
	snprintf(e->explains, sizeof(e->explains), "%.*s",
		 (int)sizeof(e->explains) - 1, verdict->text);
	if (*verdict->next && strlen(e->explains) + strlen(verdict->next) + 8 <
			      sizeof(e->explains)) {
		strcat(e->explains, " Next: ");
		strcat(e->explains, verdict->next);
	}
	tell_proof(e->proof, sizeof(e->proof), verdict);
	if (!assay_class_trust(e->class_) && verdict->facts.worst)
		tell_worst(e->fails, sizeof(e->fails), verdict->facts.worst);
	return 0;
}

int panel_intervals(const struct panel *p, struct certificate_event *out)
{
	struct intervals v = { .p = p, .out = out };
	int rc = prepare(&v);
	const struct judge_input in = {
		.row = v.row, .rows = v.rows, .covariate = covariate_names,
		.covariates = COVARIATES,
	};

	if (rc == 0)
		rc = judge_run(&in, take, take_shape, &v);
	free(v.row);
	free(v.covariate);
	free(v.shape);
	free(v.point);
	return rc;
}
