/* SPDX-License-Identifier: MIT */
/* Names of pieces of data (--by data). */
#include <string.h>

#include "program/attribute.h"

/* Is it the source of a library that is inlined? */
static bool is_library(const char *source)
{
	return !strncmp(source, "/usr/include/", 13) ||
	       strstr(source, "/include/c++/");
}

/* A call of an allocator that a library's template makes is at the line that
 * uses the library. */
static void leave_library(struct entry *e)
{
	for (const struct inlined *i = e->inlined;
	     i && i->file && is_library(e->file); i = i->into) {
		e->file = symbols_call_file(e->symbols, i);
		e->line = i->line;
		e->inlined = i->into;
	}
}

/* A piece of data: memory that a line of code allocated, a variable, or one of
 * the kinds that are not told apart further. */
void naming_datum(struct naming *n, const struct tally_datum *datum,
		  struct entry *out)
{
	static const char *const kinds[] = {
#define X(name, sentence) sentence,
#include "store/programs/data-kinds.def"
#undef X
	};
	const struct tally_map *map = n->to.map;
	const struct tally_site call = { .pc = datum->pc,
					 .object = datum->object };

	*out = (struct entry){ .object = "", .function = "", .file = "" };
	if (datum->kind == TALLY_DATA_heap)
		naming_entry(n, &call, out);
	if (datum->kind == TALLY_DATA_heap)
		leave_library(out);
	else if (datum->object)
		out->object = tally_path(map, datum->object - 1);
	out->data = datum->kind == TALLY_DATA_variable ?
		    map->text + datum->name : kinds[datum->kind];
	out->bytes = datum->bytes;
	for (int i = 0; i < TALLY_COLUMNS; i++)
		out->count[i] = tally_is_of_data(i) ? datum->count[i] : 0;
}
