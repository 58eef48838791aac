/* SPDX-License-Identifier: MIT */
/* Joins the bounds of the witnesses in a panel and notes which agree. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "verify/panel.h"

/* One byte per row and event: which witnesses gave bounds, which agreed. */
enum { TORN = 1 << 6, CLOSED = 1 << 7 };

static unsigned spoke(int w)
{
	return 1u << w;
}

static unsigned agreed(int w)
{
	return 1u << (w + WITNESSES);
}

/* Counts are integers; bounds are sums of rounded numbers. */
#define ROUNDING 0.51

/* "closed form 64 to 96, timing 0 to 12" */
static void tell_torn(struct panel_event *e, const struct panel_shape *shape,
		      const struct range *said, unsigned heard, double apart)
{
	size_t used;

	if (e->torn[0] && apart <= e->apart_by)
		return;
	e->apart_by = apart;
	snprintf(e->torn, sizeof(e->torn), "%s %s:", shape->kernel,
		 shape->text);
	used = strlen(e->torn);
	for (int w = 0; w < WITNESSES && used < sizeof(e->torn); w++) {
		const char *form = said[w].low == said[w].high ?
			" %s %.0f;" : isfinite(said[w].high) ?
			" %s %.0f to %.0f;" : " %s %.0f or more;";

		if (heard & spoke(w))
			used += (size_t)snprintf(e->torn + used,
				sizeof(e->torn) - used, form, witness_names[w],
				said[w].low, said[w].high);
	}
	used = strlen(e->torn);
	e->torn[used - 1] = '\0';
}

/* Intersects the bounds of all witnesses; false: the intersection is empty. */
static bool join(const struct range *said, unsigned heard, struct range *out,
		 double *apart)
{
	for (int w = 0; w < WITNESSES; w++) {
		if (!(heard & spoke(w)))
			continue;
		out->low = fmax(out->low, said[w].low);
		out->high = fmin(out->high, said[w].high);
	}
	*apart = (out->low - out->high) / fmax(1, out->low);
	return out->low <= out->high + ROUNDING;
}

static bool within(double count, const struct range *r)
{
	return count >= r->low - ROUNDING && count <= r->high + ROUNDING;
}

/* A point is claimed to the last digit. */
static void allow(struct panel *p, size_t at, const struct range *all)
{
	const bool point = all->high - all->low <= 2 * ROUNDING;
	const double middle = round((all->low + all->high) / 2);

	p->low[at] = point ? middle : all->low;
	p->high[at] = point ? middle : all->high;
	p->claim[at] = point ? middle : NAN;
}

static void hear_event(struct panel *p, size_t row, size_t e,
		       const struct evidence *t)
{
	const size_t at = row * PANEL_EVENTS + e;
	struct panel_event *event = &p->event[e];
	struct range said[WITNESSES], all = { 0, INFINITY };
	const double count = p->count[at];
	unsigned heard = 0;
	double apart;

	for (int w = 0; w < WITNESSES; w++) {
		if (!evidence_bounds(t, (enum witness_kind)w, event->counts,
				  &said[w]))
			continue;
		heard |= spoke(w);
		if (!isnan(count) && within(count, &said[w]))
			heard |= agreed(w);
	}
	if (!heard)
		return;
	if (!join(said, heard, &all, &apart)) {
		heard |= TORN;
		tell_torn(event, &p->shape[p->row[row].shape], said, heard,
			  apart);
		all = (struct range){ NAN, NAN };
	}
	if ((heard & spoke(WITNESS_CLOSED)) &&
	    isfinite(said[WITNESS_CLOSED].high))
		heard |= CLOSED;
	allow(p, at, &all);
	p->heard[at] = (unsigned char)heard;
}

void panel_add_evidence(struct panel *p, size_t row, const struct evidence *t)
{
	for (size_t e = 0; e < p->events; e++)
		if (p->event[e].counts)
			hear_event(p, row, e, t);
}

void panel_claim(struct panel *p, size_t row, const char *event,
		 enum assay_quantity quantity, double low, double high)
{
	const struct range all = { low, high };
	const int e = panel_find(p, event);
	const size_t at = row * PANEL_EVENTS + (e < 0 ? 0 : (size_t)e);

	if (e < 0)
		return;
	p->event[e].quantity = assay_quantity_name(quantity);
	allow(p, at, &all);
	p->heard[at] = (unsigned char)(spoke(WITNESS_CLOSED) | CLOSED |
		(!isnan(p->count[at]) && within(p->count[at], &all) ?
		 agreed(WITNESS_CLOSED) : 0));
}

bool panel_is_closed(const struct panel *p, size_t cell)
{
	return p->heard[cell] & CLOSED;
}

void panel_witnessed(struct panel *p, enum witness_kind witness,
		     const char *why)
{
	struct panel_witness *w = &p->witness[witness];

	w->spoke += !why;
	w->silent += why != NULL;
	if (!w->why)
		w->why = why;
}

void panel_agreement(const struct panel *p, size_t event,
		     struct panel_agreement *out)
{
	*out = (struct panel_agreement){ .torn = 0 };
	for (size_t i = 0, next; i < p->rows; i = next) {
		unsigned any = 0, all = ~0u;

		for (next = i; next < p->rows &&
		     p->row[next].shape == p->row[i].shape; next++) {
			const size_t at = next * PANEL_EVENTS + event;

			if (isnan(p->count[at]))
				continue;
			any |= p->heard[at];
			all &= p->heard[at];
		}
		for (int w = 0; w < WITNESSES; w++) {
			out->spoke[w] += (any & spoke(w)) != 0;
			out->agreed[w] += (any & spoke(w)) &&
					  (all & agreed(w));
		}
		out->torn += (any & TORN) != 0;
	}
}

void panel_agreement_text(char *out, size_t room,
			  const struct panel_agreement *h)
{
	size_t used = 0;

	*out = '\0';
	for (int w = 0; w < WITNESSES && used < room; w++)
		if (h->spoke[w])
			used += (size_t)snprintf(out + used, room - used,
				"%s%s %u of %u", used ? ", " : "",
				witness_names[w], h->agreed[w], h->spoke[w]);
	if (h->torn && used < room)
		snprintf(out + used, room - used, "; they contradict each "
			 "other in %u", h->torn);
}
