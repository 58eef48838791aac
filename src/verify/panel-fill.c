/* SPDX-License-Identifier: MIT */
/* Witnesses and a panel: what they allow, and who agreed with what. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "verify/panel.h"
#include "base/text.h"

/* A byte per row and event: who spoke, who agreed with the count. */
enum { TORN = 1 << 6, BANDED = 1 << 7, LOOSE = 1 << 8 };

static unsigned spoke(int w)
{
	return 1u << w;
}

static unsigned agreed(int w)
{
	return 1u << (w + WITNESSES);
}

/* Counts are whole; bands come out of sums of rounded numbers. */
#define ROUNDING 0.51
/* A band is tight that leaves no more than this share open. */
#define TIGHT 0.25

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

/* What all of them allow; false: nothing is left. */
static bool join(const struct range *said, unsigned heard, struct range *out,
		 double *apart)
{
	*out = (struct range){ 0, INFINITY };
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

/* The count where it is allowed; else what is most likely, for the fit. */
static double likely(double count, const struct range *all,
		     const struct range *said, unsigned heard)
{
	const struct range *model = &said[WITNESS_SIMULATED];
	double middle = (model->low + model->high) / 2;

	if (!isnan(count) && within(count, all))
		return all->high - all->low <= 2 * ROUNDING ?
		       round((all->low + all->high) / 2) : count;
	if ((heard & spoke(WITNESS_SIMULATED)) && isfinite(middle) &&
	    within(middle, all))
		return round(middle);
	return round(isfinite(all->high) ? (all->low + all->high) / 2 :
					   all->low);
}

/* How well it is known: to the last digit, in a narrow band, or too loosely to
 * claim anything of a count that lies inside. */
static unsigned settle(struct panel_event *event, double count,
		       const struct range *all)
{
	if (all->high - all->low <= 2 * ROUNDING)
		return 0;
	if (all->low > 0 && all->high - all->low <= TIGHT * all->high) {
		event->tight += !isnan(count);
		return BANDED;
	}
	return isnan(count) || within(count, all) ? LOOSE : BANDED;
}

static double beyond(double count, const struct range *r)
{
	if (isnan(count) || within(count, r))
		return 0;
	return count < r->low ? count - r->low : count - r->high;
}

/* To each side of the claim; of a multiple of it as much more. */
static double slack(double count, double claim, const struct range *r)
{
	if (!(r->low > 0) || r->high - r->low > TIGHT * r->high)
		return INFINITY;
	return fmax(r->high - claim, claim - r->low) *
	       (count > claim ? count / claim : 1);
}

static void hear_event(struct panel *p, size_t row, size_t e,
		       const struct evidence *t)
{
	const size_t at = row * PANEL_EVENTS + e;
	struct panel_event *event = &p->event[e];
	struct range said[WITNESSES], all;
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
		p->claim[at] = NAN;
	} else {
		heard |= settle(event, count, &all);
		p->claim[at] = (heard & LOOSE) ? NAN :
			       likely(count, &all, said, heard);
		heard &= ~(unsigned)LOOSE;
		p->off[at] = beyond(count, &all);
		if (heard & BANDED)
			p->slack[at] = slack(count, p->claim[at], &all);
	}
	p->heard[at] = (unsigned char)heard;
}

void panel_hear(struct panel *p, size_t row, const struct evidence *t)
{
	for (size_t e = 0; e < p->events; e++)
		if (p->event[e].counts)
			hear_event(p, row, e, t);
}

void panel_claim(struct panel *p, size_t row, const char *event, double low,
		 double high)
{
	const struct range said[WITNESSES] = { [WITNESS_CLOSED] = { low, high } };
	const int e = panel_find(p, event);
	const size_t at = row * PANEL_EVENTS + (e < 0 ? 0 : (size_t)e);
	unsigned heard = spoke(WITNESS_CLOSED);
	double count;

	if (e < 0)
		return;
	count = p->count[at];
	if (!isnan(count) && within(count, &said[WITNESS_CLOSED]))
		heard |= agreed(WITNESS_CLOSED);
	if (high - low > 2 * ROUNDING) {
		heard |= BANDED;
		p->event[e].tight += low > 0 && high - low <= TIGHT * high;
	}
	p->off[at] = beyond(count, &said[WITNESS_CLOSED]);
	p->claim[at] = count < low ? low : count > high ? high :
		       isnan(count) ? low : count;
	p->heard[at] = (unsigned char)heard;
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

void panel_heard(const struct panel *p, size_t event, struct panel_heard *out)
{
	*out = (struct panel_heard){ .torn = 0 };
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
		out->banded |= (any & BANDED) != 0;
	}
}

void panel_heard_text(char *out, size_t room, const struct panel_heard *h)
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
