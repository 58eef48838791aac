/* SPDX-License-Identifier: MIT */
/*
 * Loading a formula file: what loader.c (operands), load-formulas.c and
 * formula-load.c (the file) share, and what a loaded file owns. Private to
 * src/analysis.
 *
 * 1. Every name in an expression is an operand that the file declares, an
 *    earlier formula, or (in a pie's total) a part of that pie: a typing
 *    mistake is never silently an event.
 * 2. What is declared is used: a forgotten operand would cost a counter.
 * 3. All variants declare the same operands.
 * 4. A named formula is a subtree of the expression, shared by all that name
 *    it, so that the nodes of a formula name events only.
 *
 * Functions that return int give 0 or an error, with its text in loader.err.
 */
#ifndef ANALYSIS_FORMULAS_LOADER_H
#define ANALYSIS_FORMULAS_LOADER_H

#include "analysis/formulas/formula.h"
#include "cpus/pool.h"
#include "cpus/yaml.h"

/* Why a formula has no value on some record. */
struct formula_reason {
	struct formula_reason *next;
	char text[];
};

/* Behind formula_file.owned. Reasons are added while formulas are evaluated. */
struct formula_owned {
	struct formula_file file;
	struct yaml *yaml;
	struct pool *pool;
	struct expr_nodes nodes;	/* of all expressions */
	struct formula_reason *reasons;
};

enum {
	LOADER_OPERANDS = FORMULA_EVENTS,
	LOADER_FORMULAS = 1024,
	LOADER_HYPOTHESES = 64,
	LOADER_VARIANTS = 16,
	LOADER_CPUS = 64,
};

struct operand {
	const struct yaml_node *node;
	const char *name;
	int event;	/* index into formula_file.event */
	bool used;
};

struct loader {
	struct formula_file *file;
	struct yaml *yaml;
	struct pool *pool;
	struct expr_nodes *nodes;
	struct assay_error *err;
	struct operand operand[LOADER_OPERANDS];
	unsigned operands;
	const char **event;
	const char *only;	/* the one formula that is wanted, or NULL */
	struct formula *formula;	/* file->formulas of them are loaded */
	struct hypothesis *hypothesis;	/* whose parts are being loaded */
	bool in_total;	/* the expression is a pie's total */
	bool ambiguous;	/* several formulas have the last unknown name */
};

int loader_no_memory(struct loader *l);

/* Is the text a name as expressions have them? */
bool loader_is_name(const char *s);
/* The index into operand[], or -1. */
int loader_find_operand(const struct loader *l, const char *name);
/*
 * The number of formulas of that name so far; *first (may be NULL) gets the
 * index of the first one.
 */
unsigned loader_find_formulas(const struct loader *l, const char *name,
			      int *first);
/* "l1" ... "total" */
extern const char *const loader_part_names[PIE_PARTS];

/* variant: as in formula_load(). */
int load_operands(struct loader *l, const char *variant);
int load_formulas(struct loader *l);
int load_hypotheses(struct loader *l);

#endif
