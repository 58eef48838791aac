/* SPDX-License-Identifier: MIT */
/* Formula files from other tools' metrics. */
#ifndef ANALYSIS_IMPORT_IMPORT_H
#define ANALYSIS_IMPORT_IMPORT_H

#include "assay/error.h"
#include "assay/record.h"
#include "assay/row.h"
#include "base/metrics.h"
#include "cpus/cpu.h"

/*
 * Writes the text of a formula file with those metrics of the list whose name
 * contains pattern (NULL: all). cpu (or NULL) is the CPU that they are for: its
 * file's names take the place of other spellings, and codes that of terms.
 * `name` becomes the file's. A metric whose name says of which quantity it is
 * the count claims that; of a rate of such a count, the count is one more
 * metric. One row "metric" {metric, formula or why it cannot
 * be had, claim} each, and one row "unknown" {event, why} for each event that is not
 * in the CPU's file; non-zero from fn stops.
 *
 * Returns 0 with *out for free(), which formula_parse() accepts;
 * -ASSAY_EINVAL if no metric is left; -ASSAY_ENOMEM; -ASSAY_ESTOP.
 */
int formulas_import(char **out, const struct metric_list *list,
		    const char *name, const char *pattern,
		    const struct cpu *cpu, assay_row_fn *fn, void *ctx,
		    struct assay_error *err);

/* ---- private to import*.c ----------------------------------------------- */

#define IMPORT_OPERANDS ASSAY_EVENTS
#define IMPORT_EXPRESSION 4096

struct import_operand {
	char name[ASSAY_NAME];	/* in expressions */
	char event[ASSAY_NAME];
	bool unknown;		/* no event of the CPU's file */
};

struct import {
	const struct metric_list *list;
	const struct cpu *cpu;
	struct import_operand operand[IMPORT_OPERANDS];
	unsigned operands;
	char text[IMPORT_EXPRESSION];	/* of the expression being made */
	size_t used;
	unsigned depth;
	bool (*avoid)(const void *ctx, const char *name);	/* or NULL */
	const void *ctx;
	char why[ASSAY_WHY];
};

/* Translates an expression into .text; false: .why says why not. Operands are
 * added as needed. */
bool import_expression(struct import *im, const char *expression);
/* The operand for an event as the other tool writes it, or NULL. */
const struct import_operand *import_event(struct import *im,
					  const char *event);
/* Letters, digits and '_' only, from a letter on. */
void import_name(char out[ASSAY_NAME], const char *text);
/* The quantity that a metric's name says it counts, or -1; is: as translated. */
int import_claim(const struct metric_item *item, const char *is);

/* Of "branch misprediction rate", A/B: "branch misprediction", A. */
struct import_rate {
	char name[96], expression[256];
	struct metric_item item;	/* of these */
};
/* False: it is no rate of what is known. */
bool import_numerator(struct import_rate *out, const struct metric_item *item);

bool import_fail(struct import *im, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
