/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sites and the files that they come from. The program's mappings are those
 * of the QEMU process, moved by a constant.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/session.h"
#include "plugin/site.h"

/* Of memory in no file, of one name: what was asked for last is known. */
enum { RANGES = 64 };

/* Site + 1, by address; open addressing. Twice as large as it must be. */
static uint32_t buckets[2 * TALLY_SITES];

/* Objects + 1 that are not mapped any more, or were not when last seen. */
static bool gone[TALLY_OBJECTS + 1];

static uint32_t bucket_of(uint64_t pc)
{
	return (uint32_t)(pc * UINT64_C(0x9e3779b97f4a7c15) >> 40) %
	       (2 * TALLY_SITES);
}

uint32_t site_text(const char *text)
{
	struct tally *t = session.map.tally;
	size_t bytes = strlen(text) + 1;
	uint32_t at = t->text;

	if (t->text + bytes > TALLY_TEXT)
		return UINT32_MAX;
	memcpy(session.map.text + at, text, bytes);
	t->text += (uint32_t)bytes;
	return at;
}

static uint32_t text_of(const char *path)
{
	const struct tally *t = session.map.tally;

	for (uint32_t i = 0; i < t->objects; i++) {
		uint32_t at = session.map.object[i].path;

		if (strcmp(session.map.text + at, path) == 0)
			return at;
	}
	return site_text(path);
}

static uint32_t find_object(uint64_t pc)
{
	for (uint32_t i = session.map.tally->objects; i > 0; i--)
		if (!__atomic_load_n(&gone[i], __ATOMIC_RELAXED) &&
		    pc >= session.map.object[i - 1].from &&
		    pc < session.map.object[i - 1].to)
			return i;
	return 0;
}

/* One line of /proc/self/maps; is the address in it? */
static bool parse_map(char *line, uint64_t host, struct tally_object *out,
		      const char **path)
{
	char mode[8];
	int name = 0;

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %*s %*s %n",
		   &out->from, &out->to, mode, &out->offset, &name) < 4)
		return false;
	if (host < out->from || host >= out->to || !name)
		return false;
	line[strcspn(line, "\n")] = '\0';
	*path = line + name;
	return true;
}

/* It is mapped again, where it was. */
static bool same_object(const struct tally_object *a,
			const struct tally_object *b)
{
	return a->path == b->path && a->from == b->from && a->to == b->to &&
	       a->offset == b->offset && tally_same_file(a, b);
}

/* Memory that belongs to no file comes and goes, and is all the same. */
static bool is_file(const struct tally_object *object)
{
	return session.map.text[object->path] == '/';
}

/* One of its ranges, each in turn; 0: there are few. */
static uint32_t range_in_turn(uint32_t path)
{
	static uint32_t turn;
	uint32_t slot[RANGES], n = 0;

	for (uint32_t i = 0; i < session.map.tally->objects && n < RANGES; i++)
		if (session.map.object[i].path == path)
			slot[n++] = i + 1;
	return n == RANGES ? slot[turn++ % RANGES] : 0;
}

/* It is never empty: the library may be looking. */
static void move_object(struct tally_object *object, uint64_t from,
			uint64_t to)
{
	__atomic_store_n(&object->to, UINT64_MAX, __ATOMIC_SEQ_CST);
	__atomic_store_n(&object->from, from, __ATOMIC_SEQ_CST);
	__atomic_store_n(&object->to, to, __ATOMIC_SEQ_CST);
}

static uint32_t put_object(const struct tally_object *object)
{
	struct tally *t = session.map.tally;
	const uint32_t used = is_file(object) ? 0 : range_in_turn(object->path);

	if (used) {
		move_object(&session.map.object[used - 1], object->from,
			    object->to);
		return used;
	}
	if (t->objects == TALLY_OBJECTS)
		return 0;
	session.map.object[t->objects++] = *object;
	return t->objects;
}

static uint32_t add_object(struct tally_object *object, uint64_t move,
			   const char *path)
{
	struct tally *t = session.map.tally;

	object->from -= move;
	object->to -= move;
	object->path = text_of(*path ? path : "[anonymous]");
	if (*path == '/')
		tally_identify(object, path);
	for (uint32_t i = 1; i <= t->objects; i++) {
		if (!same_object(&session.map.object[i - 1], object))
			continue;
		__atomic_store_n(&gone[i], false, __ATOMIC_RELAXED);
		return i;
	}
	return object->path == UINT32_MAX ? 0 : put_object(object);
}

/* Asks the kernel where the instruction's bytes come from. */
static uint32_t new_object(uint64_t pc, uint64_t host)
{
	struct tally_object object = { 0 };
	FILE *maps = fopen("/proc/self/maps", "re");
	char line[4096 + 128];
	const char *path;
	uint32_t found = 0;

	if (!maps)
		return 0;
	while (!found && fgets(line, sizeof(line), maps)) {
		if (!parse_map(line, host, &object, &path))
			continue;
		found = add_object(&object, host - pc, path);
		break;
	}
	fclose(maps);
	return found;
}

void site_unmap(uint64_t from, uint64_t bytes)
{
	const uint32_t objects = session.map.tally->objects;

	for (uint32_t i = 1; i <= objects; i++) {
		const struct tally_object *object = &session.map.object[i - 1];

		if (is_file(object) && object->from < from + bytes &&
		    from < object->to)
			__atomic_store_n(&gone[i], true, __ATOMIC_RELAXED);
	}
}

uint32_t site_object(uint64_t pc, uint64_t host)
{
	uint32_t object;

	pthread_mutex_lock(&session.lock);
	object = find_object(pc);
	if (!object && host)
		object = new_object(pc, host);
	pthread_mutex_unlock(&session.lock);
	return object;
}

static bool is_site(const struct tally_site *site, uint64_t pc)
{
	return site->pc == pc &&
	       !__atomic_load_n(&gone[site->object], __ATOMIC_RELAXED);
}

uint32_t site_find(uint64_t pc, uint64_t host)
{
	struct tally *t = session.map.tally;
	uint32_t at = bucket_of(pc);
	struct tally_site *site;

	for (; buckets[at]; at = (at + 1) % (2 * TALLY_SITES))
		if (is_site(&session.map.site[buckets[at] - 1], pc))
			return buckets[at] - 1;
	if (!t->sites)
		t->sites = 1;	/* the one for what finds no room */
	if (t->sites == TALLY_SITES) {
		t->lost_sites++;
		return 0;
	}
	site = &session.map.site[t->sites];
	site->pc = pc;
	site->object = site_object(pc, host);
	t->lost_sites += !site->object && host;
	buckets[at] = t->sites + 1;
	return t->sites++;
}
