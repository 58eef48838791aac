/* SPDX-License-Identifier: MIT */
/*
 * What is run: shapes on both sides of every level, and shapes that tell the
 * possible meanings of an event apart: loads, stores, loads that are stored to,
 * write-backs, walks, code, branches that can and cannot be foreseen.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/formulas.h"
#include "api/verify.h"
#include "api/hearing.h"
#include "api/oracle.h"
#include "api/pace.h"
#include "api/packed.h"
#include "base/record.h"
#include "base/row.h"
#include "base/text.h"

enum { QUICK = 1, NORMAL = 2, THOROUGH = 4, USUAL = NORMAL | THOROUGH,
       ALWAYS = QUICK | USUAL };

static const struct row {
	const char *kernel;
	unsigned when;
	enum { PLAIN,
	       FORWARD,		/* only if nearly all need not be simulated */
	       PREFETCHERS	/* with the model's prefetchers switched on */
	} how;
	struct assay_setting setting[4];
} plan[] = {
	{ "chase", USUAL, PLAIN, { { "elements", "16..65536" },
	  { "passes", "8" }, { "order", "linear,shuffled" } } },
	{ "chase", QUICK, PLAIN, { { "elements", "64,1024,8192,32768" },
	  { "passes", "4" } } },
	{ "random", USUAL, PLAIN, { { "bytes", "4K..16M" },
	  { "accesses", "65536" } } },
	{ "random", QUICK, PLAIN, { { "bytes", "64K,2M" },
	  { "accesses", "16384" } } },
	{ "random", THOROUGH, PLAIN, { { "bytes", "4K..16M/2" },
	  { "accesses", "262144" }, { "seed", "2,3" } } },
	{ "pages", USUAL, PLAIN, { { "pages", "8..2048" } } },
	{ "pages", QUICK, PLAIN, { { "pages", "64,2048" },
	  { "passes", "4" } } },
	{ "stream", USUAL, PLAIN, { { "ints", "1K..256K" } } },
	{ "stream", QUICK, PLAIN, { { "ints", "16K" } } },
	{ "stride", USUAL, PLAIN, { { "bytes", "16K..1M" },
	  { "op", "load,store,update" } } },
	{ "stride", QUICK, PLAIN, { { "bytes", "32K,512K" },
	  { "offsets", "4" }, { "op", "load,store,update" } } },
	{ "stride", QUICK, PLAIN, { { "bytes", "6M" }, { "offsets", "1" },
	  { "op", "update" } } },
	{ "store", USUAL, PLAIN, { { "bytes", "16K..1M" } } },
	{ "flush", ALWAYS, PLAIN, { { "lines", "1,3,16" },
	  { "iterations", "20" } } },
	{ "iflush", ALWAYS, PLAIN, { { "lines", "1,3,16" } } },
	{ "matmul", USUAL, PLAIN, { { "n", "8,24,48" },
	  { "order", "textbook,interchange" } } },
	{ "matmul", QUICK, PLAIN, { { "n", "16" } } },
	{ "branch", USUAL, PLAIN, { { "chars", "20000" }, { "passes", "4" },
	  { "pattern", "random,ones,zeros" } } },
	{ "branch", QUICK, PLAIN, { { "chars", "5000" }, { "passes", "2" },
	  { "pattern", "random,zeros" } } },
	{ "icode", USUAL, PLAIN, { { "lines", "64,512,4096" } } },
	{ "icode", QUICK, PLAIN, { { "lines", "64,2048" } } },
	{ "callret", ALWAYS, PLAIN, { { "depth", "2,8,64" } } },
	/* beyond 2^32 of whatever a pass does */
	{ "chase", ALWAYS, FORWARD, { { "elements", "64,256,4096" },
	  { "passes", "134217728" } } },
	{ "stream", USUAL, PREFETCHERS, { { "ints", "1K..64K" } } },
	{ "stream", QUICK, PREFETCHERS, { { "ints", "16K" } } },
	{ "stride", ALWAYS, PREFETCHERS, { { "bytes", "256K" },
	  { "offsets", "4" }, { "op", "load,update" } } },
	{ "chase", USUAL, PREFETCHERS, { { "elements", "256..16384" },
	  { "passes", "4" }, { "order", "linear,page-local" } } },
	{ "touch", USUAL, PLAIN, { { "pages", "1,100" } } },
	{ "watch", USUAL, PLAIN, { { "accesses", "1,1000" } } },
	{ "empty", ALWAYS, PLAIN, { { NULL, NULL } } },
};
enum { ROWS = sizeof(plan) / sizeof(*plan) };

static bool of_effort(const struct row *row, enum assay_effort effort)
{
	static const unsigned when[] = { NORMAL, QUICK, THOROUGH };

	return row->when & when[effort];
}

/* What happens beside the program; nobody asks what they count. */
#define PIE_SECONDS 0.4	/* up to four times that where it is unquiet */
#define DISTURBANCES "context-switches,cpu-migrations"

static bool wanted(const struct verify *v, const struct row *row)
{
	if (!of_effort(row, v->ask->effort))
		return false;
	if (row->how != PLAIN && !v->exact)
		return false;
	if (row->how == PREFETCHERS && !*v->prefetching)
		return false;
	return !v->controls || kernel_find(row->kernel)->control;
}

static bool has_option(const struct kernel *kernel, const char *name)
{
	for (size_t i = 0; i < kernel->options; i++)
		if (strcmp(kernel->option[i].name, name) == 0)
			return true;
	return false;
}

/* The row's; and a seed, where one is wanted and the row has none. */
static void row_settings(struct row_settings *out, const struct row *row,
			 unsigned seed)
{
	bool seeded = seed == 0;

	for (out->settings = 0; out->settings < 4 &&
	     row->setting[out->settings].name; out->settings++) {
		out->of[out->settings] = row->setting[out->settings];
		seeded |= !strcmp(row->setting[out->settings].name, "seed");
	}
	snprintf(out->seed, sizeof(out->seed), "%u", seed);
	if (!seeded && has_option(kernel_find(row->kernel), "seed"))
		out->of[out->settings++] = (struct assay_setting){
			"seed", out->seed };
}

static void describe(struct verify *v, const struct row *row,
		     struct assay_job *job)
{
	row_settings(&v->row, row, v->ask->seed);
	*job = (struct assay_job){
		.kernel = row->kernel, .setting = v->row.of,
		.settings = v->row.settings,
		.on = row->how == PREFETCHERS ? v->prefetching : v->on,
		.cpu = -1, .page_map = v->page_map, .repeats = v->repeats,
		.events = strncmp(v->on, "perf", 4) ? NULL :
			  v->controls ? "instructions" :
			  "instructions,page-faults," DISTURBANCES,
	};
}

int verify_keep(struct verify *v, struct assay_record *record)
{
	struct assay_record **more;

	if (!v->ask->save) {
		record_free(record);
		return 0;
	}
	more = realloc(v->record, (v->records + 1) * sizeof(*more));
	if (!more) {
		record_free(record);
		return -ASSAY_ENOMEM;
	}
	v->record = more;
	v->record[v->records++] = record;
	return 0;
}

/* ---- one shape ----------------------------------------------------------- */

/* Everything that is known and counted at one shape. */
struct at {
	struct run *run;
	struct assay_shape shape;
	struct group asked;		/* events of formulas */
	uint64_t signal[TESTIMONY_MODELS][SIGNALS];
	unsigned signals;
	size_t row;		/* of the first repetition in the panel */
	struct packed packed;
	struct witness pie;
	struct assay_expectation expectation;
	struct testimony testimony;
};

static bool in_group(const struct group *group, const char *name)
{
	for (unsigned i = 0; i < group->events; i++)
		if (text_equal(group->event[i].name, name))
			return true;
	return false;
}

/*
 * The next events, from *next on, that were asked for and that `done` has not;
 * as many as count at a time. Returns how many.
 */
static unsigned next_group(struct at *at, const struct verify *v,
			   const struct group *done, size_t *next,
			   struct assay_error *err)
{
	unsigned most = v->counters ? v->counters : ASSAY_EVENTS;
	struct group *group = &at->run->group;

	group->events = 0;
	for (; *next < v->panel.events && group->events < most; (*next)++) {
		const struct panel_event *e = &v->panel.event[*next];

		if (e->counts && !e->unasked && !in_group(done, e->name))
			events_parse(group, e->name, &at->run->target.events,
				     err);
	}
	return group->events;
}

static int measure_group(struct at *at, struct verify *v,
			 struct assay_record **out, struct assay_error *err)
{
	struct assay_record *r = NULL;
	int rc = v->exact ? run_measure(at->run, &at->shape, &r, err) :
		 run_measure_packed(at->run, &at->packed, &at->shape, &r, err);

	if (rc < 0)
		return rc;
	for (unsigned i = 0; i < r->repeats && i < v->repeats; i++)
		panel_count(&v->panel, at->row + i, r, i);
	*out = r;
	return 0;
}

/* The counts of r become those of the record that is judged. */
static void merge(struct assay_record *to, const struct assay_record *r)
{
	for (unsigned e = 0; e < r->events; e++) {
		int at = assay_record_find(to, r->event[e].name);

		for (unsigned i = 0; at >= 0 && i < r->repeats; i++)
			to->counts[(size_t)i * to->events + (unsigned)at] =
				r->counts[(size_t)i * r->events + e];
	}
}

/* Events beyond the first group, each counted the whole time. */
static int measure_rest(struct at *at, struct verify *v,
			struct assay_record *first, struct assay_error *err)
{
	const struct group none = { 0 };
	struct assay_record *r;
	size_t next = 0;
	int rc = 0;

	while (rc == 0 && next_group(at, v, v->counters ? &none : &at->asked,
				     &next, err)) {
		rc = measure_group(at, v, &r, err);
		if (rc < 0)
			break;
		merge(first, r);
		rc = verify_keep(v, r);
	}
	at->run->group = at->asked;
	if (rc == 0 && record_own_reasons(first) < 0)
		rc = error_set(err, -ASSAY_ENOMEM, "out of memory");
	return rc;
}

/* What must have been, where no model says it: closed forms. */
static void claim_closed_forms(struct verify *v, const struct at *at,
			       const struct assay_result *r)
{
	for (size_t i = 0; i < r->compareds; i++) {
		const struct assay_compared *c = &r->compared[i];

		for (unsigned k = 0; k < v->repeats && c->expected &&
		     !c->differs; k++)
			if (c->expected->low <= c->expected->high)
				panel_claim(&v->panel, at->row + k, c->from,
					    c->expected->low,
					    c->expected->high);
	}
}

void plan_prefetch(struct geometry *g)
{
	for (uint32_t i = 0; i < g->prefetchers; i++)
		g->prefetcher[i].on = true;
}

int plan_oracle(struct oracle *w, bool forward, uint64_t (*signal)[SIGNALS],
		 bool *leave_out, struct assay_error *err)
{
	uint64_t forwarded = 0;
	int rc;

	w->patience = forward ? 128 : 0;	/* is it periodic at all? */
	rc = oracle_run(w, signal, &forwarded, err);
	*leave_out = forward && !forwarded;
	return rc;
}

static int ask_witness(struct verify *v, struct at *at, const struct row *row,
		       bool *leave_out, struct assay_error *err)
{
	struct geometry geometry = v->witness->geometry;

	struct oracle w = {
		.kernel = at->run->kernel, .shape = &at->shape,
		.isa = v->witness->isa, .geometry = &geometry,
		.warmup = run_warmup(at->run), .repeats = v->repeats,
	};

	*leave_out = false;
	if (!v->exact)
		return hearing_models(w.kernel, w.shape, w.isa, &geometry,
				      w.warmup, at->signal, &at->signals,
				      err);
	at->signals = v->repeats;
	if (row->how == PREFETCHERS)
		plan_prefetch(&geometry);
	return plan_oracle(&w, row->how == FORWARD, at->signal, leave_out,
			   err);
}

static int add_rows(struct verify *v, struct at *at, struct assay_error *err)
{
	char text[160];
	int row = 0, rc;

	verify_shape_text(text, sizeof(text), &at->run->sweep,
			  &at->shape);
	rc = panel_add_shape(&v->panel, at->run->kernel->name, text);
	at->row = v->panel.rows;
	for (unsigned i = 0; i < v->repeats && rc == 0 && row >= 0; i++)
		row = panel_add_row(&v->panel, !v->witness ? NULL :
				    at->signal[v->exact ? i : 0],
				    &at->run->target.geometry);
	if (rc < 0 || row < 0)
		return error_set(err, -ASSAY_ENOMEM, "out of memory");
	return 0;
}

static void add_group_events(struct verify *v, const struct group *group)
{
	for (unsigned e = 0; !v->exact && e < group->events; e++)
		if (!strstr(DISTURBANCES, group->event[e].name))
			panel_add_event(&v->panel, group->event[e].name,
					group->event[e].code);
}

/* What disturbed the repetitions, as far as the system counts it. */
static void note_disturbances(struct verify *v, const struct at *at,
			      const struct assay_record *record)
{
	for (unsigned r = 0; r < record->repeats && r < v->repeats; r++)
		hearing_disturbances(&v->panel.row[at->row + r], record, r);
}

/* Can the pie by time be had? */
static bool has_pie(const struct verify *v, const struct kernel *kernel,
		    const struct assay_shape *shape)
{
	return !v->exact && v->witness && !pace_refuses(kernel, shape);
}

static int time_shape(struct verify *v, struct at *at,
		      const struct witness **pie, struct assay_error *err)
{
	struct env_affinity old = { .changed = false };
	int cpu, rc;

	*pie = NULL;
	if (!has_pie(v, at->run->kernel, &at->shape))
		return 0;
	rc = run_pin(at->run, &old, &cpu, err);
	if (rc < 0)
		return rc;
	rc = witness_measure(at->run, &at->shape, &at->pie, err);
	env_unpin(&old);
	*pie = &at->pie;
	if (rc == -ASSAY_EUNAVAIL)	/* no clock: it says nothing */
		*pie = NULL;
	return rc == -ASSAY_EUNAVAIL ? 0 : rc;
}

static int hear(struct verify *v, struct at *at,
		const struct assay_record *record, struct assay_error *err)
{
	struct hearing h = {
		.kernel = at->run->kernel, .shape = &at->shape,
		.record = record, .expectation = &at->expectation,
		.testimony = &at->testimony, .exact = v->exact,
	};
	int rc = time_shape(v, at, &h.pie, err);

	if (rc < 0)
		return rc;
	if (v->witness) {
		h.signal = (const uint64_t (*)[SIGNALS])at->signal;
		h.signals = at->signals;
		h.geometry = v->exact ? &at->run->target.geometry :
					&v->witness->geometry;
	}
	memset(&at->expectation, 0, sizeof(at->expectation));
	h.kernel->expect(h.shape, at->run->target.isa, h.geometry,
			 record->settings.warmup > 0, &at->expectation);
	hearing_take(&v->panel, at->row, &h);
	return 0;
}

static int verify_shape(struct verify *v, struct at *at, struct judgement *j,
			const struct row *row, struct assay_error *err)
{
	struct assay_record *first = NULL;
	bool leave_out = false;
	int rc = v->witness ? ask_witness(v, at, row, &leave_out, err) :
			      0;

	if (rc < 0 || leave_out)
		return rc;
	add_group_events(v, &at->asked);
	rc = add_rows(v, at, err);
	if (rc == 0)
		rc = measure_group(at, v, &first, err);
	if (rc == 0)
		text_copy(v->cpu, sizeof(v->cpu), first->machine.cpu);
	if (rc == 0 && v->witness)
		rc = measure_rest(at, v, first, err);
	if (rc == 0) {
		judge(j, at->run, &at->shape, first);
		rc = verify_slope(v, at->run, j, &at->shape, err);
		if (rc == 0)
			rc = verify_take(v, at->run, &j->result);
		if (!v->exact)
			claim_closed_forms(v, at, &j->result);
	}
	if (rc == 0 && !v->exact)
		note_disturbances(v, at, first);
	if (rc == 0)
		rc = hear(v, at, first, err);
	if (rc < 0) {
		record_free(first);
		return rc;
	}
	return verify_keep(v, first) < 0 ?
	       error_set(err, -ASSAY_ENOMEM, "out of memory") : 0;
}

static int verify_shapes(struct verify *v, struct at *at, struct judgement *j,
			 const struct row *row, struct assay_error *err)
{
	struct run *run = at->run;
	int rc;

	run->asked = run->files;
	rc = formulas_add_events(run, err);
	at->asked = run->group;
	for (unsigned i = 0; i < run->sweep.shapes && rc == 0; i++) {
		rc = sweep_shape(&run->sweep, i, &at->shape, err);
		if (rc == 0)
			rc = verify_shape(v, at, j, row, err);
		v->done++;
		if (v->ask->progress && v->ask->progress(v->ask->ctx, v->done,
							 v->total))
			v->stopped = true;
		if (v->stopped)
			break;
	}
	return rc;
}

/* ---- the plan ------------------------------------------------------------ */

/* Accesses of a row's shapes, every run counted, and how many have a pie. */
static double row_work(struct verify *v, const struct row *row,
		       unsigned *shapes, unsigned *pies,
		       struct assay_error *err)
{
	const struct kernel *kernel = kernel_find(row->kernel);
	struct assay_job job;
	struct sweep sweep;
	double work = 0;

	describe(v, row, &job);
	if (sweep_init(&sweep, kernel, job.setting, job.settings, err) < 0)
		return -1;
	for (unsigned i = 0; i < sweep.shapes; i++) {
		struct assay_shape shape;

		if (sweep_shape(&sweep, i, &shape, NULL) < 0)
			continue;
		*pies += has_pie(v, kernel, &shape);
		if (row->how != FORWARD)
			work += (double)kernel->accesses(&shape);
	}
	*shapes = sweep.shapes;
	sweep_fini(&sweep);
	return work * (v->repeats + 1);
}

/* A row "plan": what will be run, and how long that takes. */
static int tell_plan(struct verify *v, struct assay_error *err)
{
	/*
	 * Of one access: simulated twice, by provider and witness; native. A
	 * thorough plan has more that no engine's short cut takes: measured,
	 * 14 to 25 s for 130 million accesses.
	 */
	const double simulated = v->ask->effort == ASSAY_THOROUGH ? 130 : 60;
	const double ns = v->witness ? simulated : 3;
	double work = 0;
	unsigned kernels = 0, shapes, pies = 0;

	v->total = 0;
	for (size_t i = 0; i < ROWS; i++) {
		double one;

		if (!wanted(v, &plan[i]))
			continue;
		one = row_work(v, &plan[i], &shapes, &pies, err);
		if (one < 0)
			return -ASSAY_EINVAL;
		work += one;
		kernels++;
		v->total += shapes;
	}
	const struct assay_field field[] = {
		field_count("sweeps", kernels), field_count("shapes", v->total),
		field_count("repeats", v->repeats),
		field_count("accesses", (uint64_t)work),
		field_value("seconds", (struct assay_value){
			.number = ceil(work * ns / 1e9 +
				       pies * PIE_SECONDS) }),
	};

	return row_emit(v->fn, v->ctx, "plan", field,
			sizeof(field) / sizeof(*field));
}

int verify_plan(struct verify *v, struct assay_error *err)
{
	struct run *run = calloc(1, sizeof(*run));
	struct judgement *j = calloc(1, sizeof(*j));
	struct at *at = calloc(1, sizeof(*at));
	int rc = run && j && at ? tell_plan(v, err) :
		 error_set(err, -ASSAY_ENOMEM, "out of memory");

	for (size_t i = 0; i < ROWS && rc == 0 && !v->stopped; i++) {
		struct assay_job job;

		if (!wanted(v, &plan[i]))
			continue;
		describe(v, &plan[i], &job);
		rc = run_init(run, v->assay, &job, err);
		if (rc < 0)
			break;
		at->run = run;
		rc = verify_shapes(v, at, j, &plan[i], err);
		run_fini(run);
	}
	free(at);
	free(j);
	free(run);
	return rc;
}

static int each_shape(const struct row *row, unsigned seed, plan_fn *fn,
		      void *ctx, struct assay_error *err)
{
	const struct kernel *kernel = kernel_find(row->kernel);
	struct assay_shape shape;
	struct row_settings set;
	struct sweep sweep;
	char text[160];
	int rc;

	row_settings(&set, row, seed);
	rc = sweep_init(&sweep, kernel, set.of, set.settings, err);
	if (rc < 0)
		return rc;
	for (unsigned i = 0; i < sweep.shapes && rc == 0; i++) {
		rc = sweep_shape(&sweep, i, &shape, err);
		if (rc < 0)
			break;
		verify_shape_text(text, sizeof(text), &sweep, &shape);
		rc = fn(ctx, kernel, &shape, text, row->how == FORWARD,
			row->how == PREFETCHERS);
	}
	sweep_fini(&sweep);
	return rc;
}

int plan_each(enum assay_effort effort, unsigned seed, plan_fn *fn, void *ctx,
	      struct assay_error *err)
{
	int rc = 0;

	for (size_t i = 0; i < ROWS && rc == 0; i++)
		if (of_effort(&plan[i], effort))
			rc = each_shape(&plan[i], seed, fn, ctx, err);
	return rc;
}
