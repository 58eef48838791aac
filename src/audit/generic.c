/* SPDX-License-Identifier: MIT */
/*
 * "generic": what Linux's driver programs for perf's generic names, against the
 * words of the CPU's table for that code, and against the names beside.
 */
#include <string.h>
#include <strings.h>

#include "audit/items.h"
#include "base/text.h"

static bool same_code(const struct event_code *c, const struct event_code *d)
{
	return c->select[0] == d->select[0] && c->umask[0] == d->umask[0] &&
	       c->cmask == d->cmask && c->inv == d->inv && !d->extension &&
	       !d->edge && !d->any;
}

/* The event that the driver names: Arm's and POWER's. */
static const struct audit_item *event_called(const struct audit *a,
					     const struct audit_item *x)
{
	const struct audit_item *found = audit_event_of(a, x, ENTRY_ARM,
							x->e.alias);

	return found ? found : audit_event_of(a, x, ENTRY_LINUX, x->e.alias);
}

/* What a table of x's CPU has for the code, the vendor's first; NULL: nothing,
 * or a register decides. */
static const struct audit_item *event_with(const struct audit *a,
					   const struct audit_item *x)
{
	const struct audit_item *found = NULL;

	if (*x->e.alias)
		return event_called(a, x);

	for (unsigned t = 0; t < a->tables; t++) {
		if (!a->table[t].events || !audit_is_home(a, x, t))
			continue;
		for (struct audit_item *const *y = audit_codes_of(a, t);
		     y < a->by_code + a->events && (*y)->table == t; y++) {
			if (*(*y)->unit || (*y)->e.deprecated ||
			    !audit_is_code(*y) ||
			    !same_code(&x->e.code, &(*y)->e.code))
				continue;
			if ((*y)->e.code.msrs || (*y)->e.code.msr_value)
				return NULL;
			if (!found || audit_is_vendor(*y))
				found = *y;
		}
	}
	return found;
}

static bool says(const struct audit_item *y, const char *word)
{
	return text_part(word, y->e.name) || text_part(word, y->e.text);
}

static bool ends_with(const char *name, const char *end)
{
	const size_t n = strlen(name), m = strlen(end);

	return n >= m && !strcmp(name + n - m, end);
}

/* Names in which perf's "load" is a fetch or a look-up. */
static bool is_fetch(const char *name)
{
	return !strncmp(name, "iTLB", 4) || !strncmp(name, "L1-icache", 9) ||
	       !strncmp(name, "branch", 6);
}

static const char *branch_objection(bool misses, const struct audit_item *y)
{
	if (!says(y, "branch") && !text_part("br_", y->e.name))
		return "no word of it is of branches";
	return !misses && says(y, "taken") && !says(y, "all ") ?
	       "it counts taken branches" : NULL;
}

/* What the event does that the generic name does not say, or the reverse. */
static const char *objection(const char *name, const struct audit_item *y)
{
	const bool misses = ends_with(name, "misses");

	if (!misses && text_part("miss", y->e.name))
		return "it counts misses";
	if (!strncmp(name, "branch", 6))
		return branch_objection(misses, y);
	if (misses && !says(y, "miss") && !says(y, "refill"))
		return "no word of it is of misses";
	if (!strncmp(name, "cache-", 6) &&
	    (says(y, "L1D") || says(y, "_L1")))
		return "it is of the first level; perf means the last";
	if (misses && text_part("TLB", name) &&
	    (says(y, "walk") || says(y, "completed")))
		return "it counts page walks: the second level's misses";
	if (text_part("load", name) && !is_fetch(name) && !says(y, "load") &&
	    !says(y, "read") && !says(y, "_rd"))
		return "no word of it is of loads";
	if (text_part("load", name) && says(y, "prefetch") &&
	    !says(y, "demand"))
		return "it counts prefetches too";
	return NULL;
}

static const char *code_text(char out[160], const struct audit_item *x)
{
	return *x->e.alias ? x->e.alias : audit_code_text(out, x);
}

static void check_words(struct audit *a, const struct audit_item *x)
{
	const struct audit_item *y = event_with(a, x);
	const char *why = y ? objection(x->e.name, y) : NULL;
	char here[160], whose[96];

	if (why)
		audit_find(a, "generic", AUDIT_MEDIUM, x, code_text(here, x),
			   "%s: the code is %s; %s", audit_whose(whose, a, y),
			   y->e.name, why);
	/* perf says "not supported" of an event that the CPU lacks. */
	if (*x->e.alias && !y && audit_knows(a, x, ENTRY_ARM))
		audit_find(a, "generic", AUDIT_LOW, x, x->e.alias,
			   "Arm's table of the CPU has no such event");
}

/* Pairs of which the second should be a part of the first, or another event. */
static const struct { const char *first, *second; bool part; } pairs[] = {
	{ "cache-references", "cache-misses", true },
	{ "branch-instructions", "branch-misses", false },
	{ "stalled-cycles-frontend", "stalled-cycles-backend", false },
};

static void check_pair(struct audit *a, const struct audit_item *x,
		       const struct audit_item *y)
{
	const bool event = x->e.code.select[0] == y->e.code.select[0];
	char here[160], other[160];

	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]) &&
			   !*x->e.alias && !*y->e.alias; i++)
		if (!strcmp(x->e.name, pairs[i].first) &&
		    !strcmp(y->e.name, pairs[i].second) &&
		    event != pairs[i].part)
			audit_find(a, "generic", AUDIT_MEDIUM, y,
				   audit_code_text(here, y), "%s is %s: %s",
				   x->e.name, audit_code_text(other, x),
				   event ? "two unit masks of one event" :
				   "another event, of which this one is no "
				   "part");
	/* One code for all: a register decides. */
	if (!strcmp(x->e.alias, y->e.alias) &&
	    same_code(&x->e.code, &y->e.code) && x < y &&
	    !is_fetch(x->e.name) && x->e.code.select[0] != 0xb7 &&
	    x->e.code.select[0] != 0x2a)
		audit_find(a, "generic", AUDIT_LOW, y, code_text(here, y),
			   "the code of %s too, line %u", x->e.name,
			   x->e.line);
}

void audit_generic(struct audit *a)
{
	for (size_t i = 0; i < a->items; i++) {
		const struct audit_item *x = &a->item[i];

		if (!x->audited || x->e.kind != ENTRY_GENERIC)
			continue;
		check_words(a, x);
		for (const struct audit_item *y = audit_group(a, x);
		     y < a->item + a->items && y->e.file == x->e.file; y++)
			if (y != x && y->table == x->table)
				check_pair(a, y, x);
	}
}
