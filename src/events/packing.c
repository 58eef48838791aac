/* SPDX-License-Identifier: MIT */
/* First fit of events into sets that can be counted together; see packing.h.
 * How many programmable counters there are is found by trial. */
#include "events/packing.h"

#include <string.h>

struct packer {
	struct packing *out;
	const struct group *group;
	const unsigned char *brace;
	packing_fits_fn *fits;
	void *ctx;
};

/* Events that go into the same set, or into none: one event, or those of one
 * pair of braces. */
struct bundle { unsigned event[ASSAY_EVENTS], n; };

/* The kernel counts software events and tracepoints without a counter. */
static bool needs_counter(const struct encoding *event)
{
	return event->family != ENCODING_SOFTWARE &&
	       event->family != ENCODING_TRACEPOINT;
}

static void collect_bundle(struct bundle *out, const struct packer *p,
			   unsigned first)
{
	const unsigned char brace = p->brace ? p->brace[first] : PACKING_LOOSE;

	out->n = 0;
	out->event[out->n++] = first;
	for (unsigned e = first + 1; brace != PACKING_LOOSE &&
	     e < p->group->events; e++)
		if (p->brace[e] == brace)
			out->event[out->n++] = e;
}

static bool fits_with_set(const struct packer *p, const struct bundle *bundle,
			  unsigned set)
{
	unsigned all[ASSAY_EVENTS], n = 0;

	for (unsigned e = 0; e < p->group->events; e++)
		if (p->out->set[e] == set)
			all[n++] = e;
	for (unsigned i = 0; i < bundle->n; i++)
		all[n++] = bundle->event[i];
	return p->fits(p->ctx, p->group, all, n);
}

static void put(const struct packer *p, const struct bundle *bundle,
		unsigned set)
{
	for (unsigned i = 0; i < bundle->n; i++)
		p->out->set[bundle->event[i]] = (unsigned char)set;
}

static bool all_free(const struct packer *p, const struct bundle *bundle)
{
	for (unsigned i = 0; i < bundle->n; i++)
		if (needs_counter(&p->group->event[bundle->event[i]]))
			return false;
	return true;
}

/* No set has room for the bundle: notes whether its events fit one by one. */
static void refuse(const struct packer *p, const struct bundle *bundle)
{
	put(p, bundle, PACKING_NEVER);
	for (unsigned i = 0; bundle->n > 1 && i < bundle->n; i++)
		p->out->together[bundle->event[i]] =
			p->fits(p->ctx, p->group, &bundle->event[i], 1);
}

static void place(const struct packer *p, const struct bundle *bundle)
{
	if (all_free(p, bundle)) {
		put(p, bundle, PACKING_ALWAYS);
		return;
	}
	for (unsigned set = 0; set < p->out->sets; set++)
		if (fits_with_set(p, bundle, set)) {
			put(p, bundle, set);
			return;
		}
	/* A new set. If set 0 is still empty, no set can hold the bundle. */
	if (p->fits(p->ctx, p->group, bundle->event, bundle->n))
		put(p, bundle, p->out->sets++);
	else
		refuse(p, bundle);
}

void packing_make(struct packing *out, const struct group *group,
		  const unsigned char *brace, packing_fits_fn *fits, void *ctx)
{
	const struct packer packer = { out, group, brace, fits, ctx };
	bool done[ASSAY_EVENTS] = { false };
	struct bundle bundle;

	memset(out, 0, sizeof(*out));
	out->sets = 1;
	memset(out->set, PACKING_NEVER, sizeof(out->set));
	for (unsigned e = 0; e < group->events; e++) {
		if (done[e])
			continue;
		collect_bundle(&bundle, &packer, e);
		for (unsigned i = 0; i < bundle.n; i++)
			done[bundle.event[i]] = true;
		place(&packer, &bundle);
	}
}
