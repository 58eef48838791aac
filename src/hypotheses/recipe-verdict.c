/* SPDX-License-Identifier: MIT */
/*
 * Whether the events of each recipe can be counted at a place, and whether they
 * can be believed there: by the CPU file's errata and by the certificate.
 * Nothing is run.
 */
#include "hypotheses/recipe-run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay.h"
#include "base/record.h"
#include "base/row.h"
#include "base/text.h"
#include "cpus/data-file.h"

struct outlook {
	unsigned events, absent, doubted;
	char missing[300], doubt[300];	/* the first of each, and why */
	char no_counters[200];	/* why the place has no hardware counters; "":
				 * it has some, or counts otherwise */
};

static bool recorded(const struct run *run, const char *event)
{
	const struct store *saved = &run->target.saved;

	for (size_t i = 0; i < saved->records; i++)
		if (assay_record_find(saved->record[i], event) >= 0)
			return true;
	return !saved->records;
}

/* A row of assay_list(): keeps the reason why "cycles" cannot be counted. */
static int keep_why(void *ctx, const struct assay_row *row)
{
	struct outlook *o = ctx;
	bool cycles = false;

	for (size_t i = 0; i < row->fields; i++) {
		const struct assay_field *f = &row->field[i];

		if (!strcmp(f->name, "event"))
			cycles = f->text && !strcmp(f->text, "cycles");
		else if (cycles && f->kind == ASSAY_FIELD_ABSENT &&
			 !strcmp(f->name, "counts here"))
			snprintf(o->no_counters, sizeof(o->no_counters), "%s",
				 f->text ? f->text : "");
	}
	return 0;
}

/* Why the event is absent at this place; "": it is there. */
static const char *absent_why(const struct outlook *o, const struct run *run,
			      const struct encoding *event)
{
	const bool hardware = event->family == ENCODING_RAW ||
			      event->family == ENCODING_HARDWARE ||
			      event->family == ENCODING_CACHE;

	if (hardware && *o->no_counters)
		return o->no_counters;
	if (*event->absent)
		return event->absent;
	return recorded(run, event->name) ? "" : "not in the records";
}

/* Why numbers of the event cannot be believed, as far as is known; or "". */
static void doubt_text(char *out, size_t room, const struct run *run,
		       const struct assay_trust *trust, const char *event)
{
	const struct cpu *cpu = events_cpu(&run->target.events);
	const struct cpu_event *e = cpu ? cpu_event_find(cpu, event) : NULL;
	struct assay_trusted trusted;

	*out = '\0';
	assay_trust_of(trust, event, &trusted);
	if (trusted.mark == ASSAY_MARK_WRONG)
		snprintf(out, room, "%s: by the certificate: %.200s", event,
			 trusted.sentence);
	else if (e && *e->says_text)
		snprintf(out, room, "%s does not count what its text says: "
			 "erratum %.60s", event, e->errata && *e->errata ?
			 *e->errata : "");
	else if (e && e->errata && *e->errata)
		snprintf(out, room, "%s: erratum %.60s", event, *e->errata);
}

static void look_at_event(struct outlook *o, const struct run *run,
			  const struct assay_trust *trust,
			  const struct encoding *event)
{
	char doubt[sizeof(o->doubt)];
	const char *why = absent_why(o, run, event);
	const bool named = !strncmp(why, event->name, strlen(event->name));

	o->events++;
	if (*why) {
		if (!o->absent++)
			text_add(o->missing, sizeof(o->missing), "",
				 "%s%s%.200s", named ? "" : event->name,
				 named ? "" : ": ", why);
		return;
	}
	doubt_text(doubt, sizeof(doubt), run, trust, event->name);
	if (*doubt && !o->doubted++)
		text_copy(o->doubt, sizeof(o->doubt), doubt);
}

/* Returns 0, or an error: the run cannot be made at this place. */
static int look_at_run(struct outlook *o, struct run *run, struct assay *assay,
		       struct recipe_job *job, const struct assay_trust *trust,
		       struct assay_error *err)
{
	int rc = recipe_run_init(run, assay, job, err);

	if (rc < 0)
		return rc;
	rc = run->target.provider->probe(&run->target.config, err);
	for (unsigned i = 0; i < run->group.events && rc == 0; i++)
		look_at_event(o, run, trust, &run->group.event[i]);
	run_fini(run);
	return rc;
}

static int emit(const struct recipe *r, const char *on, const struct outlook *o,
		const char *impossible, assay_row_fn *fn, void *ctx)
{
	const bool none = *impossible || o->absent == o->events;
	const bool doubtful = o->absent || o->doubted;
	const struct assay_field field[] = {
		field_text("recipe", r->name), field_text("title", r->title),
		field_text("on", on),
		field_text("verdict", none ? "cannot be counted" :
			   doubtful ? "doubtful" : "sound"),
		field_text("why", *impossible ? impossible :
			   o->absent ? o->missing : o->doubt),
		field_detail("source", r->source),
		field_detail("note", r->note),
	};

	return row_emit(fn, ctx, "recipe", field,
			sizeof(field) / sizeof(*field));
}

static int look_at(struct assay *assay, const struct recipe *r, const char *on,
		   assay_row_fn *fn, void *ctx, struct assay_error *err)
{
	struct recipe_job job = { .recipe = r, .on = on };
	struct run *run = calloc(1, sizeof(*run));
	struct assay_error why = { .text = "" };
	struct outlook o = { 0 };
	struct assay_trust *trust;
	int rc = run ? assay_trust_open(&trust, assay, on, err) :
		 error_set(err, -ASSAY_ENOMEM, "out of memory");

	if (rc < 0) {
		free(run);
		return rc;
	}
	if (!strncmp(on, "perf", 4))
		rc = assay_list(assay, ASSAY_LIST_EVENTS, "cycles", on,
				keep_why, &o, &why);
	for (; job.index < r->runs && !rc; job.index++)
		rc = look_at_run(&o, run, assay, &job, trust, &why);
	why.text[strcspn(why.text, "\n")] = '\0';
	rc = emit(r, on, &o, rc ? why.text : "", fn, ctx);
	assay_trust_close(trust);
	free(run);
	return rc;
}

/* Mistakes in --on. A place that cannot count here is no mistake. */
static int check_place(const struct assay *assay, const char *on,
		       struct assay_error *err)
{
	struct target target;
	int rc = target_init(&target, assay, on, NULL, false, err);

	if (rc == 0)
		target_fini(&target);
	return rc == -ASSAY_EUNAVAIL || rc == -ASSAY_EPERM ? 0 : rc;
}

int recipe_verdicts(struct assay *assay, const char *on, assay_row_fn *fn,
		    void *ctx, struct assay_error *err)
{
	const char **all;
	int rc = on ? check_place(assay, on, err) : 0;

	if (rc == 0)
		rc = data_file_names(&all, "recipes", assay->data_dir, err);
	if (rc < 0)
		return rc;
	for (size_t i = 0; all[i] && rc == 0; i++) {
		struct recipe *r;

		rc = recipe_load(&r, all[i], assay->data_dir, err);
		if (rc < 0)
			break;
		rc = look_at(assay, r, on ? on : r->on, fn, ctx, err);
		recipe_free(r);
	}
	free(all);
	return rc;
}
