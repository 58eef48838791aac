/* SPDX-License-Identifier: MIT */
/* What runs and loops of a recipe have in common: lists, options, events. */
#include "analysis/recipe/load.h"

#include <string.h>

#include "base/text.h"

int recipe_find_list(struct recipe_loading *l, const struct yaml_node *map,
		     const char *key, size_t least, size_t most,
		     const struct yaml_node **out)
{
	const struct yaml_node *n = yaml_get(map, key);
	int rc = n ? yaml_is(l->yaml, n, YAML_SEQUENCE, key, l->err) : 0;

	*out = n;
	if (rc || (!n && !least))
		return rc;
	if (!n)
		return yaml_error(l->yaml, map, l->err, "'%s' is missing", key);
	if (n->count < least || n->count > most)
		return yaml_error_key(l->yaml, n, l->err, "'%s' has %zu to %zu "
				      "members", key, least, most);
	return 0;
}

int recipe_load_settings(struct recipe_loading *l, const struct yaml_node *map,
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

int recipe_check_event(struct recipe_loading *l, const struct yaml_node *n)
{
	int rc = yaml_is(l->yaml, n, YAML_SCALAR, "an event", l->err);

	if (!rc && (!*n->text || strlen(n->text) >= ASSAY_NAME ||
		    strpbrk(n->text, ", \t\n")))
		rc = yaml_error(l->yaml, n, l->err, "an event's name has 1 to "
				"%d bytes, no spaces and no commas",
				ASSAY_NAME - 1);
	return rc;
}
