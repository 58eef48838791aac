/* SPDX-License-Identifier: MIT */
/* The table of nodes by items, in blocks: few nodes have all items. */
#include "fleet/fleet.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay/error.h"
#include "base/array.h"

struct fleet *fleet_new(void)
{
	return calloc(1, sizeof(struct fleet));
}

static void free_blocks(struct fleet_node *n)
{
	for (size_t b = 0; b < n->blocks; b++)
		free(n->block[b]);
	free(n->block);
	n->block = NULL;
	n->blocks = 0;
}

void fleet_free(struct fleet *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->nodes; i++)
		free_blocks(&f->node[i]);
	free(f->node);
	free(f->item);
	names_fini(&f->names);
	names_fini(&f->series);
	names_fini(&f->point);
	names_fini(&f->text);
	names_fini(&f->keys);
	free(f);
}

int fleet_node(struct fleet *f, const char *name)
{
	const int n = names_add(&f->names, name);

	if (n < 0 || (size_t)n < f->nodes)
		return n;
	if (n >= FLEET_NODES)
		return -ASSAY_ERANGE;
	if (!(n & (n - 1)) && !array_resize(&f->node, n ? 2 * (size_t)n : 1,
					    sizeof(*f->node)))
		return -ASSAY_ENOMEM;
	f->node[f->nodes++] = (struct fleet_node){
		.name = f->names.name[n],
	};
	return n;
}

int fleet_item(struct fleet *f, enum fleet_kind kind, const char *series,
	       const char *point)
{
	const uint32_t before = f->keys.names;
	char key[1024];
	int n, s, p;

	snprintf(key, sizeof(key), "%c%.480s\t%.480s", "net"[kind],
		 series, point);
	n = names_add(&f->keys, key);
	if (n >= FLEET_ITEMS)
		return -ASSAY_ERANGE;
	if (n < 0 || (uint32_t)n < before)
		return n;
	s = names_add(&f->series, series);
	p = names_add(&f->point, point);
	if (s < 0 || p < 0 ||
	    (!(n & (n - 1)) && !array_resize(&f->item, n ? 2 * (size_t)n : 1,
					     sizeof(*f->item))))
		return -ASSAY_ENOMEM;
	f->item[n] = (struct fleet_item){ kind, (uint32_t)s, (uint32_t)p };
	return n;
}

/* The block of the item, made if it is new; NULL: no memory. */
static struct fleet_block *block(struct fleet_node *n, size_t item)
{
	const size_t at = item / FLEET_BLOCK;

	if (at >= n->blocks) {
		const size_t blocks = at + at / 4 + 1;

		if (!array_resize(&n->block, blocks, sizeof(*n->block)))
			return NULL;
		memset(n->block + n->blocks, 0,
		       (blocks - n->blocks) * sizeof(*n->block));
		n->blocks = blocks;
	}
	if (!n->block[at])
		n->block[at] = calloc(1, sizeof(*n->block[at]));
	return n->block[at];
}

/* Adds `count` values of that mean. */
static int add(struct fleet *f, int node, int item, double value,
	       uint32_t count)
{
	struct fleet_block *b = block(&f->node[node], (size_t)item);
	const size_t at = (size_t)item % FLEET_BLOCK;

	if (!b)
		return -ASSAY_ENOMEM;
	b->count[at] += count;
	b->value[at] += (value - b->value[at]) * count / b->count[at];
	f->node[node].measured = true;
	return 0;
}

int fleet_number(struct fleet *f, int node, int item, double value)
{
	return isfinite(value) ? add(f, node, item, value, 1) : 0;
}

/* text: its number, or an error. */
static int put_text(struct fleet *f, int node, int item, int text)
{
	struct fleet_block *b = block(&f->node[node], (size_t)item);
	const size_t at = (size_t)item % FLEET_BLOCK;

	if (text < 0 || !b)
		return -ASSAY_ENOMEM;
	b->count[at] = 1;
	b->value[at] = text;
	f->node[node].measured = true;
	return 0;
}

/* Is the text one of those of "A | B"? */
static bool has_text(const char *all, const char *text)
{
	const size_t n = strlen(text);

	for (const char *p = all;; p += strlen(" | ")) {
		if (!strncmp(p, text, n) && (!p[n] || !strncmp(p + n, " | ",
							       3)))
			return true;
		p = strstr(p, " | ");
		if (!p)
			return false;
	}
}

int fleet_text(struct fleet *f, int node, int item, const char *text)
{
	const double before = fleet_get(f, (size_t)node, (size_t)item);
	char both[1024];

	if (isnan(before))
		return put_text(f, node, item, names_add(&f->text, text));
	if (has_text(f->text.name[(size_t)before], text))
		return 0;
	snprintf(both, sizeof(both), "%.500s | %.500s",
		 f->text.name[(size_t)before], text);
	return put_text(f, node, item, names_add(&f->text, both));
}

static int merge_item(struct fleet *f, int into, const struct fleet_block *b,
		      size_t item)
{
	const size_t at = item % FLEET_BLOCK;

	if (!b->count[at])
		return 0;
	if (f->item[item].kind == FLEET_TEXT)
		return fleet_text(f, into, (int)item,
				  f->text.name[(size_t)b->value[at]]);
	return add(f, into, (int)item, b->value[at], b->count[at]);
}

int fleet_merge(struct fleet *f, int into, int from)
{
	struct fleet_node *n = &f->node[from];
	int rc = 0;

	for (size_t b = 0; b < n->blocks && !rc; b++)
		for (size_t i = 0; n->block[b] && i < FLEET_BLOCK && !rc; i++)
			rc = merge_item(f, into, n->block[b],
					b * FLEET_BLOCK + i);
	free_blocks(n);
	n->measured = false;
	return rc;
}

double fleet_get(const struct fleet *f, size_t node, size_t item)
{
	const struct fleet_node *n = &f->node[node];
	const struct fleet_block *b = item / FLEET_BLOCK < n->blocks ?
				      n->block[item / FLEET_BLOCK] : NULL;

	return b && b->count[item % FLEET_BLOCK] ?
	       b->value[item % FLEET_BLOCK] : NAN;
}

const char *fleet_series_name(const struct fleet *f, size_t item)
{
	return f->series.name[f->item[item].series];
}

const char *fleet_point_name(const struct fleet *f, size_t item)
{
	return f->point.name[f->item[item].point];
}
