/* SPDX-License-Identifier: MIT */
/*
 * "dup": one table gives one code to two names that cannot mean the same. How
 * sure that is depends on tables of the same CPU and of siblings that have
 * both names: do they keep the names apart?
 */
#include <string.h>
#include <strings.h>

#include "audit/items.h"
#include "base/text.h"

struct opinions {
	unsigned apart, equal;	/* tables with both names: codes differ, or
				 * are one code too */
	const struct audit_item *witness;	/* has x's name, apart from y */
	bool against_x, against_y;	/* whose code the witness denies */
};

static bool is_alias(const struct audit_item *x, const struct audit_item *y)
{
	const struct entry *a = &x->e, *b = &y->e;

	return a->deprecated || b->deprecated ||
	       !strcasecmp(a->name, b->name) || !strcmp(x->normal, y->normal) ||
	       (*a->alias && text_part(a->alias, b->name)) ||
	       (*b->alias && text_part(b->alias, a->name)) ||
	       text_part("alias", a->text) || text_part("alias", b->text);
}

static void ask(struct opinions *o, const struct audit *a,
		const struct audit_item *x, const struct audit_item *y)
{
	struct audit_item **run;
	const size_t n = audit_same_name(a, x, &run);

	for (size_t i = 0; i < n; i++) {
		const enum audit_bond bond = audit_bond(a, x, run[i]);
		const struct audit_item *other;
		int differs;

		if (bond != BOND_CPU && bond != BOND_SIBLING)
			continue;
		other = audit_named(a, run[i]->table, y->normal, y->unit);
		differs = other ? audit_code_differs(run[i], other) : -1;
		o->equal += differs == 0;
		if (differs <= 0)
			continue;
		o->apart++;
		if (o->witness && bond != BOND_CPU)
			continue;
		o->witness = run[i];
		o->against_x = audit_code_differs(x, run[i]) > 0;
		o->against_y = audit_code_differs(y, other) > 0;
	}
}

static enum audit_confidence sure(const struct opinions *o,
				  enum audit_words words, bool family,
				  bool trusted)
{
	if (!o->apart && !o->equal)
		return words == WORDS_OPPOSITE || family ? AUDIT_MEDIUM :
							   AUDIT_LOW;
	if (o->apart <= o->equal)
		return AUDIT_LOW;
	return !o->equal && trusted && (o->against_x || o->against_y) ? AUDIT_HIGH : AUDIT_MEDIUM;
}

static void tell(struct audit *a, const struct opinions *o,
		 enum audit_confidence confidence, const struct audit_item *x,
		 const struct audit_item *y)
{
	char here[160], others[160], whose[96];

	audit_code_text(here, x);
	if (!o->witness)
		audit_find(a, "dup", confidence, x, here, "the code of %.200s "
			   "too, line %u", y->e.name, y->e.line);
	else
		audit_find(a, "dup", confidence, x, here, "the code of %.200s "
			   "too, line %u; %s keeps the names apart: %s",
			   y->e.name, y->e.line,
			   audit_whose(whose, a, o->witness),
			   audit_code_text(others, o->witness));
}

/* family: all unit masks of an event, three or more, have that code. On Arm the
 * number alone is the event. */
static void check_pair(struct audit *a, const struct audit_item *x,
		       const struct audit_item *y, bool family)
{
	const enum audit_words words = audit_words(x->normal, y->normal);
	struct opinions o = { 0 }, back = { 0 };
	enum audit_confidence confidence;

	if (words == WORDS_ALIAS || is_alias(x, y))
		return;
	ask(&o, a, x, y);
	if (o.equal && !o.apart)
		return;
	if (!o.witness && words != WORDS_OPPOSITE && *x->e.text &&
	    x->e.code.given & CODE_UMASK &&
	    text_equal(x->e.text, y->e.text))
		return;
	confidence = sure(&o, words, family || !(x->e.code.given & CODE_UMASK),
			  o.witness &&
			  (audit_bond(a, x, o.witness) == BOND_CPU ||
			   (o.apart > 1 && !audit_is_vendor(x))));
	ask(&back, a, y, x);
	if (o.witness && o.against_y && !o.against_x)
		tell(a, &back, confidence, y, x);
	else if (o.witness && o.against_x && !o.against_y)
		tell(a, &o, confidence, x, y);
	else
		tell(a, x->e.line > y->e.line ? &o : &back, confidence,
		     x->e.line > y->e.line ? x : y,
		     x->e.line > y->e.line ? y : x);
}

/* likwid's UMASK lines of one EVENT, one after the other. */
static bool one_group(const struct audit *a,
		      struct audit_item *const *run, size_t n)
{
	const struct audit_item *first = run[0], *last = run[n - 1];

	return first->e.source == ENTRY_LIKWID &&
	       !strcmp(first->e.group, last->e.group) &&
	       (size_t)(last - first) + 1 == n &&
	       (first == a->item ||
		strcmp(first[-1].e.group, first->e.group)) &&
	       (last + 1 == a->item + a->items ||
		strcmp(last[1].e.group, first->e.group));
}

enum { MOST = 16 };	/* names of one code that are compared in pairs */

void audit_dup(struct audit *a)
{
	for (size_t i = 0, n; i < a->events; i += n) {
		struct audit_item *const *run = a->by_code + i;

		for (n = 1; i + n < a->events &&
			    !audit_code_order(run[0], run[n]); n++)
			;
		if (n > MOST || !audit_is_code(run[0]))
			continue;
		for (size_t k = 1; k < n; k++)
			for (size_t l = 0; l < k; l++)
				if (run[k]->audited)
					check_pair(a, run[l], run[k],
						   n > 2 && one_group(a, run, n));
	}
}
