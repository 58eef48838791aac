/* SPDX-License-Identifier: MIT */
/*
 * Formula files: YAML -> struct formula_file (see loader.h for the rules), and
 * struct formula_file -> rows for listings.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/formulas/loader.h"
#include "base/row.h"
#include "base/text.h"
#include "cpus/data-file.h"

static int load_cpus(struct loader *l)
{
	const struct yaml_node *all;
	const char **pattern;
	size_t i = 0;
	int rc = yaml_list(&all, l->yaml, l->yaml->root, "cpus", 0,
			   LOADER_CPUS, l->err);

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
	struct formula_file *f = l->file;
	const struct yaml_member members[] = {
		YAML_SCHEMA("assay-formulas/1"), YAML_WORD("name", &f->name),
		YAML_WORD("title", &f->title), YAML_WORD("source", &f->source),
		YAML_TEXT("checked", &f->checked), YAML_TEXT("note", &f->note),
		YAML_OTHER("cpus"), YAML_OTHER("events"),
		YAML_OTHER("variants"), YAML_OTHER("loads_only"),
		YAML_OTHER("formulas"), YAML_OTHER("hypotheses"),
		{ .key = NULL },
	};
	int rc = yaml_members(l->yaml, l->yaml->root, members,
			      "a formula file", l->err);

	return rc ? rc : load_cpus(l);
}

/* "loads_only": the variants whose formulas count loads and no stores. */
static int load_loads_only(struct loader *l)
{
	const struct yaml_node *all;
	int rc = yaml_list(&all, l->yaml, l->yaml->root, "loads_only", 0,
			   LOADER_VARIANTS, l->err);

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

/* The nodes do not move any more. */
static void place_nodes(struct loader *l)
{
	struct hypothesis *const end = l->hypothesis;

	for (size_t i = 0; i < l->file->formulas; i++)
		l->formula[i].expr.node = l->nodes->node;
	for (struct hypothesis *h = end - l->file->hypotheses; h < end; h++)
		for (int i = 0; i < PIE_PARTS; i++)
			h->part[i].expr.node = l->nodes->node;
}

static int no_formula(struct loader *l)
{
	const char *names[LOADER_FORMULAS + 1], *near;
	size_t n = 0;

	for (; n < l->file->formulas; n++)
		names[n] = l->formula[n].name;
	names[n] = NULL;
	near = text_nearest(l->only, names);
	error_set(l->err, -ASSAY_ENOENT, "'%.60s' has no variant and no formula "
		  "'%.60s'", l->file->name, l->only);
	if (near)
		error_add(l->err, "did you mean '%s'?", near);
	return -ASSAY_ENOENT;
}

/* Leaves the events of one formula in the file, with new indices. */
static int choose_events(struct loader *l, struct formula *f)
{
	const char **event = pool_array(l->pool, f->events + 1, sizeof(*event));
	short *index = pool_array(l->pool, f->events + 1, sizeof(*index));
	int at[LOADER_OPERANDS] = { 0 };

	if (!event || !index)
		return loader_no_memory(l);
	for (unsigned i = 0; i < f->events; i++) {
		event[i] = l->event[f->event[i]];
		at[f->event[i]] = index[i] = (short)i;
	}
	for (int i = 0; i < l->nodes->nodes; i++)
		if (l->nodes->node[i].op == EXPR_NAME)
			l->nodes->node[i].name = at[l->nodes->node[i].name];
	f->event = index;
	l->file->event = event;
	l->file->events = f->events;
	return 0;
}

static int choose_formula(struct loader *l)
{
	int first = -1;

	loader_find_formulas(l, l->only, &first);
	if (first < 0)
		return no_formula(l);
	l->file->formula = &l->formula[first];
	l->file->formulas = 1;
	l->file->hypotheses = 0;
	l->file->chosen = l->only;
	return choose_events(l, &l->formula[first]);
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
	if (!rc)
		rc = all_used(l);
	if (rc)
		return rc;
	place_nodes(l);
	return l->only ? choose_formula(l) : 0;
}

/* Frees the yaml if loading fails; else *out owns the yaml. */
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
	l.nodes = &owned->nodes;
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

enum { JOINED = 256 };

static int list_one(const struct formula_file *f, assay_row_fn *fn, void *ctx)
{
	char cpus[JOINED], variants[JOINED];

	text_join(cpus, sizeof(cpus), f->cpu, ", ");
	text_join(variants, sizeof(variants), f->variant, ", ");
	const struct assay_field field[] = {
		field_text("name", f->name), field_text("title", f->title),
		field_text("cpus", cpus), field_text("variants", variants),
		field_count("formulas", f->formulas),
		field_count("hypotheses", f->hypotheses),
		field_count("events", f->events),
		field_detail("source", f->source),
		field_detail("file", f->file),
	};

	return ROW_EMIT(fn, ctx, "formulas", field);
}

int formula_list(const char *data_dir, assay_row_fn *fn, void *ctx,
		 struct assay_error *err)
{
	struct formula_file *file;
	const char **names;
	int rc = data_file_names(&names, "formulas", data_dir, err);

	if (rc < 0)
		return rc;
	for (int i = 0; names[i] && rc == 0; i++) {
		rc = formula_load(&file, names[i], NULL, data_dir, err);
		if (rc < 0)
			break;
		rc = list_one(file, fn, ctx);
		formula_free(file);
	}
	free(names);
	return rc;
}

static int describe_formula(const struct formula_file *file,
			    const struct formula *f, assay_row_fn *fn,
			    void *ctx)
{
	const bool metric = f->quantity < 0;
	const struct assay_field field[] = {
		field_text("kind", metric ? "metric" : "quantity"),
		field_text("name", f->name), field_text("is", f->text),
		field_text("differs", f->differs),
		field_detail("unit", metric ? "" :
			     assay_quantity_unit(f->quantity)),
		field_text("checked", *f->checked ? f->checked : "never"),
		field_detail("warning", f->warning),
		field_detail("note", f->note),
		field_detail("source", f->source),
		field_detail("file", file->name),
	};

	return ROW_EMIT(fn, ctx, "formula", field);
}

static int describe_part(const struct hypothesis *h, int part,
			 assay_row_fn *fn, void *ctx)
{
	const struct assay_field field[] = {
		field_text("hypothesis", h->name),
		field_text("part", h->part[part].name),
		field_text("is", h->part[part].text),
		field_detail("title", h->title), field_detail("note", h->note),
		field_detail("source", h->source),
	};

	return ROW_EMIT(fn, ctx, "hypothesis", field);
}

static int describe_event(const char *event, const struct formula_file *file,
			  assay_row_fn *fn, void *ctx)
{
	const struct assay_field field[] = {
		field_text("event", event), field_text("variant", file->chosen),
		field_detail("file", file->name),
	};

	return ROW_EMIT(fn, ctx, "operand", field);
}

int formula_describe(const struct formula_file *file, assay_row_fn *fn,
		     void *ctx)
{
	int rc = list_one(file, fn, ctx);

	for (size_t i = 0; i < file->events && rc == 0; i++)
		rc = describe_event(file->event[i], file, fn, ctx);
	for (size_t i = 0; i < file->formulas && rc == 0; i++)
		rc = describe_formula(file, &file->formula[i], fn, ctx);
	for (size_t i = 0; i < file->hypotheses && rc == 0; i++)
		for (int part = 0; part < PIE_PARTS && rc == 0; part++)
			rc = describe_part(&file->hypothesis[i], part, fn,
					   ctx);
	return rc;
}
