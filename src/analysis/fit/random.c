/* SPDX-License-Identifier: MIT */
/* Explanations of what differs from run to run: interrupts, and noise. */
#include <math.h>

#include "analysis/fit/searching.h"

static double gcd(double a, double b)
{
	while (b >= 1) {
		double r = fmod(a, b);

		a = b;
		b = r;
	}
	return a;
}

/* More interrupts than that in one run are none. */
static double interrupts_most(const struct searching *s, size_t row)
{
	const struct fit_row *r = &s->panel->row[row];
	double cycles = r->truth ? r->term[FIT_cycles] : NAN;

	return 16 + (isnan(cycles) ? 1000 : cycles / 1e5);
}

/* What a model gives, were there no limit at which it stays full. */
static double unfilled(const struct searching *s, const struct fit_model *m,
		       size_t row)
{
	double value = searching_linear(s->panel, m, row);

	return m->wrap ? fmod(round(value > 0 ? value : 0),
			      ldexp(1, (int)m->wrap)) : value;
}

/*
 * What is left over: always multiples of one number and never negative, few:
 * interrupts. Small and of both signs: noise.
 */
static bool random_part(const struct searching *s, struct fit_model *m)
{
	double unit = 0, most = 0, least = 0, sum = 0;
	bool few = true;

	if (!searching_integer(m) && m->terms)
		return false;
	for (size_t i = 0; i < s->panel->rows; i++) {
		double rest;

		if (!searching_used(s, i) ||
		    (m->full > 0 && s->c->count[i] >= m->full))
			continue;
		rest = s->c->count[i] - round(unfilled(s, m, i));
		sum = fmax(sum, searching_linear(s->panel, m, i));
		unit = gcd(unit, fabs(rest));
		most = fmax(most, rest);
		least = fmin(least, rest);
	}
	for (size_t i = 0; i < s->panel->rows && unit >= 1; i++)
		if (searching_used(s, i) && !(m->full > 0 &&
				    s->c->count[i] >= m->full))
			few &= s->c->count[i] - round(unfilled(s, m, i))
			       <= unit * interrupts_most(s, i);
	if (least == 0 && unit >= 1 && few)
		m->interrupt = unit;
	else if ((least < 0 && most > 0) || (sum == 0 && most > 0))
		m->noise = fmax(most, -least);
	return m->interrupt > 0 || m->noise > 0;
}

/* A factor or an amount from the row where it is seen best. */
static double ratio(const struct searching *s, const struct fit_model *m,
		    const double *x, int term)
{
	double most = 0, found = NAN;

	for (size_t i = 0; i < s->panel->rows; i++) {
		double v = term < 0 ? x[i] : s->panel->row[i].term[term];

		if (searching_used(s, i) && v > most) {
			most = v;
			found = (s->c->count[i] -
				 searching_linear(s->panel, m, i)) / v;
		}
	}
	return round(found * 2) / 2;
}

/* More than so many low bits are not noise but something unknown. */
#define NOISE_MOST 0x1p24

/* Noise must be small against what is counted, or it explains anything. */
static bool plausible(const struct searching *s, const struct fit_model *m)
{
	double most = 0;

	for (size_t i = 0; i < s->panel->rows; i++)
		if (searching_used(s, i))
			most = fmax(most, searching_linear(s->panel, m, i));
	if (m->wrap && m->noise * 4096 > ldexp(1, (int)m->wrap))
		return false;
	return m->noise == 0 || (m->noise < NOISE_MOST &&
				 (most == 0 || m->noise * 8 < most));
}

static void try_random(struct searching *s, struct fit_model m, bool *found)
{
	if (!random_part(s, &m) || !plausible(s, &m))
		return;
	if (!*found || m.noise < s->out->model.noise ||
	    (m.interrupt > 0 && s->out->model.noise > 0)) {
		if (*found && s->out->model.interrupt > 0)
			return;
		s->out->model = m;
	}
	*found = true;
}

/* So many rows where noise took nothing away are no accident. */
#define ROWS_LEFT_ALONE 8

/*
 * A few are counted too many, other ones each time: where nothing is claimed,
 * a kernel's own counts and noise look the same; and where little is claimed,
 * noise had few chances to take something away.
 */
static void add_lookalikes(struct searching *s)
{
	struct fit_model kernel = { .base = -1,
				    .interrupt = s->out->model.interrupt };
	struct fit_model noise = searching_claimed(s);
	unsigned claims = 0;

	for (size_t i = 0; i < s->panel->rows; i++) {
		if (!searching_used(s, i))
			continue;
		claims += s->c->claim[i] != 0;
		noise.noise = fmax(noise.noise, s->c->count[i] -
						s->c->claim[i]);
	}
	if (!(kernel.interrupt > 0) ||
	    (claims && (kernel.interrupt != 1 || claims >= ROWS_LEFT_ALONE)))
		return;
	if (!claims)
		s->out->alternative[s->out->also++] = kernel;
	if (s->out->also < FIT_ALSO)
		s->out->alternative[s->out->also++] = noise;
}

/* A counter of few bits that is noisy, too. */
static bool noisy_width(struct searching *s)
{
	static const unsigned widths[] = { 16, 24, 32, 40, 48 };
	bool found = false;

	for (unsigned i = 0; i < sizeof(widths) / sizeof(*widths); i++) {
		struct fit_model m = searching_claimed(s);

		m.wrap = widths[i];
		if (s->most < ldexp(1, (int)m.wrap))
			try_random(s, m, &found);
		if (found)
			break;
	}
	return found;
}

static bool level_random(struct searching *s)
{
	struct fit_model m = searching_claimed(s), nothing = { .base = -1 };
	bool found = false;
	double factor;

	try_random(s, m, &found);
	if (found) {
		add_lookalikes(s);
		return true;
	}
	if (s->at_most >= 2 && s->most > 0) {
		m.full = s->most;
		try_random(s, m, &found);
		if (found)
			return true;
		m.full = 0;
	}
	if (noisy_width(s))
		return true;
	try_random(s, nothing, &found);
	if (found && s->out->model.interrupt > 0)
		return true;
	found = false;
	m.factor = 0;
	factor = ratio(s, &m, s->c->claim, -1);
	m.factor = factor;
	if (factor >= 0.5 && factor != 1)
		try_random(s, m, &found);
	return found;
}

static bool random_terms(struct searching *s)
{
	struct fit_model m = searching_claimed(s);
	bool found = false;

	for (int t = 0; t < FIT_TERMS; t++) {
		if (!searching_knows(s, (enum fit_term)t) || t == FIT_cycles)
			continue;
		m = searching_claimed(s);
		m.amount[0] = round(ratio(s, &m, NULL, t));
		m.term[0] = (enum fit_term)t;
		m.terms = 1;
		if (m.amount[0] != 0)
			try_random(s, m, &found);
	}
	for (size_t k = 0; k < s->panel->columns; k++) {
		m = searching_claimed(s);
		m.base = (int)k;
		if (searching_usable(s, k))
			try_random(s, m, &found);
	}
	return found;
}

bool searching_random(struct searching *s)
{
	return level_random(s) || random_terms(s);
}
