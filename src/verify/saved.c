/* SPDX-License-Identifier: MIT */
/*
 * Saved records: their counts are compared with closed forms and with models of
 * the records' CPU. Nothing is run.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/formulas.h"
#include "verify/gather-evidence.h"
#include "run/saved.h"
#include "verify/program/stated.h"
#include "verify/verify.h"
#include "base/text.h"

/* The events of the group are those of the record. */
static void fill_group(struct group *group, const struct assay_record *record)
{
	group->events = record->events;
	for (unsigned e = 0; e < record->events; e++) {
		group->event[e] = (struct encoding){ .family = ENCODING_NAME };
		text_copy(group->event[e].name, sizeof(group->event[e].name),
			  record->event[e].name);
	}
}

static void claim(struct verify *v, size_t row, const struct assay_result *r,
		  bool code, bool cycle)
{
	/*
	 * other code than the kernel's may add loads and stores, unless the
	 * kernel is defined by its loads
	 */
	for (size_t i = 0; (code || cycle) && i < r->compareds; i++) {
		const struct assay_compared *c = &r->compared[i];

		if (c->expected &&
		    (code || !evidence_depends_on_code(c->quantity)) &&
		    (!c->differs || c->expected->exact) &&
		    c->expected->low <= c->expected->high)
			panel_claim(&v->panel, row, c->from, c->quantity,
				    c->expected->low, c->expected->high);
	}
}

/* "elements=64", also where 64 is the default. */
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

/* ---- simulation and timing ---------------------------------------------- */

/* The models and the evidence of one record. */
struct record_evidence {
	uint64_t signal[EVIDENCE_MODELS][SIGNALS];
	unsigned signals;
	bool exact;
	const char *not_simulated;
	struct geometry geometry;
	struct evidence evidence;
	struct assay_expectation expectation;	/* with prefetchers on, and
						 * random pages */
};

/* Sets the software PMU's page map; false: some other setting was changed. */
static bool as_simulated(const struct assay_record *r, struct geometry *g)
{
	return strcmp(r->provider, "sim") == 0 &&
	       strstr(r->settings.options, "prefetchers=") == NULL &&
	       page_map_set(g, r->settings.page_map, NULL) == 0;
}

/* Simulates models of the record's CPU at the record's shape. */
static int simulate(const struct verify *v, const struct run *run,
		    const struct assay_record *r,
		    const struct assay_shape *shape, struct record_evidence *k,
		    struct assay_error *err)
{
	const struct truth_run once = {
		.kernel = run->kernel, .shape = shape, .isa = run->target.isa,
		.geometry = &k->geometry, .warmup = r->settings.warmup,
		.repeats = r->repeats < EVIDENCE_MODELS ? r->repeats :
							   EVIDENCE_MODELS,
	};

	k->signals = 0;
	k->exact = false;
	k->not_simulated = NULL;
	if (!v->saved_cpu)
		k->not_simulated = "no file is known of the records' CPU";
	else if (!saved_own_code(r, run->target.isa))
		k->not_simulated = "somebody else's code ran";
	else if (strstr(r->settings.options, BARE_MODEL) ||
		 (strcmp(r->provider, "sim") && strcmp(r->provider, "perf")))
		k->not_simulated = "an image runs more than its kernel";
	if (k->not_simulated)
		return 0;
	k->geometry = v->saved_cpu->geometry;
	k->exact = as_simulated(r, &k->geometry);
	if (!k->exact && run->kernel->accesses(shape) > EVIDENCE_ACCESSES)
		k->not_simulated = "so many accesses take too long to "
				   "simulate";
	else
		k->not_simulated = evidence_too_long(&once);
	if (k->not_simulated)
		return 0;
	if (!k->exact)
		return evidence_models(run->kernel, shape, run->target.isa,
				      &k->geometry, r->settings.warmup,
				      k->signal, &k->signals, err);
	k->signals = once.repeats;
	return simulated_truth_run(&once, k->signal, NULL, err);
}

/* Predicts the record's shape with random pages and all prefetchers on. */
static const struct assay_expectation *
machine_expects(const struct run *run, const struct assay_record *r,
		const struct assay_shape *shape, struct record_evidence *k)
{
	plan_prefetch(&k->geometry);
	geometry_place(&k->geometry, &(struct page_map){
		.kind = PAGE_MAP_RANDOM, .size = k->geometry.page, .seed = 1 });
	memset(&k->expectation, 0, sizeof(k->expectation));
	run->kernel->expect(shape, run->target.isa, &k->geometry,
			    r->settings.warmup > 0, &k->expectation);
	return &k->expectation;
}

static void gather_evidence(struct verify *v, const struct run *run,
			    const struct assay_record *r,
			    const struct derived_metrics *j,
			    const struct assay_shape *shape, size_t row,
			    struct record_evidence *k)
{
	const bool machine = k->signals && !k->exact;
	const struct evidence_sources h = {
		.kernel = run->kernel, .shape = shape, .record = r,
		.expectation = machine ? machine_expects(run, r, shape, k) :
					 &j->expectation,
		.foreign = !saved_own_code(r, run->target.isa),
		.geometry = v->saved_cpu ? &v->saved_cpu->geometry : NULL,
		.signal = k->signals ? (const uint64_t (*)[SIGNALS])k->signal :
				       NULL,
		.signals = k->signals, .exact = k->exact,
		.not_simulated = k->not_simulated, .evidence = &k->evidence,
	};

	for (unsigned i = 0; strcmp(r->provider, "perf") == 0 &&
	     i < r->repeats; i++)
		evidence_disturbances(&v->panel, row + i, r, i);
	evidence_gather(&v->panel, row, &h);
}

/* Adds the event with the CPU file's claim, found by code or by name. */
static void add_event(struct verify *v, const struct assay_record_event *e)
{
	const int at = panel_add_event(&v->panel, e->name, e->code);
	const struct cpu_event *record_evidence = v->saved_cpu ?
		cpu_event_find(v->saved_cpu, e->name) : NULL;

	if (at >= 0 && record_evidence)
		panel_set_claim(&v->panel, (size_t)at, record_evidence);
}

/* ---- rows --------------------------------------------------------------- */

static bool is_last(const struct panel *p, const char *kernel,
		    const char *text, const char *microcode)
{
	const struct panel_shape *s = p->shape + p->shapes;

	return p->shapes && strcmp(s[-1].text, text) == 0 &&
	       strcmp(s[-1].kernel, kernel) == 0 &&
	       strcmp(s[-1].microcode, microcode) == 0;
}

/* Adds the record's repetitions as rows, with the evidence on the shape. */
static int add_rows(struct verify *v, const struct run *run,
		    const struct assay_record *record,
		    const struct derived_metrics *j,
		    const struct assay_shape *shape, struct record_evidence *k)
{
	const size_t first = v->panel.rows;
	int passes = assay_shape_find(shape, "passes");
	struct panel *p = &v->panel;
	char text[160];

	verify_shape_text(text, sizeof(text), &run->sweep, shape);
	for (unsigned e = 0; e < record->events; e++)
		add_event(v, &record->event[e]);
	if (!is_last(p, shape->kernel, text, record->machine.microcode) &&
	    panel_add_shape(p, shape->kernel, text) < 0)
		return -ASSAY_ENOMEM;
	name_size(&p->shape[p->shapes - 1], run->kernel, shape);
	text_copy(p->shape[p->shapes - 1].microcode,
		  sizeof(p->shape->microcode), record->machine.microcode);
	for (unsigned i = 0; i < record->repeats; i++) {
		const uint64_t *signal = !k->signals ? NULL : k->signal[
			k->exact && i < k->signals ? i : 0];
		int row = panel_add_row(p, signal, &k->geometry);

		if (row < 0)
			return row;
		p->row[row].truth = true;
		for (int t = 0; t < FIT_TERMS && !signal; t++)
			p->row[row].term[t] = NAN;
		p->row[row].term[FIT_runs] = 1;
		p->row[row].term[FIT_loads] = (double)
			run->kernel->accesses(shape);
		if (passes >= 0)
			p->row[row].term[FIT_passes] = (double)
				shape->option[passes].value;
		panel_count(p, (size_t)row, record, i);
		claim(v, (size_t)row, &j->result,
		      saved_own_code(record, run->target.isa),
		      run->kernel->cycle != NULL);
	}
	gather_evidence(v, run, record, j, shape, first, k);
	return 0;
}

static bool complete_shape(struct assay_shape *out, const struct kernel *kernel,
			const struct assay_record *record)
{
	return saved_shape(out, kernel, &record->shape) &&
	       kernel_check(kernel, out, NULL) == 0;
}

static int judge_record(struct verify *v, struct run *run,
			struct derived_metrics *j,
			const struct assay_record *record,
			struct record_evidence *k, struct assay_error *err)
{
	struct assay_shape shape;
	int rc = 0;

	run->kernel = kernel_find(record->shape.kernel);
	if (!run->kernel || !complete_shape(&shape, run->kernel, record))
		return verify_program(v, record);
	text_copy(v->cpu, sizeof(v->cpu), record->machine.cpu);
	fill_group(&run->group, record);
	metrics_derive(j, run, &shape, record);
	if (saved_own_code(record, run->target.isa))
		rc = verify_add_result(v, run, &j->result);
	if (rc == 0)
		rc = simulate(v, run, record, &shape, k, err);
	if (rc == 0)
		rc = add_rows(v, run, record, j, &shape, k);
	if (rc == 0 && !saved_own_code(record, run->target.isa))
		rc = verify_published(v, run, j, &shape, record, err);
	return rc;
}

/* Opens a saved file; its machine.cpu selects the formula files. */
static int open_saved(struct run *run, const char *on, struct assay_error *err)
{
	int rc = target_init(&run->target, run->assay, on, NULL, false, err);

	if (rc == 0)
		rc = formulas_load_fitting(run, run->target.saved.record[0]->
				      machine.cpu, err);
	return rc;
}

/* Were interrupts of a system counted? Not by a simulator or a bare image. */
static bool on_system(const struct assay_record *record)
{
	return strcmp(record->provider, "sim") != 0 &&
	       strcmp(record->provider, "pmuv3") != 0;
}

int verify_saved(struct verify *v, struct assay_error *err)
{
	const struct assay_job job = { .on = v->on, .cpu = -1 };
	struct derived_metrics *j = calloc(1, sizeof(*j));
	struct run *run = calloc(1, sizeof(*run));
	struct record_evidence *k = calloc(1, sizeof(*k));
	struct run *published = calloc(1, sizeof(*published));
	int rc = run && j && k && published ? 0 : error_memory(err);

	if (rc == 0) {
		run->assay = v->assay;
		run->job = &job;
		rc = open_saved(run, v->on, err);
	}
	if (rc == 0)
		v->interrupted = on_system(run->target.saved.record[0]);
	if (rc == 0)
		cpu_load(&v->saved_cpu, run->target.saved.record[0]->machine
			 .cpu, v->assay->data_dir, NULL);
	if (rc == 0)
		rc = verify_published_open(v, run->target.saved.record[0]->
					   machine.cpu, err);
	if (rc == 0) {
		published->assay = v->assay;
		rc = formulas_load_claiming(
			published, run->target.saved.record[0]->machine.cpu,
			err);
	}
	if (rc == 0)
		rc = stated_open(&v->stated, v->ask, v->assay->data_dir, err);
	for (size_t i = 0; rc == 0 && i < run->target.saved.records; i++)
		rc = judge_record(v, run, j, run->target.saved.record[i], k,
				  err);
	for (size_t i = 0; rc == 0 && i < run->target.saved.records; i++)
		rc = verify_formulas(v, published,
				     run->target.saved.record[i]);
	if (rc == 0)
		rc = stated_check(v->stated, &v->panel, err);
	stated_close(v->stated);
	if (run)
		run_fini(run);
	for (unsigned i = 0; published && i < published->files; i++)
		formula_free(published->file[i]);
	verify_published_close(v);
	free(published);
	free(run);
	free(j);
	free(k);
	return rc;
}
