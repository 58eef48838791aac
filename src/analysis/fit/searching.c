/* SPDX-License-Identifier: MIT */
/* What all explanations of an event's counts are tried with. */
#include "analysis/fit/searching.h"

#include <math.h>

bool searching_used(const struct searching *s, size_t row)
{
	return !isnan(s->c->count[row]) && !isnan(s->c->claim[row]) &&
	       !(s->c->vague && s->c->vague[row] != 0);
}

double searching_linear(const struct fit_panel *p, const struct fit_model *m,
			size_t row)
{
	double value = m->base < 0 ? 0 :
		       m->factor * p->column[m->base].claim[row];

	for (unsigned t = 0; t < m->terms; t++)
		value += m->amount[t] * p->row[row].term[m->term[t]];
	return value;
}

bool searching_integer(const struct fit_model *m)
{
	bool is = m->factor == round(m->factor);

	for (unsigned t = 0; t < m->terms; t++)
		is &= m->amount[t] == round(m->amount[t]) &&
		      m->term[t] != FIT_cycles;
	return is;
}

bool searching_knows(const struct searching *s, enum fit_term t)
{
	bool some = false;

	for (size_t i = 0; i < s->panel->rows; i++) {
		double x = s->panel->row[i].term[t];

		if (!searching_used(s, i))
			continue;
		if (isnan(x) || !s->panel->row[i].truth)
			return false;
		some |= x != 0;
	}
	return some;
}

bool searching_usable(const struct searching *s, size_t column)
{
	for (size_t i = 0; i < s->panel->rows; i++)
		if (searching_used(s, i) &&
		    isnan(s->panel->column[column].claim[i]))
			return false;
	return column != s->index;
}

struct fit_model searching_claimed(const struct searching *s)
{
	return (struct fit_model){ .base = (int)s->index, .factor = 1 };
}
