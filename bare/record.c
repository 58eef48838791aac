/* SPDX-License-Identifier: MIT */
/* Writing records. */
#include "record.h"

#include "line.h"

static const char *const kinds[] = {
	[ASSAY_OPTION_COUNT] = "count", [ASSAY_OPTION_BYTES] = "bytes",
	[ASSAY_OPTION_CHOICE] = "choice", [ASSAY_OPTION_FLAG] = "flag",
	[ASSAY_OPTION_REAL] = "real",
};

static void machine(const struct assay_machine *m)
{
	line_open("machine", '{');
	line_text("host", m->host);
	line_text("cpu", m->cpu);
	line_text("isa", m->isa);
	line_text("kernel", m->kernel);
	line_text("hypervisor", m->hypervisor);
	line_close('}');
}

static void shape(const struct assay_shape *s)
{
	line_open("shape", '{');
	line_text("kernel", s->kernel);
	line_open("options", '[');
	for (unsigned i = 0; i < s->options; i++) {
		const struct assay_shape_value *o = &s->option[i];

		line_open(NULL, '{');
		line_text("name", o->name);
		line_text("kind", kinds[o->kind]);
		line_integer("value", o->value);
		if (o->kind == ASSAY_OPTION_CHOICE)
			line_text("word", o->word);
		line_close('}');
	}
	line_close(']');
	line_close('}');
}

static void settings(const struct assay_settings *s)
{
	line_open("settings", '{');
	line_integer("cpu", s->cpu);
	line_complete("warmup", s->warmup);
	line_text("page_map", s->page_map);
	line_text("pages", s->pages);
	line_text("options", s->options);
	line_close('}');
}

static void count(const struct assay_count *c)
{
	line_open(NULL, '{');
	if (c->state == ASSAY_COUNT_ABSENT)
		line_text("absent", c->why ? c->why : "not read");
	else
		line_complete("value", c->value);
	line_close('}');
}

static void event(const struct assay_record *r, unsigned e)
{
	line_open(NULL, '{');
	line_text("name", r->event[e].name);
	line_text("code", r->event[e].code);
	if (r->event[e].why[0])
		line_text("why", r->event[e].why);
	line_open("counts", '[');
	for (unsigned n = 0; n < r->repeats; n++)
		count(&r->counts[n * r->events + e]);
	line_close(']');
	line_close('}');
}

void record_line(const struct assay_record *r)
{
	line_begin("record");
	line_complete("schema", ASSAY_SCHEMA);
	line_text("provider", r->provider);
	machine(&r->machine);
	shape(&r->shape);
	settings(&r->settings);
	line_open("ns", '[');
	for (unsigned n = 0; n < r->repeats; n++)
		line_element(r->ns[n]);
	line_close(']');
	line_open("events", '[');
	for (unsigned e = 0; e < r->events; e++)
		event(r, e);
	line_close(']');
	line_open("truth", '{');
	line_text("absent", "not known to a PMU");
	line_close('}');
	line_complete("fast_forwarded", r->fast_forwarded);
	line_end();
}
