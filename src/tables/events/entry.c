/* SPDX-License-Identifier: MIT */
/* Names and encodings of event tables compared; see entry.h. */
#include "tables/events/entry.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"

const char *const entry_source_names[ENTRY_SOURCES] = {
	[ENTRY_PERFMON] = "perfmon", [ENTRY_LINUX] = "Linux",
	[ENTRY_ARM] = "Arm's data", [ENTRY_LIKWID] = "likwid",
	[ENTRY_PAPI] = "PAPI", [ENTRY_LIBPFM4] = "libpfm4",
	[ENTRY_ASSAY] = "assay", [ENTRY_NOWHERE] = "",
};

static bool number(uint64_t *out, const char **at)
{
	const char *p = *at;
	const bool hex = p[0] == '0' && (p[1] == 'x' || p[1] == 'X');
	char *end;

	if (!isdigit((unsigned char)*p) ||
	    (hex && !isxdigit((unsigned char)p[2])))
		return false;
	errno = 0;
	*out = strtoull(p, &end, hex ? 16 : 10);
	*at = end + strspn(end, " \t");
	return !errno;
}

int code_numbers(uint64_t *out, int most, const char *text)
{
	const char *at = text + strspn(text, " \t");
	int n = 0;

	while (*at) {
		if (n == most || !number(&out[n++], &at) ||
		    (*at && *at != ','))
			return -1;
		at += *at == ',';
		at += strspn(at, " \t");
	}
	return n;
}

/* libpfm4 has a table for each kind of core, with the kind in the name. */
const char *entry_core(const struct entry *e)
{
	static const char *const known[][2] = {
		{ "_glc", "cpu_core" }, { "_grt", "cpu_atom" },
	};
	const char *end = strrchr(e->table, '_');

	for (size_t i = 0; end && i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcmp(end, known[i][0]))
			return known[i][1];
	return strncmp(e->code.unit, "cpu_", 4) ? "" : e->code.unit;
}

/* ---- encodings --------------------------------------------------------- */

/* One number of an encoding. */
struct part {
	enum code_part part;
	uint64_t a, b;
};

/* Do two lists hold the same numbers? */
static bool same(const uint64_t a[CODE_LIST], const uint64_t b[CODE_LIST])
{
	return !memcmp(a, b, CODE_LIST * sizeof(*a));
}

/* A part that one table does not give is 0 there: equal if 0 is given. */
static enum code_equality compare_part(const struct part *p, unsigned both)
{
	if (p->a == p->b)
		return CODE_EQUAL;
	return both & p->part ? CODE_DIFFERENT : CODE_MAY_EQUAL;
}

enum code_equality event_code_compare(const struct event_code *a,
				      const struct event_code *b)
{
	const struct part parts[] = {
		{ CODE_SELECT, 0, !same(a->select, b->select) },
		{ CODE_UMASK, 0, !same(a->umask, b->umask) },
		{ CODE_EXTENSION, a->extension, b->extension },
		{ CODE_CMASK, a->cmask, b->cmask },
		{ CODE_INV, a->inv, b->inv },
		{ CODE_EDGE, a->edge, b->edge },
		{ CODE_ANY, a->any, b->any },
		{ CODE_MSR, 0, !same(a->msr, b->msr) },
		{ CODE_MSR, a->msr_value, b->msr_value },
		{ CODE_CONFIG, a->config, b->config },
		{ CODE_PORTS, a->ports, b->ports },
		{ CODE_PORTS, a->classes, b->classes },
		{ CODE_FILTER, a->filter, b->filter },
	};
	enum code_equality worst = strcasecmp(a->unit, b->unit) ||
				   a->fixed != b->fixed ? CODE_DIFFERENT :
				   CODE_EQUAL;

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		const enum code_equality e =
			compare_part(&parts[i], a->given & b->given);

		worst = e > worst ? e : worst;
	}
	if (worst == CODE_EQUAL && strcmp(a->options, b->options))
		return CODE_MAY_EQUAL;
	return worst;
}

/* ---- names ------------------------------------------------------------- */

void entry_normal_name(char out[ENTRY_NAME], const char *name,
		       const char *unit)
{
	const size_t unit_bytes = strlen(unit);
	size_t n = 0;

	if (!strncasecmp(name, "UNC_", 4)) {
		name += 4;
		if (unit_bytes && !strncasecmp(name, unit, unit_bytes) &&
		    name[unit_bytes] == '_')
			name += unit_bytes + 1;
	}
	for (; *name && n < ENTRY_NAME - 1; name++) {
		const bool joint = strchr(".:- \t_", *name) != NULL;

		if (joint && n && out[n - 1] == '_')
			continue;
		out[n++] = joint ? '_' : (char)toupper((unsigned char)*name);
	}
	out[n] = '\0';
}

void entry_text(char *out, size_t room, const char *text)
{
	text_copy(out, room, text);
	if (strlen(text) >= room && room > 8)
		memcpy(out + room - 4, "...", 4);
	for (char *p = out; (p = strpbrk(p, "\n\r\t")); p++)
		*p = ' ';
	text_harmless(out, false);
}

struct entry entry_empty(void)
{
	return (struct entry){
		.file = "", .table = "", .name = "", .alias = "", .text = "",
		.group = "", .formula = "", .operands = "", .constants = "",
		.why = "",
		.code = { .unit = "", .counters = "", .options = "" },
	};
}
