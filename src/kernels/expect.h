/* SPDX-License-Identifier: MIT */
/*
 * Writing expectations: rows, their terms and bands, one at a time or out of a
 * kernel's table of its code. Freestanding.
 */
#ifndef KERNELS_EXPECT_H
#define KERNELS_EXPECT_H

#include <stdint.h>

#include "assay/expectation.h"
#include "assay/shape.h"
#include "base/geometry.h"

struct kernel_option;

/*
 * Adds an exact row of no terms (value 0) for the quantity. Never NULL: more
 * rows than an expectation holds would be a mistake of the kernel (traps).
 */
struct assay_expected *expect_row(struct assay_expectation *out,
				  enum assay_quantity quantity);

/* Adds a term to the row; value, low and high grow by it. */
void expect_term(struct assay_expected *row, const char *name,
		 const char *formula, double value, const char *reason);

/* Gives the row a band and the condition under which the band holds. */
void expect_band(struct assay_expected *row, double low, double high,
		 const char *condition);

/* Gives the quantity's row, which must be there, a condition. */
void expect_condition(struct assay_expectation *out,
		      enum assay_quantity quantity, const char *condition);

/* Adds a row of one exact term. Returns the row. */
struct assay_expected *expect_exact(struct assay_expectation *out,
				    enum assay_quantity quantity,
				    const char *name, const char *formula,
				    double value, const char *reason);

/*
 * One term of a kernel's closed form: a quantity gets `each` times the value of
 * the formula. `each` is a cost from counts.h, or CODE_ONE.
 *
 * The formula is text for people, and is evaluated: whole numbers, names,
 * + - * / ^ and parentheses. A name is a factor that the caller gives, or else
 * an option of the shape. Behind a comma stands when the term applies: "if op
 * is load" or "unless op is load", where op is an option, a choice (the word is
 * one of its words) or a flag (on, off).
 */
struct code_term {
	enum assay_quantity quantity;
	const char *name;
	unsigned each[ISAS];
	const char *formula, *reason;
};

/* A name's value in formulas; a name of NULL ends a list of factors. */
struct code_factor {
	const char *name;
	double value;
};

/* The closed form of all that a kernel's code executes. */
struct code {
	const struct code_term *term;
	unsigned terms;
	const struct kernel_option *option;	/* of the shapes; or NULL */
};

#define CODE(terms, options) \
	{ (terms), sizeof(terms) / sizeof((terms)[0]), (options) }
#define CODE_ONE { 1, 1 }
#define CODE_NONE(quantity, reason) \
	{ (quantity), "none", CODE_ONE, "0", (reason) }
/* how often a branch is executed, how often it is taken, and why */
#define CODE_BRANCH(name, times, why, taken, why_taken) \
	{ ASSAY_Q_branches, (name), CODE_ONE, times, (why) }, \
	{ ASSAY_Q_branches_taken, (name), CODE_ONE, taken, (why_taken) }
/* the branch that closes a loop of that many rounds, here called `unit` */
#define CODE_LOOP(name, rounds, unit) \
	CODE_BRANCH(name, rounds, "each " unit " ends with a branch", \
		    rounds " - 1", "taken until the last " unit)
/* the function's own return, which is a branch */
#define CODE_RETURN \
	CODE_BRANCH("return", "1", "the return is a branch", \
		    "1", "a return is always taken")

/*
 * Adds each term that applies to its quantity's row, and that row if there is
 * none yet. shape may be NULL if no formula names an option, factor if none
 * names a factor. A mistake in a formula traps.
 */
void expect_code(struct assay_expectation *out, const struct code *code,
		 const struct assay_shape *shape,
		 const struct code_factor *factor, enum isa isa);

/*
 * Instructions by the terms that apply: those with the formula "1" are
 * executed once per run, all others in the passes. passes is the name that
 * counts passes in the formulas: a trace retires `pass` in each of them. NULL:
 * the kernel has no passes, and `pass` is for the complete run.
 */
struct code_cost {
	uint64_t pass, once;
};

struct code_cost code_cost(const struct code *code,
			   const struct assay_shape *shape,
			   const struct code_factor *factor,
			   const char *passes, enum isa isa);

#endif
