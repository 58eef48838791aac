/* SPDX-License-Identifier: MIT */
/* The one loop. */
#include "measure/measure.h"

static void copy_text(char *out, const char *text, size_t room)
{
	size_t i = 0;

	for (; text[i] && i + 1 < room; i++)
		out[i] = text[i];
	out[i] = '\0';
}

/* What the record knows before anything is run. */
static void describe(const struct measure_job *job, struct assay_record *r)
{
	const struct group *g = job->group;

	copy_text(r->provider, job->provider->name, sizeof(r->provider));
	r->shape = *job->shape;
	r->settings.warmup = job->warmup;
	r->events = g->events;
	r->repeats = job->repeats;
	for (unsigned e = 0; e < g->events; e++) {
		copy_text(r->event[e].name, g->event[e].name,
			  sizeof(r->event[e].name));
		copy_text(r->event[e].code, g->event[e].code,
			  sizeof(r->event[e].code));
		copy_text(r->event[e].why, g->event[e].absent,
			  sizeof(r->event[e].why));
	}
}

/* Returns the passes that were left out. */
static uint64_t run_traced(const struct measure_job *job)
{
	struct access_trace trace;

	trace.sink = job->provider->sink(job->state);
	trace.host = (uintptr_t)job->arena->base;
	trace.base = ACCESS_ARENA_BASE;
	trace.records = 0;
	trace.left_out = 0;
	job->kernel->trace(job->shape, job->arena, job->isa, &trace);
	access_flush(&trace);
	return trace.left_out;
}

static uint64_t run_once(const struct measure_job *job)
{
	switch (job->provider->drive) {
	case DRIVE_NATIVE:
		job->kernel->run(job->shape, job->arena);
		break;
	case DRIVE_TRACED:
		return run_traced(job);
	case DRIVE_NOTHING:
		break;
	}
	return 0;
}

/* Counted region and clock; the clock is read outside of it. */
static int count_once(const struct measure_job *job, struct assay_record *r,
		      unsigned n)
{
	uint64_t from = job->now_ns ? job->now_ns() : 0, left_out;
	int rc = job->provider->start(job->state);

	if (rc < 0)
		return rc;
	left_out = run_once(job);
	rc = job->provider->stop(job->state);
	if (rc < 0)
		return rc;
	/* Not before: the record's page may be new, and its fault would be
	 * counted. */
	r->fast_forwarded = left_out;
	r->ns[n] = job->now_ns ? job->now_ns() - from : 0;
	return 0;
}

/* A repetition, as often as whoever watches wants to see it. */
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
	return job->provider->read(job->state, r->counts + n * r->events,
				   &r->truth);
}

static void take_terms(const struct measure_job *job, struct assay_record *r)
{
	for (unsigned e = 0; job->provider->terms && e < r->events; e++)
		r->event[e].terms = job->provider->terms(job->state, e,
							 r->event[e].term);
}

int measure_run(const struct measure_job *job, struct assay_record *record,
		struct assay_error *err)
{
	int rc = 0;

	describe(job, record);
	for (unsigned n = 0; n < job->warmup; n++)
		run_once(job);
	for (unsigned n = 0; n < job->repeats && rc >= 0; n++)
		rc = repeat(job, record, n);
	if (rc >= 0)
		take_terms(job, record);
	if (rc < 0 && err) {
		err->code = rc;
		copy_text(err->text, "the provider failed while measuring",
			  sizeof(err->text));
	}
	return rc < 0 ? rc : 0;
}
