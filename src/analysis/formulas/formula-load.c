/* SPDX-License-Identifier: MIT */
/* Formula files: YAML -> struct formula_file. See loader.h. */
#include <string.h>

#include "analysis/formulas/loader.h"

static int load_cpus(struct loader *l)
{
	const struct yaml_node *all;
	const char **pattern;
	size_t i = 0;
	int rc = loader_list(l, "cpus", LOADER_CPUS, &all);

	if (rc)
		return rc;
	if (!all || !all->count)
		return yaml_error(l->yaml, all ? all : l->yaml->root, l->err,
				  "'cpus' must name the CPUs that this is "
				  "for");
	pattern = pool_array(l->pool, all->count + 1, sizeof(*pattern));
	if (!pattern)
		return loader_no_memory(l);
	for (const struct yaml_node *n = all->first; n && !rc; n = n->next) {
		rc = yaml_is(l->yaml, n, YAML_SCALAR, "a CPU", l->err);
		pattern[i++] = n->text;
	}
	l->file->cpu = pattern;
	return rc;
}

static int load_head(struct loader *l)
{
	static const char *const keys[] = { "schema", "name", "title",
					    "source", "checked", "note", "cpus",
					    "events", "variants", "loads_only",
					    "formulas", "hypotheses", NULL };
	struct formula_file *f = l->file;
	const struct yaml_node *root = l->yaml->root;
	const char *schema;
	int rc = yaml_keys(l->yaml, root, keys, "a formula file", l->err);

	if (!rc)
		rc = loader_word(l, root, "schema", &schema);
	if (!rc && strcmp(schema, "assay-formulas/1") != 0)
		rc = yaml_error(l->yaml, yaml_get(root, "schema"), l->err,
				"schema '%.60s' is not known; this program "
				"reads 'assay-formulas/1'", schema);
	if (!rc)
		rc = loader_word(l, root, "name", &f->name);
	if (!rc)
		rc = loader_word(l, root, "title", &f->title);
	if (!rc)
		rc = loader_word(l, root, "source", &f->source);
	if (!rc)
		rc = yaml_text(&f->checked, l->yaml, root, "checked", l->err);
	if (!rc)
		rc = yaml_text(&f->note, l->yaml, root, "note", l->err);
	return rc ? rc : load_cpus(l);
}

/* Variants that speak of loads alone. */
static int load_loads_only(struct loader *l)
{
	const struct yaml_node *all;
	int rc = loader_list(l, "loads_only", LOADER_VARIANTS, &all);

	for (const struct yaml_node *n = rc || !all ? NULL : all->first;
	     n && !rc; n = n->next) {
		const char *const *v = l->file->variant;

		rc = yaml_is(l->yaml, n, YAML_SCALAR, "a variant", l->err);
		while (!rc && *v && strcmp(*v, n->text) != 0)
			v++;
		if (!rc && !*v)
			rc = yaml_error(l->yaml, n, l->err,
					"there is no variant '%.60s'", n->text);
		if (!rc && strcmp(l->file->chosen, n->text) == 0)
			l->file->loads_only = true;
	}
	return rc;
}

static int all_used(struct loader *l)
{
	for (unsigned i = 0; i < l->operands; i++)
		if (!l->operand[i].used)
			return yaml_error_key(l->yaml, l->operand[i].node,
					      l->err, "no formula uses '%.60s'",
					      l->operand[i].name);
	return 0;
}

static int load_all(struct loader *l, const char *variant)
{
	static const char *const none[] = { NULL };
	int rc;

	l->event = pool_array(l->pool, LOADER_OPERANDS, sizeof(*l->event));
	if (!l->event)
		return loader_no_memory(l);
	l->file->file = l->yaml->file;
	l->file->variant = none;
	l->file->chosen = "";
	l->file->event = l->event;
	rc = load_head(l);
	if (!rc)
		rc = load_operands(l, variant);
	if (!rc)
		rc = load_loads_only(l);
	if (!rc)
		rc = load_formulas(l);
	if (!rc)
		rc = load_hypotheses(l);
	if (!rc && !l->file->formulas && !l->file->hypotheses)
		rc = yaml_error(l->yaml, l->yaml->root, l->err,
				"there is no formula and no hypothesis");
	return rc ? rc : all_used(l);
}

/* Takes the yaml, also when it fails. */
static int load(struct formula_file **out, struct yaml *yaml,
		const char *variant, struct assay_error *err)
{
	struct loader l = { .yaml = yaml, .pool = pool_new(), .err = err };
	struct formula_owned *owned;
	int rc;

	owned = l.pool ? pool_get(l.pool, sizeof(*owned)) : NULL;
	if (!owned) {
		rc = loader_no_memory(&l);
		pool_free(l.pool);
		yaml_free(yaml);
		return rc;
	}
	owned->yaml = yaml;
	owned->pool = l.pool;
	owned->file.owned = owned;
	l.file = &owned->file;
	rc = load_all(&l, variant);
	if (rc < 0)
		formula_free(&owned->file);
	else
		*out = &owned->file;
	return rc;
}

int formula_load(struct formula_file **out, const char *name_or_path,
		 const char *variant, const char *data_dir,
		 struct assay_error *err)
{
	struct yaml *yaml;
	int rc = yaml_open(&yaml, "formulas", name_or_path, data_dir, err);

	return rc < 0 ? rc : load(out, yaml, variant, err);
}

int formula_parse(struct formula_file **out, const char *file,
		  const char *text, size_t bytes, const char *variant,
		  struct assay_error *err)
{
	struct yaml *yaml;
	int rc = yaml_parse(&yaml, file, text, bytes, err);

	return rc < 0 ? rc : load(out, yaml, variant, err);
}
