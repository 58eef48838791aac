/* SPDX-License-Identifier: MIT */
/* Writing expectations: a row, its terms, its band. Freestanding. */
#include "kernels/expect.h"

#include <stddef.h>

struct assay_expected *expect_row(struct assay_expectation *out,
				  enum assay_quantity quantity)
{
	struct assay_expected *row;

	if (out->rows == ASSAY_EXPECT_ROWS)
		__builtin_trap();
	row = &out->row[out->rows++];
	row->quantity = quantity;
	row->value = row->low = row->high = 0;
	row->exact = true;
	row->condition = NULL;
	row->terms = 0;
	return row;
}

struct assay_expected *expect_term(struct assay_expected *row,
				   const char *name, const char *formula,
				   double value, const char *reason)
{
	struct assay_term *term;

	if (row->terms == ASSAY_EXPECT_TERMS)
		__builtin_trap();
	term = &row->term[row->terms++];
	term->name = name;
	term->formula = formula;
	term->each = 1;
	term->value = value;
	term->reason = reason;
	row->value += value;
	row->low += value;
	row->high += value;
	return row;
}

struct assay_expected *expect_cost(struct assay_expected *row,
				   const char *name, double each,
				   const char *formula, double count,
				   const char *reason)
{
	expect_term(row, name, formula, each * count, reason);
	row->term[row->terms - 1].each = each;
	return row;
}

void expect_band(struct assay_expected *row, double low, double high,
		 const char *condition)
{
	row->low = low;
	row->high = high;
	row->exact = low == high;
	row->condition = condition;
}

struct assay_expected *expect_exact(struct assay_expectation *out,
				    enum assay_quantity quantity,
				    const char *name, const char *formula,
				    double value, const char *reason)
{
	return expect_term(expect_row(out, quantity), name, formula, value,
			   reason);
}
