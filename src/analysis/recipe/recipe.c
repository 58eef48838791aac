/* SPDX-License-Identifier: MIT */
/* Recipe files: YAML -> struct recipe. */
#include "analysis/recipe/load.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/row.h"
#include "base/text.h"
#include "cpus/data-file.h"

/* Behind recipe.owned. */
struct owned {
	struct recipe recipe;
	struct pool *pool;
	struct yaml *yaml;
};

static int no_memory(struct assay_error *err)
{
	return error_set(err, -ASSAY_ENOMEM, "no memory for a recipe");
}

/* ---- runs --------------------------------------------------------------- */

static int load_events(struct recipe_loading *l, const struct yaml_node *map,
		       struct recipe_run *run)
{
	const struct yaml_node *all;
	int rc = recipe_find_list(l, map, "events", 1, RECIPE_EVENTS, &all);

	for (const struct yaml_node *n = rc ? NULL : all->first; n && !rc;
	     n = n->next) {
		rc = recipe_check_event(l, n);
		run->event[run->events++] = n->text;
	}
	return rc;
}

static int load_run(struct recipe_loading *l, const struct yaml_node *map)
{
	static const char *const keys[] = { "name", "kernel", "options",
					    "events", "formulas", "per",
					    NULL };
	struct recipe_run *run = &l->recipe->run[l->recipe->runs];
	int rc = yaml_keys(l->yaml, map, keys, "a run", l->err);

	if (!rc)
		rc = yaml_word(&run->name, l->yaml, map, "name", l->err);
	if (!rc)
		rc = yaml_word(&run->kernel, l->yaml, map, "kernel", l->err);
	if (!rc)
		rc = yaml_text(&run->formulas, l->yaml, map, "formulas",
			       l->err);
	if (!rc)
		rc = yaml_text(&run->per, l->yaml, map, "per", l->err);
	if (!rc)
		rc = recipe_load_settings(l, map, "options", run->setting,
					  &run->settings);
	if (!rc)
		rc = load_events(l, map, run);
	for (unsigned i = 0; i < l->recipe->runs && !rc; i++)
		if (strcmp(l->recipe->run[i].name, run->name) == 0)
			rc = yaml_error(l->yaml, map, l->err, "run '%.60s' is "
					"given twice", run->name);
	l->recipe->runs += rc == 0;
	return rc;
}

/* ---- claims ------------------------------------------------------------- */

struct naming { const struct recipe_run *run; };

static int event_of(void *ctx, const char *name)
{
	const struct recipe_run *run = ((struct naming *)ctx)->run;

	for (unsigned i = 0; i < run->events; i++)
		if (text_equal(run->event[i], name))
			return (int)i;
	return -1;
}

static int find_run(struct recipe_loading *l, const struct yaml_node *map,
		    unsigned *out)
{
	const struct yaml_node *n;
	int rc = yaml_need(&n, l->yaml, map, "run", YAML_SCALAR, l->err);

	if (rc)
		return rc;
	for (*out = 0; *out < l->recipe->runs; (*out)++)
		if (strcmp(l->recipe->run[*out].name, n->text) == 0)
			return 0;
	return yaml_error(l->yaml, n, l->err, "there is no run '%.60s'",
			  n->text);
}

static int load_of(struct recipe_loading *l, const struct yaml_node *map,
		   struct recipe_claim *claim)
{
	struct naming naming = { &l->recipe->run[claim->run] };
	const struct yaml_node *n;
	struct assay_error why;
	size_t column = 0;
	int rc = yaml_need(&n, l->yaml, map, "of", YAML_SCALAR, l->err);

	if (rc)
		return rc;
	claim->text = n->text;
	rc = expr_parse(&claim->of, n->text, event_of, &naming, &column, &why);
	if (rc == -ASSAY_ENOENT)
		return yaml_error_in(l->yaml, n, column, l->err, "'%.60s' is "
				     "no event of run '%.60s'", why.text,
				     naming.run->name);
	return rc ? yaml_error_in(l->yaml, n, column, l->err, "%s", why.text)
		  : 0;
}

static int load_between(struct recipe_loading *l, const struct yaml_node *map,
			struct recipe_claim *claim)
{
	double *bound[] = { &claim->low, &claim->high };
	const struct yaml_node *all;
	int rc = recipe_find_list(l, map, "between", 2, 2, &all), i = 0;

	for (const struct yaml_node *n = rc ? NULL : all->first; n && !rc;
	     n = n->next, i++) {
		char *end;

		rc = yaml_is(l->yaml, n, YAML_SCALAR, "a bound", l->err);
		if (rc)
			break;
		*bound[i] = strtod(n->text, &end);
		if (end == n->text || *end || !isfinite(*bound[i]))
			rc = yaml_error(l->yaml, n, l->err,
					"'%.40s' is no number", n->text);
	}
	if (!rc && claim->low > claim->high)
		rc = yaml_error(l->yaml, all, l->err,
				"the bounds are in the wrong order");
	return rc;
}

static int load_claim(struct recipe_loading *l, const struct yaml_node *map)
{
	static const char *const keys[] = { "says", "run", "of", "from", "to",
					    "between", NULL };
	struct recipe_claim *claim = &l->recipe->claim[l->recipe->claims];
	int rc = yaml_keys(l->yaml, map, keys, "a claim", l->err);

	if (!rc)
		rc = yaml_word(&claim->says, l->yaml, map, "says", l->err);
	if (!rc)
		rc = find_run(l, map, &claim->run);
	if (!rc)
		rc = load_of(l, map, claim);
	if (!rc)
		rc = yaml_text(&claim->from, l->yaml, map, "from", l->err);
	if (!rc)
		rc = yaml_text(&claim->to, l->yaml, map, "to", l->err);
	if (!rc)
		rc = load_between(l, map, claim);
	l->recipe->claims += rc == 0;
	return rc;
}

/* ---- the file ----------------------------------------------------------- */

static int load_plot(struct recipe_loading *l)
{
	const struct yaml_node *all;
	int rc = recipe_find_list(l, l->yaml->root, "plot", 0, RECIPE_EVENTS, &all);

	for (const struct yaml_node *n = rc || !all ? NULL : all->first;
	     n && !rc; n = n->next) {
		struct naming naming = { &l->recipe->run[0] };

		rc = yaml_is(l->yaml, n, YAML_SCALAR, "an event", l->err);
		if (!rc && event_of(&naming, n->text) < 0)
			rc = yaml_error(l->yaml, n, l->err, "'%.60s' is no "
					"event of run '%.60s'", n->text,
					naming.run->name);
		if (!rc)
			l->recipe->plot[l->recipe->plots++] = n->text;
	}
	return rc;
}

static int load_lists(struct recipe_loading *l)
{
	const struct yaml_node *all;
	int rc = recipe_find_list(l, l->yaml->root, "runs", 1, RECIPE_RUNS, &all);

	for (const struct yaml_node *n = rc ? NULL : all->first; n && !rc;
	     n = n->next)
		rc = load_run(l, n);
	if (!rc)
		rc = recipe_find_list(l, l->yaml->root, "claims", 0, RECIPE_CLAIMS,
			       &all);
	for (const struct yaml_node *n = rc || !all ? NULL : all->first;
	     n && !rc; n = n->next)
		rc = load_claim(l, n);
	if (!rc)
		rc = recipe_load_loops(l);
	return rc ? rc : load_plot(l);
}

static int load_all(struct recipe_loading *l)
{
	static const char *const keys[] = { "schema", "name", "title",
					    "source", "note", "on",
					    "page_map", "runs", "claims",
					    "loops", "plot", NULL };
	const struct yaml_node *root = l->yaml->root;
	struct recipe *r = l->recipe;
	const char *schema;
	int rc = yaml_keys(l->yaml, root, keys, "a recipe", l->err);

	if (!rc)
		rc = yaml_word(&schema, l->yaml, root, "schema", l->err);
	if (!rc && strcmp(schema, "assay-recipe/1") != 0)
		rc = yaml_error(l->yaml, yaml_get(root, "schema"), l->err,
				"schema '%.60s' is not known; this program "
				"reads 'assay-recipe/1'", schema);
	if (!rc)
		rc = yaml_word(&r->name, l->yaml, root, "name", l->err);
	if (!rc)
		rc = yaml_word(&r->title, l->yaml, root, "title", l->err);
	if (!rc)
		rc = yaml_word(&r->source, l->yaml, root, "source", l->err);
	if (!rc)
		rc = yaml_word(&r->on, l->yaml, root, "on", l->err);
	if (!rc)
		rc = yaml_text(&r->note, l->yaml, root, "note", l->err);
	if (!rc)
		rc = yaml_text(&r->page_map, l->yaml, root, "page_map", l->err);
	return rc ? rc : load_lists(l);
}

/* Takes the yaml, also when it fails. */
static int load(struct recipe **out, struct yaml *yaml,
		struct assay_error *err)
{
	struct recipe_loading l = { .pool = pool_new(), .yaml = yaml, .err = err };
	struct owned *o = l.pool ? pool_get(l.pool, sizeof(*o)) : NULL;
	int rc;

	if (!o) {
		pool_free(l.pool);
		yaml_free(yaml);
		return no_memory(err);
	}
	o->pool = l.pool;
	o->yaml = yaml;
	o->recipe.owned = o;
	o->recipe.file = yaml->file;
	l.recipe = &o->recipe;
	rc = load_all(&l);
	if (rc < 0)
		recipe_free(&o->recipe);
	else
		*out = &o->recipe;
	return rc;
}

void recipe_free(struct recipe *recipe)
{
	struct owned *o = recipe ? recipe->owned : NULL;

	if (!o)
		return;
	yaml_free(o->yaml);
	pool_free(o->pool);
}

int recipe_load(struct recipe **out, const char *name_or_path,
		const char *data_dir, struct assay_error *err)
{
	struct yaml *yaml;
	int rc = yaml_open(&yaml, "recipes", name_or_path, data_dir, err);

	return rc < 0 ? rc : load(out, yaml, err);
}

int recipe_parse(struct recipe **out, const char *file, const char *text,
		 size_t bytes, struct assay_error *err)
{
	struct yaml *yaml;
	int rc = yaml_parse(&yaml, file, text, bytes, err);

	return rc < 0 ? rc : load(out, yaml, err);
}

int recipe_describe(const struct recipe *r, assay_row_fn *fn, void *ctx)
{
	const struct assay_field field[] = {
		field_text("recipe", r->name), field_text("title", r->title),
		field_text("on", r->on), field_detail("source", r->source),
		field_detail("note", r->note),
	};

	return row_emit(fn, ctx, "recipe", field,
			sizeof(field) / sizeof(*field));
}

int recipe_list(const char *data_dir, assay_row_fn *fn, void *ctx,
		struct assay_error *err)
{
	const char **all;
	int rc = data_file_names(&all, "recipes", data_dir, err);

	if (rc < 0)
		return rc;
	for (size_t i = 0; all[i] && rc == 0; i++) {
		struct recipe *r;

		rc = recipe_load(&r, all[i], data_dir, err);
		if (rc < 0)
			break;
		rc = recipe_describe(r, fn, ctx);
		recipe_free(r);
	}
	free(all);
	return rc;
}
