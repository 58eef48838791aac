/* SPDX-License-Identifier: MIT */
/*
 * Interrupts and page faults: many counters count one or two for each. A
 * coefficient is a whole number or none; what does not snap to one is no such
 * term. The covariates are themselves counts of counters that may be wrong.
 */
#include "analysis/judge/parts.h"

struct terms {
	const double *off, *irq, *fault;
	size_t n;
	double off_mean, irq_mean, fault_mean;
	bool has_irq, has_fault, silent;
};

/* Mean of a covariate, NAN if any reading lacks it. */
static bool is_usable(const double *x, size_t n, double *mean)
{
	*mean = judge_mean(x, n);
	return !isnan(*mean) && *mean != 0;
}

/* Whether a line through off against interrupts rises by `slope`, and not by
 * `other`: least squares with its 99 % interval. */
static void slopes(const struct terms *t, bool *one, bool *zero)
{
	double xx = 0, xy = 0, rest = 0, slope, half;

	*one = *zero = true;
	for (size_t i = 0; i < t->n; i++) {
		const double x = t->irq[i] - t->irq_mean;

		xx += x * x;
		xy += x * (t->off[i] - t->off_mean);
	}
	if (t->n < 4 || xx <= 0)
		return;
	slope = xy / xx;
	for (size_t i = 0; i < t->n; i++) {
		const double r = t->off[i] - t->off_mean -
				 slope * (t->irq[i] - t->irq_mean);

		rest += r * r;
	}
	half = judge_student((unsigned)t->n - 2) *
	       sqrt(rest / (double)(t->n - 2) / xx) + 0.02;
	*one = fabs(slope - 1) <= half;
	*zero = fabs(slope) <= half;
}

/* What is left of the mean after the terms. */
static double left(const struct terms *t, int irq, int fault)
{
	return fabs(t->off_mean - irq * (t->has_irq ? t->irq_mean : 0) -
		    fault * (t->has_fault ? t->fault_mean : 0));
}

/* A term must explain nearly all of the distance, and pay for itself. */
static void search(const struct terms *t, int irq_from, int irq_to, int *irq,
		   int *fault)
{
	const double price = 0.01 * fabs(t->off_mean) + 3;
	const double most = (t->silent ? 0.25 : 0.1) * fabs(t->off_mean);
	double best = fabs(t->off_mean);

	*irq = *fault = 0;
	for (int i = irq_from; i <= irq_to; i++)
		for (int f = 0; f <= (t->has_fault ? 2 : 0); f++) {
			const double rest = left(t, i, f);

			if ((i || f) && rest > most)
				continue;
			if (rest + price * (i + f) >= best)
				continue;
			best = rest + price * (i + f);
			*irq = i;
			*fault = f;
		}
}

/* It moves with the event, one for one, but is far from 0 where that is not:
 * more than half of it stays unexplained, and nothing without it. */
static bool stands_too_high(const struct terms *t)
{
	double with = INFINITY, without = INFINITY;

	for (int f = 0; f <= (t->has_fault ? 2 : 0); f++) {
		with = fmin(with, left(t, 1, f));
		without = fmin(without, left(t, 0, f));
	}
	return with > t->irq_mean / 2 && without < t->irq_mean / 2 &&
	       without < with;
}

static void take_off(struct judge_room *room, const struct terms *t, int irq,
		     double irq_base, int fault)
{
	for (size_t i = 0; i < t->n; i++) {
		if (irq)
			room->off[i] -= irq * (t->irq[i] - irq_base);
		if (fault)
			room->off[i] -= fault * t->fault[i];
	}
}

void judge_covariates(struct judge_shape *s, const struct judge_input *in,
		      struct judge_room *room, size_t n)
{
	struct terms t = { room->off, room->interrupts, room->faults, n,
			   judge_mean(room->off, n), 0, 0, false, false,
			   false };
	bool one, zero;
	int irq, fault;

	t.has_irq = is_usable(t.irq, n, &t.irq_mean);
	t.has_fault = is_usable(t.fault, n, &t.fault_mean);
	t.silent = t.irq_mean == 0 && n >= 3;
	s->marks |= t.silent ? JUDGE_SILENT : 0;
	if (n < 3 && fabs(t.off_mean) <= judge_margin(s, s->truth, true))
		return;
	if (in->no_margins || (!t.has_irq && !t.has_fault))
		return;
	slopes(&t, &one, &zero);
	if (t.has_irq && one && !zero && stands_too_high(&t)) {
		search(&t, 0, 0, &irq, &fault);
		take_off(room, &t, 1, t.irq_mean, fault);
		s->marks |= JUDGE_HIGH;
	} else {
		search(&t, t.has_irq && one && !zero,
		       t.has_irq && (one || !zero), &irq, &fault);
		take_off(room, &t, irq, 0, fault);
		s->interrupts = irq;
	}
	s->faults = fault;
}
