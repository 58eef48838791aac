/* SPDX-License-Identifier: MIT */
/*
 * "sense": the words of a metric's name (likwid's, perfmon's) against the words
 * of the events that the metric counts. Instructions, cycles and time are no
 * such event.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "audit/items.h"
#include "base/text.h"

/* The events of a formula, against the normal name of the metric. */
struct counted {
	const char *says;
	char name[ENTRY_NAME];	/* the last one */
	unsigned events, opposite;
};

bool audit_is_reference(const char *name)
{
	static const char *const words[] = {
		"INST", "UNHALTED", "CYCLES", "CLK", "CPU_CYC", "RUN_CYC",
		"TSC", "SLOTS", "UOPS",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (text_part(words[i], name))
			return true;
	return false;
}

static void count_event(struct counted *c, const char *name)
{
	char normal[ENTRY_NAME];

	if (audit_is_reference(name) || !strcmp(c->name, name))
		return;
	text_copy(c->name, sizeof(c->name), name);
	entry_normal_name(normal, name, "");
	c->events++;
	c->opposite += audit_words(c->says, normal) == WORDS_OPPOSITE;
}

/* likwid: operands are counters, the group's members say of which event. */
static void members_of(struct counted *c, const struct audit *a,
		       const struct audit_item *x)
{
	char operand[64];

	for (const char *at = x->e.formula; *at;) {
		const size_t n = strcspn(at, "+-*/(), :");

		snprintf(operand, sizeof(operand), "%.*s", (int)n, at);
		for (const struct audit_item *y = audit_group(a, x); y < x; y++)
			if (y->e.kind == ENTRY_MEMBER &&
			    !strcmp(y->e.code.counters, operand))
				count_event(c, y->e.name);
		at += n + (at[n] != '\0');
	}
}

/* Is the alias a word of the formula? */
static bool has_word(const char *formula, const char *alias, size_t n)
{
	while (*formula) {
		const size_t word = strcspn(formula, "+-*/(),<>=&| ");

		if (word == n && !strncmp(formula, alias, n))
			return true;
		formula += word + (formula[word] != '\0');
	}
	return false;
}

/* perfmon: "a=NAME:c1;b=NAME;". Of aliases that the formula lacks there are
 * hundreds. */
static void aliases_of(struct counted *c, const struct audit_item *x)
{
	for (const char *at = x->e.operands; *at;) {
		const size_t alias = strcspn(at, "="), n = strcspn(at, ";");
		char name[ENTRY_NAME];

		if (alias > n)
			return;
		snprintf(name, sizeof(name), "%.*s", (int)(n - alias - 1),
			 at + alias + 1);
		if (has_word(x->e.formula, at, alias))
			count_event(c, name);
		at += n + (at[n] == ';');
	}
}

static bool taken_away(const char *formula)
{
	for (const char *at = formula; (at = strchr(at, '-')); at++)
		if (at > formula && !strchr("eE", at[-1]))
			return true;
	return false;
}

/* ---- a word that another event of the CPU has ---------------------------- */

/* Is y's name x's with letters put before one word, "SPECITOM" for "ITOM"?
 * Those letters. */
static bool prefixed(char out[32], const char *x, const char *y)
{
	size_t same = 0, more;

	while (x[same] && x[same] == y[same])
		same++;
	while (same && x[same - 1] != '_')
		same--;
	if (strlen(y) <= strlen(x))
		return false;
	more = strlen(y) - strlen(x);
	if (more < 3 || more > 31 || strcmp(x + same, y + same + more) ||
	    memchr(y + same, '_', more))
		return false;
	snprintf(out, 32, "%.*s", (int)more, y + same);
	return true;
}

static const struct audit_item *event_named(const struct audit *a,
					    const struct audit_item *x,
					    const char *name)
{
	struct audit_item **run;
	const size_t n = audit_same_spelling(a, name, &run);

	for (size_t i = 0; i < n; i++)
		if (run[i]->e.source == x->e.source &&
		    audit_is_home(a, x, run[i]->table))
			return run[i];
	return NULL;
}

/* The metric's name has letters that the event's last word lacks, and an event
 * beside has them. */
static void check_prefix(struct audit *a, const struct audit_item *x,
			 const struct audit_item *event, const char *says)
{
	const char *last = strrchr(event->normal, '_');
	const size_t stem = last ? (size_t)(last - event->normal) + 1 : 0;
	char more[32], name[ENTRY_NAME];
	struct audit_item probe = *event, **run;

	snprintf(name, sizeof(name), "%.*s", (int)stem, event->normal);
	probe.normal = name;
	audit_same_name(a, &probe, &run);
	for (; stem && run < a->by_name + a->events &&
	       !strncmp((*run)->normal, name, stem); run++) {
		if (!audit_is_home(a, x, (*run)->table) ||
		    !prefixed(more, event->normal, (*run)->normal) ||
		    !text_part(more, says) || strstr(event->normal, more))
			continue;
		audit_find(a, "sense", AUDIT_MEDIUM, x, event->e.name,
			   "the name says %s; the CPU has %s too", more,
			   (*run)->e.name);
		return;
	}
}

static void check_words(struct audit *a, const struct audit_item *x,
			const struct counted *c)
{
	if (c->events && c->events == c->opposite)
		audit_find(a, "sense", AUDIT_MEDIUM, x, c->name, "the metric's "
			   "name says the opposite of %s", c->events == 1 ?
			   "its one event" : "all its events");
}

static void check_perfmon(struct audit *a, const struct audit_item *x)
{
	char says[ENTRY_NAME];
	struct counted c = { says, "", 0, 0 };

	if (taken_away(x->e.formula))
		return;
	entry_normal_name(says, x->e.name, "");
	aliases_of(&c, x);
	check_words(a, x, &c);
}

/* Does a metric of x's group have the last word of the group's name? */
static bool has_own_word(const struct audit *a, const struct audit_item *x)
{
	const char *last = strrchr(x->e.group, '_');

	for (const struct audit_item *y = audit_group(a, x); last &&
	     y < a->item + a->items && y->e.file == x->e.file; y++)
		if (y->e.kind == ENTRY_METRIC && strstr(y->normal, last + 1))
			return true;
	return false;
}

/* The group FLOPS_DP with the metric "SP [MFLOP/s]", and none of DP. */
static void check_group(struct audit *a, const struct audit_item *x,
			const char *says)
{
	if (audit_words(says, x->e.group) == WORDS_OPPOSITE &&
	    !has_own_word(a, x))
		audit_find(a, "sense", AUDIT_MEDIUM, x, x->e.name, "the name "
			   "of the group, %.60s, says the opposite",
			   x->e.group);
}

static void check_metric(struct audit *a, const struct audit_item *x)
{
	char says[ENTRY_NAME];
	struct counted c = { says, "", 0, 0 };
	const struct audit_item *event;

	entry_normal_name(says, x->e.name, "");
	check_group(a, x, says);
	if (taken_away(x->e.formula))
		return;
	members_of(&c, a, x);
	check_words(a, x, &c);
	for (const struct audit_item *y = audit_group(a, x); y < x; y++) {
		if (y->e.kind != ENTRY_MEMBER ||
		    audit_is_reference(y->e.name) ||
		    !strstr(x->e.formula, y->e.code.counters) ||
		    (y > a->item && !strcmp(y->e.name, y[-1].e.name)))
			continue;
		event = event_named(a, x, y->e.name);
		if (event)
			check_prefix(a, x, event, says);
	}
}

void audit_sense(struct audit *a)
{
	for (size_t i = 0; i < a->items; i++) {
		const struct audit_item *x = &a->item[i];

		if (!x->audited || x->e.kind != ENTRY_METRIC)
			continue;
		if (x->e.source == ENTRY_LIKWID)
			check_metric(a, x);
		else if (x->e.source == ENTRY_PERFMON)
			check_perfmon(a, x);
	}
}
