/* SPDX-License-Identifier: MIT */
/*
 * The function, line and object of a site of a tally, from the symbols of the
 * file that was mapped there.
 */
#include <stdlib.h>
#include <string.h>

#include "program/attribute.h"
#include "program/start.h"
#include "base/loading/library.h"
#include "base/text.h"

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
	if (!file->symbols && !library_is_here(LIBRARY_DW))
		return libraries[LIBRARY_DW].brief;
	if (!file->symbols)
		return "[no symbols]";
	return symbols_stripped(file->symbols) ? "[stripped]" : "[no symbol]";
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
