/* SPDX-License-Identifier: MIT */
/*
 * The judge of counts of published tables, saved runs and real runs. Counts of
 * our own simulations are fitted (analysis/fit); judge_decide() makes the class
 * of both. Pure: rows in, verdicts out; no file
 * is read or written.
 *
 * The model of one event on one machine with one microcode: a count c of a run
 * whose true number is t and in which x_k interrupts or page faults happened is
 *
 *	c = a + b t + sum d_k x_k + noise
 *
 * with a: counts of start and stop, b: a factor, d_k: whole numbers. An exact
 * event has a = 0, b = 1, d = 0. Hypotheses are tried from the simplest on.
 * The 99 % confidence interval of the mean carries the noise. The margin is the
 * largest distance from the truth that is still agreement. Noise does not widen
 * the margin, and therefore never hides a bias.
 */
#ifndef ANALYSIS_JUDGE_H
#define ANALYSIS_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "assay/class.h"
#include "assay/error.h"

/* How well the truth itself is known. */
enum judge_truth {
	JUDGE_UNKNOWN,		/* not given: agreement is proven with the
				 * margin of UNIT, a failure with that of
				 * ABOUT */
	JUDGE_UNIT,		/* arithmetic over retired work */
	JUDGE_MODEL,		/* a closed form of a cache or TLB */
	JUDGE_ABOUT		/* an author's round number */
};

/* One reading. Texts are "" if not known, numbers NAN. */
struct judge_row {
	const char *machine, *microcode, *program, *event, *quantity;
	const char *shape;	/* "key=value;..." */
	double count;		/* or a rate per unit of work */
	double expected;	/* the true count, if a single number */
	double low, high;	/* bounds of the true count */
	double resolution;	/* step: >= 1 for counts, < 1 for rates */
	double scaled;		/* share of the time that the event was
				 * counted */
	const double *covariate;	/* judge_input.covariates; or NULL */
	uint32_t run;
	unsigned char truth;	/* enum judge_truth */
};

struct judge_input {
	const struct judge_row *row;
	size_t rows;
	const char *const *covariate;	/* "interrupts", "page_faults", ... */
	unsigned covariates;
	bool no_margins;	/* the truth is exact: only an equal count
				 * agrees (the fault drill) */
};

enum judge_label {
	JUDGE_NONE,		/* no truth */
	JUDGE_BOUNDS,		/* only bounds; no agreement is proven */
	JUDGE_WITHIN,		/* the mean is proven to lie in tight bounds */
	JUDGE_IN,		/* the mean is proven to be within the margin */
	JUDGE_UNSURE,
	JUDGE_UNDER, JUDGE_OVER,	/* the mean is proven to be outside */
	JUDGE_ZERO,		/* (nearly) 0 where the truth is far above 0 */
	JUDGE_LABELS
};

#define JUDGE_COVARIATES 32	/* further covariates are ignored */

/* The counts that an event adds for one unit of each covariate, in one
 * program. */
struct judge_each {
	const char *const *name;	/* judge_input.covariate */
	unsigned covariates;
	unsigned char counted[JUDGE_COVARIATES];
	struct judge_each *next;	/* terms of another program */
};

/* All readings of one event in one program and shape. row[] holds the readings
 * that count, then the spikes, then the counts below 0. */
struct judge_shape {
	const struct judge_row **row;
	uint32_t rows;
	uint32_t readings;	/* rows that make the mean */
	uint32_t left_out;	/* rows left out as spikes */
	uint32_t wrapped;	/* rows whose counter ran below 0 */
	double parameter;	/* value of the regions' key; NAN: none */
	double mean, sd, half;	/* of counts less the terms; half: half-width of
				 * the mean's 99 % confidence interval */
	double wide;		/* half-width for proofs of failure: at least
				 * that of the scatter which the event's shapes
				 * have in common */
	double least, most;	/* lowest and highest reading */
	double expected, low, high;	/* NAN: not known */
	double margin;		/* agreement: the interval lies within the
				 * margin */
	double refuse;		/* failure: the interval lies beyond this
				 * limit */
	double resolution, scaled;
	const struct judge_each *each;	/* NULL: no covariate is counted */
	double centre;		/* mean of the covariate with index .centred,
				 * which reads too high; .centred is -1 if no
				 * covariate does */
	int centred;
	unsigned char label;	/* enum judge_label */
	unsigned char truth;
	unsigned short marks;	/* enum judge_mark */
};

enum judge_mark {
	JUDGE_SILENT = 1,	/* the shape's interrupt counter is dead */
	JUDGE_HIGH = 2,		/* the interrupt counter reads too high */
	JUDGE_ACCUSED = 4,	/* the event is the counter of JUDGE_HIGH */
	JUDGE_RATE = 8,		/* a rate that no memory reaches */
	JUDGE_EMPTY = 16,	/* the event reads 0, a part of the event does
				 * not */
	JUDGE_BY_TIME = 32,	/* truth refuted: too few cycles for the
				 * truth */
	JUDGE_BY_SUM = 64,	/* truth refuted: the sum of the parts holds */
	JUDGE_APART = 128,	/* the truth's bounds contradict each other */
	JUDGE_SUM = 256,	/* "A+B", and A or B was counted, too */
	JUDGE_LONE = 512,	/* few readings, one of them a spike */
	JUDGE_VARIED = 1024	/* another covariate differs between readings */
};

enum judge_line {
	JUDGE_NO_LINE, JUDGE_CONSTANT, JUDGE_FACTOR, JUDGE_FACTOR_CONSTANT,
	JUDGE_MAYBE	/* a constant fits, but noise may hide a misfit */
};

_Static_assert(ASSAY_CLASSES <= 16, "judge_facts.part has a bit for each");

/* All facts of a scope. The class follows from these facts alone. Facts about
 * the software PMU, whose truth is exact, come from analysis/fit. */
struct judge_facts {
	unsigned shapes, readings, left_out, programs;
	unsigned good, fails;	/* shapes that agree; shapes proven off */
	unsigned doubted;	/* failing shapes whose truth is refuted */
	unsigned short part;	/* a scope of several parts: bit 1 << class of
				 * each */
	enum judge_label label : 8;	/* the worst label of the shapes */
	enum judge_line line : 8;	/* the line that fits all shapes */
	double factor, constant;	/* of the line, or mean/truth; NAN */
	const struct judge_shape *worst;	/* shape to quote, or NULL */
	double far, far_part;	/* largest distance of an agreeing shape: in
				 * counts, and as a share of its truth */
	unsigned short marks;	/* enum judge_mark of all shapes, or-ed */
	bool rate : 1;
	bool combined : 1;	/* a scope of several parts: see .part */
	bool law : 1;	/* a law is violated (law.c) */
	bool wrapped : 1, unstable : 1;
	bool terms : 1;		/* interrupts or page faults were taken off */
	bool more : 1;		/* all shapes have the same small excess */
	bool only_zero : 1;	/* every known truth is 0 */
	bool nothing : 1;	/* the truth of all failing shapes is 0 */
	bool hidden : 1;	/* a quantity that prefetchers can serve */
	bool alive : 1;		/* a shape counts half of its truth */
	bool lone : 1;		/* the scope has one shape */
	bool start : 1;		/* one shape, small excess: start-up? */
	bool below : 1, above : 1;	/* proven outside the truth's bounds */
	bool same_over_programs : 1;	/* the same excess in all programs */
	bool microcodes : 1;	/* two microcodes count differently */
	bool uncounted : 1;	/* there is no reading */
	bool estimated : 1;	/* ... but estimates: counted part of the
				 * time */
	bool unseen : 1;	/* .terms: interrupts that nobody counted */
	bool banded : 1;	/* no truth is a single number */
	bool erratum : 1;	/* each count is as a known erratum says */
};

enum judge_sure { JUDGE_LOW, JUDGE_MEDIUM, JUDGE_SURE };

#define JUDGE_TEXT 900

struct judge_verdict {
	const char *machine, *event;
	const char *microcode;	/* "": not known, or two are compared */
	const char *program;	/* NULL: all programs */
	const char *parameter;	/* the key of a region; "": no region */
	double from, to;	/* the parameter's range in the region */
	enum assay_class class_ : 8;
	enum judge_sure sure : 8;
	unsigned parts;
	const struct judge_verdict *part;	/* verdicts of the parts */
	struct judge_facts facts;
	const char *text, *next;	/* one sentence each; next may be "" */
};

/* The verdict or shape is borrowed for the call; a non-zero return stops the
 * judge. */
typedef int judge_verdict_fn(void *ctx, const struct judge_verdict *verdict);
typedef int judge_shape_fn(void *ctx, const struct judge_shape *shape);

/*
 * Judges the rows. Verdicts come event by event: "all" first, then each
 * program, followed by its regions. After all events come violated laws, as
 * events "law:NAME", and differences between microcodes. shape may be NULL;
 * else shape() gets every shape before the first verdict. Returns 0,
 * -ASSAY_ENOMEM, -ASSAY_ESTOP, or -ASSAY_EUNAVAIL: LAPACKE is missing.
 */
int judge_run(const struct judge_input *input, judge_verdict_fn *verdict,
	      judge_shape_fn *shape, void *ctx);

/* The only place where a class is decided. */
enum assay_class judge_decide(const struct judge_facts *f);

/* The largest distance from the row's expected count that proves no failure. */
double judge_row_margin(const struct judge_row *row);

/* Counts that the event adds for one unit of the covariate; 0 also if the
 * covariate is centred or not in the table. */
unsigned judge_per(const struct judge_shape *shape, const char *covariate);

/* Writes the scope: "all", "program=NAME" or "program=NAME;KEY=LOW..HIGH".
 * Returns the length of the text, as snprintf does. */
size_t judge_scope(char *out, size_t room, const struct judge_verdict *v);

extern const char *const judge_sure_words[], *const judge_label_words[];

#endif
