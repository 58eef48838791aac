/* SPDX-License-Identifier: MIT */
/*
 * Fitting an event: which sum of true quantities gives its counts?
 *
 * A panel is a table: a row per counted run, with the true quantities of that
 * run; a column per event, with what it counted and what it claims to count.
 * What is claimed is checked first, to the last digit. If it does not hold, the
 * explanations are tried from the simplest on, and the first kind that gives
 * every count of every row wins: a panel of shapes that tell meanings apart
 * makes the wrong ones fail somewhere. Explanations that are equally simple and
 * give the same counts are all named.
 */
#ifndef ANALYSIS_FIT_FIT_H
#define ANALYSIS_FIT_FIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "assay/class.h"

enum fit_term {
#define X(name, sum, what) FIT_##name,
#include "analysis/fit/terms.def"
#undef X
	FIT_cycles,	/* by the CPU's model: what runs beside the program */
	FIT_passes,	/* of a periodic kernel: list walks, iterations */
	FIT_runs,	/* 1 in each row */
	FIT_faults,	/* a real machine's: page faults */
	FIT_switches,	/* and switches to other threads and CPUs */
	FIT_TERMS
};

struct fit_row {
	unsigned shape;
	bool truth;		/* terms are known */
	double term[FIT_TERMS];
	double disturbed;	/* interrupts, faults and switches of context
				 * in it; NAN: not known */
};

/* NAN: not counted, or nothing is claimed for that row. */
struct fit_column {
	const char *name;
	const char *claim_text;	/* "l1d_load_miss + l1d_store_miss", "" */
	const double *count, *claim;
	const double *off;	/* how far a count is beyond what is allowed,
				 * if that is a band; NULL: count - claim */
	/* how far the repetitions behind a row lie apart, if a row stands for
	 * several (fit-settle.h); NULL: nowhere */
	const double *range;
	const double *vague;	/* not 0: off, but nobody knows by how much; it
				 * explains nothing; NULL: nowhere */
	const double *slack;	/* so far from the claim a row may be by chance,
				 * as the repetitions tell; NULL: 0 */
};

struct fit_panel {
	const struct fit_row *row;
	size_t rows;
	const struct fit_column *column;
	size_t columns;
	double tolerance;	/* share of the claim that is no deviation: 0
				 * where truth is exact */
	bool alone;		/* counts of a real machine, with whatever
				 * happened beside */
};

/* So many more counts in a run are still few. */
#define FIT_FEW 1000.0
/* Repetitions that differ by more make an event unstable. */
#define FIT_UNSTABLE 0.05

enum fit_kind {
	FIT_AS_CLAIMED, FIT_DEAD, FIT_FACTOR, FIT_WRAP, FIT_SATURATE, FIT_ADDS,
	FIT_OTHER,	/* what another event claims */
	FIT_ONLY,	/* a term alone */
	FIT_INTERRUPTS, FIT_NOISE, FIT_KERNEL, FIT_CONSTANT, FIT_NONE,
	FIT_KINDS
};
extern const char *const fit_kind_names[FIT_KINDS];

/*
 * count = clamp(factor * base + sum of amount * term) + random part.
 * base: the claim, another event's, or nothing.
 */
struct fit_model {
	int base;		/* column; -1: nothing */
	double factor;
	unsigned terms;
	enum fit_term term[2];
	double amount[2];
	unsigned wrap;		/* bits, or 0 */
	double full;		/* saturates there, or 0 */
	double interrupt;	/* k per interrupt, or 0 */
	double noise;		/* +- so many, or 0 */
};

#define FIT_ALSO 4

struct fit_result {
	enum assay_class class_;
	enum fit_kind kind;	/* the main deviation */
	struct fit_model model;	/* with FIT_NONE: nothing */
	unsigned also;		/* equally simple ones */
	struct fit_model alternative[FIT_ALSO];
	bool measured;		/* bias and spread are known */
	double bias, spread;	/* largest shares */
	double few_least, few_most;	/* INTERRUPTS on a real machine */
	bool noisy;		/* as claimed but for what differs from run to
				 * run */
	size_t worst;		/* row of the largest deviation */
	unsigned shapes, good;
	int twin;		/* another event whose claim is the same in
				 * every row, or -1 */
	const char *why;	/* inconclusive, unavailable */
};

/* Column `index` of the panel. */
void fit_event(const struct fit_panel *panel, size_t index,
	       struct fit_result *out);

/* The explanation for people. */
void fit_text(char *out, size_t room, const struct fit_panel *panel,
	      size_t index, const struct fit_result *result);

/*
 * An event of which nothing is claimed: whole amounts per load, pass and run
 * that give every count. False: there are none, or too few rows.
 */
bool fit_structure(const struct fit_panel *panel, size_t index, char *out,
		   size_t room);
/*
 * The same as another event and so many per pass, by neighbouring rows. label:
 * what people call a row. False: no other event was counted, or nowhere in
 * three rows running is there such a term.
 */
typedef const char *fit_label_fn(const void *ctx, size_t row);
bool fit_beside(const struct fit_panel *panel, size_t index,
		fit_label_fn *label, const void *ctx, char *out, size_t room);

/* The kind that a model shows; up to `room` of them. Returns how many. */
unsigned fit_model_kinds(const struct fit_model *model, size_t index,
			 enum fit_kind *out, unsigned room);

/* The terms of a row from the simulator's signals; the rest is the caller's. */
void fit_terms(double term[FIT_TERMS], const uint64_t *signal);

#endif
