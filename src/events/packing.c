/* SPDX-License-Identifier: MIT */
/* First fit of events into sets that can be counted together. */
#include "events/packing.h"

#include <string.h>

struct work {
	struct packing *out;
	const struct group *group;
	const unsigned char *brace;
	packing_fits_fn *fits;
	void *ctx;
};

/* Events that go into one set or none. */
struct unit { unsigned event[ASSAY_EVENTS], n; };

/* Software counters and tracepoints never run out. */
static bool needs_counter(const struct encoding *event)
{
	return event->family != ENCODING_SOFTWARE &&
	       event->family != ENCODING_TRACEPOINT;
}

static void take_unit(struct unit *out, const struct work *w, unsigned first)
{
	const unsigned char brace = w->brace ? w->brace[first] : PACKING_LOOSE;

	out->n = 0;
	out->event[out->n++] = first;
	for (unsigned e = first + 1; brace != PACKING_LOOSE &&
	     e < w->group->events; e++)
		if (w->brace[e] == brace)
			out->event[out->n++] = e;
}

static bool fits_with_set(const struct work *w, const struct unit *unit,
			  unsigned set)
{
	unsigned all[ASSAY_EVENTS], n = 0;

	for (unsigned e = 0; e < w->group->events; e++)
		if (w->out->set[e] == set)
			all[n++] = e;
	for (unsigned i = 0; i < unit->n; i++)
		all[n++] = unit->event[i];
	return w->fits(w->ctx, w->group, all, n);
}

static void put(const struct work *w, const struct unit *unit, unsigned set)
{
	for (unsigned i = 0; i < unit->n; i++)
		w->out->set[unit->event[i]] = (unsigned char)set;
}

static bool all_free(const struct work *w, const struct unit *unit)
{
	for (unsigned i = 0; i < unit->n; i++)
		if (needs_counter(&w->group->event[unit->event[i]]))
			return false;
	return true;
}

/* No set takes the unit: is it the braces that are too big? */
static void refuse(const struct work *w, const struct unit *unit)
{
	put(w, unit, PACKING_NEVER);
	for (unsigned i = 0; unit->n > 1 && i < unit->n; i++)
		w->out->together[unit->event[i]] =
			w->fits(w->ctx, w->group, &unit->event[i], 1);
}

static void place(const struct work *w, const struct unit *unit)
{
	if (all_free(w, unit)) {
		put(w, unit, PACKING_ALWAYS);
		return;
	}
	for (unsigned set = 0; set < w->out->sets; set++)
		if (fits_with_set(w, unit, set)) {
			put(w, unit, set);
			return;
		}
	/* An empty set, which set 0 may still have been. */
	if (w->fits(w->ctx, w->group, unit->event, unit->n))
		put(w, unit, w->out->sets++);
	else
		refuse(w, unit);
}

void packing_make(struct packing *out, const struct group *group,
		  const unsigned char *brace, packing_fits_fn *fits, void *ctx)
{
	const struct work work = { out, group, brace, fits, ctx };
	bool done[ASSAY_EVENTS] = { false };
	struct unit unit;

	memset(out, 0, sizeof(*out));
	out->sets = 1;
	memset(out->set, PACKING_NEVER, sizeof(out->set));
	for (unsigned e = 0; e < group->events; e++) {
		if (done[e])
			continue;
		take_unit(&unit, &work, e);
		for (unsigned i = 0; i < unit.n; i++)
			done[unit.event[i]] = true;
		place(&work, &unit);
	}
}
