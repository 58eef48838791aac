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
#include "program/start.h"
#include "base/text.h"

/* ---- names -------------------------------------------------------------- */

/* Why the symbols of an object cannot be used: the file that now has its path
 * is another one, or there is none. NULL: the file is the same. */
static const char *why_no_symbols(const struct tally_object *o,
				 const char *path)
{
	struct tally_object now;

	if (*path != '/' || strncmp(path, "/memfd:", 7) == 0)
		return "[no file]";
	if (!tally_identify(&now, path))
		return "[deleted]";
	return tally_same_file(&now, o) ? NULL : "[replaced]";
}

static const struct file *file_of(struct naming *n, uint32_t object)
{
	const char *path = tally_path(n->to.map, object);
	struct file *file = &n->file[object];

	if (file->looked_up)
		return file;
	file->looked_up = true;
	file->instead = why_no_symbols(&n->to.map->object[object], path);
	if (!file->instead)
		file->symbols = symbols_open(path, n->to.wanted->source_root);
	return file;
}

/* The name of the sites that found no room in the plugin's table. */
static const char no_place[] = "[unknown]";

/* The function's name, or why there is none, in brackets. */
static const char *function_name(const struct file *file, const char *found)
{
	if (found)
		return found;
	if (file->instead)
		return file->instead;
	if (!file->symbols)
		return "[no symbols]";
	return symbols_stripped(file->symbols) ? "[stripped]" : "[no symbol]";
}

static const char *or_empty(const char *text)
{
	return text ? text : "";
}

/* Inlined code counts where it was called in the function that is really
 * there. */
static void move_to_call(struct entry *e)
{
	const struct inlined *outermost = e->inlined;

	while (outermost && outermost->into)
		outermost = outermost->into;
	if (outermost && outermost->file) {
		e->file = symbols_call_file(e->symbols, outermost);
		e->line = outermost->line;
	}
	e->inlined = NULL;
}

static void name_line(const struct wanted *wanted, const struct file *file,
		      const struct place_in_code *place, struct entry *out)
{
	out->file = or_empty(place->file);
	out->line = place->file ? place->line : 0;
	out->inlined = place->inlined;
	out->symbols = file->symbols;
	if (wanted->at_call)
		move_to_call(out);
}

/* The loader's work, and libc's before main(), are the same for all programs:
 * one row. */
static void fold(struct entry *out)
{
	if (!start_is(out->object, out->function))
		return;
	*out = (struct entry){ .function = start_name, .file = "",
			       .object = "" };
}

static void name_in_file(struct naming *n, const struct tally_site *site,
			 struct entry *out)
{
	const struct tally_object *o = &n->to.map->object[site->object - 1];
	const struct wanted *wanted = n->to.wanted;
	const bool lines = wanted->by == ASSAY_BY_LINE ||
			   wanted->by == ASSAY_BY_DATA;
	struct place_in_code place = { 0 };
	const struct file *file;

	out->object = tally_path(n->to.map, site->object - 1);
	if (wanted->by == ASSAY_BY_OBJECT)
		return;
	file = file_of(n, site->object - 1);
	if (file->symbols)
		symbols_find(file->symbols, site->pc - o->from + o->offset,
			     lines, &place);
	out->function = function_name(file, place.function);
	if (lines)
		name_line(wanted, file, &place, out);
	if (wanted->fold_start)
		fold(out);
}

void naming_entry(struct naming *n, const struct tally_site *site,
		  struct entry *out)
{
	const bool by_object = n->to.wanted->by == ASSAY_BY_OBJECT;

	*out = (struct entry){ .object = "", .function = "", .file = "" };
	if (site->object)
		name_in_file(n, site, out);
	else
		*(by_object ? &out->object : &out->function) = no_place;
	memcpy(out->count, site->count, sizeof(out->count));
	out->why = site->why ? &n->to.map->why[site->why] : NULL;
	if (out->count[TALLY_mispredicts])
		out->branches = out->count[TALLY_instructions];
}

int naming_init(struct naming *n, struct assay_error *err)
{
	n->file = calloc(n->to.map->tally->objects + 1, sizeof(*n->file));
	return n->file ? 0 : error_memory(err);
}

void naming_fini(struct naming *n)
{
	for (uint32_t i = 0; n->file && i < n->to.map->tally->objects; i++)
		symbols_close(n->file[i].symbols);
	free(n->file);
}

/* ---- adding up ---------------------------------------------------------- */

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
