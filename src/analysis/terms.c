/* SPDX-License-Identifier: MIT */
/* What a formula is made of on one record. */
#include "analysis/terms.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

/* ---- values with absent events as 0 ------------------------------------- */

struct careless {
	const struct formula_file *file;
	const struct assay_record *record;
	const char **zeroed;
};

static struct assay_value event_or_zero(const void *ctx, int name)
{
	const struct careless *c = ctx;
	const char *event = c->file->event[name];
	int found = assay_record_find(c->record, event);
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
	const struct careless c = { file, record, zeroed };

	*zeroed = NULL;
	return expr_value(&formula->expr, event_or_zero, &c);
}

/* ---- the formula as a sum over events ----------------------------------- */

struct walking {
	const struct expr *expr;
	struct careless careless;
	double *weight;
};

static bool has_names(const struct expr *e, int at)
{
	const struct expr_node *n = &e->node[at];

	switch (n->op) {
	case EXPR_NUMBER:
		return false;
	case EXPR_NAME:
		return true;
	case EXPR_NEG:
		return has_names(e, n->left);
	}
	return has_names(e, n->left) || has_names(e, n->right);
}

static double value_at(const struct walking *w, int at)
{
	struct expr part = *w->expr;
	struct assay_value v;

	part.root = (short)at;
	v = expr_value(&part, event_or_zero, &w->careless);
	return v.why ? NAN : v.number;
}

static bool walk(struct walking *w, int at, double by);

/* A product needs a constant side, a quotient a constant divisor. */
static bool walk_scaled(struct walking *w, const struct expr_node *n,
			double by)
{
	if (!has_names(w->expr, n->right)) {
		double k = value_at(w, n->right);

		return walk(w, n->left, n->op == EXPR_MUL ? by * k : by / k);
	}
	return n->op == EXPR_MUL && !has_names(w->expr, n->left) &&
	       walk(w, n->right, by * value_at(w, n->left));
}

static bool walk(struct walking *w, int at, double by)
{
	const struct expr_node *n = &w->expr->node[at];
	bool left_less;

	switch (n->op) {
	case EXPR_NUMBER:
		return true;
	case EXPR_NAME:
		w->weight[n->name] += by;
		return true;
	case EXPR_ADD:
		return walk(w, n->left, by) && walk(w, n->right, by);
	case EXPR_SUB:
		return walk(w, n->left, by) && walk(w, n->right, -by);
	case EXPR_NEG:
		return walk(w, n->left, -by);
	case EXPR_MIN:
	case EXPR_MAX:
		left_less = value_at(w, n->left) < value_at(w, n->right);
		return walk(w, left_less == (n->op == EXPR_MIN) ? n->left :
								  n->right,
			    by);
	}
	return walk_scaled(w, n, by);
}

bool formula_weights(const struct formula_file *file,
		     const struct formula *formula,
		     const struct assay_record *record, double *weight)
{
	const char *zeroed = NULL;
	struct walking w = {
		.expr = &formula->expr,
		.careless = { file, record, &zeroed }, .weight = weight,
	};

	for (size_t e = 0; e < file->events; e++)
		weight[e] = 0;
	return formula->expr.nodes > 0 && walk(&w, formula->expr.root, 1);
}

/* ---- blame -------------------------------------------------------------- */

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

/* "of l2_walk, missed" is said in words, too. */
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

/* Loads and stores of the program at any level, and nothing else. */
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

enum { FOREIGN = 24 };

struct foreign {
	const char *event, *signal;
	double value;
};

struct blaming {
	struct foreign term[FOREIGN];
	unsigned terms;
	double sum;
	const char *unknown;	/* an event without known terms */
};

static void add_foreign(struct blaming *b, const struct foreign *f)
{
	unsigned at;

	b->sum += f->value;
	if (f->value == 0 || b->terms == FOREIGN)
		return;
	for (at = b->terms++;
	     at && fabs(b->term[at - 1].value) < fabs(f->value); at--)
		b->term[at] = b->term[at - 1];
	b->term[at] = *f;
}

static void look_into(struct blaming *b, const struct assay_record *record,
		      const char *event, double weight)
{
	int found = assay_record_find(record, event);
	const struct assay_record_event *e;

	if (found < 0 || assay_record_value(record, (unsigned)found).why)
		return;
	e = &record->event[found];
	if (!e->terms)
		b->unknown = event;
	for (unsigned t = 0; t < e->terms; t++)
		if (!is_demand(e->term[t].name))
			add_foreign(b, &(struct foreign){
				event, e->term[t].name,
				weight * e->term[t].value });
}

static size_t say(char *out, size_t room, size_t used, const char *text)
{
	int n = used < room ? snprintf(out + used, room - used, "%s%s",
				       used ? "; " : "", text) : 0;

	return used + (n > 0 ? (size_t)n : 0);
}

static size_t say_foreign(char *out, size_t room, size_t used,
			  const struct foreign *f)
{
	char number[40], sentence[120], text[260];

	text_groups(number, sizeof(number), (uint64_t)fabs(f->value));
	sentence_of(sentence, sizeof(sentence), f->signal);
	snprintf(text, sizeof(text), "%s counts %s (%s%s)", f->event, sentence,
		 f->value < 0 ? "-" : "+", number);
	return say(out, room, used, text);
}

static bool has_clamp(const struct expr *e)
{
	for (int i = 0; i < e->nodes; i++)
		if (e->node[i].op == EXPR_MIN || e->node[i].op == EXPR_MAX)
			return true;
	return false;
}

void formula_cause(char *out, size_t room, const struct formula_file *file,
		   const struct formula *formula,
		   const struct assay_record *record, double said,
		   double right)
{
	struct blaming b = { .terms = 0 };
	double weight[ASSAY_EVENTS], error = said - right;
	size_t used = 0;

	*out = '\0';
	if (file->events > ASSAY_EVENTS || error == 0 ||
	    !formula_weights(file, formula, record, weight))
		return;
	for (size_t e = 0; e < file->events; e++) {
		if (weight[e] == 0)
			continue;
		look_into(&b, record, file->event[e], weight[e]);
	}
	if (b.unknown && !b.terms)
		return;
	for (unsigned i = 0; i < b.terms && i < 2; i++)
		if (fabs(b.term[i].value) >= 0.05 * fabs(error))
			used = say_foreign(out, room, used, &b.term[i]);
	if (!b.unknown && fabs(error - b.sum) > 0.05 * fabs(error))
		say(out, room, used, has_clamp(&formula->expr) ?
		    "min or max hides what is too much" : used ?
		    "and its arithmetic is another" :
		    "its arithmetic: no event counts anything foreign");
}

/* ---- differences -------------------------------------------------------- */

static size_t say_weight(char *out, size_t room, size_t used, double weight,
			 const char *event)
{
	double size = fabs(weight);
	int n;

	if (used >= room || weight == 0)
		return used;
	n = size == 1 ?
	    snprintf(out + used, room - used, "%s%s %s", used ? " " : "",
		     weight < 0 ? "-" : "+", event) :
	    snprintf(out + used, room - used, "%s%s %g %s", used ? " " : "",
		     weight < 0 ? "-" : "+", size, event);
	return used + (n > 0 ? (size_t)n : 0);
}

void formula_difference(char *out, size_t room,
			const struct formula_file *file_a, const double *a,
			const struct formula_file *file_b, const double *b)
{
	bool taken[ASSAY_EVENTS] = { false };
	size_t used = 0;

	*out = '\0';
	for (size_t i = 0; i < file_a->events; i++) {
		double weight = a[i];

		for (size_t k = 0; k < file_b->events; k++) {
			if (!text_equal(file_a->event[i], file_b->event[k]))
				continue;
			weight -= b[k];
			taken[k] = true;
		}
		used = say_weight(out, room, used, weight, file_a->event[i]);
	}
	for (size_t k = 0; k < file_b->events; k++)
		if (!taken[k])
			used = say_weight(out, room, used, -b[k],
					  file_b->event[k]);
}
