/* SPDX-License-Identifier: MIT */
/*
 * The label of a shape from its own readings. Agreement and failure are both
 * proven: the interval of the mean lies within the margin, or outside the
 * margin.
 */
#include "analysis/judge/parts.h"

bool judge_is_rate(const struct judge_shape *s)
{
	return s->resolution < 1;
}

double judge_floor(const struct judge_shape *s)
{
	return judge_is_rate(s) ? fmax(0.02, s->resolution) :
	       3 + (s->resolution > 1 ? s->resolution : 0);
}

static double part_of(enum judge_truth truth, bool few, double t, bool capped)
{
	switch (truth) {
	case JUDGE_MODEL:
		return 0.03 * t;
	case JUDGE_ABOUT:
		return 0.05 * t;
	default:	/* below 3 readings the noise is unknown */
		if (!few)
			return 0.0005 * t;
		return capped ? fmin(0.002 * t, 2e6) : 0.002 * t;
	}
}

double judge_margin(const struct judge_shape *s, enum judge_truth truth,
		    bool capped)
{
	const double t = fabs(s->expected);
	const double part = part_of(truth, s->readings + s->left_out < 3, t,
				    capped);

	if (!judge_is_rate(s))
		return part + judge_floor(s);
	return t == 0 ? 0.02 : fmax(part, fmax(s->resolution,
					       fmin(0.02, 0.05 * t)));
}

double judge_row_margin(const struct judge_row *row)
{
	const struct judge_shape s = { .expected = row->expected,
		.resolution = row->resolution, .readings = 1 };

	return judge_margin(&s, row->truth ? row->truth : JUDGE_ABOUT, true);
}

static bool is_zero(const struct judge_shape *s)
{
	const double t = s->expected;

	if (s->mean == 0 && t > s->refuse)
		return true;
	return t >= (judge_is_rate(s) ? 0.1 : 20) &&
	       s->mean <= fmax(1e-4 * t, s->resolution);
}

double judge_middle(const struct judge_shape *s)
{
	return isnan(s->expected) ? (s->low + s->high) / 2 : s->expected;
}

/*
 * Whether the mean agrees with bounds that are at most 10 % apart. The middle
 * of the bounds serves as the truth; a mean between the bounds agrees as well.
 * Single readings may lie 3 % outside the bounds.
 */
static bool is_within(const struct judge_shape *s)
{
	struct judge_shape middle = *s;
	const double half = (s->high - s->low) / 2;
	double margin;

	if (!(s->low > 0 && s->high >= s->low && s->high <= 1.1 * s->low))
		return false;
	middle.expected = judge_middle(s);
	margin = judge_margin(&middle, s->truth ? s->truth : JUDGE_UNIT, true);
	return fabs(s->mean - middle.expected) + s->half <=
	       fmax(margin, half) &&
	       s->least >= 0.97 * s->low - judge_floor(s) &&
	       s->most <= 1.03 * s->high + judge_floor(s);
}

static enum judge_label label_of(const struct judge_shape *s)
{
	const double off = s->mean - s->expected;

	if (!s->readings)
		return JUDGE_NONE;
	if (isnan(s->expected) && isnan(s->low) && isnan(s->high))
		return JUDGE_NONE;
	if (isnan(s->expected))
		return is_within(s) ? JUDGE_WITHIN : JUDGE_BOUNDS;
	if (is_zero(s))
		return JUDGE_ZERO;
	if (fabs(off) + s->half <= s->margin)
		return JUDGE_IN;
	if (fabs(off) - s->wide > s->refuse)
		return off > 0 ? JUDGE_OVER : JUDGE_UNDER;
	return JUDGE_UNSURE;
}

void judge_label(struct judge_shape *s, bool no_margins)
{
	const enum judge_truth truth = s->truth;

	s->margin = s->refuse = 0;
	if (!no_margins) {
		s->margin = judge_margin(s, truth ? truth : JUDGE_UNIT, true);
		s->refuse = judge_margin(s, truth ? truth : JUDGE_ABOUT, true);
	}
	s->label = label_of(s);
}
