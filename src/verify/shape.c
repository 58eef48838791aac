/* SPDX-License-Identifier: MIT */
/* Runs one shape of the plan: its counts, its evidence and its quantities. */
#include <stdlib.h>
#include <string.h>

#include "run/formulas.h"
#include "verify/gather-evidence.h"
#include "verify/simulated-truth.h"
#include "verify/latency-bounds.h"
#include "run/run.h"
#include "verify/verify.h"
#include "base/array.h"
#include "base/record.h"
#include "base/text.h"

int verify_keep(struct verify *v, struct assay_record *record)
{
	const bool keep = v->ask->save &&
		array_resize(&v->record, v->records + 1, sizeof(*v->record));

	if (keep)
		v->record[v->records++] = record;
	else
		record_free(record);
	return keep || !v->ask->save ? 0 : -ASSAY_ENOMEM;
}

/* The counts of one shape and the evidence on them. */
struct shape_run {
	struct run *run;
	struct assay_shape shape;
	struct group asked;		/* events of formulas */
	uint64_t signal[EVIDENCE_MODELS][SIGNALS];
	unsigned signals;
	size_t row;		/* of the first repetition in the panel */
	struct event_sets event_sets;
	struct time_pie pie;
	struct assay_expectation expectation;
	struct evidence evidence;
	struct derived_metrics derived_metrics;
};

static bool in_group(const struct group *group, const char *name)
{
	for (unsigned i = 0; i < group->events; i++)
		if (text_equal(group->event[i].name, name))
			return true;
	return false;
}

/*
 * Fills the group with the next wanted events, from *next on, that `done`
 * lacks: as many as can be counted together. Returns their number.
 */
static unsigned next_group(struct shape_run *s, const struct verify *v,
			   const struct group *done, size_t *next,
			   struct assay_error *err)
{
	unsigned most = v->counters ? v->counters : ASSAY_EVENTS;
	struct group *group = &s->run->group;

	group->events = 0;
	for (; *next < v->panel.events && group->events < most; (*next)++) {
		const struct panel_event *e = &v->panel.event[*next];

		if (e->counts && !e->unasked && !in_group(done, e->name))
			events_parse(group, e->name, &s->run->target.events,
				     err);
	}
	return group->events;
}

static int measure_group(struct shape_run *s, struct verify *v,
			 struct assay_record **out, struct assay_error *err)
{
	struct assay_record *r = NULL;
	int rc = v->exact ? run_measure(s->run, &s->shape, &r, err) :
		 run_measure_sets(s->run, &s->event_sets, &s->shape, &r, err);

	if (rc < 0)
		return rc;
	for (unsigned i = 0; i < r->repeats && i < v->repeats; i++)
		panel_count(&v->panel, s->row + i, r, i);
	*out = r;
	return 0;
}

/* Copies the counts of r into the record that is judged. */
static void merge(struct assay_record *to, const struct assay_record *r)
{
	for (unsigned e = 0; e < r->events; e++) {
		int of = assay_record_find(to, r->event[e].name);

		for (unsigned i = 0; of >= 0 && i < r->repeats; i++)
			to->counts[(size_t)i * to->events + (unsigned)of] =
				r->counts[(size_t)i * r->events + e];
	}
}

/* Events beyond the first group, each counted the whole time. */
static int measure_rest(struct shape_run *s, struct verify *v,
			struct assay_record *first, struct assay_error *err)
{
	const struct group none = { 0 };
	struct assay_record *r;
	size_t next = 0;
	int rc = 0;

	while (rc == 0 && next_group(s, v, v->counters ? &none : &s->asked,
				     &next, err)) {
		rc = measure_group(s, v, &r, err);
		if (rc < 0)
			break;
		merge(first, r);
		rc = verify_keep(v, r);
	}
	s->run->group = s->asked;
	if (rc == 0 && record_own_reasons(first) < 0)
		rc = error_memory(err);
	return rc;
}

/* Claims the bounds of closed forms, which serve where no model is known. */
static void claim_closed_forms(struct verify *v, const struct shape_run *s,
			       const struct assay_result *r)
{
	for (size_t i = 0; i < r->compareds; i++) {
		const struct assay_compared *c = &r->compared[i];

		for (unsigned k = 0; k < v->repeats && c->expected &&
		     !c->differs; k++)
			if (c->expected->low <= c->expected->high)
				panel_claim(&v->panel, s->row + k, c->from,
					    c->quantity,
					    c->expected->low,
					    c->expected->high);
	}
}

void plan_prefetch(struct geometry *g)
{
	for (uint32_t i = 0; i < g->prefetchers; i++)
		g->prefetcher[i].on = true;
}

int plan_simulated_truth(struct truth_run *w, bool forward,
			 uint64_t (*signal)[SIGNALS], bool *leave_out,
			 struct assay_error *err)
{
	uint64_t forwarded = 0;
	int rc;

	w->patience = forward ? 128 : 0;	/* gives up early if not
						 * periodic */
	rc = simulated_truth_run(w, signal, &forwarded, err);
	*leave_out = forward && !forwarded;
	return rc;
}

static int simulate_truth(struct verify *v, struct shape_run *s,
			  enum plan_how how, bool *leave_out,
			  struct assay_error *err)
{
	struct geometry geometry = v->witness->geometry;

	struct truth_run w = {
		.kernel = s->run->kernel, .shape = &s->shape,
		.isa = v->witness->isa, .geometry = &geometry,
		.warmup = run_warmup(s->run), .repeats = v->repeats,
	};

	*leave_out = false;
	if (!v->exact)
		return evidence_models(w.kernel, w.shape, w.isa, &geometry,
				      w.warmup, s->signal, &s->signals,
				      err);
	s->signals = v->repeats;
	if (how == PLAN_PREFETCHERS)
		plan_prefetch(&geometry);
	return plan_simulated_truth(&w, how == PLAN_FORWARD, s->signal,
				    leave_out, err);
}

static int add_rows(struct verify *v, struct shape_run *s,
		    struct assay_error *err)
{
	char text[160];
	int row = 0, rc;

	verify_shape_text(text, sizeof(text), &s->run->sweep,
			  &s->shape);
	rc = panel_add_shape(&v->panel, s->run->kernel->name, text);
	s->row = v->panel.rows;
	for (unsigned i = 0; i < v->repeats && rc == 0 && row >= 0; i++)
		row = panel_add_row(&v->panel, !v->witness ? NULL :
				    s->signal[v->exact ? i : 0],
				    &s->run->target.geometry);
	if (rc < 0 || row < 0)
		return error_memory(err);
	return 0;
}

static void add_group_events(struct verify *v, const struct group *group)
{
	for (unsigned e = 0; !v->exact && e < group->events; e++)
		if (!strstr(VERIFY_DISTURBANCES, group->event[e].name))
			panel_add_event(&v->panel, group->event[e].name,
					group->event[e].code);
}

/* Notes the disturbances of the repetitions that the system counted. */
static void note_disturbances(struct verify *v, const struct shape_run *s,
			      const struct assay_record *record)
{
	for (unsigned r = 0; r < record->repeats && r < v->repeats; r++)
		evidence_disturbances(&v->panel, s->row + r, record, r);
}

bool verify_has_pie(const struct verify *v, const struct kernel *kernel,
		    const struct assay_shape *shape)
{
	return !v->exact && v->witness &&
	       !latency_bounds_refuses(kernel, shape);
}

static int time_shape(struct verify *v, struct shape_run *s,
		      const struct time_pie **pie, struct assay_error *err)
{
	struct env_affinity old = { .changed = false };
	int cpu, rc;

	*pie = NULL;
	if (!verify_has_pie(v, s->run->kernel, &s->shape))
		return 0;
	rc = run_pin(s->run, &old, &cpu, err);
	if (rc < 0)
		return rc;
	rc = time_pie_measure(s->run, &s->shape, &s->pie, err);
	env_unpin(&old);
	*pie = &s->pie;
	if (rc == -ASSAY_EUNAVAIL)	/* no clock: no pie */
		*pie = NULL;
	return rc == -ASSAY_EUNAVAIL ? 0 : rc;
}

static int gather_evidence(struct verify *v, struct shape_run *s,
		const struct assay_record *record, struct assay_error *err)
{
	struct evidence_sources h = {
		.kernel = s->run->kernel, .shape = &s->shape,
		.record = record, .expectation = &s->expectation,
		.evidence = &s->evidence, .exact = v->exact,
	};
	int rc = time_shape(v, s, &h.pie, err);

	if (rc < 0)
		return rc;
	if (v->witness) {
		h.signal = (const uint64_t (*)[SIGNALS])s->signal;
		h.signals = s->signals;
		h.geometry = v->exact ? &s->run->target.geometry :
					&v->witness->geometry;
	}
	memset(&s->expectation, 0, sizeof(s->expectation));
	h.kernel->expect(h.shape, s->run->target.isa, h.geometry,
			 record->settings.warmup > 0, &s->expectation);
	evidence_gather(&v->panel, s->row, &h);
	return 0;
}

static int verify_shape(struct verify *v, struct shape_run *s,
			enum plan_how how, struct assay_error *err)
{
	struct derived_metrics *j = &s->derived_metrics;
	struct assay_record *first = NULL;
	bool leave_out = false;
	int rc = v->witness ? simulate_truth(v, s, how, &leave_out, err) :
			      0;

	if (rc < 0 || leave_out)
		return rc;
	add_group_events(v, &s->asked);
	rc = add_rows(v, s, err);
	if (rc == 0)
		rc = measure_group(s, v, &first, err);
	if (rc == 0)
		text_copy(v->cpu, sizeof(v->cpu), first->machine.cpu);
	if (rc == 0 && v->witness)
		rc = measure_rest(s, v, first, err);
	if (rc == 0) {
		metrics_derive(j, s->run, &s->shape, first);
		rc = verify_slope(v, s->run, j, &s->shape, err);
		if (rc == 0)
			rc = verify_add_result(v, s->run, &j->result);
		if (!v->exact)
			claim_closed_forms(v, s, &j->result);
	}
	if (rc == 0 && !v->exact)
		note_disturbances(v, s, first);
	if (rc == 0)
		rc = gather_evidence(v, s, first, err);
	if (rc < 0) {
		record_free(first);
		return rc;
	}
	return verify_keep(v, first) < 0 ? error_memory(err) : 0;
}

int verify_shapes(struct verify *v, struct run *run, enum plan_how how,
		  struct assay_error *err)
{
	struct shape_run *s = calloc(1, sizeof(*s));
	int rc = s ? 0 : error_memory(err);

	run->asked = run->files;
	if (rc == 0)
		rc = formulas_add_events(run, err);
	if (rc < 0)
		goto out_at;
	s->run = run;
	s->asked = run->group;
	for (unsigned i = 0; i < run->sweep.shapes && rc == 0; i++) {
		rc = sweep_shape(&run->sweep, i, &s->shape, err);
		if (rc == 0)
			rc = verify_shape(v, s, how, err);
		v->done++;
		if (v->ask->progress && v->ask->progress(v->ask->ctx, v->done,
							 v->total))
			v->stopped = true;
		if (v->stopped)
			break;
	}
out_at:
	free(s);
	return rc;
}
