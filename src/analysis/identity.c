/* SPDX-License-Identifier: MIT */
/* Checking identities between events, and the findings as rows. */
#include "analysis/identity.h"

#include <math.h>
#include <stdio.h>

#include "base/row.h"

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

struct check {
	const struct identities *set;
	const struct identity_check *check;
};

static struct assay_value count(const void *ctx, int name)
{
	const struct check *c = ctx;

	return c->check->count(c->check->ctx, c->set->event[name]);
}

/* The difference in the forbidden direction; 0: within slack and offset. */
static double beyond(const struct identity *identity, double left, double right,
		     bool exact)
{
	double difference = left - right, larger, allowed;

	if (identity->relation == IDENTITY_EQUAL)
		difference = fabs(difference);
	else if (identity->relation == IDENTITY_AT_LEAST)
		difference = -difference;
	larger = fmax(fabs(left), fabs(right));
	allowed = exact ? 0 : identity->slack * larger + identity->offset;
	return difference > allowed ? difference : 0;
}

static void check_one(const struct check *c, const struct identity *identity,
		      struct identity_finding *out)
{
	*out = (struct identity_finding){
		.identity = identity,
		.left = expr_value(&identity->left.expr, count, c),
		.right = expr_value(&identity->right.expr, count, c),
	};
	out->why = out->left.why ? out->left.why : out->right.why;
	if (!out->why && (out->left.estimate || out->right.estimate))
		out->why = "an event was counted a part of the time only";
	if (out->why) {
		out->state = IDENTITY_OPEN;
		return;
	}
	out->excess = beyond(identity, out->left.number, out->right.number,
			     c->check->exact);
	if (out->excess > 0)
		out->state = IDENTITY_VIOLATED;
	if (out->excess > 0 && identity->suspect >= 0)
		out->doubt = c->set->event[identity->suspect];
}

bool identity_has(const struct identity *identity, int event)
{
	const struct expr *sides[] = { &identity->left.expr,
				       &identity->right.expr };

	for (int s = 0; s < 2; s++)
		for (int i = 0; i < sides[s]->nodes; i++)
			if (sides[s]->node[i].op == EXPR_NAME &&
			    sides[s]->node[i].name == event)
				return true;
	return false;
}

/* Has the identity an event without a count? */
static bool has_absent(const struct check *c, const struct identity *identity)
{
	for (size_t e = 0; e < c->set->events; e++)
		if (identity_has(identity, (int)e) && count(c, (int)e).why)
			return true;
	return false;
}

/* An identity with a doubtful event proves nothing, though it holds. */
static void mark_unproven(const struct check *c,
			  struct identity_finding *out, size_t n)
{
	for (size_t v = 0; v < n; v++) {
		int suspect = out[v].identity->suspect;

		if (out[v].state != IDENTITY_VIOLATED || suspect < 0)
			continue;
		for (size_t i = 0; i < n; i++) {
			if (out[i].state != IDENTITY_HOLDS ||
			    !identity_has(out[i].identity, suspect))
				continue;
			out[i].state = IDENTITY_UNPROVEN;
			out[i].doubt = c->set->event[suspect];
		}
	}
}

/* Moves violated identities to the front and keeps the order otherwise. */
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
	const struct check c = { set, check };
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

/* "LEFT <= RIGHT", as the file has both sides. */
static void write_law(char *out, size_t room, const struct identity *identity)
{
	snprintf(out, room, "%s %s %s", identity->left.text,
		 identity_relation_signs[identity->relation],
		 identity->right.text);
}

int identity_row(const struct identity_finding *f, assay_row_fn *fn, void *ctx)
{
	const struct identity *identity = f->identity;
	char text[400];

	write_law(text, sizeof(text), identity);
	const struct assay_field field[] = {
		field_text("identity", identity->name),
		field_text("verdict", identity_state_names[f->state]),
		field_value("left", f->left), field_value("right", f->right),
		field_text("law", text),
		field_text("doubt", f->doubt ? f->doubt : ""),
		field_detail("why", identity->why),
		field_detail("file", identity->file),
		field_detail("source", identity->source),
		field_detail("reason", f->why ? f->why : ""),
	};

	return ROW_EMIT(fn, ctx, "identity", field);
}

int identity_describe(const struct identity *identity, assay_row_fn *fn,
		      void *ctx)
{
	char text[400];

	write_law(text, sizeof(text), identity);
	const struct assay_field field[] = {
		field_text("identity", identity->name), field_text("law", text),
		field_text("why", identity->why),
		field_text("file", identity->file),
		field_detail("source", identity->source),
	};

	return ROW_EMIT(fn, ctx, "law", field);
}
