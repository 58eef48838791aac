/* SPDX-License-Identifier: MIT */
/*
 * `assay explain` where the CPU file says nothing: the event tables at hand,
 * then libpfm4's table of the CPU; and what may be said of a name that none of
 * them has. Only a complete list of the CPU's events can deny one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "events/explain/explain.h"
#include "events/table.h"

const char *explain_cpu_name(const struct subject *s)
{
	return s->target->cpu ? s->target->cpu->name :
	       s->target->asked ? s->target->asked : "this machine's CPU";
}

static void add_others(struct subject *s, const char *what, const char *others)
{
	if (*others)
		snprintf(s->others, sizeof(s->others), "%s: %s.", what, others);
}

static void use(struct subject *s, const struct table_event *t)
{
	text_copy(s->event, sizeof(s->event), t->name);
	text_copy(s->meaning, sizeof(s->meaning), *t->text ? t->text : t->name);
	text_copy(s->source, sizeof(s->source), t->source);
	text_copy(s->terms, sizeof(s->terms), t->terms);
	s->cores = t->cores;
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
	add_others(s, "The name has other codes, too", found.others);
	s->coded = found.coded;
	s->config = found.config;
	s->config1 = found.config1;
	s->kind = s->target->cpu ? "not described here, but a table of the "
		  "CPU has it" : "an event of a table of the CPU";
	return FOUND;
}

/* ---- codes of units outside the cores ---------------------------------- */

struct term { const char *key; size_t bytes; uint64_t value; };

/* The next term of "UNIT/KEY=VALUE,.../", the unit among them. */
static bool next_term(struct term *out, const char **at)
{
	*at += strspn(*at, ",/");
	out->key = *at;
	out->bytes = strcspn(*at, "=,/");
	out->value = out->key[out->bytes] == '=' ?
		     strtoull(out->key + out->bytes + 1, NULL, 0) : 1;
	*at += strcspn(*at, ",/");
	return out->bytes > 0;
}

/* Are all terms of b, but those of value 0, among a's? */
static bool has_terms(const char *a, const char *b)
{
	struct term of_a, of_b;

	while (next_term(&of_b, &b)) {
		const char *at = a;
		bool found = !of_b.value;

		while (!found && next_term(&of_a, &at))
			found = of_a.bytes == of_b.bytes &&
				of_a.value == of_b.value &&
				!strncasecmp(of_a.key, of_b.key, of_a.bytes);
		if (!found)
			return false;
	}
	return true;
}

/* The unit of "UNIT/...", as tables and Linux's PMUs have it: "iMC" is
 * "uncore_imc_0", too, and "L3PMC" is "amd_l3". */
static void unit_of(char *out, size_t room, const char *text)
{
	const bool amd = !strncasecmp(text, "amd_", 4);
	size_t bytes;

	text += amd ? 4 : !strncasecmp(text, "uncore_", 7) ? 7 : 0;
	bytes = strcspn(text, "/");
	while (bytes && strchr("0123456789", text[bytes - 1]) &&
	       memchr(text, '_', bytes))
		bytes--;
	bytes -= bytes && text[bytes - 1] == '_';
	snprintf(out, room, "%.*s%s", (int)bytes, text, amd ? "pmc" : "");
}

static bool same_unit(const char *a, const char *b)
{
	char unit_a[40], unit_b[40];

	unit_of(unit_a, sizeof(unit_a), a);
	unit_of(unit_b, sizeof(unit_b), b);
	return text_equal(unit_a, unit_b);
}

struct by_unit {
	struct subject *subject;
	bool found;
	char others[400];
};

static int try_terms(void *ctx, const struct table_event *t)
{
	struct by_unit *u = ctx;
	const char *name = u->subject->name;

	if (t->coded || !same_unit(t->terms, name) ||
	    !has_terms(strchr(t->terms, '/'), strchr(name, '/')) ||
	    !has_terms(strchr(name, '/'), strchr(t->terms, '/')))
		return 0;
	if (!u->found)
		use(u->subject, t);
	else if (!text_equal(u->subject->event, t->name))
		text_add(u->others, sizeof(u->others), "; ", "%s of %s",
			 t->name, t->source);
	u->found = true;
	return 0;
}

int explain_by_unit(struct subject *s, struct assay_error *err)
{
	const char *slash = strchr(s->name, '/');
	struct by_unit u = { .subject = s };
	int rc;

	if (!slash || !strchr(slash, '=') || explain_core_pmu(s->name))
		return NOT_MINE;
	rc = table_own(s->target, NULL, try_terms, &u, err);
	if (rc || !u.found)
		return rc;
	add_others(s, "The code is another event, too", u.others);
	s->kind = "the code of a unit outside the cores";
	return FOUND;
}

/* The CPU file's event, too, may have another code in a table. */
static int other_codes(struct subject *s, struct assay_error *err)
{
	struct table_event mine = { .coded = true, .config = s->config };
	int rc = table_others(&mine, s->target, s->layout, s->name, err);

	add_others(s, "The name has other codes, too", mine.others);
	return rc;
}

/* ---- other kinds of core ----------------------------------------------- */

/* The search for the CPU file of a kind of core. */
struct core_file {
	const struct events_target *target;
	const char *core;
	char text[120];
};

static int find_file(void *ctx, const struct cpu *cpu)
{
	struct core_file *f = ctx;

	if (!table_same_chip(f->target, cpu, f->core))
		return 0;
	text_add(f->text, sizeof(f->text), "", " (%.60s)", cpu->name);
	return 1;
}

/* "E cores (alder-lake-e)" */
static void name_core(struct core_file *f, const struct subject *s, int core)
{
	*f = (struct core_file){ s->target, cpu_core_pmus[core], "" };
	snprintf(f->text, sizeof(f->text), "%s cores", cpu_cores[core]);
	explain_each_cpu(s, find_file, f, NULL);
}

/* Returns FOUND, NOT_MINE or an error; *core: the kind that has the event. */
static int find_other(struct table_event *out, const struct subject *s,
		      const char *name, uint64_t config, int *core,
		      struct assay_error *err)
{
	struct events_target t = *s->target;
	int rc = NOT_MINE;

	for (int i = 0; i < CPU_CORES && s->target->core && rc == NOT_MINE;
	     i++) {
		t.core = cpu_core_pmus[*core = i];
		rc = table_find(out, &t, s->layout, name, config, err);
	}
	return rc;
}

int explain_by_other_core(struct subject *s, struct assay_error *err)
{
	struct table_event found;
	struct core_file file;
	int core, rc = find_other(&found, s, s->name, 0, &core, err);
	const int knows = rc == FOUND ? table_knowledge(s->target, err) : rc;

	if (rc != FOUND || knows < 0)
		return rc < 0 ? rc : knows;
	name_core(&file, s, core);
	s->kind = "an event of another kind of core";
	s->of_others = true;
	text_copy(s->event, sizeof(s->event), found.name);
	snprintf(s->absent, sizeof(s->absent), "%.60s %s; the table has it for "
		 "its %s: r%llx, %.120s", explain_cpu_name(s),
		 knows == TABLE_COMPLETE ? "has no such event" :
		 "is not known to have the event", file.text,
		 (unsigned long long)found.config,
		 *found.text ? found.text : found.name);
	return FOUND;
}

static int code_of_other_core(struct subject *s, uint64_t config,
			      struct assay_error *err)
{
	struct table_event found;
	struct core_file file;
	int core, rc = find_other(&found, s, NULL, config, &core, err);

	if (rc != FOUND)
		return rc;
	name_core(&file, s, core);
	snprintf(s->of_other, sizeof(s->of_other), "no table of %.60s has an "
		 "event with this code; on its %s it is %.80s, %.120s",
		 explain_cpu_name(s), file.text, found.name,
		 *found.text ? found.text : found.name);
	return 0;
}

static int wrong_core(const struct subject *s, int core,
		      struct assay_error *err)
{
	const struct cpu *cpu = s->target->cpu;
	const char *pmu = cpu_core_pmus[core];
	struct core_file file;

	if (!cpu->core)
		return error_set(err, -ASSAY_EINVAL, "%.60s has one kind of "
				 "core, whose PMU is 'cpu', not '%s'",
				 cpu->name, pmu);
	name_core(&file, s, core);
	return error_set(err, -ASSAY_EINVAL, "%s is the PMU of the %s; %.60s "
			 "is one of the %s cores", pmu, file.text, cpu->name,
			 cpu_cores[cpu_core_of(cpu->core,
					       strlen(cpu->core))]);
}

int explain_core(struct events_target *target, const char *text,
		 struct assay_error *err)
{
	const size_t bytes = strcspn(text, "/");
	const int core = text[bytes] ? cpu_core_of(text, bytes) : -1;
	const struct subject s = { .target = target };

	target->core = target->cpu ? target->cpu->core : NULL;
	if (core < 0 || (target->core &&
			 !strcmp(target->core, cpu_core_pmus[core])))
		return 0;
	if (target->cpu && target->named)
		return wrong_core(&s, core, err);
	target->cpu = NULL;	/* this machine's file is of another kind */
	target->core = cpu_core_pmus[core];
	return 0;
}

/* Events of one code that differ in config1 are different events. */
static int no_such_value(struct subject *s)
{
	const uint64_t select = s->config & 0xff;
	const bool offcore = select == 0xb7 || select == 0xbb ||
			     select == 0x2a || select == 0x2b;

	snprintf(s->meaning, sizeof(s->meaning), "%sr%llx with config1=0x%llx; "
		 "none of the events of this code that are known here has that "
		 "value", offcore ? "the offcore response " : "",
		 (unsigned long long)s->config,
		 (unsigned long long)s->config1);
	return 0;
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
	rc = s->config1 ? table_find_value(&found, s->target, s->layout, config,
					   s->config1, err) :
			  table_find(&found, s->target, s->layout, NULL, config,
				     err);
	if (rc == NOT_MINE)
		rc = s->config1 ? no_such_value(s) :
				  code_of_other_core(s, config, err);
	if (rc != FOUND)
		return rc;
	use(s, &found);
	add_others(s, "The code is another event, too", found.others);
	if (found.config1 && !s->config1)
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
	else if (knows == TABLE_DAMAGED)
		snprintf(s->absent, sizeof(s->absent), "unknown here: a table "
			 "of %.60s cannot be read completely, and may have "
			 "the name", explain_cpu_name(s));
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
	s->unknown = knows != TABLE_COMPLETE;
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
		rc = explain_remark(s, "%s", s->others);
	if (!rc && *s->of_other && *s->event)
		rc = explain_remark(s, "%s", s->of_other);
	for (int i = 0; i < CPU_CORES && !rc && !s->target->core; i++)
		if (s->cores == 1u << i)
			rc = explain_remark(s, "The table has the event for "
					    "the %s cores.", cpu_cores[i]);
	return rc;
}
