/* SPDX-License-Identifier: MIT */
/*
 * Checking a tally, which the program could write to while it ran, and names of
 * its objects. See tally.h.
 */
#include "store/programs/tally.h"

#include <string.h>
#include <sys/mman.h>

#include "base/text.h"

void tally_free(struct tally_map *map)
{
	if (map->tally)
		munmap(map->tally, map->bytes);
	*map = (struct tally_map){ 0 };
}

static const char *bad_object(const struct tally_map *map,
			      const struct tally_object *o)
{
	if (o->from >= o->to)
		return "a mapped file has no bytes";
	if (o->path >= map->tally->text ||
	    !memchr(map->text + o->path, '\0', map->tally->text - o->path))
		return "a mapped file has no name";
	return NULL;
}

static const char *bad(const struct tally_map *map)
{
	const struct tally *t = map->tally;
	const char *why = NULL;

	if (memcmp(t->magic, TALLY_MAGIC, 8) != 0 ||
	    t->tally_bytes != sizeof(*t) ||
	    t->geometry_bytes != sizeof(struct geometry))
		return "it has another layout";
	if (t->state > TALLY_COMPLETE || t->isa >= ISAS ||
	    t->native >= NATIVES ||
	    !memchr(t->name, '\0', sizeof(t->name)) ||
	    !memchr(t->refused, '\0', sizeof(t->refused)))
		return "its state is unknown";
	if (t->objects > TALLY_OBJECTS || t->sites > TALLY_SITES ||
	    t->regions > TALLY_REGIONS || t->text > TALLY_TEXT)
		return "its counts of entries are beyond its size";
	for (uint32_t i = 0; i < t->objects && !why; i++)
		why = bad_object(map, &map->object[i]);
	for (uint32_t i = 0; i < t->sites && !why; i++)
		if (map->site[i].object > t->objects)
			why = "an instruction belongs to no mapped file";
	return why;
}

int tally_check(const struct tally_map *map, struct assay_error *err)
{
	const char *why = bad(map);

	return why ? error_set(err, -ASSAY_EPARSE, "what the QEMU plugin "
			       "counted was damaged by the program: %s", why)
		   : 0;
}

const char *tally_path(const struct tally_map *map, uint32_t object)
{
	return map->text + map->object[object].path;
}
