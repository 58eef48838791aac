/* SPDX-License-Identifier: MIT */
/* Filling a panel: its events, shapes and rows; see panel.h. */
#include "verify/panel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "counters/fault.h"

int panel_init(struct panel *panel, struct assay_error *err)
{
	*panel = (struct panel){
		.event = calloc(PANEL_EVENTS, sizeof(*panel->event)) };
	return panel->event ? 0 : error_memory(err);
}

void panel_fini(struct panel *panel)
{
	free(panel->event);
	free(panel->row);
	free(panel->count);
	free(panel->claim);
	free(panel->low);
	free(panel->high);
	free(panel->disturbance);
	free(panel->witness_bits);
	free(panel->shape);
	*panel = (struct panel){ .events = 0 };
}

int panel_find(const struct panel *p, const char *name)
{
	for (size_t i = 0; i < p->events; i++)
		if (text_equal(p->event[i].name, name))
			return (int)i;
	return -1;
}

int panel_add_event(struct panel *p, const char *name, const char *code)
{
	int at = panel_find(p, name);

	if (at >= 0 || p->events == PANEL_EVENTS)
		return at;
	text_copy(p->event[p->events].name, ASSAY_NAME, name);
	text_copy(p->event[p->events].code, sizeof(p->event->code), code);
	p->event[p->events].claim_text = "";
	p->event[p->events].vendor_count = NAN;
	return (int)p->events++;
}

static void add_says(struct panel_event *out, const struct cpu_event *e)
{
	out->says = &e->says;
	out->says_text = e->says_text;
	out->erratum = e->errata[0];
}

void panel_set_claim(struct panel *p, size_t event, const struct cpu_event *e)
{
	struct panel_event *out = &p->event[event];

	if (!e->present)
		return;
	/* the cycle model has few constants: no claim on a real machine */
	if (p->real_machine && strstr(e->counts_text, "cycles")) {
		if (!strcmp(e->counts_text, "cycles"))
			out->quantity = "cycles";	/* for laws */
		return;
	}
	out->counts = &e->counts;
	out->claim_text = e->counts_text;
	if (*e->says_text)
		add_says(out, e);
}

void panel_add_cpu(struct panel *p, const struct cpu *cpu, bool all)
{
	char code[24];

	for (size_t i = 0; i < cpu->events; i++) {
		const struct cpu_event *e = &cpu->event[i];
		int at;

		if (!e->present && !all)
			continue;
		snprintf(code, sizeof(code), "0x%llx",
			 (unsigned long long)e->code);
		at = panel_add_event(p, e->name, code);
		if (at < 0)
			return;
		if (e->present) {
			panel_set_claim(p, (size_t)at, e);
		} else {
			text_copy(p->event[at].why, ASSAY_WHY,
				  e->absent ? e->absent : "");
		}
	}
}

int panel_add_shape(struct panel *p, const char *kernel, const char *text)
{
	struct panel_shape *s;

	if (!array_resize(&p->shape, p->shapes + 1, sizeof(*p->shape)))
		return -ASSAY_ENOMEM;
	s = &p->shape[p->shapes++];
	text_copy(s->kernel, sizeof(s->kernel), kernel);
	text_copy(s->text, sizeof(s->text), text);
	s->microcode[0] = '\0';
	text_copy(s->size, sizeof(s->size), text);
	s->size[strcspn(s->size, " ")] = '\0';
	return 0;
}

size_t panel_next_shape(const struct panel *p, size_t from)
{
	size_t to = from;

	while (to < p->rows && p->row[to].shape == p->row[from].shape)
		to++;
	return to;
}

static int grow(struct panel *p)
{
	const size_t room = p->room ? 2 * p->room : 64;
	const size_t cells = room * PANEL_EVENTS;

	if (!array_resize(&p->row, room, sizeof(*p->row)) ||
	    !array_resize(&p->count, cells, sizeof(double)) ||
	    !array_resize(&p->claim, cells, sizeof(double)) ||
	    !array_resize(&p->low, cells, sizeof(double)) ||
	    !array_resize(&p->high, cells, sizeof(double)) ||
	    !array_resize(&p->witness_bits, cells, 1) ||
	    !array_resize(&p->disturbance, room, sizeof(double)))
		return -ASSAY_ENOMEM;
	p->room = room;
	return 0;
}

static struct assay_value signal_value(const void *ctx, int name)
{
	const uint64_t *signal = ctx;

	return (struct assay_value){ .number = (double)signal[name] };
}

static double claim_of(const struct expr *counts, const uint64_t *signal)
{
	struct assay_value v;

	if (!counts)
		return NAN;
	v = expr_value(counts, signal_value, signal);
	return v.why ? NAN : v.number > 0 ? round(v.number) : 0;
}

/* Where the vendor's text and the claim are furthest apart. */
static void compare_text(struct panel_event *e, double claim,
			 const uint64_t *signal, size_t row)
{
	const double count = claim_of(e->says, signal);
	const double distance = fabs(count - claim);

	if (isnan(distance) || distance == 0 ||
	    (!isnan(e->vendor_count) && distance <= e->vendor_distance))
		return;
	e->vendor_count = count;
	e->vendor_distance = distance;
	e->vendor_row = row;
}

int panel_add_row(struct panel *p, const uint64_t *signal,
		  const struct geometry *geometry)
{
	double *count, *claim, *low, *high;
	struct fit_row *row;

	if (p->rows == p->room && grow(p) < 0)
		return -ASSAY_ENOMEM;
	row = &p->row[p->rows];
	*row = (struct fit_row){ .shape = (unsigned)p->shapes - 1,
				 .truth = signal };
	p->disturbance[p->rows] = 0;
	count = p->count + p->rows * PANEL_EVENTS;
	claim = p->claim + p->rows * PANEL_EVENTS;
	low = p->low + p->rows * PANEL_EVENTS;
	high = p->high + p->rows * PANEL_EVENTS;
	for (size_t e = 0; e < PANEL_EVENTS; e++)
		count[e] = claim[e] = low[e] = high[e] = NAN;
	memset(p->witness_bits + p->rows * PANEL_EVENTS, 0, PANEL_EVENTS);
	for (size_t e = 0; signal && e < p->events; e++) {
		claim[e] = claim_of(p->event[e].counts, signal);
		compare_text(&p->event[e], claim[e], signal, p->rows);
	}
	if (signal) {
		fit_terms(row->term, signal);
		row->term[FIT_cycles] = fault_cycles(geometry, signal);
		row->term[FIT_passes] = (double)signal[SIGNAL_passes];
	}
	return (int)p->rows++;
}

void panel_count(struct panel *p, size_t row,
		 const struct assay_record *record, unsigned repeat)
{
	double *count = p->count + row * PANEL_EVENTS;

	for (unsigned e = 0; e < record->events; e++) {
		const struct assay_count *c =
			&record->counts[(size_t)repeat * record->events + e];
		int at = panel_find(p, record->event[e].name);

		if (at < 0)
			continue;
		if (c->state == ASSAY_COUNT_PRESENT)
			count[at] = (double)c->value;
		else if (c->state == ASSAY_COUNT_SCALED)
			p->event[at].estimated = true;
		else if (!p->event[at].why[0])
			text_copy(p->event[at].why, ASSAY_WHY,
				  c->why ? c->why : "not counted");
	}
}
