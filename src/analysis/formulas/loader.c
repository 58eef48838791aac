/* SPDX-License-Identifier: MIT */
/* What the parts of loading a formula file share. */
#include <ctype.h>
#include <string.h>

#include "analysis/formulas/loader.h"
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

int loader_word(struct loader *l, const struct yaml_node *map,
		const char *key, const char **out)
{
	return yaml_word(out, l->yaml, map, key, l->err);
}

int loader_list(struct loader *l, const char *key, size_t most,
		const struct yaml_node **out)
{
	const struct yaml_node *n = yaml_get(l->yaml->root, key);
	int rc = n ? yaml_is(l->yaml, n, YAML_SEQUENCE, key, l->err) : 0;

	if (!rc && n && n->count > most)
		rc = yaml_error_key(l->yaml, n, l->err,
				    "'%s' has more than %zu members", key,
				    most);
	*out = n;
	return rc;
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
