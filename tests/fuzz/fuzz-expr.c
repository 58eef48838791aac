/* SPDX-License-Identifier: MIT */
/*
 * An expression of any bytes is refused with a column inside the text, or its
 * nodes form a tree whose value is finite or absent with a reason.
 */
#include "fuzz.h"

#include "base/expr.h"

/* Names of an even length are unknown. */
static int find(void *ctx, const char *name)
{
	const size_t n = strlen(name);

	(void)ctx;
	return n % 2 ? (int)(n % 8) : -1;
}

static struct assay_value value(const void *ctx, int name)
{
	static const double numbers[] = { 0, 1, 2.5, 1e308, -3, 0, 1e-308,
					  9007199254740993.0 };

	(void)ctx;
	need(name >= 0 && name < 8);
	if (name == 5)
		return (struct assay_value){ .why = "gone" };
	return (struct assay_value){ .number = numbers[name] };
}

static void check_nodes(const struct expr *e)
{
	need(e->nodes > 0 && e->nodes <= EXPR_NODES);
	need(e->root >= 0 && e->root < e->nodes);
	for (short i = 0; i < e->nodes; i++) {
		need(e->node[i].left < i && e->node[i].right < i);
		need(e->node[i].op <= EXPR_LESS);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	char *text = malloc(bytes + 1);
	struct assay_error err = { 0 };
	struct assay_value v;
	struct expr e;
	size_t column = SIZE_MAX;
	int rc;

	need(text != NULL);
	memcpy(text, data, bytes);
	text[bytes] = '\0';
	rc = expr_parse(&e, text, find, NULL, &column, &err);
	if (rc) {
		need(rc == -ASSAY_EPARSE || rc == -ASSAY_ENOENT);
		need(column <= strlen(text) && err.code == rc && *err.text);
	} else {
		check_nodes(&e);
		v = expr_value(&e, value, NULL);
		need(v.why ? *v.why : __builtin_isfinite(v.number));
	}
	free(text);
	return 0;
}
