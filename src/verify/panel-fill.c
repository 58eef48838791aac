/* SPDX-License-Identifier: MIT */
/* Intersects the bounds of the witnesses, and notes which witnesses agree. */
#include <math.h>
#include <stdio.h>

#include "verify/panel.h"
#include "base/text.h"

/* One byte per row and event: which witnesses gave bounds, which agreed. */
enum { CONFLICT = 1 << 6, CLOSED = 1 << 7 };

static unsigned bounded_bit(int w)
{
	return 1u << w;
}

static unsigned agreed_bit(int w)
{
	return 1u << (w + WITNESSES);
}

/* Counts are integers; bounds are sums of rounded numbers. */
#define ROUNDING 0.51

/* "chase elements=64: closed form 64 to 96; timing 0 to 12" */
static void note_conflict(struct panel_event *e,
			  const struct panel_shape *shape,
			  const struct range *bounds, unsigned bits,
			  double apart)
{
	const char *between = " ";

	if (e->conflict[0] && apart <= e->conflict_share)
		return;
	e->conflict_share = apart;
	snprintf(e->conflict, sizeof(e->conflict), "%s %s:", shape->kernel,
		 shape->text);
	for (int w = 0; w < WITNESSES; w++) {
		if (!(bits & bounded_bit(w)))
			continue;
		text_add(e->conflict, sizeof(e->conflict), between, "%s %.0f",
			 witness_names[w], bounds[w].low);
		if (!isfinite(bounds[w].high))
			text_add(e->conflict, sizeof(e->conflict), " ",
				 "or more");
		else if (bounds[w].high != bounds[w].low)
			text_add(e->conflict, sizeof(e->conflict), " ",
				 "to %.0f", bounds[w].high);
		between = "; ";
	}
}

/* Intersects the bounds of all witnesses; false: the intersection is empty. */
static bool join(const struct range *bounds, unsigned bits, struct range *out,
		 double *apart)
{
	for (int w = 0; w < WITNESSES; w++) {
		if (!(bits & bounded_bit(w)))
			continue;
		out->low = fmax(out->low, bounds[w].low);
		out->high = fmin(out->high, bounds[w].high);
	}
	*apart = (out->low - out->high) / fmax(1, out->low);
	return out->low <= out->high + ROUNDING;
}

static bool within(double count, const struct range *r)
{
	return count >= r->low - ROUNDING && count <= r->high + ROUNDING;
}

/* A point is claimed to the last digit. */
static void set_bounds(struct panel *p, size_t at, const struct range *all)
{
	const bool point = all->high - all->low <= 2 * ROUNDING;
	const double middle = round((all->low + all->high) / 2);

	p->low[at] = point ? middle : all->low;
	p->high[at] = point ? middle : all->high;
	p->claim[at] = point ? middle : NAN;
}

static void add_event_evidence(struct panel *p, size_t row, size_t e,
		       const struct evidence *t)
{
	const size_t at = row * PANEL_EVENTS + e;
	struct panel_event *event = &p->event[e];
	struct range bounds[WITNESSES], all = { 0, INFINITY };
	const double count = p->count[at];
	unsigned bits = 0;
	double apart;

	for (int w = 0; w < WITNESSES; w++) {
		if (!evidence_bounds(t, (enum witness_kind)w, event->counts,
				  &bounds[w]))
			continue;
		bits |= bounded_bit(w);
		if (!isnan(count) && within(count, &bounds[w]))
			bits |= agreed_bit(w);
	}
	if (!bits)
		return;
	if (!join(bounds, bits, &all, &apart)) {
		bits |= CONFLICT;
		note_conflict(event, &p->shape[p->row[row].shape], bounds, bits,
			  apart);
		all = (struct range){ NAN, NAN };
	}
	if ((bits & bounded_bit(WITNESS_CLOSED)) &&
	    isfinite(bounds[WITNESS_CLOSED].high))
		bits |= CLOSED;
	set_bounds(p, at, &all);
	p->witness_bits[at] = (unsigned char)bits;
}

void panel_add_evidence(struct panel *p, size_t row, const struct evidence *t)
{
	for (size_t e = 0; e < p->events; e++)
		if (p->event[e].counts)
			add_event_evidence(p, row, e, t);
}

void panel_state(struct panel *p, size_t row, const char *event,
		 const char *quantity, enum witness_kind witness, double low,
		 double high)
{
	const struct range all = { low, high };
	const int e = panel_find(p, event);
	const size_t at = row * PANEL_EVENTS + (e < 0 ? 0 : (size_t)e);

	if (e < 0)
		return;
	p->event[e].quantity = quantity;
	set_bounds(p, at, &all);
	p->witness_bits[at] = (unsigned char)(bounded_bit(witness) |
		(witness == WITNESS_CLOSED ? CLOSED : 0) |
		(!isnan(p->count[at]) && within(p->count[at], &all) ?
		 agreed_bit(witness) : 0));
}

void panel_claim(struct panel *p, size_t row, const char *event,
		 enum assay_quantity quantity, double low, double high)
{
	panel_state(p, row, event, assay_quantity_name(quantity),
		    WITNESS_CLOSED, low, high);
}

bool panel_is_closed(const struct panel *p, size_t cell)
{
	return p->witness_bits[cell] & CLOSED;
}

void panel_count_witness(struct panel *p, enum witness_kind witness,
		     const char *why)
{
	struct panel_witness *w = &p->witness[witness];

	w->bounded += !why;
	w->silent += why != NULL;
	if (!w->why)
		w->why = why;
}

void panel_agreement(const struct panel *p, size_t event,
		     struct panel_agreement *out)
{
	*out = (struct panel_agreement){ .conflict = 0 };
	for (size_t i = 0, next; i < p->rows; i = next) {
		unsigned any = 0, all = ~0u;

		for (next = i; next < p->rows &&
		     p->row[next].shape == p->row[i].shape; next++) {
			const size_t at = next * PANEL_EVENTS + event;

			if (isnan(p->count[at]))
				continue;
			any |= p->witness_bits[at];
			all &= p->witness_bits[at];
		}
		for (int w = 0; w < WITNESSES; w++) {
			out->bounded[w] += (any & bounded_bit(w)) != 0;
			out->agreed[w] += (any & bounded_bit(w)) &&
					  (all & agreed_bit(w));
		}
		out->conflict += (any & CONFLICT) != 0;
	}
}

void panel_agreement_text(char *out, size_t room,
			  const struct panel_agreement *h)
{
	*out = '\0';
	for (int w = 0; w < WITNESSES; w++)
		if (h->bounded[w])
			text_add(out, room, ", ", "%s %u of %u",
				 witness_names[w], h->agreed[w], h->bounded[w]);
	if (h->conflict)
		text_add(out, room, "; ", "they contradict each other in %u",
			 h->conflict);
}
