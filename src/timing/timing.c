/* SPDX-License-Identifier: MIT */
/*
 * Times a job's shapes. A batch of shapes that fits into memory is laid out,
 * and then timed in rounds over all its shapes. Up to eight random chases share
 * one arena: each uses another word of the arena's lines, so that a sweep over
 * sizes is laid out quickly.
 */
#include "timing/timing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run/ending.h"
#include "run/noise.h"
#include "timing/clock.h"
#include "timing/rounds.h"
#include "timing/time-pie.h"
#include "base/record.h"
#include "base/text.h"

#define WORDS 8
#define BATCH_ITEMS 64
#define BATCH_BYTES (UINT64_C(1) << 30)
#define SHARED_FROM (UINT64_C(2) << 20)	/* smaller ones have arenas */

struct batch {
	struct assay_shape *shape;	/* BATCH_ITEMS of each */
	struct rounds_item *item;
	struct arena *arena;
	bool *shared;		/* the arena is another item's */
	size_t items;
	uint64_t bytes;
	struct env_thread_usage from, to;	/* around the rounds */
	const struct time_clock *clock;
};

/* ---- laying out --------------------------------------------------------- */

/* The item whose arena is large enough and has an unused word, or -1. */
static int find_arena(const struct batch *b, uint64_t bytes, unsigned *word)
{
	for (size_t i = 0; i < b->items; i++) {
		if (b->shared[i] || !b->arena[i].base ||
		    b->item[i].timed.kernel || b->arena[i].bytes < bytes)
			continue;
		*word = 1;
		for (size_t k = 0; k < b->items; k++)
			*word += b->shared[k] &&
				 b->arena[k].base == b->arena[i].base;
		if (*word < WORDS)
			return (int)i;
	}
	return -1;
}

static int lay_shuffled(struct run *run, struct batch *b, size_t n,
			enum arena_pages pages, struct assay_error *err)
{
	const uint64_t bytes = run->kernel->arena_bytes(&b->shape[n]);
	unsigned word = 0;
	const int owner = bytes < SHARED_FROM ? -1 :
			  find_arena(b, bytes, &word);
	int rc = 0;

	b->shared[n] = owner >= 0;
	if (owner >= 0)
		b->arena[n] = b->arena[owner];
	else
		rc = env_arena_map(&b->arena[n], bytes, pages, err);
	if (rc == 0)
		rc = layout_chains(&b->item[n].timed, &b->shape[n],
				   b->arena[n].base, word, (unsigned)n, err);
	return rc;
}

static int lay_out(struct run *run, struct batch *b, struct assay_error *err)
{
	enum arena_pages pages;
	size_t order[BATCH_ITEMS], items = b->items;
	int rc = run_parse_pages(&pages, run->job->pages, err);

	/* the largest first: the others can share its arena */
	for (size_t i = 0; i < items; i++) {
		size_t k = i;

		for (; k && run->kernel->arena_bytes(&b->shape[i]) >
		       run->kernel->arena_bytes(&b->shape[order[k - 1]]); k--)
			order[k] = order[k - 1];
		order[k] = i;
	}
	for (size_t i = 0; i < items && rc == 0; i++) {
		const size_t n = order[i];

		rc = layout_is_random(run, &b->shape[n]) ?
		     lay_shuffled(run, b, n, pages, err) :
		     layout_kernel(run, &b->shape[n], pages, &b->arena[n],
				   &b->item[n].timed, err);
	}
	return rc;
}

/* ---- results ------------------------------------------------------------ */

static void span(struct assay_span *out, const struct series_figure *f,
		 bool known, const char *why)
{
	*out = (struct assay_span){ .low = f->low, .high = f->high };
	out->value.number = f->value;
	if (f->value <= 0)
		out->value.why = "the core's clock could not be seen";
	else if (!known)
		out->value.why = why;
}

static void describe(struct assay_timing *out, const struct rounds_item *item)
{
	static const char unstable[] = "unstable: rounds differ by more than "
		"the limit; only a range is known";
	static const char moving[] = "unstable in ns, because the clock "
		"changes; the cycles are stable";
	static const char disturbed[] = "disturbed: the clock changed within "
		"most chunks of a round, even when it was repeated";
	static const char busy[] = "an SMT sibling or another tenant shared "
		"the core";
	static const char shared[] = "unstable: an SMT sibling or another "
		"tenant shared the core nearly all the time; only a range is "
		"known";
	const struct series_summary *s = &item->summary;
	const double limit = rounds_default_config.rule.stable;
	const bool ns = s->ns.error <= limit, cycles = s->cycles.error <= limit;

	*out = (struct assay_timing){
		.ghz = s->ghz, .drift = s->drift, .torn = s->torn,
		.sibling = s->sibling, .rounds = s->rounds,
		.samples = (unsigned)s->samples, .repeated = item->repeated,
		.seconds = item->ns / 1e9,
		.stable = item->state == SERIES_STABLE,
		.disturbed = item->disturbed, .note = "",
	};
	span(&out->ns, &s->ns, out->stable && ns,
	     s->shared ? shared : cycles ? moving : unstable);
	span(&out->cycles, &s->cycles, out->stable && cycles,
	     s->shared ? shared : unstable);
	if (!out->stable)
		out->note = s->shared ? shared : unstable;
	else if (item->disturbed)
		out->note = disturbed;
	else if (s->sibling > 0.5)
		out->note = busy;
}

enum { EVENT_PS, EVENT_CYCLES, EVENT_CLOCK, EVENT_ADDS, EVENTS };
static const struct { const char *name, *why; } events[EVENTS] = {
	[EVENT_PS] = { "time.ps-per-access", "" },
	[EVENT_CYCLES] = { "time.millicycles-per-access",
			   "the core's clock could not be seen" },
	[EVENT_CLOCK] = { "time.core-mhz",
			  "the core's clock could not be seen" },
	[EVENT_ADDS] = { "time.adds-per-kilocycle",
			 "the core's clock could not be seen" },
};

static void put(struct assay_count *out, double value, double unit,
		const char *why)
{
	*out = (struct assay_count){ .state = ASSAY_COUNT_ABSENT, .why = why };
	if (value > 0)
		*out = (struct assay_count){
			.value = (uint64_t)(value * unit + 0.5),
			.state = ASSAY_COUNT_PRESENT,
		};
}

static void fill_samples(struct assay_record *r,
			 const struct rounds_item *item, uint64_t accesses)
{
	const double each = accesses ? (double)accesses : 1;

	r->repeats = 0;
	for (size_t i = 0; i < item->samples; i++) {
		const struct time_sample *s = &item->sample[i];
		struct assay_count *c = r->counts +
					(size_t)r->repeats * r->events;

		/* no clock, no cycles: left out if other samples have them */
		if (!(s->cycles > 0) && item->summary.cycles.value > 0)
			continue;
		r->ns[r->repeats++] = (uint64_t)(s->ns * each + 0.5);
		put(&c[EVENT_PS], s->ns, 1000, "");
		put(&c[EVENT_CYCLES], s->cycles, 1000,
		    events[EVENT_CYCLES].why);
		put(&c[EVENT_CLOCK], s->ghz, 1000, events[EVENT_CLOCK].why);
		put(&c[EVENT_ADDS], s->adds, 1000, events[EVENT_ADDS].why);
	}
}

/* Appends noise and drift in words to the settings. */
static void fill_settings(struct assay_settings *out,
			  const struct assay_timing *t,
			  const struct time_clock *clock)
{
	char stamps[96];

	timing_stamp_text(clock, stamps, sizeof(stamps));
	text_add(out->options, sizeof(out->options), " ", "%u rounds, core at "
		 "%.2f GHz +- %.1f %%, torn %.0f %%, sibling %.0f %%%s%s%s%s",
		 t->rounds, t->ghz, 50 * t->drift, 100 * t->torn, 100 * t->sibling,
		 t->stable ? "" : ", unstable",
		 t->disturbed ? ", disturbed" : "", *stamps ? ", " : "",
		 stamps);
}

static struct assay_record *make_record(struct run *run,
					const struct batch *b, size_t n,
					const struct assay_timing *timing,
					int cpu)
{
	const struct rounds_item *item = &b->item[n];
	struct assay_record *r = record_new(EVENTS, (unsigned)item->samples);

	if (!r)
		return NULL;
	run_describe(run, r, cpu);
	text_copy(r->provider, sizeof(r->provider),
		  run->target.provider->name);
	r->shape = b->shape[n];
	r->settings.warmup = 1;
	fill_settings(&r->settings, timing, b->clock);
	noise_of_timing(&r->noise, timing);
	noise_between(&r->noise, &b->from, &b->to);
	env_arena_pages(&b->arena[n], r->settings.pages,
			sizeof(r->settings.pages), NULL);
	for (unsigned e = 0; e < EVENTS; e++)
		text_copy(r->event[e].name, sizeof(r->event[e].name),
			  events[e].name);
	fill_samples(r, item, run->kernel->accesses(&b->shape[n]));
	if (record_own_reasons(r) == 0)
		return r;
	record_free(r);
	return NULL;
}

static int hand_out(struct run *run, struct derived_metrics *d,
		    const struct batch *b, size_t n, unsigned index, int cpu,
		    assay_result_fn *fn, void *ctx, struct assay_error *err)
{
	struct assay_timing timing;
	struct assay_record *record;
	struct time_pie pie;
	int rc;

	describe(&timing, &b->item[n]);
	record = make_record(run, b, n, &timing, cpu);
	if (!record)
		return -ASSAY_ENOMEM;
	metrics_derive(d, run, &b->shape[n], record);
	d->result.index = index;
	d->result.timing = &timing;
	d->result.ns_per_access = timing.ns.value;
	d->result.cycles_per_access = timing.cycles.value;
	if (!d->result.accesses)
		d->result.ns_per_access.why = "this kernel makes no accesses";
	rc = time_pie_add(run, &b->shape[n], d, &pie, err);
	if (rc == 0)
		rc = fn(ctx, &d->result) ? -ASSAY_ESTOP : 0;
	record_free(record);
	return rc;
}

/* ---- batches ------------------------------------------------------------ */

static int batch_init(struct batch *b)
{
	b->shape = calloc(BATCH_ITEMS, sizeof(*b->shape));
	b->item = calloc(BATCH_ITEMS, sizeof(*b->item));
	b->arena = calloc(BATCH_ITEMS, sizeof(*b->arena));
	b->shared = calloc(BATCH_ITEMS, sizeof(*b->shared));
	return b->shape && b->item && b->arena && b->shared ? 0 :
							      -ASSAY_ENOMEM;
}

static void batch_clear(struct batch *b)
{
	rounds_fini(b->item, BATCH_ITEMS);
	for (size_t i = 0; i < BATCH_ITEMS; i++)
		if (!b->shared[i])
			env_arena_unmap(&b->arena[i]);
	memset(b->item, 0, BATCH_ITEMS * sizeof(*b->item));
	memset(b->arena, 0, BATCH_ITEMS * sizeof(*b->arena));
	memset(b->shared, 0, BATCH_ITEMS * sizeof(*b->shared));
	b->items = 0;
	b->bytes = 0;
}

static void batch_fini(struct batch *b)
{
	if (b->shape && b->item && b->arena && b->shared)
		batch_clear(b);
	free(b->shape);
	free(b->item);
	free(b->arena);
	free(b->shared);
}

/* Shapes from `index` on, as many as BATCH_ITEMS and BATCH_BYTES allow. */
static int batch_fill(struct batch *b, struct run *run, unsigned index,
		      struct assay_error *err)
{
	int rc = 0;

	for (; b->items < BATCH_ITEMS && index + b->items < run->sweep.shapes;
	     b->items++) {
		struct assay_shape *shape = &b->shape[b->items];
		uint64_t bytes;

		rc = sweep_shape(&run->sweep, index + (unsigned)b->items,
				 shape, err);
		if (rc < 0)
			return rc;
		bytes = run->kernel->arena_bytes(shape);
		if (b->items && bytes > BATCH_BYTES - b->bytes)
			break;
		b->bytes += bytes > BATCH_BYTES ? BATCH_BYTES : bytes;
	}
	return 0;
}

struct timing_call {
	struct batch *batch;
	struct rounds_config config;
};

static int run_rounds(void *ctx)
{
	struct timing_call *call = ctx;

	return rounds_run(call->batch->clock, &call->config, call->batch->item,
			  call->batch->items);
}

/* Also a signal handler can end a kernel's run that is timed. */
static int run_endable(struct timing_call *call, const struct run *run)
{
	const struct kernel kernel = ending_kernel(run->kernel);
	struct rounds_item *item = call->batch->item;
	int rc;

	for (size_t i = 0; i < call->batch->items; i++)
		if (item[i].timed.kernel)
			item[i].timed.kernel = &kernel;
	rc = ending_call(run_rounds, call);
	for (size_t i = 0; i < call->batch->items; i++)
		if (item[i].timed.kernel)
			item[i].timed.kernel = run->kernel;
	return rc;
}

static int batch_time(struct batch *b, struct run *run, int *cpu,
		      struct assay_error *err)
{
	struct timing_call call = { b, rounds_default_config };
	struct rounds_config *config = &call.config;
	struct env_affinity old = { .changed = false };
	int rc;

	config->stopped = run->job->stopped;
	config->stopped_ctx = run->job->stopped_ctx;
	if (run->job->repeats) {
		config->most_rounds = run->job->repeats;
		config->budget_ns = 0;
		if (config->rule.least_rounds > config->most_rounds)
			config->rule.least_rounds = config->most_rounds;
	}
	rc = run_pin(run, &old, cpu, err);
	if (rc < 0)
		return rc;
	rc = lay_out(run, b, err);
	env_thread_usage(&b->from, true);
	if (rc == 0)
		rc = run_endable(&call, run);
	env_thread_usage(&b->to, false);
	env_unpin(&old);
	return rc;
}

static int refuse_events(const struct run *run, struct assay_error *err)
{
	if (run->job->slope)
		return error_set(err, -ASSAY_EINVAL, "--on time has no slope: "
				 "it times single accesses already");
	if (!run->job->events && !run->job->formulas)
		return 0;
	return error_set(err, -ASSAY_EINVAL, "--on time counts no events\n"
			 "try: --on perf or --on sim:CPU");
}

int timing_run(struct run *run, struct derived_metrics *derived,
	       assay_result_fn *fn, void *ctx, struct assay_error *err)
{
	struct batch batch = { 0 };
	struct time_clock clock;
	int cpu, rc = refuse_events(run, err);

	if (rc == 0)
		rc = timing_clock(&clock, err);
	if (rc < 0)
		return rc;
	batch.clock = &clock;
	rc = batch_init(&batch);
	for (unsigned i = 0; i < run->sweep.shapes && rc == 0;) {
		rc = batch_fill(&batch, run, i, err);
		if (rc == 0)
			rc = batch_time(&batch, run, &cpu, err);
		for (size_t n = 0; n < batch.items && rc == 0; n++)
			rc = hand_out(run, derived, &batch, n,
				      i + (unsigned)n, cpu, fn, ctx, err);
		i += (unsigned)batch.items;
		batch_clear(&batch);
	}
	batch_fini(&batch);
	if (rc == -ASSAY_ENOMEM)
		error_set(err, rc, "out of memory");
	if (rc == -ASSAY_ESTOP)
		error_set(err, rc, "stopped");
	return rc;
}
