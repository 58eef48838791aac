/* SPDX-License-Identifier: MIT */
/* The simulation as a witness. */
#include "verify/simulated-truth.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "env/env.h"

struct feeding {
	struct sim *sim;
	unsigned patience, passes;
	bool given_up;
};

static void feed(void *ctx, const uint64_t *record, size_t records)
{
	const struct feeding *f = ctx;

	sim_feed(f->sim, record, records);
}

static uint64_t pass(void *ctx, uint64_t left)
{
	struct feeding *f = ctx;
	uint64_t skipped = sim_pass(f->sim, left);

	if (skipped)
		f->patience = 0;
	if (!f->patience || ++f->passes < f->patience)
		return skipped;
	f->given_up = true;
	return left;
}

static bool once(const struct truth_run *o, struct arena *arena,
		 struct sim *sim)
{
	struct feeding feeding = { .sim = sim, .patience = o->patience };
	const struct access_sink sink = {
		.ctx = &feeding, .feed = feed, .pass = pass,
		.granule = o->geometry->l1d.line_bytes,
	};
	struct access_trace trace;

	trace.sink = &sink;
	trace.host = (uintptr_t)arena->base;
	trace.base = ACCESS_ARENA_BASE;
	trace.records = 0;
	o->kernel->trace(o->shape, arena, o->isa, &trace);
	access_flush(&trace);
	return !feeding.given_up;
}

static bool repeat(const struct truth_run *o, struct arena *arena,
		   struct sim *sim, uint64_t *signal)
{
	uint64_t from[SIGNALS];
	const uint64_t *now;
	bool complete;

	sim_new_run(sim);
	memcpy(from, sim_signals(sim), sizeof(from));
	complete = once(o, arena, sim);
	now = sim_signals(sim);
	for (int i = 0; i < SIGNALS; i++)
		signal[i] = now[i] - from[i];
	return complete;
}

static int simulate(const struct truth_run *o, uint64_t (*signal)[SIGNALS],
		    uint64_t *forwarded, struct arena *arena,
		    struct assay_error *err)
{
	const char *why = "";
	bool complete = true;
	size_t bytes = sim_bytes(o->geometry, &why);
	void *memory;
	struct sim *sim;

	if (!bytes)
		return error_set(err, -ASSAY_EUNAVAIL,
				 "the model cannot be simulated: %s", why);
	memory = aligned_alloc(64, (bytes + 63) & ~(size_t)63);
	if (!memory)
		return error_memory(err);
	sim = sim_init(memory, o->geometry);
	sim_set_fast_forward(sim, !o->no_fast_forward);
	for (unsigned i = 0; i < o->warmup && complete; i++)
		complete = once(o, arena, sim);
	for (unsigned i = 0; i < o->repeats && complete; i++)
		complete = repeat(o, arena, sim, signal[i]);
	if (forwarded)
		*forwarded = complete ? sim_fast_forwarded(sim) : 0;
	free(memory);
	return 0;
}

int simulated_truth_run(const struct truth_run *o, uint64_t (*signal)[SIGNALS],
		uint64_t *forwarded, struct assay_error *err)
{
	uint64_t bytes = o->kernel->arena_bytes(o->shape);
	struct arena arena = { .bytes = 0 };
	int rc = 0;

	if (bytes > SIZE_MAX / 2)
		return error_memory(err);
	if (bytes)
		rc = env_arena_map(&arena, bytes, ARENA_4K, err);
	if (rc < 0)
		return rc;
	if (bytes)
		o->kernel->prepare(o->shape, &arena);
	rc = simulate(o, signal, forwarded, &arena, err);
	env_arena_unmap(&arena);
	return rc;
}
