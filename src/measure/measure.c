/* SPDX-License-Identifier: MIT */
/* The measuring loop: warm-up, repetitions, and the record of them. */
#include "measure/measure.h"

static void copy_text(char *out, const char *text, size_t room)
{
	size_t i = 0;

	for (; text[i] && i + 1 < room; i++)
		out[i] = text[i];
	out[i] = '\0';
}

/* Fills the parts of the record that are known before the first run. */
static void describe(const struct measure_job *job, struct assay_record *r)
{
	const struct group *g = job->group;

	copy_text(r->provider, job->provider->name, sizeof(r->provider));
	r->shape = *job->shape;
	r->settings.warmup = job->warmup;
	r->events = g->events;
	r->repeats = 0;
	for (unsigned e = 0; e < g->events; e++) {
		copy_text(r->event[e].name, g->event[e].name,
			  sizeof(r->event[e].name));
		copy_text(r->event[e].code, g->event[e].code,
			  sizeof(r->event[e].code));
		copy_text(r->event[e].why, g->event[e].absent,
			  sizeof(r->event[e].why));
	}
}

static bool stopped(const struct measure_job *job)
{
	return job->stopped && job->stopped(job->stopped_ctx);
}

/* Between the kernel and the provider's sink: drops records once stopped. */
struct tap {
	const struct measure_job *job;
	const struct access_sink *sink;
	bool cut;
};

static bool tap_stopped(void *ctx)
{
	struct tap *tap = ctx;

	tap->cut = tap->cut || stopped(tap->job);
	return tap->cut;
}

static void tap_feed(void *ctx, const uint64_t *record, size_t records)
{
	const struct access_sink *sink = ((struct tap *)ctx)->sink;

	if (!tap_stopped(ctx))
		sink->feed(sink->ctx, record, records);
}

static uint64_t tap_pass(void *ctx, uint64_t left)
{
	const struct access_sink *sink = ((struct tap *)ctx)->sink;

	if (tap_stopped(ctx))
		return left;
	return sink->pass ? sink->pass(sink->ctx, left) : 0;
}

/*
 * Runs the kernel's trace into the provider's sink. *left_out: passes that the
 * sink accounted for by itself. False: stopped before the end.
 */
static bool run_traced(const struct measure_job *job, uint64_t *left_out)
{
	struct tap tap = { job, job->provider->sink(job->state), false };
	const struct access_sink sink = {
		.ctx = &tap, .feed = tap_feed, .pass = tap_pass,
		.granule = tap.sink->granule, .stopped = tap_stopped,
	};
	struct access_trace trace;

	trace.sink = job->stopped ? &sink : tap.sink;
	trace.host = (uintptr_t)job->arena->base;
	trace.base = ACCESS_ARENA_BASE;
	trace.records = 0;
	trace.left_out = 0;
	job->kernel->trace(job->shape, job->arena, job->isa, &trace);
	access_flush(&trace);
	*left_out = trace.left_out;
	return !tap.cut;
}

static bool run_once(const struct measure_job *job, uint64_t *left_out)
{
	*left_out = 0;
	switch (job->provider->drive) {
	case DRIVE_NATIVE:
		job->kernel->run(job->shape, job->arena);
		break;
	case DRIVE_TRACED:
		return run_traced(job, left_out);
	case DRIVE_NOTHING:
		break;
	}
	return true;
}

/* One repetition: the clock is read outside of the counted region. */
static int count_once(const struct measure_job *job, struct assay_record *r,
		      unsigned n)
{
	uint64_t from = job->now_ns ? job->now_ns() : 0, left_out;
	int rc = job->provider->start(job->state);
	bool complete;

	if (rc < 0)
		return rc;
	complete = run_once(job, &left_out);
	rc = job->provider->stop(job->state);
	if (rc < 0 || !complete)
		return rc < 0 ? rc : -ASSAY_ESTOP;
	/* Written after stop(): the record's page may be new, and its page
	 * fault would be counted. */
	r->fast_forwarded = left_out;
	r->ns[n] = job->now_ns ? job->now_ns() - from : 0;
	return 0;
}

/* One repetition, and again as long as the observer asks for another. */
static int repeat(const struct measure_job *job, struct assay_record *r,
		  unsigned n)
{
	const struct measure_watch *watch = job->watch;
	int rc;

	do {
		if (watch)
			watch->before(watch->ctx);
		rc = count_once(job, r, n);
		if (rc < 0)
			return rc;
	} while (watch && watch->after(watch->ctx, n));
	return job->provider->read(job->state,
				   r->counts + (size_t)n * r->events,
				   &r->truth);
}

static void read_terms(const struct measure_job *job, struct assay_record *r)
{
	for (unsigned e = 0; job->provider->terms && e < r->events; e++)
		r->event[e].terms = job->provider->terms(job->state, e,
							 r->event[e].term);
}

int measure_run(const struct measure_job *job, struct assay_record *record,
		struct assay_error *err)
{
	uint64_t left_out;
	int rc = 0;

	describe(job, record);
	for (unsigned w = 0; w < job->warmup && !stopped(job); w++)
		run_once(job, &left_out);
	while (record->repeats < job->repeats && rc >= 0) {
		rc = stopped(job) ? -ASSAY_ESTOP :
				    repeat(job, record, record->repeats);
		record->repeats += rc >= 0;
	}
	if (rc == -ASSAY_ESTOP && record->repeats)
		rc = 0;
	if (rc >= 0)
		read_terms(job, record);
	if (rc < 0 && err) {
		err->code = rc;
		copy_text(err->text, rc == -ASSAY_ESTOP ? "stopped" :
			  "the provider failed while measuring",
			  sizeof(err->text));
	}
	return rc < 0 ? rc : 0;
}
