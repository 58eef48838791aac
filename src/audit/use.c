/* SPDX-License-Identifier: MIT */
/*
 * What uses events: metrics of perfmon and likwid's groups. "absent": the CPU's
 * table lacks the event; "withdrawn": the table deprecates the event;
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

/* The event that the table has for the code of a deprecated one; NULL: none. */
static const struct audit_item *successor(const struct audit *a,
					  const struct audit_item *event)
{
	for (struct audit_item *const *y = audit_codes_of(a, event->table);
	     y < a->by_code + a->events && (*y)->table == event->table; y++)
		if (!(*y)->e.deprecated && !audit_code_order(*y, event))
			return *y;
	return NULL;
}

void audit_deprecated(struct audit *a, const struct audit_item *x,
		      const char *name, const struct audit_item *event)
{
	const struct audit_item *next;

	if (!event->e.deprecated)
		return;
	next = successor(a, event);
	audit_find(a, "withdrawn", next ? AUDIT_MEDIUM : AUDIT_LOW, x, name,
		   "the event is deprecated: %s, line %u%s%s", event->e.file,
		   event->e.line, next ? "; its code is now " : "",
		   next ? next->e.name : "");
}

static bool has_unread(const struct audit *a, const struct audit_item *x,
		       enum entry_source source, const struct audit_item *bad)
{
	if (bad->e.source != source && bad->e.source != ENTRY_NOWHERE)
		return false;
	return *bad->e.table ? audit_is_home(a, x, bad->table) ||
			       !strcmp(bad->e.table, x->e.table) :
			       bad->e.source == source;
}

bool audit_is_unread(const struct audit *a, const struct audit_item *x,
		     enum entry_source source, const char *name)
{
	for (size_t i = 0; i < a->items; i++) {
		const struct audit_item *y = &a->item[i];

		if (y->e.kind == ENTRY_BAD && has_unread(a, x, source, y) &&
		    (!*y->e.name || !strcasecmp(y->e.name, name)))
			return true;
	}
	return false;
}

const struct audit_item *audit_uses(struct audit *a,
				    const struct audit_item *x,
				    enum entry_source source,
				    const char *name)
{
	const struct audit_item *event = audit_event_of(a, x, source, name);

	if (!event && audit_is_unread(a, x, source, name))
		return NULL;
	if (!event)
		audit_find(a, "absent", AUDIT_HIGH, x, name, "%s's table of "
			   "the CPU has no such event",
			   entry_source_names[source]);
	else
		audit_deprecated(a, x, name, event);
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
			audit_uses(a, x, ENTRY_PERFMON, name);
		at = end + 1;
	}
}

/* Does "a=NAME;b=NAME;" define the word? */
static bool defines(const char *list, const char *word, size_t n)
{
	while (*list) {
		if (strcspn(list, "=;") == n && !strncasecmp(list, word, n))
			return true;
		list += strcspn(list, ";");
		list += *list == ';';
	}
	return false;
}

/* Words of a formula that stand for no event. */
static bool is_keyword(const char *word, size_t n)
{
	static const char list[] = "if=;else=;and=;or=;not=;max=;min=;abs=;"
				   "durationtimeinseconds=;"
				   "durationtimeinmilliseconds=;";

	return defines(list, word, n);
}

/* "#NA" is a value. */
static void check_aliases(struct audit *a, const struct audit_item *x)
{
	const char *at = x->e.formula;

	while (*at) {
		const size_t n = strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
					"abcdefghijklmnopqrstuvwxyz"
					"0123456789_.#");

		if (n && (isalpha((unsigned char)*at) || *at == '_') &&
		    !is_keyword(at, n) && !defines(x->e.operands, at, n) &&
		    !defines(x->e.constants, at, n))
			audit_find(a, "formula", AUDIT_HIGH, x, x->e.formula,
				   "no event or constant of the metric is "
				   "%.*s", (int)n, at);
		at += n + !n;
	}
}

/* ---- our formulas -------------------------------------------------------- */

/* What another table of the CPU has under the name; NULL: nothing. */
static const struct audit_item *elsewhere(const struct audit *a,
					  const struct audit_item *event)
{
	struct audit_item **run;
	const size_t n = audit_same_name(a, event, &run);

	for (size_t i = 0; i < n; i++)
		if (audit_bond(a, event, run[i]) == BOND_CPU)
			return run[i];
	return NULL;
}

/* "NAME;NAME;" */
static void check_own_formula(struct audit *a, const struct audit_item *x)
{
	const struct audit_item *event, *other;
	char name[ENTRY_NAME];

	if (!audit_knows(a, x, ENTRY_ASSAY))
		return;
	for (const char *at = x->e.operands; *at;) {
		const size_t n = strcspn(at, ";");

		snprintf(name, sizeof(name), "%.*s", (int)n, at);
		event = audit_uses(a, x, ENTRY_ASSAY, name);
		other = event ? elsewhere(a, event) : NULL;
		if (other)
			audit_deprecated(a, x, name, other);
		at += n + (at[n] == ';');
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

/* "|PMC0|PMC1|" of x's CPU; NULL: unknown. */
static const char *counters_of(const struct audit *a,
			       const struct audit_item *x)
{
	for (size_t i = 0; i < a->lists; i++)
		if (audit_is_home(a, x, a->list[i]->table))
			return a->list[i]->e.operands;
	return NULL;
}

/* A header that names counters by macros lacks the unit altogether. */
static void check_exists(struct audit *a, const struct audit_item *x)
{
	const char *list = counters_of(a, x);
	char name[64], unit[64];

	if (!list)
		return;
	snprintf(name, sizeof(name), "|%.60s|", x->e.code.counters);
	snprintf(unit, sizeof(unit), "|%.*s0",
		 (int)strcspn(x->e.code.counters, "0123456789"),
		 x->e.code.counters);
	if (!strstr(list, name) && strstr(list, unit))
		audit_find(a, "counter", AUDIT_HIGH, x, x->e.code.counters,
			   "likwid knows no such counter of the CPU");
}

static void check_member(struct audit *a, const struct audit_item *x)
{
	const struct audit_item *event;

	check_exists(a, x);
	if (!audit_knows(a, x, ENTRY_LIKWID))
		return;
	event = audit_uses(a, x, ENTRY_LIKWID, x->e.name);
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

/* Is the counter an operand of the formula? */
static bool has_operand(const char *formula, const char *counter)
{
	while (*formula) {
		const size_t n = strcspn(formula, "+-*/(), :");

		if (n == strlen(counter) && !strncmp(formula, counter, n))
			return true;
		formula += n + (formula[n] != '\0');
	}
	return false;
}

/* A member that no metric of its group uses. MERGE belongs to the counter
 * before; cycles and instructions are often counted beside. */
static void check_unused(struct audit *a, const struct audit_item *x)
{
	bool metrics = false;

	for (const struct audit_item *y = x; y < a->item + a->items &&
	     y->e.file == x->e.file; y++) {
		if (y->e.kind != ENTRY_METRIC)
			continue;
		metrics = true;
		if (has_operand(y->e.formula, x->e.code.counters))
			return;
	}
	if (metrics && strcmp(x->e.name, "MERGE"))
		audit_find(a, "formula", audit_is_reference(x->e.name) ?
			   AUDIT_LOW : AUDIT_MEDIUM, x, x->e.code.counters,
			   "no metric of the group uses the counter");
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
			       strstr(event, "DOUBLE") ? 2 << i :
			       strstr(event, "HALF") ? 8 << i : 0;
	return 0;
}

/* "PMC0*2.0": the factor of a vector event, whose vector has *n numbers; 0: no
 * vector, or no plain factor. */
static double vector_factor(const struct audit_item *event, const char *rest,
			    unsigned *n)
{
	double factor;
	char *end;

	*n = event ? elements(event->e.name) : 0;
	if (!*n || *rest != '*')
		return 0;
	factor = strtod(rest + 1, &end);
	return end > rest + 1 && (!*end || strchr("+-)/", *end)) ? factor : 0;
}

static void check_factor(struct audit *a, const struct audit_item *x,
			 const char *counter, const char *rest)
{
	const struct audit_item *event = member_on(a, x, counter);
	unsigned n;
	const double factor = vector_factor(event, rest, &n);

	if (factor && factor != n)
		audit_find(a, "factor", AUDIT_HIGH, x, x->e.formula,
			   "%s on %s is %u operations, not %g",
			   event->e.name, counter, n, factor);
}

bool audit_has_vector(const struct audit *a, const struct audit_item *x)
{
	char operand[128];
	unsigned n;

	for (const char *at = x->e.formula; *at;) {
		const size_t length = strcspn(at, "+-*/(), ");

		snprintf(operand, sizeof(operand), "%.*s", (int)length, at);
		if (vector_factor(member_on(a, x, operand), at + length, &n))
			return true;
		at += length + (at[length] != '\0');
	}
	return false;
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

void audit_use(struct audit *a)
{
	for (size_t i = 0; i < a->items; i++) {
		const struct audit_item *x = &a->item[i];

		if (!x->audited)
			continue;
		if (x->e.kind == ENTRY_METRIC &&
		    x->e.source == ENTRY_PERFMON) {
			check_perfmon_metric(a, x);
			check_aliases(a, x);
		} else if (x->e.kind == ENTRY_METRIC &&
			 x->e.source == ENTRY_LIKWID)
			check_formula(a, x);
		else if (x->e.kind == ENTRY_METRIC &&
			 x->e.source == ENTRY_ASSAY)
			check_own_formula(a, x);
		else if (x->e.kind == ENTRY_MEMBER) {
			check_member(a, x);
			check_unused(a, x);
		}
	}
}
