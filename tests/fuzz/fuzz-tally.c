/* SPDX-License-Identifier: MIT */
/*
 * A tally that a program has written over: it is refused, or what it says is
 * added up within its bounds. The bytes change a good one.
 */
#include "fuzz.h"

#include <stddef.h>

#include "program/tally-merge.h"

enum { OBJECTS = 2, SITES = 3 };

static const char names[] = "/lib/c\0[anonymous]";

static void make(struct tally_map *map)
{
	struct tally *t = map->tally;

	t->state = TALLY_COMPLETE;
	t->mode = TALLY_ATTRIBUTE;
	t->objects = OBJECTS;
	t->sites = SITES;
	t->text = sizeof(names);
	memcpy(map->text, names, sizeof(names));
	for (uint32_t i = 0; i < OBJECTS; i++)
		map->object[i] = (struct tally_object){
			.from = 0x1000 * (i + 1), .to = 0x1000 * (i + 2),
			.path = 7 * i };
	for (uint32_t i = 0; i < SITES; i++) {
		map->site[i] = (struct tally_site){ .pc = 0x1010 + i,
						    .object = i };
		map->site[i].count[TALLY_loads] = 1;
	}
}

/* The part's share of what is left. */
static void change(void *part, size_t room, const uint8_t **data, size_t *bytes)
{
	uint8_t *to = part;
	size_t n = *bytes < room ? *bytes : room;

	for (size_t i = 0; i < n; i++)
		to[i] ^= (*data)[i];
	*data += n;
	*bytes -= n;
}

static void change_all(struct tally_map *map, const uint8_t *data,
		       size_t bytes)
{
	struct tally *t = map->tally;
	const size_t from = offsetof(struct tally, state);

	change(map->object, OBJECTS * sizeof(*map->object), &data, &bytes);
	change(map->site, SITES * sizeof(*map->site), &data, &bytes);
	change(map->text, sizeof(names), &data, &bytes);
	change((char *)t + from, offsetof(struct tally, loads) - from, &data,
	       &bytes);
	/* last, as many sites take long */
	change(&t->objects, 4 * sizeof(uint32_t), &data, &bytes);
}

static void check_sum(const struct merged_tally *w)
{
	const struct tally *t = w->sum.tally;

	for (uint32_t i = 0; i < t->sites; i++)
		need(w->sum.site[i].object <= t->objects);
	for (uint32_t i = 0; i < t->objects; i++)
		need(memchr(tally_path(&w->sum, i), '\0',
			    t->text - w->sum.object[i].path));
	need(w->programs == 0 || memchr(w->program[0].name, '\0', TALLY_NAME));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	struct child_tally_file file;
	struct merged_tally merged;

	need(child_tally_create(&file, 1, NULL) == 0);
	need(merged_tally_init(&merged, NULL) == 0);
	make(&file.first);
	change_all(&file.first, data, bytes);
	if (merged_tally_close(&merged, &file, NULL) == 0)
		check_sum(&merged);
	merged_tally_fini(&merged);
	child_tally_free(&file);
	return 0;
}
