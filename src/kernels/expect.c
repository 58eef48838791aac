/* SPDX-License-Identifier: MIT */
/* Rows, terms and bands; formulas of a kernel's code. Freestanding. */
#include "kernels/expect.h"

#include "kernels/kernel.h"

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

void expect_term(struct assay_expected *row, const char *name,
		 const char *formula, double value, const char *reason)
{
	if (row->terms == ASSAY_EXPECT_TERMS)
		__builtin_trap();
	row->term[row->terms++] = (struct assay_term){
		.name = name, .formula = formula, .each = 1, .value = value,
		.reason = reason,
	};
	row->value += value;
	row->low += value;
	row->high += value;
}

void expect_band(struct assay_expected *row, double low, double high,
		 const char *condition)
{
	row->low = low;
	row->high = high;
	row->exact = low == high;
	row->condition = condition;
}

/* The quantity's row; a new one if there is none yet. */
static struct assay_expected *row_of(struct assay_expectation *out,
				     enum assay_quantity quantity)
{
	for (unsigned i = 0; i < out->rows; i++)
		if (out->row[i].quantity == quantity)
			return &out->row[i];
	return expect_row(out, quantity);
}

void expect_condition(struct assay_expectation *out,
		      enum assay_quantity quantity, const char *condition)
{
	row_of(out, quantity)->condition = condition;
}

struct assay_expected *expect_exact(struct assay_expectation *out,
				    enum assay_quantity quantity,
				    const char *name, const char *formula,
				    double value, const char *reason)
{
	struct assay_expected *row = expect_row(out, quantity);

	expect_term(row, name, formula, value, reason);
	return row;
}

/* The rest of a formula, and what its names stand for. */
struct formula {
	const char *at;
	const struct code *code;
	const struct assay_shape *shape;
	const struct code_factor *factor;
	const char *single;	/* this name stands for 1; or NULL */
};

/* A name or a word, in the text of a formula. */
struct word {
	const char *text;
	unsigned length;
};

static bool word_is(struct word w, const char *text)
{
	unsigned i = 0;

	while (i < w.length && text[i] == w.text[i])
		i++;
	return i == w.length && !text[i];
}

static bool next_is(struct formula *f, char c)
{
	while (*f->at == ' ')
		f->at++;
	if (*f->at != c)
		return false;
	f->at++;
	return true;
}

static struct word next_word(struct formula *f)
{
	struct word w = { NULL, 0 };

	next_is(f, ' ');
	for (w.text = f->at; *f->at >= 'a' && *f->at <= 'z'; f->at++)
		w.length++;
	return w;
}

/* The index of the shape's option of that name; traps if there is none. */
static unsigned option_named(const struct formula *f, struct word name)
{
	for (unsigned i = 0; f->shape && i < f->shape->options; i++)
		if (word_is(name, f->shape->option[i].name))
			return i;
	__builtin_trap();
}

static double named(const struct formula *f, struct word name)
{
	if (f->single && word_is(name, f->single))
		return 1;
	for (const struct code_factor *k = f->factor; k && k->name; k++)
		if (word_is(name, k->name))
			return k->value;
	return (double)f->shape->option[option_named(f, name)].value;
}

static double sum(struct formula *f);

/* A number, a name or a sum in parentheses; then "^" and an exponent. */
static double power(struct formula *f)
{
	double x = 0, result = 1;

	if (next_is(f, '(')) {
		x = sum(f);
		if (!next_is(f, ')'))
			__builtin_trap();
	} else if (*f->at >= '0' && *f->at <= '9') {
		while (*f->at >= '0' && *f->at <= '9')
			x = 10 * x + (*f->at++ - '0');
	} else {
		x = named(f, next_word(f));
	}
	if (!next_is(f, '^'))
		return x;
	for (double n = power(f); n > 0; n--)
		result *= x;
	return result;
}

static double product(struct formula *f)
{
	double x = power(f);

	for (;;) {
		if (next_is(f, '*'))
			x *= power(f);
		else if (next_is(f, '/'))
			x /= power(f);
		else
			return x;
	}
}

static double sum(struct formula *f)
{
	double x = product(f);

	for (;;) {
		if (next_is(f, '+'))
			x += product(f);
		else if (next_is(f, '-'))
			x -= product(f);
		else
			return x;
	}
}

/* Does the term apply? Without a condition behind the expression: always. */
static bool applies(struct formula *f)
{
	const struct kernel_option *option;
	struct word when, is;
	int64_t value;
	unsigned i;

	if (!next_is(f, ','))
		return true;
	when = next_word(f);
	i = option_named(f, next_word(f));
	is = next_word(f);
	if (!word_is(is, "is") ||
	    !(word_is(when, "if") || word_is(when, "unless")))
		__builtin_trap();
	option = &f->code->option[i];
	value = f->shape->option[i].value;
	return word_is(next_word(f), option->words ? option->words[value] :
		       value ? "on" : "off") == word_is(when, "if");
}

/* The value of a term's formula. False: the term does not apply. */
static bool evaluate(struct formula f, const struct code_term *term,
		     double *value)
{
	bool apply;

	f.at = term->formula;
	*value = sum(&f);
	apply = applies(&f);
	if (*f.at)
		__builtin_trap();
	return apply;
}

void expect_code(struct assay_expectation *out, const struct code *code,
		 const struct assay_shape *shape,
		 const struct code_factor *factor, enum isa isa)
{
	const struct formula f = { NULL, code, shape, factor, NULL };

	for (unsigned i = 0; i < code->terms; i++) {
		const struct code_term *t = &code->term[i];
		struct assay_expected *row;
		double times;

		if (!evaluate(f, t, &times))
			continue;
		row = row_of(out, t->quantity);
		expect_term(row, t->name, t->formula, t->each[isa] * times,
			    t->reason);
		row->term[row->terms - 1].each = t->each[isa];
	}
}

struct code_cost code_cost(const struct code *code,
			   const struct assay_shape *shape,
			   const struct code_factor *factor,
			   const char *passes, enum isa isa)
{
	const struct formula f = { NULL, code, shape, factor, passes };
	struct code_cost cost = { 0, 0 };

	for (unsigned i = 0; i < code->terms; i++) {
		const struct code_term *t = &code->term[i];
		double times;

		if (t->quantity != ASSAY_Q_instructions ||
		    !evaluate(f, t, &times))
			continue;
		if (t->formula[0] == '1' && !t->formula[1])
			cost.once += t->each[isa];
		else
			cost.pass += (uint64_t)(t->each[isa] * times);
	}
	return cost;
}
