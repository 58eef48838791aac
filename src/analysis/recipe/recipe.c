/* SPDX-License-Identifier: MIT */
/*
 * Recipe files: YAML -> struct recipe, recipes as rows, and the numbers and
 * expressions in them. See docs/recipe-file.md. The load_* functions return 0
 * or an error with its place, as yaml.h's do; in them, the member that is being
 * loaded is the one behind those counted (l->recipe->run[l->recipe->runs]).
 */
#include "analysis/recipe/recipe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/row.h"
#include "base/text.h"
#include "cpus/data-file.h"
#include "cpus/pool.h"
#include "cpus/yaml.h"

/* Behind recipe.owned. */
struct owned {
	struct recipe recipe;
	struct pool *pool;
	struct yaml *yaml;
};

struct loader {
	struct recipe *recipe;
	struct pool *pool;
	struct yaml *yaml;
	struct assay_error *err;
};

/* Loads one element of a list. */
typedef int load_fn(struct loader *l, const struct yaml_node *node);

/* ---- numbers ------------------------------------------------------------ */

/* The names of an expression, by index, with the values that they have. */
struct lookup {
	struct assay_value (*value)(void *ctx, const char *name);
	void *ctx;
	struct assay_value known[EXPR_NODES];
	int names;
};

static int number_name(void *ctx, const char *name)
{
	struct lookup *l = ctx;

	if (l->names == EXPR_NODES)
		return -1;
	l->known[l->names] = l->value(l->ctx, name);
	return l->known[l->names].why ? -1 : l->names++;
}

static struct assay_value number_value(const void *ctx, int name)
{
	return ((const struct lookup *)ctx)->known[name];
}

int recipe_number(double *out, const char *text,
		  struct assay_value (*value)(void *ctx, const char *name),
		  void *ctx, struct assay_error *err)
{
	struct lookup l = { .value = value, .ctx = ctx };
	struct assay_error why;
	struct assay_value v;
	struct expr e;
	uint64_t size;
	int rc;

	if (text_count(&size, text, NULL) == 0) {
		*out = (double)size;
		return 0;
	}
	rc = expr_parse(&e, text, number_name, &l, NULL, &why);
	if (rc < 0)
		return error_set(err, -ASSAY_EPARSE, rc == -ASSAY_ENOENT ?
				 "'%.80s' is not known here" : "%.200s",
				 why.text);
	v = expr_value(&e, number_value, &l);
	if (v.why)
		return error_set(err, -ASSAY_EPARSE, "'%.80s': %s", text,
				 v.why);
	*out = v.number;
	return 0;
}

/* ---- lists, options, events --------------------------------------------- */

static int load_each(struct loader *l, const struct yaml_node *map,
		     const char *key, size_t least, size_t most, load_fn *load)
{
	const struct yaml_node *all;
	int rc = yaml_list(&all, l->yaml, map, key, least, most, l->err);

	for (const struct yaml_node *n = rc || !all ? NULL : all->first;
	     n && !rc; n = n->next)
		rc = load(l, n);
	return rc;
}

/* The options in the mapping `key`, which may be missing. */
static int load_settings(struct loader *l, const struct yaml_node *map,
			 const char *key, struct recipe_setting *out,
			 unsigned *settings)
{
	const struct yaml_node *all = yaml_get(map, key);
	int rc = all ? yaml_is(l->yaml, all, YAML_MAPPING, key, l->err) : 0;

	if (!rc && all && all->count > RECIPE_SETTINGS)
		rc = yaml_error_key(l->yaml, all, l->err, "more than %d "
				    "options", RECIPE_SETTINGS);
	for (const struct yaml_node *n = rc || !all ? NULL : all->first;
	     n && !rc; n = n->next) {
		rc = yaml_is(l->yaml, n, YAML_SCALAR, n->key, l->err);
		out[(*settings)++] = (struct recipe_setting){ n->key, n->text };
	}
	return rc;
}

static int check_event(struct loader *l, const struct yaml_node *n)
{
	int rc = yaml_is(l->yaml, n, YAML_SCALAR, "an event", l->err);

	if (!rc && (!*n->text || strlen(n->text) >= ASSAY_NAME ||
		    strpbrk(n->text, ", \t\n")))
		rc = yaml_error(l->yaml, n, l->err, "an event's name has 1 to "
				"%d bytes, no spaces and no commas",
				ASSAY_NAME - 1);
	return rc;
}

/* ---- loops: what published code counts, by its own listing -------------- */

/* An expr_name_fn that accepts every name: names of options are checked when a
 * record with a shape is there. */
static int any_name(void *ctx, const char *name)
{
	(void)ctx;
	(void)name;
	return 0;
}

/* Checks the syntax of the expression `key`, if there is one. */
static int load_sum(struct loader *l, const struct yaml_node *map,
		    const char *key)
{
	const struct yaml_node *n = yaml_get(map, key);
	struct assay_error why;
	size_t column = 0;
	struct expr sum;
	int rc;

	if (!n)
		return 0;
	rc = expr_parse(&sum, n->text, any_name, NULL, &column, &why);
	return rc ? yaml_error_in(l->yaml, n, column, l->err, "%s", why.text)
		  : 0;
}

static int load_quantity(struct loader *l, const struct yaml_node *map,
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

/* 'low' and 'high', which come together with 'bounds', the reason. */
static int load_bounds(struct loader *l, const struct yaml_node *map,
		       struct recipe_count *count)
{
	int rc = load_sum(l, map, "low");

	if (!rc)
		rc = load_sum(l, map, "high");
	if (!rc && (*count->low || *count->high) != (*count->bounds != 0))
		rc = yaml_error(l->yaml, map, l->err, "'low' and 'high' need "
				"'bounds', which says why, and it needs one "
				"of them");
	return rc;
}

static int load_count(struct loader *l, const struct yaml_node *map)
{
	struct recipe_loop *loop = &l->recipe->loop[l->recipe->loops];
	struct recipe_count *count = &loop->count[loop->counts];
	const struct yaml_member members[] = {
		YAML_WORD("event", &count->event), YAML_OTHER("quantity"),
		YAML_WORD("is", &count->is),
		YAML_WORD("because", &count->because),
		YAML_TEXT("low", &count->low), YAML_TEXT("high", &count->high),
		YAML_TEXT("bounds", &count->bounds), { .key = NULL },
	};
	int rc = yaml_members(l->yaml, map, members, "a count", l->err);

	if (!rc)
		rc = check_event(l, yaml_get(map, "event"));
	if (!rc)
		rc = load_quantity(l, map, count);
	if (!rc)
		rc = load_sum(l, map, "is");
	if (!rc)
		rc = load_bounds(l, map, count);
	loop->counts += rc == 0;
	return rc;
}

static int load_loop(struct loader *l, const struct yaml_node *map)
{
	struct recipe_loop *loop = &l->recipe->loop[l->recipe->loops];
	const struct yaml_member members[] = {
		YAML_WORD("kernel", &loop->kernel),
		YAML_WORD("cpu", &loop->cpu), YAML_WORD("isa", &loop->isa),
		YAML_OTHER("where"), YAML_OTHER("counts"), { .key = NULL },
	};
	int rc = yaml_members(l->yaml, map, members, "a loop", l->err);

	if (!rc)
		rc = load_settings(l, map, "where", loop->where,
					  &loop->wheres);
	if (!rc)
		rc = load_each(l, map, "counts", 1, RECIPE_COUNTS, load_count);
	l->recipe->loops += rc == 0;
	return rc;
}

/* ---- runs --------------------------------------------------------------- */

static int load_event(struct loader *l, const struct yaml_node *n)
{
	struct recipe_run *run = &l->recipe->run[l->recipe->runs];

	run->event[run->events++] = n->text;
	return check_event(l, n);
}

static int load_run(struct loader *l, const struct yaml_node *map)
{
	struct recipe_run *run = &l->recipe->run[l->recipe->runs];
	const struct yaml_member members[] = {
		YAML_WORD("name", &run->name),
		YAML_WORD("kernel", &run->kernel), YAML_OTHER("options"),
		YAML_OTHER("events"), YAML_TEXT("formulas", &run->formulas),
		YAML_TEXT("per", &run->per), { .key = NULL },
	};
	int rc = yaml_members(l->yaml, map, members, "a run", l->err);

	if (!rc)
		rc = load_settings(l, map, "options", run->setting,
					  &run->settings);
	if (!rc)
		rc = load_each(l, map, "events", 1, RECIPE_EVENTS, load_event);
	for (unsigned i = 0; i < l->recipe->runs && !rc; i++)
		if (strcmp(l->recipe->run[i].name, run->name) == 0)
			rc = yaml_error(l->yaml, map, l->err, "run '%.60s' is "
					"given twice", run->name);
	l->recipe->runs += rc == 0;
	return rc;
}

/* ---- claims ------------------------------------------------------------- */

/* An expr_name_fn: the index of an event of the run. */
static int event_of(void *ctx, const char *name)
{
	const struct recipe_run *run = ctx;

	for (unsigned i = 0; i < run->events; i++)
		if (text_equal(run->event[i], name))
			return (int)i;
	return -1;
}

static int find_run(struct loader *l, const struct yaml_node *map,
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

static int load_of(struct loader *l, const struct yaml_node *map,
		   struct recipe_claim *claim)
{
	struct recipe_run *run = &l->recipe->run[claim->run];
	const struct yaml_node *n;
	struct assay_error why;
	size_t column = 0;
	int rc = yaml_need(&n, l->yaml, map, "of", YAML_SCALAR, l->err);

	if (rc)
		return rc;
	claim->text = n->text;
	rc = expr_parse(&claim->of, n->text, event_of, run, &column, &why);
	if (rc == -ASSAY_ENOENT)
		return yaml_error_in(l->yaml, n, column, l->err, "'%.60s' is "
				     "no event of run '%.60s'", why.text,
				     run->name);
	return rc ? yaml_error_in(l->yaml, n, column, l->err, "%s", why.text)
		  : 0;
}

static int load_between(struct loader *l, const struct yaml_node *map,
			struct recipe_claim *claim)
{
	double *bound[] = { &claim->low, &claim->high };
	const struct yaml_node *all;
	int rc = yaml_list(&all, l->yaml, map, "between", 2, 2, l->err), i = 0;

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

static int load_claim(struct loader *l, const struct yaml_node *map)
{
	struct recipe_claim *claim = &l->recipe->claim[l->recipe->claims];
	const struct yaml_member members[] = {
		YAML_WORD("says", &claim->says), YAML_OTHER("run"),
		YAML_OTHER("of"), YAML_TEXT("from", &claim->from),
		YAML_TEXT("to", &claim->to), YAML_OTHER("between"),
		{ .key = NULL },
	};
	int rc = yaml_members(l->yaml, map, members, "a claim", l->err);

	if (!rc)
		rc = find_run(l, map, &claim->run);
	if (!rc)
		rc = load_of(l, map, claim);
	if (!rc)
		rc = load_between(l, map, claim);
	l->recipe->claims += rc == 0;
	return rc;
}

/* ---- the file ----------------------------------------------------------- */

static int load_plotted(struct loader *l, const struct yaml_node *n)
{
	struct recipe_run *run = &l->recipe->run[0];
	int rc = yaml_is(l->yaml, n, YAML_SCALAR, "an event", l->err);

	if (!rc && event_of(run, n->text) < 0)
		rc = yaml_error(l->yaml, n, l->err, "'%.60s' is no event of "
				"run '%.60s'", n->text, run->name);
	if (!rc)
		l->recipe->plot[l->recipe->plots++] = n->text;
	return rc;
}

static int load_lists(struct loader *l)
{
	const struct yaml_node *root = l->yaml->root;
	int rc = load_each(l, root, "runs", 1, RECIPE_RUNS, load_run);

	if (!rc)
		rc = load_each(l, root, "claims", 0, RECIPE_CLAIMS, load_claim);
	if (!rc)
		rc = load_each(l, root, "loops", 0, RECIPE_LOOPS, load_loop);
	if (!rc)
		rc = load_each(l, root, "plot", 0, RECIPE_EVENTS, load_plotted);
	return rc;
}

static int load_all(struct loader *l)
{
	struct recipe *r = l->recipe;
	const struct yaml_member members[] = {
		YAML_SCHEMA("assay-recipe/1"), YAML_WORD("name", &r->name),
		YAML_WORD("title", &r->title), YAML_WORD("source", &r->source),
		YAML_TEXT("note", &r->note), YAML_WORD("on", &r->on),
		YAML_TEXT("page_map", &r->page_map), YAML_OTHER("runs"),
		YAML_OTHER("claims"), YAML_OTHER("loops"), YAML_OTHER("plot"),
		{ .key = NULL },
	};
	int rc = yaml_members(l->yaml, l->yaml->root, members, "a recipe",
			      l->err);

	return rc ? rc : load_lists(l);
}

/* Frees the yaml if loading fails; else *out owns the yaml. */
static int load(struct recipe **out, struct yaml *yaml,
		struct assay_error *err)
{
	struct loader l = {
		.pool = pool_new(), .yaml = yaml, .err = err,
	};
	struct owned *o = l.pool ? pool_get(l.pool, sizeof(*o)) : NULL;
	int rc;

	if (!o) {
		pool_free(l.pool);
		yaml_free(yaml);
		return error_memory(err);
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

	return ROW_EMIT(fn, ctx, "recipe", field);
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
