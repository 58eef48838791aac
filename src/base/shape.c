/* SPDX-License-Identifier: MIT */
/* Finds options of a shape and rows of an expectation by name. Freestanding. */
#include <stdbool.h>
#include <stddef.h>

#include "assay/expectation.h"
#include "assay/shape.h"

/* Freestanding: no strcmp. */
static bool same(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return *a == *b;
}

int assay_shape_find(const struct assay_shape *shape, const char *name)
{
	for (unsigned i = 0; i < shape->options; i++)
		if (same(shape->option[i].name, name))
			return (int)i;
	return -1;
}

int64_t assay_shape_get(const struct assay_shape *shape, const char *name)
{
	int i = assay_shape_find(shape, name);

	if (i < 0)
		__builtin_trap();	/* the kernel has no such option */
	return shape->option[i].value;
}

const struct assay_expected *
assay_expectation_find(const struct assay_expectation *e,
		       enum assay_quantity quantity)
{
	for (unsigned i = 0; i < e->rows; i++)
		if (e->row[i].quantity == quantity)
			return &e->row[i];
	return NULL;
}
