/* SPDX-License-Identifier: MIT */
/*
 * Expressions over names: + - * / ( ) min(a, b) max(a, b), less(a, b), which is
 * 1 or 0, decimal and 0x numbers. Names are letters, digits, '_', '.' and ':';
 * the caller maps them to indices once, when parsing.
 *
 * Invariants
 * 1. An absent operand makes the result absent, with that operand's reason.
 *    min, max and less are no exception.
 * 2. x/0 is absent ("division by zero"), 0/0 too.
 * 3. A result that is not finite is absent.
 */
#ifndef BASE_EXPR_H
#define BASE_EXPR_H

#include <stddef.h>

#include "assay/error.h"
#include "assay/quantity.h"

#define EXPR_NODES 64

enum expr_op {
	EXPR_NUMBER, EXPR_NAME, EXPR_ADD, EXPR_SUB, EXPR_MUL, EXPR_DIV,
	EXPR_NEG, EXPR_MIN, EXPR_MAX, EXPR_LESS
};

struct expr_node {
	unsigned char op;	/* enum expr_op */
	int left, right;	/* node indices */
	int name;		/* NAME: the caller's index */
	double number;
};

/* A plain value in fixed room; root is node[root]. nodes == 0: empty. */
struct expr {
	int nodes, root;
	struct expr_node node[EXPR_NODES];
};

/*
 * Nodes of several expressions, which may share subtrees. The array grows, and
 * may move, whenever an expression is added; the owner frees .node.
 */
struct expr_nodes {
	struct expr_node *node;
	int nodes, room;
};

/* One of several expressions; .node is borrowed. NULL: empty. */
struct expr_tree {
	const struct expr_node *node;
	int root;
};

/* Maps a name to an index >= 0, or returns < 0: unknown. */
typedef int expr_name_fn(void *ctx, const char *name);

/* The value of a name. */
typedef struct assay_value expr_value_fn(const void *ctx, int name);

/*
 * Parses text. `*column` (may be NULL) gets the 0-based offset of a mistake in
 * text, for the caller's caret. Returns 0; -ASSAY_EPARSE with a sentence;
 * -ASSAY_ENOENT for an unknown name, whose text is then in err->text.
 */
int expr_parse(struct expr *out, const char *text, expr_name_fn *name,
	       void *ctx, size_t *column, struct assay_error *err);

/*
 * As expr_parse(), but appends the nodes to all->node; *root gets the index of
 * the expression's root. Also -ASSAY_ENOMEM. On an error all->nodes is as it
 * was.
 */
int expr_add(struct expr_nodes *all, int *root, const char *text,
	     expr_name_fn *name, void *ctx, size_t *column,
	     struct assay_error *err);

struct assay_value expr_value(const struct expr *e, expr_value_fn *value,
			      const void *ctx);
struct assay_value expr_tree_value(const struct expr_tree *e,
				   expr_value_fn *value, const void *ctx);

#endif
