/* SPDX-License-Identifier: MIT */
/* Reading the shape of a record: see parse.c. */
#include "store/record-line.h"

#include <string.h>

#include "base/text.h"

const char *const schema_kinds[SCHEMA_KINDS + 1] = {
	[ASSAY_OPTION_COUNT] = "count",
	[ASSAY_OPTION_BYTES] = "bytes",
	[ASSAY_OPTION_CHOICE] = "choice",
	[ASSAY_OPTION_FLAG] = "flag",
	[ASSAY_OPTION_REAL] = "real",
};

static int option_kind(const struct node *option, enum assay_option_kind *out)
{
	const struct node n = node_member(option, "kind");
	const char *word = json_string_value(n.json), *near;

	if (!word)
		return node_wrong(&n, "a string");
	for (int k = 0; k < SCHEMA_KINDS; k++)
		if (strcmp(schema_kinds[k], word) == 0) {
			*out = (enum assay_option_kind)k;
			return 0;
		}
	near = text_nearest(word, schema_kinds);
	if (near)
		return node_error(&n, "'%.40s' is not a kind of option; did "
				  "you mean '%s'?", word, near);
	return node_error(&n, "'%.40s' is not a kind of option: count, bytes, "
			  "choice, flag, real", word);
}

static int option_value(const struct node *option,
			struct assay_shape_value *out)
{
	const struct node n = node_member(option, "value");
	int rc = 0;

	if (out->kind == ASSAY_OPTION_CHOICE)
		rc = node_name(option, "word", out->word, sizeof(out->word));
	if (!rc && (n.json || out->kind != ASSAY_OPTION_CHOICE))
		rc = node_integer(&n, &out->value);
	if (rc < 0)
		return rc;
	if (out->kind == ASSAY_OPTION_FLAG && (out->value & ~INT64_C(1)))
		return node_error(&n, "a flag is 0 or 1, not %lld",
				  (long long)out->value);
	if (out->kind != ASSAY_OPTION_REAL && out->value < 0)
		return node_error(&n, "%lld is negative, which '%s' cannot be",
				  (long long)out->value, out->name);
	return 0;
}

static int option(const struct node *n, struct assay_shape *shape)
{
	struct assay_shape_value o = { 0 };
	const struct node name = node_member(n, "name");
	int rc = node_object(n);

	if (!rc)
		rc = node_name(n, "name", o.name, sizeof(o.name));
	if (!rc && assay_shape_find(shape, o.name) >= 0)
		rc = node_error(&name, "option '%s' is given twice", o.name);
	if (!rc)
		rc = option_kind(n, &o.kind);
	if (!rc)
		rc = option_value(n, &o);
	if (!rc)
		shape->option[shape->options++] = o;
	return rc;
}

int parse_shape(struct assay_shape *out, const struct node *root)
{
	const struct node n = node_member(root, "shape");
	const struct node options = node_member(&n, "options");
	int rc = node_object(&n);

	if (!rc)
		rc = node_name(&n, "kernel", out->kernel, sizeof(out->kernel));
	if (!rc && options.json)
		rc = node_array(&options, ASSAY_SHAPE_OPTIONS);
	for (size_t i = 0; !rc && i < json_array_size(options.json); i++) {
		const struct node o = node_element(&options, i);

		rc = option(&o, out);
	}
	return rc;
}
