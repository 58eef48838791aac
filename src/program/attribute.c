/* SPDX-License-Identifier: MIT */
/*
 * Misses by function, line or object (--by). Input: the sites of a merged
 * tally, each an instruction address with its counts. Each site gets the name
 * of its function, line or object from the symbols of its file; sites of one
 * name are added up, and sorted (cost.c).
 */
#include <stdlib.h>
#include <string.h>

#include "program/attribute.h"
#include "base/text.h"

static int by_text(const char *a, const char *b)
{
	return strcmp(or_empty(a), or_empty(b));
}

/* By the functions that were inlined, and where they were called. */
static int by_calls(const struct inlined *a, const struct inlined *b)
{
	int c = 0;

	for (; a != b && a && b && !c; a = a->into, b = b->into) {
		c = by_text(a->mangled, b->mangled);
		c = c ? c : by_text(a->function, b->function);
		c = c ? c : by_text(a->file, b->file);
		c = c ? c : (a->line > b->line) - (a->line < b->line);
	}
	return c || a == b ? c : a ? 1 : -1;
}

int entry_by_name(const void *pa, const void *pb)
{
	const struct entry *a = pa, *b = pb;
	int c = strcmp(a->object, b->object);

	if (!c)
		c = by_text(a->data, b->data);
	if (!c)
		c = strcmp(a->function, b->function);
	if (!c)
		c = strcmp(a->file, b->file);
	if (!c)
		c = (a->line > b->line) - (a->line < b->line);
	return c ? c : by_calls(a->inlined, b->inlined);
}

static int by_key(const void *pa, const void *pb)
{
	const struct entry *a = pa, *b = pb;
	const uint64_t ia = a->count[TALLY_instructions];
	const uint64_t ib = b->count[TALLY_instructions];

	if (a->key != b->key)
		return a->key < b->key ? 1 : -1;
	return ia == ib ? entry_by_name(pa, pb) : ia < ib ? 1 : -1;
}

static void merge(struct attribution *b)
{
	size_t kept = 0;

	if (!b->entries)
		return;
	qsort(b->entry, b->entries, sizeof(*b->entry), entry_by_name);
	for (size_t i = 1; i < b->entries; i++) {
		if (entry_by_name(&b->entry[kept], &b->entry[i]) == 0)
			entry_add(&b->entry[kept], &b->entry[i]);
		else
			b->entry[++kept] = b->entry[i];
	}
	b->entries = kept + 1;
	for (size_t i = 0; i < b->entries; i++)
		b->entry[i].key = cost_key(b->cost, b->entry[i].count);
	qsort(b->entry, b->entries, sizeof(*b->entry), by_key);
}

int attribute_rows(const struct tally_map *map, const struct wanted *wanted,
		   const struct cost *cost, assay_row_fn *fn, void *ctx,
		   struct assay_error *err)
{
	const struct tally *t = map->tally;
	struct naming n = { .to = { .map = map, .wanted = wanted,
				    .cost = cost } };
	struct attribution *b = &n.to;
	int rc = naming_init(&n, err);

	b->entry = rc ? NULL : calloc((size_t)t->sites + t->data + 1,
				      sizeof(*b->entry));
	for (uint32_t i = 0; b->entry && i < t->data; i++)
		naming_datum(&n, &map->datum[i], &b->entry[b->entries++]);
	for (uint32_t i = 0; b->entry && i < t->sites && !t->data; i++)
		if (!wanted->kept || wanted->kept[i])
			naming_entry(&n, &map->site[i],
				     &b->entry[b->entries++]);
	if (b->entry) {
		merge(b);
		rc = miss_rows(b, fn, ctx);
	} else if (!rc) {
		rc = error_memory(err);
	}
	naming_fini(&n);
	free(b->entry);
	return rc;
}
