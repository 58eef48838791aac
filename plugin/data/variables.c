/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Variables of all mapped files, sorted by address. Under session.lock. */
#include <stdlib.h>
#include <string.h>

#include "plugin/data/data.h"
#include "plugin/site.h"
#include "store/programs/function.h"

static struct {
	struct variable *of;
	size_t n, room;
} variables;

static void add(void *ctx, const char *name, uint64_t address, uint64_t bytes)
{
	const uint32_t *object = ctx;
	struct variable *more = variables.of;

	if (variables.n == variables.room) {
		variables.room = variables.room ? 2 * variables.room : 1024;
		more = realloc(variables.of, variables.room * sizeof(*more));
		if (!more)
			abort();
		variables.of = more;
	}
	more[variables.n++] = (struct variable){
		address, address + bytes, site_text(name), *object, 0 };
}

/* Of variables that begin together, the longest is the last. */
static int by_address(const void *pa, const void *pb)
{
	const struct variable *a = pa, *b = pb;

	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	return (a->to > b->to) - (a->to < b->to);
}

void variables_add(uint32_t object)
{
	const struct tally_object *o = &session.map.object[object - 1];
	const char *path = session.map.text + o->path;
	uint64_t address = 0, move;
	size_t before;
	bool mapped;

	if (*path != '/')
		return;
	pthread_mutex_lock(&session.lock);
	before = variables.n;
	mapped = variables_find(path, o->offset, &address, add, &object);
	move = o->from - address;
	if (!mapped)
		variables.n = before;
	for (size_t i = before; i < variables.n; i++) {
		variables.of[i].from += move;
		variables.of[i].to += move;
	}
	qsort(variables.of, variables.n, sizeof(*variables.of), by_address);
	pthread_mutex_unlock(&session.lock);
}

struct variable *variables_at(uint64_t address)
{
	size_t low = 0, high = variables.n;

	while (low < high) {
		const size_t middle = (low + high) / 2;

		if (variables.of[middle].from <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low && address < variables.of[low - 1].to ?
	       &variables.of[low - 1] : NULL;
}
