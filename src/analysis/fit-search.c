/* SPDX-License-Identifier: MIT */
/*
 * Explanations, the simplest first. A candidate fixes which columns take part;
 * least squares gives the amounts, and the model stands if it gives every count
 * of every row. Amounts are taken to the nearest number that means something,
 * so a model with a free amount is not free to fit noise.
 */
#include "analysis/fit-search.h"

#include <math.h>
#include <string.h>

#include "analysis/fit-least.h"

/* Fewer rows than that prove no explanation. */
enum { ROWS_LEAST = 3 };

struct search {
	const struct fit_panel *panel;
	const struct fit_column *c;
	size_t index;
	struct fit_result *out;
	bool varies;		/* the same shape gives different deviations */
	double most;		/* the largest count */
	unsigned at_most;	/* rows that have it */
	unsigned rows;		/* with a count and a claim */
};

static bool used(const struct search *s, size_t row)
{
	return !isnan(s->c->count[row]) && !isnan(s->c->claim[row]) &&
	       !(s->c->vague && s->c->vague[row] != 0);
}

static double linear(const struct fit_panel *p, const struct fit_model *m,
		     size_t row)
{
	double value = m->base < 0 ? 0 :
		       m->factor * p->column[m->base].claim[row];

	for (unsigned t = 0; t < m->terms; t++)
		value += m->amount[t] * p->row[row].term[m->term[t]];
	return value;
}

static double clamp(const struct fit_model *m, double value)
{
	value = value > 0 ? value : 0;
	if (m->full > 0 && value > m->full)
		value = m->full;
	if (m->wrap)
		value = fmod(round(value), ldexp(1, (int)m->wrap));
	return value;
}

double fit_value(const struct fit_panel *panel, size_t index,
		 const struct fit_model *model, size_t row)
{
	(void)index;
	return clamp(model, linear(panel, model, row));
}

static bool whole(const struct fit_model *m)
{
	bool is = m->factor == round(m->factor);

	for (unsigned t = 0; t < m->terms; t++)
		is &= m->amount[t] == round(m->amount[t]) &&
		      m->term[t] != FIT_cycles;
	return is;
}

/* Every count of every row? */
static bool holds(const struct search *s, const struct fit_model *m)
{
	/* cycles are not whole, and the sum was rounded once */
	const double slack = whole(m) ? 0.01 : 1.01;

	for (size_t i = 0; i < s->panel->rows; i++) {
		double value, band;

		if (!used(s, i))
			continue;
		value = clamp(m, linear(s->panel, m, i));
		band = slack + s->panel->tolerance * fabs(value) +
		       (s->c->slack ? s->c->slack[i] : 0);
		if (!(fabs(s->c->count[i] - value) <= band))
			return false;
	}
	return true;
}

/* Rows that a clamp has not touched. */
static bool unclamped(const struct search *s, const struct fit_model *m,
		      size_t row)
{
	double full = ldexp(1, (int)m->wrap);

	if (m->full > 0)
		return s->c->count[row] < m->full;
	if (!m->wrap)
		return true;
	for (unsigned t = 0; t < m->terms; t++)
		if (64 * s->panel->row[row].term[m->term[t]] >= full)
			return false;
	return m->base >= 0 && 64 * s->panel->column[m->base].claim[row] <
			       full;
}

/*
 * The amounts of the model's columns; free: the factor too. weight: do rows
 * count by their share of a deviation, or by its size?
 */
static bool solve(const struct search *s, struct fit_model *m, bool free,
		  enum least_weight weight)
{
	struct least l = { .unknowns = m->terms + free, .weight = weight };
	double x[LEAST_UNKNOWNS], found[LEAST_UNKNOWNS];

	for (size_t i = 0; i < s->panel->rows; i++) {
		double base = m->base < 0 ? 0 :
			      s->panel->column[m->base].claim[i];

		if (!used(s, i) || isnan(base) || !unclamped(s, m, i))
			continue;
		for (unsigned t = 0; t < m->terms; t++)
			x[t] = s->panel->row[i].term[m->term[t]];
		if (free)
			x[m->terms] = base;
		least_add(&l, x, s->c->count[i] - (free ? 0 :
						   m->factor * base));
	}
	if (!least_solve(&l, found))
		return false;
	for (unsigned t = 0; t < m->terms; t++) {
		m->amount[t] = least_snap(found[t]);
		if (fabs(m->amount[t]) < 1e-4)
			return false;
	}
	if (free)
		m->factor = least_snap(found[m->terms]);
	return !free || m->factor > 1e-6;
}

/* The first one that holds is the verdict; others of its level stand by. */
static void take(struct search *s, const struct fit_model *m, bool *found)
{
	struct fit_result *out = s->out;

	if (!*found)
		out->model = *m;
	else if (out->also < FIT_ALSO)
		out->alternative[out->also++] = *m;
	*found = true;
}

static bool known(const struct search *s, enum fit_term t)
{
	bool some = false;

	for (size_t i = 0; i < s->panel->rows; i++) {
		double x = s->panel->row[i].term[t];

		if (!used(s, i))
			continue;
		if (isnan(x) || !s->panel->row[i].truth)
			return false;
		some |= x != 0;
	}
	return some;
}

static bool usable(const struct search *s, size_t column)
{
	for (size_t i = 0; i < s->panel->rows; i++)
		if (used(s, i) && isnan(s->panel->column[column].claim[i]))
			return false;
	return column != s->index;
}

static void try_one(struct search *s, struct fit_model m, bool free,
		    bool *found)
{
	bool fits = m.terms + free == 0 && holds(s, &m);

	for (int w = 0; m.terms + free && w < LEAST_WEIGHTS && !fits; w++)
		fits = solve(s, &m, free, (enum least_weight)w) &&
		       holds(s, &m);
	if (fits)
		take(s, &m, found);
}

static struct fit_model claimed(const struct search *s)
{
	return (struct fit_model){ .base = (int)s->index, .factor = 1 };
}

static void try_clamps(struct search *s, struct fit_model m, bool free,
		       bool *found)
{
	static const unsigned widths[] = { 8, 16, 24, 32, 40, 48 };

	for (unsigned i = 0; i < sizeof(widths) / sizeof(*widths); i++) {
		m.wrap = widths[i];
		if (s->most < ldexp(1, (int)m.wrap))
			try_one(s, m, free, found);
	}
	m.wrap = 0;
	m.full = s->most;
	/* a limit that only one run has reached is no limit */
	if (s->at_most >= 2)
		try_one(s, m, free, found);
}

static void try_terms(struct search *s, struct fit_model m, bool free,
		      bool *found)
{
	m.terms = 1;
	for (int t = 0; t < FIT_TERMS; t++) {
		m.term[0] = (enum fit_term)t;
		if (known(s, m.term[0]))
			try_one(s, m, free, found);
	}
}

static void try_others(struct search *s, bool free, bool *found)
{
	struct fit_model m = claimed(s);

	for (size_t k = 0; k < s->panel->columns; k++) {
		m.base = (int)k;
		if (usable(s, k))
			try_one(s, m, free, found);
	}
}

/* One change: a factor, a width, a term, another event. */
static bool level_one(struct search *s)
{
	struct fit_model nothing = { .base = -1 };
	bool found = false;

	try_one(s, nothing, false, &found);	/* dead */
	if (found) {
		try_others(s, false, &found);
		return true;
	}
	try_one(s, claimed(s), true, &found);
	try_clamps(s, claimed(s), false, &found);
	try_terms(s, claimed(s), false, &found);
	try_others(s, false, &found);
	try_terms(s, nothing, false, &found);
	return found;
}

static void try_two_terms(struct search *s, struct fit_model m, bool *found)
{
	m.terms = 2;
	for (int a = 0; a < FIT_TERMS; a++) {
		for (int b = a + 1; b < FIT_TERMS; b++) {
			m.term[0] = (enum fit_term)a;
			m.term[1] = (enum fit_term)b;
			if (known(s, m.term[0]) && known(s, m.term[1]))
				try_one(s, m, false, found);
		}
	}
}

static void clamp_terms(struct search *s, struct fit_model m, bool *found)
{
	m.terms = 1;
	for (int t = 0; t < FIT_TERMS; t++) {
		m.term[0] = (enum fit_term)t;
		if (known(s, m.term[0]))
			try_clamps(s, m, false, found);
	}
}

/* Two changes. */
static bool level_two(struct search *s)
{
	struct fit_model m = claimed(s);
	bool found = false;

	try_clamps(s, m, true, &found);
	try_terms(s, m, true, &found);
	try_two_terms(s, m, &found);
	clamp_terms(s, m, &found);
	try_others(s, true, &found);
	for (size_t k = 0; k < s->panel->columns; k++) {
		m.base = (int)k;
		if (!usable(s, k))
			continue;
		try_terms(s, m, false, &found);
		try_clamps(s, m, false, &found);
	}
	return found;
}

/* ---- what differs from run to run --------------------------------------- */

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
static double interrupts_most(const struct search *s, size_t row)
{
	const struct fit_row *r = &s->panel->row[row];
	double cycles = r->truth ? r->term[FIT_cycles] : NAN;

	return 16 + (isnan(cycles) ? 1000 : cycles / 1e5);
}

/* What a model gives, were there no limit at which it stays full. */
static double unfilled(const struct search *s, const struct fit_model *m,
		       size_t row)
{
	double value = linear(s->panel, m, row);

	return m->wrap ? fmod(round(value > 0 ? value : 0),
			      ldexp(1, (int)m->wrap)) : value;
}

/*
 * What is left over: always multiples of one number and never negative, few:
 * interrupts. Small and of both signs: noise.
 */
static bool random_part(const struct search *s, struct fit_model *m)
{
	double unit = 0, most = 0, least = 0, sum = 0;
	bool few = true;

	if (!whole(m) && m->terms)
		return false;
	for (size_t i = 0; i < s->panel->rows; i++) {
		double rest;

		if (!used(s, i) || (m->full > 0 && s->c->count[i] >= m->full))
			continue;
		rest = s->c->count[i] - round(unfilled(s, m, i));
		sum = fmax(sum, linear(s->panel, m, i));
		unit = gcd(unit, fabs(rest));
		most = fmax(most, rest);
		least = fmin(least, rest);
	}
	for (size_t i = 0; i < s->panel->rows && unit >= 1; i++)
		if (used(s, i) && !(m->full > 0 &&
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
static double ratio(const struct search *s, const struct fit_model *m,
		    const double *x, int term)
{
	double most = 0, found = NAN;

	for (size_t i = 0; i < s->panel->rows; i++) {
		double v = term < 0 ? x[i] : s->panel->row[i].term[term];

		if (used(s, i) && v > most) {
			most = v;
			found = (s->c->count[i] - linear(s->panel, m, i)) / v;
		}
	}
	return round(found * 2) / 2;
}

/* More than so many low bits are not noise but something unknown. */
#define NOISE_MOST 0x1p24

/* Noise must be small against what is counted, or it explains anything. */
static bool plausible(const struct search *s, const struct fit_model *m)
{
	double most = 0;

	for (size_t i = 0; i < s->panel->rows; i++)
		if (used(s, i))
			most = fmax(most, linear(s->panel, m, i));
	if (m->wrap && m->noise * 4096 > ldexp(1, (int)m->wrap))
		return false;
	return m->noise == 0 || (m->noise < NOISE_MOST &&
				 (most == 0 || m->noise * 8 < most));
}

static void try_random(struct search *s, struct fit_model m, bool *found)
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
static void add_lookalikes(struct search *s)
{
	struct fit_model kernel = { .base = -1,
				    .interrupt = s->out->model.interrupt };
	struct fit_model noise = claimed(s);
	unsigned claims = 0;

	for (size_t i = 0; i < s->panel->rows; i++) {
		if (!used(s, i))
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
static bool noisy_width(struct search *s)
{
	static const unsigned widths[] = { 16, 24, 32, 40, 48 };
	bool found = false;

	for (unsigned i = 0; i < sizeof(widths) / sizeof(*widths); i++) {
		struct fit_model m = claimed(s);

		m.wrap = widths[i];
		if (s->most < ldexp(1, (int)m.wrap))
			try_random(s, m, &found);
		if (found)
			break;
	}
	return found;
}

static bool level_random(struct search *s)
{
	struct fit_model m = claimed(s), nothing = { .base = -1 };
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

static bool random_terms(struct search *s)
{
	struct fit_model m = claimed(s);
	bool found = false;

	for (int t = 0; t < FIT_TERMS; t++) {
		if (!known(s, (enum fit_term)t) || t == FIT_cycles)
			continue;
		m = claimed(s);
		m.amount[0] = round(ratio(s, &m, NULL, t));
		m.term[0] = (enum fit_term)t;
		m.terms = 1;
		if (m.amount[0] != 0)
			try_random(s, m, &found);
	}
	for (size_t k = 0; k < s->panel->columns; k++) {
		m = claimed(s);
		m.base = (int)k;
		if (usable(s, k))
			try_random(s, m, &found);
	}
	return found;
}

static void look(struct search *s)
{
	const struct fit_panel *p = s->panel;

	for (size_t i = 0; i < p->rows; i++) {
		if (!used(s, i))
			continue;
		if (s->c->count[i] > s->most)
			s->at_most = 0;
		s->rows++;
		s->most = fmax(s->most, s->c->count[i]);
		s->at_most += s->c->count[i] == s->most;
		if (i && p->row[i].shape == p->row[i - 1].shape &&
		    used(s, i - 1) && s->c->claim[i] == s->c->claim[i - 1] &&
		    s->c->count[i] != s->c->count[i - 1])
			s->varies = true;
	}
}

bool search(const struct fit_panel *panel, size_t index,
	    struct fit_result *out)
{
	struct search s = { panel, &panel->column[index], index, out, false,
			    0, 0, 0 };

	look(&s);
	if (s.rows < ROWS_LEAST)
		return false;
	if (level_one(&s))
		return true;
	if (level_two(&s))
		return true;
	return s.varies && (level_random(&s) || random_terms(&s));
}
