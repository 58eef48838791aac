/* SPDX-License-Identifier: MIT */
/* Running a published experiment that a data file (recipe) describes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hypotheses/recipe-run.h"
#include "run/metrics.h"
#include "run/saved.h"
#include "base/record.h"
#include "base/row.h"
#include "base/text.h"

#define FIELDS (SWEEP_AXES + RECIPE_EVENTS + METRICS_VALUES + 8)

/* The result of a claim over all points in its range. */
struct outcome {
	unsigned points, fails;
	double worst, beyond;	/* value, and how far outside of the bounds */
	bool ratio;		/* the value does not depend on the divisor */
	char at[40];		/* the size of the worst value */
	char where[120];	/* with its option: "elements 32" */
	char why[200];		/* why no point could be judged */
};

struct cooking {
	struct assay *assay;
	const struct recipe *recipe;
	const char *on, *page_map;
	assay_row_fn *fn;
	void *ctx;
	struct outcome outcome[RECIPE_CLAIMS];
	unsigned long counted;	/* counts that are present */
	struct derived_metrics judged;
};

/* ---- numbers ------------------------------------------------------------ */

struct point {
	const struct run *run;
	const struct recipe_run *of;
	const struct assay_shape *shape;
	const struct assay_record *record;
	double per;		/* divisor of the counts */
	double size;		/* value of the swept option; NaN: none */
	const struct assay_shape_value *swept;	/* that option, or NULL */
};

/* An option of the shape, or "accesses". */
static struct assay_value shape_value(void *ctx, const char *name)
{
	const struct point *p = ctx;

	return saved_number(p->run->kernel, p->shape, name);
}

/* Cache sizes and line size of the machine that the recipe runs on. */
static struct assay_value cache_value(void *ctx, const char *name)
{
	const struct point *p = ctx;
	const struct target *t = &p->run->target;
	const struct geometry *g = &t->geometry;

	if (!t->has_geometry || (t->provider == &replay_provider && !t->cpu))
		return (struct assay_value){ .why = "not known" };
	if (!strcmp(name, "line"))
		return plain_value(g->l1d.line_bytes);
	if (strcmp(name, "l1d") == 0 && g->l1d.present)
		return plain_value((double)cache_bytes(&g->l1d));
	if (strcmp(name, "l2") == 0 && g->l2.present)
		return plain_value((double)cache_bytes(&g->l2));
	if (strcmp(name, "l3") == 0 && g->l3.present)
		return plain_value((double)cache_bytes(&g->l3));
	return (struct assay_value){ .why = "there is none" };
}

static struct assay_value event_value(const struct point *p, unsigned event)
{
	int found = assay_record_find(p->record, p->of->event[event]);
	struct assay_value v = { .why = "not in the record" };

	if (found >= 0)
		v = assay_record_value(p->record, (unsigned)found);
	if (found >= 0 && v.why && p->record->event[found].why[0])
		v.why = p->record->event[found].why;
	v.number /= p->per;
	return v;
}

static struct assay_value claim_name(const void *ctx, int name)
{
	return event_value(ctx, (unsigned)name);
}

/* ---- claims ------------------------------------------------------------- */

static int in_range(const struct point *p, const struct recipe_claim *claim,
		    bool *out, struct outcome *o)
{
	const char *text[] = { claim->from, claim->to };
	double bound;

	*out = true;
	for (int i = 0; i < 2; i++) {
		struct assay_error why;

		if (!*text[i])
			continue;
		if (recipe_number(&bound, text[i], cache_value, (void *)p,
				  &why) < 0) {
			text_copy(o->why, sizeof(o->why), why.text);
			*out = false;
			return -1;
		}
		if (isnan(p->size) || (i ? p->size > bound : p->size < bound))
			*out = false;
	}
	return 0;
}

/* "elements 32", "bytes 16 KiB" */
static void where_text(char *out, size_t room, const struct point *p)
{
	char value[40];

	*out = '\0';
	if (!p->swept)
		return;
	if (p->swept->kind == ASSAY_OPTION_BYTES)
		text_bytes(value, sizeof(value), (uint64_t)p->size);
	else
		text_groups(value, sizeof(value), (uint64_t)p->size);
	snprintf(out, room, "%.60s %s", p->swept->name, value);
}

/* Is the claim's value the same for another divisor of the counts? */
static bool is_ratio(const struct point *p, const struct recipe_claim *claim,
		     double value)
{
	struct point other = *p;

	other.per *= 2;
	return value != 0 &&
	       expr_value(&claim->of, claim_name, &other).number == value;
}

static void check_claim(const struct point *p,
			const struct recipe_claim *claim, struct outcome *o)
{
	struct assay_value v;
	double beyond;
	bool in;

	if (in_range(p, claim, &in, o) < 0 || !in)
		return;
	v = expr_value(&claim->of, claim_name, p);
	if (!v.why && v.estimate)
		v.why = "counted a part of the time only";
	if (v.why) {
		text_copy(o->why, sizeof(o->why), v.why);
		return;
	}
	o->ratio |= is_ratio(p, claim, v.number);
	beyond = fmax(fmax(claim->low - v.number, v.number - claim->high), 0);
	if (!o->points++ || beyond > o->beyond) {
		o->worst = v.number;
		o->beyond = beyond;
		*o->at = '\0';
		if (!isnan(p->size))
			snprintf(o->at, sizeof(o->at), "%.0f", p->size);
		where_text(o->where, sizeof(o->where), p);
	}
	o->fails += beyond > 0;
}

static int emit_claim(const struct cooking *c, unsigned i)
{
	const struct recipe_claim *claim = &c->recipe->claim[i];
	const struct outcome *o = &c->outcome[i];
	const char *verdict = o->fails ? "fails" : o->points ? "holds" :
			      "not judged";
	struct assay_value worst = { .number = o->worst };

	if (!o->points)
		worst.why = o->why[0] ? o->why : "no point is in its range";
	const struct assay_field field[] = {
		field_text("claim", claim->says),
		field_text("verdict", verdict),
		field_text("run", c->recipe->run[claim->run].name),
		field_count("points", o->points),
		field_count("fails", o->fails),
		field_value("low", plain_value(claim->low)),
		field_value("high", plain_value(claim->high)),
		field_value("worst", worst), field_text("at", o->at),
		field_detail("of", claim->text),
		field_detail("per", o->ratio ? "" :
			     c->recipe->run[claim->run].per),
		field_detail("where", o->where),
	};

	return row_emit(c->fn, c->ctx, "claim", field,
			sizeof(field) / sizeof(*field));
}

/* ---- points ------------------------------------------------------------- */

static struct assay_field option_field(const struct assay_shape_value *v)
{
	struct assay_field f = field_count(v->name, (uint64_t)v->value);

	if (v->kind == ASSAY_OPTION_CHOICE)
		return field_text(v->name, v->word);
	f.flags = v->kind == ASSAY_OPTION_BYTES ? ASSAY_FIELD_BYTES : 0;
	return f;
}

static int emit_point(struct cooking *c, const struct point *p)
{
	struct assay_field *field = calloc(FIELDS, sizeof(*field));
	const struct sweep *sweep = &p->run->sweep;
	size_t n = 0;
	int rc;

	if (!field)
		return -ASSAY_ENOMEM;
	field[n++] = field_text("run", p->of->name);
	for (unsigned i = 0; i < sweep->axes; i++) {
		int o = assay_shape_find(p->shape, sweep->axis[i].name);

		if (sweep->axis[i].values < 2)
			continue;
		field[n++] = option_field(&p->shape->option[o]);
	}
	for (unsigned e = 0; e < p->of->events; e++) {
		struct assay_value v = event_value(p, e);

		c->counted += v.why == NULL;
		field[n] = field_value(p->of->event[e], v);
		if (field[n].kind == ASSAY_FIELD_REAL)
			field[n].decimals = 4;
		n++;
	}
	rc = row_emit(c->fn, c->ctx, "point", field, n);
	free(field);
	return rc;
}

/* The pies of the run's formula files. */
static int emit_pies(struct cooking *c, const struct point *p)
{
	int rc = 0;

	metrics_derive(&c->judged, p->run, p->shape, p->record);
	for (size_t i = 0; i < c->judged.result.pies && rc == 0; i++) {
		const struct assay_pie *pie = &c->judged.pie[i];
		const struct assay_field field[] = {
			field_text("run", p->of->name),
			field_value("size", plain_value(p->size)),
			field_text("pie", pie->name),
			field_value("l1", pie->l1), field_value("l2", pie->l2),
			field_value("l3", pie->l3),
			field_value("dram", pie->dram),
			field_value("total", pie->total),
			field_text("title", pie->title),
		};

		rc = row_emit(c->fn, c->ctx, "pie", field, 9);
	}
	return rc;
}

/* The metrics of the run's formula files. */
static int emit_metrics(struct cooking *c, const struct point *p)
{
	int rc = 0;

	metrics_derive(&c->judged, p->run, p->shape, p->record);
	for (size_t i = 0; i < c->judged.result.metrics && rc == 0; i++) {
		const struct assay_metric *m = &c->judged.metric[i];
		const struct assay_field field[] = {
			field_text("run", p->of->name),
			field_value("size", plain_value(p->size)),
			field_text("metric", m->name),
			field_value("value", m->value),
		};

		rc = row_emit(c->fn, c->ctx, "metric", field, 4);
	}
	return rc;
}

/* The option of a sweep's x value: the kernel's size, else the first axis. */
static const struct assay_shape_value *swept_of(const struct run *run,
						const struct assay_shape *shape)
{
	const char *name = run->kernel->size_option;
	int i = name ? assay_shape_find(shape, name) : -1;

	if (i < 0 && run->sweep.axes)
		i = assay_shape_find(shape, run->sweep.axis[0].name);
	return i < 0 ? NULL : &shape->option[i];
}

static double size_of(const struct run *run, const struct assay_shape *shape)
{
	const struct assay_shape_value *swept = swept_of(run, shape);

	return swept ? (double)swept->value : NAN;
}

static int find_per(struct point *p, struct assay_error *err)
{
	struct assay_error why;

	p->per = 1;
	if (!*p->of->per)
		return 0;
	if (recipe_number(&p->per, p->of->per, shape_value, p, &why) < 0)
		return error_set(err, -ASSAY_EPARSE, "run '%.60s': per: %.200s",
				 p->of->name, why.text);
	if (p->per > 0)
		return 0;
	return error_set(err, -ASSAY_EPARSE, "run '%.60s': per: '%.80s' is not "
			 "greater than 0", p->of->name, p->of->per);
}

static int add_point(struct cooking *c, struct point *p, unsigned run,
		      struct assay_error *err)
{
	int rc = find_per(p, err);

	if (rc == 0)
		rc = emit_point(c, p);
	for (unsigned i = 0; i < c->recipe->claims && rc == 0; i++)
		if (c->recipe->claim[i].run == run)
			check_claim(p, &c->recipe->claim[i], &c->outcome[i]);
	return rc;
}

/* ---- runs --------------------------------------------------------------- */

static int measure(struct cooking *c, struct run *run, unsigned index,
		   unsigned shape_index, struct assay_shape *shape,
		   struct assay_record **record, struct assay_error *err)
{
	struct point p = { .run = run, .of = &c->recipe->run[index],
			   .shape = shape };
	int rc = sweep_shape(&run->sweep, shape_index, shape, err);

	if (rc == 0)
		rc = run_measure(run, shape, record, err);
	if (rc < 0)
		return rc;
	p.record = *record;
	p.size = size_of(run, shape);
	p.swept = swept_of(run, shape);
	return add_point(c, &p, index, err);
}

typedef int emit_fn(struct cooking *c, const struct point *p);

static int emit_each(struct cooking *c, struct run *run, unsigned index,
		     const struct assay_shape *shape,
		     struct assay_record *const *record, emit_fn *emit)
{
	int rc = 0;

	for (unsigned i = 0; i < run->sweep.shapes && rc == 0; i++)
		rc = emit(c, &(struct point){
			.run = run, .of = &c->recipe->run[index],
			.shape = &shape[i], .record = record[i],
			.size = size_of(run, &shape[i]) });
	return rc;
}

/* All points first, then the formulas' values: tables, not single rows. */
static int cook_shapes(struct cooking *c, struct run *run, unsigned index,
		       struct assay_error *err)
{
	const unsigned n = run->sweep.shapes;
	struct assay_shape *shape = calloc(n, sizeof(*shape));
	struct assay_record **record = calloc(n, sizeof(*record));
	int rc = shape && record ? 0 :
		 error_set(err, -ASSAY_ENOMEM, "out of memory");

	for (unsigned i = 0; i < n && rc == 0; i++)
		rc = measure(c, run, index, i, &shape[i], &record[i], err);
	if (rc == 0 && *c->recipe->run[index].formulas) {
		rc = emit_each(c, run, index, shape, record, emit_pies);
		if (rc == 0)
			rc = emit_each(c, run, index, shape, record,
				       emit_metrics);
	}
	for (unsigned i = 0; record && i < n; i++)
		record_free(record[i]);
	free(record);
	free(shape);
	return rc;
}

static int cook_run(struct cooking *c, struct run *run, unsigned index,
		    struct assay_error *err)
{
	struct recipe_job job = { .recipe = c->recipe, .index = index,
				  .on = c->on, .page_map = c->page_map };
	int rc = recipe_run_init(run, c->assay, &job, err);

	if (rc < 0)
		return rc;
	rc = cook_shapes(c, run, index, err);
	run_fini(run);
	return rc;
}

static int emit_plots(const struct cooking *c)
{
	int rc = 0;

	for (unsigned i = 0; i < c->recipe->plots && rc == 0; i++) {
		const struct assay_field field[] = {
			field_text("run", c->recipe->run[0].name),
			field_text("event", c->recipe->plot[i]),
		};

		rc = row_emit(c->fn, c->ctx, "plot", field, 2);
	}
	return rc;
}

static int cook(struct cooking *c, unsigned *fails, struct assay_error *err)
{
	struct run *run = calloc(1, sizeof(*run));
	int rc = run ? 0 : error_set(err, -ASSAY_ENOMEM, "out of memory");

	if (rc == 0)
		rc = recipe_describe(c->recipe, c->fn, c->ctx);
	if (rc == 0)
		rc = emit_plots(c);
	for (unsigned i = 0; i < c->recipe->runs && rc == 0; i++)
		rc = cook_run(c, run, i, err);
	if (rc == 0 && !c->counted)
		rc = error_set(err, -ASSAY_EUNAVAIL, "none of the events can "
			       "be counted here\ntry: --on %s", c->recipe->on);
	*fails = 0;
	for (unsigned i = 0; i < c->recipe->claims && rc == 0; i++) {
		*fails += c->outcome[i].fails > 0;
		rc = emit_claim(c, i);
	}
	free(run);
	return rc;
}

int assay_recipe(struct assay *assay, const char *name, const char *on,
		 const char *page_map, assay_row_fn *fn, void *ctx,
		 unsigned *fails, struct assay_error *err)
{
	struct cooking *c;
	struct recipe *recipe = NULL;
	unsigned failed = 0;
	int rc;

	if (!name)
		return recipe_verdicts(assay, on, fn, ctx, err);
	c = calloc(1, sizeof(*c));
	rc = c ? recipe_load(&recipe, name, assay->data_dir, err) :
		 error_set(err, -ASSAY_ENOMEM, "out of memory");

	if (rc == 0) {
		c->assay = assay;
		c->recipe = recipe;
		c->on = on ? on : recipe->on;
		c->page_map = page_map ? page_map :
			      *recipe->page_map && !on ? recipe->page_map :
			      NULL;
		c->fn = fn;
		c->ctx = ctx;
		rc = cook(c, &failed, err);
	}
	if (rc == 0)
		*fails = failed;
	recipe_free(recipe);
	free(c);
	return rc;
}
