/* SPDX-License-Identifier: MIT */
/* Checking laws between events, and saying what came of it. */
#include "analysis/identity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/row.h"
#include "base/text.h"

const char *const identity_state_names[IDENTITY_STATES] = {
	[IDENTITY_HOLDS] = "holds",
	[IDENTITY_VIOLATED] = "violated",
	[IDENTITY_UNPROVEN] = "unproven",
	[IDENTITY_OPEN] = "open",
};

const char *const identity_relation_signs[] = {
	[IDENTITY_EQUAL] = "=", [IDENTITY_AT_MOST] = "<=",
	[IDENTITY_AT_LEAST] = ">=",
};

struct checking {
	const struct identities *set;
	const struct identity_check *check;
};

static struct assay_value count(const void *ctx, int name)
{
	const struct checking *c = ctx;

	return c->check->count(c->check->ctx, c->set->event[name]);
}

/* How far the sides are beyond what the relation allows. */
static double beyond(const struct identity *law, double left, double right,
		     bool exact)
{
	double difference = left - right, larger, allowed;

	if (law->relation == IDENTITY_EQUAL)
		difference = fabs(difference);
	else if (law->relation == IDENTITY_AT_LEAST)
		difference = -difference;
	larger = fmax(fabs(left), fabs(right));
	allowed = exact ? 0 : law->slack * larger + law->offset;
	return difference > allowed ? difference : 0;
}

static void check_one(const struct checking *c, const struct identity *law,
		      struct identity_finding *out)
{
	*out = (struct identity_finding){
		.identity = law,
		.left = expr_value(&law->left.expr, count, c),
		.right = expr_value(&law->right.expr, count, c),
	};
	out->why = out->left.why ? out->left.why : out->right.why;
	if (!out->why && (out->left.estimate || out->right.estimate))
		out->why = "an event was counted a part of the time only";
	if (out->why) {
		out->state = IDENTITY_OPEN;
		return;
	}
	out->excess = beyond(law, out->left.number, out->right.number,
			     c->check->exact);
	if (out->excess > 0)
		out->state = IDENTITY_VIOLATED;
	if (out->excess > 0 && law->suspect >= 0)
		out->doubt = c->set->event[law->suspect];
}

/* Some event of the law was not asked for: the law is not meant. */
static bool has_absent(const struct checking *c, const struct identity *law)
{
	const struct expr *sides[] = { &law->left.expr, &law->right.expr };

	for (int s = 0; s < 2; s++)
		for (int i = 0; i < sides[s]->nodes; i++)
			if (sides[s]->node[i].op == EXPR_NAME &&
			    count(c, sides[s]->node[i].name).why)
				return true;
	return false;
}

static bool rests_on(const struct identity *law, int event)
{
	const struct expr *sides[] = { &law->left.expr, &law->right.expr };

	for (int s = 0; s < 2; s++)
		for (int i = 0; i < sides[s]->nodes; i++)
			if (sides[s]->node[i].op == EXPR_NAME &&
			    sides[s]->node[i].name == event)
				return true;
	return false;
}

/* A law that holds against a doubtful event proves nothing. */
static void mark_unproven(const struct checking *c,
			  struct identity_finding *out, size_t n)
{
	for (size_t v = 0; v < n; v++) {
		int suspect = out[v].identity->suspect;

		if (out[v].state != IDENTITY_VIOLATED || suspect < 0)
			continue;
		for (size_t i = 0; i < n; i++) {
			if (out[i].state != IDENTITY_HOLDS ||
			    !rests_on(out[i].identity, suspect))
				continue;
			out[i].state = IDENTITY_UNPROVEN;
			out[i].doubt = c->set->event[suspect];
		}
	}
}

/* Violated ones first, else as they came. */
static void sort(struct identity_finding *out, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		struct identity_finding f = out[i];
		size_t at = i;

		for (; at && f.state == IDENTITY_VIOLATED &&
		       out[at - 1].state != IDENTITY_VIOLATED; at--)
			out[at] = out[at - 1];
		out[at] = f;
	}
}

size_t identities_check(const struct identities *set,
			const struct identity_check *check,
			struct identity_finding *out, size_t room)
{
	const struct checking c = { set, check };
	size_t n = 0;

	for (size_t i = 0; i < set->count; i++) {
		struct identity_finding f;

		if (!check->open && has_absent(&c, &set->identity[i]))
			continue;
		check_one(&c, &set->identity[i], &f);
		if (n < room)
			out[n] = f;
		n++;
	}
	mark_unproven(&c, out, n < room ? n : room);
	sort(out, n < room ? n : room);
	return n;
}

struct assay_value identity_record_count(void *ctx, const char *event)
{
	const struct assay_record *record = ctx;
	int found = assay_record_find(record, event);

	if (found < 0)
		return (struct assay_value){ .why = "not in the record" };
	return assay_record_value(record, (unsigned)found);
}

int identity_row(const struct identity_finding *f, assay_row_fn *fn, void *ctx)
{
	const struct identity *law = f->identity;
	char text[400];

	snprintf(text, sizeof(text), "%s %s %s", law->left.text,
		 identity_relation_signs[law->relation], law->right.text);
	const struct assay_field field[] = {
		field_text("identity", law->name),
		field_text("verdict", identity_state_names[f->state]),
		field_value("left", f->left), field_value("right", f->right),
		field_text("law", text),
		field_text("doubt", f->doubt ? f->doubt : ""),
		field_detail("why", law->why),
		field_detail("file", law->file),
		field_detail("source", law->source),
		field_detail("reason", f->why ? f->why : ""),
	};

	return row_emit(fn, ctx, "identity", field,
			sizeof(field) / sizeof(*field));
}

int identity_describe(const struct identity *law, assay_row_fn *fn, void *ctx)
{
	char text[400];

	snprintf(text, sizeof(text), "%s %s %s", law->left.text,
		 identity_relation_signs[law->relation], law->right.text);
	const struct assay_field field[] = {
		field_text("identity", law->name), field_text("law", text),
		field_text("why", law->why), field_text("file", law->file),
		field_detail("source", law->source),
	};

	return row_emit(fn, ctx, "law", field, sizeof(field) / sizeof(*field));
}
