/* SPDX-License-Identifier: MIT */
/*
 * An identity file of any bytes is refused with a place, or each of its laws
 * is checked: it holds, is violated, or says why that is open.
 */
#include "fuzz.h"

#include "analysis/identity.h"

/* Some are absent, the others are small. */
static struct assay_value count(void *ctx, const char *event)
{
	const size_t n = strlen(event);

	(void)ctx;
	if (n % 5 == 4)
		return (struct assay_value){ .why = "none" };
	return (struct assay_value){ .number = (double)(n % 4) };
}

static int look(void *ctx, const struct assay_row *row)
{
	(void)ctx;
	for (size_t i = 0; i < row->fields; i++)
		need(row->field[i].kind != ASSAY_FIELD_TEXT ||
		     row->field[i].text);
	return 0;
}

static void check(const struct identities *set)
{
	const struct identity_check how = { .open = true, .count = count };
	static struct identity_finding f[512];
	size_t n = identities_check(set, &how, f, 512);

	need(n == set->count);
	for (size_t i = 0; i < n; i++) {
		need((f[i].state == IDENTITY_OPEN) == (f[i].why != NULL));
		need(identity_row(&f[i], look, NULL) == 0);
		need(identity_describe(f[i].identity, look, NULL) == 0);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	struct identities *set = NULL;
	struct assay_error err = { 0 };
	int rc = identities_parse(&set, "f", (const char *)data, bytes, &err);

	need(rc <= 0);
	if (rc < 0) {
		need(!set && err.code == rc && *err.text);
		return 0;
	}
	check(set);
	identities_free(set);
	return 0;
}
