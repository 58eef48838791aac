/* SPDX-License-Identifier: MIT */
/*
 * Counts of a program that is none of the kernels: laws between its events,
 * what the user states of the program, and what no event can show.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "run/identities.h"
#include "verify/program/stated.h"
#include "verify/verify.h"

/* No event happens more often in a nanosecond, summed over all CPUs. */
#define PER_NS 4096.0

/* "place=CPU0 region=sum" */
static void shape_words(char *out, size_t room, const struct assay_shape *s)
{
	size_t used = 0;

	*out = '\0';
	for (unsigned i = 0; i < s->options && used < room; i++) {
		const struct assay_shape_value *o = &s->option[i];
		char number[32];

		snprintf(number, sizeof(number), "%lld", (long long)o->value);
		used += (size_t)snprintf(out + used, room - used, "%s%s=%s",
			used ? " " : "", o->name,
			o->kind == ASSAY_OPTION_CHOICE ? o->word : number);
	}
}

/* Violated identities only. */
static int emit_violated(void *ctx, const struct assay_row *row)
{
	struct verify *v = ctx;

	for (size_t i = 0; i < row->fields; i++)
		if (strcmp(row->field[i].name, "verdict") == 0 &&
		    strcmp(row->field[i].text, "violated") == 0)
			return v->fn(v->ctx, row);
	return 0;
}

static int check_laws(struct verify *v, const struct assay_record *record)
{
	const char *cpu = record->machine.cpu;
	int rc = 0;

	if (v->laws && strcmp(cpu, v->laws_cpu)) {
		identities_free(v->laws);
		v->laws = NULL;
	}
	if (!v->laws)
		rc = cpu_identities_load(&v->laws, v->assay, cpu, NULL);
	text_copy(v->laws_cpu, sizeof(v->laws_cpu), cpu);
	if (rc == 0)
		rc = cpu_identities_check(v->laws, record, emit_violated, v,
					  &v->disagrees, NULL);
	return rc == -ASSAY_ESTOP || rc == -ASSAY_ENOMEM ? rc : 0;
}

/* Has the event a count above 0? */
static bool counts(const struct assay_record *r, unsigned event)
{
	for (unsigned i = 0; i < r->repeats; i++) {
		const struct assay_count *c =
			&r->counts[(size_t)i * r->events + event];

		if (c->state != ASSAY_COUNT_ABSENT && c->value)
			return true;
	}
	return false;
}

/* Another event of the record that counts, or -1. */
static int companion(const struct assay_record *r)
{
	for (unsigned e = 0; e < r->events; e++)
		if (counts(r, e))
			return (int)e;
	return -1;
}

/* More than can happen in the time that the event was counted. */
static const struct assay_count *impossible(const struct assay_record *r,
					    unsigned event)
{
	for (unsigned i = 0; i < r->repeats; i++) {
		const struct assay_count *c =
			&r->counts[(size_t)i * r->events + event];

		if (c->state != ASSAY_COUNT_ABSENT && c->running > 1 &&
		    (double)c->value > PER_NS * (double)c->running)
			return c;
	}
	return NULL;
}

/* Says what the counts alone show of the event. */
static void look_at(struct panel_event *e, const struct assay_record *r,
		    unsigned event, const char *no_truth)
{
	const struct assay_count *c = impossible(r, event);
	const int other = companion(r);

	e->alive |= counts(r, event);
	if (c)
		snprintf(e->impossible, sizeof(e->impossible), "%llu in %llu "
			 "ns: no CPU does so much, whatever ran",
			 (unsigned long long)c->value,
			 (unsigned long long)c->running);
	if (!e->alive && other >= 0)
		snprintf(e->open, sizeof(e->open), "always 0 while %.60s "
			 "counts: dead, or nothing of its kind happened",
			 r->event[other].name);
	else
		text_copy(e->open, sizeof(e->open), no_truth);
}

static int add_row(struct panel *p)
{
	const int row = panel_add_row(p, NULL, NULL);

	for (int t = 0; row >= 0 && t < FIT_TERMS; t++)
		p->row[row].term[t] = NAN;
	return row;
}

/* The row of a repetition. Where nothing is stated, one row for all programs
 * shows which events were counted. */
static int find_row(struct verify *v)
{
	int row = (int)v->program_row - 1;

	if (v->stated || row < 0)
		row = add_row(&v->panel);
	if (row >= 0)
		v->program_row = (size_t)row + 1;
	return row;
}

static int add_counts(struct verify *v, const struct assay_record *record,
		      unsigned repeat)
{
	const int row = find_row(v);

	if (row < 0)
		return row;
	panel_count(&v->panel, (size_t)row, record, repeat);
	stated_claim(v->stated, &v->panel, (size_t)row, record);
	return 0;
}

/* Further records of one shape are repetitions. */
static bool is_last(const struct panel *p, const char *kernel,
		    const char *text)
{
	const struct panel_shape *last;

	if (!p->shapes)
		return false;
	last = &p->shape[p->shapes - 1];
	return !strcmp(last->text, text) && !strcmp(last->kernel, kernel);
}

int verify_program(struct verify *v, const struct assay_record *record)
{
	struct panel *p = &v->panel;
	char text[160];
	int rc = check_laws(v, record);

	shape_words(text, sizeof(text), &record->shape);
	if (!rc && (v->stated || !v->program_row) &&
	    !is_last(p, record->shape.kernel, text))
		rc = panel_add_shape(p, record->shape.kernel, text);
	for (unsigned e = 0; e < record->events && !rc; e++) {
		const struct assay_record_event *one = &record->event[e];
		const int at = panel_add_event(p, one->name, one->code);

		if (at >= 0)
			look_at(&p->event[at], record, e,
				stated_silence(v->stated, record));
	}
	for (unsigned i = 0; i < record->repeats && !rc; i++)
		rc = add_counts(v, record, i);
	return rc;
}
