/* SPDX-License-Identifier: MIT */
/* assay_verify_tables: published tables through the judge. */
#define _GNU_SOURCE	/* FNM_CASEFOLD */
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/judge/judge.h"
#include "assay.h"
#include "base/array.h"
#include "base/loading/library.h"
#include "base/row.h"
#include "base/text.h"
#include "tables/each.h"
#include "verify/certificate.h"

#define NAMED 8			/* machines in the summary */
#define NAME 120

struct work {
	const struct assay_tables *ask;
	const char *table;
	assay_row_fn *fn;
	void *ctx;
	unsigned fail, right, open;	/* events */
	char machine[NAMED][NAME];	/* machines with an event that fails */
	unsigned machines;
	struct certificate *saved;	/* with ask->save: one per machine
					 * and microcode */
	size_t saves;
};

static struct assay_field number(const char *name, double value)
{
	struct assay_field field = {
		.name = name, .kind = ASSAY_FIELD_REAL, .real = value,
		.decimals = value == floor(value) ? 0 : 4,
	};

	if (!isfinite(value))
		field = (struct assay_field){ .name = name,
					      .kind = ASSAY_FIELD_ABSENT };
	return field;
}

static void name_machine(char *out, size_t room, const char *machine,
			 const char *microcode)
{
	snprintf(out, room, "%s%s%s", machine, *microcode ? "@" : "",
		 microcode);
}

/* Copies a name; truncates between UTF-8 characters, never inside one. */
static void copy_name(char *out, size_t room, const char *name)
{
	size_t n = strnlen(name, room - 1);

	while (n && ((unsigned char)name[n] & 0xc0) == 0x80)
		n--;
	text_copy(out, n + 1, name);
}

static void remember(struct work *w, const char *machine)
{
	for (unsigned i = 0; i < w->machines && i < NAMED; i++)
		if (!strncmp(w->machine[i], machine, NAME - 1))
			return;
	if (w->machines < NAMED)
		copy_name(w->machine[w->machines], NAME, machine);
	w->machines++;
}

static void count(struct work *w, const struct judge_verdict *v,
		  const char *machine)
{
	const int trust = assay_class_trust(v->class_);

	if (v->program)
		return;
	if (trust > 0)
		w->right++;
	else if (trust < 0)
		w->open++;
	else
		w->fail++, remember(w, machine);
}

/* Whether ask->events, "a,b*,c", names the event. */
static bool is_asked(const struct work *w, const char *event)
{
	const char *item = w->ask->events;
	char pattern[300];

	while (item) {
		const size_t n = strcspn(item, ",");

		snprintf(pattern, sizeof(pattern), "%.*s", (int)n, item);
		if (n < sizeof(pattern) &&
		    (!strcasecmp(pattern, event) ||
		     !fnmatch(pattern, event, FNM_CASEFOLD)))
			return true;
		item = item[n] ? item + n + 1 : NULL;
	}
	return !w->ask->events;
}

/* ---- certificates -------------------------------------------------------- */

static struct certificate *certificate_of(struct work *w,
					  const struct judge_verdict *v)
{
	struct certificate want = { .events = 0 };

	text_copy(want.machine.provider, sizeof(want.machine.provider),
		  "table");
	copy_name(want.machine.cpu, sizeof(want.machine.cpu),
		  *v->machine ? v->machine : "unknown");
	copy_name(want.machine.microcode, sizeof(want.machine.microcode),
		  v->microcode);
	for (size_t i = 0; i < w->saves; i++)
		if (!strcmp(w->saved[i].machine.cpu, want.machine.cpu) &&
		    !strcmp(w->saved[i].machine.microcode,
			    want.machine.microcode))
			return &w->saved[i];
	if (!array_resize(&w->saved, w->saves + 1, sizeof(*w->saved)))
		return NULL;
	w->saved[w->saves] = want;
	return &w->saved[w->saves++];
}

static struct assay_value known(double value)
{
	return (struct assay_value){
		.number = value, .why = isfinite(value) ? NULL : "not known",
	};
}

static void fill_event(struct certificate_event *e,
		       const struct judge_verdict *v)
{
	const struct judge_shape *s = v->facts.worst;

	*e = (struct certificate_event){
		.class_ = v->class_, .shapes = v->facts.shapes,
		.good = v->facts.good,
		.bias = known(s ? fabs(s->mean / s->expected - 1) : NAN),
		.spread = known(s ? s->sd / s->mean : NAN),
	};
	copy_name(e->event, sizeof(e->event), v->event);
	copy_name(e->explains, sizeof(e->explains), v->text);
}

/* false: no memory, or too many events. */
static bool keep(struct work *w, const struct judge_verdict *v)
{
	struct certificate *c = certificate_of(w, v);

	if (!c || c->events == CERTIFICATE_EVENTS ||
	    !array_resize(&c->event, c->events + 1, sizeof(*c->event)))
		return false;
	fill_event(&c->event[c->events++], v);
	return true;
}

static int save_all(struct work *w, const struct assay *assay,
		    struct assay_error *err)
{
	char path[4096];
	int rc = 0;

	for (size_t i = 0; i < w->saves && !rc; i++) {
		struct certificate *c = &w->saved[i];
		const struct assay_field field[] = {
			field_text("file", path),
			field_count("events", c->events),
			field_count("records", 0),
		};

		rc = certificate_save(c, NULL, 0, assay, path, sizeof(path),
				      err);
		rc = rc ? rc : row_emit(w->fn, w->ctx, "certificate", field,
					3);
	}
	return rc;
}

static void drop_saved(struct work *w)
{
	for (size_t i = 0; i < w->saves; i++)
		certificate_fini(&w->saved[i]);
	free(w->saved);
}

/* ---- rows ---------------------------------------------------------------- */

static int take(void *ctx, const struct judge_verdict *v)
{
	struct work *w = ctx;
	char scope[9000], machine[9000];
	const struct assay_field field[] = {
		field_text("table", w->table), field_text("machine", machine),
		field_text("event", v->event), field_text("scope", scope),
		field_text("class", assay_class_name(v->class_)),
		number("factor", v->facts.factor),
		number("constant", v->facts.constant),
		field_text("sure", judge_sure_words[v->sure]),
		field_text("text", v->text), field_text("next", v->next),
	};

	if (!is_asked(w, v->event))
		return 0;
	judge_scope(scope, sizeof(scope), v);
	name_machine(machine, sizeof(machine), v->machine, v->microcode);
	count(w, v, machine);
	if (w->ask->save && !v->program && !keep(w, v))
		return -1;
	return ROW_EMIT(w->fn, w->ctx, "judged", field);
}

static struct assay_field integer(const char *name, uint32_t value)
{
	return field_count(name, value);
}

static int take_shape(void *ctx, const struct judge_shape *s)
{
	struct work *w = ctx;
	const struct judge_row *r = s->row[0];
	char machine[9000];
	const struct assay_field field[] = {
		field_text("table", w->table), field_text("machine", machine),
		field_text("event", r->event),
		field_text("program", r->program),
		field_text("shape", r->shape),
		field_text("quantity", r->quantity),
		field_text("label", judge_label_words[s->label]),
		integer("readings", s->readings),
		integer("left out", s->left_out),
		integer("below 0", s->wrapped), number("mean", s->mean),
		number("deviation", s->sd), number("half", s->half),
		number("expected", s->expected), number("low", s->low),
		number("high", s->high), number("margin", s->margin),
		number("per interrupt", judge_per(s, "interrupts")),
		number("per fault", judge_per(s, "page_faults")),
		number("scaled", s->scaled),
	};

	if (!is_asked(w, r->event))
		return 0;
	name_machine(machine, sizeof(machine), r->machine, r->microcode);
	return ROW_EMIT(w->fn, w->ctx, "evidence", field);
}

/* ---- the summary --------------------------------------------------------- */

static void name_machines(char *out, size_t room, const struct work *w)
{
	for (unsigned i = 0; i < w->machines && i < NAMED; i++) {
		text_add(out, room, i ? ", " : ", on ", "%s",
			 *w->machine[i] ? w->machine[i] :
			 "a machine without a name");
	}
	if (w->machines > NAMED)
		text_add(out, room, " ", "and others");
}

static int sum_up(struct work *w)
{
	const unsigned all = w->fail + w->right + w->open;
	char text[2000];
	const struct assay_field field[] = {
		field_count("events", all), field_count("right", w->right),
		field_count("fail", w->fail),
		field_count("inconclusive", w->open), field_text("text", text),
	};

	if (w->fail)
		snprintf(text, sizeof(text), "%u of %u event%s %s", w->fail,
			 all, all == 1 ? "" : "s", w->fail == 1 ? "fails" : "fail");
	else
		snprintf(text, sizeof(text), "No event of %u fails", all);
	name_machines(text, sizeof(text), w);
	text_add(text, sizeof(text), "; ", "%u %s right, %u inconclusive.",
		 w->right, w->right == 1 ? "is" : "are", w->open);
	return ROW_EMIT(w->fn, w->ctx, "summary", field);
}

/* ---- files --------------------------------------------------------------- */

static int one(struct work *w, size_t index, struct assay_error *err)
{
	const struct assay_tables *ask = w->ask;
	struct table *table;
	int rc = tables_read(ask, index, &table, err);

	if (rc)
		return rc;
	w->table = table->name;
	rc = judge_run(&table->input, take, ask->evidence ? take_shape : NULL,
		       w);
	if (rc == -ASSAY_EUNAVAIL)
		library_need(LIBRARY_LAPACKE, err);
	else if (rc)
		error_set(err, rc, rc == -ASSAY_ENOMEM ? "out of memory" :
			  ask->save ? "there is no room for certificates of "
			  "so many events" : "stopped");
	table_free(table);
	return rc;
}

int assay_verify_tables(struct assay *assay, const struct assay_tables *ask,
			assay_row_fn *fn, void *ctx, unsigned *disagreements,
			struct assay_error *err)
{
	struct work w = { .ask = ask, .fn = fn, .ctx = ctx };
	int rc = tables_check(ask, err);

	for (size_t i = 0; i < ask->paths && !rc; i++)
		rc = one(&w, i, err);
	if (!rc && ask->events && !w.fail && !w.right && !w.open)
		rc = error_set(err, -ASSAY_ENOENT, "no table has an event "
			       "'%.200s'", ask->events);
	rc = rc ? rc : sum_up(&w);
	rc = rc ? rc : save_all(&w, assay, err);
	drop_saved(&w);
	if (!rc)
		*disagreements = w.fail;
	return rc;
}
