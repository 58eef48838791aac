/* SPDX-License-Identifier: MIT */
/*
 * "name": a code that others have under a name one letter away. "prefix": a
 * unit mask of likwid that bears the name of another event than the one that
 * the unit mask stands under.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "audit/items.h"
#include "base/text.h"

enum { SHORTEST = 8 };

static int by_number(const void *a, const void *b)
{
	const struct audit_item *x = *(struct audit_item *const *)a;
	const struct audit_item *y = *(struct audit_item *const *)b;
	const uint64_t p = x->e.code.select[0] << 8 |
			   (x->e.code.umask[0] & 0xff);
	const uint64_t q = y->e.code.select[0] << 8 |
			   (y->e.code.umask[0] & 0xff);

	return p != q ? (p > q ? 1 : -1) : (x > y) - (x < y);
}

/* Is the letter more a plural's S, or the B of "4KB"? */
static bool is_spelling(const char *name, const char *letter)
{
	return (*letter == 'S' && (!letter[1] || letter[1] == '_')) ||
	       (*letter == 'B' && letter > name && strchr("KMG", letter[-1]));
}

/* "DEM_AND" for "DEMAND". */
static bool longer_by_one(const char *more, const char *less)
{
	return isalpha((unsigned char)more[1]) && strlen(more) > strlen(less);
}

/* One letter differs, or one is there more. A digit is another event: L1D,
 * L2D; so are two words for one thing: RD, LD. */
static bool one_slip(const char *x, const char *y)
{
	const size_t n = strlen(x), m = strlen(y);
	const bool longer = n > m;
	const char *more = longer ? x : y, *less = longer ? y : x;
	const char *name = more;

	if (n > m + 1 || m > n + 1 || strlen(less) < SHORTEST ||
	    strncmp(x, y, 3) || text_distance(x, y) != 1 ||
	    audit_words_equal(x, y))
		return false;
	while (*more == *less) {
		more++;
		less++;
	}
	if (*more == '_' && longer_by_one(more, less))
		return true;
	if (!isalpha((unsigned char)*more))
		return false;
	return strlen(more) == strlen(less) ? isalpha((unsigned char)*less) :
					      !is_spelling(name, more);
}

/* Does another source of the CPU know x's name? */
static bool is_known(const struct audit *a, const struct audit_item *x)
{
	struct audit_item **run;
	const size_t n = audit_same_name(a, x, &run);

	for (size_t i = 0; i < n; i++)
		if (audit_bond(a, x, run[i]) == BOND_CPU)
			return true;
	return false;
}

static void check_name(struct audit *a, const struct audit_item *x,
		       struct audit_item *const *run, size_t n)
{
	const struct audit_item *y = NULL;
	char here[160], whose[96];

	for (size_t i = 0; i < n; i++)
		if (audit_bond(a, x, run[i]) == BOND_CPU &&
		    !strcasecmp(x->unit, run[i]->unit) &&
		    one_slip(x->normal, run[i]->normal) &&
		    !audit_code_differs(x, run[i]))
			y = run[i];
	if (y && !is_known(a, x) &&
	    !audit_named(a, x->table, y->normal, y->unit))
		audit_find(a, "name", AUDIT_MEDIUM, x,
			   audit_code_text(here, x), "%s has the code as %s",
			   audit_whose(whose, a, y), y->e.name);
}

/* ---- likwid's events ----------------------------------------------------- */

static bool begins(const char *name, const char *event)
{
	const size_t n = strlen(event);

	return !strncmp(name, event, n) && (!name[n] || name[n] == '_');
}

/* The EVENT line of the file whose name the unit mask bears; NULL: none. */
static const struct audit_item *other_event(const struct audit *a,
					    const struct audit_item *x)
{
	const struct audit_item *found = NULL;

	for (const struct audit_item *y = audit_group(a, x);
	     y < a->item + a->items && y->e.file == x->e.file; y++)
		if (y->e.kind == ENTRY_EVENT && begins(y->e.name, y->e.group) &&
		    strchr(y->e.group, '_') && begins(x->e.name, y->e.group) &&
		    (!found ||
		     strlen(y->e.group) > strlen(found->e.group)))
			found = y;
	return found;
}

/* As many words from the beginning as the event has. */
static void first_words(char out[ENTRY_NAME], const char *name,
			const char *event)
{
	size_t n = strcspn(name, "_");

	for (; (event = strchr(event, '_')) && name[n]; event++)
		n += 1 + strcspn(name + n + 1, "_");
	snprintf(out, ENTRY_NAME, "%.*s", (int)n, name);
}

/* Does the unit mask's name begin with the event's, but for two letters, or for
 * one word more? */
static bool is_slip(const char *name, const char *event)
{
	char words[ENTRY_NAME];
	size_t same = 0, word = 0, n = strlen(event);

	if (n < SHORTEST || !strncmp(name, event, n))
		return false;
	first_words(words, name, event);
	if (text_distance(words, event) <= 2)
		return true;
	for (; name[same] && name[same] == event[same]; same++)
		word = name[same] == '_' ? same + 1 : word;
	name += word + strcspn(name + word, "_");
	return word && *name && begins(name + 1, event + word);
}

static void check_prefix(struct audit *a, const struct audit_item *x)
{
	const struct audit_item *y;

	if (x->e.source != ENTRY_LIKWID || !*x->e.group ||
	    begins(x->e.name, x->e.group))
		return;
	y = other_event(a, x);
	if (!y && is_slip(x->e.name, x->e.group))
		audit_find(a, "prefix", AUDIT_MEDIUM, x, x->e.group,
			   "a slip in the name of the EVENT line, or of the "
			   "unit mask");
	if (y)
		audit_find(a, "prefix", AUDIT_MEDIUM, x, x->e.group, "the "
			   "unit mask bears the name of EVENT_%.100s, line %u",
			   y->e.group, y->e.line);
}

void audit_spelling(struct audit *a)
{
	struct audit_item **all = calloc(a->events + 1, sizeof(*all));
	size_t events = 0, n;

	if (!all) {
		a->no_memory = true;
		return;
	}
	for (size_t i = 0; i < a->events; i++) {
		if (audit_is_code(a->by_name[i]))
			all[events++] = a->by_name[i];
		if (a->by_name[i]->audited)
			check_prefix(a, a->by_name[i]);
	}
	qsort(all, events, sizeof(*all), by_number);
	for (size_t i = 0; i < events; i += n) {
		for (n = 1; i + n < events &&
			    all[i + n]->e.code.select[0] ==
			    all[i]->e.code.select[0] &&
			    !((all[i + n]->e.code.umask[0] ^
			       all[i]->e.code.umask[0]) & 0xff); n++)
			;
		for (size_t k = 0; k < n; k++)
			if (all[i + k]->audited && !audit_is_vendor(all[i + k]))
				check_name(a, all[i + k], all + i, n);
	}
	free(all);
}
