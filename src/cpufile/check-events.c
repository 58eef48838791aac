/* SPDX-License-Identifier: MIT */
/* A CPU file's events against the vendor's list; see check.h. */
#include "cpufile/check.h"

#include <stdio.h>
#include <string.h>

/* Equal as event tables compare names. */
static bool same_name(const char *a, const char *b)
{
	char x[ENTRY_NAME], y[ENTRY_NAME];

	entry_normal_name(x, a, "");
	entry_normal_name(y, b, "");
	return *a && !strcmp(x, y);
}

static bool is_called(const struct cpu_event *e, const struct listed_event *l)
{
	if (same_name(e->name, l->name) || same_name(e->name, l->alias))
		return true;
	for (const char *const *a = e->alias; *a; a++)
		if (same_name(*a, l->name))
			return true;
	return false;
}

/* The list's event of one of the names, best with the same code; or NULL. */
static const struct listed_event *find_named(const struct listed *list,
					     const struct cpu_event *e)
{
	const struct listed_event *found = NULL;

	for (size_t i = 0; i < list->events; i++) {
		const struct listed_event *l = &list->event[i];

		if (!is_called(e, l))
			continue;
		if (l->code == e->code || l->form == LISTED_FIXED)
			return l;
		found = l;
	}
	return found;
}

/* Counters that the file does not name are a gap, which one row tells. */
static bool lacks_counters(const struct checking *c, const struct cpu_event *e,
			   const struct listed_event *l)
{
	const uint64_t all = c->cpu->counters < 64 ?
			     (UINT64_C(1) << c->cpu->counters) - 1 : ~0ULL;

	return !e->counters && l->counters && (l->counters & all) != all;
}

static void check_counters(struct checking *c, const struct cpu_event *e,
			   const struct listed_event *l)
{
	if (e->counters && l->counters && e->counters != l->counters)
		check_say(c, FINDING_TABLE, e->name, "counts on the counters "
			  "0x%llx; the table says 0x%llx",
			  (unsigned long long)e->counters,
			  (unsigned long long)l->counters);
}

/* On x86 the bits of a unit mask add up, and a table need not list each sum. */
static bool is_sum(const struct checking *c, const struct listed *list,
		   const struct cpu_event *e)
{
	const uint64_t mask = 0xff00;
	uint64_t bits = 0;

	if (c->cpu->geometry.isa != ISA_X86_64)
		return false;
	for (size_t i = 0; i < list->events; i++)
		if (!((list->event[i].code ^ e->code) & ~mask))
			bits |= list->event[i].code & mask;
	return !(e->code & mask & ~bits);
}

/* Linux has an extract of the lists of Intel and Arm. */
static bool is_complete(const struct checking *c, const struct listed *list)
{
	return list->source != ENTRY_LINUX ||
	       !strcmp(c->cpu->match.vendor, "AuthenticAMD");
}

static void check_event(struct checking *c, const struct listed *list,
			const struct cpu_event *e)
{
	const struct listed_event *named = find_named(list, e);
	const struct listed_event *coded = listed_find(list, e->code, NULL);

	if (named && named->form == LISTED_FIXED)
		return;
	if (named && named->code != e->code)
		check_say(c, FINDING_TABLE, e->name, "code 0x%llx; the table "
			  "has 0x%llx", (unsigned long long)e->code,
			  (unsigned long long)named->code);
	else if (named && !e->implemented)
		check_say(c, FINDING_TABLE, e->name, "said to be absent; the "
			  "table lists the event");
	else if (!named && !coded && e->implemented && is_complete(c, list) &&
		 !is_sum(c, list, e))
		check_say(c, FINDING_TABLE, e->name, "the table has neither "
			  "the name nor the code 0x%llx",
			  (unsigned long long)e->code);
	else if (named && named->form == LISTED_WIDE)
		check_say(c, FINDING_TABLE, e->name, "the table's event needs "
			  "more than a select and a unit mask");
	if (named && named->code == e->code && e->implemented)
		check_counters(c, e, named);
}

void check_events(struct checking *c, const struct listed *list)
{
	size_t without = 0;

	for (size_t i = 0; i < c->cpu->events; i++) {
		const struct cpu_event *e = &c->cpu->event[i];
		const struct listed_event *l = listed_find(list, e->code, NULL);

		check_event(c, list, e);
		without += l && lacks_counters(c, e, l);
	}
	if (!c->cpu->core && (list->cores[0] || list->cores[1]))
		check_say(c, FINDING_MISSING, "core", "the table lists several "
			  "kinds of core: is this P, E or LP?");
	if (without)
		check_say(c, FINDING_MISSING, "pmu.events", "%zu of them count "
			  "on some counters only, by the table, and have no "
			  "'counters'", without);
}
