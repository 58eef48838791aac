/* SPDX-License-Identifier: MIT */
/*
 * Events of other CPUs than this machine's: the last resolver of names, which
 * marks such an event absent instead of refusing a mistyped name; and the rows
 * "elsewhere" of `assay explain`.
 */
#include <stdio.h>
#include <string.h>

#include "base/row.h"
#include "base/text.h"
#include "events/explain/explain.h"
#include "events/table.h"

/* ---- a name that this machine does not have ---------------------------- */

/* The CPUs that have the event. */
struct search {
	const char *name;
	struct encoding *out;
	int cpus;
	char first[ASSAY_NAME];
};

static int count_cpu(void *ctx, const struct cpu *cpu)
{
	struct search *s = ctx;

	if (!cpu_event_find(cpu, s->name))
		return 0;
	if (!s->cpus++)
		text_copy(s->first, sizeof(s->first), cpu->name);
	return 0;
}

static int count_table(void *ctx, const struct vendor_event *event)
{
	struct search *s = ctx;

	s->cpus++;
	text_copy(s->first, sizeof(s->first), event->cpu);
	return 1;
}

static void set_absent(const struct search *s,
		       const struct events_target *target)
{
	const struct cpu *cpu = events_cpu(target);
	const bool denied = table_knowledge(target, NULL) == TABLE_COMPLETE;
	char others[24] = "", text[256];

	if (s->cpus > 1)
		snprintf(others, sizeof(others), " and %d more",
			 s->cpus - 1);
	snprintf(text, sizeof(text), "an event of %.40s%s, %s %.30s%s",
		 s->first, others, denied ? "not of this machine's" :
		 "not known of this machine's", cpu ? cpu->name : "CPU",
		 pmu_core(target->sysroot) ? "" :
		 ", which has no hardware counters either");
	text_copy(s->out->absent, sizeof(s->out->absent), text);
}

int other_cpus_resolve(struct encoding *out, const char *name,
		       const struct events_target *target,
		       struct assay_error *err)
{
	struct search search = { .name = name, .out = out };
	int rc;

	if (strchr(name, '/'))
		return NOT_MINE;
	rc = cpu_each(target->data_dir, count_cpu, &search, err);
	if (rc < 0)
		return rc;
	if (!search.cpus)
		vendor_find(name, count_table, &search);
	if (!search.cpus)
		return NOT_MINE;
	out->family = ENCODING_NAME;
	set_absent(&search, target);
	return FOUND;
}

/* ---- the same name or code on other CPUs ------------------------------- */

int explain_each_cpu(const struct subject *s, cpu_fn *fn, void *ctx,
		     struct assay_error *err)
{
	return s->target->files ?
	       cpu_files_each(s->target->files, fn, ctx, err) :
	       cpu_each(s->target->data_dir, fn, ctx, err);
}

struct elsewhere {
	const struct subject *subject;
	bool named;	/* some CPU file has the name */
};

static int elsewhere_row(const struct subject *s, const char *cpu,
			 const char *same,
			 const struct assay_field *event, const char *code,
			 const struct assay_field *counts)
{
	const struct assay_field field[] = {
		field_text("cpu", cpu), field_text("same", same), *event,
		field_text("code", code), *counts,
	};

	return row_emit(s->fn, s->ctx, "elsewhere", field, 5);
}

static int cpu_row(const struct subject *s, const struct cpu *cpu,
		   const char *same, const struct cpu_event *e)
{
	const struct assay_field event = field_text("event", e->name);
	struct assay_field counts = field_text("counts", *e->meaning ?
					       e->meaning : e->name);
	char code[24];

	snprintf(code, sizeof(code), "r%llx", (unsigned long long)e->code);
	if (!e->implemented)
		counts = (struct assay_field){ .name = "counts",
					       .kind = ASSAY_FIELD_ABSENT,
					       .text = e->absent };
	return elsewhere_row(s, cpu->name, same, &event, code, &counts);
}

static bool same_isa(const struct subject *s, const struct cpu *cpu)
{
	return (s->layout == CODE_PMUV3) ==
	       (cpu->geometry.isa == ISA_AARCH64);
}

static int cpu_rows(void *ctx, const struct cpu *cpu)
{
	struct elsewhere *e = ctx;
	const struct subject *s = e->subject;
	const struct cpu_event *named = NULL, *coded = NULL;
	int rc = 0;

	if (*s->event)
		named = cpu_event_find(cpu, s->event);
	e->named |= named != NULL;
	if (s->target->cpu && !strcmp(s->target->cpu->name, cpu->name))
		return 0;
	if (s->coded && same_isa(s, cpu))
		coded = cpu_event_coded(cpu, code_plain(s->layout,
							s->config));
	if (named)
		rc = cpu_row(s, cpu, named == coded ? "name and code" : "name",
			     named);
	if (coded && coded != named && !rc)
		rc = cpu_row(s, cpu, "code", coded);
	return rc;
}

static int table_row(void *ctx, const struct vendor_event *v)
{
	const struct subject *s = ctx;
	const struct assay_field event = field_text("event", v->name);
	const struct assay_field counts = field_text("counts", v->meaning);
	char code[24];

	snprintf(code, sizeof(code), "r%llx", (unsigned long long)v->config);
	return elsewhere_row(s, v->cpu, "name", &event, code, &counts);
}

/* The unit masks of an event of libpfm4's. */
static int mask_row(void *ctx, const struct event_name *name)
{
	const struct subject *s = ctx;
	const size_t bytes = strlen(s->event);

	return strncmp(name->name, s->event, bytes) ||
	       name->name[bytes] != ':' ? 0 :
	       vendor_find(name->name, table_row, (void *)s);
}

/* A CPU of the event tables at hand. */
static int listed_row(void *ctx, const struct table_event *t)
{
	const struct subject *s = ctx;
	const struct assay_field event = field_text("event", t->name);
	const struct assay_field counts = field_text("counts", t->text);
	char code[24];

	snprintf(code, sizeof(code), "r%llx", (unsigned long long)t->config);
	return elsewhere_row(s, t->cpu, "name", &event,
			     t->coded ? code : t->terms, &counts);
}

/* Where one CPU was asked for and has the event, tables of others say no more;
 * else each table that has the name counts. */
int explain_elsewhere(const struct subject *s, struct assay_error *err)
{
	const bool other = s->of_others;
	const bool tables = *s->event && (other || !s->target->named);
	struct elsewhere elsewhere = { s, false };
	int rc = 0;

	if (s->coded || other)
		rc = explain_each_cpu(s, cpu_rows, &elsewhere, err);
	if (!rc && tables)
		rc = table_each(s->target, s->event, listed_row, (void *)s,
				err);
	if (!rc && *s->event && (tables || !s->coded) && !elsewhere.named)
		rc = vendor_find(s->event, table_row, (void *)s);
	if (!rc && !s->coded && strstr(s->event, "::"))
		rc = vendor_table_names(s->event, mask_row, (void *)s);
	return rc;
}
