/* SPDX-License-Identifier: MIT */
/*
 * "dup": one table gives one code to two names that cannot mean the same. How
 * sure that is depends on tables of the same CPU and of siblings that have
 * both names: do they keep the names apart?
 */
#include <stdio.h>
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

/* Is x an ALL that has the parts of its table in it, and is y one of them? All
 * parts of a CPU may be one. */
static bool is_sum_of(const struct audit *a, const struct audit_item *x,
		      const struct audit_item *y)
{
	const char *last = strrchr(x->normal, '_');
	unsigned n;

	return last && !strncmp(x->normal, y->normal,
				(size_t)(last - x->normal) + 1) &&
	       audit_parts(a, x, &n) == audit_umask(&x->e.code) && n;
}

/* Linux's and libpfm4's tables are made from perfmon's: where perfmon's own
 * keeps the names apart, their agreement is no opinion. */
static bool is_second_hand(const struct audit *a, const struct audit_item *x,
			   const struct audit_item *y,
			   const struct audit_item *z)
{
	struct audit_item **run;
	const size_t n = audit_same_name(a, x, &run);

	for (size_t i = 0; i < n; i++) {
		const struct audit_item *other = audit_derives(z, run[i]) &&
			audit_bond(a, x, run[i]) == BOND_CPU ?
			audit_named(a, run[i]->table, y->normal, y->unit) :
			NULL;

		if (other && audit_code_differs(run[i], other) > 0)
			return true;
	}
	return audit_derives(z, x);
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

		if (bond != BOND_CPU && bond != BOND_SIBLING &&
		    bond != BOND_EDITION)
			continue;
		other = audit_named(a, run[i]->table, y->normal, y->unit);
		differs = other ? audit_code_differs(run[i], other) : -1;
		o->equal += differs == 0 && !is_second_hand(a, x, y, run[i]);
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

/* The place and the lengths of the one word that differs; false: none, or
 * several differ. */
static bool one_word(const char *x, const char *y, size_t *at, size_t *n,
		     size_t *m)
{
	size_t same = 0;

	for (size_t i = 0; x[i] && x[i] == y[i]; i++)
		if (x[i] == '_')
			same = i + 1;
	*at = same;
	*n = strcspn(x + same, "_");
	*m = strcspn(y + same, "_");
	return *n && *m && !strcmp(x + same + *n, y + same + *m);
}

/* Do other pairs of the table's names, with the same two words in the place,
 * have two codes? "EXT_ONE" and "REMOTE_ONE" for "EXT_ALL", "REMOTE_ALL". */
static bool apart_elsewhere(const struct audit *a, const struct audit_item *x,
			    const struct audit_item *y)
{
	struct audit_item probe = *x, **run;
	unsigned apart = 0, equal = 0;
	char name[2 * ENTRY_NAME];
	size_t at, n, m;

	if (!one_word(x->normal, y->normal, &at, &n, &m))
		return false;
	snprintf(name, sizeof(name), "%.*s", (int)(at + n), x->normal);
	probe.normal = name;
	audit_same_name(a, &probe, &run);
	for (; run < a->by_name + a->events &&
	       !strncmp((*run)->normal, x->normal, at + n); run++) {
		const struct audit_item *z = *run, *twin;

		if (z->table != x->table || !strcmp(z->normal, x->normal) ||
		    (z->normal[at + n] && z->normal[at + n] != '_'))
			continue;
		snprintf(name, sizeof(name), "%.*s%.*s%s", (int)at, x->normal,
			 (int)m, y->normal + at, z->normal + at + n);
		twin = audit_named(a, x->table, name, z->unit);
		apart += twin && audit_code_differs(z, twin) > 0;
		equal += twin && !audit_code_differs(z, twin);
	}
	return apart && !equal;
}

static size_t event_part(const struct audit_item *x)
{
	const size_t n = strcspn(x->e.name, ".:");

	return x->e.name[n] ? n : 0;
}

static bool of_event(const struct audit_item *x, const struct audit_item *like)
{
	return event_part(x) == event_part(like) &&
	       !strncmp(x->e.name, like->e.name, event_part(x));
}

/* Have two events of a table the same codes for three unit masks or more? */
static bool events_equal(const struct audit *a, const struct audit_item *x,
			 const struct audit_item *y)
{
	unsigned equal = 0;

	if (!event_part(x) || !event_part(y) || of_event(x, y))
		return false;
	for (struct audit_item *const *z = audit_codes_of(a, x->table);
	     z + 1 < a->by_code + a->events && z[1]->table == x->table; z++)
		equal += !audit_code_order(z[0], z[1]) &&
			 ((of_event(z[0], x) && of_event(z[1], y)) ||
			  (of_event(z[0], y) && of_event(z[1], x)));
	return equal > 2;
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
	return !o->equal && trusted && (o->against_x || o->against_y) ?
	       AUDIT_HIGH : AUDIT_MEDIUM;
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

	if (words == WORDS_ALIAS || is_alias(x, y) || is_sum_of(a, x, y) ||
	    is_sum_of(a, y, x))
		return;
	ask(&o, a, x, y);
	if (o.equal && !o.apart)
		return;
	if (!o.witness && words != WORDS_OPPOSITE && *x->e.text &&
	    x->e.code.given & CODE_UMASK &&
	    text_equal(x->e.text, y->e.text))
		return;
	confidence = sure(&o, words, family ||
			  !(x->e.code.given & CODE_UMASK) ||
			  apart_elsewhere(a, x, y) || events_equal(a, x, y),
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
					check_pair(a, run[l], run[k], n > 2 &&
						   one_group(a, run, n));
	}
}
