/* SPDX-License-Identifier: MIT */
/* Results of a fit as text for people: fit_text() and the kinds' names. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "analysis/fit/fit.h"

const char *const fit_kind_names[FIT_KINDS] = {
	[FIT_AS_CLAIMED] = "as claimed", [FIT_DEAD] = "dead",
	[FIT_FACTOR] = "factor", [FIT_WRAP] = "wraps",
	[FIT_SATURATE] = "saturates", [FIT_ADDS] = "adds",
	[FIT_OTHER] = "other event", [FIT_ONLY] = "something else",
	[FIT_INTERRUPTS] = "interrupts", [FIT_NOISE] = "noise",
	[FIT_KERNEL] = "kernel only", [FIT_CONSTANT] = "constant",
	[FIT_NONE] = "unexplained",
};

static const char *const what[FIT_TERMS] = {
#define X(name, sum, what) [FIT_##name] = what,
#include "analysis/fit/terms.def"
#undef X
	[FIT_passes] = "pass", [FIT_runs] = "run",
	[FIT_faults] = "page fault", [FIT_switches] = "switch of threads",
};

struct text {
	char *out;
	size_t room, used;
};

static void add(struct text *t, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void add(struct text *t, const char *format, ...)
{
	va_list args;
	int n;

	if (t->used >= t->room)
		return;
	va_start(args, format);
	n = vsnprintf(t->out + t->used, t->room - t->used, format, args);
	va_end(args);
	t->used += n > 0 ? (size_t)n : 0;
}

static void add_base(struct text *t, const struct fit_panel *p, size_t index,
		     const struct fit_model *m)
{
	if (m->factor != 1)
		add(t, "%.6g x ", m->factor);
	if ((size_t)m->base == index)
		add(t, "what is claimed");
	else
		add(t, "what %s claims", p->column[m->base].name);
}

static void add_term(struct text *t, const struct fit_model *m, unsigned i)
{
	double amount = m->amount[i];
	const char *sign = amount < 0 ? "-" : m->base < 0 && !i ? "" : "+";

	if (t->used && *sign)
		add(t, " %s ", sign);
	amount = fabs(amount);
	if (m->term[i] == FIT_cycles)
		add(t, "%.6g per 1000 cycles: a sibling thread is counted",
		    amount * 1000);
	else
		add(t, "%.6g per %s", amount, what[m->term[i]]);
}

static void add_model(struct text *t, const struct fit_panel *p, size_t index,
		      const struct fit_model *m)
{
	if (m->base >= 0)
		add_base(t, p, index, m);
	for (unsigned i = 0; i < m->terms; i++)
		add_term(t, m, i);
	if (m->base < 0 && !m->terms && !m->interrupt)
		add(t, "always 0");
	if (m->base < 0 && m->interrupt > 0)
		add(t, "%.0f per interrupt and nothing of the program: counts "
		    "the kernel only", m->interrupt);
	else if (m->interrupt > 0)
		add(t, " + %.0f per interrupt", m->interrupt);
	if (m->noise > 0)
		add(t, " +- %.0f: differs from run to run", m->noise);
	if (m->wrap)
		add(t, ", wrapping at 2^%u", m->wrap);
	if (m->full > 0)
		add(t, ", but never more than %.0f", m->full);
}

void fit_text(char *out, size_t room, const struct fit_panel *panel,
	      size_t index, const struct fit_result *r)
{
	struct text t = { out, room, 0 };
	const struct fit_column *c = &panel->column[index];

	*out = '\0';
	if (r->why) {
		add(&t, "%s", r->why);
		return;
	}
	if (r->class_ == ASSAY_CLASS_EXACT && r->kind == FIT_AS_CLAIMED) {
		add(&t, "%s", *c->claim_text ? c->claim_text :
		    "what is claimed");
		if (r->twin >= 0)
			add(&t, "; no shape here tells it from %s",
			    panel->column[r->twin].name);
		return;
	}
	if (r->class_ == ASSAY_CLASS_BIASED && r->kind == FIT_NONE &&
	    r->spread > 0 && r->spread < 1e-3 * fabs(r->bias) &&
	    c->claim[r->worst] > 0) {
		add(&t, "repeatable, runs differ by %.2g %%, and yet "
		    "%.0f counted for %.0f claimed: repeatable is not accurate",
		    100 * r->spread, c->count[r->worst], c->claim[r->worst]);
		return;
	}
	if (r->kind == FIT_NONE) {
		add(&t, "no sum of known quantities gives the counts; at "
		    "worst %.0f counted for %.0f claimed",
		    c->count[r->worst], c->claim[r->worst]);
		return;
	}
	add_model(&t, panel, index, &r->model);
	for (unsigned i = 0; i < r->alternatives; i++) {
		/* a term that equals the claim only repeats the factor */
		if ((r->kind == FIT_FACTOR && r->alternative[i].terms) ||
		    r->kind == FIT_DEAD)
			continue;
		add(&t, "; fits as well: ");
		add_model(&t, panel, index, &r->alternative[i]);
	}
}
