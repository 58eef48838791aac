/* SPDX-License-Identifier: MIT */
/* Faults on what is true of the plan's shapes, and what is said of them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/handle.h"
#include "verify/verify.h"
#include "base/text.h"
#include "counters/signals.h"
#include "cpus/cpu.h"
#include "drill.h"

static int add_shape(void *ctx, const struct kernel *kernel,
		     const struct assay_shape *shape, const char *text,
		     bool forward, bool prefetch)
{
	struct base *b = ctx;
	struct geometry geometry = b->target.geometry;
	struct truth_run w = {
		.kernel = kernel, .shape = shape, .isa = b->target.isa,
		.geometry = &geometry, .warmup = 1,
		.repeats = REPEATS,
	};
	bool leave_out;
	int rc;

	if (b->shapes == MOST_SHAPES || (prefetch && !geometry.prefetchers))
		return 0;
	if (prefetch)
		plan_prefetch(&geometry);
	rc = plan_simulated_truth(&w, forward, b->shape[b->shapes].signal, &leave_out,
			  NULL);
	if (rc < 0 || leave_out)
		return rc;
	text_copy(b->shape[b->shapes].kernel, 24, kernel->name);
	text_copy(b->shape[b->shapes].text, 160, text);
	b->shapes++;
	return 0;
}

static void encode(struct encoding *out, const struct cpu_event *event)
{
	*out = (struct encoding){ .config = event->code,
				  .counts = &event->counts };
	text_copy(out->name, sizeof(out->name), event->name);
}

/* The counts of a run with these faults. */
static void fill_row(struct panel *p, const struct base *b, size_t row,
		     const uint64_t *signal, const struct fault_set *set,
		     unsigned run)
{
	struct fault_run scene;
	struct encoding e;

	fault_run_init(&scene, &b->target.geometry, signal, run);
	for (size_t i = 0; i < b->target.cpu->events; i++) {
		const struct cpu_event *event = &b->target.cpu->event[i];
		struct assay_count c;
		size_t at = 0;

		if (!event->present)
			continue;
		while (!text_equal(p->event[at].name, event->name))
			at++;
		encode(&e, event);
		c = fault_count(set, &e, signals_count(&e, signal), &scene);
		if (c.state == ASSAY_COUNT_PRESENT)
			p->count[row * PANEL_EVENTS + at] = (double)c.value;
	}
}

static void fill(struct panel *p, const struct base *b,
		 const struct fault_set *set)
{
	if (panel_init(p, NULL) < 0)
		abort();
	panel_add_cpu(p, b->target.cpu, false);
	for (size_t s = 0; s < b->shapes; s++) {
		panel_add_shape(p, b->shape[s].kernel, b->shape[s].text);
		for (unsigned r = 0; r < REPEATS; r++) {
			const uint64_t *signal = b->shape[s].signal[r];
			int row = panel_add_row(p, signal,
						&b->target.geometry);

			if (row < 0)
				abort();
			fill_row(p, b, (size_t)row, signal, set, r);
		}
	}
}

/* ---- drawing ------------------------------------------------------------- */

static double draw_amount(struct drill *d, enum fault_kind kind)
{
	static const double times[] = { 0.5, 3, 4, 8, 16, 100, 1.5 };
	static const double saturate[] = { 8, 12, 16, 20, 24 };
	static const double wrap[] = { 16, 24, 32 };

	switch (kind) {
	case FAULT_double:
		return 2;
	case FAULT_times:
		return times[draw(d, 7)];
	case FAULT_saturate:
		return saturate[draw(d, 5)];
	case FAULT_wrap:
		return wrap[draw(d, 3)];
	case FAULT_noise:
		return 2 + (double)draw(d, 5);
	case FAULT_kernel:
		return 7 + (double)draw(d, 300);
	case FAULT_sibling:
		return 1 + (double)draw(d, 200);
	default:
		return 1 + (double)draw(d, 3);
	}
}

static void draw_fault(struct drill *d, struct fault *f)
{
	const struct cpu_event *event = draw_event(d), *other;

	*f = (struct fault){ .code = event->code, .counts = &event->counts };
	do
		f->kind = (enum fault_kind)draw(d, FAULTS);
	while (f->kind == FAULT_counters);	/* no event's: see below */
	f->amount = draw_amount(d, f->kind);
	text_copy(f->event, sizeof(f->event), event->name);
	do
		other = draw_event(d);
	while (other->code == event->code);
	if (f->kind != FAULT_swap)
		return;
	text_copy(f->other, sizeof(f->other), other->name);
	f->other_code = other->code;
	f->other_counts = &other->counts;
}

/* ---- judging ------------------------------------------------------------- */

static const enum fit_kind kind_of[FAULTS] = {
	[FAULT_dead] = FIT_DEAD, [FAULT_double] = FIT_FACTOR,
	[FAULT_times] = FIT_FACTOR, [FAULT_interrupt] = FIT_INTERRUPTS,
	[FAULT_prefetch] = FIT_ADDS, [FAULT_writeback] = FIT_ADDS,
	[FAULT_walk] = FIT_ADDS, [FAULT_speculative] = FIT_ADDS,
	[FAULT_swap] = FIT_OTHER, [FAULT_wrap] = FIT_WRAP,
	[FAULT_noise] = FIT_NOISE, [FAULT_saturate] = FIT_SATURATE,
	[FAULT_kernel] = FIT_KERNEL, [FAULT_sibling] = FIT_ADDS,
};

bool drill_changed(const struct drill *d, const struct panel *p, size_t e)
{
	for (size_t i = 0; i < p->rows; i++) {
		size_t at = i * PANEL_EVENTS + e;

		if (p->count[at] != d->base->clean.count[at] &&
		    !(isnan(p->count[at]) && isnan(d->base->clean.count[at])))
			return true;
	}
	return false;
}

static bool model_says(const struct fit_model *m, size_t e,
		       enum fit_kind kind)
{
	enum fit_kind kinds[FIT_KINDS];
	unsigned n = fit_model_kinds(m, e, kinds, FIT_KINDS);

	for (unsigned i = 0; i < n; i++)
		if (kinds[i] == kind)
			return true;
	return false;
}

/* Is that kind the verdict, or among those that are as simple? */
static bool says(const struct fit_result *r, size_t e, enum fit_kind kind)
{
	bool said = r->kind == kind || model_says(&r->model, e, kind);

	for (unsigned i = 0; i < r->alternatives; i++)
		said |= model_says(&r->alternative[i], e, kind);
	return said;
}

static bool touches(const struct fault *f, const struct cpu *cpu,
		    const char *name)
{
	const struct cpu_event *e = cpu_event_find(cpu, name);

	return e && (e->code == f->code ||
		     (f->kind == FAULT_swap && e->code == f->other_code));
}

static void show_miss(const struct drill *d, const struct fault_set *set,
		      const struct certificate_event *v, const char *what)
{
	char text[256];

	printf("%s: %s [%s, seed %u] %s", what, d->base->target.cpu->name,
	       d->base->target.page_map, d->base->seed, v->event);
	for (unsigned i = 0; i < set->faults; i++) {
		fault_text(text, sizeof(text), &set->fault[i]);
		printf(" %s", text);
	}
	printf("\n\t%s: %s\n", assay_class_name(v->class_), v->explains);
}

/* An event that counts as it should. */
static void judge_innocent(struct drill *d, const struct fault_set *set,
			   const struct certificate_event *v)
{
	if (!accuses(v->class_))
		return;
	d->score.accused++;
	show_miss(d, set, v, "accused without a fault");
}

/* One event whose counts the faults of the set have changed. */
static void judge_liar(struct drill *d, const struct fault_set *set, size_t e,
		       const struct fit_result *fit,
		       const struct certificate_event *v)
{
	unsigned own = 0, any = 0;

	for (unsigned i = 0; i < set->faults; i++) {
		const struct fault *f = &set->fault[i];
		const enum fit_kind kind = kind_of[f->kind];
		bool said = says(fit, e, kind);

		if (!touches(f, d->base->target.cpu, v->event))
			continue;
		own++;
		any += said;
		d->score.confusion[f->kind][said ? kind : fit->kind]++;
		d->score.tied[f->kind] += said && fit->kind != kind &&
			!model_says(&fit->model, e, kind);
	}
	/*
	 * Of two faults on one event the one may hide the other, or both
	 * together be the same as something simpler.
	 */
	if (accuses(v->class_) && (any || (own > 1 &&
					   fit->kind != FIT_NONE))) {
		d->score.named++;
		return;
	}
	d->score.missed++;
	if (d->score.missed <= MISSES_SHOWN)
		show_miss(d, set, v, "missed");
}

static void count_shown(struct drill *d, const struct panel *p,
			const struct fault *f)
{
	bool shown = false;

	for (size_t e = 0; e < p->events && !shown; e++)
		shown = touches(f, d->base->target.cpu, p->event[e].name) &&
			drill_changed(d, p, e);
	d->score.drawn[f->kind]++;
	d->score.shown[f->kind] += shown;
}

static int one_drill(struct drill *d)
{
	struct fault_set set = { .faults = 1 + (draw(d, 3) == 0) };
	struct certificate_event *verdict;
	struct fit_result *fit = NULL;
	struct panel p;
	int rc;

	for (unsigned i = 0; i < set.faults; i++)
		draw_fault(d, &set.fault[i]);
	fill(&p, d->base, &set);
	for (unsigned i = 0; i < set.faults; i++)
		count_shown(d, &p, &set.fault[i]);
	verdict = panel_judge(&p, &fit);
	for (size_t e = 0; verdict && e < p.events; e++)
		if (drill_changed(d, &p, e))
			judge_liar(d, &set, e, &fit[e], &verdict[e]);
		else
			judge_innocent(d, &set, &verdict[e]);
	rc = verdict ? drill_intervals(d, &p, &set) : -ASSAY_ENOMEM;
	panel_fini(&p);
	free(fit);
	free(verdict);
	return rc;
}

/* What was recorded for the faults, before any is planted. */
static int free_panel(struct drill *d)
{
	static const struct fault_set none;
	const struct panel *p = &d->base->clean;
	struct certificate_event *verdict = panel_judge(p, NULL);

	for (size_t e = 0; verdict && e < p->events; e++)
		judge_innocent(d, &none, &verdict[e]);
	d->score.free_panels++;
	if (!verdict)
		return -ASSAY_ENOMEM;
	free(verdict);
	return drill_intervals(d, p, &none);
}

static int prepare(struct drill *d, const char *cpu, const char *map)
{
	static const struct fault_set none;
	struct assay_error err = { .code = 0 };
	struct base *b = d->base;
	char on[128];
	int rc;

	snprintf(on, sizeof(on), "sim:%.100s", cpu);
	rc = target_init(&b->target, d->assay, on, map, false, &err);
	if (rc == 0)
		rc = plan_each(ASSAY_QUICK, b->seed, add_shape, b, &err);
	if (rc < 0)
		fprintf(stderr, "drill: %s: %s\n", cpu, err.text);
	else
		fill(&b->clean, b, &none);
	return rc;
}

int drill_plant(struct drill *d, const char *cpu, unsigned n)
{
	char map[32];
	unsigned each = (d->sets + d->cpus * d->maps - 1) /
			(d->cpus * d->maps);
	int rc;

	memset(d->base, 0, sizeof(*d->base));
	draw_map(d, n, map, sizeof(map));
	rc = prepare(d, cpu, map);
	if (rc == 0)
		rc = free_panel(d);
	for (unsigned i = 0; i < each && rc == 0; i++)
		rc = one_drill(d);
	panel_fini(&d->base->clean);
	target_fini(&d->base->target);
	return rc;
}
