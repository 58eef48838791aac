/* SPDX-License-Identifier: MIT */
/* A search for explanations while it goes on. Private to fit-*.c. */
#ifndef ANALYSIS_FIT_SEARCHING_H
#define ANALYSIS_FIT_SEARCHING_H

#include <stdbool.h>

#include "analysis/fit/fit.h"

struct searching {
	const struct fit_panel *panel;
	const struct fit_column *c;
	size_t index;
	struct fit_result *out;
	bool varies;		/* the same shape gives different deviations */
	double most;		/* the largest count */
	unsigned at_most;	/* rows that have it */
	unsigned rows;		/* with a count and a claim */
};

/* Has the row a count and a claim that say something? */
bool searching_used(const struct searching *s, size_t row);
/* What a model gives in a row before it is cut to a counter's width. */
double searching_linear(const struct fit_panel *p, const struct fit_model *m,
			size_t row);
/* Does a model give whole numbers? */
bool searching_integer(const struct fit_model *m);
/* Is a term known in every row, and somewhere not 0? */
bool searching_knows(const struct searching *s, enum fit_term t);
/* May another event's claim be the explanation? */
bool searching_usable(const struct searching *s, size_t column);
/* The event counts what it claims. */
struct fit_model searching_claimed(const struct searching *s);

/* fit-random.c: false: nothing random explains it, else out->model is set. */
bool searching_random(struct searching *s);

#endif
