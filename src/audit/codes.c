/* SPDX-License-Identifier: MIT */
/* Codes of entries compared across sources, as far as both are known. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "audit/items.h"
#include "base/text.h"
#include "tables/events/tables.h"

uint64_t audit_umask(const struct event_code *c)
{
	return c->umask[0] | c->extension << 8;
}

/* Fixed counters, code 0 and x86's free-running ones have no code. libpfm4's
 * unit mask with another group's default is not known in full. */
bool audit_is_code(const struct audit_item *x)
{
	const struct event_code *c = &x->e.code;

	return c->given & CODE_SELECT && !c->fixed && c->selects &&
	       c->select[0] && c->umasks <= c->selects &&
	       !(c->given & CODE_CONFIG && x->e.source == ENTRY_LINUX) &&
	       !(*c->options && x->e.source == ENTRY_LIBPFM4);
}

/* libpfm4's tables of uncores are made from the manuals. */
bool audit_derives(const struct audit_item *y, const struct audit_item *x)
{
	return x->e.source == ENTRY_PERFMON &&
	       (y->e.source == ENTRY_LINUX ||
		(y->e.source == ENTRY_LIBPFM4 && !*y->unit));
}

bool audit_is_amd(const struct audit_item *x)
{
	const char *const names[] = { x->e.table, NULL };
	const struct table_cpu cpu = { names, NULL };
	const char *pattern = table_known_pattern(&cpu);

	return !strncasecmp(x->e.table, "amd", 3) ||
	       (pattern && !strncmp(pattern, "AuthenticAMD", 12));
}

bool audit_is_vendor(const struct audit_item *x)
{
	return x->e.source == ENTRY_PERFMON || x->e.source == ENTRY_ARM ||
	       (x->e.source == ENTRY_LINUX &&
		!strncasecmp(x->e.table, "amd", 3));
}

/* Does a register beside the code decide what is counted? A text "Filter" of
 * perfmon and Linux ("na", "occ_sel=1") is one more way to write the code. */
static bool has_more(const struct audit_item *x)
{
	const struct event_code *c = &x->e.code;

	return c->msrs || c->msr_value || c->filter ||
	       (x->e.source == ENTRY_LIKWID && (c->extension || *c->options));
}

bool audit_has_filter(const struct audit_item *x)
{
	return strchr(x->e.code.options, '=');
}

/* likwid gives the bits beyond 8 of an uncore's umask as an option. */
static uint64_t comparable_umask(const struct audit_item *x, bool narrow)
{
	const uint64_t umask = x->e.source == ENTRY_LIKWID ?
			       x->e.code.umask[0] : audit_umask(&x->e.code);

	return narrow ? umask & 0xff : umask;
}

/* FRONTEND_RETIRED: the whole value of the register is the event's. libpfm4
 * composes the values of offcore responses. */
static bool has_frontend(const struct audit_item *x)
{
	return x->e.code.select[0] == 0xc6 && x->e.code.msr_value &&
	       x->e.source != ENTRY_LIKWID;
}

/* likwid's programs set bit 21 of an Intel uncore's register by themselves: its
 * tables lack the select's bit 8. */
static bool same_select(const struct audit_item *x, const struct audit_item *y)
{
	const struct event_code *c = &x->e.code, *d = &y->e.code;
	const bool likwid = (x->e.source == ENTRY_LIKWID) !=
			    (y->e.source == ENTRY_LIKWID);

	return !memcmp(c->select, d->select, sizeof(c->select)) ||
	       (likwid && *x->unit && !audit_is_amd(x) && c->selects == 1 &&
		(c->select[0] ^ d->select[0]) == 0x100);
}

int audit_code_differs(const struct audit_item *x, const struct audit_item *y)
{
	const struct event_code *c = &x->e.code, *d = &y->e.code;
	const bool narrow = x->e.source != y->e.source && *x->unit;

	if (!audit_is_code(x) || !audit_is_code(y) ||
	    has_more(x) != has_more(y) ||
	    (has_more(x) && x->e.source != y->e.source &&
	     !(has_frontend(x) && has_frontend(y)) &&
	     (x->e.source > ENTRY_LINUX || y->e.source > ENTRY_LINUX)))
		return -1;
	return (same_select(x, y) ? 0 : DIFF_SELECT) |
	       (comparable_umask(x, narrow) != comparable_umask(y, narrow) ?
		DIFF_UMASK : 0) |
	       (c->cmask != d->cmask ? DIFF_CMASK : 0) |
	       (c->inv != d->inv || c->edge != d->edge ? DIFF_FLAGS : 0) |
	       (c->msr_value != d->msr_value ? DIFF_MSR : 0);
}

const char *audit_code_text(char out[160], const struct audit_item *x)
{
	const struct event_code *c = &x->e.code;

	snprintf(out, 160, "select 0x%" PRIx64, c->select[0]);
	if (c->given & CODE_UMASK || audit_umask(c))
		text_add(out, 160, ", ", "umask 0x%" PRIx64, audit_umask(c));
	if (c->cmask)
		text_add(out, 160, ", ", "cmask %u", c->cmask);
	if (c->inv)
		text_add(out, 160, ", ", "inv");
	if (c->edge)
		text_add(out, 160, ", ", "edge");
	if (c->msr_value)
		text_add(out, 160, ", ", "MSR value 0x%" PRIx64, c->msr_value);
	if (*c->options)
		text_add(out, 160, ", ", "%.60s", c->options);
	return out;
}

static int order(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* POWER's counters are a part of the code. */
static const char *counters_of(const struct audit_item *x)
{
	return strncasecmp(x->e.table, "power", 5) ? "" : x->e.code.counters;
}

int audit_code_order(const struct audit_item *x, const struct audit_item *y)
{
	const struct event_code *c = &x->e.code, *d = &y->e.code;
	const int orders[] = {
		order(x->table, y->table),
		strcasecmp(x->unit, y->unit),
		order(c->fixed, d->fixed),
		order(c->given & CODE_SELECT, d->given & CODE_SELECT),
		memcmp(c->select, d->select, sizeof(c->select)),
		memcmp(c->umask, d->umask, sizeof(c->umask)),
		order(c->extension, d->extension),
		order(c->ports, d->ports), order(c->classes, d->classes),
		order(c->filter, d->filter), order(c->cmask, d->cmask),
		order(c->inv, d->inv), order(c->edge, d->edge),
		order(c->any, d->any), order(c->msr_value, d->msr_value),
		order(c->config, d->config), order(c->msrs, d->msrs),
		strcmp(c->options, d->options),
		strcmp(counters_of(x), counters_of(y)),
	};

	for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++)
		if (orders[i])
			return orders[i];
	return 0;
}
