/* SPDX-License-Identifier: MIT */
/* Quantities: every comparison with a closed form, added up by kernel. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "verify/gather-evidence.h"
#include "verify/verify.h"
#include "base/row.h"
#include "base/text.h"

const char *const verify_verdict_words[] = {
	[ASSAY_AGREES] = "agrees", [ASSAY_DISAGREES] = "disagrees",
	[ASSAY_INCONCLUSIVE] = "inconclusive",
	[ASSAY_UNAVAILABLE] = "unavailable",
};

static void add_option(char *out, size_t room,
		       const struct assay_shape_value *v)
{
	if (v->kind == ASSAY_OPTION_CHOICE)
		text_add(out, room, " ", "%s=%s", v->name, v->word);
	else
		text_add(out, room, " ", "%s=%lld", v->name,
			 (long long)v->value);
}

/* The options of a saved shape that differ from the kernel's defaults. */
static void given_text(char *out, size_t room, const struct assay_shape *shape)
{
	const struct kernel *kernel = kernel_find(shape->kernel);
	struct assay_shape initial;

	kernel_defaults(kernel, &initial);
	for (unsigned i = 0; i < shape->options; i++)
		if (shape->option[i].value != initial.option[i].value)
			add_option(out, room, &shape->option[i]);
}

/* "elements=16 order=linear": the options that the plan sets. */
void verify_shape_text(char *out, size_t room, const struct sweep *sweep,
		       const struct assay_shape *shape)
{
	*out = '\0';
	if (!sweep->axes)
		given_text(out, room, shape);
	for (unsigned i = 0; i < sweep->axes; i++)
		add_option(out, room, &shape->option[
			   assay_shape_find(shape, sweep->axis[i].name)]);
}

static struct quantity_result *find_result(struct verify *v, const char *kernel,
				const struct assay_compared *c)
{
	struct quantity_result *t;

	for (unsigned i = 0; i < v->results; i++) {
		t = &v->result[i];
		if (t->quantity == c->quantity &&
		    strcmp(t->kernel, kernel) == 0 &&
		    strcmp(t->from, c->from) == 0)
			return t;
	}
	if (v->results == VERIFY_QUANTITIES)
		return NULL;
	t = &v->result[v->results++];
	t->kernel = kernel;
	t->quantity = c->quantity;
	text_copy(t->from, sizeof(t->from), c->from);
	return t;
}

/* How far outside of the band, relative to the prediction; 0 inside. */
static double relative_error(const struct assay_compared *c)
{
	const struct assay_expected *e = c->expected;
	double measured = c->measured.number, outside = 0;

	if (c->measured.why)
		return 0;
	if (measured > e->high)
		outside = measured - e->high;
	else if (measured < e->low)
		outside = measured - e->low;
	return e->value != 0 ? outside / fabs(e->value) : outside;
}

/*
 * Is the error within a verdict's margin: 0.2 % of retired work, 3 % of cache
 * events?
 */
static bool is_near(const struct assay_compared *c)
{
	return fabs(relative_error(c)) <=
	       (evidence_depends_on_code(c->quantity) ? 0.002 : 0.03);
}

/* The error in words: over ten times the prediction, or a prediction of 0. */
static void factor_text(char *out, size_t room, const struct assay_compared *c)
{
	const double said = c->expected->value, count = c->measured.number;

	*out = '\0';
	if (said == 0)
		snprintf(out, room, "%.6g instead of 0", count);
	else if (fabs(count) > 10 * fabs(said))
		snprintf(out, room, "%.3g times as many", count / said);
}

static void count(struct verify *v, const struct assay_compared *c,
		  const char *kernel, const char *shape)
{
	struct quantity_result *t = find_result(v, kernel, c);
	double error = relative_error(c);

	if (!t)
		return;
	t->shapes++;
	t->agrees += c->verdict == ASSAY_AGREES;
	t->disagrees += c->verdict == ASSAY_DISAGREES;
	t->near += c->verdict == ASSAY_DISAGREES && is_near(c);
	t->open += c->verdict > ASSAY_DISAGREES;
	v->compared += c->verdict <= ASSAY_DISAGREES;
	v->disagrees += c->verdict == ASSAY_DISAGREES;
	if (c->differs)
		text_copy(t->differs, sizeof(t->differs), c->differs);
	if (c->measured.why)
		text_copy(t->why, sizeof(t->why), c->measured.why);
	if (fabs(error) > fabs(t->worst)) {
		t->worst = error;
		factor_text(t->factor, sizeof(t->factor), c);
		text_copy(t->at, sizeof(t->at), shape);
	}
}

static int emit_comparison(struct verify *v, const struct assay_compared *c,
			   const char *kernel, const char *shape)
{
	const struct assay_expected *e = c->expected;
	struct assay_value error = c->measured;

	error.number -= e->value;
	const struct assay_field field[] = {
		field_text("kernel", kernel), field_text("shape", shape),
		field_text("quantity", assay_quantity_name(c->quantity)),
		field_text("from", c->from),
		field_value("predicted",
		       (struct assay_value){ .number = e->value }),
		field_value("low", (struct assay_value){ .number = e->low }),
		field_value("high", (struct assay_value){ .number = e->high }),
		field_value("measured", c->measured),
		field_value("error", error),
		field_text("verdict", verify_verdict_words[c->verdict]),
		field_text("reason", c->differs ? c->differs :
				     e->terms ? e->term[0].reason : ""),
		field_text("condition", e->condition),
	};

	return ROW_EMIT(v->fn, v->ctx, "comparison", field);
}

int verify_add_result(struct verify *v, const struct run *run,
		const struct assay_result *r)
{
	char shape[160];
	int rc = 0;

	verify_shape_text(shape, sizeof(shape), &run->sweep, r->shape);
	for (size_t i = 0; i < r->compareds && rc == 0; i++) {
		count(v, &r->compared[i], run->kernel->name, shape);
		rc = emit_comparison(v, &r->compared[i], run->kernel->name,
				     shape);
	}
	return rc;
}

/* One shape that disagrees decides. */
static const char *word(const struct quantity_result *t)
{
	if (t->disagrees)
		return "disagrees";
	if (t->agrees == t->shapes)
		return "agrees";
	return t->why[0] && !t->agrees ? "unavailable" : "inconclusive";
}

static int emit_verdict(struct verify *v, const struct quantity_result *t)
{
	struct assay_value worst = { .number = t->worst };

	if (!t->agrees && !t->disagrees)
		worst.why = t->why[0] ? t->why : "no band to compare with";
	else if (t->factor[0])
		worst.why = t->factor;
	struct assay_field field[] = {
		field_text("verdict", word(t)),
		field_text("quantity", assay_quantity_name(t->quantity)),
		field_text("from", t->from), field_text("kernel", t->kernel),
		field_count("shapes", t->shapes),
		field_count("disagree", t->disagrees),
		field_share("worst error", worst),
		field_text("at", t->at), field_text("note", t->differs),
	};

	/* a quantity that agrees at all shapes needs no explanation */
	if (t->agrees == t->shapes && !*t->differs)
		field[7].text = field[8].text = "";

	return ROW_EMIT(v->fn, v->ctx, "verdict", field);
}

/* Is event the word at `at` in a formula? */
static bool is_word(const char *from, const char *at, size_t length)
{
	const char *edge = " +-*/(),";

	return (at == from || strchr(edge, at[-1])) &&
	       (!at[length] || strchr(edge, at[length]));
}

/*
 * assay_class_trust() of the formula's events: 0 if one fails or none has a
 * verdict, -1 if one is open.
 */
static int trust_of(const struct verify *v, const struct quantity_result *t,
		    const struct certificate_event *event)
{
	const char *from = t->from;
	bool known = false, open = false;

	for (size_t i = 0; i < v->panel.events; i++) {
		const char *name = event[i].event;
		const int trust = assay_class_trust(event[i].class_);
		const char *at = strstr(from, name);

		while (at && !is_word(from, at, strlen(name)))
			at = strstr(at + 1, name);
		if (at && trust == 0)
			return 0;
		known |= at != NULL;
		open |= at && trust < 0;
	}
	return open ? -1 : known;
}

/*
 * Under a system, interrupts add to the counts, so a count is never exactly the
 * closed form. The verdicts on events allow for interrupts. A quantity does not
 * agree if its error is beyond the margin or if its events are not proven.
 */
static void follow_events(struct verify *v, struct quantity_result *t,
			  const struct certificate_event *event)
{
	const int trust = v->interrupted && t->disagrees ?
			  trust_of(v, t, event) : 0;
	const unsigned near = trust > 0 ? t->near : 0;

	if (!trust)
		return;
	v->disagrees -= t->disagrees;
	t->agrees += near;
	t->open += t->disagrees - near;
	t->disagrees = 0;
	text_copy(t->differs, sizeof(t->differs), trust > 0 ? "less what "
		  "happens beside the program, as the verdicts on its events "
		  "say" : "nothing is proven of its events");
}

int verify_emit_quantities(struct verify *v,
			   const struct certificate_event *event)
{
	int rc = 0;

	for (unsigned i = 0; i < v->results && rc == 0; i++) {
		follow_events(v, &v->result[i], event);
		rc = emit_verdict(v, &v->result[i]);
	}
	return rc;
}
