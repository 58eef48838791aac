/* SPDX-License-Identifier: MIT */
/*
 * The sim provider: the accesses of a traced kernel go into a simulator of a
 * named CPU, and its signals become counts. Faults are planted between the two.
 */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "counters/draws.h"
#include "counters/fault.h"
#include "counters/provider.h"
#include "counters/signals.h"
#include "sim/sim.h"

/* The same CPU, simulated with another seed of random replacement. */
struct replica {
	void *memory;
	struct sim *sim;
	uint64_t from[SIGNALS], counted[SIGNALS];
};

struct state {
	const struct group *group;
	const struct geometry *geometry;
	void *memory;
	struct sim *sim;
	struct access_sink sink;
	const struct fault_set *faults;	/* NULL: none */
	unsigned run;
	struct draws *draws;	/* batch means; NULL: no random replacement,
				 * or replicas give the errors */
	uint64_t undrawn;	/* sim_generators() before the first draw */
	struct replica *replica;	/* DRAWS_REPLICAS of them, or NULL */
	uint64_t *forwarded, *shared;	/* as in provider_config */
	bool counting;		/* false: warm-up */
	uint64_t from[SIGNALS];		/* at start */
	uint64_t counted[SIGNALS];	/* stop - start */
};

static int probe(const struct provider_config *config, struct assay_error *err)
{
	const char *why = "no CPU was named";

	if (config->geometry && sim_bytes(config->geometry, &why))
		return 0;
	return error_set(err, -ASSAY_EUNAVAIL,
			 "the software PMU cannot be built: %s", why);
}

static void feed(void *ctx, const uint64_t *record, size_t records)
{
	struct state *s = ctx;

	sim_feed(s->sim, record, records);
	for (unsigned i = 0; s->replica && i < DRAWS_REPLICAS; i++)
		sim_feed(s->replica[i].sim, record, records);
}

static uint64_t pass(void *ctx, uint64_t left)
{
	struct state *s = ctx;
	const uint64_t forwarded = s->replica ? 0 : sim_pass(s->sim, left);
	const uint64_t *now;

	if (!s->draws)
		return forwarded;
	now = sim_signals(s->sim);
	if (!s->counting && left > s->draws->expected)
		draws_start(s->draws, now);
	return forwarded + draws_pass(s->draws, now, left, forwarded);
}

static void close(void *state)
{
	struct state *s = state;

	for (unsigned i = 0; s->replica && i < DRAWS_REPLICAS; i++)
		free(s->replica[i].memory);
	free(s->replica);
	free(s->memory);
	free(s->draws);
	s->memory = NULL;
	s->draws = NULL;
	s->replica = NULL;
}

static int no_memory(struct assay_error *err)
{
	return error_set(err, -ASSAY_ENOMEM, "no memory for the software PMU");
}

static struct sim *build(const struct geometry *g, void **memory)
{
	*memory = aligned_alloc(64, (sim_bytes(g, NULL) + 63) & ~(size_t)63);
	return *memory ? sim_init(*memory, g) : NULL;
}

static int open_replicas(struct state *s, struct assay_error *err)
{
	struct geometry g = *s->geometry;

	s->replica = calloc(DRAWS_REPLICAS, sizeof(*s->replica));
	for (unsigned i = 0; s->replica && i < DRAWS_REPLICAS; i++) {
		struct replica *r = &s->replica[i];

		g.draw = s->geometry->draw + 1 + i;
		r->sim = build(&g, &r->memory);
		if (!r->sim)
			return no_memory(err);
	}
	return s->replica ? 0 : no_memory(err);
}

static int open_draws(struct state *s, bool extrapolate,
		      struct assay_error *err)
{
	s->draws = calloc(1, sizeof(*s->draws));
	if (!s->draws)
		return no_memory(err);
	s->draws->extrapolate = extrapolate;
	s->undrawn = sim_generators(s->sim);
	draws_start(s->draws, sim_signals(s->sim));
	return 0;
}

static int open(void *state, const struct provider_config *config,
		const struct group *group, struct assay_error *err)
{
	struct state *s = state;
	int rc = probe(config, err);

	if (rc < 0)
		return rc;
	s->sim = build(config->geometry, &s->memory);
	if (!s->sim)
		return no_memory(err);
	sim_set_fast_forward(s->sim, !config->no_fast_forward);
	s->group = group;
	s->geometry = config->geometry;
	s->faults = config->faults;
	s->forwarded = config->forwarded;
	s->shared = config->shared;
	s->sink = (struct access_sink){
		.ctx = s, .feed = feed, .pass = pass,
		.granule = config->geometry->l1d.line_bytes,
	};
	s->counting = false;
	s->draws = NULL;
	s->replica = NULL;
	if (!draws_possible(s->geometry))
		return 0;
	rc = config->replicas ? open_replicas(s, err) :
			      open_draws(s, !config->no_fast_forward, err);
	if (rc < 0)
		close(s);
	return rc;
}

static int start(void *state)
{
	struct state *s = state;

	sim_new_run(s->sim);
	s->counting = true;
	if (s->draws)
		draws_start(s->draws, sim_signals(s->sim));
	memcpy(s->from, sim_signals(s->sim), sizeof(s->from));
	for (unsigned i = 0; s->replica && i < DRAWS_REPLICAS; i++)
		memcpy(s->replica[i].from, sim_signals(s->replica[i].sim),
		       sizeof(s->replica[i].from));
	return 0;
}

static void subtract(uint64_t *out, const uint64_t *now, const uint64_t *from)
{
	for (int i = 0; i < SIGNALS; i++)
		out[i] = now[i] - from[i];
}

static int stop(void *state)
{
	struct state *s = state;

	subtract(s->counted, sim_signals(s->sim), s->from);
	for (unsigned i = 0; s->replica && i < DRAWS_REPLICAS; i++)
		subtract(s->replica[i].counted, sim_signals(s->replica[i].sim),
			 s->replica[i].from);
	if (s->draws) {
		s->draws->undrawn = sim_generators(s->sim) == s->undrawn;
		draws_complete(s->draws, s->counted);
	}
	if (s->forwarded)
		*s->forwarded = sim_fast_forwarded(s->sim);
	if (s->shared)
		*s->shared = s->counted[SIGNAL_address_aliases];
	return 0;
}

/* The error of a count; an extrapolated one becomes the mean of its batches. */
static void estimate(const struct draws *d, const struct encoding *event,
		     struct assay_count *count)
{
	uint64_t sum[SIGNALS];
	double error;

	if (count->state != ASSAY_COUNT_PRESENT)
		return;
	error = draws_error(d, signals_count_value, event);
	count->error = error;
	if (!d->left_out || !(error > 0))
		return;
	for (int i = 0; i < SIGNALS; i++)
		sum[i] = draws_sum(d, i);
	count->value = signals_count(event, sum).value;
	count->enabled = draws_all(d);
	count->running = draws_batched(d);
	count->state = ASSAY_COUNT_SCALED;
}

/* Errors of counts and quantities by the spread over all draws. */
static void read_replicas(const struct state *s, struct assay_count *counts,
			struct assay_quantities *truth)
{
	const uint64_t *signal[1 + DRAWS_REPLICAS] = { s->counted };

	for (unsigned i = 0; i < DRAWS_REPLICAS; i++)
		signal[1 + i] = s->replica[i].counted;
	for (unsigned e = 0; e < s->group->events; e++)
		signals_count_spread(signal, 1 + DRAWS_REPLICAS,
				     &s->group->event[e], &counts[e]);
	if (truth)
		signals_spread(s->geometry, signal, 1 + DRAWS_REPLICAS,
			       truth);
}

/* Fewer counters than events: each event is counted for a part of the time. */
static void share(struct assay_count *count, unsigned counters,
		  unsigned events, double cycles)
{
	if (count->state != ASSAY_COUNT_PRESENT)
		return;
	count->enabled = (uint64_t)cycles + 1000;
	count->running = count->enabled * counters / events;
	count->value = count->value * counters / events;
	count->state = ASSAY_COUNT_SCALED;
}

static void read_faulty(struct state *s, struct assay_count *counts)
{
	const struct group *g = s->group;
	unsigned counters = fault_counters(s->faults), present = 0;
	struct fault_run run;

	fault_run_init(&run, s->geometry, s->counted, s->run++);
	for (unsigned e = 0; e < g->events; e++) {
		counts[e] = fault_count(s->faults, &g->event[e], counts[e],
					&run);
		present += counts[e].state == ASSAY_COUNT_PRESENT;
	}
	for (unsigned e = 0; counters && counters < present && e < g->events;
	     e++)
		share(&counts[e], counters, present, run.cycles);
}

static int read(void *state, struct assay_count *counts,
		struct assay_quantities *truth)
{
	struct state *s = state;

	for (unsigned e = 0; e < s->group->events; e++)
		counts[e] = signals_count(&s->group->event[e], s->counted);
	for (unsigned e = 0; s->draws && e < s->group->events; e++)
		estimate(s->draws, &s->group->event[e], &counts[e]);
	if (s->faults)
		read_faulty(s, counts);
	if (truth)
		signals_truth(s->geometry, s->counted, truth);
	if (truth && s->draws)
		signals_errors(s->geometry, s->draws, truth);
	if (s->replica)
		read_replicas(s, counts, truth);
	return 0;
}

static unsigned terms(void *state, unsigned event,
		      struct assay_event_term *out)
{
	const struct state *s = state;

	/* with faults a count need not be the sum of its signals */
	return s->faults ? 0 :
	       signals_terms(&s->group->event[event], s->counted, out);
}

static const struct access_sink *sink(void *state)
{
	struct state *s = state;

	return &s->sink;
}

const struct provider sim_provider = {
	.name = "sim",
	.summary = "the software PMU: an exact simulation of a named CPU",
	.drive = DRIVE_TRACED,
	.state_size = sizeof(struct state),
	.probe = probe,
	.open = open,
	.start = start,
	.stop = stop,
	.read = read,
	.close = close,
	.terms = terms,
	.sink = sink,
};
