/* SPDX-License-Identifier: MIT */
/* Numbers, sizes and expressions of a recipe. */
#include "analysis/recipe/recipe.h"

#include "base/text.h"

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
