/* SPDX-License-Identifier: MIT */
/*
 * Checking a tally, which the program could write to while it ran (tally.h);
 * making, mapping and freeing slots of the file of tallies (child-tally.h).
 */
#define _GNU_SOURCE	/* memfd_create, fallocate */
#include "store/programs/tally.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/text.h"
#include "store/programs/child-tally.h"

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

static const char *bad_region(const struct tally_map *map)
{
	const struct tally *t = map->tally;
	const uint64_t each = 1 + t->draws;

	if (t->draws > TALLY_DRAWS || t->regions * each > TALLY_REGIONS)
		return "its regions are beyond its size";
	for (uint32_t i = 0; i < t->regions; i++)
		if (!memchr(map->region[i * each].name, '\0',
			    TALLY_REGION_NAME))
			return "a region has no name";
	for (uint32_t i = 0; i < t->meanings && i < TALLY_MEANINGS; i++)
		if (!memchr(t->meaning[i].name, '\0', TALLY_FUNCTION) ||
		    t->meaning[i].path >= t->text ||
		    !memchr(map->text + t->meaning[i].path, '\0',
			    t->text - t->meaning[i].path))
			return "a function has no name";
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
	    t->not_simulated >= EXEC_REASONS ||
	    !memchr(t->name, '\0', sizeof(t->name)) ||
	    !memchr(t->refused, '\0', sizeof(t->refused)))
		return "its state is unknown";
	if (t->objects > TALLY_OBJECTS || t->sites > TALLY_SITES ||
	    t->whys > TALLY_WHYS ||
	    t->data > TALLY_DATA_PIECES || t->text > TALLY_TEXT)
		return "its counts of entries are beyond its size";
	why = bad_region(map);
	for (uint32_t i = 0; i < t->data && !why; i++)
		if (map->datum[i].object > t->objects ||
		    map->datum[i].kind >= TALLY_DATA_KINDS ||
		    (map->datum[i].kind == TALLY_DATA_variable &&
		     (map->datum[i].name >= t->text ||
		      !memchr(map->text + map->datum[i].name, '\0',
			      t->text - map->datum[i].name))))
			why = "a piece of data has no name";
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

/* ---- the file of tallies ------------------------------------------------ */

static int fail(struct assay_error *err)
{
	int saved = errno;

	error_set(err, -ASSAY_ENOMEM, "no memory to share with QEMU: %s",
		  strerror(saved));
	if (err)
		err->sys_errno = saved;
	return -ASSAY_ENOMEM;
}

/*
 * The slots that RLIMIT_FSIZE allows: writing beyond that limit would kill this
 * process with SIGXFSZ. 0: not even one.
 */
static uint32_t allowed(uint32_t slots)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_FSIZE, &limit) < 0 ||
	    limit.rlim_cur == RLIM_INFINITY)
		return slots;
	while (slots && child_slot_offset(slots) > limit.rlim_cur)
		slots /= 2;
	return slots;
}

static void *map_part(int fd, uint64_t offset, size_t bytes)
{
	return mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_NORESERVE, fd, (off_t)offset);
}

static void introduce(struct tally *tally)
{
	memcpy(tally->magic, TALLY_MAGIC, 8);
	text_copy(tally->version, sizeof(tally->version), ASSAY_VERSION);
	tally->tally_bytes = sizeof(struct tally);
	tally->geometry_bytes = sizeof(struct geometry);
}

int child_tally_map(const struct child_tally_file *file, uint32_t slot,
		    struct tally_map *out, struct assay_error *err)
{
	void *memory = map_part(file->fd, child_slot_offset(slot),
				tally_bytes());

	if (memory == MAP_FAILED)
		return fail(err);
	tally_place(out, memory);
	return 0;
}

int child_tally_create(struct child_tally_file *out, uint32_t slots,
		       struct assay_error *err)
{
	struct child_tally_head *t = MAP_FAILED;
	int rc;

	*out = (struct child_tally_file){ .fd = -1 };
	slots = allowed(slots);
	if (!slots)
		return error_set(err, -ASSAY_ENOMEM, "no memory to share with "
				 "QEMU: the limit on the size of files (ulimit "
				 "-f) is less than %" PRIu64 " KiB",
				 child_slot_offset(1) >> 10);
	out->fd = memfd_create("assay-tally", MFD_CLOEXEC);
	if (out->fd >= 0 &&
	    ftruncate(out->fd, (off_t)child_slot_offset(slots)) == 0)
		t = map_part(out->fd, 0, sizeof(*t));
	if (t == MAP_FAILED) {
		rc = fail(err);
		child_tally_free(out);
		return rc;
	}
	out->tallies = t;
	memcpy(t->magic, CHILD_TALLY_MAGIC, 8);
	t->head_bytes = sizeof(*t);
	t->slots = slots;
	t->slot_bytes = child_slot_bytes();
	t->begun = 1;
	rc = child_tally_map(out, child_slot_claim(t), &out->first, err);
	if (rc < 0) {
		child_tally_free(out);
		return rc;
	}
	introduce(out->first.tally);
	return 0;
}

void child_tally_free(struct child_tally_file *file)
{
	tally_free(&file->first);
	if (file->tallies)
		munmap(file->tallies, sizeof(struct child_tally_head));
	if (file->fd >= 0)
		close(file->fd);
	*file = (struct child_tally_file){ .fd = -1 };
}

void child_tally_release(const struct child_tally_file *file, uint32_t slot)
{
	/* a slot that cannot be cleared is not used again */
	const bool cleared = fallocate(file->fd, FALLOC_FL_PUNCH_HOLE |
				       FALLOC_FL_KEEP_SIZE,
				       (off_t)child_slot_offset(slot),
				       (off_t)child_slot_bytes()) == 0;

	child_slot_set(file->tallies, slot,
		       cleared ? CHILD_SLOT_FREE : CHILD_SLOT_TAKEN);
}
