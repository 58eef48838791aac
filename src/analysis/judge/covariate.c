/* SPDX-License-Identifier: MIT */
/*
 * The terms for interrupts and page faults: many counters add one or two counts
 * for each. How many counts an event adds for one interrupt does not depend on
 * the work. Therefore all shapes of a program decide together, each with the
 * weight 1/margin^2. Only whole numbers are tried as coefficients. The
 * covariates are themselves counts, and their counters may be wrong.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/judge/parts.h"

#define FAULTS 2	/* counts for each page fault, at the most */

/* Means of one shape; weight 0: the shape takes no part. */
struct centre { double off, irq, fault, weight; };

struct terms {
	struct judge_list list;
	struct centre *centre;
	int irq, fault;		/* index of the covariate, or -1 */
	bool has_irq, has_fault, silent;
};

int judge_covariate(const struct judge_input *in, const char *name)
{
	for (unsigned i = 0; i < in->covariates && i < JUDGE_COVARIATES; i++)
		if (!strcmp(in->covariate[i], name))
			return (int)i;
	return -1;
}

unsigned judge_per(const struct judge_shape *s, const char *covariate)
{
	for (int k = 0; s->each && k < (int)s->each->covariates; k++)
		if (k != s->centred && !strcmp(s->each->name[k], covariate))
			return s->each->counted[k];
	return 0;
}

double judge_covariate_at(const struct judge_row *r, int index)
{
	return index < 0 || !r->covariate ? NAN : r->covariate[index];
}

/* Mean of a covariate over the shape's readings; NAN if a reading has no value
 * of the covariate. */
double judge_covariate_mean(const struct judge_shape *s, int index)
{
	double sum = 0;

	for (uint32_t i = 0; i < s->readings; i++)
		sum += judge_covariate_at(s->row[i], index);
	return s->readings ? sum / s->readings : NAN;
}

/* Takes coefficient * x off for each covariate x; for the centred covariate
 * coefficient * (x - mean of x). */
double judge_off_at(const struct judge_shape *s, size_t i)
{
	const struct judge_row *r = s->row[i];
	double off = r->count - (isnan(s->expected) ? 0 : r->expected);

	for (unsigned k = 0; s->each && k < s->each->covariates; k++) {
		const double x = judge_covariate_at(r, (int)k);

		if (s->each->counted[k] && !isnan(x))
			off -= s->each->counted[k] *
			       (x - ((int)k == s->centred ? s->centre : 0));
	}
	return off;
}

double judge_off_mean(const struct judge_shape *s)
{
	double sum = 0;

	for (uint32_t i = 0; i < s->readings; i++)
		sum += judge_off_at(s, i);
	return s->readings ? sum / s->readings : NAN;
}

static double known(double value)
{
	return isnan(value) ? 0 : value;
}

#define BEYOND 10	/* a distance of more than this many counts for each
			 * interrupt and page fault has another cause */

/* One or two readings that agree with their truth take no part: no distance is
 * left to explain. Nor does a shape that is so far off that interrupts and page
 * faults matter little: the shape neither supports nor refutes a term. */
static void add_centre(struct terms *t, size_t i)
{
	struct judge_shape *s = t->list.shape[i];
	const double irq = judge_covariate_mean(s, t->irq);
	const double fault = judge_covariate_mean(s, t->fault);
	const double off = judge_off_mean(s);
	double margin;

	if (!s->readings || isnan(s->expected))
		return;
	margin = judge_margin(s, s->truth, true);
	if (irq == 0 && s->readings >= 3)
		s->marks |= JUDGE_SILENT;
	if (s->readings < 3 && fabs(off) <= margin)
		return;
	if (known(irq) + known(fault) > 0 &&
	    fabs(off) > BEYOND * (known(irq) + known(fault)) + margin)
		return;
	t->centre[i] = (struct centre){ off, known(irq), known(fault),
					1 / margin };
	t->has_irq |= irq > 0;
	t->has_fault |= fault > 0;
	t->silent |= (s->marks & JUDGE_SILENT) != 0;
}

/* Sums for the least squares slope, within shapes, of the distance from the
 * truth against interrupts. rest: squared residuals; free: degrees of
 * freedom. */
struct slope { double xx, xy, rest; size_t free; };

static void add_slope(struct slope *sum, const struct terms *t, double slope)
{
	for (size_t i = 0; i < t->list.shapes; i++) {
		const struct judge_shape *s = t->list.shape[i];
		const struct centre *c = &t->centre[i];

		sum->free += c->weight > 0 ? s->readings - 1 : 0;
		for (uint32_t k = 0; k < s->readings && c->weight > 0; k++) {
			const double x = c->weight * (known(judge_covariate_at(
						s->row[k], t->irq)) - c->irq);
			const double y = c->weight *
					 (judge_off_at(s, k) - c->off);

			sum->xx += x * x;
			sum->xy += x * y;
			sum->rest += (y - slope * x) * (y - slope * x);
		}
	}
}

/*
 * Whether the slope may be 1, and whether the slope may be 0; both, if there
 * are too few readings. The 99 % confidence interval excludes 0. Only twice
 * that interval excludes 1, since an event whose interrupts are not taken off
 * is accused.
 */
static void slopes(const struct terms *t, bool *one, bool *zero)
{
	struct slope first = { 0 }, second = { 0 };
	double slope, half;

	*one = *zero = true;
	add_slope(&first, t, 0);
	if (first.free < 3 || first.xx <= 0)
		return;
	slope = first.xy / first.xx;
	add_slope(&second, t, slope);
	half = judge_student((unsigned)first.free - 1) *
	       sqrt(second.rest / (double)(first.free - 1) / first.xx) + 0.02;
	*one = fabs(slope - 1) <= 2 * half;
	*zero = fabs(slope) <= half;
}

/* Norm of the distances that the terms leave, each distance in margins. */
static double left(const struct terms *t, int irq, int fault)
{
	double sum = 0;

	for (size_t i = 0; i < t->list.shapes; i++) {
		const struct centre *c = &t->centre[i];
		const double rest = c->weight * (c->off - irq * c->irq -
						 fault * c->fault);

		sum += rest * rest;
	}
	return sqrt(sum);
}

/* Half-width of the 99 % interval of what the terms leave in a shape. Of fewer
 * than three readings the noise is unknown; their margin stands for it. */
static double half_left(const struct terms *t, const struct judge_shape *s,
			int irq, int fault)
{
	double mean = 0, squares = 0;

	for (uint32_t k = 0; k < s->readings; k++) {
		const struct judge_row *row = s->row[k];
		const double x = judge_off_at(s, k) -
			irq * known(judge_covariate_at(row, t->irq)) -
			fault * known(judge_covariate_at(row, t->fault));
		const double step = x - mean;

		mean += step / (k + 1);
		squares += step * (x - mean);
	}
	if (s->readings < 3)
		return judge_margin(s, s->truth, true);
	return judge_half(sqrt(squares / (s->readings - 1)), s->readings,
			  mean + s->expected, s->scaled, s->resolution);
}

/* As left(), of the part of each distance that noise does not explain. */
static double left_beyond(const struct terms *t, int irq, int fault)
{
	double sum = 0;

	for (size_t i = 0; i < t->list.shapes; i++) {
		const struct centre *c = &t->centre[i];
		const double rest = fabs(c->off - irq * c->irq -
					 fault * c->fault);

		if (c->weight > 0)
			sum = hypot(sum, c->weight * fmax(0, rest -
				half_left(t, t->list.shape[i], irq, fault)));
	}
	return sum;
}

/* Norm of three counts in each shape, in margins. */
static double three_counts(const struct terms *t)
{
	double sum = 0;

	for (size_t i = 0; i < t->list.shapes; i++)
		sum += 9 * t->centre[i].weight * t->centre[i].weight;
	return sqrt(sum);
}

/*
 * Finds the coefficients that leave the least distance. The terms and noise
 * must explain 90 % of the distance, or 75 % where an interrupt counter is
 * dead. Each count of a coefficient costs `price`.
 */
static void search(const struct terms *t, int irq_from, int irq_to, int *irq,
		   int *fault)
{
	const double all = left(t, 0, 0);
	const double price = 0.01 * all + three_counts(t);
	const double most = (t->silent ? 0.25 : 0.1) * all;
	double best = all;

	*irq = *fault = 0;
	for (int i = irq_from; i <= irq_to; i++)
		for (int f = 0; f <= (t->has_fault ? FAULTS : 0); f++) {
			const double rest = left(t, i, f);

			if ((i || f) && left_beyond(t, i, f) > most)
				continue;
			if (rest + price * (i + f) >= best)
				continue;
			best = rest + price * (i + f);
			*irq = i;
			*fault = f;
		}
}

/*
 * Whether the interrupt counter reads too high. Within a shape the event
 * follows the interrupts one for one; but taking the interrupts off the means
 * leaves more than half of their number unexplained, and keeping them in the
 * means leaves less than half.
 */
static bool stands_too_high(const struct terms *t)
{
	double with = INFINITY, without = INFINITY, irq = 0;

	for (int f = 0; f <= (t->has_fault ? FAULTS : 0); f++) {
		with = fmin(with, left(t, 1, f));
		without = fmin(without, left(t, 0, f));
	}
	for (size_t i = 0; i < t->list.shapes; i++)
		irq = hypot(irq, t->centre[i].weight * t->centre[i].irq);
	return with > irq / 2 && without < irq / 2 && without < with;
}

/* Centres the interrupt term on its mean: the term then removes noise from the
 * readings and does not change the mean of the shape. */
static void set_centres(const struct terms *t)
{
	for (size_t i = 0; i < t->list.shapes; i++) {
		struct judge_shape *s = t->list.shape[i];

		s->marks |= JUDGE_HIGH;
		s->centred = t->irq;
		s->centre = judge_covariate_mean(s, t->irq);
	}
}

static void decide(const struct terms *t, struct judge_each *each)
{
	bool one, zero;
	int irq, fault;

	slopes(t, &one, &zero);
	if (t->has_irq && one && !zero && stands_too_high(t)) {
		search(t, 0, 0, &irq, &fault);
		irq = 1;
		set_centres(t);
	} else {
		search(t, t->has_irq && one && !zero,
		       t->has_irq && (one || !zero), &irq, &fault);
	}
	if (t->irq >= 0)
		each->counted[t->irq] = (unsigned char)irq;
	if (t->fault >= 0)
		each->counted[t->fault] = (unsigned char)fault;
}

int judge_covariates(struct judge_list list, const struct judge_input *in,
		     struct judge_each *each)
{
	struct terms t = { .list = list,
			   .irq = judge_covariate(in, "interrupts"),
			   .fault = judge_covariate(in, "page_faults") };

	if (in->no_margins || (t.irq < 0 && t.fault < 0))
		return 0;
	t.centre = calloc(list.shapes, sizeof(*t.centre));
	if (!t.centre)
		return -ASSAY_ENOMEM;
	for (size_t i = 0; i < list.shapes; i++)
		add_centre(&t, i);
	if (t.has_irq || t.has_fault)
		decide(&t, each);
	free(t.centre);
	return 0;
}
