/* SPDX-License-Identifier: MIT */
/* Runs the checks of an audit and hands out what they found. */
#include <stdlib.h>
#include <string.h>

#include "audit/items.h"

const char *const audit_confidence_names[] = { "low", "medium", "high" };

static int found_order(const void *a, const void *b)
{
	const struct audit_found *x = a, *y = b;

	if (x->confidence != y->confidence)
		return x->confidence > y->confidence ? -1 : 1;
	if (x->item != y->item)
		return x->item > y->item ? 1 : -1;
	return strcmp(x->class, y->class);
}

static int report(const struct audit *a, audit_fn *fn, void *ctx,
		  struct audit_count *count)
{
	int rc = 0;

	for (size_t i = 0; i < a->items; i++)
		count->entries += a->item[i].audited &&
				  a->item[i].e.kind != ENTRY_BAD;
	for (size_t i = 0; i < a->founds && !rc; i++) {
		const struct audit_found *f = &a->found[i];
		const struct audit_finding finding = {
			&f->item->e, f->class, f->confidence, f->here,
			f->others,
		};

		count->findings++;
		count->high += f->confidence == AUDIT_HIGH;
		rc = fn(ctx, &finding);
	}
	return rc;
}

int audit_run(struct audit *a, audit_fn *fn, void *ctx,
	      struct audit_count *count)
{
	static void (*const checks[])(struct audit *a) = {
		audit_unreadable, audit_union, audit_dup, audit_cross,
		audit_vocabulary, audit_family, audit_twice, audit_field, audit_syntax,
		audit_use, audit_presets, audit_sense, audit_factor,
		audit_absent, audit_spelling, audit_generic,
	};

	*count = (struct audit_count){ 0 };
	audit_sort(a);
	if (!a->no_memory)
		audit_bind(a);
	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]) &&
			   !a->no_memory; i++)
		checks[i](a);
	if (a->no_memory)
		return -ASSAY_ENOMEM;
	if (a->founds)
		qsort(a->found, a->founds, sizeof(*a->found), found_order);
	return report(a, fn, ctx, count);
}
