/* SPDX-License-Identifier: MIT */
/* What published code counts, by its own listing: "loops" of a recipe. */
#include "analysis/recipe/load.h"

#include "base/text.h"

/* Which names there are is known where there is a shape. */
static int any_name(void *ctx, const char *name)
{
	(void)ctx;
	(void)name;
	return 0;
}

/* An expression that can be read; out: "" if it is missing and may be. */
static int load_sum(struct recipe_loading *l, const struct yaml_node *map,
		    const char *key, bool must, const char **out)
{
	const struct yaml_node *n = yaml_get(map, key);
	struct assay_error why;
	size_t column = 0;
	struct expr sum;
	int rc = must ? yaml_word(out, l->yaml, map, key, l->err) :
			yaml_text(out, l->yaml, map, key, l->err);

	if (rc || !n)
		return rc;
	rc = expr_parse(&sum, n->text, any_name, NULL, &column, &why);
	return rc ? yaml_error_in(l->yaml, n, column, l->err, "%s", why.text)
		  : 0;
}

static int load_quantity(struct recipe_loading *l, const struct yaml_node *map,
			 struct recipe_count *count)
{
	const struct yaml_node *n;
	int rc = yaml_need(&n, l->yaml, map, "quantity", YAML_SCALAR, l->err);
	int quantity = rc ? -1 : assay_quantity_find(n->text);

	if (!rc && quantity < 0)
		rc = yaml_error(l->yaml, n, l->err, "unknown quantity '%.60s'",
				n->text);
	count->quantity = (enum assay_quantity)(rc ? 0 : quantity);
	return rc;
}

/* A band has a reason, and a reason has a band. */
static int load_bounds(struct recipe_loading *l, const struct yaml_node *map,
		       struct recipe_count *count)
{
	int rc = load_sum(l, map, "low", false, &count->low);

	if (!rc)
		rc = load_sum(l, map, "high", false, &count->high);
	if (!rc)
		rc = yaml_text(&count->bounds, l->yaml, map, "bounds", l->err);
	if (!rc && (*count->low || *count->high) != (*count->bounds != 0))
		rc = yaml_error(l->yaml, map, l->err, "'low' and 'high' need "
				"'bounds', which says why, and it needs one "
				"of them");
	return rc;
}

static int load_count(struct recipe_loading *l, const struct yaml_node *map,
		      struct recipe_loop *loop)
{
	static const char *const keys[] = { "event", "quantity", "is",
					    "because", "low", "high", "bounds",
					    NULL };
	struct recipe_count *count = &loop->count[loop->counts];
	const struct yaml_node *event;
	int rc = yaml_keys(l->yaml, map, keys, "a count", l->err);

	if (!rc)
		rc = yaml_need(&event, l->yaml, map, "event", YAML_SCALAR,
			       l->err);
	if (!rc)
		rc = recipe_check_event(l, event);
	if (rc)
		return rc;
	count->event = event->text;
	rc = load_quantity(l, map, count);
	if (!rc)
		rc = load_sum(l, map, "is", true, &count->is);
	if (!rc)
		rc = yaml_word(&count->because, l->yaml, map, "because",
			       l->err);
	if (!rc)
		rc = load_bounds(l, map, count);
	loop->counts += rc == 0;
	return rc;
}

static int load_loop(struct recipe_loading *l, const struct yaml_node *map)
{
	static const char *const keys[] = { "kernel", "cpu", "isa", "where",
					    "counts", NULL };
	struct recipe_loop *loop = &l->recipe->loop[l->recipe->loops];
	const struct yaml_node *all = NULL;
	int rc = yaml_keys(l->yaml, map, keys, "a loop", l->err);

	if (!rc)
		rc = yaml_word(&loop->kernel, l->yaml, map, "kernel", l->err);
	if (!rc)
		rc = yaml_word(&loop->cpu, l->yaml, map, "cpu", l->err);
	if (!rc)
		rc = yaml_word(&loop->isa, l->yaml, map, "isa", l->err);
	if (!rc)
		rc = recipe_load_settings(l, map, "where", loop->where,
					  &loop->wheres);
	if (!rc)
		rc = recipe_find_list(l, map, "counts", 1, RECIPE_COUNTS,
				      &all);
	for (const struct yaml_node *n = rc ? NULL : all->first; n && !rc;
	     n = n->next)
		rc = load_count(l, n, loop);
	l->recipe->loops += rc == 0;
	return rc;
}

int recipe_load_loops(struct recipe_loading *l)
{
	const struct yaml_node *all;
	int rc = recipe_find_list(l, l->yaml->root, "loops", 0, RECIPE_LOOPS,
				  &all);

	for (const struct yaml_node *n = rc || !all ? NULL : all->first;
	     n && !rc; n = n->next)
		rc = load_loop(l, n);
	return rc;
}
