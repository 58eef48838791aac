/* SPDX-License-Identifier: MIT */
/*
 * Formula files from other tools' metrics: the expressions of perf, perfmon and
 * likwid, as store/metrics reads them, become the text of a formula file.
 * import.c writes the file, expression.c translates expressions, condition.c
 * evaluates what does not depend on counts, event.c translates events, and
 * claim.c finds out which quantity a metric claims to be.
 */
#ifndef ANALYSIS_IMPORT_IMPORT_H
#define ANALYSIS_IMPORT_IMPORT_H

#include "analysis/formulas/formula.h"
#include "assay/error.h"
#include "assay/record.h"
#include "assay/row.h"
#include "base/encoding.h"
#include "base/metrics.h"
#include "cpus/cpu.h"

/* A fact about the machine that expressions may ask for, such as perf's
 * #smt_on. */
struct import_literal {
	const char *name;	/* in small letters, without '#' */
	double value;
	bool assumed;		/* the value is a guess about the machine */
};

/* For whom metrics are imported. */
struct import_machine {
	const struct cpu *cpu;	/* events get the spelling of this CPU file, and
				 * events with terms become raw codes; or NULL */
	const struct import_literal *literal;
	size_t literals;
	/* An event that the CPU file lacks: its .config and .config1, or
	 * .absent. False: unknown. May be NULL. */
	bool (*code)(void *ctx, const char *event, const char *pmu,
		     struct encoding *out);
	void *ctx;
	const char *pmu;	/* of the core that the metrics are for,
				 * "cpu_core"; "": the machine's only one */
};

/*
 * Writes the text of a formula file with the metrics whose names contain
 * pattern (NULL: all), and the metrics that these name. `name` becomes the
 * file's name. A metric whose name is that of a quantity claims that quantity;
 * if a metric is a rate of such a count, the count becomes one more metric.
 *
 * Rows: "metric" {metric, name, is, claims} for each metric, with the reason in
 * `is` if the metric cannot be imported; "unknown" {event, why} for each event
 * that the CPU file does not have; "assumed" {literal, value} for each assumed
 * literal that an expression asked for. A non-zero result of fn stops the
 * import.
 *
 * Returns 0 and in *out a text for free() that formula_parse() accepts;
 * -ASSAY_EINVAL if no metric could be imported; -ASSAY_ENOMEM; -ASSAY_ESTOP.
 */
int formulas_import(char **out, const struct metric_list *list,
		    const char *name, const char *pattern,
		    const struct import_machine *machine, assay_row_fn *fn,
		    void *ctx, struct assay_error *err);

/* ---- private to src/analysis/import ------------------------------------- */

#define IMPORT_OPERANDS FORMULA_EVENTS
#define IMPORT_WHY 240

struct import_operand {
	char name[ASSAY_NAME];	/* in expressions */
	char event[ASSAY_NAME];
	bool unknown;		/* the CPU file does not have the event */
	bool used;		/* by an imported metric */
};

/* What the metrics of a file share. */
struct import {
	const struct metric_list *list;
	const struct import_machine *machine;
	struct import_operand operand[IMPORT_OPERANDS];
	unsigned operands;
	bool *asked;		/* of each literal of the machine */
	/* Is a name not to be given to an operand? */
	bool (*avoid)(const void *ctx, const char *name);
	/* The name of the formula that a metric became: the metric is imported
	 * first. NULL and why[IMPORT_WHY]: it is left out. */
	const char *(*metric)(void *ctx, size_t item, char *why);
	void *ctx;
};

/* One expression that is being translated. */
struct translation {
	struct import *of;
	const struct metric_item *item;
	char *text;		/* owned; NULL until something is put */
	size_t used, room;
	unsigned depth;		/* of nested parentheses */
	unsigned names;		/* events and metrics in the text */
	bool decided;		/* a condition chose a branch */
	bool operand[IMPORT_OPERANDS];	/* used by the text */
	char why[IMPORT_WHY];	/* the first failure */
};

/* Translates the item's expression into .text. False: .why has the reason. */
bool import_expression(struct translation *t);
/* The operand for an event as perf or perfmon writes it; NULL: see .why. */
const struct import_operand *import_event(struct translation *t,
					  const char *event);
/* The operand for a counter of a group of likwid with the counter's options. */
const struct import_operand *import_counter(struct translation *t,
					    const struct metric_counter *c);
/* A name of letters, digits and '_' only that begins with no digit. */
void import_name(char out[ASSAY_NAME], const char *text);

/*
 * The value of a condition, `length` bytes of text; NAN: it depends on counts.
 * False: .why has the reason.
 */
bool import_condition(struct translation *t, const char *text, size_t length,
		      double *value);
/* The value of perf's "#name" or a constant of perfmon; false: see .why. */
bool import_literal_value(struct translation *t, const char *name,
			  double *value);
/* Does the CPU have the event? False, and .why: not known. */
bool import_has_event(struct translation *t, const char *event);

/*
 * The quantity that a metric claims to count, by its name, or -1. is: the
 * translated expression.
 */
int import_claim(const struct metric_item *item, const char *is);

/* The count of a rate: of "branch misprediction rate", A/B, the metric
 * "branch misprediction", A. */
struct import_rate {
	char name[96], expression[256];
	struct metric_item item;	/* borrows name and expression */
};
/* False: the metric is no rate of a known quantity. */
bool import_numerator(struct import_rate *out, const struct metric_item *item);

/* Sets .why unless an earlier failure did; returns false. */
bool import_fail(struct translation *t, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
