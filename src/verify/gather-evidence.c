/* SPDX-License-Identifier: MIT */
/* Fills a struct evidence for each repetition of a shape; see the header. */
#include "verify/gather-evidence.h"

#include <math.h>
#include <string.h>

#include "run/core-clock.h"
#include "run/metrics.h"
#include "verify/latency-bounds.h"
#include "counters/fault.h"
#include "counters/provider.h"

/* The smallest error of a model of the same CPU with unknown page addresses. */
#define MODEL_SLACK 0.02

const char *evidence_too_long(const struct truth_run *truth_run)
{
	static const char too_long[] = "so many accesses take too long to "
		"simulate";
	const int passes = assay_shape_find(truth_run->shape, "passes");
	uint64_t signal[1][SIGNALS], forwarded = 0;
	struct assay_shape part = *truth_run->shape;
	struct truth_run o = *truth_run;
	uint64_t all = truth_run->kernel->accesses(truth_run->shape);

	if (all <= EVIDENCE_ACCESSES)
		return NULL;
	if (passes < 0 || part.option[passes].value < 64)
		return too_long;
	all = all / (uint64_t)part.option[passes].value * 64;
	part.option[passes].value = 64;
	o.shape = &part;
	o.repeats = 1;
	if (all > EVIDENCE_ACCESSES ||
	    simulated_truth_run(&o, signal, &forwarded, NULL) < 0)
		return too_long;
	return forwarded < 64 ? too_long : NULL;
}

/*
 * A real machine's page addresses and prefetcher states are unknown: the true
 * counts lie between these models.
 */
int evidence_models(const struct kernel *kernel,
		   const struct assay_shape *shape, enum isa isa,
		   const struct geometry *geometry, unsigned warmup,
		   uint64_t (*signal)[SIGNALS], unsigned *models,
		   struct assay_error *err)
{
	/* runs: 2, because a branch predictor remembers the run before */
	static const struct { uint64_t seed; bool prefetch; unsigned runs; }
	model[] = {
		{ 1, true, 2 }, { 2, true, 1 }, { 3, true, 1 }, { 1, false, 2 },
	};
	int rc = 0;

	*models = 0;
	for (size_t i = 0; i < sizeof(model) / sizeof(*model) && rc == 0; i++) {
		struct geometry g = *geometry;
		const struct truth_run o = {
			.kernel = kernel, .shape = shape, .isa = isa,
			.geometry = &g, .warmup = warmup,
			.repeats = model[i].runs,
		};

		if (g.page_map.kind != PAGE_MAP_RECORDED)
			geometry_place(&g, &(struct page_map){
				.kind = PAGE_MAP_RANDOM, .size = g.page,
				.seed = model[i].seed });
		for (uint32_t k = 0; k < g.prefetchers; k++)
			g.prefetcher[k].on = model[i].prefetch;
		rc = simulated_truth_run(&o, &signal[*models], NULL, err);
		*models += rc == 0 ? model[i].runs : 0;
	}
	return rc;
}

static double counted(const struct assay_record *record, const char *event,
		      unsigned repeat)
{
	const int e = assay_record_find(record, event);
	const struct assay_count *c = e < 0 ? NULL :
		&record->counts[(size_t)repeat * record->events + (unsigned)e];

	return c && c->state == ASSAY_COUNT_PRESENT ? (double)c->value : NAN;
}

/*
 * One interrupt, page fault or switch adds at most this many counts to an
 * event. Interrupts come each millisecond, and one comes at the start.
 */
#define MOST_PER_DISTURBANCE 1000.0

void evidence_disturbances(struct panel *panel, size_t at,
			  const struct assay_record *record, unsigned repeat)
{
	struct fit_row *row = &panel->row[at];
	const double switches = counted(record, "context-switches", repeat);
	const double moves = counted(record, "cpu-migrations", repeat);

	row->term[FIT_faults] = counted(record, "page-faults", repeat);
	row->term[FIT_switches] = switches + moves;
	panel->disturbance[at] = MOST_PER_DISTURBANCE *
		(1 + (double)record->ns[repeat] / 1e6 +
		 (isnan(row->term[FIT_faults]) ? 0 : row->term[FIT_faults]) +
		 (isnan(switches + moves) ? 0 : switches + moves));
}

bool evidence_depends_on_code(enum assay_quantity q)
{
	return q == ASSAY_Q_instructions || q == ASSAY_Q_branches ||
	       q == ASSAY_Q_branches_taken || q == ASSAY_Q_cycles ||
	       q == ASSAY_Q_mispredicts;
}

static bool holds(const void *ctx, enum assay_quantity quantity)
{
	const struct evidence_sources *s = ctx;

	return !metrics_pages_differ(s->record, (int)quantity) &&
	       !(s->foreign && evidence_depends_on_code(quantity));
}

static double option(const struct assay_shape *shape, const char *name)
{
	const int at = assay_shape_find(shape, name);

	return at < 0 ? 1 : (double)shape->option[at].value;
}

/* Cycles of the run: from the core clock, or from the time and the model. */
static double cycles(const struct evidence_sources *s, unsigned repeat,
		     const char **why)
{
	const struct assay_record *r = s->record;
	struct assay_value c = { .number = (double)r->ns[repeat] };

	*why = NULL;
	if (s->exact)
		return fault_cycles(s->geometry, s->signal[repeat]);
	if (!r->ns[repeat])
		*why = "the record has no times";
	else if (!strcmp(r->provider, "published"))
		return c.number * s->geometry->cycles.ghz;
	c = core_clock_cycles(r, c);
	if (!*why && c.why)
		*why = "the record does not say how fast the core ran";
	return c.number;
}

static const char *time_average(const struct evidence_sources *s,
				unsigned repeat)
{
	const double loads = (double)s->kernel->accesses(s->shape);
	struct range served[SERVED_LEVELS];
	const char *why = latency_bounds_refuses(s->kernel, s->shape);
	double c;

	if (!why && !s->geometry)
		why = "no CPU file says what an access takes";
	if (!why && !(s->geometry->cycles.l1_hit > 0))
		why = "the CPU file does not say what an access takes";
	if (why)
		return why;
	c = cycles(s, repeat, &why);
	if (why)
		return why;
	latency_bounds_served(s->geometry, loads, c, option(s->shape, "passes"),
			      served);
	evidence_timed(s->evidence, loads, served);
	return NULL;
}

static const char *time_pie(const struct evidence_sources *s)
{
	const double loads = (double)s->pie->accesses;
	const double error = LATENCY_BOUNDS_SHARE * loads;
	struct assay_quantities value, low, high;
	struct range served[SERVED_LEVELS];
	static const enum assay_quantity of[SERVED_LEVELS] = {
		ASSAY_Q_served_l1, ASSAY_Q_served_l2, ASSAY_Q_served_l3,
		ASSAY_Q_served_dram,
	};

	if (s->pie->result.mix.why)
		return s->pie->result.mix.why;
	if (!s->pie->result.consistent)
		return "the pie by time does not explain its own average";
	time_pie_quantities(s->pie, &value, &low, &high);
	for (int k = 0; k < SERVED_LEVELS; k++) {
		/* unknown: timing does not separate the level from the next */
		served[k] = value.of[of[k]].why ? (struct range){ 0, loads } :
			(struct range){ low.of[of[k]].number - error,
					high.of[of[k]].number + error };
	}
	evidence_timed(s->evidence, loads, served);
	return NULL;
}

static const char *time_evidence(const struct evidence_sources *s,
				 unsigned repeat)
{
	if (s->pie)
		return time_pie(s);
	return s->not_timed ? s->not_timed : time_average(s, repeat);
}

void evidence_gather(struct panel *panel, size_t row,
		     const struct evidence_sources *s)
{
	struct evidence *t = s->evidence;

	for (unsigned r = 0; r < s->record->repeats; r++) {
		evidence_init(t);
		if (s->foreign && !s->kernel->cycle)
			t->silent[WITNESS_CLOSED] = "somebody else's code ran";
		else if (s->expectation)
			evidence_closed_form(t, s->expectation, holds, s);
		t->silent[WITNESS_SIMULATED] = s->not_simulated ?
			s->not_simulated : "no model of this CPU is known";
		if (s->signal && s->exact && r < s->signals)
			evidence_model(t, s->signal[r], 0);
		for (unsigned m = 0; s->signal && !s->exact && m < s->signals;
		     m++)
			evidence_model(t, s->signal[m], MODEL_SLACK);
		t->silent[WITNESS_TIMED] = time_evidence(s, r);
		panel_add_evidence(panel, row + r, t);
		for (int w = 0; w < WITNESSES && r == 0; w++)
			panel_count_witness(panel, (enum witness_kind)w,
					t->silent[w]);
	}
}
