/* SPDX-License-Identifier: MIT */
/*
 * The operands of a formula file (the names that expressions may use, and
 * their events), and what the other parts of the loader share. See loader.h.
 */
#include "analysis/formulas/loader.h"

#include <ctype.h>
#include <string.h>

#include "base/text.h"

const char *const loader_part_names[PIE_PARTS] = {
	[PIE_L1] = "l1", [PIE_L2] = "l2", [PIE_L3] = "l3",
	[PIE_DRAM] = "dram", [PIE_TOTAL] = "total",
};

int loader_no_memory(struct loader *l)
{
	return error_set(l->err, -ASSAY_ENOMEM, "no memory for '%.200s'",
			 l->yaml->file);
}

bool loader_is_name(const char *s)
{
	if (!isalpha((unsigned char)*s) && *s != '_')
		return false;
	while (isalnum((unsigned char)*s) || (*s && strchr("_.:", *s)))
		s++;
	return !*s;
}

int loader_find_operand(const struct loader *l, const char *name)
{
	for (unsigned i = 0; i < l->operands; i++)
		if (strcmp(l->operand[i].name, name) == 0)
			return (int)i;
	return -1;
}

unsigned loader_find_formulas(const struct loader *l, const char *name,
			      int *first)
{
	unsigned found = 0;

	for (size_t i = 0; i < l->file->formulas; i++)
		if (strcmp(l->formula[i].name, name) == 0 && !found++ && first)
			*first = (int)i;
	return found;
}

static int event_index(struct loader *l, const char *name)
{
	for (size_t i = 0; i < l->file->events; i++)
		if (text_equal(l->event[i], name))
			return (int)i;
	l->event[l->file->events] = name;
	return (int)l->file->events++;
}

/* An event's name must fit into a provider's comma-separated list. */
static int check_event(struct loader *l, const struct yaml_node *node)
{
	int rc = yaml_is(l->yaml, node, YAML_SCALAR, "an event", l->err);
	bool inside = false;

	if (rc)
		return rc;
	if (!*node->text)
		return yaml_error(l->yaml, node, l->err,
				  "an event's name is missing here");
	if (strlen(node->text) >= ASSAY_NAME)
		return yaml_error(l->yaml, node, l->err,
				  "an event's name has more than %d bytes",
				  ASSAY_NAME - 1);
	for (const char *c = node->text; *c; c++) {
		inside ^= *c == '/';
		if (!isgraph((unsigned char)*c) || (*c == ',' && !inside))
			return yaml_error_in(l->yaml, node,
					     (size_t)(c - node->text), l->err,
					     "an event's name has no spaces, "
					     "and commas between slashes only");
	}
	return 0;
}

static int add_operand(struct loader *l, const struct yaml_node *node)
{
	const char *name = node->key ? node->key : node->text;
	int rc = check_event(l, node);

	if (rc)
		return rc;
	if (!loader_is_name(name))
		return yaml_error_key(l->yaml, node, l->err,
				      "'%.60s' cannot stand in an expression: "
				      "letters, digits, '_', '.' and ':' only",
				      name);
	for (int i = 0; i < PIE_PARTS; i++)
		if (strcmp(name, loader_part_names[i]) == 0)
			return yaml_error_key(l->yaml, node, l->err,
					      "'%s' is a part of a pie, so it "
					      "cannot be an operand", name);
	if (loader_find_operand(l, name) >= 0)
		return yaml_error_key(l->yaml, node, l->err,
				      "'%.60s' is declared twice", name);
	if (l->operands == LOADER_OPERANDS)
		return yaml_error_key(l->yaml, node, l->err,
				      "more than %d operands", LOADER_OPERANDS);
	l->operand[l->operands++] = (struct operand){
		.node = node, .name = name, .event = event_index(l, node->text),
	};
	return 0;
}

static int add_operands(struct loader *l, const struct yaml_node *list)
{
	int rc = 0;

	if (list->kind == YAML_SCALAR || !list->count)
		return yaml_error_key(l->yaml, list, l->err,
				      "'%.60s' must list events, or map "
				      "operands to events", list->key);
	for (const struct yaml_node *n = list->first; n && !rc; n = n->next)
		rc = add_operand(l, n);
	return rc;
}

/* Rule 3 of loader.h, whichever variant is loaded. */
static int same_operands(struct loader *l, const struct yaml_node *a,
			 const struct yaml_node *b)
{
	for (const struct yaml_node *n = a->first; n; n = n->next)
		if (!yaml_get(b, n->key))
			return yaml_error_key(l->yaml, n, l->err,
					      "operand '%.60s' is missing in "
					      "variant '%.60s'", n->key,
					      b->key);
	return 0;
}

static int check_variants(struct loader *l, const struct yaml_node *map)
{
	int rc = 0;

	if (!map->count || map->count > LOADER_VARIANTS)
		return yaml_error_key(l->yaml, map, l->err,
				      "'variants' must have 1 to %d members",
				      LOADER_VARIANTS);
	for (const struct yaml_node *n = map->first; n && !rc; n = n->next) {
		rc = yaml_is(l->yaml, n, YAML_MAPPING, n->key, l->err);
		for (const struct yaml_node *e = n->first; e && !rc;
		     e = e->next)
			rc = check_event(l, e);
		if (!rc)
			rc = same_operands(l, n, map->first);
		if (!rc)
			rc = same_operands(l, map->first, n);
	}
	return rc;
}

static int no_variant(struct loader *l, const char *variant)
{
	const char *near = text_nearest(variant, l->file->variant);

	error_set(l->err, -ASSAY_ENOENT, "'%.60s' has no variant '%.60s'",
		  l->file->name, variant);
	if (near)
		error_add(l->err, "did you mean '%s'?", near);
	else if (*l->file->variant)
		error_add(l->err, "its variants begin with '%s'",
			  *l->file->variant);
	return -ASSAY_ENOENT;
}

static int load_variant(struct loader *l, const struct yaml_node *map,
			const char *variant)
{
	const struct yaml_node *chosen = map->first;
	const char **names;
	size_t i = 0;

	names = pool_array(l->pool, map->count + 1, sizeof(*names));
	if (!names)
		return loader_no_memory(l);
	for (const struct yaml_node *n = map->first; n; n = n->next)
		names[i++] = n->key;
	l->file->variant = names;
	if (variant)
		chosen = yaml_get(map, variant);
	if (!chosen)
		return no_variant(l, variant);
	l->file->chosen = chosen->key;
	return add_operands(l, chosen);
}

int load_operands(struct loader *l, const char *variant)
{
	const struct yaml_node *root = l->yaml->root;
	const struct yaml_node *variants = yaml_get(root, "variants");
	const struct yaml_node *events = yaml_get(root, "events");
	int rc;

	if (variants && events)
		return yaml_error_key(l->yaml, events, l->err,
				      "'events' and 'variants' exclude each "
				      "other");
	if (!variants && !events)
		return yaml_error(l->yaml, root, l->err,
				  "'events' is missing (or 'variants')");
	if (variants) {
		rc = yaml_is(l->yaml, variants, YAML_MAPPING, "variants",
			     l->err);
		if (!rc)
			rc = check_variants(l, variants);
		return rc ? rc : load_variant(l, variants, variant);
	}
	if (variant) {
		l->only = pool_text(l->pool, variant, strlen(variant));
		if (!l->only)
			return loader_no_memory(l);
	}
	return add_operands(l, events);
}
