/* SPDX-License-Identifier: MIT */
/* Means, their confidence intervals, and the spikes that both leave out. */
#include <stdlib.h>

#include "analysis/judge/parts.h"

double judge_student(unsigned k)
{
	static const double few[] = { INFINITY, 63.657, 9.9248, 5.8409, 4.6041,
				      4.0321, 3.7074, 3.4995, 3.3554, 3.2498 };
	const double z = 2.575829, z2 = z * z;

	if (k < sizeof(few) / sizeof(*few))
		return few[k];
	/* Cornish and Fisher's expansion around the normal quantile z */
	return z + z * (z2 + 1) / (4. * k) +
	       z * ((5 * z2 + 16) * z2 + 3) / (96. * k * k) +
	       z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) /
		       (384. * k * k * k);
}

double judge_least_sd(double sd, unsigned n)
{
	const double k = n - 1.;
	/* Wilson and Hilferty: the 97.5 % quantile of chi square */
	const double root = 1 - 2 / (9 * k) + 1.96 * sqrt(2 / (9 * k));

	return n < 2 ? 0 : sd * sqrt(k / (k * root * root * root));
}

double judge_mean(const double *value, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += value[i];
	return n ? sum / (double)n : NAN;
}

double judge_sd(const double *value, size_t n)
{
	const double mean = judge_mean(value, n);
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (value[i] - mean) * (value[i] - mean);
	return n > 1 ? sqrt(sum / (double)(n - 1)) : 0;
}

static int ascending(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double judge_median(double *value, size_t n)
{
	qsort(value, n, sizeof(*value), ascending);
	return n % 2 ? value[n / 2] : (value[n / 2 - 1] + value[n / 2]) / 2;
}

void judge_swap(const struct judge_row **row, size_t a, size_t b)
{
	const struct judge_row *const kept = row[a];

	row[a] = row[b];
	row[b] = kept;
}

/* Swaps reading i with reading `last`, the last one that is not yet left
 * out. */
static void put_away(struct judge_room *room, struct judge_shape *s, size_t i,
		     size_t last)
{
	const double kept = room->off[i];

	room->off[i] = room->off[last];
	room->off[last] = kept;
	judge_swap(s->row, i, last);
}

/* Fills room->sorted with the distances from the median, ascending. Returns the
 * median. */
static double distances(struct judge_room *room, size_t n)
{
	double middle;

	for (size_t i = 0; i < n; i++)
		room->sorted[i] = room->off[i];
	middle = judge_median(room->sorted, n);
	for (size_t i = 0; i < n; i++)
		room->sorted[i] = fabs(room->off[i] - middle);
	qsort(room->sorted, n, sizeof(double), ascending);
	return middle;
}

/*
 * A spike is further than 8 robust standard deviations from the median. At most
 * a fifth of the readings are spikes. Of few readings the robust deviation may
 * be too small by chance: if more than a fifth of the readings lie beyond 8
 * deviations, a spike must lie beyond 8 times the distance within which four
 * fifths of the readings lie. The deviation counts as at least 1e-5 of the mean
 * and half a step of rounding; for a count, as at least 1.
 */
size_t judge_leave_out(struct judge_room *room, struct judge_shape *s, size_t n)
{
	const double step = s->resolution < 1 ? s->resolution / 2 :
			    fmax(1, s->resolution / 2);
	double centre, least, middle, far;
	size_t kept = n;

	if (n < 5)
		return n;
	centre = judge_mean(room->off, n) +
		 (isnan(s->expected) ? 0 : s->expected);
	least = fmax(step, 1e-5 * fabs(centre));
	middle = distances(room, n);
	far = 8 * fmax(1.4826 * room->sorted[n / 2], least);
	if (room->sorted[n - 1 - n / 5] > far)
		far = 8 * fmax(room->sorted[n - 1 - n / 5], least);
	for (size_t i = n; i-- > 0;)
		if (fabs(room->off[i] - middle) > far)
			put_away(room, s, i, --kept);
	return kept;
}

/* Half-width that multiplexing adds: 5 % of the part of the count that was
 * extrapolated is the standard error. */
static double half_scaled(double mean, double scaled)
{
	return scaled > 0 && scaled < 1 ?
	       2.6 * 0.05 * (1 - scaled) / scaled * fabs(mean) : 0;
}

double judge_half(double sd, size_t n, double mean, double scaled,
		  double resolution)
{
	const double noise = n < 2 ? 0 : n == 2 ? sd :
		judge_student((unsigned)n - 1) * sd / sqrt((double)n);

	return hypot(noise, half_scaled(mean, scaled)) +
	       (resolution != 1 ? resolution / 2 : 0);
}
