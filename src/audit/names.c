/* SPDX-License-Identifier: MIT */
/*
 * Checks by the parts of names. "family": of many unit masks of one event a few
 * have another select, or one of several with the same last word lacks the
 * cmask or the edge of the others. "twice": one name with two codes in one
 * table. AMD's events have three vocabularies: there two sources are compared
 * by select and by the words of the unit mask.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "audit/items.h"
#include "base/text.h"

enum { FAMILY = 20, FEW = 10 };	/* members at least; of them 1 in 10 differs */

/* "TOR_INSERTS" of "UNC_CHA_TOR_INSERTS.IA_HIT"; 0: the name has no parts. */
static size_t stem(const struct audit_item *x)
{
	const size_t n = strcspn(x->e.name, ".:");

	return x->e.name[n] ? n : 0;
}

static int by_family(const void *a, const void *b)
{
	const struct audit_item *x = *(struct audit_item *const *)a;
	const struct audit_item *y = *(struct audit_item *const *)b;
	const int unit = strcasecmp(x->unit, y->unit);
	const int name = strcasecmp(x->e.name, y->e.name);

	if (x->table != y->table)
		return x->table < y->table ? -1 : 1;
	return unit ? unit : name ? name : (x > y) - (x < y);
}

static bool same_family(const struct audit_item *x, const struct audit_item *y)
{
	if (x->table != y->table || strcasecmp(x->unit, y->unit))
		return false;
	if (x->e.source == ENTRY_LIKWID)
		return *x->e.group && !strcmp(x->e.group, y->e.group);
	return stem(x) && stem(x) == stem(y) &&
	       !strncasecmp(x->e.name, y->e.name, stem(x));
}

/* The select that more than half of the members have. */
static const struct audit_item *usual(struct audit_item *const *member,
				      size_t n, size_t *count)
{
	const struct audit_item *best = member[0];
	size_t lead = 0;

	for (size_t i = 0; i < n; i++) {
		if (!lead)
			best = member[i];
		lead += member[i]->e.code.select[0] ==
			best->e.code.select[0] ? 1 : -(size_t)1;
	}
	*count = 0;
	for (size_t i = 0; i < n; i++)
		*count += member[i]->e.code.select[0] ==
			  best->e.code.select[0];
	return best;
}

/* The unit mask's part of a name, in normal form. */
static const char *mask_of(const struct audit_item *x)
{
	const size_t n = x->e.source == ENTRY_LIKWID ? strlen(x->e.group) :
						       stem(x);

	return n && n < strlen(x->normal) ? x->normal + n + 1 : "";
}

/* "ACTIVE" of "ARITH.IDIV_ACTIVE"; NULL: a unit mask of one word. */
static const char *last_word(const struct audit_item *x)
{
	return strrchr(mask_of(x), '_');
}

/* Of the members with x's select and last word: how many have one cmask or
 * edge, and which; 0: they have several, or none. Cycles are held against
 * cycles alone. */
static unsigned shared_flag(const struct audit_item *x,
			    struct audit_item *const *member, size_t n,
			    bool edge, unsigned *count)
{
	unsigned flag = 0;

	*count = 0;
	for (size_t i = 0; i < n; i++) {
		const struct event_code *c = &member[i]->e.code;
		const char *last = last_word(member[i]);
		const unsigned mine = edge ? c->edge : c->cmask;

		if (member[i] == x || !last || strcmp(last, last_word(x)) ||
		    !strstr(member[i]->normal, "CYCLES") !=
		    !strstr(x->normal, "CYCLES") ||
		    c->select[0] != x->e.code.select[0] ||
		    member[i]->e.deprecated)
			continue;
		if (!mine || (flag && mine != flag))
			return 0;
		flag = mine;
		++*count;
	}
	return flag;
}

/* "FPDIV_ACTIVE" and "DIV_ACTIVE" count cycles with a cmask, "IDIV_ACTIVE"
 * has none. */
static void check_flags(struct audit *a, struct audit_item *const *member,
			size_t n, const struct audit_item *x)
{
	char here[160];
	unsigned count, flag;

	if (!audit_is_code(x) || x->e.deprecated || !last_word(x))
		return;
	for (int edge = 0; edge < 2; edge++) {
		if (edge ? x->e.code.edge : x->e.code.cmask)
			continue;
		flag = shared_flag(x, member, n, edge, &count);
		if (flag && count > 1)
			audit_find(a, "family", AUDIT_MEDIUM, x,
				   audit_code_text(here, x), "%u others of the "
				   "event that end in %s have %s %u", count,
				   last_word(x) + 1, edge ? "edge" : "cmask",
				   flag);
	}
}

static void check_family(struct audit *a, struct audit_item *const *member,
			 size_t n)
{
	const struct audit_item *most;
	char here[160];
	size_t count;

	most = usual(member, n, &count);
	if (count == n || (n - count) * FEW > n)
		return;
	for (size_t i = 0; i < n; i++)
		if (audit_is_code(member[i]) && !member[i]->e.deprecated &&
		    member[i]->e.code.select[0] != most->e.code.select[0])
			audit_find(a, "family", AUDIT_MEDIUM, member[i],
				   audit_code_text(here, member[i]),
				   "%zu of the %zu unit masks of the event "
				   "have select 0x%llx", count, n,
				   (unsigned long long)
				   most->e.code.select[0]);
}

void audit_family(struct audit *a)
{
	struct audit_item **all = calloc(a->events + 1, sizeof(*all));
	size_t n;

	if (!all) {
		a->no_memory = true;
		return;
	}
	memcpy(all, a->by_name, a->events * sizeof(*all));
	qsort(all, a->events, sizeof(*all), by_family);
	for (size_t i = 0; i < a->events; i += n) {
		for (n = 1; i + n < a->events &&
			    same_family(all[i], all[i + n]); n++)
			;
		if (n >= FAMILY && all[i]->audited)
			check_family(a, all + i, n);
		for (size_t k = 0; k < n && n > 2; k++)
			if (all[i + k]->audited)
				check_flags(a, all + i, n, all[i + k]);
	}
	free(all);
}

/* ---- one name, two codes ------------------------------------------------- */

/* On POWER the counter is a part of the code. */
void audit_twice(struct audit *a)
{
	char here[160];

	for (size_t i = 1; i < a->events; i++) {
		const struct audit_item *x = a->by_name[i - 1];
		const struct audit_item *y = a->by_name[i];

		if (x->table == y->table && !strcmp(x->e.name, y->e.name) &&
		    !strcmp(x->unit, y->unit) && x->e.file == y->e.file &&
		    !x->e.deprecated && !y->e.deprecated &&
		    strncasecmp(x->e.table, "power", 5) &&
		    audit_code_order(x, y))
			audit_find(a, "twice", AUDIT_MEDIUM, y,
				   audit_code_text(here, y), "the name has "
				   "another code in line %u", x->e.line);
	}
}

/* ---- AMD's vocabularies -------------------------------------------------- */

static int by_select(const void *a, const void *b)
{
	const struct audit_item *x = *(struct audit_item *const *)a;
	const struct audit_item *y = *(struct audit_item *const *)b;
	const uint64_t s = x->e.code.select[0], t = y->e.code.select[0];

	return s != t ? (s > t ? 1 : -1) : (x > y) - (x < y);
}

/* The vendor's entry for the same unit mask; NULL: none, or one agrees. */
static const struct audit_item *other_mask(const struct audit *a,
					   struct audit_item *const *run,
					   size_t n,
					   const struct audit_item *x)
{
	const struct audit_item *found = NULL;

	for (size_t i = 0; i < n; i++) {
		const struct audit_item *y = run[i];

		if (!audit_is_vendor(y) || strcmp(x->unit, y->unit) ||
		    audit_bond(a, x, y) != BOND_CPU || !*mask_of(y) ||
		    !audit_words_equal(mask_of(x), mask_of(y)))
			continue;
		if (!audit_code_differs(x, y))
			return NULL;
		found = y;
	}
	return found;
}

static void check_masks(struct audit *a, struct audit_item *const *run,
			size_t n, const struct audit_item *x)
{
	const struct audit_item *y = other_mask(a, run, n, x);
	char here[160], there[160], whose[96];

	if (y && audit_code_differs(x, y) > 0)
		audit_find(a, "digit", AUDIT_MEDIUM, x,
			   audit_code_text(here, x), "%s, %s: %s",
			   audit_whose(whose, a, y), y->e.name,
			   audit_code_text(there, y));
}

/* ---- unit masks of another event ----------------------------------------- */

/* The vendor's entry with the words and the umask of x's unit mask; *own: one
 * with x's select has the words. */
static const struct audit_item *mask_elsewhere(const struct audit *a,
					       const struct audit_item *x,
					       struct audit_item *const *all,
					       size_t n, bool *own)
{
	const struct audit_item *found = NULL;

	for (size_t i = 0; i < n; i++) {
		const struct audit_item *y = all[i];

		if (!audit_is_vendor(y) || audit_bond(a, x, y) != BOND_CPU ||
		    strcmp(x->unit, y->unit) ||
		    !audit_words_equal(mask_of(x), mask_of(y)))
			continue;
		*own |= y->e.code.select[0] == x->e.code.select[0];
		if (audit_umask(&y->e.code) == audit_umask(&x->e.code))
			found = y;
	}
	return found;
}

/* Of an event's unit masks the vendor's event of that select has none, and
 * another event has half or more. */
static void check_owner(struct audit *a, struct audit_item *const *member,
			size_t n, struct audit_item *const *all, size_t items)
{
	const struct audit_item *y = NULL, *last;
	bool own = false;
	size_t there = 0;
	char here[160], whose[96];

	for (size_t i = 0; i < n && !own; i++) {
		last = mask_elsewhere(a, member[i], all, items, &own);
		there += last != NULL;
		y = last ? last : y;
	}
	if (!own && there >= 3 && there * 2 >= n)
		audit_find(a, "swap", AUDIT_MEDIUM, member[0],
			   audit_code_text(here, member[0]), "%zu of the "
			   "event's %zu unit masks are those of %s's %s, and "
			   "none is one of select 0x%llx", there, n,
			   audit_whose(whose, a, y), y->e.name,
			   (unsigned long long)member[0]->e.code.select[0]);
}

/* Does the vendor describe x's select in the words of unit masks? */
static bool vendor_has_masks(const struct audit *a, const struct audit_item *x,
			     struct audit_item *const *all, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (audit_is_vendor(all[i]) && *mask_of(all[i]) &&
		    all[i]->e.code.select[0] == x->e.code.select[0] &&
		    audit_bond(a, x, all[i]) == BOND_CPU)
			return true;
	return false;
}

/* all: AMD's events with unit masks. */
static void check_owners(struct audit *a, struct audit_item **all, size_t n)
{
	qsort(all, n, sizeof(*all), by_family);
	for (size_t i = 0, m; i < n; i += m) {
		for (m = 1; i + m < n && same_family(all[i], all[i + m]); m++)
			;
		if (m >= 3 && all[i]->audited && !audit_is_vendor(all[i]) &&
		    vendor_has_masks(a, all[i], all, n))
			check_owner(a, all + i, m, all, n);
	}
}

/* The event's part of a name, in normal form. */
static void event_of(char out[ENTRY_NAME], const struct audit_item *x)
{
	const char *mask = mask_of(x);

	text_copy(out, ENTRY_NAME, x->normal);
	if (*mask)
		out[strlen(x->normal) - strlen(mask) - 1] = '\0';
}

/* The vendor's event of the same words has another select. */
static void check_event(struct audit *a, const struct audit_item *x,
			struct audit_item *const *head, size_t n)
{
	char name[ENTRY_NAME], other[ENTRY_NAME], here[160], whose[96];
	const struct audit_item *found = NULL;

	event_of(name, x);
	for (size_t i = 0; i < n; i++) {
		if (!audit_is_vendor(head[i]) ||
		    audit_bond(a, x, head[i]) != BOND_CPU ||
		    strcmp(x->unit, head[i]->unit))
			continue;
		event_of(other, head[i]);
		if (!audit_words_equal(name, other))
			continue;
		if (x->e.code.select[0] == head[i]->e.code.select[0])
			return;
		found = head[i];
	}
	if (found)
		audit_find(a, "cross", AUDIT_MEDIUM, x,
			   audit_code_text(here, x), "%s: %s has select 0x%llx",
			   audit_whose(whose, a, found), found->e.name,
			   (unsigned long long)found->e.code.select[0]);
}

/* all: AMD's events in the order of tables and names; one of each event. */
static void check_events(struct audit *a, struct audit_item **all, size_t n)
{
	char name[ENTRY_NAME], last[ENTRY_NAME] = "";
	size_t heads = 0;

	qsort(all, n, sizeof(*all), by_family);
	for (size_t i = 0; i < n; i++) {
		event_of(name, all[i]);
		if (heads && !strcmp(name, last) &&
		    all[heads - 1]->table == all[i]->table)
			continue;
		text_copy(last, sizeof(last), name);
		all[heads++] = all[i];
	}
	for (size_t i = 0; i < heads; i++)
		if (all[i]->audited)
			check_event(a, all[i], all, heads);
}

void audit_vocabulary(struct audit *a)
{
	struct audit_item **all = calloc(a->events + 1, sizeof(*all));
	size_t events = 0, n;

	if (!all) {
		a->no_memory = true;
		return;
	}
	for (size_t i = 0; i < a->events; i++)
		if (audit_is_code(a->by_name[i]) &&
		    audit_is_amd(a->by_name[i]))
			all[events++] = a->by_name[i];
	check_events(a, all, events);
	events = 0;
	for (size_t i = 0; i < a->events; i++)
		if (audit_is_code(a->by_name[i]) && *mask_of(a->by_name[i]) &&
		    audit_is_amd(a->by_name[i]))
			all[events++] = a->by_name[i];
	check_owners(a, all, events);
	qsort(all, events, sizeof(*all), by_select);
	for (size_t i = 0; i < events; i += n) {
		for (n = 1; i + n < events && all[i + n]->e.code.select[0] ==
					      all[i]->e.code.select[0]; n++)
			;
		for (size_t k = 0; k < n; k++)
			if (all[i + k]->audited)
				check_masks(a, all + i, n, all[i + k]);
	}
	free(all);
}
