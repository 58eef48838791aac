/* SPDX-License-Identifier: MIT */
/* One record out of several runs, each with a set of the events. */
#include "run/run.h"

#include <string.h>

#include "base/noise.h"
#include "base/record.h"
#include "base/text.h"
#include "counters/fault.h"
#include "counters/perf-follow.h"

/* Under perf by a trial; a "counters=N" fault limits the software PMU. */
static bool fits(void *ctx, const struct group *group, const unsigned *event,
		 unsigned n)
{
	const struct run *run = ctx;
	unsigned most;

	if (run->target.provider == &perf_provider)
		return follow_fits(group, event, n);
	most = fault_counters(&run->target.faults);
	return !most || n <= most;
}

/* Can there be more events than counters? */
static bool limited(const struct run *run)
{
	return run->target.provider == &perf_provider ||
	       (run->target.provider == &sim_provider &&
		fault_counters(&run->target.faults));
}

static void find_sets(struct event_sets *s, struct run *run)
{
	if (s->tried && s->group.events == run->group.events &&
	    memcmp(s->group.event, run->group.event, run->group.events *
		   sizeof(run->group.event[0])) == 0)
		return;
	s->group = run->group;
	packing_make(&s->packing, &s->group, NULL, fits, run);
	s->tried = true;
}

/* Events that need no counter, or never get one, are in the first set. */
static bool in_set(const struct packing *packing, unsigned event, unsigned set)
{
	return packing->set[event] >= PACKING_NEVER ?
		       set == 0 :
		       packing->set[event] == set;
}

static void choose(struct group *out, const struct event_sets *s, unsigned set)
{
	out->events = 0;
	for (unsigned e = 0; e < s->group.events; e++)
		if (in_set(&s->packing, e, set))
			out->event[out->events++] = s->group.event[e];
}

/* Copies the events of one set, counted in `from`, to their places in `to`. */
static void copy_counts(struct assay_record *to, const struct event_sets *s,
			unsigned set, const struct assay_record *from)
{
	unsigned at = 0;

	for (unsigned e = 0; e < s->group.events; e++) {
		if (!in_set(&s->packing, e, set))
			continue;
		to->event[e] = from->event[at];
		for (unsigned r = 0; r < to->repeats; r++)
			to->counts[(size_t)r * to->events + e] =
				from->counts[(size_t)r * from->events + at];
		at++;
	}
}

/* Copies everything but the counts, from the record of the first set. */
static int copy_run(struct assay_record *to, const struct assay_record *from)
{
	to->machine = from->machine;
	to->place = from->place;
	text_copy(to->provider, sizeof(to->provider), from->provider);
	to->shape = from->shape;
	to->settings = from->settings;
	to->noise = from->noise;
	to->truth = from->truth;
	to->fast_forwarded = from->fast_forwarded;
	memcpy(to->ns, from->ns, to->repeats * sizeof(*to->ns));
	return from->frames ? record_set_frames(to, from->frame, from->frames) :
			      0;
}

static int measure_set(struct run *run, const struct event_sets *s,
		       unsigned set, const struct assay_shape *shape,
		       struct assay_record **complete, struct assay_error *err)
{
	struct assay_record *part = NULL;
	int rc;

	choose(&run->group, s, set);
	rc = run_measure(run, shape, &part, err);
	if (rc < 0)
		return rc;
	if (!*complete) {
		*complete = record_new(s->group.events, part->repeats);
		rc = *complete ? copy_run(*complete, part) : -ASSAY_ENOMEM;
	} else
		noise_join(&(*complete)->noise, &part->noise);
	if (rc == 0) {
		copy_counts(*complete, s, set, part);
		rc = record_own_reasons(*complete);
	}
	record_free(part);
	return rc < 0 ? error_memory(err) : 0;
}

int run_measure_sets(struct run *run, struct event_sets *sets,
		     const struct assay_shape *shape,
		     struct assay_record **out, struct assay_error *err)
{
	struct assay_record *complete = NULL;
	int rc = 0;

	if (!limited(run) || run->group.events < 2)
		return run_measure(run, shape, out, err);
	find_sets(sets, run);
	if (sets->packing.sets < 2)
		return run_measure(run, shape, out, err);
	for (unsigned s = 0; s < sets->packing.sets && rc == 0; s++)
		rc = measure_set(run, sets, s, shape, &complete, err);
	run->group = sets->group;
	if (rc < 0) {
		record_free(complete);
		return rc;
	}
	*out = complete;
	return 0;
}
