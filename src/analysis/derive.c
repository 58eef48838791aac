/* SPDX-License-Identifier: MIT */
/*
 * The smallest weighted sum of events that gives a quantity: the steps 1, 3 and
 * 4 of derive.h. Step 2 is in derive-floor.c.
 */
#include "analysis/derive-system.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/loading/library.h"
#include "base/text.h"

enum {
	LEAST_ROWS = 8,
	FEW = 2,	/* a further term must make more than FEW runs right */
	MOST_SETS = 200000,	/* of five or six events that are tried */
};

/* ---- 1: the columns in use ---------------------------------------------- */

static double raw(const struct derive_problem *p, unsigned row, unsigned c)
{
	return p->count[(size_t)row * p->columns + c];
}

static bool is_silent(const struct derive_problem *p, unsigned c)
{
	for (unsigned r = 0; r < p->rows; r++)
		if (raw(p, r, c) != 0)
			return false;
	return true;
}

static bool are_twins(const struct derive_problem *p, unsigned a, unsigned b)
{
	for (unsigned r = 0; r < p->rows; r++)
		if (raw(p, r, a) != raw(p, r, b))
			return false;
	return true;
}

static void choose_columns(struct derive_system *d)
{
	const struct derive_problem *p = d->p;

	for (unsigned c = 0; c < p->columns; c++) {
		unsigned twin = d->columns;

		d->out->twin_of[c] = c;
		if (is_silent(p, c)) {
			d->out->silent++;
			continue;
		}
		if (p->noise[c] > DERIVE_NOISE) {
			d->out->noisy++;
			continue;
		}
		for (unsigned i = 0; i < d->columns && twin == d->columns; i++)
			if (are_twins(p, d->column[i], c))
				twin = i;
		if (twin < d->columns) {
			d->out->twin_of[c] = d->column[twin];
			d->out->twins++;
			continue;
		}
		d->column[d->columns++] = c;
	}
	d->out->used = d->columns;
}

static int fill(struct derive_system *d)
{
	const struct derive_problem *p = d->p;
	size_t n = d->columns;

	d->a = calloc((size_t)p->rows * (n + 1), sizeof(*d->a));
	d->b = calloc(p->rows, sizeof(*d->b));
	d->gram = calloc(n * n + 1, sizeof(*d->gram));
	d->ab = calloc(n + 1, sizeof(*d->ab));
	if (!d->a || !d->b || !d->gram || !d->ab)
		return error_memory(d->err);
	for (unsigned r = 0; r < p->rows; r++) {
		d->b[r] = p->right[r] / p->scale[r];
		for (size_t i = 0; i < n; i++)
			d->a[r * n + i] = raw(p, r, d->column[i]) /
					  p->scale[r];
	}
	for (unsigned r = 0; r < p->rows; r++)
		for (unsigned i = 0; i < n; i++) {
			d->ab[i] += derive_at(d, r, i) * d->b[r];
			for (unsigned k = 0; k < n; k++)
				d->gram[i * n + k] += derive_at(d, r, i) *
						      derive_at(d, r, k);
		}
	return 0;
}

/* ---- 3: sets of events -------------------------------------------------- */

/*
 * Solves n normal equations: m has the matrix and, in the last column, its
 * original diagonal; weight has the right-hand side and gets the result. False:
 * the columns are dependent.
 */
static bool solve(unsigned n, double m[DERIVE_TERMS][DERIVE_TERMS + 1],
		  double *weight)
{
	for (unsigned i = 0; i < n; i++) {
		double pivot = m[i][i];

		if (!(pivot > 1e-12 * (m[i][DERIVE_TERMS] + 1e-300)))
			return false;
		for (unsigned r = 0; r < n; r++) {
			double by = m[r][i] / pivot;

			for (unsigned k = i; r != i && k < n; k++)
				m[r][k] -= by * m[i][k];
			if (r != i)
				weight[r] -= by * weight[i];
		}
	}
	for (unsigned i = 0; i < n; i++)
		weight[i] /= m[i][i];
	return true;
}

/* Least squares over all kernels but `without`; by: row weights, NULL: 1. */
static bool fit_weighted(const struct derive_system *d, unsigned n,
			 const unsigned *set, unsigned without,
			 const double *by, double *weight)
{
	double m[DERIVE_TERMS][DERIVE_TERMS + 1] = { { 0 } };

	memset(weight, 0, n * sizeof(*weight));
	for (unsigned r = 0; r < d->p->rows; r++) {
		double w = d->p->kernel[r] == without ? 0 : by ? by[r] : 1;

		for (unsigned i = 0; i < n && w > 0; i++) {
			double x = w * derive_at(d, r, set[i]);

			for (unsigned k = 0; k < n; k++)
				m[i][k] += x * derive_at(d, r, set[k]);
			weight[i] += x * d->b[r];
		}
	}
	for (unsigned i = 0; i < n; i++)
		m[i][DERIVE_TERMS] = m[i][i];
	return solve(n, m, weight);
}

/* Least squares over all rows. False: the columns are dependent. */
static bool fit(const struct derive_system *d, unsigned n, const unsigned *set,
		double *weight)
{
	double m[DERIVE_TERMS][DERIVE_TERMS + 1];
	const size_t columns = d->columns;

	for (unsigned i = 0; i < n; i++) {
		for (unsigned k = 0; k < n; k++)
			m[i][k] = d->gram[set[i] * columns + set[k]];
		m[i][DERIVE_TERMS] = m[i][i];
		weight[i] = d->ab[set[i]];
	}
	return solve(n, m, weight);
}

/* The absolute error of a row, in units of its scale. */
static double difference(const struct derive_system *d, unsigned n,
			 const unsigned *set, const double *weight,
			 unsigned row)
{
	double sum = -d->b[row];

	for (unsigned i = 0; i < n; i++)
		sum += weight[i] * derive_at(d, row, set[i]);
	return fabs(sum);
}

/*
 * Least absolute errors, as shares of the volume, by iterative reweighting: a
 * few runs with another cause do not distort the weights.
 */
static bool fit_robust(const struct derive_system *d, unsigned n,
		       const unsigned *set, unsigned without, double *weight)
{
	double by[DERIVE_ROWS];

	for (unsigned r = 0; r < d->p->rows; r++)
		by[r] = pow(d->p->scale[r] / d->p->volume[r], 2);
	for (int round = 0; round < 8; round++) {
		if (!fit_weighted(d, n, set, without, by, weight))
			return false;
		for (unsigned r = 0; r < d->p->rows; r++) {
			double share = d->p->scale[r] / d->p->volume[r];
			double error = share * difference(d, n, set, weight,
							  r);

			by[r] = share * share / fmax(error, 1e-4);
		}
	}
	return true;
}

/* Rounds all weights to halves; false: one is not near a half, or is 0. */
static bool snap(unsigned n, double *weight)
{
	double near[DERIVE_TERMS];

	for (unsigned i = 0; i < n; i++) {
		near[i] = round(weight[i] * 2) / 2;
		if (near[i] == 0 || fabs(near[i]) > 8 ||
		    fabs(near[i] - weight[i]) > 0.2)
			return false;
	}
	memcpy(weight, near, n * sizeof(*near));
	return true;
}

/* Is a formula with that error right in the run? *matters: see volume. */
static bool is_right(const struct derive_system *d, unsigned row, double error,
		     bool *matters)
{
	const double part = d->p->volume[row] / 20;
	const double right = fabs(d->p->right[row]);

	*matters = right >= part;
	return error * d->p->scale[row] <= DERIVE_RIGHT * fmax(right, part);
}

/* Sets exact, worst and right. False: the formula is not even close. */
static bool measure(const struct derive_system *d, const unsigned *set,
		    struct derive_formula *f)
{
	unsigned runs[2] = { 0 }, right[2] = { 0 };

	f->exact = true;
	f->worst = 0;
	for (unsigned r = 0; r < d->p->rows; r++) {
		double error = difference(d, f->terms, set, f->weight, r);
		bool matters, good = is_right(d, r, error, &matters);

		runs[matters]++;
		right[matters] += good;
		f->exact &= error <= DERIVE_EXACT;
		if (!f->exact && runs[0] + runs[1] - right[0] - right[1] >
				 (1 - DERIVE_MOSTLY) * d->p->rows)
			return false;
		if (error <= f->worst)
			continue;
		f->worst = error;
		f->worst_row = r;
	}
	f->right = right[0] + right[1];
	return f->exact || (runs[1] >= DERIVE_RUNS &&
			    right[1] >= DERIVE_MOSTLY * runs[1] &&
			    right[0] >= DERIVE_MOSTLY * runs[0]);
}

/* Is a better than b? See FEW. */
static bool better(const struct derive_formula *a,
		   const struct derive_formula *b)
{
	if (a->exact != b->exact)
		return a->exact;
	if (a->exact && a->terms != b->terms)
		return a->terms < b->terms;
	if (a->terms < b->terms)
		return a->right + FEW >= b->right;
	if (a->terms > b->terms)
		return a->right > b->right + FEW;
	return a->right != b->right ? a->right > b->right :
				      a->worst < b->worst;
}

/* Is a formula of some of these events already exact, or as close? */
static bool is_reducible(const struct derive_result *out,
			 const struct derive_formula *f)
{
	for (unsigned i = 0; i < out->formulas; i++) {
		const struct derive_formula *known = &out->formula[i];
		unsigned shared = 0;

		for (unsigned a = 0; a < known->terms; a++)
			for (unsigned b = 0; b < f->terms; b++)
				shared += known->column[a] == f->column[b];
		if (known->terms < f->terms && shared == known->terms &&
		    (known->exact ||
		     (!f->exact && known->right + FEW >= f->right)))
			return true;
	}
	return false;
}

/* Inserts the formula by rank; if there is no room, the last one is dropped. */
static void keep(struct derive_system *d, const struct derive_formula *f)
{
	struct derive_result *out = d->out;
	unsigned i = out->formulas;

	if (f->terms > 1 && is_reducible(out, f))
		return;
	if (i == DERIVE_FORMULAS && !better(f, &out->formula[i - 1]))
		return;
	if (i < DERIVE_FORMULAS)
		out->formulas++;
	else
		i--;
	for (; i && better(f, &out->formula[i - 1]); i--)
		out->formula[i] = out->formula[i - 1];
	out->formula[i] = *f;
}

/* Rounds the weights, and keeps the formula if that is exact or close. */
static bool try_weights(struct derive_system *d, const unsigned *set,
			struct derive_formula *f)
{
	f->snapped = snap(f->terms, f->weight);
	if (!f->snapped || !measure(d, set, f) ||
	    (f->terms > DERIVE_CLOSE && !f->exact))
		return false;
	keep(d, f);
	return true;
}

static void try_set(struct derive_system *d, unsigned n, const unsigned *set)
{
	struct derive_formula f = { .terms = n };

	for (unsigned i = 0; i < n; i++)
		f.column[i] = d->column[set[i]];
	if (fit(d, n, set, f.weight) && try_weights(d, set, &f))
		return;
	/* four free weights would come close to any quantity */
	if (n < DERIVE_CLOSE &&
	    fit_robust(d, n, set, d->p->kernels, f.weight))
		try_weights(d, set, &f);
}

/* Every set of n columns, in order. */
static void try_sets(struct derive_system *d, unsigned n)
{
	unsigned set[DERIVE_TERMS];

	if (n > d->columns)
		return;
	for (unsigned i = 0; i < n; i++)
		set[i] = i;
	for (;;) {
		unsigned i = n;

		try_set(d, n, set);
		while (i && set[i - 1] == d->columns - n + i - 1)
			i--;
		if (!i)
			return;
		set[i - 1]++;
		for (; i < n; i++)
			set[i] = set[i - 1] + 1;
	}
}

static double sets_of(unsigned columns, unsigned n)
{
	double sets = 1;

	for (unsigned i = 0; i < n && i < columns; i++)
		sets *= (double)(columns - i) / (i + 1);
	return sets;
}

static bool has_exact(const struct derive_result *out)
{
	return out->formulas && out->formula[0].exact;
}

/*
 * Tries sets of up to one event more than an exact formula has. Five and six
 * events are tried only if all events together give the quantity exactly.
 */
static void search(struct derive_system *d)
{
	const struct derive_result *out = d->out;
	unsigned most = DERIVE_CLOSE;

	for (unsigned n = 1; n <= most; n++) {
		try_sets(d, n);
		if (has_exact(out) && most > out->formula[0].terms + 1)
			most = out->formula[0].terms + 1;
	}
	for (unsigned n = DERIVE_CLOSE + 1; n <= DERIVE_TERMS; n++)
		if (out->floor <= DERIVE_EXACT && !has_exact(out) &&
		    sets_of(d->columns, n) <= MOST_SETS)
			try_sets(d, n);
}

/* ---- 4: bounds of weights, and cross-validation by kernel --------------- */

static unsigned index_of(const struct derive_system *d, unsigned column)
{
	unsigned i = 0;

	while (d->column[i] != column)
		i++;
	return i;
}

/*
 * Least squares over all kernels but `without`, by QR; *variance is that of the
 * residuals. Not 0: no result.
 */
static int fit_rows(const struct derive_system *d, const unsigned *set,
		    const struct derive_formula *f, unsigned without,
		    double *weight, double *variance)
{
	const unsigned n = f->terms;
	double *a = calloc((size_t)d->p->rows * n, sizeof(*a));
	double *b = calloc(d->p->rows, sizeof(*b));
	unsigned rows = 0;
	int rc = a && b ? 0 : -1;

	for (unsigned r = 0; r < d->p->rows && rc == 0; r++) {
		if (d->p->kernel[r] == without)
			continue;
		for (unsigned i = 0; i < n; i++)
			a[(size_t)rows * n + i] = derive_at(d, r, set[i]);
		b[rows++] = d->b[r];
	}
	if (rc == 0 && rows < n)
		rc = 1;
	if (rc == 0)
		rc = LAPACKE_dgels(LAPACK_ROW_MAJOR, 'N', (lapack_int)rows,
				   (lapack_int)n, 1, a, (lapack_int)n, b, 1);
	if (rc == 0) {
		double rest = 0;

		memcpy(weight, b, n * sizeof(*b));
		for (unsigned r = n; r < rows; r++)
			rest += b[r] * b[r];
		*variance = rows > n ? rest / (rows - n) : 0;
	}
	free(a);
	free(b);
	return rc;
}

/* Two standard errors of each weight, from the inverse Gram matrix. */
static void find_bounds(const struct derive_system *d, const unsigned *set,
			struct derive_formula *f)
{
	double m[DERIVE_TERMS * DERIVE_TERMS], weight[DERIVE_TERMS], variance;
	const lapack_int n = (lapack_int)f->terms;

	for (unsigned i = 0; i < f->terms; i++)
		for (unsigned k = 0; k < f->terms; k++)
			m[i * f->terms + k] = d->gram[(size_t)set[i] *
						      d->columns + set[k]];
	if (fit_rows(d, set, f, d->p->kernels, weight, &variance) ||
	    LAPACKE_dpotrf(LAPACK_ROW_MAJOR, 'U', n, m, n) ||
	    LAPACKE_dpotri(LAPACK_ROW_MAJOR, 'U', n, m, n))
		return;
	for (unsigned i = 0; i < f->terms; i++)
		f->bound[i] = 2 * sqrt(fmax(variance * m[i * f->terms + i],
					    0));
}

/* Is the formula right in most runs of that kernel? */
static bool holds_on(const struct derive_system *d, const unsigned *set,
		     const struct derive_formula *f, unsigned kernel)
{
	unsigned rows = 0, right = 0;

	for (unsigned r = 0; r < d->p->rows; r++) {
		double error = difference(d, f->terms, set, f->weight, r);
		bool matters, good = is_right(d, r, error, &matters);

		if (d->p->kernel[r] != kernel)
			continue;
		rows++;
		right += f->exact ? error <= DERIVE_EXACT : good;
	}
	return right >= DERIVE_MOSTLY * rows;
}

static void hold_out(const struct derive_system *d, const unsigned *set,
		     struct derive_formula *f)
{
	for (unsigned k = 0; k < d->p->kernels; k++) {
		struct derive_formula without = *f;
		double unused;

		if (f->exact ? fit_rows(d, set, f, k, without.weight,
					&unused) != 0 :
		    !fit_robust(d, f->terms, set, k, without.weight))
			continue;
		/* an event that only this kernel counts has no weight now */
		snap(f->terms, without.weight);
		f->held += holds_on(d, set, &without, k);
	}
}

static void test_formulas(struct derive_system *d)
{
	for (unsigned i = 0; i < d->out->formulas; i++) {
		struct derive_formula *f = &d->out->formula[i];
		unsigned set[DERIVE_TERMS];

		for (unsigned t = 0; t < f->terms; t++)
			set[t] = index_of(d, f->column[t]);
		find_bounds(d, set, f);
		hold_out(d, set, f);
	}
}

/* ---- all of it ---------------------------------------------------------- */

/* Drops close formulas if there is an exact one; and all after the eighth. */
static void cut(struct derive_result *out, bool wide)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < out->formulas; i++) {
		if (out->formula[0].exact && !out->formula[i].exact)
			continue;
		if (!wide && kept == 8)
			continue;
		out->formula[kept++] = out->formula[i];
	}
	out->formulas = kept;
}

static int run(struct derive_system *d, bool wide)
{
	int rc;

	choose_columns(d);
	if (!d->columns)
		return 0;
	rc = fill(d);
	if (rc == 0)
		rc = derive_floor(d);
	if (rc < 0)
		return rc;
	search(d);
	cut(d->out, wide);
	test_formulas(d);
	return 0;
}

int derive(const struct derive_problem *problem, bool wide,
	   struct derive_result *out, struct assay_error *err)
{
	struct derive_system d = { .p = problem, .out = out, .err = err };
	int rc = 0;

	*out = (struct derive_result){ .used = 0 };
	if (problem->rows < LEAST_ROWS || problem->kernels < 2)
		rc = error_set(err, -ASSAY_EINVAL, "%u runs of %u kernels "
			       "are too few", problem->rows,
			       problem->kernels);
	if (rc == 0 && (problem->columns > DERIVE_COLUMNS ||
			problem->rows > DERIVE_ROWS))
		rc = error_set(err, -ASSAY_EINVAL, "more than %d events or %d "
			       "runs", DERIVE_COLUMNS, DERIVE_ROWS);
	rc = rc ? rc : library_need(LIBRARY_LAPACKE, err);
	if (rc == 0)
		rc = run(&d, wide);
	free(d.a);
	free(d.b);
	free(d.gram);
	free(d.ab);
	return rc;
}
