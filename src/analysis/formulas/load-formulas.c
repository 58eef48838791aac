/* SPDX-License-Identifier: MIT */
/* The formulas and the hypotheses of a formula file. */
#include <string.h>

#include "analysis/formulas/loader.h"
#include "base/text.h"

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
	if (!loader_is_name(n->text) || strlen(n->text) >= ASSAY_NAME)
		return yaml_error(l->yaml, n, l->err, "'%.60s' is not a name: "
				  "letters, digits, '_', '.' and ':' only",
				  n->text);
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

/* The quantity that a metric is judged as, though nothing is made of it. */
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

/* The member `key`, or the whole file's if it has none. */
static int source(struct loader *l, const struct yaml_node *map,
		  const char **out)
{
	int rc = yaml_text(out, l->yaml, map, "source", l->err);

	if (!rc && !**out)
		*out = l->file->source;
	return rc;
}

/* Of what its own member says, or the file's. "no" is never. */
static int checked(struct loader *l, const struct yaml_node *map,
		   const char **out)
{
	int rc = yaml_text(out, l->yaml, map, "checked", l->err);

	if (!rc && !**out)
		*out = l->file->checked;
	if (!rc && !strcmp(*out, "no"))
		*out = "";
	return rc;
}

static int load_formula(struct loader *l, const struct yaml_node *map)
{
	static const char *const keys[] = { "quantity", "metric", "is",
					    "claims", "differs", "source",
					    "note", "warning", "checked",
					    NULL };
	struct formula *f = &l->formula[l->file->formulas];
	const struct yaml_node *is;
	int rc = yaml_keys(l->yaml, map, keys, "a formula", l->err);

	if (!rc)
		rc = formula_name(l, map, f);
	if (!rc)
		rc = claims(l, map, f);
	if (!rc)
		rc = yaml_need(&is, l->yaml, map, "is", YAML_SCALAR, l->err);
	if (!rc)
		rc = load_expression(l, is, f);
	if (!rc)
		rc = yaml_text(&f->differs, l->yaml, map, "differs", l->err);
	if (!rc)
		rc = yaml_text(&f->note, l->yaml, map, "note", l->err);
	if (!rc)
		rc = yaml_text(&f->warning, l->yaml, map, "warning", l->err);
	if (!rc)
		rc = checked(l, map, &f->checked);
	if (!rc)
		rc = source(l, map, &f->source);
	if (!rc)
		l->file->formulas++;
	return rc;
}

int load_formulas(struct loader *l)
{
	const struct yaml_node *all;
	int rc = loader_list(l, "formulas", LOADER_FORMULAS, &all);

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
	const struct yaml_node *n;
	int rc = loader_word(l, map, "name", &l->hypothesis->name);

	if (rc)
		return rc;
	n = yaml_get(map, "name");
	if (!loader_is_name(n->text) || strlen(n->text) >= ASSAY_NAME)
		return yaml_error(l->yaml, n, l->err, "'%.60s' is not a name: "
				  "letters, digits, '_', '.' and ':' only",
				  n->text);
	for (; known < l->hypothesis; known++)
		if (strcmp(known->name, n->text) == 0)
			return yaml_error(l->yaml, n, l->err, "hypothesis "
					  "'%.60s' is given twice", n->text);
	return 0;
}

static int load_hypothesis(struct loader *l, const struct yaml_node *map,
			   const struct hypothesis *first)
{
	static const char *const keys[] = { "name", "title", "source", "note",
					    "l1", "l2", "l3", "dram", "total",
					    NULL };
	struct hypothesis *h = l->hypothesis;
	int rc = yaml_keys(l->yaml, map, keys, "a hypothesis", l->err);

	if (!rc)
		rc = hypothesis_name(l, map, first);
	if (!rc)
		rc = loader_word(l, map, "title", &h->title);
	if (!rc)
		rc = yaml_text(&h->note, l->yaml, map, "note", l->err);
	if (!rc)
		rc = source(l, map, &h->source);
	for (int i = 0; i < PIE_PARTS && !rc; i++)
		rc = load_part(l, map, i);
	return rc;
}

int load_hypotheses(struct loader *l)
{
	struct hypothesis *h;
	const struct yaml_node *all;
	int rc = loader_list(l, "hypotheses", LOADER_HYPOTHESES, &all);

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
