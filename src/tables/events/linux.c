/* SPDX-License-Identifier: MIT */
/*
 * Linux's pmu-events, as tools/perf/pmu-events/jevents.py reads them: an entry
 * may be an event and a metric; "ArchStdEvent" takes what the entry does not
 * give from the architecture's own files; no EventCode is code 0.
 */
#include <string.h>
#include <strings.h>

#include "tables/events/reading.h"

/* What the architecture's entry says and this one does not. */
static void inherit(struct entry *e, const struct entry *std)
{
	const struct event_code own = e->code;

	if (!*e->name)
		e->name = std->name;
	if (!*e->text)
		e->text = std->text;
	e->kind = std->kind;
	e->formula = std->formula;
	e->code = std->code;
	e->code.unit = own.unit;
	e->code.counters = own.counters;
	e->code.options = own.options;
}

static int read_metric(const struct reading *r, const struct piece *p)
{
	struct entry e = piece_entry(r, ENTRY_LINUX, p);
	char room[5][24];

	e.kind = ENTRY_METRIC;
	e.name = member_text(p, "MetricName", room[0]);
	e.formula = member_text(p, "MetricExpr", room[1]);
	e.text = member_text(p, "BriefDescription", room[2]);
	e.group = member_text(p, "MetricGroup", room[3]);
	e.code.unit = member_text(p, "Unit", room[4]);
	return *e.name ? r->fn(r->ctx, &e) : 0;
}

/* perf replaces the first of these fields by the next: one is given. */
static int read_config(struct event_code *c, const struct piece *p)
{
	int rc = member_code(c, p);

	if (member_number(p, "ConfigCode", &c->config, &rc) ||
	    member_number(p, "EventidCode", &c->config, &rc))
		c->given |= CODE_CONFIG;
	if (!c->selects && !(c->given & CODE_CONFIG)) {
		c->selects = 1;
		c->given |= CODE_SELECT;
	}
	return rc;
}

static int unresolved(const struct reading *r, struct entry *e)
{
	e->kind = ENTRY_UNREAD;
	e->why = "its ArchStdEvent is in no file of the architecture";
	return r->fn(r->ctx, e);
}

int read_linux_entry(const struct reading *r, const struct piece *p)
{
	struct entry e = piece_entry(r, ENTRY_LINUX, p);
	char room[6][24];
	const char *std = member_text(p, "ArchStdEvent", room[0]);
	const struct entry *of_std;
	uint64_t deprecated = 0, extra_select = 0;
	int rc = read_metric(r, p);

	e.name = member_text(p, "EventName", room[1]);
	if (!rc && !*e.name && !*std && !*member_text(p, "MetricName", room[2]))
		rc = piece_error(p, "EventName, ArchStdEvent and MetricName "
				 "are missing");
	if (rc || (!*e.name && !*std))
		return rc;
	e.text = member_text(p, "BriefDescription", room[2]);
	e.code.unit = member_text(p, "Unit", room[3]);
	e.code.counters = member_text(p, "Counter", room[4]);
	e.code.options = member_text(p, "Filter", room[5]);
	rc = read_config(&e.code, p);
	member_number(p, "Deprecated", &deprecated, &rc);
	member_number(p, "ExtSel", &extra_select, &rc);
	e.code.select[0] |= extra_select << 8;
	e.deprecated = deprecated != 0;
	e.code.fixed = !strncasecmp(e.code.counters, "Fixed", 5);
	if (rc)
		return rc;
	if (!*std)
		return r->fn(r->ctx, &e);
	e.alias = std;
	of_std = std_event_find(r->std, std);
	if (!of_std) {
		e.name = *e.name ? e.name : std;
		return unresolved(r, &e);
	}
	inherit(&e, of_std);
	e.alias = strcasecmp(e.name, std) ? std : "";
	return r->fn(r->ctx, &e);
}
