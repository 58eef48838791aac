/* SPDX-License-Identifier: MIT */
/* Medians, ranges and slack of the repetitions of each shape. See medians.h. */
#include "analysis/fit/medians.h"

#include <math.h>
#include <stdlib.h>

/* Further repetitions of a shape are ignored. */
enum { MOST = 64 };
/* Below this claim, all that is counted comes from interrupts and the like. */
#define IDLE 16
/* Below this count, a spread is not taken as a share. */
#define LARGE FIT_FEW

/* Known values, ascending. */
struct sample { double value[MOST]; unsigned n; };

static void add(struct sample *s, double value)
{
	unsigned i;

	if (isnan(value) || s->n == MOST)
		return;
	for (i = s->n++; i && s->value[i - 1] > value; i--)
		s->value[i] = s->value[i - 1];
	s->value[i] = value;
}

/* The lower median: disturbance adds counts and never takes any away. */
static double middle(const struct sample *s)
{
	return s->n ? s->value[(s->n - 1) / 2] : NAN;
}

static double range(const struct sample *s)
{
	return s->n ? s->value[s->n - 1] - s->value[0] : 0;
}

static void settle_row(const struct fit_panel *p, size_t from, size_t to,
		       struct fit_row *out)
{
	struct sample disturbed = { .n = 0 };

	*out = p->row[from];
	for (size_t i = from; i < to; i++) {
		add(&disturbed, p->row[i].disturbed);
		out->truth &= p->row[i].truth;
	}
	out->disturbed = middle(&disturbed);
	for (int t = 0; t < FIT_TERMS; t++) {
		struct sample term = { .n = 0 };

		for (size_t i = from; i < to; i++)
			add(&term, p->row[i].term[t]);
		out->term[t] = middle(&term);
	}
}

/*
 * The row of the repetition with the median count. *apart is the range of the
 * deviations, not of the counts: repetitions may differ in their claims.
 */
static size_t settle_cell(const struct fit_column *c, size_t from, size_t to,
			  double *apart)
{
	struct sample counts = { .n = 0 }, off = counts;
	double count;

	for (size_t i = from; i < to; i++) {
		add(&counts, c->count[i]);
		if (!isnan(c->count[i]) && !isnan(c->claim[i]))
			add(&off, c->off ? c->off[i] : c->count[i] -
							c->claim[i]);
	}
	*apart = range(off.n ? &off : &counts);
	count = middle(&counts);
	for (size_t i = from; i < to; i++)
		if (c->count[i] == count)
			return i;
	return from;
}

static size_t next_shape(const struct fit_panel *p, size_t from)
{
	size_t to = from;

	while (to < p->rows && p->row[to].shape == p->row[from].shape)
		to++;
	return to;
}

static int allocate(const struct fit_panel *p, struct fit_medians *out)
{
	out->first = calloc(p->rows + 1, sizeof(*out->first));
	out->row = calloc(p->rows + 1, sizeof(*out->row));
	out->column = calloc(p->columns + 1, sizeof(*out->column));
	out->cells = calloc(6 * p->columns * p->rows + 1, sizeof(double));
	if (out->first && out->row && out->column && out->cells)
		return 0;
	fit_medians_fini(out);
	return -1;
}

static int ascending(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/*
 * Two or three repetitions underestimate a row's range. So a row's slack is the
 * largest of its own range, twice the event's median range (at most FIT_FEW
 * counts) and three times the event's median relative range. The counts where
 * almost nothing is claimed (at most FIT_FEW) are added to the second one.
 */
static int add_slack(const double *count, const double *claim,
		     const double *apart, size_t rows, double *slack)
{
	double *sorted = calloc(2 * rows + 1, sizeof(*sorted));
	double *share = sorted + rows, usual, usual_share, idle = 0;
	size_t n = 0, large = 0;

	if (!sorted)
		return -1;
	for (size_t i = 0; i < rows; i++) {
		if (isnan(count[i]))
			continue;
		sorted[n++] = apart[i];
		if (claim[i] < IDLE)
			idle = fmax(idle, count[i] - claim[i]);
		if (count[i] >= LARGE)
			share[large++] = apart[i] / count[i];
	}
	qsort(sorted, n, sizeof(*sorted), ascending);
	qsort(share, large, sizeof(*share), ascending);
	usual = n ? fmin(2 * sorted[n / 2], FIT_FEW) : 0;
	usual += fmin(idle, FIT_FEW);
	usual_share = large ? 3 * share[large / 2] : 0;
	for (size_t i = 0; i < rows; i++)
		slack[i] = isnan(count[i]) ? 0 :
			fmax(fmax(apart[i], usual), usual_share * count[i]);
	free(sorted);
	return 0;
}

static int settle_column(const struct fit_panel *p,
			 const struct fit_medians *s, size_t index)
{
	const struct fit_column *c = &p->column[index];
	double *count = s->cells + 6 * index * p->rows;
	double *claim = count + p->rows, *apart = claim + p->rows;
	double *slack = apart + p->rows, *vague = slack + p->rows;
	double *more = vague + p->rows;
	int rc;

	for (size_t i = 0; i < s->panel.rows; i++) {
		const size_t from = s->first[i];
		const size_t row = settle_cell(c, from, next_shape(p, from),
					       &apart[i]);

		count[i] = c->count[row];
		claim[i] = c->claim[row];
		vague[i] = c->unsized ? c->unsized[row] : 0;
		more[i] = c->slack ? c->slack[row] : 0;
	}
	s->column[index] = (struct fit_column){
		.name = c->name, .claim_text = c->claim_text, .count = count,
		.claim = claim, .range = apart, .slack = slack,
		.unsized = vague };
	rc = add_slack(count, claim, apart, s->panel.rows, slack);
	for (size_t i = 0; i < s->panel.rows && rc == 0; i++)
		slack[i] += more[i];
	return rc;
}

int fit_medians(const struct fit_panel *p, struct fit_medians *out)
{
	size_t rows = 0;
	int rc = 0;

	*out = (struct fit_medians){ .panel = *p };
	if (allocate(p, out) < 0)
		return -1;
	for (size_t i = 0; i < p->rows; i = next_shape(p, i)) {
		out->first[rows] = i;
		settle_row(p, i, next_shape(p, i), &out->row[rows++]);
	}
	out->panel.row = out->row;
	out->panel.rows = rows;
	out->panel.column = out->column;
	for (size_t c = 0; c < p->columns && rc == 0; c++)
		rc = settle_column(p, out, c);
	if (rc < 0)
		fit_medians_fini(out);
	return rc;
}

void fit_medians_fini(struct fit_medians *s)
{
	free(s->first);
	free(s->row);
	free(s->column);
	free(s->cells);
	*s = (struct fit_medians){ .first = NULL };
}
