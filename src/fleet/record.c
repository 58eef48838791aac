/* SPDX-License-Identifier: MIT */
/* What one record says of its node. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "fleet/read.h"

/* A record being added. */
struct adding {
	struct fleet *fleet;
	int node;
	const struct assay_record *record;
	char point[400];	/* the shape's options */
	int rc;
};

static void number(struct adding *a, const char *series, const char *point,
		   double value)
{
	const struct assay_record *r = a->record;
	const bool exact = !strcmp(r->provider, "sim") &&
			   !r->random_replacement;
	const int item = a->rc ? a->rc :
			 fleet_item(a->fleet, exact ? FLEET_EXACT :
				    FLEET_NUMBER, series, point);

	a->rc = item < 0 ? item : fleet_number(a->fleet, a->node, item, value);
}

static void text(struct adding *a, const char *series, const char *point,
		 const char *value)
{
	const int item = a->rc || !*value ? a->rc :
			 fleet_item(a->fleet, FLEET_TEXT, series, point);

	if (*value || a->rc)
		a->rc = item < 0 ? item : fleet_text(a->fleet, a->node, item,
						     value);
}

static void name_point(char *out, size_t room, const struct assay_shape *s)
{
	*out = '\0';
	for (unsigned i = 0; i < s->options; i++) {
		const struct assay_shape_value *o = &s->option[i];
		char value[32];

		if (o->kind == ASSAY_OPTION_CHOICE && *o->word)
			text_copy(value, sizeof(value), o->word);
		else if (o->kind == ASSAY_OPTION_BYTES && o->value > 0)
			text_bytes(value, sizeof(value), (uint64_t)o->value);
		else
			snprintf(value, sizeof(value), "%lld",
				 (long long)o->value);
		text_add(out, room, " ", "%s=%s", o->name, value);
	}
}

/* "chase L1D_CACHE (sim)": a series has the points of one sweep. */
static void name_series(char *out, size_t room, const struct assay_record *r,
			const char *what)
{
	snprintf(out, room, "%s %s%s%s%s", r->shape.kernel, what,
		 *r->provider ? " (" : "", r->provider,
		 *r->provider ? ")" : "");
}

static void add_machine(struct adding *a)
{
	const struct assay_machine *m = &a->record->machine;
	const struct { const char *what, *value; } texts[] = {
		{ "CPU", m->cpu }, { "kernel", m->kernel },
		{ "hypervisor", m->hypervisor }, { "microcode", m->microcode },
		{ "instruction set", m->isa },
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		text(a, "machine", texts[i].what, texts[i].value);
}

/* Of the settings' words only those that a user or the machine has set. */
static void add_setting(struct adding *a, const char *word)
{
	static const char *const known[] = { "governor", "turbo", "smt",
		"prefetchers", "nice", "realtime", "mitigations", "sysroot",
		"core-mhz", "fault", NULL };
	const char *value = strchr(word, '=');
	char name[32];
	double low, high;

	if (!value || value - word >= (long)sizeof(name))
		return;
	text_copy(name, (size_t)(value - word) + 1, word);
	for (int i = 0; known[i]; i++) {
		if (strcmp(known[i], name))
			continue;
		if (strcmp(name, "core-mhz"))
			text(a, "setting", name, value + 1);
		else if (sscanf(value, "=%lf..%lf", &low, &high) == 2)
			number(a, "clock", "MHz of the core", (low + high) / 2);
	}
}

static void add_settings(struct adding *a)
{
	const struct assay_settings *s = &a->record->settings;
	char options[sizeof(s->options)], *rest = options, *word;

	text_copy(options, sizeof(options), s->options);
	while ((word = strtok_r(rest, " ,", &rest)) != NULL)
		add_setting(a, word);
	text(a, "setting", "page map", s->page_map);
	text_copy(options, sizeof(options), s->pages);
	options[strcspn(options, " ")] = '\0';
	text(a, "setting", "pages", options);
}

static void add_event(struct adding *a, unsigned e)
{
	const struct assay_record *r = a->record;
	const struct assay_value v = assay_record_value(r, e);
	char series[ASSAY_NAME + 64];

	name_series(series, sizeof(series), r, r->event[e].name);
	text(a, "counted", series, v.why ? "no" : "yes");
	if (!v.why)
		number(a, series, a->point, v.number);
}

static int by_value(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* The median wall time; `--on time` has times of its own as events. */
static void add_time(struct adding *a)
{
	const struct assay_record *r = a->record;
	char series[64];
	uint64_t ns[64];
	const unsigned n = r->repeats < 64 ? r->repeats : 64;

	if (!n || !r->ns[0] || !strcmp(r->provider, "time"))
		return;
	memcpy(ns, r->ns, n * sizeof(*ns));
	qsort(ns, n, sizeof(*ns), by_value);
	name_series(series, sizeof(series), r, "ns");
	number(a, series, a->point, ((double)ns[n / 2] +
				     (double)ns[(n - 1) / 2]) / 2);
}

/* What a simulator knows to be true: the values of all its quantities. */
static void add_truth(struct adding *a)
{
	const struct assay_record *r = a->record;
	char series[ASSAY_NAME + 64];

	for (int q = 0; q < ASSAY_QUANTITIES; q++) {
		const struct assay_value *v = &r->truth.of[q];

		if (v->why)
			continue;
		name_series(series, sizeof(series), r, assay_quantity_name(q));
		number(a, series, a->point, v->number);
	}
}

int fleet_add_surroundings(struct fleet *fleet, int node,
			   const struct assay_record *record)
{
	struct adding a = { fleet, node, record, "", 0 };

	add_machine(&a);
	add_settings(&a);
	return a.rc;
}

int fleet_add_values(struct fleet *fleet, int node,
		     const struct assay_record *record)
{
	struct adding a = { fleet, node, record, "", 0 };

	name_point(a.point, sizeof(a.point), &record->shape);
	for (unsigned e = 0; e < record->events; e++)
		add_event(&a, e);
	add_time(&a);
	add_truth(&a);
	return a.rc;
}

int fleet_add_record(struct fleet *fleet, int node,
		     const struct assay_record *record)
{
	const int rc = fleet_add_surroundings(fleet, node, record);

	if (rc || !record->noise.disturbed)
		return rc ? rc : fleet_add_values(fleet, node, record);
	fleet->disturbed++;
	return 0;
}
