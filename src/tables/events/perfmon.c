/* SPDX-License-Identifier: MIT */
/*
 * intel/perfmon: events and metrics. Numbers are compared as numbers, because
 * the files spell 0 in five ways. A metric names its events by aliases.
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "tables/events/reading.h"

static bool is_fixed(const char *counters)
{
	return !strncasecmp(counters, "Fixed", 5);
}

int read_perfmon_event(const struct reading *r, const struct piece *p)
{
	struct entry e = piece_entry(r, ENTRY_PERFMON, p);
	char room[6][24];
	uint64_t deprecated = 0, extra_select = 0;
	int rc = 0;

	e.name = member_text(p, "EventName", room[0]);
	if (!*e.name)
		return piece_error(p, "EventName is missing");
	e.text = member_text(p, "BriefDescription", room[1]);
	e.code.unit = member_text(p, "Unit", room[2]);
	if (!*e.code.unit)
		e.code.unit = r->core;
	e.code.counters = member_text(p, "Counter", room[3]);
	e.code.options = member_text(p, "Filter", room[4]);
	e.code.fixed = is_fixed(e.code.counters);
	rc = member_code(&e.code, p);
	member_number(p, "Deprecated", &deprecated, &rc);
	member_number(p, "ExtSel", &extra_select, &rc);
	e.code.select[0] |= (extra_select & 1) << 8;
	e.deprecated = deprecated != 0;
	return rc ? rc : r->fn(r->ctx, &e);
}

/* "a=NAME;b=NAME;" of an array of { Name, Alias }. */
static int aliases(char *out, size_t room, const struct piece *p,
		   const char *key)
{
	size_t at = 0;

	*out = '\0';
	for (size_t i = 0; i < piece_items(p, key); i++) {
		const char *name = piece_item(p, key, i, "Name");
		const char *alias = piece_item(p, key, i, "Alias");
		const int n = name && alias ?
			snprintf(out + at, room - at, "%s=%s;", alias, name) :
			0;

		if (n < 0 || (size_t)n >= room - at) {
			piece_error(p, "%s: more than %zu characters", key,
				    room - 1);
			return -ASSAY_ERANGE;
		}
		at += (size_t)n;
	}
	return 0;
}

int read_perfmon_metric(const struct reading *r, const struct piece *p)
{
	struct entry e = piece_entry(r, ENTRY_PERFMON, p);
	char room[4][24], events[16384], constants[4096];
	int rc = aliases(events, sizeof(events), p, "Events");

	if (!rc)
		rc = aliases(constants, sizeof(constants), p, "Constants");
	e.kind = ENTRY_METRIC;
	e.name = member_text(p, "MetricName", room[0]);
	e.formula = member_text(p, "Formula", room[1]);
	e.text = member_text(p, "BriefDescription", room[2]);
	e.group = member_text(p, "MetricGroup", room[3]);
	e.operands = events;
	e.constants = constants;
	e.code.unit = r->core;
	if (!rc && !*e.name)
		rc = piece_error(p, "MetricName is missing");
	return rc ? rc : r->fn(r->ctx, &e);
}
