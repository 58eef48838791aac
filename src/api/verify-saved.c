/* SPDX-License-Identifier: MIT */
/* Saved records against the closed forms: nothing is run. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/formulas.h"
#include "api/verify.h"
#include "base/text.h"

/* The shape with all of the kernel's options; false: it is none of ours. */
static bool complete_shape(struct assay_shape *out,
			   const struct kernel *kernel,
			   const struct assay_shape *saved)
{
	int rc = 0;

	kernel_defaults(kernel, out);
	for (unsigned i = 0; i < saved->options && !rc; i++) {
		const struct assay_shape_value *o = &saved->option[i];
		const struct kernel_option *option =
			kernel_option(kernel, o->name);
		int64_t value = o->value;

		for (int w = 0; option && o->kind == ASSAY_OPTION_CHOICE &&
		     option->kind == o->kind && option->words[w]; w++)
			if (strcmp(option->words[w], o->word) == 0)
				value = w;
		rc = kernel_set(kernel, out, o->name, value, NULL);
	}
	return rc == 0 && kernel->resolve(out, NULL) == 0 &&
	       kernel_check(kernel, out, NULL) == 0;
}

/* The events of the record; what is not counted has its reason there. */
static void take_group(struct group *group, const struct assay_record *record)
{
	group->events = record->events;
	for (unsigned e = 0; e < record->events; e++) {
		group->event[e] = (struct encoding){ .family = ENCODING_NAME };
		text_copy(group->event[e].name, sizeof(group->event[e].name),
			  record->event[e].name);
	}
}

/* Did our own code run? A published table is of somebody else's. */
static bool own_code(const struct run *run, const struct assay_record *record)
{
	return strcmp(record->provider, "published") != 0 &&
	       text_equal(record->machine.isa, isa_names[run->target.isa]);
}

/*
 * Loops that were published with their instructions counted by hand: n^3, n^2
 * and n of the option `n`.
 */
static const struct published {
	const char *cpu, *isa, *kernel, *word, *event;
	double cube, square, line;
} published[] = {
	{ "cortex-a72", "arm", "matmul", "textbook", "INST_RETIRED", 38, 26,
	  9 },
};

static void claim_published(struct verify *v, size_t row,
			    const struct assay_record *r,
			    const struct assay_shape *shape)
{
	for (size_t i = 0; i < sizeof(published) / sizeof(*published); i++) {
		const struct published *p = &published[i];
		int at = assay_shape_find(shape, "n");
		double n, sum;

		if (at < 0 || !text_equal(p->cpu, r->machine.cpu) ||
		    !text_equal(p->isa, r->machine.isa) ||
		    !text_equal(p->kernel, shape->kernel) ||
		    !text_equal(p->word, shape->option[at + 1].word))
			continue;
		n = (double)shape->option[at].value;
		sum = ((p->cube * n + p->square) * n + p->line) * n;
		panel_claim(&v->panel, row, p->event, sum, sum);
	}
}

/* Depends on the code that ran, not only on what it does to memory. */
static bool of_code(enum assay_quantity q)
{
	return q == ASSAY_Q_instructions || q == ASSAY_Q_branches ||
	       q == ASSAY_Q_branches_taken || q == ASSAY_Q_cycles ||
	       q == ASSAY_Q_mispredicts;
}

static void claim(struct verify *v, size_t row, const struct assay_result *r,
		  bool code, bool cycle)
{
	/* other code may load and store as it likes, unless its loads are what
	 * it is about */
	for (size_t i = 0; (code || cycle) && i < r->compareds; i++) {
		const struct assay_compared *c = &r->compared[i];

		if (c->expected && (code || !of_code(c->quantity)) &&
		    (!c->differs || c->expected->exact) &&
		    c->expected->low <= c->expected->high)
			panel_claim(&v->panel, row, c->from, c->expected->low,
				    c->expected->high);
	}
}

/* "elements=64", even where that is the default. */
static void name_size(struct panel_shape *out, const struct kernel *kernel,
		      const struct assay_shape *shape)
{
	int at = kernel->size_option ?
		 assay_shape_find(shape, kernel->size_option) : -1;

	if (at >= 0)
		snprintf(out->size, sizeof(out->size), "%.20s=%lld",
			 shape->option[at].name,
			 (long long)shape->option[at].value);
}

/* The record's repetitions become rows, with what is known of the shape. */
static int add_rows(struct verify *v, const struct run *run,
		    const struct assay_record *record,
		    const struct judgement *j, const struct assay_shape *shape)
{
	int passes = assay_shape_find(shape, "passes");
	struct panel *p = &v->panel;
	char text[160];

	verify_shape_text(text, sizeof(text), &run->sweep, shape);
	for (unsigned e = 0; e < record->events; e++)
		panel_add_event(p, record->event[e].name,
				record->event[e].code);
	if ((!p->shapes || strcmp(p->shape[p->shapes - 1].text, text) != 0 ||
	     strcmp(p->shape[p->shapes - 1].kernel, shape->kernel) != 0) &&
	    panel_add_shape(p, shape->kernel, text) < 0)
		return -ASSAY_ENOMEM;
	name_size(&p->shape[p->shapes - 1], run->kernel, shape);
	for (unsigned i = 0; i < record->repeats; i++) {
		int row = panel_add_row(p, NULL, NULL);

		if (row < 0)
			return row;
		p->row[row].truth = true;
		for (int t = 0; t < FIT_TERMS; t++)
			p->row[row].term[t] = NAN;
		p->row[row].term[FIT_runs] = 1;
		p->row[row].term[FIT_loads] = (double)
			run->kernel->accesses(shape);
		if (passes >= 0)
			p->row[row].term[FIT_passes] = (double)
				shape->option[passes].value;
		panel_count(p, (size_t)row, record, i);
		claim(v, (size_t)row, &j->result, own_code(run, record),
		      run->kernel->cycle != NULL);
		claim_published(v, (size_t)row, record, shape);
	}
	return 0;
}

/* Laws that hold whatever ran: only the violated ones are handed on. */
static int take_identity(void *ctx, const struct assay_row *row)
{
	struct verify *v = ctx;

	for (size_t i = 0; i < row->fields; i++)
		if (strcmp(row->field[i].name, "verdict") == 0 &&
		    strcmp(row->field[i].text, "violated") == 0)
			return v->fn(v->ctx, row);
	return 0;
}

static int judge_record(struct verify *v, struct run *run,
			struct judgement *j, const struct assay_record *record)
{
	struct assay_shape shape;
	unsigned violated = 0;
	int rc = 0;

	assay_check_identities(v->assay, record, take_identity, v, &violated,
			       NULL);
	v->disagrees += violated;
	run->kernel = kernel_find(record->shape.kernel);
	if (!run->kernel ||
	    !complete_shape(&shape, run->kernel, &record->shape))
		return 0;
	take_group(&run->group, record);
	judge(j, run, &shape, record);
	if (own_code(run, record))
		rc = verify_take(v, run, &j->result);
	if (rc == 0)
		rc = add_rows(v, run, record, j, &shape);
	if (rc == 0 && !own_code(run, record))
		rc = verify_published(v, run, j, &shape, record);
	return rc;
}

/* What machine.cpu says decides which formulas are meant. */
static int open_saved(struct run *run, const char *on, struct assay_error *err)
{
	int rc = target_init(&run->target, run->assay, on, NULL, false, err);

	if (rc == 0)
		rc = formulas_fitting(run, run->target.saved.record[0]->
				      machine.cpu, err);
	return rc;
}

int verify_saved(struct verify *v, struct assay_error *err)
{
	const struct assay_job job = { .on = v->on, .cpu = -1 };
	struct judgement *j = calloc(1, sizeof(*j));
	struct run *run = calloc(1, sizeof(*run));
	int rc = run && j ? 0 : error_set(err, -ASSAY_ENOMEM, "out of memory");

	if (rc == 0) {
		run->assay = v->assay;
		run->job = &job;
		rc = open_saved(run, v->on, err);
	}
	for (size_t i = 0; rc == 0 && i < run->target.saved.records; i++)
		rc = judge_record(v, run, j, run->target.saved.record[i]);
	if (run)
		run_fini(run);
	free(run);
	free(j);
	return rc;
}
