/* SPDX-License-Identifier: MIT */
/*
 * Checks of one table alone: "field", a number that does not fit its field;
 * "pseudo", a fixed counter's code or a register's value in the code's place;
 * "union", an ALL that is not the sum of its parts; "syntax", lines that the
 * table's own tool does not read.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "audit/items.h"

static bool is_x86(const struct audit_item *x)
{
	return x->e.code.given & CODE_UMASK;
}

/* Does another source of the CPU give the name that umask too? */
static bool is_shared(const struct audit *a, const struct audit_item *x)
{
	struct audit_item **run;
	const size_t n = audit_same_name(a, x, &run);

	for (size_t i = 0; i < n; i++)
		if (audit_bond(a, x, run[i]) == BOND_CPU &&
		    audit_umask(&run[i]->e.code) == audit_umask(&x->e.code))
			return true;
	return false;
}

/* The widest field of an Intel uncore's umask has 8 bits and, from bit 32 of
 * the register on, 26 more. */
static void check_extension(struct audit *a, const struct audit_item *x)
{
	char here[160];

	if (*x->unit && x->e.source == ENTRY_LIBPFM4 &&
	    x->e.code.extension >> 26)
		audit_find(a, "field", is_shared(a, x) ? AUDIT_LOW : AUDIT_HIGH,
			   x, audit_code_text(here, x), "the kernel knows 26 "
			   "bits of a umask's extension");
}

static void check_field(struct audit *a, const struct audit_item *x)
{
	const struct event_code *c = &x->e.code;
	char here[160];

	check_extension(a, x);
	if (*x->unit || c->fixed || !(c->given & CODE_SELECT) ||
	    c->selects > 1)
		return;
	audit_code_text(here, x);
	if (is_x86(x) && c->umask[0] > 0xff && !c->extension)
		audit_find(a, "field", AUDIT_HIGH, x, here,
			   "a umask has 8 bits");
	if (is_x86(x) && c->select[0] > (x->e.source == ENTRY_LIKWID ?
					 UINT64_C(0xffff) : UINT64_C(0xfff)) &&
	    strncasecmp(x->e.table, "power", 5))
		audit_find(a, "field", AUDIT_HIGH, x, here,
			   "a select has at most 12 bits, of Arm 16");
	if (c->cmask > 0xff)
		audit_find(a, "field", AUDIT_HIGH, x, here,
			   "a cmask has 8 bits");
}

/* ---- codes that are none ------------------------------------------------- */

/* What another table has for the name: a general counter's code? */
static const struct audit_item *real_code(const struct audit *a,
					  const struct audit_item *x)
{
	struct audit_item **run;
	const size_t n = audit_same_name(a, x, &run);
	const struct audit_item *found = NULL;

	for (size_t i = 0; i < n; i++) {
		if (audit_bond(a, x, run[i]) != BOND_CPU)
			continue;
		if (run[i]->e.code.fixed || !run[i]->e.code.select[0])
			return NULL;
		found = run[i];
	}
	return found;
}

/* A word of every fixed counter's name. */
static bool fixed_name(const char *normal)
{
	static const char *const words[] = {
		"INST", "UNHALTED", "SLOTS", "TOPDOWN", "CYCLES", "CORE",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strstr(normal, words[i]))
			return true;
	return false;
}

/* AMD has an event 0, with umasks that Intel's pseudo codes do not have. */
static bool has_event_0(const struct audit *a, const struct audit_item *x)
{
	return a->table[x->table].zero & 0x70 || audit_is_amd(x);
}

static void check_pseudo(struct audit *a, const struct audit_item *x)
{
	const struct audit_item *y = NULL;
	char here[160], there[160], whose[96];

	/* Linux has codes of its own, 00.80 to 00.87, for PERF_METRICS. */
	if (*x->unit || x->e.code.fixed || !is_x86(x) ||
	    (!x->e.code.select[0] && x->e.code.umask[0] & 0x80))
		return;
	y = real_code(a, x);
	audit_code_text(here, x);
	if (!x->e.code.select[0] && y && !audit_is_amd(x))
		audit_find(a, "pseudo", AUDIT_HIGH, x, here, "select 0 is no "
			   "event; %s: %s", audit_whose(whose, a, y),
			   audit_code_text(there, y));
	else if (!x->e.code.select[0] && audit_umask(&x->e.code) &&
		 !has_event_0(a, x) && !fixed_name(x->normal))
		audit_find(a, "pseudo", AUDIT_MEDIUM, x, here, "the code of a "
			   "fixed counter");
	else if (x->e.code.select[0] && y && y->e.code.msrs &&
		 !x->e.code.msr_value &&
		 y->e.code.umask[0] != x->e.code.umask[0] &&
		 y->e.code.msr_value == x->e.code.umask[0])
		audit_find(a, "pseudo", AUDIT_HIGH, x, here, "the umask is a "
			   "register's value; %s: %s",
			   audit_whose(whose, a, y),
			   audit_code_text(there, y));
}

void audit_field(struct audit *a)
{
	for (size_t i = 0; i < a->events; i++)
		if (a->by_name[i]->audited) {
			check_field(a, a->by_name[i]);
			check_pseudo(a, a->by_name[i]);
		}
}

/* ---- sums ---------------------------------------------------------------- */

static bool one_bit(uint64_t umask)
{
	return umask && !(umask & (umask - 1));
}

/* Events of one table in the order of names: "X_A", "X_ALL", "X_B". */
static bool is_part(const struct audit_item *sum, const struct audit_item *x,
		    size_t stem)
{
	const struct event_code *c = &x->e.code, *d = &sum->e.code;

	return x != sum && x->table == sum->table && !x->e.deprecated &&
	       !strcmp(x->unit, sum->unit) &&
	       !strncmp(x->normal, sum->normal, stem) &&
	       audit_is_code(x) && c->select[0] == d->select[0] &&
	       c->cmask == d->cmask && c->edge == d->edge &&
	       c->inv == d->inv && c->msrs == d->msrs &&
	       !strcmp(c->options, d->options) && one_bit(audit_umask(c));
}

uint64_t audit_parts(const struct audit *a, const struct audit_item *sum,
		     unsigned *count)
{
	const char *last = strrchr(sum->normal, '_');
	const size_t stem = last ? (size_t)(last - sum->normal) + 1 : 0;
	char name[ENTRY_NAME];
	struct audit_item probe = *sum, **run;
	uint64_t parts = 0;

	*count = 0;
	if (!last || (strcmp(last, "_ALL") && strcmp(last, "_ANY")) ||
	    !audit_is_code(sum) || sum->e.code.msrs)
		return 0;
	snprintf(name, sizeof(name), "%.*s", (int)stem, sum->normal);
	probe.normal = name;
	audit_same_name(a, &probe, &run);
	for (; run < a->by_name + a->events &&
	     !strncmp((*run)->normal, name, stem); run++)
		if (is_part(sum, *run, stem)) {
			parts |= audit_umask(&(*run)->e.code);
			++*count;
		}
	return parts;
}

static void check_union(struct audit *a, const struct audit_item *sum)
{
	unsigned n;
	const uint64_t parts = audit_parts(a, sum, &n);
	const uint64_t umask = audit_umask(&sum->e.code);
	char here[160];

	if (!sum->e.deprecated && n > 1 && parts & ~umask && !(umask & ~parts))
		audit_find(a, "union", umask && !*sum->unit ? AUDIT_MEDIUM :
			   AUDIT_LOW, sum,
			   audit_code_text(here, sum), "its %u parts have "
			   "umask 0x%" PRIx64, n, parts);
}

/* The table's event of that name, with sum's select and no other part. */
static const struct audit_item *part_named(const struct audit *a,
					   const struct audit_item *hit,
					   const char *name)
{
	const struct audit_item *x = audit_named(a, hit->table, name,
						 hit->unit);
	struct event_code same;

	if (!x || !audit_is_code(x))
		return NULL;
	same = hit->e.code;
	same.umask[0] = x->e.code.umask[0];
	same.extension = x->e.code.extension;
	return event_code_compare(&same, &x->e.code) == CODE_EQUAL ? x : NULL;
}

/* "RQSTS_RFO_HIT" and "RQSTS_RFO_MISS" make up "RQSTS_ALL_RFO". */
static void check_hits(struct audit *a, const struct audit_item *hit)
{
	const char *first = hit->e.name + strcspn(hit->e.name, ".:");
	const size_t stem = (size_t)(first - hit->e.name) + 1;
	const size_t n = strlen(hit->normal);
	const struct audit_item *miss, *all;
	char name[ENTRY_NAME + 8], here[160];

	if (!*first || n < 5 || stem > n - 4 ||
	    strcmp(hit->normal + n - 4, "_HIT") || !audit_is_code(hit) ||
	    hit->e.deprecated)
		return;
	snprintf(name, sizeof(name), "%.*s_MISS", (int)n - 4, hit->normal);
	miss = part_named(a, hit, name);
	snprintf(name, sizeof(name), "%.*sALL_%.*s", (int)stem, hit->normal,
		 (int)(n - 4 - stem), hit->normal + stem);
	all = part_named(a, hit, name);
	if (miss && all && audit_umask(&all->e.code) !=
	    (audit_umask(&hit->e.code) | audit_umask(&miss->e.code)))
		audit_find(a, "union", AUDIT_MEDIUM, hit,
			   audit_code_text(here, hit), "with %.80s, umask "
			   "0x%" PRIx64 ", no %.80s, umask 0x%" PRIx64,
			   miss->e.name, audit_umask(&miss->e.code),
			   all->e.name, audit_umask(&all->e.code));
}

void audit_union(struct audit *a)
{
	for (size_t i = 0; i < a->events; i++)
		if (a->by_name[i]->audited && is_x86(a->by_name[i]))
			check_union(a, a->by_name[i]);
	for (size_t i = 0; i < a->events; i++)
		if (a->by_name[i]->audited)
			check_hits(a, a->by_name[i]);
}

/* ---- what cannot be read ------------------------------------------------- */

void audit_unreadable(struct audit *a)
{
	for (size_t i = 0; i < a->items; i++) {
		const struct audit_item *x = &a->item[i];
		const bool witness = !a->table[x->table].audited;

		if (x->e.kind == ENTRY_BAD)
			audit_find(a, "unreadable", x->e.limit || witness ?
				   AUDIT_LOW : AUDIT_HIGH, x, x->e.why,
				   "%s", witness ? "a witness is left out" :
				   "left out");
	}
}

/* ---- lines that are not read --------------------------------------------- */

/* The line, or what is read of the line. */
static const char *as_written(char here[160], const struct audit_item *x)
{
	return x->e.source == ENTRY_PAPI ? x->e.formula :
	       x->e.kind == ENTRY_EVENT ? audit_code_text(here, x) :
	       *x->e.text ? x->e.text : x->e.name;
}

void audit_syntax(struct audit *a)
{
	char here[160];

	for (size_t i = 0; i < a->items; i++) {
		const struct audit_item *x = &a->item[i];
		const bool keyword = !strncmp(x->e.name, "EVENT_", 6) ||
				     !strncmp(x->e.name, "UMASK_", 6);

		if (!x->audited || !*x->e.why || x->e.kind == ENTRY_BAD)
			continue;
		if (x->e.source == ENTRY_LINUX &&
		    audit_is_unread(a, x, ENTRY_LINUX, x->e.alias))
			continue;
		if (x->e.source == ENTRY_LINUX)
			audit_find(a, "absent", AUDIT_MEDIUM, x, x->e.alias,
				   "%s", x->e.why);
		else if (x->e.source == ENTRY_LIBPFM4)
			audit_find(a, "twice", AUDIT_MEDIUM, x, x->e.alias,
				   "%s", x->e.why);
		else if (x->e.kind == ENTRY_UNREAD && *x->e.operands)
			audit_find(a, "option", AUDIT_HIGH, x, x->e.operands,
				   "%s", x->e.why);
		else
			audit_find(a, "syntax", keyword ||
				   x->e.kind == ENTRY_EVENT ? AUDIT_HIGH :
				   x->e.source == ENTRY_PAPI ? AUDIT_MEDIUM :
				   AUDIT_LOW, x, as_written(here, x), "%s",
				   x->e.why);
	}
}
