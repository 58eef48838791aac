/* SPDX-License-Identifier: MIT */
/* Bounds on an event's count, from quantities, models and times. */
#include "verify/evidence.h"

#include <math.h>
#include <string.h>

#include "counters/signals.h"

const char *const witness_names[WITNESSES] = {
	"closed form", "simulation", "timing",
};

static const struct range anything = { 0, INFINITY };

/* No kernel executes a prefetch instruction. */
static const enum signal never[] = {
	SIGNAL_software_prefetches, SIGNAL_l1d_software_l2,
	SIGNAL_l1d_software_l3, SIGNAL_l1d_software_dram,
};

void evidence_init(struct evidence *t)
{
	memset(t, 0, sizeof(*t));
	for (int w = 0; w < WITNESSES; w++) {
		t->silent[w] = "not asked";
		for (int s = 0; s < SIGNALS; s++)
			t->signal[w][s] = anything;
		for (size_t i = 0; i < sizeof(never) / sizeof(*never); i++)
			t->signal[w][never[i]] = (struct range){ 0, 0 };
	}
	for (int q = 0; q < ASSAY_QUANTITIES; q++)
		t->quantity[q] = anything;
}

static void narrow(struct range *r, double low, double high)
{
	r->low = fmax(r->low, low);
	r->high = fmin(r->high, high);
}

/* ---- closed forms ------------------------------------------------------- */

/* Bounds each part of a known sum by the sum less the other parts. */
static void split(struct evidence *t, enum assay_quantity q)
{
	struct range *signal = t->signal[WITNESS_CLOSED];
	int part[SIGNALS_OF_QUANTITY];
	const unsigned n = signals_of_quantity(q, part);

	for (unsigned i = 0; i < n; i++) {
		double others_low = 0, others_high = 0;

		for (unsigned k = 0; k < n; k++) {
			others_low += k == i ? 0 : signal[part[k]].low;
			others_high += k == i ? 0 : signal[part[k]].high;
		}
		narrow(&signal[part[i]], t->quantity[q].low - others_high,
		       t->quantity[q].high - others_low);
	}
}

void evidence_closed_form(struct evidence *t, const struct assay_expectation *e,
		      evidence_holds_fn *holds, const void *ctx)
{
	unsigned given = 0;

	for (unsigned i = 0; i < e->rows; i++) {
		const struct assay_expected *row = &e->row[i];

		if (!(row->low <= row->high) ||
		    (holds && !holds(ctx, row->quantity)))
			continue;
		narrow(&t->quantity[row->quantity], row->low, row->high);
		given++;
	}
	/* twice: a part narrowed by one sum narrows the next sum */
	for (int round = 0; round < 2; round++)
		for (int q = 0; q < ASSAY_QUANTITIES; q++)
			split(t, (enum assay_quantity)q);
	t->silent[WITNESS_CLOSED] = given ? NULL :
		"no closed form is known for this kernel";
}

/* ---- simulation and timing ---------------------------------------------- */

void evidence_model(struct evidence *t, const uint64_t *signal,
		     double slack)
{
	if (t->models == EVIDENCE_MODELS)
		return;
	memcpy(t->model[t->models++], signal, sizeof(t->model[0]));
	t->slack = slack;
	t->silent[WITNESS_SIMULATED] = NULL;
}

static void set(struct range *signal, enum signal which, double low,
		double high)
{
	signal[which] = (struct range){ fmax(low, 0), high };
}

void evidence_timed(struct evidence *t, double loads,
		     const struct range served[SERVED_LEVELS])
{
	struct range *s = t->signal[WITNESS_TIMED];
	const struct range *l1 = &served[SERVED_L1], *l3 = &served[SERVED_L3];
	const struct range *l2 = &served[SERVED_L2];
	const struct range *dram = &served[SERVED_DRAM];
	static const enum signal none[] = {
		SIGNAL_stores, SIGNAL_l1d_store, SIGNAL_l1d_store_miss,
		SIGNAL_l2_store, SIGNAL_l2_store_miss, SIGNAL_l3_store,
		SIGNAL_l3_store_miss, SIGNAL_dtlb_store,
		SIGNAL_dtlb_store_miss, SIGNAL_walks_store,
		SIGNAL_split_lines,
	};
	double far_low = fmax(l3->low + dram->low, loads - l1->high - l2->high);
	double far_high =
		fmin(l3->high + dram->high, loads - l1->low - l2->low);

	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++)
		set(s, none[i], 0, 0);
	set(s, SIGNAL_served_l1, l1->low, l1->high);
	set(s, SIGNAL_served_l2, l2->low, l2->high);
	set(s, SIGNAL_served_l3, l3->low, l3->high);
	set(s, SIGNAL_served_dram, dram->low, dram->high);
	set(s, SIGNAL_l1d_load_miss, loads - l1->high, loads - l1->low);
	set(s, SIGNAL_l2_load, loads - l1->high, loads - l1->low);
	set(s, SIGNAL_l2_load_miss, far_low, far_high);
	set(s, SIGNAL_l3_load, far_low, far_high);
	set(s, SIGNAL_l3_load_miss, dram->low, dram->high);
	t->silent[WITNESS_TIMED] = NULL;
}

/* ---- an event ----------------------------------------------------------- */

static struct range times(struct range a, struct range b)
{
	/* 0 times an unknown is 0, not NaN */
	const double low = a.low == 0 || b.low == 0 ? 0 : a.low * b.low;
	const double high = a.high == 0 || b.high == 0 ? 0 : a.high * b.high;

	return (struct range){ low, high };
}

/* Signals are never negative, but differences of signals may be. */
static struct range evaluate(const struct range *signal, const struct expr *e,
			     int node)
{
	const struct range unknown = { -INFINITY, INFINITY };
	const struct expr_node *n = &e->node[node];
	struct range a, b;

	if (n->op == EXPR_NUMBER)
		return (struct range){ n->number, n->number };
	if (n->op == EXPR_NAME)
		return signal[n->name];
	if (n->op == EXPR_NEG) {
		a = evaluate(signal, e, n->left);
		return (struct range){ -a.high, -a.low };
	}
	a = evaluate(signal, e, n->left);
	b = evaluate(signal, e, n->right);
	switch (n->op) {
	case EXPR_ADD:
		return (struct range){ a.low + b.low, a.high + b.high };
	case EXPR_SUB:
		return (struct range){ a.low - b.high, a.high - b.low };
	case EXPR_MUL:
		return a.low >= 0 && b.low >= 0 ? times(a, b) : unknown;
	case EXPR_MIN:
		return (struct range){ fmin(a.low, b.low),
				       fmin(a.high, b.high) };
	case EXPR_MAX:
		return (struct range){ fmax(a.low, b.low),
				       fmax(a.high, b.high) };
	case EXPR_LESS:
		return (struct range){ a.high < b.low, a.low < b.high };
	default:
		return unknown;
	}
}

/* Adds to `part` how often each signal is in a sum; false: not a plain sum. */
static bool add_parts(const struct expr *e, int node, int sign,
		      signed char *part)
{
	const struct expr_node *n = &e->node[node];

	if (n->op == EXPR_ADD || n->op == EXPR_SUB)
		return add_parts(e, n->left, sign, part) &&
		       add_parts(e, n->right, n->op == EXPR_SUB ? -sign : sign,
				 part);
	if (n->op != EXPR_NAME)
		return false;
	part[n->name] += (signed char)sign;
	return true;
}

/* For an event that counts a quantity: narrows by the quantity's bounds. */
static void narrow_by_quantity(const struct evidence *t,
			       const struct expr *counts, struct range *out)
{
	signed char part[SIGNALS] = { 0 };
	unsigned parts = 0;

	if (!add_parts(counts, counts->root, 1, part))
		return;
	for (int s = 0; s < SIGNALS; s++)
		parts += part[s] != 0;
	for (int q = 0; q < ASSAY_QUANTITIES; q++) {
		int of[SIGNALS_OF_QUANTITY];
		unsigned n = signals_of_quantity((enum assay_quantity)q, of);
		bool same = n && n == parts;

		for (unsigned i = 0; i < n && same; i++)
			same = part[of[i]] == 1;
		if (same)
			narrow(out, t->quantity[q].low, t->quantity[q].high);
	}
}

static struct assay_value signal_value(const void *ctx, int name)
{
	const uint64_t *signal = ctx;

	return (struct assay_value){ .number = (double)signal[name] };
}

/* From the lowest to the highest model, widened by the slack. */
static bool models_range(const struct evidence *t, const struct expr *counts,
		      struct range *out)
{
	double outside;

	*out = (struct range){ INFINITY, -INFINITY };
	for (unsigned m = 0; m < t->models; m++) {
		struct assay_value v = expr_value(counts, signal_value,
						  t->model[m]);
		double n = v.number > 0 ? round(v.number) : 0;

		if (v.why)
			return false;
		out->low = fmin(out->low, n);
		out->high = fmax(out->high, n);
	}
	/* few models: others lie as far outside */
	outside = t->slack > 0 ? out->high - out->low : 0;
	out->low = fmax(0, out->low * (1 - t->slack) - outside);
	out->high = out->high * (1 + t->slack) + outside;
	return true;
}

/* A number without a signal needs no witness. */
static bool names_signals(const struct expr *e)
{
	for (int i = 0; i < e->nodes; i++)
		if (e->node[i].op == EXPR_NAME)
			return true;
	return false;
}

bool evidence_bounds(const struct evidence *t, enum witness_kind witness,
		  const struct expr *counts, struct range *out)
{
	if (t->silent[witness] || !counts || !counts->nodes)
		return false;
	if (witness == WITNESS_SIMULATED)
		return models_range(t, counts, out);
	if (!names_signals(counts))
		return false;
	*out = evaluate(t->signal[witness], counts, counts->root);
	out->low = fmax(out->low, 0);
	out->high = fmax(out->high, 0);
	if (witness == WITNESS_CLOSED)
		narrow_by_quantity(t, counts, out);
	return out->low > 0 || isfinite(out->high);
}
