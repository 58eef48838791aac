/* SPDX-License-Identifier: MIT */
/*
 * Fits an event: finds the sum of true quantities that gives the event's
 * counts. The truth must be exact; analysis/judge/ judges counts whose truth is
 * an interval.
 *
 * Input is a panel, a table: a row per counted run, with the true quantities of
 * that run; a column per event, with its counts and with the counts that its
 * description claims. The claim is checked first, to the last digit. If the
 * claim fails, explanations are tried from the simplest to the most complex;
 * the first one that gives every count of every row wins. The panel's shapes
 * are chosen so that each wrong explanation fails in some row. Explanations
 * that are equally simple and give the same counts are all reported.
 *
 * Output is the event's class, and the model behind it. Nothing is allocated;
 * results borrow the panel's texts.
 */
#ifndef ANALYSIS_FIT_FIT_H
#define ANALYSIS_FIT_FIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/judge/judge.h"

enum fit_term {
#define X(name, sum, what) FIT_##name,
#include "analysis/fit/terms.def"
#undef X
	FIT_cycles,	/* by the CPU's model; a sibling thread's work grows
			 * with them */
	FIT_passes,	/* outer iterations of a periodic kernel */
	FIT_runs,	/* 1 in each row */
	FIT_faults,	/* page faults of a real machine */
	FIT_switches,	/* a real machine's switches of thread or CPU */
	FIT_TERMS
};

struct fit_row {
	unsigned shape;
	bool truth;		/* the terms are known */
	double term[FIT_TERMS];	/* NAN: not known */
};

/*
 * One event. Each array has a value per row of the panel. NAN in count: the
 * event was not counted in that row; in claim: nothing is claimed for the row.
 */
struct fit_column {
	const char *name;
	const char *claim_text;	/* "l1d_load_miss + l1d_store_miss", or "" */
	const double *count, *claim;
};

struct fit_panel {
	const struct fit_row *row;
	size_t rows;
	const struct fit_column *column;
	size_t columns;
};

enum fit_kind {
	FIT_AS_CLAIMED, FIT_DEAD, FIT_FACTOR, FIT_WRAP, FIT_SATURATE, FIT_ADDS,
	FIT_OTHER,	/* counts as another event claims */
	FIT_ONLY,	/* counts one term, without the claim */
	FIT_INTERRUPTS, FIT_NOISE, FIT_KERNEL, FIT_CONSTANT, FIT_NONE,
	FIT_KINDS
};
extern const char *const fit_kind_names[FIT_KINDS];

/*
 * count = clamp(factor * base + sum of amount * term) + random part, where
 * base is the event's claim, another event's claim, or 0.
 */
struct fit_model {
	int base;		/* column of the claim; -1: 0 */
	double factor;
	unsigned terms;
	enum fit_term term[2];
	double amount[2];
	unsigned wrap;		/* the counter's width in bits; 0: no wrap */
	double full;		/* the counter saturates at this; 0: nowhere */
	double interrupt;	/* counts per interrupt, or 0 */
	double noise;		/* counts differ by up to +- this, or 0 */
};

#define FIT_ALTERNATIVES 4

struct fit_result {
	struct judge_facts facts;	/* of which judge_decide() makes
					 * .class_ */
	enum assay_class class_;
	enum fit_kind kind;	/* the main deviation */
	struct fit_model model;	/* FIT_NONE: not set */
	unsigned alternatives;	/* equally simple models */
	struct fit_model alternative[FIT_ALTERNATIVES];
	bool measured;		/* bias and spread are known */
	double bias, spread;	/* the largest of all rows, as shares */
	size_t worst;		/* row of the largest deviation */
	unsigned shapes, good;	/* tested; with the claimed counts */
	int twin;		/* another event whose claim is the same in
				 * every row, or -1 */
	const char *why;	/* inconclusive, unavailable: the reason */
};

/* Classifies the event in column `index` of the panel. */
void fit_event(const struct fit_panel *panel, size_t index,
	       struct fit_result *out);

/* Describes the result of column `index` for people, NUL-terminated. */
void fit_text(char *out, size_t room, const struct fit_panel *panel,
	      size_t index, const struct fit_result *result);

/*
 * For an event without a claim: "A per load + B per pass + C per run" with
 * whole amounts that give every count. False: no such amounts, or too few
 * rows.
 */
bool fit_structure(const struct fit_panel *panel, size_t index, char *out,
		   size_t room);
/*
 * For an event without a claim: the nearest other event, and the difference
 * per pass over stretches of neighbouring rows. label names a row in the text.
 * False: no other event is near, or no three rows in a row have such a
 * difference.
 */
typedef const char *fit_label_fn(const void *ctx, size_t row);
bool fit_other_event(const struct fit_panel *panel, size_t index,
		fit_label_fn *label, const void *ctx, char *out, size_t room);

/*
 * The deviations that a model of column `index` has, the main one first: up to
 * `room` of them. Returns their number.
 */
unsigned fit_model_kinds(const struct fit_model *model, size_t index,
			 enum fit_kind *out, unsigned room);

/*
 * Sets the terms of terms.def from the simulator's signals, runs to 1, and the
 * others to NAN for the caller to fill in.
 */
void fit_terms(double term[FIT_TERMS], const uint64_t *signal);

#endif
