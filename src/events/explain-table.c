/* SPDX-License-Identifier: MIT */
/*
 * `assay explain` where the CPU file says nothing: the event tables at hand,
 * then libpfm4's table of the CPU; and what may be said of a name that none of
 * them has. Only a complete list of the CPU's events can deny one.
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "events/explain.h"
#include "events/table.h"

const char *explain_cpu_name(const struct subject *s)
{
	return s->target->cpu ? s->target->cpu->name :
	       s->target->asked ? s->target->asked : "this machine's CPU";
}

static void use(struct subject *s, const struct table_event *t)
{
	text_copy(s->event, sizeof(s->event), t->name);
	text_copy(s->meaning, sizeof(s->meaning), *t->text ? t->text : t->name);
	text_copy(s->source, sizeof(s->source), t->source);
	text_copy(s->terms, sizeof(s->terms), t->terms);
	text_copy(s->others, sizeof(s->others), t->others);
	s->deprecated = t->deprecated;
	s->fixed = t->fixed;
}

int explain_by_table(struct subject *s, struct assay_error *err)
{
	struct table_event found;
	int rc = table_find(&found, s->target, s->layout, s->name, 0, err);

	if (rc != FOUND)
		return rc;
	use(s, &found);
	s->coded = found.coded;
	s->config = found.config;
	s->config1 = found.config1;
	s->kind = s->target->cpu ? "not described here, but a table of the "
		  "CPU has it" : "an event of a table of the CPU";
	return FOUND;
}

/* The CPU file's event, too, may have another code in a table. */
static int other_codes(struct subject *s, struct assay_error *err)
{
	struct table_event mine = { .coded = true, .config = s->config };
	int rc = table_others(&mine, s->target, s->layout, s->name, err);

	text_copy(s->others, sizeof(s->others), mine.others);
	return rc;
}

int explain_code_by_table(struct subject *s, struct assay_error *err)
{
	struct table_event found;
	const uint64_t config = code_kept(s->layout, s->config);
	int rc;

	if (s->event_here)
		return other_codes(s, err);
	if (!s->coded || *s->source)
		return 0;
	rc = table_find(&found, s->target, s->layout, NULL, config, err);
	if (rc != FOUND)
		return rc < 0 ? rc : 0;
	use(s, &found);
	if (found.config1)
		snprintf(s->terms, sizeof(s->terms), "one of the events of "
			 "this code, which differ in config1");
	return 0;
}

int explain_not_found(struct subject *s, struct assay_error *err)
{
	const int knows = table_knowledge(s->target, err);

	if (knows < 0)
		return knows;
	if (knows == TABLE_COMPLETE)
		snprintf(s->absent, sizeof(s->absent), "%.60s has no such "
			 "event: no table at hand of this CPU lists the name",
			 explain_cpu_name(s));
	else if (!s->target->cpu)
		snprintf(s->absent, sizeof(s->absent), "unknown here, no "
			 "table at hand: nothing here of %.60s has the name",
			 explain_cpu_name(s));
	else
		snprintf(s->absent, sizeof(s->absent), knows == TABLE_PARTIAL ?
			 "unknown here, no table at hand: neither the file of "
			 "%.60s nor libpfm4's table of the CPU has the name; "
			 "both may be incomplete" : "unknown here, no table at "
			 "hand: the file of %.60s lacks the name, and may be "
			 "incomplete", explain_cpu_name(s));
	s->unknown = s->target->named && knows != TABLE_COMPLETE;
	return 0;
}

/* ---- X.all where tables have the parts of X alone ---------------------- */

struct parts {
	const struct subject *subject;
	size_t stem;		/* bytes of "X." */
	uint64_t config;	/* of all parts; 0: none is found */
	bool differ;		/* in more than the unit mask */
};

static int add_part(void *ctx, const struct table_event *e)
{
	struct parts *p = ctx;
	const enum code_layout layout = p->subject->layout;

	if (!e->coded || strncasecmp(e->name, p->subject->name, p->stem))
		return 0;
	p->differ |= code_plain(layout, e->config) != e->config ||
		     (p->config && code_event(layout, p->config) !=
				   code_event(layout, e->config));
	p->config |= e->config;
	return 0;
}

/* On AMD each bit of a unit mask adds a part; elsewhere not all do. */
int explain_all(const struct subject *s)
{
	const char *end = strrchr(s->name, '.');
	struct parts parts = { .subject = s };

	if (s->layout != CODE_AMD || !*s->absent || !end ||
	    (!text_equal(end, ".all") && !text_equal(end, ".any")))
		return 0;
	parts.stem = (size_t)(end - s->name) + 1;
	if (table_own(s->target, NULL, add_part, &parts, NULL) ||
	    parts.differ || !parts.config)
		return 0;
	return explain_meant(s, parts.config, "the unit masks of all events "
			     "of that name before the dot, in the tables of "
			     "this CPU");
}

/* ---- remarks ----------------------------------------------------------- */

int explain_table_remarks(const struct subject *s)
{
	int rc = 0;

	if (s->fixed)
		rc = explain_remark(s, "The event counts on a fixed counter: "
				    "the code is a number for tools, and no "
				    "event select of a general counter.");
	if (!rc && s->deprecated)
		rc = explain_remark(s, "The table marks the event as "
				    "deprecated.");
	if (!rc && s->config1)
		rc = explain_remark(s, "The event needs a value in a register "
				    "beside the code: config1=0x%llx%s%s.",
				    (unsigned long long)s->config1,
				    *s->terms ? "; for perf " : "", s->terms);
	else if (!rc && s->coded && *s->terms)
		rc = explain_remark(s, "For perf: %s.", s->terms);
	if (!rc && *s->others)
		rc = explain_remark(s, "The name has other codes, too: %s.",
				    s->others);
	return rc;
}
