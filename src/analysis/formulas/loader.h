/* SPDX-License-Identifier: MIT */
/*
 * Loading a formula file: what its parts share. Private to the analysis room.
 *
 * 1. Every name in an expression is an operand that the file declares, an
 *    earlier formula, or (in a pie's total) a part of that pie: a typing
 *    mistake is never silently an event.
 * 2. What is declared is used: a forgotten operand would cost a counter.
 * 3. All variants declare the same operands.
 * 4. Named formulas are copied into the expression, so that the nodes of a
 *    formula name events only.
 *
 * Functions give 0 or an error that is in loader.err.
 */
#ifndef ANALYSIS_FORMULAS_LOADER_H
#define ANALYSIS_FORMULAS_LOADER_H

#include "analysis/formulas/formula-file.h"

enum {
	LOADER_OPERANDS = ASSAY_EVENTS,
	LOADER_FORMULAS = 256,
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
	struct assay_error *err;
	struct operand operand[LOADER_OPERANDS];
	unsigned operands;
	const char **event;
	struct formula *formula;	/* as far as they are loaded */
	struct hypothesis *hypothesis;	/* whose parts are being loaded */
	bool in_total;
	bool ambiguous;	/* the last unknown name is of several formulas */
};

int loader_no_memory(struct loader *l);

/* A scalar that must be there and not be empty. */
int loader_word(struct loader *l, const struct yaml_node *map, const char *key,
		const char **out);
/* The list `key` of the file, or NULL; with at most that many members. */
int loader_list(struct loader *l, const char *key, size_t most,
		const struct yaml_node **out);
/* Can it stand in an expression? */
bool loader_is_name(const char *s);
int loader_find_operand(const struct loader *l, const char *name);
/* The formulas of that name; *first (may be NULL) gets the first's index. */
unsigned loader_find_formulas(const struct loader *l, const char *name,
			      int *first);
/* "l1" ... "total" */
extern const char *const loader_part_names[PIE_PARTS];

int load_operands(struct loader *l, const char *variant);
int load_expression(struct loader *l, const struct yaml_node *node,
		    struct formula *out);
int load_formulas(struct loader *l);
int load_hypotheses(struct loader *l);

#endif
