/* SPDX-License-Identifier: MIT */
/*
 * A formula on one record as a weighted sum of events, and the signals in these
 * events that make its value wrong. See terms.h.
 */
#include "analysis/terms.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/record.h"
#include "base/text.h"

/* ---- values with absent events as 0 ------------------------------------- */

struct lenient {
	const struct formula_file *file;
	const struct assay_record *record;
	const char **zeroed;
};

static struct assay_value event_or_zero(const void *ctx, int name)
{
	const struct lenient *c = ctx;
	const char *event = c->file->event[name];
	int found = record_find_plain(c->record, event);
	struct assay_value v = { .why = "not in the record" };

	if (found >= 0)
		v = assay_record_value(c->record, (unsigned)found);
	if (!v.why)
		return v;
	if (!*c->zeroed)
		*c->zeroed = event;
	return (struct assay_value){ .number = 0 };
}

struct assay_value formula_value_careless(const struct formula_file *file,
					  const struct formula *formula,
					  const struct assay_record *record,
					  const char **zeroed)
{
	const struct lenient c = { file, record, zeroed };

	*zeroed = NULL;
	return expr_tree_value(&formula->expr, event_or_zero, &c);
}

/* ---- the formula as a sum over events ----------------------------------- */

struct expansion {
	const struct expr_tree *expr;
	struct lenient lenient;
	double *weight;
};

/* Does the subtree at node `at` have an event? */
static bool has_names(const struct expr_tree *e, int at)
{
	const struct expr_node *n = &e->node[at];

	switch (n->op) {
	case EXPR_NUMBER:
	case EXPR_LESS:		/* 0 or 1 for counts near these */
		return false;
	case EXPR_NAME:
		return true;
	case EXPR_NEG:
		return has_names(e, n->left);
	}
	return has_names(e, n->left) || has_names(e, n->right);
}

static double value_at(const struct expansion *w, int at)
{
	const struct expr_tree part = { w->expr->node, at };
	const struct assay_value v = expr_tree_value(&part, event_or_zero,
						     &w->lenient);

	return v.why ? NAN : v.number;
}

/* Adds `by` times the subtree at node `at` to the weights; false: no sum. */
static bool expand(struct expansion *w, int at, double by);

/* A product needs a constant side, a quotient a constant divisor. */
static bool expand_scaled(struct expansion *w, const struct expr_node *n,
			double by)
{
	if (!has_names(w->expr, n->right)) {
		double k = value_at(w, n->right);

		return expand(w, n->left, n->op == EXPR_MUL ? by * k : by / k);
	}
	return n->op == EXPR_MUL && !has_names(w->expr, n->left) &&
	       expand(w, n->right, by * value_at(w, n->left));
}

static bool expand(struct expansion *w, int at, double by)
{
	const struct expr_node *n = &w->expr->node[at];
	bool left_less;

	switch (n->op) {
	case EXPR_NUMBER:
	case EXPR_LESS:
		return true;
	case EXPR_NAME:
		w->weight[n->name] += by;
		return true;
	case EXPR_ADD:
		return expand(w, n->left, by) && expand(w, n->right, by);
	case EXPR_SUB:
		return expand(w, n->left, by) && expand(w, n->right, -by);
	case EXPR_NEG:
		return expand(w, n->left, -by);
	case EXPR_MIN:
	case EXPR_MAX:
		left_less = value_at(w, n->left) < value_at(w, n->right);
		return expand(w, left_less == (n->op == EXPR_MIN) ? n->left :
								  n->right,
			    by);
	}
	return expand_scaled(w, n, by);
}

bool formula_weights(const struct formula_file *file,
		     const struct formula *formula,
		     const struct assay_record *record, double *weight)
{
	const char *zeroed = NULL;
	struct expansion w = {
		.expr = &formula->expr,
		.lenient = { file, record, &zeroed }, .weight = weight,
	};

	for (size_t e = 0; e < file->events; e++)
		weight[e] = 0;
	return formula->expr.node && expand(&w, formula->expr.root, 1);
}

/* ---- the cause of an error ---------------------------------------------- */

static const struct { const char *name, *sentence; } signals[] = {
#define X(name, sentence) { #name, sentence },
#include "base/signals.def"
#undef X
};

static const char *find_sentence(const char *signal, size_t length)
{
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		if (strlen(signals[i].name) == length &&
		    strncmp(signals[i].name, signal, length) == 0)
			return signals[i].sentence;
	return "";
}

/* The signal's sentence; "of l2_walk, missed" begins with l2_walk's. */
static void sentence_of(char *out, size_t room, const char *signal)
{
	const char *text = find_sentence(signal, strlen(signal));
	size_t n = strcspn(text, ",");
	const char *complete = strncmp(text, "of ", 3) == 0 && text[n] ?
			    find_sentence(text + 3, n - 3) : "";

	if (*complete)
		snprintf(out, room, "%s%s", complete, text + n);
	else
		snprintf(out, room, "%s", *text ? text : signal);
}

/* Does the signal count only the program's loads or stores at some level? */
static bool is_demand(const char *signal)
{
	static const char *const demand[] = {
		"loads", "stores", "l1d_load", "l1d_store", "l1d_load_miss",
		"l1d_store_miss", "l2_load", "l2_store", "l2_load_miss",
		"l2_store_miss", "l3_load", "l3_store", "l3_load_miss",
		"l3_store_miss", "served_l1", "served_l2", "served_l3",
		"served_dram",
	};

	for (size_t i = 0; i < sizeof(demand) / sizeof(*demand); i++)
		if (strcmp(demand[i], signal) == 0)
			return true;
	return false;
}

enum { EXTRAS = 24 };

/* Signals in an event of the formula that are no demand accesses. */
struct extra {
	const char *event, *signal;
	double value;
};

struct causes {
	struct extra term[EXTRAS];	/* the largest first */
	unsigned terms;
	double sum;
	const char *unknown;	/* an event whose signals are not known */
};

static void add_extra(struct causes *c, const struct extra *f)
{
	unsigned at;

	c->sum += f->value;
	if (f->value == 0 || c->terms == EXTRAS)
		return;
	for (at = c->terms++;
	     at && fabs(c->term[at - 1].value) < fabs(f->value); at--)
		c->term[at] = c->term[at - 1];
	c->term[at] = *f;
}

static void add_event(struct causes *c, const struct assay_record *record,
		      const char *event, double weight)
{
	int found = record_find_plain(record, event);
	const struct assay_record_event *e;

	if (found < 0 || assay_record_value(record, (unsigned)found).why)
		return;
	e = &record->event[found];
	if (!e->terms)
		c->unknown = event;
	for (unsigned t = 0; t < e->terms; t++)
		if (!is_demand(e->term[t].name))
			add_extra(c, &(struct extra){
				event, e->term[t].name,
				weight * e->term[t].value });
}

static void append_extra(char *out, size_t room, const struct extra *f)
{
	char number[40], sentence[120];

	text_groups(number, sizeof(number), (uint64_t)fabs(f->value));
	sentence_of(sentence, sizeof(sentence), f->signal);
	text_add(out, room, "; ", "%s counts %s (%s%s)", f->event, sentence,
		 f->value < 0 ? "-" : "+", number);
}

static bool has_clamp(const struct expr_node *all, int at)
{
	const struct expr_node *n = &all[at];

	return n->op == EXPR_MIN || n->op == EXPR_MAX || n->op == EXPR_LESS ||
	       (n->left >= 0 && has_clamp(all, n->left)) ||
	       (n->right >= 0 && has_clamp(all, n->right));
}

void formula_cause(char *out, size_t room, const struct formula_file *file,
		   const struct formula *formula,
		   const struct assay_record *record, double said,
		   double right)
{
	struct causes b = { .terms = 0 };
	double weight[FORMULA_EVENTS], error = said - right;

	*out = '\0';
	if (file->events > ASSAY_EVENTS || error == 0 ||
	    !formula_weights(file, formula, record, weight))
		return;
	for (size_t e = 0; e < file->events; e++) {
		if (weight[e] == 0)
			continue;
		add_event(&b, record, file->event[e], weight[e]);
	}
	if (b.unknown && !b.terms)
		return;
	for (unsigned i = 0; i < b.terms && i < 2; i++)
		if (fabs(b.term[i].value) >= 0.05 * fabs(error))
			append_extra(out, room, &b.term[i]);
	if (!b.unknown && fabs(error - b.sum) > 0.05 * fabs(error))
		text_add(out, room, "; ", "%s", has_clamp(formula->expr.node,
						      formula->expr.root) ?
		    "min or max hides the excess" : *out ?
		    "and its arithmetic is wrong" :
		    "its arithmetic is wrong: no event counts anything but "
		    "demand accesses");
}

/* ---- differences -------------------------------------------------------- */

static void append_weight(char *out, size_t room, double weight,
			  const char *event)
{
	const double size = fabs(weight);
	const char *sign = weight < 0 ? "-" : "+";

	if (size == 1)
		text_add(out, room, " ", "%s %s", sign, event);
	else if (size)
		text_add(out, room, " ", "%s %g %s", sign, size, event);
}

void formula_difference(char *out, size_t room,
			const struct formula_file *file_a, const double *a,
			const struct formula_file *file_b, const double *b)
{
	bool common[ASSAY_EVENTS] = { false };

	*out = '\0';
	for (size_t i = 0; i < file_a->events; i++) {
		double weight = a[i];

		for (size_t k = 0; k < file_b->events; k++) {
			if (!text_equal(file_a->event[i], file_b->event[k]))
				continue;
			weight -= b[k];
			common[k] = true;
		}
		append_weight(out, room, weight, file_a->event[i]);
	}
	for (size_t k = 0; k < file_b->events; k++)
		if (!common[k])
			append_weight(out, room, -b[k], file_b->event[k]);
}
