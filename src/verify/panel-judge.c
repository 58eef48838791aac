/* SPDX-License-Identifier: MIT */
/* The verdicts on a panel's events. */
#include "verify/panel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/fit/medians.h"
#include "base/text.h"

struct judging {
	const struct panel *p;
	struct fit_panel panel;
	const struct fit_column *column;	/* the panel's */
	struct fit_column *own;
	double *cells;
	struct fit_medians settled;	/* alone: repetitions are one row */
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
			.unsized = to + 4 * p->rows };
		for (size_t i = 0; i < p->rows; i++)
			fill(p, i, e, to + i);
	}
	j->panel = (struct fit_panel){ p->row, p->rows, j->own, p->events,
				       p->tolerance, p->real_machine };
	return 0;
}

/* A real machine's repetitions differ, and that is a question of its own. */
static int prepare(struct judging *j, const struct panel *p)
{
	int rc = transpose(j, p);

	if (rc == 0 && p->real_machine) {
		rc = fit_medians(&j->panel, &j->settled) < 0 ? -ASSAY_ENOMEM :
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
	if (!fit->measured && j->p->real_machine)
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
	fit_medians_fini(&j.settled);
	if (fits && out)
		*fits = fit;
	else
		free(fit);
	return out;
}
