/* SPDX-License-Identifier: MIT */
/*
 * The search for an explanation of an event's counts, from the simplest to
 * the most complex: one change of the claim, two changes, then a random part
 * (interrupts, noise). A candidate model fixes which columns take part; least
 * squares gives the amounts, and the model stands only if it gives every count
 * of every row. Amounts are rounded to plausible numbers (least_snap), so a
 * free amount cannot fit noise.
 */
#include "analysis/fit/search.h"

#include <math.h>

#include "analysis/fit/least.h"

/* Fewer rows prove no explanation. */
enum { ROWS_LEAST = 3 };

struct search {
	const struct fit_panel *panel;
	const struct fit_column *c;
	size_t index;		/* of c in the panel */
	struct fit_result *out;
	bool varies;		/* runs of one shape deviate differently */
	double most;		/* the largest count */
	unsigned at_most;	/* rows that have it */
	unsigned rows;		/* rows that are used */
};

/* Has the row a count and a claim? */
static bool is_used(const struct search *s, size_t row)
{
	return !isnan(s->c->count[row]) && !isnan(s->c->claim[row]);
}

/* What a model gives in a row, before the counter wraps or saturates. */
static double linear_value(const struct fit_panel *p,
			   const struct fit_model *m, size_t row)
{
	double value = m->base < 0 ? 0 :
		       m->factor * p->column[m->base].claim[row];

	for (unsigned t = 0; t < m->terms; t++)
		value += m->amount[t] * p->row[row].term[m->term[t]];
	return value;
}

/* Does a model give whole numbers? */
static bool is_integer(const struct fit_model *m)
{
	bool is = m->factor == round(m->factor);

	for (unsigned t = 0; t < m->terms; t++)
		is &= m->amount[t] == round(m->amount[t]) &&
		      m->term[t] != FIT_cycles;
	return is;
}

/* Is a term known in every row that is used, and not 0 in all of them? */
static bool is_known(const struct search *s, enum fit_term t)
{
	bool some = false;

	for (size_t i = 0; i < s->panel->rows; i++) {
		double x = s->panel->row[i].term[t];

		if (!is_used(s, i))
			continue;
		if (isnan(x) || !s->panel->row[i].truth)
			return false;
		some |= x != 0;
	}
	return some;
}

/* Is the column another event, with a claim in every row that is used? */
static bool has_claims(const struct search *s, size_t column)
{
	for (size_t i = 0; i < s->panel->rows; i++)
		if (is_used(s, i) &&
		    isnan(s->panel->column[column].claim[i]))
			return false;
	return column != s->index;
}

/* The event counts its claim. */
static struct fit_model claimed_model(const struct search *s)
{
	return (struct fit_model){ .base = (int)s->index, .factor = 1 };
}

/* ---- a random part: interrupts and noise -------------------------------- */

static double gcd(double a, double b)
{
	while (b >= 1) {
		double r = fmod(a, b);

		a = b;
		b = r;
	}
	return a;
}

/* A run cannot have had more interrupts. */
static double interrupts_most(const struct search *s, size_t row)
{
	const struct fit_row *r = &s->panel->row[row];
	double cycles = r->truth ? r->term[FIT_cycles] : NAN;

	return 16 + (isnan(cycles) ? 1000 : cycles / 1e5);
}

/* What a model gives in a row, before the counter saturates. */
static double unsaturated(const struct search *s, const struct fit_model *m,
		       size_t row)
{
	double value = linear_value(s->panel, m, row);

	return m->wrap ? fmod(round(value > 0 ? value : 0),
			      ldexp(1, (int)m->wrap)) : value;
}

/*
 * Sets the model's random part from the rows' remainders. Remainders that are
 * multiples of one number, never negative and few are interrupts; small
 * remainders of both signs are noise. False: neither.
 */
static bool random_part(const struct search *s, struct fit_model *m)
{
	double unit = 0, most = 0, least = 0, sum = 0;
	bool few = true;

	if (!is_integer(m) && m->terms)
		return false;
	for (size_t i = 0; i < s->panel->rows; i++) {
		double rest;

		if (!is_used(s, i) ||
		    (m->full > 0 && s->c->count[i] >= m->full))
			continue;
		rest = s->c->count[i] - round(unsaturated(s, m, i));
		sum = fmax(sum, linear_value(s->panel, m, i));
		unit = gcd(unit, fabs(rest));
		most = fmax(most, rest);
		least = fmin(least, rest);
	}
	for (size_t i = 0; i < s->panel->rows && unit >= 1; i++)
		if (is_used(s, i) && !(m->full > 0 &&
				    s->c->count[i] >= m->full))
			few &= s->c->count[i] - round(unsaturated(s, m, i))
			       <= unit * interrupts_most(s, i);
	if (least == 0 && unit >= 1 && few)
		m->interrupt = unit;
	else if ((least < 0 && most > 0) || (sum == 0 && most > 0))
		m->noise = fmax(most, -least);
	return m->interrupt > 0 || m->noise > 0;
}

/*
 * The factor of x, or the amount of a term (term >= 0), in halves, from the row
 * where x or the term is largest. NAN: it is 0 everywhere.
 */
static double ratio(const struct search *s, const struct fit_model *m,
		    const double *x, int term)
{
	double most = 0, found = NAN;

	for (size_t i = 0; i < s->panel->rows; i++) {
		double v = term < 0 ? x[i] : s->panel->row[i].term[term];

		if (is_used(s, i) && v > most) {
			most = v;
			found = (s->c->count[i] -
				 linear_value(s->panel, m, i)) / v;
		}
	}
	return round(found * 2) / 2;
}

/* Larger differences are not noise. */
#define NOISE_MOST 0x1p24

/* Is the noise small against the counts? Large noise explains anything. */
static bool plausible(const struct search *s, const struct fit_model *m)
{
	double most = 0;

	for (size_t i = 0; i < s->panel->rows; i++)
		if (is_used(s, i))
			most = fmax(most, linear_value(s->panel, m, i));
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

/* If noise lowered none of this many counts, they have no noise. */
#define ROWS_WITHOUT_NOISE 8

/*
 * The model found is a few extra counts per interrupt. Two other causes look
 * alike: if nothing is claimed, an event that counts in the kernel only, and
 * noise; if few rows have a claim, noise that happened not to lower a count.
 */
static void add_lookalikes(struct search *s)
{
	struct fit_model kernel = { .base = -1,
				    .interrupt = s->out->model.interrupt };
	struct fit_model noise = claimed_model(s);
	unsigned claims = 0;

	for (size_t i = 0; i < s->panel->rows; i++) {
		if (!is_used(s, i))
			continue;
		claims += s->c->claim[i] != 0;
		noise.noise = fmax(noise.noise, s->c->count[i] -
						s->c->claim[i]);
	}
	if (!(kernel.interrupt > 0) ||
	    (claims && (kernel.interrupt != 1 || claims >= ROWS_WITHOUT_NOISE)))
		return;
	if (!claims)
		s->out->alternative[s->out->alternatives++] = kernel;
	if (s->out->alternatives < FIT_ALTERNATIVES)
		s->out->alternative[s->out->alternatives++] = noise;
}

/* A counter of few bits, with noise. */
static bool noisy_width(struct search *s)
{
	static const unsigned widths[] = { 16, 24, 32, 40, 48 };
	bool found = false;

	for (unsigned i = 0; i < sizeof(widths) / sizeof(*widths); i++) {
		struct fit_model m = claimed_model(s);

		m.wrap = widths[i];
		if (s->most < ldexp(1, (int)m.wrap))
			try_random(s, m, &found);
		if (found)
			break;
	}
	return found;
}

/* The claim, the saturated claim, nothing, or a factor, and a random part. */
static bool claim_or_factor(struct search *s)
{
	struct fit_model m = claimed_model(s), nothing = { .base = -1 };
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

/* The claim and a term, or another event's claim, and a random part. */
static bool term_or_other(struct search *s)
{
	struct fit_model m = claimed_model(s);
	bool found = false;

	for (int t = 0; t < FIT_TERMS; t++) {
		if (!is_known(s, (enum fit_term)t) || t == FIT_cycles)
			continue;
		m = claimed_model(s);
		m.amount[0] = round(ratio(s, &m, NULL, t));
		m.term[0] = (enum fit_term)t;
		m.terms = 1;
		if (m.amount[0] != 0)
			try_random(s, m, &found);
	}
	for (size_t k = 0; k < s->panel->columns; k++) {
		m = claimed_model(s);
		m.base = (int)k;
		if (has_claims(s, k))
			try_random(s, m, &found);
	}
	return found;
}

/* ---- models without a random part --------------------------------------- */

static double clamp(const struct fit_model *m, double value)
{
	value = value > 0 ? value : 0;
	if (m->full > 0 && value > m->full)
		value = m->full;
	if (m->wrap)
		value = fmod(round(value), ldexp(1, (int)m->wrap));
	return value;
}

/* Does the model give every count of every row that is used? */
static bool holds(const struct search *s, const struct fit_model *m)
{
	/* terms in cycles are not whole, and the event rounds the sum once */
	const double slack = is_integer(m) ? 0.01 : 1.01;

	for (size_t i = 0; i < s->panel->rows; i++) {
		double value;

		if (!is_used(s, i))
			continue;
		value = clamp(m, linear_value(s->panel, m, i));
		if (!(fabs(s->c->count[i] - value) <= slack))
			return false;
	}
	return true;
}

/* Has the counter neither wrapped nor saturated in that row? */
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
 * Finds the amounts of the model's terms by least squares, and the factor too
 * if that is free. False: they are not determined, or one is 0.
 */
static bool solve(const struct search *s, struct fit_model *m, bool free,
		  enum least_weight weight)
{
	struct least l = { .unknowns = m->terms + free, .weight = weight };
	double x[LEAST_UNKNOWNS], found[LEAST_UNKNOWNS];

	for (size_t i = 0; i < s->panel->rows; i++) {
		double base = m->base < 0 ? 0 :
			      s->panel->column[m->base].claim[i];

		if (!is_used(s, i) || isnan(base) || !unclamped(s, m, i))
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

/* The first model that holds is the result, further ones alternatives. */
static void add_model(struct search *s, const struct fit_model *m, bool *found)
{
	struct fit_result *out = s->out;

	if (!*found)
		out->model = *m;
	else if (out->alternatives < FIT_ALTERNATIVES)
		out->alternative[out->alternatives++] = *m;
	*found = true;
}

/*
 * Tries a model; free: its factor is to be found as well. *found becomes true
 * if the model holds. The functions below are of the same type.
 */
typedef void try_fn(struct search *s, struct fit_model m, bool free,
		    bool *found);

static void try_one(struct search *s, struct fit_model m, bool free,
		    bool *found)
{
	bool fits = m.terms + free == 0 && holds(s, &m);

	for (int w = 0; m.terms + free && w < LEAST_WEIGHTS && !fits; w++)
		fits = solve(s, &m, free, (enum least_weight)w) &&
		       holds(s, &m);
	if (fits)
		add_model(s, &m, found);
}

/* Tries the model with a counter that wraps, or saturates. */
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

static void with_terms(struct search *s, struct fit_model m, bool free,
		       bool *found, try_fn *try)
{
	m.terms = 1;
	for (int t = 0; t < FIT_TERMS; t++) {
		m.term[0] = (enum fit_term)t;
		if (is_known(s, m.term[0]))
			try(s, m, free, found);
	}
}

static void try_terms(struct search *s, struct fit_model m, bool free,
		      bool *found)
{
	with_terms(s, m, free, found, try_one);
}

static void try_terms_and_clamps(struct search *s, struct fit_model m,
				 bool free, bool *found)
{
	try_terms(s, m, free, found);
	try_clamps(s, m, free, found);
}

/* With the claims of other events. */
static void with_others(struct search *s, bool free, bool *found, try_fn *try)
{
	struct fit_model m = claimed_model(s);

	for (size_t k = 0; k < s->panel->columns; k++) {
		m.base = (int)k;
		if (has_claims(s, k))
			try(s, m, free, found);
	}
}

/* One change: dead, a factor, a clamp, a term, another event. */
static bool one_change(struct search *s)
{
	struct fit_model nothing = { .base = -1 };
	bool found = false;

	try_one(s, nothing, false, &found);
	if (found) {
		with_others(s, false, &found, try_one);
		return true;
	}
	try_one(s, claimed_model(s), true, &found);
	try_clamps(s, claimed_model(s), false, &found);
	try_terms(s, claimed_model(s), false, &found);
	with_others(s, false, &found, try_one);
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
			if (is_known(s, m.term[0]) &&
			    is_known(s, m.term[1]))
				try_one(s, m, false, found);
		}
	}
}

/* Two changes. */
static bool two_changes(struct search *s)
{
	struct fit_model m = claimed_model(s);
	bool found = false;

	try_clamps(s, m, true, &found);
	try_terms(s, m, true, &found);
	try_two_terms(s, m, &found);
	with_terms(s, m, false, &found, try_clamps);
	with_others(s, true, &found, try_one);
	with_others(s, false, &found, try_terms_and_clamps);
	return found;
}

/* Looks through the rows for the largest count, and for random deviations. */
static void survey(struct search *s)
{
	const struct fit_panel *p = s->panel;

	for (size_t i = 0; i < p->rows; i++) {
		if (!is_used(s, i))
			continue;
		if (s->c->count[i] > s->most)
			s->at_most = 0;
		s->rows++;
		s->most = fmax(s->most, s->c->count[i]);
		s->at_most += s->c->count[i] == s->most;
		if (i && p->row[i].shape == p->row[i - 1].shape &&
		    is_used(s, i - 1) &&
		    s->c->claim[i] == s->c->claim[i - 1] &&
		    s->c->count[i] != s->c->count[i - 1])
			s->varies = true;
	}
}

bool fit_search(const struct fit_panel *panel, size_t index,
		struct fit_result *out)
{
	struct search s = { .panel = panel, .c = &panel->column[index],
			    .index = index, .out = out };

	survey(&s);
	if (s.rows < ROWS_LEAST)
		return false;
	return one_change(&s) || two_changes(&s) ||
	       (s.varies && (claim_or_factor(&s) || term_or_other(&s)));
}
