/* SPDX-License-Identifier: MIT */
/* Collects the facts that the shapes of a scope show; decide.c makes a class of
 * the facts. */
#include <string.h>

#include "analysis/judge/parts.h"

/* Quantities that prefetchers can lower: cache refills, cache misses and
 * sources of data. An unknown quantity is not hidden. */
bool judge_is_hidden(const char *quantity)
{
	static const char *const name[] = {
		"l1d_refills", "l2_refills", "l3_refills", "ll_refills",
		"l1d_misses", "l2_misses", "l3_misses", "ll_misses",
		"l1d_read_misses", "l2_read_misses", "l3_read_misses",
		"served_l2", "served_l3", "served_dram", "dram_reads",
		"data_from_l2", "data_from_l3", "data_from_dram",
		"data_from_memory",
	};

	for (size_t i = 0; i < sizeof(name) / sizeof(*name); i++)
		if (!strcmp(quantity, name[i]))
			return true;
	return false;
}

bool judge_is_alive(const struct judge_shape *s)
{
	const double t = isnan(s->expected) ? s->low : s->expected;

	return t >= (judge_is_rate(s) ? 0.1 : 20) && s->mean >= t / 2;
}

static double off(const struct judge_shape *s)
{
	return s->mean - s->expected;
}

static double relative(const struct judge_shape *s)
{
	return fabs(off(s)) / fmax(fabs(s->expected), judge_floor(s));
}

/* How far the mean is outside the bound that the verdict names: below in
 * counts, above as a share. */
static double outside(const struct judge_shape *s, bool below)
{
	if (below)
		return s->mean < s->low ? s->low - s->mean : 0;
	return s->mean > s->high ? (s->mean - s->high) /
				   fmax(s->high, judge_floor(s)) : 0;
}

/* Whether each distance from the truth t is a + part * t, to within the
 * half-width of the mean's interval or 5 %. least: take the lowest reading
 * instead of the mean, since other work has disturbed the lowest reading
 * least. */
static bool is_same(struct judge_list list, double a, double part, bool least)
{
	for (size_t i = 0; i < list.shapes; i++) {
		const struct judge_shape *s = list.shape[i];
		const double want = a + part * s->expected;
		const double is = (least ? s->least : s->mean) - s->expected;

		if (fabs(is - want) > fmax(s->half, 0.05 * want))
			return false;
	}
	return true;
}

/*
 * Whether all shapes have the same small excess, as start-up adds: beyond
 * noise, within the margin, and no fixed share of the truth. Rates are counts
 * per unit of work, so start-up adds no fixed number to a rate.
 */
static bool is_more(struct judge_list list, double *constant)
{
	double sum = 0, parts = 0, weights = 0, part_weights = 0;
	size_t beyond = 0;

	for (size_t i = 0; i < list.shapes; i++) {
		const struct judge_shape *s = list.shape[i];
		const double h = fmax(s->half, 1), t = s->expected;

		if (off(s) <= judge_floor(s) + (s->resolution == 1) ||
		    s->margin <= 0 || judge_is_rate(s))
			return false;
		sum += off(s) / h / h;
		weights += 1 / h / h;
		parts += off(s) * t / h / h;
		part_weights += t * t / h / h;
		beyond += s->readings > 1 && off(s) > s->half &&
			  off(s) > 3 * s->sd;
	}
	if (!judge_leverage(list, 1))
		return false;
	*constant = sum / weights;
	if (!judge_leverage(list, 1.5))
		return 2 * beyond >= list.shapes;
	if (!is_same(list, *constant, 0, false))
		return false;
	return !is_same(list, 0, parts / part_weights, false) ||
	       (2 * beyond >= list.shapes &&
		!is_same(list, 0, parts / part_weights, true));
}

static void add_bounds(struct judge_facts *f, const struct judge_shape *s)
{
	const double slack_low = 0.03 * fabs(s->low) + judge_floor(s);
	const double slack_high = 0.03 * fabs(s->high) + judge_floor(s);

	if (s->marks & JUDGE_APART)
		return;
	if (s->mean + s->half < s->low - slack_low) {
		f->below = true;
		if (s->mean <= fmax(1e-4 * s->low, s->resolution))
			f->label = JUDGE_ZERO;
	}
	if (s->mean - s->half > s->high + slack_high)
		f->above = true;
}

static void add_distance(struct judge_facts *f, const struct judge_shape *s)
{
	const double t = judge_middle(s), far = fabs(s->mean - t) + s->half;

	f->far = fmax(f->far, far);
	/* what start and stop may add is no share of a small count */
	if (t > 0 && (isnan(s->expected) || far > judge_floor(s)))
		f->far_part = fmax(f->far_part, far / t);
	f->rate |= judge_is_rate(s);
}

static void add_shape(struct judge_facts *f, const struct judge_shape *s)
{
	f->shapes++;
	f->readings += s->readings;
	f->left_out += s->left_out;
	f->good += s->label == JUDGE_IN;
	f->fails += judge_fails(s);
	f->marks |= s->marks;
	f->wrapped |= s->wrapped > 0;
	f->unstable |= judge_is_unstable(s);
	f->terms |= s->each != NULL;
	if (s->label > f->label)
		f->label = (enum judge_label)s->label;
	if (s->label == JUDGE_BOUNDS)
		add_bounds(f, s);
	if (judge_fails(s)) {
		f->doubted += (s->marks & (JUDGE_BY_TIME | JUDGE_BY_SUM)) != 0;
		f->nothing &= s->expected == 0 && !judge_is_rate(s);
	}
	if (s->label == JUDGE_IN || s->label == JUDGE_WITHIN)
		add_distance(f, s);
	if (judge_known(s))
		f->only_zero &= s->expected == 0;
}

/*
 * The shape to quote: among the shapes with the worst label the one furthest
 * from its truth, or outside its bounds; if the event is unstable, the unstable
 * shape with the largest relative standard deviation.
 */
static const struct judge_shape *furthest(const struct judge_facts *f,
					  struct judge_list list)
{
	const struct judge_shape *worst = NULL;

	for (size_t i = 0; i < list.shapes; i++) {
		const struct judge_shape *s = list.shape[i];

		if (f->unstable) {
			if (judge_is_unstable(s) &&
			    (!worst || s->sd / fabs(s->mean) >
				       worst->sd / fabs(worst->mean)))
				worst = s;
			continue;
		}
		if (f->below || f->above) {
			if (outside(s, f->below) >
			    (worst ? outside(worst, f->below) : 0))
				worst = s;
			continue;
		}
		if (!worst || s->label > worst->label ||
		    (s->label == worst->label && judge_known(s) &&
		     relative(s) > relative(worst)))
			worst = s;
	}
	return worst;
}

/* Whether the scope is a single shape of retired work with a small excess,
 * which start and stop or a bias may cause. Regions are not asked: the other
 * shapes of their program do not show the excess. */
static bool is_start(const struct judge_facts *f, const struct judge_shape *s)
{
	const double d = off(s);

	return f->shapes == 1 && s->label == JUDGE_OVER &&
	       s->truth == JUDGE_UNIT && s->margin > 0 && s->expected > 0 &&
	       d <= 2000 && d <= 0.05 * s->expected && !judge_is_rate(s);
}

static void fit(struct judge_facts *f, struct judge_list list, bool region)
{
	double misfit;

	if (!region && f->shapes > 1)
		f->line = judge_fit(list, &f->factor, &f->constant);
	else if (judge_factor(list, &f->factor, &misfit))
		f->line = JUDGE_FACTOR;
}

void judge_gather(struct judge_facts *f, struct judge_list list, bool region)
{
	const char *quantity = list.shape[0]->row[0]->quantity;

	*f = (struct judge_facts){
		.factor = NAN, .constant = NAN, .only_zero = true,
		.nothing = true, .programs = 1,
		.hidden = judge_is_hidden(quantity),
	};
	for (size_t i = 0; i < list.shapes; i++)
		add_shape(f, list.shape[i]);
	f->lone = f->shapes == 1;
	f->worst = furthest(f, list);
	f->only_zero &= f->label >= JUDGE_IN;
	f->nothing &= f->label >= JUDGE_UNDER;
	f->start = !region && is_start(f, f->worst);
	if (f->label == JUDGE_IN)
		f->more = is_more(list, &f->constant);
	else if (f->label >= JUDGE_UNSURE)
		fit(f, list, region);
}

/* Adds the facts of a part to the facts of the scope that contains the part. */
void judge_combine(struct judge_facts *f, const struct judge_facts *part,
		   enum assay_class class_)
{
	f->combined = true;
	f->part |= 1u << class_;
	f->programs += part->programs;
	f->shapes += part->shapes;
	f->readings += part->readings;
	f->left_out += part->left_out;
	f->terms |= part->terms;
	f->wrapped |= part->wrapped;
	f->marks |= part->marks;
	f->good += part->good;
	f->fails += part->fails;
	f->rate |= part->rate;
	if (!judge_is_right(class_))
		return;
	f->far = fmax(f->far, part->far);
	f->far_part = fmax(f->far_part, part->far_part);
}
