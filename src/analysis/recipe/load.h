/* SPDX-License-Identifier: MIT */
/* A recipe while its file is read. Private to recipe*.c. */
#ifndef ANALYSIS_RECIPE_LOAD_H
#define ANALYSIS_RECIPE_LOAD_H

#include "analysis/recipe/recipe.h"
#include "cpus/pool.h"
#include "cpus/yaml.h"

struct recipe_loading {
	struct recipe *recipe;
	struct pool *pool;
	struct yaml *yaml;
	struct assay_error *err;
};

/* The functions return 0 or an error with its place, as yaml.h's do. */

/* The list `key`, which may be missing (NULL) if least is 0. */
int recipe_find_list(struct recipe_loading *l, const struct yaml_node *map,
		     const char *key, size_t least, size_t most,
		     const struct yaml_node **out);
/* A mapping of options, which may be missing; out: RECIPE_SETTINGS. */
int recipe_load_settings(struct recipe_loading *l, const struct yaml_node *map,
			 const char *key, struct recipe_setting *out,
			 unsigned *settings);
int recipe_check_event(struct recipe_loading *l, const struct yaml_node *event);

/* "loops" of the file. */
int recipe_load_loops(struct recipe_loading *l);

#endif
