/* SPDX-License-Identifier: MIT */
/*
 * "withdrawn": a name that the table which an entry was made from has no more,
 * or that a newer edition of the same table lacks. "absent" in Linux's metrics.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "audit/items.h"
#include "base/text.h"

/* Nine in ten of the table's names are in the other one too. */
static bool covers(const struct audit *a, unsigned table, unsigned other)
{
	return audit_common(a, table, other) * 10 >=
	       a->table[table].events * 9;
}

struct lists {
	unsigned lack, have;	/* of the tables that x's was made from */
	unsigned siblings, sibling_have;
	unsigned other;		/* one that lacks the name */
};

static void ask(struct lists *l, const struct audit *a,
		const struct audit_item *x, unsigned t, bool has)
{
	const struct audit_item probe = { .table = t, .e = {
		.source = a->table[t].source, .table = a->table[t].name } };
	const enum audit_bond bond = audit_bond(a, x, &probe);
	const bool arm = x->e.source == ENTRY_ARM &&
			 a->table[t].source == ENTRY_LINUX;

	if (bond == BOND_SIBLING) {
		l->siblings++;
		l->sibling_have += has;
		return;
	}
	if (bond != BOND_EDITION &&
	    !(bond == BOND_CPU && (audit_derives(x, &probe) || arm)))
		return;
	if (!has && audit_is_unread(a, &probe, probe.e.source, x->e.name))
		return;
	*(has ? &l->have : &l->lack) += 1;
	if (!has)
		l->other = t;
}

static void check_event(struct audit *a, const struct audit_item *x)
{
	struct lists l = { 0, 0, 0, 0, 0 };
	char here[160];

	for (unsigned t = 0; t < a->tables; t++)
		if (t != x->table && a->table[t].events &&
		    covers(a, x->table, t))
			ask(&l, a, x, t, audit_named(a, t, x->normal, x->unit));
	if (!l.lack || l.have ||
	    (x->e.source == ENTRY_ARM && (!l.siblings || l.sibling_have)))
		return;
	/* libpfm4 has events of manuals, too. */
	audit_find(a, "withdrawn", x->e.source == ENTRY_LIBPFM4 ? AUDIT_LOW :
		   AUDIT_MEDIUM, x, audit_code_text(here, x),
		   "%s %.60s, with nine in ten of this table's names, lacks "
		   "this one", entry_source_names[a->table[l.other].source],
		   a->table[l.other].name);
}

/* ---- Linux's metrics ----------------------------------------------------- */

static bool is_metric(const struct audit_item *x, const struct audit_item *y,
		      const char *name)
{
	return y->e.kind == ENTRY_METRIC && y->e.source == x->e.source &&
	       !strcmp(y->e.table, x->e.table) && !strcasecmp(y->e.name, name);
}

/* Has a table of x's CPU a metric of that name, for any kind of core? Most are
 * in x's file. */
static bool has_metric(const struct audit *a, const struct audit_item *x,
		       const char *name)
{
	const struct audit_item *end = a->item + a->items;

	for (const struct audit_item *y = audit_group(a, x);
	     y < end && y->e.file == x->e.file; y++)
		if (is_metric(x, y, name))
			return true;
	for (const struct audit_item *y = a->item; y < end; y++)
		if (is_metric(x, y, name))
			return true;
	return false;
}

/* Names with a dot or an underscore are those of the tables. perf itself and
 * the kernel name others: "cycles", "TSC", "topdown-retiring". */
static bool is_event_name(const char *name)
{
	return (strchr(name, '.') || (strchr(name, '_') &&
				      !strchr(name, '-'))) &&
	       isalpha((unsigned char)*name) && !strchr(name, '=') &&
	       strcmp(name, "duration_time");
}

/* Arm's kernel names the events of the architecture, whatever the table has. */
static enum audit_confidence absence(const struct audit *a,
				     const struct audit_item *x,
				     const char *name)
{
	struct audit_item **run;

	if (strchr(name, '.') || !strstr(x->e.file, "arm64"))
		return AUDIT_HIGH;
	return audit_same_spelling(a, name, &run) ? AUDIT_LOW : AUDIT_MEDIUM;
}

/* "INST_RETIRED.ANY", "mem_inst-x.y:u", "a.b". */
static void check_name(struct audit *a, const struct audit_item *x,
		       enum entry_source source, char *name)
{
	const struct audit_item *event;

	name[strcspn(name, ":,")] = '\0';
	if (!is_event_name(name))
		return;
	event = audit_event_of(a, x, source, name);
	if (!event && !has_metric(a, x, name) &&
	    !audit_is_unread(a, x, source, name))
		audit_find(a, "absent", absence(a, x, name), x, name, "%s's "
			   "table of the CPU has no such event",
			   entry_source_names[source]);
	else if (event)
		audit_deprecated(a, x, name, event);
}

/* "cpu_core@INST_RETIRED.ANY\\,cmask\\=1@ / max(a.b, 1)": a word before '(' is
 * a function, one before the first '@' is a PMU. Other PMUs than the core's,
 * such as hv_24x7, have names that no table has. */
static void check_expression(struct audit *a, const struct audit_item *x)
{
	/* perfmon has metrics for perf beside its own events. */
	const enum entry_source source = a->table[x->table].events ?
					 ENTRY_LINUX : ENTRY_PERFMON;
	char word[ENTRY_NAME];
	bool within = false;	/* the two '@' of a PMU */
	bool core = true;	/* the core's PMU */
	size_t n = 0;

	if (!audit_knows(a, x, source))
		return;
	for (const char *at = x->e.formula;; at++) {
		if (*at == '\\' && at[1]) {
			at++;
		} else if (!*at || strchr("+-*/()<>=&|^% @", *at)) {
			word[n] = '\0';
			if (*at != '(' && (*at != '@' || within) &&
			    (core || strchr(word, '.')))
				check_name(a, x, source, word);
			if (*at == '@') {
				within = !within;
				core = !within || !strncmp(word, "cpu", 3);
			}
			n = 0;
			if (!*at)
				return;
			continue;
		}
		if (n < sizeof(word) - 1)
			word[n++] = *at;
	}
}

void audit_absent(struct audit *a)
{
	for (size_t i = 0; i < a->items; i++) {
		const struct audit_item *x = &a->item[i];

		if (!x->audited || x->e.deprecated)
			continue;
		if (x->e.kind == ENTRY_EVENT)
			check_event(a, x);
		else if (x->e.kind == ENTRY_METRIC &&
			 x->e.source == ENTRY_LINUX)
			check_expression(a, x);
	}
}
