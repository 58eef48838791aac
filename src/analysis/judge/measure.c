/* SPDX-License-Identifier: MIT */
/* Makes mean, confidence interval and label of a shape from its readings. */
#include <stdlib.h>

#include "analysis/judge/parts.h"

#define WRAPPED (0.9 * 0x1p63)	/* least reading of a counter below 0 */

int judge_room_open(struct judge_room *room, size_t readings)
{
	double *all = calloc(readings ? readings : 1, 2 * sizeof(*all));

	if (!all)
		return -1;
	*room = (struct judge_room){ all, all + readings };
	return 0;
}

void judge_room_close(struct judge_room *room)
{
	free(room->off);
}

/* Moves the rows whose counter ran below 0 behind the other rows. Returns the
 * number of the other rows. */
static size_t put_wrapped_away(struct judge_shape *s)
{
	size_t n = s->rows;

	for (size_t i = s->rows; i-- > 0;)
		if (s->row[i]->count >= WRAPPED)
			judge_swap(s->row, i, --n);
	s->wrapped = (uint32_t)(s->rows - n);
	return n;
}

/*
 * Means of the truth, its bounds and the counted share over the rows. A truth
 * or a bound is NAN if any row lacks the value. The coarsest resolution and the
 * highest enum judge_truth hold for the shape.
 */
static void know(struct judge_shape *s)
{
	double expected = 0, low = 0, high = 0, scaled = 0;

	s->resolution = 0;
	for (size_t i = 0; i < s->rows; i++) {
		const struct judge_row *r = s->row[i];

		expected += r->expected;
		low += r->low;
		high += r->high;
		scaled += isnan(r->scaled) ? 1 : r->scaled;
		s->resolution = fmax(s->resolution, r->resolution);
		if (r->truth > s->truth)
			s->truth = r->truth;
	}
	s->expected = expected / s->rows;
	s->low = low / s->rows;
	s->high = high / s->rows;
	s->scaled = scaled / s->rows;
	if (s->low == s->high)
		s->expected = s->low;
	if (s->low > s->high)
		s->marks |= JUDGE_APART;
}

static void span(struct judge_shape *s)
{
	s->least = INFINITY;
	s->most = -INFINITY;
	for (size_t i = 0; i < s->readings; i++) {
		s->least = fmin(s->least, s->row[i]->count);
		s->most = fmax(s->most, s->row[i]->count);
	}
}

/* Whether a covariate other than interrupts and page faults differs between
 * rows. Then the runs may have done different work, and a spread of the
 * readings proves nothing. */
static bool is_varied(const struct judge_shape *s, const struct judge_input *in)
{
	const int irq = judge_covariate(in, "interrupts");
	const int fault = judge_covariate(in, "page_faults");
	const double *first = s->row[0]->covariate;

	for (int k = 0; first && k < (int)in->covariates; k++)
		for (size_t i = 1; i < s->rows && k != irq && k != fault; i++)
			if (s->row[i]->covariate[k] != first[k])
				return true;
	return false;
}

/* Whether one of three or four readings is a spike: the other readings lie
 * together. Four readings are too few to leave the spike out. */
static bool is_lone(struct judge_room *room, const struct judge_shape *s)
{
	const size_t n = s->readings;
	double far, near;

	if (s->left_out || (n != 3 && n != 4))
		return false;
	for (size_t i = 0; i < n; i++)
		room->sorted[i] = room->off[i];
	judge_median(room->sorted, n);
	far = room->sorted[n - 1] - room->sorted[n - 2];
	near = room->sorted[n - 2] - room->sorted[0];
	if (room->sorted[1] - room->sorted[0] > far) {
		far = room->sorted[1] - room->sorted[0];
		near = room->sorted[n - 1] - room->sorted[1];
	}
	return far > 8 * fmax(near, s->resolution);
}

void judge_collect(struct judge_shape *s, const struct judge_input *in,
		   struct judge_room *room)
{
	const size_t n = put_wrapped_away(s);

	know(s);
	s->centred = -1;
	for (size_t i = 0; i < n; i++)
		room->off[i] = judge_off_at(s, i);
	s->readings = (uint32_t)judge_leave_out(room, s, n);
	s->left_out = (uint32_t)n - s->readings;
	if (is_varied(s, in))
		s->marks |= JUDGE_VARIED;
}

static void settle(struct judge_shape *s, const struct judge_input *in,
		   struct judge_room *room)
{
	for (size_t i = 0; i < s->readings; i++)
		room->off[i] = judge_off_at(s, i);
	span(s);
	if (is_lone(room, s))
		s->marks |= JUDGE_LONE;
	s->mean = judge_mean(room->off, s->readings) +
		  (isnan(s->expected) ? 0 : s->expected);
	s->sd = judge_sd(room->off, s->readings);
	s->half = judge_half(s->sd, s->readings, s->mean, s->scaled,
			     s->resolution);
	s->wide = s->half;
	judge_label(s, in->no_margins);
}

/* Spikes stay left out only if the other readings agree with each other. */
void judge_settle(struct judge_shape *s, const struct judge_input *in,
		  struct judge_room *room)
{
	settle(s, in, room);
	if (!s->left_out || !judge_is_unstable(s))
		return;
	s->readings += s->left_out;
	s->left_out = 0;
	settle(s, in, room);
}

bool judge_is_restless(const struct judge_shape *s)
{
	static const char *const part[] = { "cycles", "interrupts", "ns",
					    "time" };

	for (size_t i = 0; i < sizeof(part) / sizeof(*part); i++) {
		const char *a = part[i], *b = s->row[0]->quantity;

		while (*a && *a == *b)
			a++, b++;
		if (!*a)
			return true;
	}
	return false;
}

#define APART 10	/* highest / lowest reading that a truth's change
			 * explains */

/* Whether the truth itself may differ from run to run, as at the edge of a
 * cache: only wide bounds are known, and the readings differ at most
 * APART-fold. */
static bool may_truth_differ(const struct judge_shape *s)
{
	return s->label == JUDGE_BOUNDS && s->most <= APART * s->least;
}

/* Whether two readings with one truth differ. */
static bool is_any_different(const struct judge_shape *s)
{
	for (uint32_t i = 1; i < s->readings; i++)
		for (uint32_t k = 0; k < i; k++)
			if (s->row[i]->expected == s->row[k]->expected &&
			    s->row[i]->count != s->row[k]->count)
				return true;
	return false;
}

/*
 * Whether the readings of a shape differ by more than chance. The lower
 * confidence bound of the standard deviation is above 5 % of the mean (1 % for
 * retired work); the spread exceeds Poisson noise and rounding; and the mean is
 * less than 10 standard deviations off its truth (else the misfit is reported).
 * Where the truth is exact (no margin), two counts of one truth must be equal.
 */
bool judge_is_unstable(const struct judge_shape *s)
{
	const double part = s->truth == JUDGE_UNIT ? 0.01 : 0.05;

	if (s->readings < 2 || s->scaled < 1 ||
	    s->marks & (JUDGE_LONE | JUDGE_VARIED) ||
	    judge_is_restless(s) || may_truth_differ(s))
		return false;
	if (fabs(s->mean - s->expected) >= 10 * s->sd)
		return false;
	if (s->margin == 0)
		return is_any_different(s);
	return judge_least_sd(s->sd, s->readings) > part * fabs(s->mean) &&
	       (judge_is_rate(s) || s->sd > 2 * sqrt(fabs(s->mean))) &&
	       s->most - s->least > 2 * (judge_floor(s) + s->resolution);
}
