/* SPDX-License-Identifier: MIT */
/* The verdicts on a panel's events. */
#include "verify/panel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "verify/panel-intervals.h"

struct judging {
	const struct panel *p;
	struct fit_panel panel;
	struct fit_row *row;
	struct fit_column *column;
	double *cells;		/* count and claim of each column */
	bool *differs;		/* of each event: the repetitions of a shape
				 * have different counts */
	struct judge_facts *facts;	/* of each event */
};

/* Merges the repetitions of a shape if their counts are equal. */
static void fill_shape(struct judging *j, size_t e, size_t from, size_t to,
		       double *count, double *claim)
{
	const struct panel *p = j->p;

	*count = *claim = NAN;
	for (size_t i = from; i < to && !j->differs[e]; i++) {
		const size_t at = i * PANEL_EVENTS + e;

		if (isnan(p->count[at]))
			continue;
		j->differs[e] = !isnan(*count) && p->count[at] != *count;
		*count = p->count[at];
		*claim = p->claim[at];
	}
}

/* Software PMU: keeps every row. Real machine: one row per shape. */
static void fill_column(struct judging *j, size_t e, double *to)
{
	const struct panel *p = j->p;
	size_t row = 0;

	j->column[e] = (struct fit_column){
		.name = p->event[e].name,
		.claim_text = p->event[e].claim_text,
		.count = to, .claim = to + p->rows };
	for (size_t i = 0, next; i < p->rows; i = next, row++) {
		next = p->real_machine ? panel_next_shape(p, i) : i + 1;
		fill_shape(j, e, i, next, to + row, to + p->rows + row);
		j->row[row] = p->row[i];
	}
	j->panel.rows = row;
}

static int prepare(struct judging *j, const struct panel *p)
{
	j->p = p;
	j->row = calloc(p->rows + 1, sizeof(*j->row));
	j->column = calloc(p->events + 1, sizeof(*j->column));
	j->cells = calloc(2 * p->events * p->rows + 1, sizeof(double));
	j->differs = calloc(p->events + 1, sizeof(*j->differs));
	j->facts = calloc(p->events + 1, sizeof(*j->facts));
	if (!j->row || !j->column || !j->cells || !j->differs || !j->facts)
		return -ASSAY_ENOMEM;
	j->panel = (struct fit_panel){ j->row, 0, j->column, p->events };
	for (size_t e = 0; e < p->events; e++)
		fill_column(j, e, j->cells + 2 * e * p->rows);
	return 0;
}

static const struct panel_shape *shape_of(const struct judging *j, size_t row)
{
	return &j->p->shape[j->panel.row[row].shape];
}

/* Names the kernels that refute the claim; if good: that could refute it. */
static void proof(char *out, size_t room, const struct judging *j, size_t e,
		  bool good)
{
	const struct fit_column *c = &j->column[e];
	const char *last = "";

	for (size_t i = 0; i < j->panel.rows; i++) {
		const char *kernel = shape_of(j, i)->kernel;
		bool tells = !isnan(c->count[i]) && !isnan(c->claim[i]) &&
			     (good ? c->claim[i] != 0 :
			      c->count[i] != c->claim[i]);

		if (!tells || strcmp(kernel, last) == 0)
			continue;
		text_add(out, room, ", ", "%s", kernel);
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

/* Was the event never counted, or only a part of the time? */
static bool uncounted(const struct judging *j, size_t e,
		      struct certificate_event *out)
{
	const struct panel_event *event = &j->p->event[e];
	for (size_t i = 0; i < j->p->rows; i++)
		if (!isnan(j->p->count[i * PANEL_EVENTS + e]))
			return false;
	j->facts[e].uncounted = true;
	j->facts[e].estimated = event->estimated;
	text_copy(out->explains, sizeof(out->explains), event->estimated ?
		  "counted only a part of the time, averaged or rounded: no "
		  "verdict rests on an estimate" :
		  event->why[0] ? event->why : "not counted");
	return true;
}

static const char *label(const void *ctx, size_t row)
{
	return shape_of(ctx, row)->size;
}

static bool always_zero(const struct judging *j, size_t e)
{
	for (size_t i = 0; i < j->p->rows; i++)
		if (j->p->count[i * PANEL_EVENTS + e] > 0)
			return false;
	return true;
}

/*
 * An event without a claim: which sum of signals gives its counts? A sum proves
 * nothing. Counts of 0 alone say nothing: an absent counter reads 0, too.
 */
static void unclaimed(const struct judging *j, size_t e,
		      struct certificate_event *out)
{
	char text[CERTIFICATE_TEXT];

	if (*j->p->event[e].open)
		text_copy(text, sizeof(text), j->p->event[e].open);
	else if (always_zero(j, e))
		text_copy(text, sizeof(text), "always 0, and nothing is "
			  "claimed of it: it may as well not exist");
	else if (j->differs[e] ||
		 (!fit_structure(&j->panel, e, text, sizeof(text)) &&
		  !fit_other_event(&j->panel, e, label, j, text, sizeof(text))))
		text_copy(text, sizeof(text), "nothing is claimed that could "
			  "be checked");
	text_copy(out->explains, sizeof(out->explains), text);
}

/* The CPU file's claim is exact, so the vendor's description is wrong. */
static void add_known_deviation(const struct judging *j, size_t e,
		  struct certificate_event *out)
{
	const struct panel_event *event = &j->p->event[e];
	const size_t row = event->vendor_row;
	const double count = j->p->count[row * PANEL_EVENTS + e];

	j->facts[e].erratum = !isnan(event->vendor_count) && !isnan(count) &&
			      out->shapes && out->good == out->shapes;
	out->class_ = judge_decide(&j->facts[e]);
	if (out->class_ != ASSAY_CLASS_KNOWN)
		return;
	const struct panel_shape *s = &j->p->shape[j->p->row[row].shape];

	snprintf(out->explains, sizeof(out->explains), "erratum %s: %s, where "
		 "the vendor's text means %s", event->erratum,
		 event->claim_text, event->says_text);
	snprintf(out->fails, sizeof(out->fails), "%s %s: %.0f counted, %.0f by "
		 "the vendor's text", s->kernel, s->text,
		 j->column[e].count[row], event->vendor_count);
}

/* Notes witnesses that contradict each other: these shapes have no claim. */
static void add_conflict(const struct panel_event *event,
		      struct certificate_event *out)
{
	if (!out->shapes)
		snprintf(out->explains, sizeof(out->explains), "unsettled: the "
			 "witnesses contradict each other, worst at %.230s",
			 event->conflict);
	else
		text_add(out->explains, sizeof(out->explains), "; ",
			 "unsettled at %.230s", event->conflict);
}

/* The software PMU: the truth is exact, and so is the explanation. */
static void judge_exact(const struct judging *j, size_t e,
			struct fit_result *fit, struct certificate_event *out)
{
	fit_event(&j->panel, e, fit);
	j->facts[e] = fit->facts;
	out->shapes = fit->shapes;
	out->good = fit->good;
	if (fit->measured) {
		out->bias = (struct assay_value){ .number = fit->bias };
		out->spread = (struct assay_value){ .number = fit->spread };
	}
	fit_text(out->explains, sizeof(out->explains), &j->panel, e, fit);
	proof(out->proof, sizeof(out->proof), j, e, fit->good == fit->shapes);
	worst(out->fails, sizeof(out->fails), j, e, fit);
}

/* Names another event whose counts explain this one's within wide bounds. */
static void add_other_event(const struct judging *j, size_t e,
		       struct certificate_event *out)
{
	char text[CERTIFICATE_TEXT - 16];

	if (!j->differs[e] &&
	    fit_other_event(&j->panel, e, label, j, text, sizeof(text)))
		snprintf(out->explains, sizeof(out->explains),
			 "Not proven: %s", text);
}

/* Adds why a real machine's event fails, if one sum gives all its counts. */
static void add_reason(const struct judging *j, size_t e,
		       struct fit_result *fit, struct certificate_event *out)
{
	char text[CERTIFICATE_TEXT];

	if (assay_class_trust(out->class_) || j->differs[e] ||
	    out->class_ == ASSAY_CLASS_DEAD || out->class_ == ASSAY_CLASS_LAW)
		return;
	fit_event(&j->panel, e, fit);
	if (!fit->measured || fit->kind == FIT_NONE || fit->kind == FIT_DEAD ||
	    fit->kind == FIT_AS_CLAIMED || fit->model.interrupt > 0 ||
	    fit->model.noise > 0)
		return;
	fit_text(text, sizeof(text), &j->panel, e, fit);
	text_add(out->explains, sizeof(out->explains), " ",
		 "To the last digit: %s.", text);
}

static void judge_event(const struct judging *j, size_t e,
			struct fit_result *fit, struct certificate_event *out)
{
	const struct panel_event *event = &j->p->event[e];
	struct panel_agreement agreement;

	text_copy(out->event, sizeof(out->event), event->name);
	text_copy(out->code, sizeof(out->code), event->code);
	*fit = (struct fit_result){ .twin = -1 };
	if (*event->impossible) {
		j->facts[e].law = true;
		out->class_ = judge_decide(&j->facts[e]);
		text_copy(out->explains, sizeof(out->explains),
			  event->impossible);
		return;
	}
	if (uncounted(j, e, out)) {
		out->class_ = judge_decide(&j->facts[e]);
		return;
	}
	if (!j->p->real_machine)
		judge_exact(j, e, fit, out);
	else if (!out->shapes)
		unclaimed(j, e, out);
	else if (out->class_ == ASSAY_CLASS_INCONCLUSIVE && *event->excuse)
		text_copy(out->explains, sizeof(out->explains), event->excuse);
	else if (out->class_ == ASSAY_CLASS_INCONCLUSIVE)
		add_other_event(j, e, out);
	else
		add_reason(j, e, fit, out);
	panel_agreement(j->p, e, &agreement);
	panel_agreement_text(out->witnesses, sizeof(out->witnesses),
			     &agreement);
	if (agreement.conflict)
		add_conflict(event, out);
	add_known_deviation(j, e, out);
}

struct certificate_event *panel_judge(const struct panel *panel,
				      struct fit_result **fits)
{
	struct judging j = { .p = panel };
	struct certificate_event *out = calloc(panel->events + 1,
					       sizeof(*out));
	struct fit_result *fit = calloc(panel->events + 1, sizeof(*fit));
	bool good = out && fit && prepare(&j, panel) == 0;

	for (size_t e = 0; good && e < panel->events; e++)
		out[e].bias.why = out[e].spread.why = "not known";
	if (good && panel->real_machine)
		good = panel_intervals(panel, out, j.facts) == 0;
	for (size_t e = 0; good && e < panel->events; e++)
		judge_event(&j, e, &fit[e], &out[e]);
	free(j.row);
	free(j.column);
	free(j.cells);
	free(j.differs);
	free(j.facts);
	if (!good) {
		free(out);
		out = NULL;
	}
	if (fits && out)
		*fits = fit;
	else
		free(fit);
	return out;
}
