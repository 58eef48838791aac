/* SPDX-License-Identifier: MIT */
/*
 * Loading the expressions, formulas and hypotheses of a formula file, in this
 * order of the code. See loader.h.
 */
#include <string.h>

#include "analysis/formulas/loader.h"
#include "base/text.h"

enum {
	FORMULA_INDEX = 10000,	/* names of formulas, while parsing */
	PART_INDEX = 20000,	/* names of a pie's parts, while parsing */
	MOST_TERMS = 1 << 20,
	MOST_DEPTH = 32,
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

/* The most similar of the names that the expression may use, or NULL. */
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

/* The formula or part of a pie that an index names; NULL: an event. */
static const struct formula *named(const struct loader *l, int name)
{
	if (name >= PART_INDEX)
		return &l->hypothesis->part[name - PART_INDEX];
	return name >= FORMULA_INDEX ? &l->formula[name - FORMULA_INDEX] :
				       NULL;
}

static void remember_use(struct formula *out, const struct formula *f)
{
	int i = 0;

	while (i < FORMULA_USES && out->uses[i] && out->uses[i] != f)
		i++;
	if (i < FORMULA_USES)
		out->uses[i] = f;
}

/* Which events a formula names, itself or by another formula. */
struct named_events { bool event[LOADER_OPERANDS]; unsigned n; };

static void add_event(struct named_events *all, int event)
{
	all->n += !all->event[event];
	all->event[event] = true;
}

/* Puts the root of a named formula in the place of its name. */
static void link_name(const struct loader *l, struct formula *out,
		      struct expr_node *n, struct named_events *all)
{
	const struct formula *f = named(l, n->name);

	if (!f) {
		add_event(all, n->name);
		return;
	}
	for (unsigned i = 0; i < f->events; i++)
		add_event(all, f->event[i]);
	*n = l->nodes->node[f->expr.root];
	out->terms += f->terms;
	if (out->depth <= f->depth)
		out->depth = f->depth + 1;
	remember_use(out, f);
}

static int keep_events(struct loader *l, struct formula *out,
		       const struct named_events *all)
{
	short *event = pool_array(l->pool, all->n + 1, sizeof(*event));

	if (!event)
		return loader_no_memory(l);
	out->event = event;
	for (int i = 0; i < LOADER_OPERANDS; i++)
		if (all->event[i])
			event[out->events++] = (short)i;
	return 0;
}

/* The nodes from `first` on are those of a new expression. */
static int link_names(struct loader *l, const struct yaml_node *node, int first,
		      struct formula *out)
{
	struct named_events all = { .n = 0 };

	for (int i = first; i < l->nodes->nodes; i++) {
		struct expr_node *n = &l->nodes->node[i];

		out->terms++;
		if (n->op == EXPR_NAME)
			link_name(l, out, n, &all);
		if (out->terms > MOST_TERMS || out->depth > MOST_DEPTH)
			return yaml_error(l->yaml, node, l->err, "with the "
					  "formulas that it names, the "
					  "expression is too long (more than "
					  "%d terms and operators, or %d "
					  "formulas deep)", MOST_TERMS,
					  MOST_DEPTH);
	}
	return keep_events(l, out, &all);
}

/* Parses an expression; formulas that it names become its subtrees. */
static int load_expression(struct loader *l, const struct yaml_node *node,
			   struct formula *out)
{
	const int first = l->nodes->nodes;
	struct assay_error why = { 0 };
	size_t column = 0;
	int rc = expr_add(l->nodes, &out->expr.root, node->text, name_index, l,
			  &column, &why);

	if (rc == -ASSAY_ENOENT)
		return unknown_name(l, node, column, why.text);
	if (rc < 0)
		return yaml_error_in(l->yaml, node, column, l->err, "%s",
				     why.text);
	out->text = node->text;
	return link_names(l, node, first, out);
}

static const int part_quantity[PIE_PARTS] = {
	[PIE_L1] = ASSAY_Q_served_l1, [PIE_L2] = ASSAY_Q_served_l2,
	[PIE_L3] = ASSAY_Q_served_l3, [PIE_DRAM] = ASSAY_Q_served_dram,
	[PIE_TOTAL] = -1,
};

static int unknown_quantity(struct loader *l, const struct yaml_node *node)
{
	const char *words[ASSAY_QUANTITIES + 1], *near;

	for (int q = 0; q < ASSAY_QUANTITIES; q++)
		words[q] = assay_quantity_name(q);
	words[ASSAY_QUANTITIES] = NULL;
	near = text_nearest(node->text, words);
	if (near)
		return yaml_error(l->yaml, node, l->err, "unknown quantity "
				  "'%.60s'; did you mean '%s'?", node->text,
				  near);
	return yaml_error(l->yaml, node, l->err,
			  "unknown quantity '%.60s'; other names are metrics",
			  node->text);
}

static int check_name(struct loader *l, const struct yaml_node *n)
{
	if (loader_is_name(n->text) && strlen(n->text) < ASSAY_NAME)
		return 0;
	return yaml_error(l->yaml, n, l->err, "'%.60s' is not a name: "
			  "letters, digits, '_', '.' and ':' only", n->text);
}

/* "quantity: NAME" or "metric: NAME". */
static int formula_name(struct loader *l, const struct yaml_node *map,
			struct formula *out)
{
	const struct yaml_node *quantity = yaml_get(map, "quantity");
	const struct yaml_node *metric = yaml_get(map, "metric");
	const struct yaml_node *n = quantity ? quantity : metric;
	int rc;

	if (!quantity == !metric)
		return yaml_error(l->yaml, map, l->err, "a formula has either "
				  "a 'quantity' or a 'metric'");
	rc = yaml_is(l->yaml, n, YAML_SCALAR, n->key, l->err);
	if (rc)
		return rc;
	out->name = n->text;
	out->quantity = -1;
	if (quantity) {
		out->quantity = assay_quantity_find(n->text);
		if (out->quantity < 0)
			return unknown_quantity(l, n);
		out->name = assay_quantity_name(out->quantity);
	}
	rc = check_name(l, n);
	if (rc)
		return rc;
	if (loader_find_operand(l, out->name) >= 0)
		return yaml_error(l->yaml, n, l->err, "'%.60s' is an operand "
				  "already", n->text);
	if (metric && assay_quantity_find(n->text) >= 0)
		return yaml_error(l->yaml, n, l->err, "'%.60s' is a quantity, "
				  "not a metric", n->text);
	if (metric && loader_find_formulas(l, out->name, NULL))
		return yaml_error(l->yaml, n, l->err, "metric '%.60s' is given "
				  "twice", n->text);
	return 0;
}

/* "claims: QUANTITY": `assay judge` compares the metric with that quantity. */
static int claims(struct loader *l, const struct yaml_node *map,
		  struct formula *out)
{
	const struct yaml_node *n = yaml_get(map, "claims");
	int rc = n ? yaml_is(l->yaml, n, YAML_SCALAR, "claims", l->err) : 0;

	out->claims = out->quantity;
	if (rc || !n)
		return rc;
	if (out->quantity >= 0)
		return yaml_error_key(l->yaml, n, l->err,
				      "'claims' is for metrics: this formula "
				      "has a quantity");
	out->claims = assay_quantity_find(n->text);
	return out->claims < 0 ? unknown_quantity(l, n) : 0;
}

/*
 * A formula without a source or "checked" has those of the file; a formula that
 * was never checked says "no".
 */
static void use_defaults(struct formula *f, const struct formula_file *file)
{
	if (!*f->source)
		f->source = file->source;
	if (!*f->checked)
		f->checked = file->checked;
	if (!strcmp(f->checked, "no"))
		f->checked = "";
}

static int load_formula(struct loader *l, const struct yaml_node *map)
{
	struct formula *f = &l->formula[l->file->formulas];
	const struct yaml_member members[] = {
		YAML_OTHER("quantity"), YAML_OTHER("metric"), YAML_OTHER("is"),
		YAML_OTHER("claims"), YAML_TEXT("differs", &f->differs),
		YAML_TEXT("source", &f->source), YAML_TEXT("note", &f->note),
		YAML_TEXT("warning", &f->warning),
		YAML_TEXT("checked", &f->checked), { .key = NULL },
	};
	const struct yaml_node *is;
	int rc = yaml_members(l->yaml, map, members, "a formula", l->err);

	if (!rc)
		rc = formula_name(l, map, f);
	if (!rc)
		rc = claims(l, map, f);
	if (!rc)
		rc = yaml_need(&is, l->yaml, map, "is", YAML_SCALAR, l->err);
	if (!rc)
		rc = load_expression(l, is, f);
	if (rc)
		return rc;
	use_defaults(f, l->file);
	l->file->formulas++;
	return 0;
}

int load_formulas(struct loader *l)
{
	const struct yaml_node *all;
	int rc = yaml_list(&all, l->yaml, l->yaml->root, "formulas", 0,
			   LOADER_FORMULAS, l->err);

	if (rc || !all)
		return rc;
	l->formula = pool_array(l->pool, all->count + 1, sizeof(*l->formula));
	if (!l->formula)
		return loader_no_memory(l);
	l->file->formula = l->formula;
	for (const struct yaml_node *n = all->first; n && !rc; n = n->next)
		rc = load_formula(l, n);
	return rc;
}

static int load_part(struct loader *l, const struct yaml_node *map,
		     enum pie_part i)
{
	struct formula *f = &l->hypothesis->part[i];
	const struct yaml_node *is;
	int rc = yaml_need(&is, l->yaml, map, loader_part_names[i], YAML_SCALAR,
			   l->err);

	*f = (struct formula){
		.name = loader_part_names[i], .quantity = part_quantity[i],
		.claims = -1,
		.source = l->hypothesis->source, .differs = "", .note = "",
		.warning = "", .checked = "",
	};
	l->in_total = i == PIE_TOTAL;
	return rc ? rc : load_expression(l, is, f);
}

static int hypothesis_name(struct loader *l, const struct yaml_node *map,
			   const struct hypothesis *known)
{
	const struct yaml_node *n = yaml_get(map, "name");
	int rc = check_name(l, n);

	if (rc)
		return rc;
	for (; known < l->hypothesis; known++)
		if (strcmp(known->name, n->text) == 0)
			return yaml_error(l->yaml, n, l->err, "hypothesis "
					  "'%.60s' is given twice", n->text);
	return 0;
}

static int load_hypothesis(struct loader *l, const struct yaml_node *map,
			   const struct hypothesis *first)
{
	struct hypothesis *h = l->hypothesis;
	const struct yaml_member members[] = {
		YAML_WORD("name", &h->name), YAML_WORD("title", &h->title),
		YAML_TEXT("source", &h->source), YAML_TEXT("note", &h->note),
		YAML_OTHER("l1"), YAML_OTHER("l2"), YAML_OTHER("l3"),
		YAML_OTHER("dram"), YAML_OTHER("total"), { .key = NULL },
	};
	int rc = yaml_members(l->yaml, map, members, "a hypothesis", l->err);

	if (!rc)
		rc = hypothesis_name(l, map, first);
	if (!rc && !*h->source)
		h->source = l->file->source;
	for (int i = 0; i < PIE_PARTS && !rc; i++)
		rc = load_part(l, map, i);
	return rc;
}

int load_hypotheses(struct loader *l)
{
	struct hypothesis *h;
	const struct yaml_node *all;
	int rc = yaml_list(&all, l->yaml, l->yaml->root, "hypotheses", 0,
			   LOADER_HYPOTHESES, l->err);

	if (rc || !all)
		return rc;
	h = pool_array(l->pool, all->count + 1, sizeof(*h));
	if (!h)
		return loader_no_memory(l);
	l->file->hypothesis = l->hypothesis = h;
	for (const struct yaml_node *n = all->first; n && !rc; n = n->next) {
		rc = load_hypothesis(l, n, h);
		l->hypothesis++;
		l->file->hypotheses++;
	}
	return rc;
}
