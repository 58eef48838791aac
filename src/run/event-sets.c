/* SPDX-License-Identifier: MIT */
/* One record out of as many runs as the counters need. */
#include "run/event-sets.h"

#include <stdlib.h>
#include <string.h>

#include "base/noise.h"
#include "base/record.h"
#include "base/text.h"
#include "counters/fault.h"
#include "counters/perf-follow.h"

/* perf: is tried; the software PMU has as many as its faults leave. */
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

static bool limited(const struct run *run)
{
	return run->target.provider == &perf_provider ||
	       (run->target.provider == &sim_provider &&
		fault_counters(&run->target.faults));
}

static void find_sets(struct event_sets *p, struct run *run)
{
	if (p->tried && p->group.events == run->group.events &&
	    memcmp(p->group.event, run->group.event, run->group.events *
		   sizeof(run->group.event[0])) == 0)
		return;
	p->group = run->group;
	packing_make(&p->packing, &p->group, NULL, fits, run);
	p->tried = true;
}

/* What needs no counter is in the first set, and so is what never counts. */
static bool in_set(const struct packing *packing, unsigned event, unsigned set)
{
	return packing->set[event] >= PACKING_NEVER ? set == 0 :
						      packing->set[event] == set;
}

static void choose(struct group *out, const struct event_sets *p, unsigned set)
{
	out->events = 0;
	for (unsigned e = 0; e < p->group.events; e++)
		if (in_set(&p->packing, e, set))
			out->event[out->events++] = p->group.event[e];
}

static void take(struct assay_record *to, const struct event_sets *p, unsigned set,
		 const struct assay_record *from)
{
	unsigned at = 0;

	for (unsigned e = 0; e < p->group.events; e++) {
		if (!in_set(&p->packing, e, set))
			continue;
		to->event[e] = from->event[at];
		for (unsigned r = 0; r < to->repeats; r++)
			to->counts[(size_t)r * to->events + e] =
				from->counts[(size_t)r * from->events + at];
		at++;
	}
}

/* What is the same in every set: from the first. */
static int take_first(struct assay_record *to, const struct assay_record *from)
{
	to->machine = from->machine;
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

static int measure_set(struct run *run, const struct event_sets *p, unsigned set,
		       const struct assay_shape *shape,
		       struct assay_record **complete, struct assay_error *err)
{
	struct assay_record *part = NULL;
	int rc;

	choose(&run->group, p, set);
	rc = run_measure(run, shape, &part, err);
	if (rc < 0)
		return rc;
	if (!*complete) {
		*complete = record_new(p->group.events, part->repeats);
		rc = *complete ? take_first(*complete, part) : -ASSAY_ENOMEM;
	} else
		noise_join(&(*complete)->noise, &part->noise);
	if (rc == 0) {
		take(*complete, p, set, part);
		rc = record_own_reasons(*complete);
	}
	record_free(part);
	return rc < 0 ? error_set(err, -ASSAY_ENOMEM, "out of memory") : 0;
}

int run_measure_sets(struct run *run, struct event_sets *event_sets,
		       const struct assay_shape *shape,
		       struct assay_record **out, struct assay_error *err)
{
	struct assay_record *complete = NULL;
	int rc = 0;

	if (!limited(run) || run->group.events < 2)
		return run_measure(run, shape, out, err);
	find_sets(event_sets, run);
	if (event_sets->packing.sets < 2)
		return run_measure(run, shape, out, err);
	for (unsigned s = 0; s < event_sets->packing.sets && rc == 0; s++)
		rc = measure_set(run, event_sets, s, shape, &complete, err);
	run->group = event_sets->group;
	if (rc < 0) {
		record_free(complete);
		return rc;
	}
	*out = complete;
	return 0;
}
