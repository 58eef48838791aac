/* SPDX-License-Identifier: MIT */
/*
 * assay_verify(): runs the plan on a provider, or reads saved records, and
 * emits the verdicts on quantities, identities and events; see verify.h.
 */
#define _GNU_SOURCE	/* FNM_CASEFOLD */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verify/certificate.h"
#include "verify/panel-intervals.h"
#include "verify/verify.h"
#include "base/loading/library.h"
#include "base/record.h"
#include "base/row.h"
#include "base/text.h"
#include "cpus/data-file.h"
#include "env/env.h"
#include "run/identities.h"

static int ignore_row(void *ctx, const struct assay_row *row)
{
	(void)ctx;
	(void)row;
	return 0;
}

/* perf without hardware counters: only the positive controls make sense. */
static bool only_controls(const struct assay *assay, const char *on)
{
	bool hardware = true;

	return strcmp(on, "perf") == 0 &&
	       env_doctor(assay->sysroot, &hardware, ignore_row, NULL,
			  NULL) == 0 && !hardware;
}

/* Verifying fails if nothing could be compared. */
static int check_compared(const struct verify *v, struct assay_error *err)
{
	if (v->compared && !v->controls)
		return 0;
	return error_set(err, -ASSAY_EUNAVAIL, "%s\n"
			 "try: assay doctor, or assay verify --on "
			 "sim:cortex-a72",
			 v->compared ? "there are no hardware counters here: "
			 "only page faults and breakpoints were verified" :
			 "nothing could be compared: none of the events can "
			 "be counted here");
}

static int emit_event(struct verify *v, const struct certificate_event *e)
{
	struct assay_value bias = e->bias, spread = e->spread;

	const struct assay_field field[] = {
		field_text("event", e->event),
		field_text("verdict", assay_class_name(e->class_)),
		field_text("explains", e->explains),
		field_count("shapes", e->shapes), field_count("good", e->good),
		field_share("bias", bias), field_share("spread", spread),
		field_text("proof", e->proof), field_text("fails", e->fails),
		field_text("code", e->code),
		field_text("witnesses", e->witnesses),
	};

	return ROW_EMIT(v->fn, v->ctx, "event", field);
}

static bool asked_for(const struct verify *v, const char *event)
{
	const char *list = v->ask->events;
	size_t n = strlen(event);

	for (; list && *list; list += *list == ',') {
		size_t word = strcspn(list, ",");

		if (word == n && strncasecmp(list, event, n) == 0)
			return true;
		list += word;
	}
	return !v->ask->events;
}

static int emit_events(struct verify *v, struct certificate *c)
{
	int rc = 0;

	for (size_t i = 0; i < v->panel.events && rc == 0; i++) {
		if (!asked_for(v, c->event[i].event))
			continue;
		c->event[c->events++] = c->event[i];
		v->disagrees += assay_class_fails(
				c->event[c->events - 1].class_);
		rc = emit_event(v, &c->event[c->events - 1]);
	}
	return rc;
}

/* Keeps one violated law as an event "law:NAME". */
struct keeping { struct verify *v; struct certificate *c; };

static int keep_law(void *ctx, const char *law, const char *microcode,
		    enum assay_class class_, const char *text)
{
	const struct keeping *k = ctx;
	struct certificate *c = k->c;
	struct certificate_event *grown, *e;

	if (!asked_for(k->v, law))
		return 0;
	grown = realloc(c->event, (c->events + 1) * sizeof(*grown));
	if (!grown)
		return -ASSAY_ENOMEM;
	c->event = grown;
	e = &grown[c->events++];
	*e = (struct certificate_event){ .class_ = class_, .shapes = 1,
		.bias.why = "not known", .spread.why = "not known" };
	text_copy(e->event, sizeof(e->event), law);
	snprintf(e->explains, sizeof(e->explains), "%s%s%s%s",
		 *microcode ? "Microcode " : "", microcode,
		 *microcode ? ": " : "", text);
	k->v->disagrees++;
	return emit_event(k->v, e);
}

static int emit_laws(struct verify *v, struct certificate *c)
{
	struct keeping k = { v, c };

	return v->panel.real_machine ? panel_laws(&v->panel, keep_law, &k) : 0;
}

static int save(struct verify *v, struct certificate *c,
		struct assay_error *err)
{
	char path[4096];
	int rc = certificate_machine(&c->machine, v->assay, v->on, err);

	if (rc == 0)
		rc = certificate_save(c, v->record, v->records, v->assay, path,
				      sizeof(path), err);
	if (rc < 0)
		return rc;
	const struct assay_field field[] = {
		field_text("file", path), field_count("events", c->events),
		field_count("records", v->records),
	};

	return row_emit(v->fn, v->ctx, "certificate", field, 3);
}

static int finish(struct verify *v, struct assay_error *err)
{
	struct certificate c = { .event = panel_judge(&v->panel, NULL) };
	int rc = c.event ? verify_emit_quantities(v, c.event) :
		 library_need(LIBRARY_LAPACKE, err) ? -ASSAY_EUNAVAIL :
		 -ASSAY_ENOMEM;

	if (rc == 0)
		rc = verify_identities(v, err);
	if (rc == 0)
		rc = emit_events(v, &c);
	if (rc == 0)
		rc = emit_laws(v, &c);
	if (rc == 0)
		rc = verify_witnesses(v);
	if (rc == -ASSAY_ENOMEM)
		error_set(err, rc, "out of memory");
	if (rc == 0 && v->ask->save && c.events)
		rc = save(v, &c, err);
	certificate_fini(&c);
	return rc;
}

static int unknown_event(const struct verify *v, const char *name,
			 struct assay_error *err)
{
	const char *names[PANEL_EVENTS + 1] = { NULL };

	for (size_t i = 0; i < v->panel.events; i++)
		names[i] = v->panel.event[i].name;
	error_set(err, -ASSAY_ENOENT, "no event '%s' can be verified here",
		  name);
	error_meant(err, name, names);
	error_add(err, "try: assay list events");
	return -ASSAY_ENOENT;
}

/* Names in -e must be events of the panel. */
static int check_asked(const struct verify *v, struct assay_error *err)
{
	const char *list = v->ask->events;
	char word[ASSAY_NAME];

	for (; list && *list; list += *list == ',') {
		size_t n = strcspn(list, ",");
		bool known = false;

		snprintf(word, sizeof(word), "%.*s", (int)n, list);
		for (size_t i = 0; i < v->panel.events && !known; i++)
			known = text_equal(v->panel.event[i].name, word);
		if (!known)
			return unknown_event(v, word, err);
		list += n;
	}
	return 0;
}

/* Sets v->prefetching; see struct verify. */
static void ask_for_prefetchers(struct verify *v)
{
	if (v->witness->geometry.prefetchers && !*v->witness->prefetchers &&
	    snprintf(v->prefetching, sizeof(v->prefetching),
		     "%s,prefetchers=on", v->on) >=
	    (int)sizeof(v->prefetching))
		*v->prefetching = '\0';
}

static int run_sim(struct verify *v, struct assay_error *err)
{
	struct target target;
	int rc = target_init(&target, v->assay, v->on, v->page_map, false,
			     err);

	if (rc < 0)
		return rc;
	v->witness = &target;
	ask_for_prefetchers(v);
	v->exact = true;
	panel_add_cpu(&v->panel, target.cpu, v->ask->all);
	for (size_t i = 0; i < v->panel.events; i++)
		v->panel.event[i].unasked = !asked_for(v,
						v->panel.event[i].name);
	rc = check_asked(v, err);
	if (rc == 0)
		rc = verify_counters(v, err);
	if (rc == 0)
		rc = verify_plan(v, err);
	if (rc == 0)
		rc = finish(v, err);
	v->witness = NULL;
	target_fini(&target);
	return rc;
}

/* Runs the plan on this machine, or on bare metal without a model. */
static int run_native(struct verify *v, struct assay_error *err)
{
	struct target model = { .provider = NULL };
	int rc = v->controls || strcmp(v->on, "perf") ? 0 :
		 verify_find_model(v, &model, err);

	if (rc == 0 && v->witness)
		panel_add_cpu(&v->panel, model.cpu, v->ask->all);
	if (rc == 0)
		rc = verify_plan(v, err);
	if (rc == 0)
		rc = check_asked(v, err);
	if (rc == 0)
		rc = finish(v, err);
	v->witness = NULL;
	if (model.provider)
		target_fini(&model);
	return rc;
}

static int run_saved(struct verify *v, struct assay_error *err)
{
	int rc = verify_saved(v, err);

	if (rc == 0)
		rc = check_asked(v, err);
	if (rc == 0)
		rc = finish(v, err);
	cpu_free(v->saved_cpu);
	return rc;
}

static int run_all(struct verify *v, struct assay_error *err)
{
	if (strncmp(v->on, "sim:", 4) == 0)
		return run_sim(v, err);
	if (strncmp(v->on, "replay:", 7) == 0)
		return run_saved(v, err);
	return run_native(v, err);
}

static void release(struct verify *v)
{
	for (size_t i = 0; i < v->records; i++)
		record_free(v->record[i]);
	free(v->record);
	identities_free(v->laws);
	panel_fini(&v->panel);
	free(v);
}

static int verify_place(struct assay *assay,
			const struct assay_verification *ask, const char *on,
			assay_row_fn *fn, void *ctx, unsigned *disagreements,
			struct assay_error *err)
{
	struct verify *v = calloc(1, sizeof(*v));
	bool replay = strncmp(on, "replay:", 7) == 0;
	int rc;

	if (!v || panel_init(&v->panel, err) < 0) {
		free(v);
		return error_memory(err);
	}
	v->assay = assay;
	v->ask = ask;
	v->fn = fn;
	v->ctx = ctx;
	v->on = on;
	v->page_map = ask->page_map;
	v->repeats = ask->effort == ASSAY_THOROUGH ? VERIFY_REPEATS : 2;
	v->panel.real_machine = v->interrupted = strncmp(on, "sim:", 4) != 0;
	v->controls = only_controls(assay, on);
	/* closed forms of cache quantities are exact on contiguous frames */
	if (strncmp(on, "sim:", 4) == 0 && !v->page_map &&
	    !strstr(on, "page-map="))
		v->page_map = "identity";
	rc = run_all(v, err);
	if (rc == 0 && replay && !v->results && !v->panel.rows)
		rc = error_set(err, -ASSAY_EINVAL, "'%.200s' holds nothing "
			       "that could be compared", on + 7);
	if (rc == 0 && !replay && !v->disagrees && !v->stopped)
		rc = check_compared(v, err);
	if (rc == 0)
		*disagreements += v->disagrees;
	release(v);
	return rc;
}

/*
 * "sim:PATTERN,OPTIONS": verifies each CPU file whose name matches; one row
 * "place" per file.
 */
static int verify_pattern(struct assay *assay,
			  const struct assay_verification *ask,
			  assay_row_fn *fn, void *ctx,
			  unsigned *disagreements, struct assay_error *err)
{
	const char *options = ask->on + strcspn(ask->on, ",");
	const char **all;
	char pattern[128], on[1200];
	unsigned seen = 0;
	int rc = data_file_names(&all, "cpus", assay->data_dir, err);

	if (rc < 0)
		return rc;
	snprintf(pattern, sizeof(pattern), "%.*s", (int)strcspn(ask->on + 4,
								","),
		 ask->on + 4);
	for (size_t i = 0; all[i] && rc == 0; i++) {
		const struct assay_field place = field_text("on", on);

		if (fnmatch(pattern, all[i], FNM_CASEFOLD) != 0)
			continue;
		seen++;
		snprintf(on, sizeof(on), "sim:%.100s%.1000s", all[i], options);
		rc = row_emit(fn, ctx, "place", &place, 1);
		rc = rc ? rc : verify_place(assay, ask, on, fn, ctx,
					    disagreements, err);
	}
	free(all);
	if (rc == 0 && !seen)
		rc = error_set(err, -ASSAY_ENOENT, "no CPU file is called "
			       "'%.60s'\ntry: assay list cpus", pattern);
	return rc;
}

int assay_verify(struct assay *assay, const struct assay_verification *ask,
		 assay_row_fn *fn, void *ctx, unsigned *disagreements,
		 struct assay_error *err)
{
	const char *on = ask->on ? ask->on : "perf";
	const size_t name = strcspn(on, ",");
	const char *star = strpbrk(on, "*?[");

	*disagreements = 0;
	if (strncmp(on, "sim:", 4) == 0 && star && star < on + name)
		return verify_pattern(assay, ask, fn, ctx, disagreements, err);
	return verify_place(assay, ask, on, fn, ctx, disagreements, err);
}
