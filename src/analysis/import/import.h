/* SPDX-License-Identifier: MIT */
/*
 * Formula files from other tools' metrics: perf's and likwid's expressions, as
 * store/metrics reads them, become the text of a formula file. import.c writes
 * the file, expression.c translates expressions, event.c events, and claim.c
 * finds out which quantity a metric claims to be.
 */
#ifndef ANALYSIS_IMPORT_IMPORT_H
#define ANALYSIS_IMPORT_IMPORT_H

#include "assay/error.h"
#include "assay/record.h"
#include "assay/row.h"
#include "base/metrics.h"
#include "cpus/cpu.h"

/*
 * Writes the text of a formula file with the metrics whose names contain
 * pattern (NULL: all). `name` becomes the file's name. cpu (or NULL) is the CPU
 * of the metrics: events get the spelling of its CPU file, and events with
 * perf's terms become raw codes. A metric whose name is that of a quantity
 * claims that quantity; if a metric is a rate of such a count, the count
 * becomes one more metric.
 *
 * Rows: "metric" {metric, name, is, claims} for each metric, with the reason in
 * `is` if the metric cannot be imported; "unknown" {event, why} for each event
 * that the CPU file does not have. A non-zero result of fn stops the import.
 *
 * Returns 0 and in *out a text for free() that formula_parse() accepts;
 * -ASSAY_EINVAL if no metric could be imported; -ASSAY_ENOMEM; -ASSAY_ESTOP.
 */
int formulas_import(char **out, const struct metric_list *list,
		    const char *name, const char *pattern,
		    const struct cpu *cpu, assay_row_fn *fn, void *ctx,
		    struct assay_error *err);

/* ---- private to src/analysis/import ------------------------------------- */

#define IMPORT_OPERANDS ASSAY_EVENTS
#define IMPORT_EXPRESSION 4096

struct import_operand {
	char name[ASSAY_NAME];	/* in expressions */
	char event[ASSAY_NAME];
	bool unknown;		/* the CPU file does not have the event */
};

struct import {
	const struct metric_list *list;
	const struct cpu *cpu;
	struct import_operand operand[IMPORT_OPERANDS];
	unsigned operands;
	char text[IMPORT_EXPRESSION];	/* the translated expression */
	size_t used;		/* bytes of text */
	unsigned depth;		/* of nested parentheses */
	bool (*avoid)(const void *ctx, const char *name);	/* is a name
				 * not to be given to an operand? or NULL */
	const void *ctx;	/* of avoid */
	char why[ASSAY_WHY];	/* the first failure */
};

/*
 * Translates an expression into .text, and adds the operands that it needs.
 * False: .why has the reason.
 */
bool import_expression(struct import *im, const char *expression);
/* The operand for an event as perf or likwid writes it; NULL: see .why. */
const struct import_operand *import_event(struct import *im,
					  const char *event);
/* A name of letters, digits and '_' only that begins with no digit. */
void import_name(char out[ASSAY_NAME], const char *text);
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
bool import_fail(struct import *im, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
