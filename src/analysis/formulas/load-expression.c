/* SPDX-License-Identifier: MIT */
/* The expressions of a formula file. */
#include <string.h>

#include "analysis/formulas/loader.h"
#include "base/text.h"

enum {
	FORMULA_INDEX = 1000,	/* names of formulas, while parsing */
	PART_INDEX = 2000,	/* names of a pie's parts, while parsing */
};

static int part_index(const struct loader *l, const char *name)
{
	for (int i = 0; l->in_total && i < PIE_TOTAL; i++)
		if (strcmp(loader_part_names[i], name) == 0)
			return PART_INDEX + i;
	return -1;
}

/* An expr_name_fn. */
static int name_index(void *ctx, const char *name)
{
	struct loader *l = ctx;
	int i = loader_find_operand(l, name);

	if (i >= 0) {
		l->operand[i].used = true;
		return l->operand[i].event;
	}
	i = part_index(l, name);
	if (i >= 0)
		return i;
	switch (loader_find_formulas(l, name, &i)) {
	case 0:
		l->ambiguous = false;
		return -1;
	case 1:
		return FORMULA_INDEX + i;
	default:
		l->ambiguous = true;
		return -1;
	}
}

/* The nearest of all names that an expression could use here. */
static const char *nearest_name(const struct loader *l, const char *name)
{
	const char *words[LOADER_OPERANDS + LOADER_FORMULAS + PIE_PARTS + 1];
	size_t n = 0;

	for (unsigned i = 0; i < l->operands; i++)
		words[n++] = l->operand[i].name;
	for (size_t i = 0; i < l->file->formulas; i++)
		words[n++] = l->formula[i].name;
	for (int i = 0; l->in_total && i < PIE_TOTAL; i++)
		words[n++] = loader_part_names[i];
	words[n] = NULL;
	return text_nearest(name, words);
}

static int unknown_name(struct loader *l, const struct yaml_node *node,
			size_t column, const char *name)
{
	const char *near = nearest_name(l, name);

	if (l->ambiguous)
		return yaml_error_in(l->yaml, node, column, l->err,
				     "more than one formula is called '%.60s'",
				     name);
	if (near)
		return yaml_error_in(l->yaml, node, column, l->err,
				     "unknown name '%.60s'; did you mean "
				     "'%s'?", name, near);
	return yaml_error_in(l->yaml, node, column, l->err,
			     "'%.60s' is neither an operand of this file nor "
			     "an earlier formula", name);
}

static const struct formula *named(const struct loader *l, int name)
{
	if (name >= PART_INDEX)
		return &l->hypothesis->part[name - PART_INDEX];
	return name >= FORMULA_INDEX ? &l->formula[name - FORMULA_INDEX] :
				       NULL;
}

/* Copies a tree with the named formulas in place; -1: no room (4). */
static short copy(const struct loader *l, struct expr *out,
		  const struct expr *from, short at)
{
	struct expr_node n = from->node[at];
	const struct formula *f = n.op == EXPR_NAME ? named(l, n.name) : NULL;

	if (f)
		return copy(l, out, &f->expr, f->expr.root);
	if (n.left >= 0)
		n.left = copy(l, out, from, n.left);
	if (n.right >= 0)
		n.right = copy(l, out, from, n.right);
	if (out->nodes == EXPR_NODES ||
	    (from->node[at].left >= 0 && n.left < 0) ||
	    (from->node[at].right >= 0 && n.right < 0))
		return -1;
	out->node[out->nodes] = n;
	return out->nodes++;
}

static void remember_uses(const struct loader *l, const struct expr *e,
			  struct formula *out)
{
	int uses = 0;

	for (int i = 0; i < e->nodes; i++) {
		const struct expr_node *n = &e->node[i];
		const struct formula *f =
			n->op == EXPR_NAME ? named(l, n->name) : NULL;

		for (int k = 0; f && k < uses; k++)
			if (out->uses[k] == f)
				f = NULL;
		if (f && uses < FORMULA_USES)
			out->uses[uses++] = f;
	}
}

int load_expression(struct loader *l, const struct yaml_node *node,
		    struct formula *out)
{
	struct expr e;
	struct assay_error why = { 0 };
	size_t column = 0;
	int rc = expr_parse(&e, node->text, name_index, l, &column, &why);

	if (rc == -ASSAY_ENOENT)
		return unknown_name(l, node, column, why.text);
	if (rc < 0)
		return yaml_error_in(l->yaml, node, column, l->err, "%s",
				     why.text);
	out->text = node->text;
	out->expr.nodes = 0;
	out->expr.root = copy(l, &out->expr, &e, e.root);
	if (out->expr.root < 0)
		return yaml_error(l->yaml, node, l->err,
				  "with the formulas that it names, the "
				  "expression is too long (more than %d terms "
				  "and operators)", EXPR_NODES);
	remember_uses(l, &e, out);
	return 0;
}
