/* SPDX-License-Identifier: MIT */
/*
 * Writing a record as one line of JSON: store_write(). docs/record.md has the
 * schema.
 *
 * 1. Whole numbers are exact: beyond 2^53, where readers that use doubles
 *    would round, they are written as strings of digits.
 * 2. No number is written for what is absent, and never NaN or infinity.
 * 3. The output does not depend on the locale and is always valid UTF-8.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"
#include "store/record-line.h"
#include "store/store.h"

struct emit {
	FILE *out;
	bool comma;	/* before the next member or element */
};

static void separate(struct emit *e)
{
	if (e->comma)
		putc(',', e->out);
	e->comma = true;
}

static void begin(struct emit *e, char bracket)
{
	putc(bracket, e->out);
	e->comma = false;
}

static void end(struct emit *e, char bracket)
{
	putc(bracket, e->out);
	e->comma = true;
}

static void string(struct emit *e, const char *text)
{
	const unsigned char *s = (const unsigned char *)text;

	putc('"', e->out);
	while (*s) {
		const unsigned plain = utf8_plain(s);
		const unsigned n = plain ? plain : utf8_bytes(s);
		const unsigned acts = plain ? 0 : utf8_acts(s, n);

		if (!n)
			fputs("\\ufffd", e->out);
		else if (*s == '"' || *s == '\\')
			fprintf(e->out, "\\%c", *s);
		else if (acts)
			fprintf(e->out, "\\u%04x", acts);
		else
			fwrite(s, 1, n, e->out);
		s += n ? n : 1;
	}
	putc('"', e->out);
}

static void key(struct emit *e, const char *name)
{
	separate(e);
	string(e, name);
	putc(':', e->out);
}

/* A member that is an object or an array, to be closed by end(). */
static void open(struct emit *e, const char *name, char bracket)
{
	key(e, name);
	begin(e, bracket);
}

static void text(struct emit *e, const char *name, const char *value)
{
	key(e, name);
	string(e, value);
}

/* A whole number. */
static void put_number(struct emit *e, uint64_t value)
{
	fprintf(e->out, value > SCHEMA_EXACT ? "\"%" PRIu64 "\"" : "%" PRIu64,
		value);
}

static void number(struct emit *e, const char *name, uint64_t value)
{
	key(e, name);
	put_number(e, value);
}

static void integer(struct emit *e, int64_t value)
{
	if (value >= 0)
		put_number(e, (uint64_t)value);
	else
		fprintf(e->out, value < -(int64_t)SCHEMA_EXACT ?
				"\"%" PRId64 "\"" : "%" PRId64, value);
}

/* The shortest digits that read back as the same double. */
static void real(struct emit *e, double value)
{
	char digits[40];

	snprintf(digits, sizeof(digits), "%.15g", value);
	if (strtod(digits, NULL) != value)
		snprintf(digits, sizeof(digits), "%.17g", value);
	for (char *c = digits; *c; c++)
		if (!strchr("0123456789+-e", *c))
			*c = '.';
	fputs(digits, e->out);
}

static void absent(struct emit *e, const char *why)
{
	begin(e, '{');
	text(e, "absent", why ? why : schema_no_reason);
	end(e, '}');
}

/* The standard error of an estimate; null: not known. */
static void error(struct emit *e, double value)
{
	key(e, "error");
	if (value > 0 && isfinite(value))
		real(e, value);
	else
		fputs("null", e->out);
}

static void value(struct emit *e, const struct assay_value *v)
{
	if (v->why || !isfinite(v->number)) {
		absent(e, v->why ? v->why : "not a finite number");
		return;
	}
	if (!v->estimate && v->error == 0) {
		real(e, v->number);
		return;
	}
	begin(e, '{');
	key(e, v->estimate ? "estimate" : "value");
	real(e, v->number);
	if (v->error != 0)
		error(e, v->error);
	end(e, '}');
}

static void machine(struct emit *e, const struct assay_machine *m)
{
	open(e, "machine", '{');
	text(e, "host", m->host);
	text(e, "cpu", m->cpu);
	text(e, "isa", m->isa);
	text(e, "kernel", m->kernel);
	text(e, "hypervisor", m->hypervisor);
	if (*m->microcode)
		text(e, "microcode", m->microcode);
	end(e, '}');
}

static void place(struct emit *e, const struct assay_place *p)
{
	if (!*p->node)
		return;
	text(e, "node", p->node);
	if (p->rank >= 0)
		number(e, "rank", (uint64_t)p->rank);
	if (*p->job)
		text(e, "job", p->job);
}

static void shape(struct emit *e, const struct assay_shape *s)
{
	open(e, "shape", '{');
	text(e, "kernel", s->kernel);
	open(e, "options", '[');
	for (unsigned i = 0; i < s->options; i++) {
		const struct assay_shape_value *o = &s->option[i];

		separate(e);
		begin(e, '{');
		text(e, "name", o->name);
		text(e, "kind", schema_kinds[o->kind]);
		key(e, "value");
		integer(e, o->value);
		if (o->kind == ASSAY_OPTION_CHOICE)
			text(e, "word", o->word);
		end(e, '}');
	}
	end(e, ']');
	end(e, '}');
}

static void settings(struct emit *e, const struct assay_settings *s)
{
	open(e, "settings", '{');
	key(e, "cpu");
	integer(e, s->cpu);
	number(e, "warmup", s->warmup);
	text(e, "page_map", s->page_map);
	text(e, "pages", s->pages);
	text(e, "options", s->options);
	end(e, '}');
}

static void noise(struct emit *e, const struct assay_noise *n)
{
	open(e, "noise", '{');
	for (int k = 0; k < ASSAY_NOISE_KINDS; k++) {
		if (!(n->part[k].share >= 0) || !isfinite(n->part[k].share))
			continue;
		key(e, assay_noise_name((enum assay_noise_kind)k));
		begin(e, '{');
		key(e, "share");
		real(e, n->part[k].share);
		if (n->part[k].limit > 0) {
			key(e, "limit");
			real(e, n->part[k].limit);
		}
		end(e, '}');
	}
	number(e, "preempted", n->preempted);
	number(e, "moved", n->moved);
	number(e, "repeated", n->repeated);
	key(e, "disturbed");
	fputs(n->disturbed ? "true" : "false", e->out);
	end(e, '}');
}

static void count(struct emit *e, const struct assay_count *c)
{
	separate(e);
	begin(e, '{');
	if (c->state == ASSAY_COUNT_ABSENT)
		text(e, "absent", c->why ? c->why : schema_no_reason);
	if (c->state != ASSAY_COUNT_ABSENT || c->value) {
		number(e, "value", c->value);
	}
	if (c->enabled || c->running) {
		number(e, "enabled", c->enabled);
		number(e, "running", c->running);
	}
	if (c->state == ASSAY_COUNT_SCALED)
		text(e, "state", "scaled");
	if (c->error != 0)
		error(e, c->error);
	end(e, '}');
}

static void terms(struct emit *e, const struct assay_record_event *event)
{
	open(e, "terms", '[');
	for (unsigned i = 0; i < event->terms; i++) {
		separate(e);
		begin(e, '{');
		text(e, "name", event->term[i].name);
		key(e, "value");
		real(e, event->term[i].value);
		end(e, '}');
	}
	end(e, ']');
}

static void event(struct emit *e, const struct assay_record *r, unsigned i)
{
	separate(e);
	begin(e, '{');
	text(e, "name", r->event[i].name);
	text(e, "code", r->event[i].code);
	if (r->event[i].why[0])
		text(e, "why", r->event[i].why);
	if (r->event[i].terms)
		terms(e, &r->event[i]);
	open(e, "counts", '[');
	for (size_t k = 0; k < r->repeats; k++)
		count(e, &r->counts[k * r->events + i]);
	end(e, ']');
	end(e, '}');
}

static void frames(struct emit *e, const struct assay_record *r)
{
	open(e, "frames", '[');
	for (size_t i = 0; i < r->frames; i++) {
		separate(e);
		put_number(e, r->frame[i]);
	}
	end(e, ']');
}

static void events(struct emit *e, const struct assay_record *r)
{
	open(e, "ns", '[');
	for (unsigned k = 0; k < r->repeats; k++) {
		separate(e);
		put_number(e, r->ns[k]);
	}
	end(e, ']');
	open(e, "events", '[');
	for (unsigned i = 0; i < r->events; i++)
		event(e, r, i);
	end(e, ']');
}

/* The first absent quantity's reason, which the others mostly share. */
static const char *common_reason(const struct assay_quantities *q)
{
	for (int i = 0; i < ASSAY_QUANTITIES; i++)
		if (q->of[i].why)
			return q->of[i].why;
	return NULL;
}

static void truth(struct emit *e, const struct assay_quantities *q)
{
	const char *common = common_reason(q);

	open(e, "truth", '{');
	if (common)
		text(e, "absent", common);
	for (int i = 0; i < ASSAY_QUANTITIES; i++) {
		const struct assay_value *v = &q->of[i];

		if (v->why && strcmp(v->why, common) == 0)
			continue;
		key(e, assay_quantity_name(i));
		value(e, v);
	}
	end(e, '}');
}

int store_write(FILE *out, const struct assay_record *record,
		struct assay_error *err)
{
	struct emit e = { .out = out };

	begin(&e, '{');
	text(&e, "t", "record");
	number(&e, "schema", ASSAY_SCHEMA);
	text(&e, "provider", record->provider);
	machine(&e, &record->machine);
	place(&e, &record->place);
	shape(&e, &record->shape);
	settings(&e, &record->settings);
	if (record->noise.seen)
		noise(&e, &record->noise);
	events(&e, record);
	truth(&e, &record->truth);
	if (record->frames)
		frames(&e, record);
	number(&e, "fast_forwarded", record->fast_forwarded);
	if (record->random_replacement) {
		key(&e, "random_replacement");
		fputs("true", out);
	}
	if (record->threads_on_one_core)
		number(&e, "threads_on_one_core", record->threads_on_one_core);
	end(&e, '}');
	putc('\n', out);
	if (!ferror(out))
		return 0;
	error_set(err, -ASSAY_EIO, "cannot write the record: %s",
		  strerror(errno));
	if (err)
		err->sys_errno = errno;
	return -ASSAY_EIO;
}
