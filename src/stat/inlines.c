/* SPDX-License-Identifier: MIT */
/*
 * libdw finds the inlined functions of an address by a walk over all DIEs of
 * the unit, on each call. So this file walks once over each unit, and keeps the
 * ranges of its inlined functions, sorted.
 */
#define _GNU_SOURCE	/* tdestroy */
#include "stat/inlines.h"

#include <dwarf.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { DEEPEST = 200 };	/* nested DIEs; deeper ones are left out */

struct node {
	struct inlined inlined;
	struct node *next;	/* of all in the unit: to free them */
};

struct piece {
	Dwarf_Addr start, end;
	Dwarf_Addr highest_end;	/* of this piece and all earlier ones */
	int depth;
	const struct inlined *inlined;
};

struct unit {
	const void *address;	/* of the unit's DIE: its name in the tree */
	struct node *nodes;
	struct piece *piece;
	size_t pieces;
};

/* A walk over the DIEs of a unit. */
struct walk {
	struct unit *unit;
	Dwarf_Files *files;	/* NULL: the unit has no names of files */
	const char *folder;
};

static bool number_of(Dwarf_Die *die, unsigned name, Dwarf_Word *out)
{
	Dwarf_Attribute attribute;

	return dwarf_attr(die, name, &attribute) &&
	       dwarf_formudata(&attribute, out) == 0;
}

static const char *mangled_name(Dwarf_Die *die)
{
	Dwarf_Attribute a;

	return dwarf_attr_integrate(die, DW_AT_linkage_name, &a) ?
	       dwarf_formstring(&a) : NULL;
}

static struct node *add_node(struct walk *w, Dwarf_Die *die,
			     const struct inlined *into)
{
	struct node *node = calloc(1, sizeof(*node));
	Dwarf_Word number;

	if (!node)
		return NULL;
	node->next = w->unit->nodes;
	w->unit->nodes = node;
	node->inlined.into = into;
	node->inlined.folder = w->folder;
	node->inlined.function = dwarf_diename(die);
	node->inlined.mangled = mangled_name(die);
	if (w->files && number_of(die, DW_AT_call_file, &number))
		node->inlined.file = dwarf_filesrc(w->files, number, NULL,
						   NULL);
	if (number_of(die, DW_AT_call_line, &number) && number < INT32_MAX)
		node->inlined.line = (int)number;
	return node;
}

static void add_pieces(struct unit *unit, Dwarf_Die *die, int depth,
		       const struct inlined *inlined)
{
	struct piece p = { .depth = depth, .inlined = inlined };
	Dwarf_Addr base;
	ptrdiff_t next = 0;

	while ((next = dwarf_ranges(die, next, &base, &p.start, &p.end)) > 0) {
		if (p.start >= p.end)
			continue;
		if ((unit->pieces & (unit->pieces - 1)) == 0 &&
		    !array_resize(&unit->piece,
				  unit->pieces ? 2 * unit->pieces : 1,
				  sizeof(*unit->piece)))
			return;
		unit->piece[unit->pieces++] = p;
	}
}

/* Can the DIE contain inlined functions? */
static bool contains_code(int tag)
{
	return tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block ||
	       tag == DW_TAG_inlined_subroutine || tag == DW_TAG_namespace ||
	       tag == DW_TAG_class_type || tag == DW_TAG_structure_type ||
	       tag == DW_TAG_module || tag == DW_TAG_try_block ||
	       tag == DW_TAG_catch_block;
}

static void walk(struct walk *w, Dwarf_Die *parent, int depth,
		 const struct inlined *into)
{
	Dwarf_Die die;

	if (depth == DEEPEST || dwarf_child(parent, &die) != 0)
		return;
	do {
		const int tag = dwarf_tag(&die);
		const struct inlined *here = into;

		if (tag == DW_TAG_inlined_subroutine) {
			struct node *node = add_node(w, &die, into);

			if (!node)
				return;
			here = &node->inlined;
			add_pieces(w->unit, &die, depth, here);
		}
		if (contains_code(tag))
			walk(w, &die, depth + 1, here);
	} while (dwarf_siblingof(&die, &die) == 0);
}

/* By start; of those with one start the innermost is the last. */
static int by_start(const void *pa, const void *pb)
{
	const struct piece *a = pa, *b = pb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->depth > b->depth) - (a->depth < b->depth);
}

static void read_unit(struct unit *unit, Dwarf_Die *die)
{
	struct walk w = { .unit = unit, .folder = inlines_folder(die) };
	Dwarf_Addr highest_end = 0;
	size_t files;

	if (dwarf_getsrcfiles(die, &w.files, &files) != 0)
		w.files = NULL;
	walk(&w, die, 0, NULL);
	if (unit->pieces)
		qsort(unit->piece, unit->pieces, sizeof(*unit->piece),
		      by_start);
	for (size_t i = 0; i < unit->pieces; i++) {
		if (unit->piece[i].end > highest_end)
			highest_end = unit->piece[i].end;
		unit->piece[i].highest_end = highest_end;
	}
}

const char *inlines_folder(Dwarf_Die *unit)
{
	Dwarf_Attribute a;

	return dwarf_attr(unit, DW_AT_comp_dir, &a) ? dwarf_formstring(&a) :
						      NULL;
}

static int by_address(const void *pa, const void *pb)
{
	const struct unit *a = pa, *b = pb;

	return (a->address > b->address) - (a->address < b->address);
}

/* NULL: no memory. */
static struct unit *unit_of(struct inlines *inlines, Dwarf_Die *die)
{
	const struct unit key = { .address = die->addr };
	struct unit **found = tfind(&key, &inlines->units, by_address);
	struct unit *unit;

	if (found)
		return *found;
	unit = calloc(1, sizeof(*unit));
	if (!unit)
		return NULL;
	unit->address = die->addr;
	if (!tsearch(unit, &inlines->units, by_address)) {
		free(unit);
		return NULL;
	}
	read_unit(unit, die);
	return unit;
}

const struct inlined *inlines_find(struct inlines *inlines, Dwarf_Die *die,
				   Dwarf_Addr address)
{
	const struct unit *unit = unit_of(inlines, die);
	size_t low = 0, high = unit ? unit->pieces : 0;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (unit->piece[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	while (low-- && unit->piece[low].highest_end > address)
		if (unit->piece[low].end > address)
			return unit->piece[low].inlined;
	return NULL;
}

static void free_unit(void *p)
{
	struct unit *unit = p;
	struct node *node;

	while ((node = unit->nodes)) {
		unit->nodes = node->next;
		free(node);
	}
	free(unit->piece);
	free(unit);
}

void inlines_fini(struct inlines *inlines)
{
	tdestroy(inlines->units, free_unit);
	inlines->units = NULL;
}
