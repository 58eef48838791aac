/* SPDX-License-Identifier: MIT */
/*
 * `assay explain`: the rows that say what an event is and what it counts. The
 * facts are those of the CPU file; code.c adds the rows of the code.
 */
#include "events/explain/explain.h"

#include <stdio.h>
#include <string.h>

#include "base/row.h"
#include "base/text.h"
#include "events/table.h"

#define ROW(s, type, field) ROW_EMIT((s)->fn, (s)->ctx, type, field)

static struct assay_field absent(const char *name, const char *why)
{
	return (struct assay_field){ .name = name, .text = why,
				     .kind = ASSAY_FIELD_ABSENT };
}

static int event_row(const struct subject *s)
{
	const struct cpu *cpu = s->target->cpu;
	char code[240] = "";
	const struct assay_field field[] = {
		field_text("asked", s->asked),
		field_text("is", s->kind),
		cpu || s->target->asked ?
			field_text("cpu", explain_cpu_name(s)) :
			absent("cpu", "none is named; try --cpu"),
		*s->event ? field_text("event", s->event) :
			    absent("event", "the code is no event of this "
				   "CPU's file"),
		field_text("code", code),	/* last: not all have one */
	};

	if (s->coded)
		snprintf(code, sizeof(code), "r%llx",
			 (unsigned long long)s->config);
	else
		text_copy(code, sizeof(code), s->terms);
	return row_emit(s->fn, s->ctx, "event", field, *code ? 5 : 4);
}

/* ---- what it counts ---------------------------------------------------- */

/* why: the reason if there is no answer (NULL); else a remark, or NULL.
 * confidence may be 0, source NULL. */
static int fact_row(const struct subject *s, const char *property,
		    const char *answer, const char *why, char confidence,
		    const char *source)
{
	char known[420] = "";
	const struct assay_field field[] = {
		field_text("property", property),
		answer ? field_text("answer", answer) :
			 absent("answer", why),
		field_text("known from", known),
	};

	snprintf(known, sizeof(known), "%.1s%s%s%s%s",
		 confidence ? &confidence : "", confidence ? " " : "",
		 source ? source : "", answer && why && *why ? "; " : "",
		 answer && why ? why : "");
	return ROW(s, "counts", field);
}

static int trait_rows(const struct subject *s, const struct cpu_event *e)
{
	static const char *const titles[CPU_TRAITS] = {
		[CPU_SPECULATIVE] = "on mispredicted paths too",
		[CPU_PREFETCHES] = "hardware prefetches",
		[CPU_WALKS] = "page-table reads",
		[CPU_WRITEBACKS] = "write-backs",
		[CPU_PER] = "counted per",
	};
	struct cpu_trait trait;
	int rc = 0;

	for (int k = 0; k < CPU_TRAITS && !rc; k++) {
		cpu_event_trait(&trait, e, (enum cpu_trait_kind)k);
		rc = fact_row(s, titles[k], trait.value,
			      trait.value ? trait.note : NULL, trait.confidence,
			      trait.source);
	}
	return rc;
}

static const char *erratum_text(const struct cpu *cpu, const char *id)
{
	const size_t length = strlen(id);

	for (const char *const *e = cpu->erratum; e && *e; e++)
		if (!strncmp(*e, id, length) && (*e)[length] == ':')
			return *e + length + 2;
	return "";
}

static int erratum_rows(const struct subject *s, const struct cpu_event *e)
{
	int rc = 0;

	for (const char *const *id = e->errata; id && *id && !rc; id++) {
		const struct assay_field field[] = {
			field_text("erratum", *id),
			field_text("text", erratum_text(s->target->cpu, *id)),
		};

		rc = ROW(s, "erratum", field);
	}
	return rc;
}

/* What the vendor's text says, if it differs from what the event counts; the
 * first erratum explains the difference. */
static int vendor_row(const struct subject *s, const struct cpu_event *e)
{
	char note[96];

	if (!*e->says_text)
		return 0;
	snprintf(note, sizeof(note), "not what is counted: see erratum %.48s",
		 e->errata && *e->errata ? *e->errata : "");
	return fact_row(s, "the vendor says", e->says_text, note,
			e->says_confidence, e->says_source);
}

/* The text of the CPU file; else of a table; else the name. */
static int meaning_row(const struct subject *s, const struct cpu_event *e)
{
	struct table_event t;

	if (!*e->meaning &&
	    table_find(&t, s->target, s->layout, e->name, 0, NULL) == FOUND &&
	    t.coded && t.config == e->code && *t.text)
		return fact_row(s, "what it counts", t.text, NULL, 'D',
				t.source);
	return fact_row(s, "what it counts",
			*e->meaning ? e->meaning : e->name, NULL,
			e->confidence, e->source);
}

/* The rows of an event that the CPU file has. */
static int known_rows(const struct subject *s, const struct cpu_event *e)
{
	int rc;

	if (!e->implemented)
		return fact_row(s, "what it counts", NULL, e->absent,
				e->confidence,
				e->source);
	rc = meaning_row(s, e);
	if (!rc)
		rc = fact_row(s, "adds up", e->present ? e->counts_text : NULL,
			      e->present ? NULL : e->absent, e->confidence,
			      e->source);
	if (!rc)
		rc = vendor_row(s, e);
	if (!rc)
		rc = trait_rows(s, e);
	return rc ? rc : erratum_rows(s, e);
}

/* A code whose unit mask combines units: the facts that hold for all events of
 * its event select. */
static int combined_rows(const struct subject *s)
{
	const struct cpu *cpu = s->target->cpu;
	const uint64_t select = code_event(s->layout, s->config);
	char stem[ASSAY_NAME], text[EXPLAIN_TEXT];

	explain_stem(stem, s);
	if (!*stem) {
		snprintf(text, sizeof(text), "the file of %s knows no event "
			 "with select 0x%02llx", cpu->name,
			 (unsigned long long)select);
		return fact_row(s, "what it counts", NULL, text, 0,
				NULL);
	}
	if (!explain_units(text, sizeof(text), s))
		snprintf(text, sizeof(text), explain_counts_nothing(s) ?
			 "nothing: %s without any of its units" :
			 s->config & 0xff00 ? "%s with a unit mask that the "
			 "file does not describe" : "%s without a unit mask, "
			 "which no event of the file has", stem);
	for (size_t i = 0; i < cpu->events; i++) {
		const struct cpu_event *e = &cpu->event[i];
		int rc;

		if (code_event(s->layout, e->code) != select)
			continue;
		rc = fact_row(s, "what it counts", text, NULL, 0, NULL);
		if (!rc)
			rc = fact_row(s, "counted per", e->trait[CPU_PER].value,
				      NULL, e->trait[CPU_PER].confidence,
				      e->trait[CPU_PER].source);
		return rc ? rc : erratum_rows(s, e);
	}
	return 0;
}

static int counts_rows(const struct subject *s)
{
	int rc = 0;

	if (s->event_here)
		rc = known_rows(s, s->event_here);
	else if (*s->of_other && !*s->event)
		rc = fact_row(s, "what it counts", NULL, s->of_other, 0, NULL);
	else if (s->coded && s->target->cpu && !*s->meaning)
		rc = combined_rows(s);
	if (!rc && *s->meaning)
		rc = fact_row(s, "what it counts", s->meaning, NULL,
			      *s->source ? 'D' : 0,
			      *s->source ? s->source : NULL);
	if (!rc && *s->absent)
		rc = fact_row(s, "here", NULL, s->absent, 0, NULL);
	return rc;
}

static int scope_remarks(const struct subject *s)
{
	char where[64] = "";
	int rc = s->precise ? explain_precise(s) : 0;

	for (const char *m = s->unsupported; *m && !rc; m++)
		rc = explain_remark(s, "perf's modifier %c is not supported "
				    "here: it %s.", *m, item_modifier(*m));
	if (rc || !s->scope)
		return rc;
	if (s->scope & ENCODING_USER)
		text_add(where, sizeof(where), " and ", "user code");
	if (s->scope & ENCODING_KERNEL)
		text_add(where, sizeof(where), " and ", "the kernel");
	if (s->scope & ENCODING_HYPERVISOR)
		text_add(where, sizeof(where), " and ", "the hypervisor");
	return explain_remark(s, "The modifiers count in %s.", where);
}

static int warning_row(const struct subject *s, const char *text)
{
	const struct assay_field field[] = { field_text("warning", text) };

	return ROW(s, "warning", field);
}

int events_explain(const struct events_target *target,
		   enum code_layout layout, const char *text,
		   assay_row_fn *fn, void *ctx, struct assay_error *err)
{
	struct events_target own = *target;
	struct subject s = { .target = &own, .layout = layout, .fn = fn,
			     .ctx = ctx };
	int rc = explain_core(&own, text, err);

	if (!rc)
		rc = explain_resolve(&s, text, err);
	if (rc < 0)
		return rc;
	rc = event_row(&s);
	if (!rc)
		rc = counts_rows(&s);
	if (!rc && s.coded)
		rc = explain_code(&s);
	if (!rc)
		rc = explain_table_remarks(&s);
	if (!rc)
		rc = explain_all(&s);
	if (!rc)
		rc = scope_remarks(&s);
	if (!rc)
		rc = explain_elsewhere(&s, err);
	if (!rc && *events_left_out(&own))
		rc = warning_row(&s, events_left_out(&own));
	if (rc > 0)
		return error_set(err, -ASSAY_ESTOP, "stopped by the caller");
	return rc || !s.of_others || !own.named ? rc :
	       error_set(err, -ASSAY_ENOENT, "%s: %s", s.name, s.absent);
}
