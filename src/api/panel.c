/* SPDX-License-Identifier: MIT */
/* The counts of many shapes beside what is true of them. */
#include "api/panel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/fit-settle.h"
#include "base/text.h"
#include "counters/fault.h"

int panel_init(struct panel *panel, struct assay_error *err)
{
	*panel = (struct panel){
		.event = calloc(PANEL_EVENTS, sizeof(*panel->event)) };
	return panel->event ? 0 : error_set(err, -ASSAY_ENOMEM,
					    "out of memory");
}

void panel_fini(struct panel *panel)
{
	free(panel->event);
	free(panel->row);
	free(panel->count);
	free(panel->claim);
	free(panel->off);
	free(panel->slack);
	free(panel->heard);
	free(panel->shape);
	*panel = (struct panel){ .events = 0 };
}

int panel_find(const struct panel *p, const char *name)
{
	for (size_t i = 0; i < p->events; i++)
		if (text_equal(p->event[i].name, name))
			return (int)i;
	return -1;
}

int panel_add_event(struct panel *p, const char *name, const char *code)
{
	int at = panel_find(p, name);

	if (at >= 0 || p->events == PANEL_EVENTS)
		return at;
	text_copy(p->event[p->events].name, ASSAY_NAME, name);
	text_copy(p->event[p->events].code, sizeof(p->event->code), code);
	p->event[p->events].claim_text = "";
	p->event[p->events].said = NAN;
	return (int)p->events++;
}

static void add_says(struct panel_event *out, const struct cpu_event *e)
{
	out->says = &e->says;
	out->says_text = e->says_text;
	out->erratum = e->errata[0];
}

void panel_know(struct panel *p, size_t event, const struct cpu_event *e)
{
	struct panel_event *out = &p->event[event];

	if (!e->present)
		return;
	/* cycles by a model of few constants are none of a real machine */
	if (p->alone && strstr(e->counts_text, "cycles"))
		return;
	out->counts = &e->counts;
	out->claim_text = e->counts_text;
	if (*e->says_text)
		add_says(out, e);
}

void panel_add_cpu(struct panel *p, const struct cpu *cpu, bool all)
{
	char code[24];

	for (size_t i = 0; i < cpu->events; i++) {
		const struct cpu_event *e = &cpu->event[i];
		int at;

		if (!e->present && !all)
			continue;
		snprintf(code, sizeof(code), "0x%llx",
			 (unsigned long long)e->code);
		at = panel_add_event(p, e->name, code);
		if (at < 0)
			return;
		if (e->present) {
			panel_know(p, (size_t)at, e);
		} else {
			text_copy(p->event[at].why, ASSAY_WHY,
				  e->absent ? e->absent : "");
		}
	}
}

int panel_add_shape(struct panel *p, const char *kernel, const char *text)
{
	struct panel_shape *more = realloc(p->shape, (p->shapes + 1) *
					   sizeof(*more));

	if (!more)
		return -ASSAY_ENOMEM;
	p->shape = more;
	text_copy(more[p->shapes].kernel, sizeof(more->kernel), kernel);
	text_copy(more[p->shapes].text, sizeof(more->text), text);
	text_copy(more[p->shapes].size, sizeof(more->size), text);
	more[p->shapes].size[strcspn(more[p->shapes].size, " ")] = '\0';
	p->shapes++;
	return 0;
}

static int grow(struct panel *p)
{
	size_t room = p->room ? 2 * p->room : 64;
	const size_t wide = PANEL_EVENTS * sizeof(double);
	void *row, *count, *claim, *off, *slack, *heard;

	row = realloc(p->row, room * sizeof(*p->row));
	p->row = row ? row : p->row;
	count = realloc(p->count, room * wide);
	p->count = count ? count : p->count;
	claim = realloc(p->claim, room * wide);
	p->claim = claim ? claim : p->claim;
	heard = realloc(p->heard, room * PANEL_EVENTS);
	p->heard = heard ? heard : p->heard;
	off = realloc(p->off, room * wide);
	p->off = off ? off : p->off;
	slack = realloc(p->slack, room * wide);
	p->slack = slack ? slack : p->slack;
	if (!row || !count || !claim || !off || !slack || !heard)
		return -ASSAY_ENOMEM;
	p->room = room;
	return 0;
}

static struct assay_value signal_value(const void *ctx, int name)
{
	const uint64_t *signal = ctx;

	return (struct assay_value){ .number = (double)signal[name] };
}

static double claim_of(const struct expr *counts, const uint64_t *signal)
{
	struct assay_value v;

	if (!counts)
		return NAN;
	v = expr_value(counts, signal_value, signal);
	return v.why ? NAN : v.number > 0 ? round(v.number) : 0;
}

/* Where the vendor's text and the claim are furthest apart. */
static void compare_text(struct panel_event *e, double claim,
			 const uint64_t *signal, size_t row)
{
	double said = claim_of(e->says, signal), apart = fabs(said - claim);

	if (isnan(apart) || apart == 0 ||
	    (!isnan(e->said) && apart <= e->apart))
		return;
	e->said = said;
	e->apart = apart;
	e->said_row = row;
}

int panel_add_row(struct panel *p, const uint64_t *signal,
		  const struct geometry *geometry)
{
	double *count, *claim;
	struct fit_row *row;

	if (p->rows == p->room && grow(p) < 0)
		return -ASSAY_ENOMEM;
	row = &p->row[p->rows];
	*row = (struct fit_row){ .shape = (unsigned)p->shapes - 1,
				 .truth = signal, .disturbed = NAN };
	count = p->count + p->rows * PANEL_EVENTS;
	claim = p->claim + p->rows * PANEL_EVENTS;
	for (size_t e = 0; e < PANEL_EVENTS; e++)
		count[e] = claim[e] = NAN;
	memset(p->heard + p->rows * PANEL_EVENTS, 0, PANEL_EVENTS);
	memset(p->off + p->rows * PANEL_EVENTS, 0,
	       PANEL_EVENTS * sizeof(*p->off));
	memset(p->slack + p->rows * PANEL_EVENTS, 0,
	       PANEL_EVENTS * sizeof(*p->slack));
	for (size_t e = 0; signal && e < p->events; e++) {
		claim[e] = claim_of(p->event[e].counts, signal);
		compare_text(&p->event[e], claim[e], signal, p->rows);
	}
	if (signal) {
		fit_terms(row->term, signal);
		row->term[FIT_cycles] = fault_cycles(geometry, signal);
		row->term[FIT_passes] = (double)signal[SIGNAL_passes];
	}
	return (int)p->rows++;
}

void panel_count(struct panel *p, size_t row,
		 const struct assay_record *record, unsigned repeat)
{
	double *count = p->count + row * PANEL_EVENTS;

	for (unsigned e = 0; e < record->events; e++) {
		const struct assay_count *c =
			&record->counts[(size_t)repeat * record->events + e];
		int at = panel_find(p, record->event[e].name);

		if (at < 0)
			continue;
		if (c->state == ASSAY_COUNT_PRESENT)
			count[at] = (double)c->value;
		else if (c->state == ASSAY_COUNT_SCALED)
			p->event[at].estimated = true;
		else if (!p->event[at].why[0])
			text_copy(p->event[at].why, ASSAY_WHY,
				  c->why ? c->why : "not counted");
	}
}

/* ---- verdicts ------------------------------------------------------------ */

struct judging {
	const struct panel *p;
	struct fit_panel panel;
	const struct fit_column *column;	/* the panel's */
	struct fit_column *own;
	double *cells;
	struct fit_settled settled;	/* alone: repetitions are one row */
};

/* The cells of a row and event, one for each array of a column. */
static void fill(const struct panel *p, size_t row, size_t event, double *to)
{
	const size_t at = row * PANEL_EVENTS + event, next = p->rows;
	const bool vague = isinf(p->slack[at]);

	to[0] = p->count[at];
	to[next] = p->claim[at];
	to[2 * next] = vague ? 0 : p->slack[at];
	to[3 * next] = p->off[at];
	to[4 * next] = vague;
}

static int transpose(struct judging *j, const struct panel *p)
{
	double *to;

	j->p = p;
	j->own = calloc(p->events + 1, sizeof(*j->own));
	j->cells = calloc(5 * p->events * p->rows + 1, sizeof(double));
	if (!j->own || !j->cells)
		return -ASSAY_ENOMEM;
	to = j->cells;
	for (size_t e = 0; e < p->events; e++, to += 5 * p->rows) {
		j->own[e] = (struct fit_column){
			.name = p->event[e].name,
			.claim_text = p->event[e].claim_text,
			.count = to, .claim = to + p->rows,
			.slack = to + 2 * p->rows, .off = to + 3 * p->rows,
			.vague = to + 4 * p->rows };
		for (size_t i = 0; i < p->rows; i++)
			fill(p, i, e, to + i);
	}
	j->panel = (struct fit_panel){ p->row, p->rows, j->own, p->events,
				       p->tolerance, p->alone };
	return 0;
}

/* A real machine's repetitions differ, and that is a question of its own. */
static int prepare(struct judging *j, const struct panel *p)
{
	int rc = transpose(j, p);

	if (rc == 0 && p->alone) {
		rc = fit_settle(&j->panel, &j->settled) < 0 ? -ASSAY_ENOMEM :
							      0;
		j->panel = j->settled.panel;
	}
	j->column = j->panel.column;
	return rc;
}

static const struct panel_shape *shape_of(const struct judging *j, size_t row)
{
	return &j->p->shape[j->panel.row[row].shape];
}

/* Kernels that refute the claim; or, if it holds, that could have. */
static void proof(char *out, size_t room, const struct judging *j, size_t e,
		  bool good)
{
	const struct fit_column *c = &j->column[e];
	const char *last = "";
	size_t used = 0;

	for (size_t i = 0; i < j->panel.rows; i++) {
		const char *kernel = shape_of(j, i)->kernel;
		bool tells = !isnan(c->count[i]) && !isnan(c->claim[i]) &&
			     (good ? c->claim[i] != 0 :
			      c->count[i] != c->claim[i]);

		if (!tells || strcmp(kernel, last) == 0 || used >= room)
			continue;
		used += snprintf(out + used, room - used, "%s%s",
				 used ? ", " : "", kernel);
		last = kernel;
	}
}

static void worst(char *out, size_t room, const struct judging *j, size_t e,
		  const struct fit_result *r)
{
	const struct panel_shape *s = shape_of(j, r->worst);

	if (r->good < r->shapes)
		snprintf(out, room, "%s %s: %.0f counted, %.0f claimed",
			 s->kernel, s->text, j->column[e].count[r->worst],
			 j->column[e].claim[r->worst]);
}

/* Nothing was counted of it, or only a part of the time. */
static bool uncounted(const struct judging *j, size_t e,
		      struct certificate_event *out)
{
	const struct panel_event *event = &j->p->event[e];
	bool any = false;

	for (size_t i = 0; i < j->panel.rows && !any; i++)
		any = !isnan(j->column[e].count[i]);
	if (any)
		return false;
	out->class_ = event->estimated ? ASSAY_CLASS_INCONCLUSIVE :
					 ASSAY_CLASS_UNAVAILABLE;
	text_copy(out->explains, sizeof(out->explains), event->estimated ?
		  "counted only a part of the time: no verdict rests on an "
		  "estimate" : event->why[0] ? event->why : "not counted");
	return true;
}

static const char *label(const void *ctx, size_t row)
{
	return shape_of(ctx, row)->size;
}

static bool always_zero(const struct judging *j, size_t e)
{
	for (size_t i = 0; i < j->panel.rows; i++)
		if (!isnan(j->column[e].count[i]) && j->column[e].count[i])
			return false;
	return true;
}

/*
 * Nobody claims anything of it: what is it made of? Of 0 alone nothing can be
 * said: a counter that is not there reads 0, too.
 */
static void unclaimed(const struct judging *j, size_t e,
		      struct certificate_event *out)
{
	char text[CERTIFICATE_TEXT];

	if (always_zero(j, e)) {
		out->class_ = ASSAY_CLASS_INCONCLUSIVE;
		text_copy(text, sizeof(text), "always 0, and nothing is claimed "
			  "of it: it may as well not exist");
	} else if (fit_structure(&j->panel, e, text, sizeof(text))) {
		out->class_ = ASSAY_CLASS_EXACT;
	} else if (!fit_beside(&j->panel, e, label, j, text,
			       sizeof(text))) {
		return;
	}
	text_copy(out->explains, sizeof(out->explains), text);
}

/* As the CPU file says, to the last digit, and so not as the vendor does. */
static void known(const struct judging *j, size_t e,
		  struct certificate_event *out)
{
	const struct panel_event *event = &j->p->event[e];
	const size_t row = event->said_row;
	const double count = j->p->count[row * PANEL_EVENTS + e];

	if ((out->class_ != ASSAY_CLASS_EXACT &&
	     out->class_ != ASSAY_CLASS_BOUNDED &&
	     out->class_ != ASSAY_CLASS_INCONCLUSIVE) || isnan(event->said) ||
	    isnan(count) || !out->shapes || out->good < out->shapes)
		return;
	const struct panel_shape *s = &j->p->shape[j->p->row[row].shape];

	out->class_ = ASSAY_CLASS_KNOWN;
	snprintf(out->explains, sizeof(out->explains), "erratum %s: %s, where "
		 "the vendor's text means %s", event->erratum,
		 event->claim_text, event->says_text);
	snprintf(out->fails, sizeof(out->fails), "%s %s: %.0f counted, %.0f by "
		 "the vendor's text", s->kernel, s->text,
		 j->column[e].count[row], event->said);
}

/* Where the witnesses do not allow a verdict, or not that one. */
static void weigh(const struct judging *j, size_t e,
		  const struct panel_heard *h, struct certificate_event *out)
{
	const struct panel_event *event = &j->p->event[e];
	size_t used = strlen(out->explains);
	char text[CERTIFICATE_TEXT];

	if (out->class_ == ASSAY_CLASS_EXACT && h->banded) {
		out->class_ = event->tight ? ASSAY_CLASS_BOUNDED :
					     ASSAY_CLASS_INCONCLUSIVE;
		snprintf(out->explains, sizeof(out->explains), "%s, %s",
			 event->claim_text, event->tight ?
			 "within what the witnesses allow" :
			 "but the witnesses leave too much open to say so");
		/* between bounds there is room for a term */
		if (fit_beside(&j->panel, e, label, j, text, sizeof(text)))
			text_copy(out->explains, sizeof(out->explains), text);
		used = strlen(out->explains);
	}
	if (!h->torn)
		return;
	if (!out->shapes)
		snprintf(out->explains, sizeof(out->explains), "unsettled: the "
			 "witnesses contradict each other, worst at %.230s",
			 event->torn);
	else
		snprintf(out->explains + used, sizeof(out->explains) - used,
			 "; unsettled at %.230s", event->torn);
}

static void judge_event(const struct judging *j, size_t e,
			struct fit_result *fit, struct certificate_event *out)
{
	const struct panel_event *event = &j->p->event[e];
	struct panel_heard heard;

	text_copy(out->event, sizeof(out->event), event->name);
	text_copy(out->code, sizeof(out->code), event->code);
	out->bias.why = out->spread.why = "not known";
	*fit = (struct fit_result){ .twin = -1 };
	if (uncounted(j, e, out))
		return;
	fit_event(&j->panel, e, fit);
	out->class_ = fit->class_;
	out->shapes = fit->shapes;
	out->good = fit->good;
	if (fit->measured) {
		out->bias = (struct assay_value){ .number = fit->bias };
		out->spread = (struct assay_value){ .number = fit->spread };
	}
	fit_text(out->explains, sizeof(out->explains), &j->panel, e, fit);
	if (!fit->measured && j->p->alone)
		unclaimed(j, e, out);
	if (out->class_ == ASSAY_CLASS_INCONCLUSIVE && event->band)
		text_copy(out->explains, sizeof(out->explains), event->band);
	proof(out->proof, sizeof(out->proof), j, e, fit->good == fit->shapes);
	worst(out->fails, sizeof(out->fails), j, e, fit);
	panel_heard(j->p, e, &heard);
	panel_heard_text(out->witnesses, sizeof(out->witnesses), &heard);
	weigh(j, e, &heard, out);
	known(j, e, out);
}

struct certificate_event *panel_judge(const struct panel *panel,
				      struct fit_result **fits)
{
	struct judging j = { .p = panel };
	struct certificate_event *out = calloc(panel->events + 1,
					       sizeof(*out));
	struct fit_result *fit = calloc(panel->events + 1, sizeof(*fit));

	if (!out || !fit || prepare(&j, panel) < 0) {
		free(out);
		out = NULL;
	}
	for (size_t e = 0; out && e < panel->events; e++)
		judge_event(&j, e, &fit[e], &out[e]);
	free(j.own);
	free(j.cells);
	fit_settled_fini(&j.settled);
	if (fits && out)
		*fits = fit;
	else
		free(fit);
	return out;
}
