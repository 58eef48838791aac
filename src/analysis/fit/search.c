/* SPDX-License-Identifier: MIT */
/*
 * Explanations, the simplest first. A candidate fixes which columns take part;
 * least squares gives the amounts, and the model stands if it gives every count
 * of every row. Amounts are taken to the nearest number that means something,
 * so a model with a free amount is not free to fit noise.
 */
#include "analysis/fit/search.h"

#include <math.h>
#include <string.h>

#include "analysis/fit/least.h"
#include "analysis/fit/searching.h"

/* Fewer rows than that prove no explanation. */
enum { ROWS_LEAST = 3 };

static double clamp(const struct fit_model *m, double value)
{
	value = value > 0 ? value : 0;
	if (m->full > 0 && value > m->full)
		value = m->full;
	if (m->wrap)
		value = fmod(round(value), ldexp(1, (int)m->wrap));
	return value;
}

/* Every count of every row? */
static bool holds(const struct searching *s, const struct fit_model *m)
{
	/* cycles are not whole, and the sum was rounded once */
	const double slack = searching_integer(m) ? 0.01 : 1.01;

	for (size_t i = 0; i < s->panel->rows; i++) {
		double value, band;

		if (!searching_used(s, i))
			continue;
		value = clamp(m, searching_linear(s->panel, m, i));
		band = slack + s->panel->tolerance * fabs(value) +
		       (s->c->slack ? s->c->slack[i] : 0);
		if (!(fabs(s->c->count[i] - value) <= band))
			return false;
	}
	return true;
}

/* Rows that a clamp has not touched. */
static bool unclamped(const struct searching *s, const struct fit_model *m,
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
static bool solve(const struct searching *s, struct fit_model *m, bool free,
		  enum least_weight weight)
{
	struct least l = { .unknowns = m->terms + free, .weight = weight };
	double x[LEAST_UNKNOWNS], found[LEAST_UNKNOWNS];

	for (size_t i = 0; i < s->panel->rows; i++) {
		double base = m->base < 0 ? 0 :
			      s->panel->column[m->base].claim[i];

		if (!searching_used(s, i) || isnan(base) || !unclamped(s, m, i))
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
static void take(struct searching *s, const struct fit_model *m, bool *found)
{
	struct fit_result *out = s->out;

	if (!*found)
		out->model = *m;
	else if (out->also < FIT_ALSO)
		out->alternative[out->also++] = *m;
	*found = true;
}

static void try_one(struct searching *s, struct fit_model m, bool free,
		    bool *found)
{
	bool fits = m.terms + free == 0 && holds(s, &m);

	for (int w = 0; m.terms + free && w < LEAST_WEIGHTS && !fits; w++)
		fits = solve(s, &m, free, (enum least_weight)w) &&
		       holds(s, &m);
	if (fits)
		take(s, &m, found);
}

static void try_clamps(struct searching *s, struct fit_model m, bool free,
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

static void try_terms(struct searching *s, struct fit_model m, bool free,
		      bool *found)
{
	m.terms = 1;
	for (int t = 0; t < FIT_TERMS; t++) {
		m.term[0] = (enum fit_term)t;
		if (searching_knows(s, m.term[0]))
			try_one(s, m, free, found);
	}
}

static void try_others(struct searching *s, bool free, bool *found)
{
	struct fit_model m = searching_claimed(s);

	for (size_t k = 0; k < s->panel->columns; k++) {
		m.base = (int)k;
		if (searching_usable(s, k))
			try_one(s, m, free, found);
	}
}

/* One change: a factor, a width, a term, another event. */
static bool level_one(struct searching *s)
{
	struct fit_model nothing = { .base = -1 };
	bool found = false;

	try_one(s, nothing, false, &found);	/* dead */
	if (found) {
		try_others(s, false, &found);
		return true;
	}
	try_one(s, searching_claimed(s), true, &found);
	try_clamps(s, searching_claimed(s), false, &found);
	try_terms(s, searching_claimed(s), false, &found);
	try_others(s, false, &found);
	try_terms(s, nothing, false, &found);
	return found;
}

static void try_two_terms(struct searching *s, struct fit_model m, bool *found)
{
	m.terms = 2;
	for (int a = 0; a < FIT_TERMS; a++) {
		for (int b = a + 1; b < FIT_TERMS; b++) {
			m.term[0] = (enum fit_term)a;
			m.term[1] = (enum fit_term)b;
			if (searching_knows(s, m.term[0]) &&
			    searching_knows(s, m.term[1]))
				try_one(s, m, false, found);
		}
	}
}

static void clamp_terms(struct searching *s, struct fit_model m, bool *found)
{
	m.terms = 1;
	for (int t = 0; t < FIT_TERMS; t++) {
		m.term[0] = (enum fit_term)t;
		if (searching_knows(s, m.term[0]))
			try_clamps(s, m, false, found);
	}
}

/* Two changes. */
static bool level_two(struct searching *s)
{
	struct fit_model m = searching_claimed(s);
	bool found = false;

	try_clamps(s, m, true, &found);
	try_terms(s, m, true, &found);
	try_two_terms(s, m, &found);
	clamp_terms(s, m, &found);
	try_others(s, true, &found);
	for (size_t k = 0; k < s->panel->columns; k++) {
		m.base = (int)k;
		if (!searching_usable(s, k))
			continue;
		try_terms(s, m, false, &found);
		try_clamps(s, m, false, &found);
	}
	return found;
}

static void look(struct searching *s)
{
	const struct fit_panel *p = s->panel;

	for (size_t i = 0; i < p->rows; i++) {
		if (!searching_used(s, i))
			continue;
		if (s->c->count[i] > s->most)
			s->at_most = 0;
		s->rows++;
		s->most = fmax(s->most, s->c->count[i]);
		s->at_most += s->c->count[i] == s->most;
		if (i && p->row[i].shape == p->row[i - 1].shape &&
		    searching_used(s, i - 1) &&
		    s->c->claim[i] == s->c->claim[i - 1] &&
		    s->c->count[i] != s->c->count[i - 1])
			s->varies = true;
	}
}

bool search(const struct fit_panel *panel, size_t index,
	    struct fit_result *out)
{
	struct searching s = { panel, &panel->column[index], index, out, false,
			    0, 0, 0 };

	look(&s);
	if (s.rows < ROWS_LEAST)
		return false;
	if (level_one(&s))
		return true;
	if (level_two(&s))
		return true;
	return s.varies && (searching_random(&s));
}
