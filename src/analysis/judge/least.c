/* SPDX-License-Identifier: MIT */
/*
 * More covariates than interrupts and page faults: weighted least squares of
 *
 *	c - t = a + (b - 1) t + sum d_k x_k
 *
 * over the readings of a program, with the weights 1/margin^2. A coefficient
 * d_k counts only if its 99 % confidence interval contains one whole number and
 * not 0. All coefficients together must explain nine tenths of the distance
 * from the truth.
 */
#include <lapacke.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/judge/parts.h"
#include "base/loading/library.h"

#define ROWS 20000	/* most rows; each shape gives an equal share */
#define COLUMNS (JUDGE_COVARIATES + 2)

struct system {
	struct judge_list list;
	int column[JUDGE_COVARIATES];	/* covariate of column fixed + i */
	unsigned fixed, columns;	/* fixed: 1 (a) or 2 (a and b - 1) */
	size_t rows;
	double *a, *b;
};

/* Whether each reading has a value of the covariate, and the values vary. */
static bool is_usable(struct judge_list list, int index)
{
	double least = INFINITY, most = -INFINITY;

	for (size_t i = 0; i < list.shapes; i++)
		for (uint32_t k = 0; k < list.shape[i]->readings; k++) {
			const double x = judge_covariate_at(
				list.shape[i]->row[k], index);

			if (isnan(x))
				return false;
			least = fmin(least, x);
			most = fmax(most, x);
		}
	return most > least;
}

static void find_columns(struct system *y, unsigned covariates)
{
	y->fixed = y->columns = 1 + judge_leverage(y->list, 1.5);
	for (int k = 0; k < (int)covariates; k++)
		if (is_usable(y->list, k))
			y->column[y->columns++ - y->fixed] = k;
}

/* Fills the system with at most `most` readings of each shape and ROWS in
 * all. */
static void fill(struct system *y, uint32_t most)
{
	for (size_t i = 0; i < y->list.shapes && y->rows < ROWS; i++) {
		const struct judge_shape *s = y->list.shape[i];
		const double w = isnan(s->expected) ? 0 :
			1 / judge_margin(s, s->truth, true);

		for (uint32_t k = 0; k < s->readings && k < most && w > 0 &&
		     y->rows < ROWS; k++) {
			double *a = y->a + y->rows * y->columns;

			a[0] = w;
			if (y->fixed > 1)
				a[1] = w * s->expected;
			for (unsigned c = y->fixed; c < y->columns; c++)
				a[c] = w * judge_covariate_at(s->row[k],
					y->column[c - y->fixed]);
			y->b[y->rows++] = w * judge_off_at(s, k);
		}
	}
}

/* Diagonal element k of the inverse of R'R, with R as dgels leaves R in the
 * upper triangle; INFINITY if R is singular from column k on. */
static double inverse_at(const struct system *y, unsigned k)
{
	double z[COLUMNS] = { 0 }, sum = 0;

	for (unsigned i = k; i < y->columns; i++) {
		double rest = i == k, scale = 0;

		for (unsigned j = 0; j <= i; j++)
			scale = hypot(scale, y->a[j * y->columns + i]);
		if (fabs(y->a[i * y->columns + i]) <= 1e-9 * scale)
			return INFINITY;
		for (unsigned j = k; j < i; j++)
			rest -= y->a[j * y->columns + i] * z[j];
		z[i] = rest / y->a[i * y->columns + i];
		sum += z[i] * z[i];
	}
	return sum;
}

static void snap(const struct system *y, struct judge_each *each)
{
	const unsigned free_rows = (unsigned)(y->rows - y->columns);
	double rest = 0;

	memset(each->counted, 0, sizeof(each->counted));
	for (size_t i = y->columns; i < y->rows; i++)
		rest += y->b[i] * y->b[i] / free_rows;
	for (unsigned c = y->fixed; c < y->columns; c++) {
		const double nearest = round(y->b[c]);
		const double half = judge_student(free_rows) *
				    sqrt(rest * inverse_at(y, c)) + 0.02;

		if (half < 0.5 && nearest >= 1 && nearest <= 255 &&
		    fabs(y->b[c] - nearest) <= half)
			each->counted[y->column[c - y->fixed]] =
				(unsigned char)nearest;
	}
}

static double distance(struct judge_list list)
{
	double sum = 0;

	for (size_t i = 0; i < list.shapes; i++) {
		const struct judge_shape *s = list.shape[i];

		if (!isnan(s->expected) && s->readings)
			sum = hypot(sum, judge_off_mean(s) /
					 judge_margin(s, s->truth, true));
	}
	return sum;
}

static void set_each(struct judge_list list, const struct judge_each *each)
{
	for (size_t i = 0; i < list.shapes; i++)
		list.shape[i]->each = each;
}

/* Whether the coefficients of `each` explain nine tenths of the distance. */
static bool explains(struct judge_list list, const struct judge_each *each)
{
	const double before = distance(list);

	set_each(list, each);
	return distance(list) <= 0.1 * before;
}

int judge_least(struct judge_list list, struct judge_each *each)
{
	const struct judge_each found = *each;
	struct system y = { .list = list };
	int rc = 0;

	find_columns(&y, each->covariates);
	if (y.columns == y.fixed)
		return 0;
	y.a = malloc(ROWS * y.columns * sizeof(*y.a));
	y.b = malloc(ROWS * sizeof(*y.b));
	set_each(list, NULL);
	if (y.a && y.b)
		fill(&y, (uint32_t)(ROWS / list.shapes + 1));
	else
		rc = -ASSAY_ENOMEM;
	if (!rc && y.rows > y.columns + 1)
		rc = library_need(LIBRARY_LAPACKE, NULL);
	if (!rc && y.rows > y.columns + 1 &&
	    !LAPACKE_dgels(LAPACK_ROW_MAJOR, 'N', (lapack_int)y.rows,
			   (lapack_int)y.columns, 1, y.a,
			   (lapack_int)y.columns, y.b, 1)) {
		snap(&y, each);
		if (!explains(list, each))
			*each = found;
	}
	free(y.a);
	free(y.b);
	return rc;
}
