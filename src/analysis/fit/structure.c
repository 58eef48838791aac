/* SPDX-License-Identifier: MIT */
/*
 * Events without a claim: their counts as a sum over loads, passes and runs, or
 * as another event's counts and a difference per pass. See fit.h.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/fit/least.h"
#include "analysis/fit/fit.h"

/* Fewer rows do not determine three amounts. */
enum { ROWS_LEAST = 5 };

static const enum fit_term parts[] = { FIT_loads, FIT_passes, FIT_runs };

/* Has the row a count, loads and passes? */
static bool usable(const struct fit_panel *p, const double *count, size_t row)
{
	return !isnan(count[row]) && p->row[row].truth &&
	       !isnan(p->row[row].term[FIT_loads]) &&
	       p->row[row].term[FIT_passes] > 0;
}

/* Do whole amounts per load, pass and run give every count? */
static bool holds(const struct fit_panel *p, const double *count,
		  const double *amount)
{
	for (size_t i = 0; i < p->rows; i++) {
		double sum = 0;

		if (!usable(p, count, i))
			continue;
		for (int t = 0; t < 3; t++)
			sum += amount[t] * p->row[i].term[parts[t]];
		if (fabs(sum - count[i]) > 0.01)
			return false;
	}
	return true;
}

/*
 * If all runs make the same number of loads, loads and runs are dependent: fits
 * passes and a constant, and divides the constant by the loads. False: loads
 * differ, or the division leaves a remainder.
 */
static bool split(const struct fit_panel *p, const double *count,
		  double *amount)
{
	struct least l = { .unknowns = 2, .weight = LEAST_SIZES };
	double found[2], loads = NAN;

	for (size_t i = 0; i < p->rows; i++) {
		const double *term = p->row[i].term;
		const double x[] = { term[FIT_passes], 1 };

		if (!usable(p, count, i))
			continue;
		if (!isnan(loads) && loads != term[FIT_loads])
			return false;
		loads = term[FIT_loads];
		least_add(&l, x, count[i]);
	}
	if (!(loads > 0) || !least_solve(&l, found))
		return false;
	amount[0] = floor(round(found[1]) / loads);
	amount[1] = found[0];
	amount[2] = round(found[1]) - amount[0] * loads;
	return amount[2] < 1e-3 * loads;
}

bool fit_structure(const struct fit_panel *panel, size_t index, char *out,
		   size_t room)
{
	const double *count = panel->column[index].count;
	struct least l = { .unknowns = 3 };
	double amount[3];
	unsigned rows = 0;

	for (size_t i = 0; i < panel->rows; i++) {
		double x[3];

		if (!usable(panel, count, i))
			continue;
		for (int t = 0; t < 3; t++)
			x[t] = panel->row[i].term[parts[t]];
		least_add(&l, x, count[i]);
		rows++;
	}
	if (rows < ROWS_LEAST || (!least_solve(&l, amount) &&
				  !split(panel, count, amount)))
		return false;
	for (int t = 0; t < 3; t++)
		amount[t] = round(amount[t]);
	if (!holds(panel, count, amount))
		return false;
	snprintf(out, room, "%.0f per load + %.0f per pass + %.0f per run, to "
		 "the last digit in all %u shapes", amount[0], amount[1],
		 amount[2], rows);
	return true;
}

/*
 * The event with the smallest sum of relative differences over all rows; -1: no
 * event's mean difference is below a half.
 */
static int nearest(const struct fit_panel *p, size_t index)
{
	const double *count = p->column[index].count;
	double best = 0.5 * (double)p->rows;
	int found = -1;

	for (size_t k = 0; k < p->columns; k++) {
		double sum = 0;

		for (size_t i = 0; i < p->rows && k != index; i++)
			if (usable(p, count, i))
				sum += fabs(count[i] - p->column[k].count[i]) /
				       fmax(1, count[i]);
		if (k == index || isnan(sum) || sum >= best)
			continue;
		best = sum;
		found = (int)k;
	}
	return found;
}

/*
 * Does the next difference belong to the stretch? All of them are within a
 * factor of 1.5, or below a half.
 */
static bool alike(double low, double high, double next)
{
	low = fmin(low, next);
	high = fmax(high, next);
	return high < 0.5 ? low > -0.5 : low > 0 && high <= 1.5 * low;
}

/* Neighbouring rows with nearly equal differences per pass. */
struct stretch {
	double low, high;
	size_t from, to;
	unsigned rows;
};

static void append_stretch(char *out, size_t room, size_t *used,
			   const struct stretch *s, fit_label_fn *label,
			   const void *ctx)
{
	const char *comma;
	char amount[64];

	if (!s->rows || *used >= room)
		return;
	comma = out[*used - 1] == ' ' ? "" : "; ";
	snprintf(amount, sizeof(amount), s->rows > 1 ? "%.4g to %.4g" : "%.4g",
		 s->low, s->high);
	*used += (size_t)snprintf(out + *used, room - *used,
				  "%s%s per pass at %s", comma, amount,
				  label(ctx, s->from));
	if (s->rows > 1 && *used < room)
		*used += (size_t)snprintf(out + *used, room - *used, " to %s",
					  label(ctx, s->to));
}

bool fit_other_event(const struct fit_panel *panel, size_t index,
		fit_label_fn *label, const void *ctx, char *out, size_t room)
{
	const double *count = panel->column[index].count;
	int other = nearest(panel, index);
	struct stretch s = { .rows = 0 };
	unsigned longest = 0;
	size_t used;

	if (other < 0)
		return false;
	snprintf(out, room, "%s and ", panel->column[other].name);
	used = strlen(out);
	for (size_t i = 0; i < panel->rows; i++) {
		double k = !usable(panel, count, i) ? NAN :
			   (count[i] - panel->column[other].count[i]) /
			   panel->row[i].term[FIT_passes];

		if (isnan(k))
			continue;
		if (k < -0.5)	/* fewer than the other event: no sum */
			return false;
		if (!s.rows || !alike(s.low, s.high, k)) {
			append_stretch(out, room, &used, &s, label, ctx);
			s = (struct stretch){ k, k, i, i, 0 };
		}
		s.low = fmin(s.low, k);
		s.high = fmax(s.high, k);
		s.to = i;
		s.rows++;
		/* half a count per pass is no term */
		longest = s.rows > longest && s.low > 0.5 ? s.rows : longest;
	}
	append_stretch(out, room, &used, &s, label, ctx);
	return longest >= 3;
}
