/* SPDX-License-Identifier: MIT */
/* The records of kernels, replayed one by one. See run-points.h. */
#include "cli/plots/run-points.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/plots/figures.h"
#include "cli/results.h"

#define LINE_BYTES 64		/* an option in "lines" is a size */

struct making {
	struct run_points *out;
	const struct run_file *run;
	bool last;		/* of the run's records */
};

static double known(struct assay_value value)
{
	return value.why ? NAN : value.number;
}

/* ---- which option varies ------------------------------------------------ */

static bool is_number(const struct assay_shape_value *v)
{
	return v->kind == ASSAY_OPTION_COUNT || v->kind == ASSAY_OPTION_BYTES;
}

static bool varies(const struct run_file *run, const struct assay_shape *first,
		   unsigned option)
{
	const struct assay_shape_value *v = &first->option[option];

	for (size_t i = 0; i < run->records; i++) {
		const struct assay_shape *shape = &run->record[i]->shape;

		if (!strcmp(shape->kernel, first->kernel) &&
		    assay_shape_find(shape, v->name) >= 0 &&
		    assay_shape_get(shape, v->name) != v->value)
			return true;
	}
	return false;
}

/* Options before it are given, options behind it may follow from it. */
static void choose_x(struct run_points *out, const struct run_file *run)
{
	const struct assay_shape *first = &out->record->shape;
	struct assay_kernel_option all[ASSAY_SHAPE_OPTIONS];
	const int n = assay_kernel_options(first->kernel, all,
					   ASSAY_SHAPE_OPTIONS, NULL);

	for (unsigned i = 0; i < first->options; i++) {
		const struct assay_shape_value *v = &first->option[i];

		if (!is_number(v) || !varies(run, first, i))
			continue;
		out->x_name = v->name;
		out->x_bytes = v->kind == ASSAY_OPTION_BYTES;
		for (int k = 0; k < n && k < ASSAY_SHAPE_OPTIONS; k++)
			out->x_bytes |= !strcmp(all[k].name, v->name) &&
				all[k].unit && !strcmp(all[k].unit, "lines");
		return;
	}
}

static double x_of(const struct run_points *points,
		   const struct assay_shape *shape)
{
	const int i = points->x_name ?
		assay_shape_find(shape, points->x_name) : -1;
	double x;

	if (i < 0)
		return NAN;
	x = (double)shape->option[i].value;
	return points->x_bytes && shape->option[i].kind == ASSAY_OPTION_COUNT ?
	       x * LINE_BYTES : x;
}

/* ---- one record --------------------------------------------------------- */

static void take_compared(struct run_point *p, const struct assay_compared *c)
{
	const bool truth = !strcmp(c->from, "truth");

	if (c->expected)
		p->predicted[c->quantity] = c->expected->value;
	if (c->measured.why || (truth && !isnan(p->measured[c->quantity])))
		return;
	p->measured[c->quantity] = c->measured.number;
	p->simulated[c->quantity] = truth;
}

/* What a simulator knows, counted or not. */
static void take_truth(struct run_point *p,
		       const struct assay_quantities *truth)
{
	for (int q = 0; q < ASSAY_QUANTITIES; q++)
		if (isnan(p->measured[q]) && !truth->of[q].why) {
			p->measured[q] = truth->of[q].number;
			p->simulated[q] = true;
		}
}

/* A quantity that nothing predicts is the count of an event of that name. */
static void take_event(struct run_point *p, const struct assay_record *r,
		       enum assay_quantity q, const char *const *names)
{
	if (isnan(p->measured[q]))
		p->measured[q] = figure_count(r, names);
}

static void take_pie(struct run_point *p, const struct assay_pie *pie)
{
	if (!pie->truth && !pie->bars)
		return;
	for (int i = 0; i < POINT_LEVELS; i++)
		p->served[i] = known(*pie_part(pie, i));
}

static void take_terms(struct run_points *out, const struct assay_result *r)
{
	for (unsigned i = 0; i < r->expectation->rows; i++) {
		const struct assay_expected *e = &r->expectation->row[i];

		for (unsigned t = 0; t < e->terms; t++) {
			char formula[160];
			const struct assay_field field[] = {
				field_text("quantity",
					   assay_quantity_name(e->quantity)),
				field_text("term", e->term[t].name),
				field_text("formula", formula),
				value_field("value",
					    plain_value(e->term[t].value)),
				field_text("why", e->term[t].reason),
			};

			assay_term_formula(&e->term[t], formula,
					   sizeof(formula));
			keep_row(&out->terms, &(struct assay_row){
				"term", field, 5 });
		}
	}
}

static int on_result(void *ctx, const struct assay_result *r)
{
	const struct making *m = ctx;
	struct run_point *p = &m->out->point[m->out->points++];

	p->x = x_of(m->out, r->shape);
	p->ns = known(r->ns_per_access);
	p->cycles = known(r->cycles_per_access);
	p->accesses = r->accesses ? (double)r->accesses : NAN;
	p->passes = assay_shape_find(r->shape, "passes") < 0 ? NAN :
		    (double)assay_shape_get(r->shape, "passes");
	p->modelled = NAN;
	for (int i = 0; i < POINT_LEVELS; i++)
		p->served[i] = NAN;
	for (int q = 0; q < ASSAY_QUANTITIES; q++)
		p->measured[q] = p->predicted[q] = NAN;
	for (unsigned e = 0; e < ASSAY_EVENTS; e++)
		p->event[e] = e < r->record->events ?
			      known(assay_record_value(r->record, e)) : NAN;
	for (size_t i = 0; i < r->compareds; i++)
		take_compared(p, &r->compared[i]);
	take_truth(p, &r->record->truth);
	for (size_t i = 0; i < r->pies; i++)
		take_pie(p, &r->pie[i]);
	take_event(p, r->record, ASSAY_Q_instructions, figure_instructions);
	take_event(p, r->record, ASSAY_Q_cycles, figure_cycles);
	if (m->last)
		take_terms(m->out, r);
	return 0;
}

/* ---- the caches of the CPU ---------------------------------------------- */

static void mark(struct run_points *out, const char *name, double bytes)
{
	if (bytes > 0 && out->marks < 3)
		out->mark[out->marks++] = (struct report_mark){ bytes, name };
}

/* What a CPU file knows: sizes, and the costs of docs/cpu-file.md, "Cycles". */
struct cpu_facts {
	struct run_points *out;
	double hit[POINT_LEVELS - 1], dram, restart, of[ASSAY_QUANTITIES];
};

static const struct { const char *fact; enum assay_quantity q; } costs[] = {
	{ "cycles.per-instruction", ASSAY_Q_instructions },
	{ "cycles.dtlb-miss", ASSAY_Q_dtlb_misses },
	{ "cycles.page-walk", ASSAY_Q_page_walks },
	{ "cycles.mispredict", ASSAY_Q_mispredicts },
};
enum { COSTS = sizeof(costs) / sizeof(*costs) };

static void take_fact(struct cpu_facts *facts, const char *name, double value)
{
	static const char *const hits[] = { "cycles.l1-hit", "cycles.l2-hit",
					    "cycles.l3-hit" };

	for (int i = 0; i < POINT_LEVELS - 1; i++)
		if (!strcmp(name, hits[i]))
			facts->hit[i] = value;
	for (int i = 0; i < COSTS; i++)
		if (!strcmp(name, costs[i].fact))
			facts->of[costs[i].q] = value;
	if (!strcmp(name, "cycles.dram-extra"))
		facts->dram = value;
	if (!strcmp(name, "cycles.restart"))
		facts->restart = value;
}

static int on_cpu(void *ctx, const struct assay_row *row)
{
	struct cpu_facts *facts = ctx;

	if (!strcmp(row->type, "fact"))
		take_fact(facts, row_text(row, "fact"),
			  strtod(row_text(row, "value"), NULL));
	if (strcmp(row->type, "cpu"))
		return 0;
	mark(facts->out, "L1d", row_number(row, "l1d"));
	mark(facts->out, "L2", row_number(row, "l2"));
	mark(facts->out, "L3", row_number(row, "l3"));
	return 0;
}

/* NaN if a quantity that costs something is not known. */
static double model(const struct cpu_facts *facts, const struct run_point *p)
{
	double last = 0, sum = facts->restart > 0 ?
			       facts->restart * p->passes : 0;

	for (int i = 0; i < POINT_LEVELS - 1; i++) {
		last = facts->hit[i] > 0 ? facts->hit[i] : last;
		sum += facts->hit[i] > 0 ? facts->hit[i] * p->served[i] : 0;
	}
	sum += (last + facts->dram) * p->served[POINT_LEVELS - 1];
	for (int q = 0; q < ASSAY_QUANTITIES; q++)
		if (facts->of[q] > 0)
			sum += facts->of[q] * p->measured[q];
	return facts->hit[0] > 0 ? sum / p->accesses : NAN;
}

static void take_cpu(struct run_points *out, const struct context *context)
{
	struct cpu_facts facts = { .out = out };

	assay_list(context->assay, ASSAY_LIST_CPUS, out->record->machine.cpu,
		   NULL, on_cpu, &facts, NULL);
	for (size_t i = 0; i < out->points; i++)
		out->point[i].modelled = model(&facts, &out->point[i]);
}

/* This machine's sizes. */
static int on_cache(void *ctx, const struct assay_row *row)
{
	static const char *const names[] = { "L1d", "L2", "L3" };

	for (int i = 0; i < 3; i++)
		if (!strcmp(row->type, "cache") &&
		    text_equal(row_text(row, "cache"), names[i]))
			mark(ctx, names[i], row_number(row, "size"));
	return 0;
}

/* This machine's caches, or those of the CPU file of that name; else none. */
static void find_marks(struct run_points *out, const struct context *context)
{
	const struct assay_record *r = out->record;
	char host[ASSAY_NAME] = "";

	gethostname(host, sizeof(host) - 1);
	if (*r->machine.host && !strcmp(host, r->machine.host))
		assay_topo(context->assay, on_cache, out, NULL);
	else if (*r->machine.cpu)
		take_cpu(out, context);
}

/* ---- all records -------------------------------------------------------- */

static const struct assay_record *first_kernel(const struct run_file *run)
{
	for (size_t i = 0; i < run->records; i++)
		if (run_file_is_kernel(run->record[i]))
			return run->record[i];
	return NULL;
}

static int by_x(const void *a, const void *b)
{
	const struct run_point *p = a, *q = b;

	return (p->x > q->x) - (p->x < q->x);
}

/* Records of the first one's kernel; what cannot be replayed is named. */
static int make(struct making *m, const struct context *context,
		struct assay_error *err)
{
	struct run_points *out = m->out;
	const struct run_file *run = m->run;
	size_t left_out = 0;

	for (size_t i = 0; i < run->records; i++) {
		const struct assay_record *r = run->record[i];
		struct assay_error why = { 0 };
		int rc;

		m->last = i + 1 == run->records;
		if (strcmp(r->shape.kernel, out->record->shape.kernel) ||
		    out->points == POINTS_MOST) {
			left_out++;
			continue;
		}
		rc = run_file_replay(r, context, on_result, m, &why);
		if (rc == -ASSAY_ENOMEM)
			return error_set(err, rc, "out of memory");
		if (rc)
			snprintf(out->why, sizeof(out->why), "%.290s",
				 why.text);
	}
	if (left_out)
		snprintf(out->why, sizeof(out->why), "%zu records of other "
			 "kernels, or beyond %d points, are not drawn",
			 left_out, POINTS_MOST);
	return 0;
}

int run_points_make(struct run_points *out, const struct context *context,
		    const struct run_file *run, struct assay_error *err)
{
	struct making m = { .out = out, .run = run };
	int rc;

	*out = (struct run_points){ .record = first_kernel(run) };
	if (!out->record)
		return 0;
	out->point = calloc(POINTS_MOST, sizeof(*out->point));
	if (!out->point)
		return error_set(err, -ASSAY_ENOMEM, "out of memory");
	choose_x(out, run);
	rc = make(&m, context, err);
	if (out->x_name)
		qsort(out->point, out->points, sizeof(*out->point), by_x);
	if (out->x_bytes)
		find_marks(out, context);
	if (rc)
		run_points_fini(out);
	return rc;
}

void run_points_fini(struct run_points *points)
{
	free(points->point);
	points->point = NULL;
	points->points = 0;
	kept_rows_free(&points->terms);
}
