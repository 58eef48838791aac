/* SPDX-License-Identifier: MIT */
/*
 * The judge of counts that are no simulation of ours: published tables, saved
 * and real runs. Pure: rows in, verdicts out, no file is read or written.
 *
 * The model of one event on one machine with one microcode: a count c of a run
 * whose true number is t and in which x_k interrupts or page faults happened is
 *
 *	c = a + b t + sum d_k x_k + noise
 *
 * with a: counts of start and stop, b: a factor, d_k: whole numbers. An exact
 * event has a = 0, b = 1, d = 0. Hypotheses are tried from the simplest on.
 * An interval of the mean carries the noise; a margin that belongs to the truth
 * alone says what is still agreement, so that noise never hides a bias.
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
	JUDGE_UNKNOWN,		/* not said: agreement is proven as for UNIT,
				 * a failure as for ABOUT */
	JUDGE_UNIT,		/* arithmetic over retired work */
	JUDGE_MODEL,		/* a closed form of a cache or TLB */
	JUDGE_ABOUT		/* an author's round number */
};

/* One reading. Texts are "" if not known, numbers NAN. */
struct judge_row {
	const char *machine, *microcode, *program, *event, *quantity;
	const char *shape;	/* "key=value;..." */
	double count;		/* or a rate per unit of work */
	double expected;	/* the true number, if it is one number */
	double low, high;	/* bounds of it */
	double resolution;	/* counts: >= 1; rates: < 1 */
	double scaled;		/* share of the time that it was counted */
	const double *covariate;	/* judge_input.covariates; or NULL */
	uint32_t run;
	unsigned char truth;	/* enum judge_truth */
};

struct judge_input {
	const struct judge_row *row;
	size_t rows;
	const char *const *covariate;	/* "interrupts", "page_faults", ... */
	unsigned covariates;
	bool no_margins;	/* the truth is exact: what is not to the last
				 * digit is not agreement (the fault drill) */
};

enum judge_label {
	JUDGE_NONE,		/* no truth */
	JUDGE_BOUNDS,		/* only bounds, and they prove no agreement */
	JUDGE_WITHIN,		/* proven to lie within tight bounds */
	JUDGE_IN,		/* proven to be within the margin */
	JUDGE_UNSURE,
	JUDGE_UNDER, JUDGE_OVER,	/* proven to be outside */
	JUDGE_ZERO,		/* (nearly) 0 where much happened */
	JUDGE_LABELS
};

#define JUDGE_COVARIATES 32	/* further ones are not looked at */

/* How many counts an event has for each covariate, in one program. */
struct judge_each {
	const char *const *name;	/* judge_input.covariate */
	unsigned covariates;
	unsigned char counted[JUDGE_COVARIATES];
	struct judge_each *next;	/* of another program */
};

/* All readings of one event in one (program, shape): first those that count,
 * then spikes, then what ran below 0. */
struct judge_shape {
	const struct judge_row **row;
	uint32_t rows;
	uint32_t readings;	/* that the mean rests on */
	uint32_t left_out;	/* spikes */
	uint32_t wrapped;	/* ran below 0 */
	double parameter;	/* regions are split along it; NAN: none */
	double mean, sd, half;	/* less the terms; 99 % interval of the mean */
	double wide;		/* the same for accusations: not below what the
				 * scatter of all shapes makes of it */
	double least, most;	/* single readings */
	double expected, low, high;	/* NAN: not known */
	double margin;		/* agreement: the interval lies within it */
	double refuse;		/* failure: the interval lies beyond it */
	double resolution, scaled;
	const struct judge_each *each;	/* NULL: no covariate is counted */
	double centre;		/* mean of the covariate .centred, which stands
				 * too high; -1: none does */
	int centred;
	unsigned char label;	/* enum judge_label */
	unsigned char truth;
	unsigned short marks;	/* enum judge_mark */
};

enum judge_mark {
	JUDGE_SILENT = 1,	/* its interrupt counter is dead */
	JUDGE_HIGH = 2,		/* its interrupt counter stands too high */
	JUDGE_ACCUSED = 4,	/* it is that counter */
	JUDGE_RATE = 8,		/* beyond any physical rate */
	JUDGE_EMPTY = 16,	/* 0 although a part of it is not */
	JUDGE_BY_TIME = 32,	/* truth refuted: no time for it */
	JUDGE_BY_SUM = 64,	/* truth refuted: the sum of the parts holds */
	JUDGE_APART = 128,	/* its bounds contradict each other */
	JUDGE_SUM = 256,	/* "A+B", and A or B was counted, too */
	JUDGE_LONE = 512,	/* few readings, one of them a spike */
	JUDGE_VARIED = 1024	/* another covariate differs between readings */
};

enum judge_line {
	JUDGE_NO_LINE, JUDGE_CONSTANT, JUDGE_FACTOR, JUDGE_FACTOR_CONSTANT,
	JUDGE_MAYBE	/* a constant is not refuted: the noise hides more */
};

/* What is known of a scope. The class follows from nothing else. */
struct judge_facts {
	unsigned shapes, readings, left_out, programs;
	unsigned good, fails;	/* shapes that agree, that are off */
	unsigned part;		/* a scope of several: 1 << class of each */
	enum judge_label label;	/* of a region: the worst */
	enum judge_line line;	/* fits all shapes */
	double factor, constant;	/* of the line, or m/t; NAN */
	const struct judge_shape *worst;	/* furthest off, or NULL */
	double far, far_part;	/* what agrees is no further off: in counts, and
				 * of its truth */
	unsigned doubted;	/* failing shapes whose truth is refuted */
	unsigned marks;		/* of any shape */
	bool rate : 1;
	bool combined : 1;	/* only .part counts */
	bool law : 1;	/* violated: see law_text */
	bool wrapped : 1, unstable : 1;
	bool terms : 1;		/* interrupts or page faults were taken off */
	bool more : 1;		/* D is the same positive number everywhere */
	bool only_zero : 1;	/* nothing but 0 was ever expected */
	bool nothing : 1;	/* the failing shapes expect 0 */
	bool hidden : 1;	/* a quantity that prefetchers can serve */
	bool alive : 1;		/* reaches half of its truth elsewhere */
	bool lone : 1;		/* one shape */
	bool start : 1;		/* a single small excess: start and stop? */
	bool below : 1, above : 1;	/* bounds only */
	bool same_over_programs : 1;	/* rule of a constant over programs */
	bool microcodes : 1;	/* two microcodes differ */
};

enum judge_sure { JUDGE_LOW, JUDGE_MEDIUM, JUDGE_SURE };

#define JUDGE_TEXT 900

struct judge_verdict {
	const char *machine, *event;
	const char *microcode;	/* "": not known, or for all */
	const char *program;	/* NULL: all */
	const char *parameter;	/* a key's name, or "": the whole program */
	double from, to;	/* of it */
	enum assay_class class_;
	enum judge_sure sure;
	struct judge_facts facts;
	const struct judge_verdict *part;	/* a scope of several: theirs */
	size_t parts;
	const char *text, *next;	/* one sentence each; next may be "" */
};

/* Borrowed for the call; non-zero return stops. */
typedef int judge_verdict_fn(void *ctx, const struct judge_verdict *verdict);
typedef int judge_shape_fn(void *ctx, const struct judge_shape *shape);

/*
 * Judges. Verdicts come event by event: "all" first, then each program, then
 * its regions; violated laws as events "law:NAME" at the end of a machine.
 * shape may be NULL; it gets the evidence before the verdicts. Returns 0,
 * -ASSAY_ENOMEM or -ASSAY_ESTOP.
 */
int judge_run(const struct judge_input *input, judge_verdict_fn *verdict,
	      judge_shape_fn *shape, void *ctx);

/* Counts for each of that covariate; 0: none, or there is no such one. */
unsigned judge_per(const struct judge_shape *shape, const char *covariate);

/* "all", "program=NAME", "program=NAME;KEY=LOW..HIGH". Returns its length, as
 * snprintf does. */
size_t judge_scope(char *out, size_t room, const struct judge_verdict *v);

extern const char *const judge_sure_words[], *const judge_label_words[];

#endif
