/* SPDX-License-Identifier: MIT */
/*
 * What uses events: metrics, likwid's groups, PAPI's presets. "absent": the
 * CPU's table lacks the event; "withdrawn": the table deprecates the event;
 * "counter": a counter that the event is not allowed on; "formula": an operand
 * that nothing defines.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "audit/items.h"
#include "base/text.h"

static const struct audit_item *use(struct audit *a,
				    const struct audit_item *x,
				    enum entry_source source,
				    const char *name)
{
	const struct audit_item *event = audit_event_of(a, x, source, name);

	if (!event)
		audit_find(a, "absent", AUDIT_HIGH, x, name, "%s's table of "
			   "the CPU has no such event",
			   entry_source_names[source]);
	else if (event->e.deprecated)
		audit_find(a, "withdrawn", AUDIT_LOW, x, name,
			   "the event is deprecated: %s, line %u",
			   event->e.file, event->e.line);
	return event;
}

/* ---- metrics of perfmon -------------------------------------------------- */

/* "a=NAME:c1;b=NAME;". PERF_METRICS is a register, not an event. */
static void check_perfmon_metric(struct audit *a, const struct audit_item *x)
{
	char name[ENTRY_NAME];

	if (!audit_knows(a, x, ENTRY_PERFMON))
		return;
	for (const char *at = x->e.operands; *at;) {
		const char *equal = strchr(at, '='), *end = strchr(at, ';');

		if (!equal || !end || equal > end)
			return;
		snprintf(name, sizeof(name), "%.*s", (int)(end - equal - 1),
			 equal + 1);
		name[strcspn(name, ":")] = '\0';
		if (isupper((unsigned char)*name) && strchr(name, '.') &&
		    strncmp(name, "PERF_METRICS.", 13))
			use(a, x, ENTRY_PERFMON, name);
		at = end + 1;
	}
}

/* ---- likwid's groups ----------------------------------------------------- */

/* "PMC0|PMC1" or a unit alone: "PMC", "CBOX", "CBOX0". */
static bool allowed(const char *counters, const char *counter)
{
	while (*counters) {
		const size_t n = strcspn(counters, "|");
		const char *rest = counter + n;
		const bool unit = n && !isdigit((unsigned char)counters[n - 1]);

		if (!strncmp(counters, counter, n) &&
		    (!*rest || unit || *rest == 'C'))
			return true;
		counters += n + (counters[n] == '|');
	}
	return false;
}

/* The name may stand under several units. */
static bool counter_fits(const struct audit *a, const struct audit_item *x,
			 const struct audit_item *event)
{
	struct audit_item **run;
	const size_t n = audit_same_spelling(a, x->e.name, &run);

	for (size_t i = 0; i < n; i++)
		if (run[i]->table == event->table &&
		    allowed(run[i]->e.code.counters, x->e.code.counters))
			return true;
	return false;
}

static void check_member(struct audit *a, const struct audit_item *x)
{
	const struct audit_item *event;

	if (!audit_knows(a, x, ENTRY_LIKWID))
		return;
	event = use(a, x, ENTRY_LIKWID, x->e.name);
	if (event && !counter_fits(a, x, event))
		audit_find(a, "counter", AUDIT_HIGH, x, x->e.code.counters,
			   "the event counts on %s alone",
			   event->e.code.counters);
	for (const struct audit_item *y = x; y-- > a->item &&
	     y->e.kind == ENTRY_MEMBER && y->e.file == x->e.file;)
		if (!strcmp(y->e.code.counters, x->e.code.counters))
			audit_find(a, "counter", AUDIT_HIGH, x,
				   x->e.code.counters, "the counter has an "
				   "event already, line %u", y->e.line);
}

/* Does a member of the metric's group have that counter? Option lists stand
 * in old formulas too: "PMC1:MATCH0=0x0081". */
static bool in_set(const struct audit *a, const struct audit_item *x,
		   const char *operand)
{
	const size_t n = strcspn(operand, ":");

	for (const struct audit_item *y = x; y-- > a->item &&
	     y->e.file == x->e.file;)
		if (y->e.kind == ENTRY_MEMBER &&
		    strlen(y->e.code.counters) == n &&
		    !strncmp(y->e.code.counters, operand, n) &&
		    (!operand[n] || !strcmp(operand + n + 1,
					    y->e.code.options)))
			return true;
	return false;
}

/* The member of the metric's group on that counter; NULL: none. */
static const struct audit_item *member_on(const struct audit *a,
					  const struct audit_item *x,
					  const char *counter)
{
	for (const struct audit_item *y = x; y-- > a->item &&
	     y->e.file == x->e.file;)
		if (y->e.kind == ENTRY_MEMBER &&
		    !strcmp(y->e.code.counters, counter))
			return y;
	return NULL;
}

/* Floating-point numbers in a vector of the event's name; 0: none is named. */
static unsigned elements(const char *event)
{
	static const char *const widths[] = { "128B_", "256B_", "512B_" };

	for (unsigned i = 0; i < sizeof(widths) / sizeof(widths[0]); i++)
		if (strstr(event, widths[i]))
			return strstr(event, "SINGLE") ? 4 << i :
			       strstr(event, "DOUBLE") ? 2 << i : 0;
	return 0;
}

/* "PMC0*2.0": a vector of that event has 4 numbers. */
static void check_factor(struct audit *a, const struct audit_item *x,
			 const char *counter, const char *rest)
{
	const struct audit_item *event = member_on(a, x, counter);
	const unsigned n = event ? elements(event->e.name) : 0;
	char *end;
	double factor;

	if (!n || *rest != '*')
		return;
	factor = strtod(rest + 1, &end);
	if (end > rest + 1 && (!*end || strchr("+-)/", *end)) &&
	    factor != n)
		audit_find(a, "factor", AUDIT_HIGH, x, x->e.formula,
			   "%s on %s is %u operations, not %g",
			   event->e.name, counter, n, factor);
}

static void check_formula(struct audit *a, const struct audit_item *x)
{
	char operand[128];

	for (const char *at = x->e.formula; *at;) {
		const size_t n = strcspn(at, "+-*/(), ");

		snprintf(operand, sizeof(operand), "%.*s", (int)n, at);
		if (isupper((unsigned char)*operand) &&
		    strpbrk(operand, "0123456789") && !in_set(a, x, operand))
			audit_find(a, "formula", AUDIT_HIGH, x, x->e.formula,
				   "no event of the set is on %s", operand);
		check_factor(a, x, operand, at + n);
		at += n + (at[n] != '\0');
	}
}

/* ---- PAPI's presets ------------------------------------------------------ */

/* "L2_RQSTS:A:B": each unit mask is looked up beside the event; modifiers
 * "c=1", "e=1" and PMUs in front are passed over. */
static void check_operand(struct audit *a, const struct audit_item *x,
			  char *operand)
{
	char name[ENTRY_NAME], *rest, *event = strtok_r(operand, ":", &rest);
	const char *mask;
	unsigned masks = 0;

	if (!event)
		return;
	while ((mask = strtok_r(NULL, ":", &rest))) {
		if (strchr(mask, '=') || islower((unsigned char)*mask) ||
		    strlen(mask) < 3)
			continue;
		masks++;
		snprintf(name, sizeof(name), "%.120s:%.120s", event, mask);
		if (!audit_event_of(a, x, ENTRY_LIBPFM4, name))
			use(a, x, ENTRY_LIBPFM4, name);
	}
	if (!masks && !audit_event_of(a, x, ENTRY_LIBPFM4, event))
		audit_find(a, "absent", AUDIT_MEDIUM, x, event, "libpfm4's "
			   "table of the CPU has no such event, or the event "
			   "needs a unit mask");
}

/* Reads a postfix formula: false if an operator lacks operands, or more than
 * one value is left, or an operand is none of the preset's. */
static bool postfix_fits(const char *rpn, unsigned operands)
{
	char word[64];
	int depth = 0;

	while (*rpn) {
		const size_t n = strcspn(rpn, "|");

		snprintf(word, sizeof(word), "%.*s", (int)n, rpn);
		if (n && *word == 'N' && strtoul(word + 1, NULL, 10) >= operands)
			return false;
		if (*word)
			depth += strchr("+-*/", *word) && !word[1] ? -1 : 1;
		if (n && depth < 1)
			return false;
		rpn += n + (rpn[n] == '|');
	}
	return depth == 1;
}

/* Arm's L2D_CACHE, and names that say so. */
static bool all_accesses(const char *event)
{
	const size_t n = strlen(event);

	return (n > 6 && !strcmp(event + n - 6, "_CACHE")) ||
	       text_part("ACCESS", event) || text_part("REFERENCE", event);
}

/* Hits from a count of all accesses; misses added to accesses, which have them
 * already: "LD_REF_L1 + LD_MISS_L1". */
static void check_sense(struct audit *a, const struct audit_item *x)
{
	const char *kind = strrchr(x->e.name, '_');
	const char *operands = x->e.operands;

	if (!kind || strchr(x->e.operands, '|'))
		return;
	if (strlen(kind) == 4 && !strcmp(kind + 2, "CH") &&
	    !strchr(operands, ':') &&
	    !strcasecmp(x->e.formula, "NOT_DERIVED") && all_accesses(operands))
		audit_find(a, "sense", AUDIT_MEDIUM, x, operands,
			   "the preset is for hits");
	if (!strcasecmp(x->e.formula, "DERIVED_ADD") &&
	    text_part("_REF_", operands) && text_part("_MISS_", operands))
		audit_find(a, "sense", AUDIT_MEDIUM, x, operands,
			   "accesses have the misses in them");
}

/* Does one letter differ? (One digit is another event: L1D, L2D.) */
static bool one_letter(const char *x, const char *y)
{
	unsigned changes = 0;

	for (; *x && *y; x++, y++)
		if (*x != *y)
			changes += isalpha((unsigned char)*x) &&
				   isalpha((unsigned char)*y) ? 1 : 2;
	return !*x && !*y && changes == 1;
}

/* An event of the CPU whose name is one letter away; NULL: none. */
static const char *meant(const struct audit *a, const struct audit_item *x,
			 const char *name)
{
	for (size_t i = 0; i < a->events; i++)
		if (a->by_name[i]->e.source != ENTRY_PAPI &&
		    audit_is_home(a, x, a->by_name[i]->table) &&
		    one_letter(a->by_name[i]->e.name, name))
			return a->by_name[i]->e.name;
	return NULL;
}

/* Without libpfm4's table, Arm's or Linux's can say of an Arm CPU. libpfm4 has
 * names of its own for old cores: only a slip of the pen is sure. */
static void check_arm(struct audit *a, const struct audit_item *x,
		      const char *operand)
{
	const char *near;

	if (strncasecmp(x->e.table, "arm", 3) || strchr(operand, ':') ||
	    audit_event_of(a, x, ENTRY_ARM, operand) ||
	    audit_event_of(a, x, ENTRY_LINUX, operand))
		return;
	near = meant(a, x, operand);
	if (near)
		audit_find(a, "absent", AUDIT_MEDIUM, x, operand, "no table of "
			   "the CPU has such an event, but %s", near);
}

static void check_preset(struct audit *a, const struct audit_item *x)
{
	char list[2048], *rest, *operand;
	const bool known = audit_knows(a, x, ENTRY_LIBPFM4);
	unsigned n = 0;

	text_copy(list, sizeof(list), x->e.operands);
	check_sense(a, x);
	for (operand = strtok_r(list, ",", &rest); operand;
	     operand = strtok_r(NULL, ",", &rest), n++)
		if (known && !strstr(operand, "::"))
			check_operand(a, x, operand);
		else if (!known)
			check_arm(a, x, operand);
	if (!strcasecmp(x->e.formula, "DERIVED_SUB") && n == 1)
		audit_find(a, "formula", AUDIT_MEDIUM, x, x->e.operands,
			   "a difference needs two operands");
	if (!strcasecmp(x->e.formula, "DERIVED_POSTFIX") &&
	    !postfix_fits(x->e.constants, n))
		audit_find(a, "formula", AUDIT_HIGH, x, x->e.constants,
			   "the postfix formula does not fit %u operands", n);
}

void audit_use(struct audit *a)
{
	for (size_t i = 0; i < a->items; i++) {
		const struct audit_item *x = &a->item[i];

		if (!x->audited)
			continue;
		if (x->e.kind == ENTRY_METRIC && x->e.source == ENTRY_PERFMON)
			check_perfmon_metric(a, x);
		else if (x->e.kind == ENTRY_METRIC &&
			 x->e.source == ENTRY_LIKWID)
			check_formula(a, x);
		else if (x->e.kind == ENTRY_MEMBER)
			check_member(a, x);
		else if (x->e.kind == ENTRY_PRESET)
			check_preset(a, x);
	}
}
