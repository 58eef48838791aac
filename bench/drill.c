/* SPDX-License-Identifier: MIT */
/*
 * The fault drill: random faults, one or two at a time, on the PMU of every
 * CPU file. Each fault that changes any count must be named, with its kind; no
 * event without a fault may be accused.
 *
 *	drill [-n FAULTS] [-s SEED] [-f WHOLE] [-m MAPS] [-q] [CPU]...
 *
 * For each CPU and page map what is true of the plan's shapes is simulated
 * once; that is judged without a fault, and the faults are put on it. WHOLE
 * runs go without a fault through all of verify, where the counts are those of
 * the provider and the truth is the witness's, simulated apart.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/handle.h"
#include "api/target.h"
#include "api/verify.h"
#include "base/text.h"
#include "counters/fault.h"
#include "counters/signals.h"
#include "cpus/cpu.h"

enum { REPEATS = 2, MOST_SHAPES = 256, MISSES_SHOWN = 20 };

static const char *const every_cpu[] = {
	"cortex-a72", "cortex-a76", "neoverse-n1", "neoverse-v1",
	"neoverse-v2", "i7-6700hq", "skylake-sp", "ice-lake-sp",
	"sapphire-rapids", "amd-k10", "amd-zen3", "amd-zen4", NULL
};

/* Simulated once: a CPU on a page map. */
struct base {
	struct target target;
	size_t shapes;
	struct {
		char kernel[24], text[160];
		uint64_t signal[REPEATS][SIGNALS];
	} shape[MOST_SHAPES];
	struct panel clean;
};

struct drill {
	struct assay *assay;
	struct base *base;
	uint64_t seed;
	unsigned faults, drawn, unseen, named, missed, accused, free_panels,
		 free_runs, free_accused;
	bool quiet;
	unsigned confusion[FAULTS][FIT_KINDS + 1];
};

static uint64_t draw(struct drill *d, uint64_t below)
{
	d->seed += UINT64_C(0x9e3779b97f4a7c15);
	uint64_t x = d->seed;

	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return (x ^ x >> 31) % below;
}

static int add_shape(void *ctx, const struct kernel *kernel,
		     const struct assay_shape *shape, const char *text,
		     bool forward, bool prefetch)
{
	struct base *b = ctx;
	struct geometry geometry = b->target.geometry;
	struct oracle w = {
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
	rc = plan_oracle(&w, forward, b->shape[b->shapes].signal, &leave_out,
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
	struct fault_scene scene;
	struct encoding e;

	fault_scene_init(&scene, &b->target.geometry, signal, run);
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

static const struct cpu_event *draw_event(struct drill *d)
{
	const struct cpu *cpu = d->base->target.cpu;
	const struct cpu_event *e;

	do
		e = &cpu->event[draw(d, cpu->events)];
	while (!e->present);
	return e;
}

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

static bool changed(const struct drill *d, const struct panel *p, size_t e)
{
	for (size_t i = 0; i < p->rows; i++) {
		size_t at = i * PANEL_EVENTS + e;

		if (p->count[at] != d->base->clean.count[at] &&
		    !(isnan(p->count[at]) && isnan(d->base->clean.count[at])))
			return true;
	}
	return false;
}

static bool accuses(enum assay_class class_)
{
	return (assay_class_trust(class_) == 0 &&
		class_ != ASSAY_CLASS_KNOWN) ||
	       class_ == ASSAY_CLASS_INTERRUPTS;
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

	for (unsigned i = 0; i < r->also; i++)
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

	printf("%s: %s [%s] %s", what, d->base->target.cpu->name,
	       d->base->target.page_map, v->event);
	for (unsigned i = 0; i < set->faults; i++) {
		fault_text(text, sizeof(text), &set->fault[i]);
		printf(" %s", text);
	}
	printf("\n\t%s: %s\n", assay_class_name(v->class_), v->explains);
}

/* One event after the faults of the set. */
static void judge_event(struct drill *d, const struct panel *p, size_t e,
			const struct fault_set *set,
			const struct fit_result *fit,
			const struct certificate_event *v)
{
	bool seen = changed(d, p, e), any = false;
	unsigned own = 0;

	for (unsigned i = 0; i < set->faults; i++)
		own += touches(&set->fault[i], d->base->target.cpu, v->event);
	if (!seen) {
		d->unseen += own;
		d->accused += accuses(v->class_);
		if (accuses(v->class_))
			show_miss(d, set, v, "accused without a fault");
		return;
	}
	for (unsigned i = 0; i < set->faults; i++) {
		const struct fault *f = &set->fault[i];
		bool said = says(fit, e, kind_of[f->kind]);

		if (!touches(f, d->base->target.cpu, v->event))
			continue;
		d->confusion[f->kind][said ? kind_of[f->kind] : fit->kind]++;
		any |= said;
	}
	/*
	 * Of two faults on one event the one may hide the other, or both
	 * together be the same as something simpler.
	 */
	if (accuses(v->class_) && (any || (own > 1 &&
					   fit->kind != FIT_NONE))) {
		d->named++;
		return;
	}
	d->missed++;
	if (d->missed <= MISSES_SHOWN)
		show_miss(d, set, v, "missed");
}

static void one_drill(struct drill *d)
{
	struct fault_set set = { .faults = 1 + (draw(d, 3) == 0) };
	struct certificate_event *verdict;
	struct fit_result *fit = NULL;
	struct panel p;

	for (unsigned i = 0; i < set.faults; i++)
		draw_fault(d, &set.fault[i]);
	d->drawn += set.faults;
	fill(&p, d->base, &set);
	verdict = panel_judge(&p, &fit);
	for (size_t e = 0; verdict && e < p.events; e++)
		judge_event(d, &p, e, &set, &fit[e], &verdict[e]);
	free(verdict);
	free(fit);
	panel_fini(&p);
}

static int prepare(struct drill *d, const char *cpu, const char *map)
{
	const struct fault_set none = { .faults = 0 };
	struct assay_error err = { .code = 0 };
	char on[128];
	int rc;

	memset(d->base, 0, sizeof(*d->base));
	snprintf(on, sizeof(on), "sim:%.100s", cpu);
	rc = target_init(&d->base->target, d->assay, on, map, false, &err);
	if (rc == 0)
		rc = plan_each(ASSAY_QUICK, add_shape, d->base, &err);
	if (rc < 0)
		fprintf(stderr, "drill: %s: %s\n", cpu, err.text);
	else
		fill(&d->base->clean, d->base, &none);
	return rc;
}

/* ---- without faults ------------------------------------------------------ */

struct innocent {
	struct drill *d;
	const char *on, *map;
};

static int see(void *ctx, const struct assay_row *row)
{
	struct innocent *in = ctx;
	int class_;

	if (strcmp(row->type, "finding") == 0 ||
	    strcmp(row->type, "identity") == 0)
		in->d->free_accused++;
	if (strcmp(row->type, "event") != 0)
		return 0;
	class_ = assay_class_find(row->field[1].text);
	if (class_ >= 0 && !accuses((enum assay_class)class_))
		return 0;
	in->d->free_accused++;
	printf("false accusation: %s [%s] %s: %s\n", in->on, in->map,
	       row->field[0].text, row->field[2].text);
	return 0;
}

static int free_run(struct drill *d, const char *cpu, const char *map)
{
	struct innocent in = { d, cpu, map };
	struct assay_error err = { .code = 0 };
	unsigned disagreements;
	char on[128];
	int rc;

	snprintf(on, sizeof(on), "sim:%.100s", cpu);
	const struct assay_verification ask = {
		.on = on, .page_map = map, .effort = ASSAY_QUICK };

	rc = assay_verify(d->assay, &ask, see, &in, &disagreements, &err);
	if (rc < 0)
		fprintf(stderr, "drill: %s: %s\n", cpu, err.text);
	d->free_runs++;
	return rc;
}

/* What was recorded for the faults, before any is planted. */
static int free_panel(struct drill *d)
{
	static const struct fault_set none;
	const struct panel *p = &d->base->clean;
	struct certificate_event *verdict = panel_judge(p, NULL);

	for (size_t e = 0; verdict && e < p->events; e++) {
		if (!accuses(verdict[e].class_))
			continue;
		d->free_accused++;
		show_miss(d, &none, &verdict[e], "false accusation");
	}
	d->free_panels++;
	if (!verdict)
		return -ASSAY_ENOMEM;
	free(verdict);
	return 0;
}

/* ---- the whole ----------------------------------------------------------- */

static void confusion(const struct drill *d)
{
	printf("%-12s", "planted");
	for (int k = 0; k < FIT_KINDS; k++)
		printf(" %11.11s", fit_kind_names[k]);
	printf("\n");
	for (int f = 0; f < FAULTS; f++) {
		if (f == FAULT_counters)
			continue;
		printf("%-12s", fault_names[f]);
		for (int k = 0; k < FIT_KINDS; k++)
			printf(" %11u", d->confusion[f][k]);
		printf("\n");
	}
}

static int summary(const struct drill *d)
{
	printf("%u faults drawn; %u changed no count of this plan; %u events "
	       "named with their kind, %u missed, %u accused without a "
	       "fault\n%u panels and %u whole runs without faults, %u "
	       "accusations\n", d->drawn, d->unseen, d->named, d->missed,
	       d->accused, d->free_panels, d->free_runs, d->free_accused);
	return d->missed || d->accused || d->free_accused || !d->named;
}

static void map_name(char *out, size_t room, unsigned n)
{
	if (n == 0)
		snprintf(out, room, "identity");
	else
		snprintf(out, room, "random:%u", n);
}

static int drill_cpu(struct drill *d, const char *cpu, unsigned maps,
		     unsigned faults, unsigned whole)
{
	char map[32];
	int rc = 0;

	for (unsigned m = 0; m < maps && rc == 0; m++) {
		map_name(map, sizeof(map), m);
		rc = prepare(d, cpu, map);
		if (rc == 0)
			rc = free_panel(d);
		for (unsigned i = 0; i < faults && rc == 0; i++)
			one_drill(d);
		panel_fini(&d->base->clean);
		target_fini(&d->base->target);
	}
	for (unsigned m = 0; m < whole && rc == 0; m++) {
		map_name(map, sizeof(map), m);
		rc = free_run(d, cpu, map);
	}
	if (!d->quiet)	/* of all until now */
		fprintf(stderr, "%s: %u faults, %u missed, %u accused\n", cpu,
			d->drawn, d->missed, d->accused + d->free_accused);
	return rc;
}

static unsigned number(const char *text)
{
	return (unsigned)strtoul(text, NULL, 10);
}

int main(int argc, char **argv)
{
	unsigned faults = 720, maps = 9, free_runs = 12, cpus = 0, c;
	const char *const *cpu = every_cpu;
	struct drill d = { .seed = 1 };
	int rc = 0;

	while ((c = (unsigned)getopt(argc, argv, "n:s:f:m:q")) != (unsigned)-1)
		switch (c) {
		case 'n': faults = number(optarg); break;
		case 's': d.seed = number(optarg); break;
		case 'f': free_runs = number(optarg); break;
		case 'm': maps = number(optarg); break;
		case 'q': d.quiet = true; break;
		default: return 2;
		}
	if (optind < argc)
		cpu = (const char *const *)argv + optind;
	while (cpu[cpus])
		cpus++;
	setvbuf(stdout, NULL, _IOLBF, 0);
	d.base = calloc(1, sizeof(*d.base));
	if (!d.base || !maps || assay_open(&d.assay, NULL, NULL) < 0)
		return 1;
	for (unsigned i = 0; i < cpus && rc == 0; i++)
		rc = drill_cpu(&d, cpu[i], maps,
			       (faults + cpus * maps - 1) / (cpus * maps),
			       (free_runs + cpus - 1) / cpus);
	confusion(&d);
	assay_close(d.assay);
	free(d.base);
	return summary(&d) || rc < 0;
}
