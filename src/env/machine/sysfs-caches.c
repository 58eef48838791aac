/* SPDX-License-Identifier: MIT */
/* The caches of one CPU, from /sys. */
#include "env/machine/sysfs-caches.h"

#include <stdio.h>
#include <string.h>

#include "base/sysfile.h"
#include "base/text.h"

struct caches {
	struct geometry *geometry;
	const char *sysroot;
	char folder[64];
	const struct cache_geometry *asked;	/* by sysfs_cache_refused */
	char *refused;
	size_t room;
};

/* 0: the kernel does not say. */
struct cache_sizes { uint64_t bytes, line, ways, sets; };

static struct cache_geometry *slot_of(struct geometry *g, int64_t level,
				      const char *type)
{
	if (level == 1)
		return !strcmp(type, "Instruction") ? &g->l1i : &g->l1d;
	if (!strcmp(type, "Instruction"))
		return NULL;
	return level == 2 ? &g->l2 : level == 3 ? &g->l3 : NULL;
}

static bool number(int64_t *out, const struct caches *caches,
		   const char *index, const char *file)
{
	return sysfile_number(out, caches->sysroot, "%s/%s/%s", caches->folder,
			      index, file) && *out > 0 && *out <= UINT32_MAX;
}

/* "48K": sysfs always uses K. */
static uint64_t size_bytes(const struct caches *caches, const char *index)
{
	uint64_t bytes = 0;
	char text[32];

	if (sysfile_text(text, sizeof(text), caches->sysroot, "%s/%s/size",
			 caches->folder, index) > 0)
		text_count(&bytes, text, NULL);
	return bytes;
}

static struct cache_sizes read_sizes(const struct caches *caches,
				     const char *index)
{
	const uint64_t bytes = size_bytes(caches, index);
	int64_t line = 0, ways = 0, sets = 0;

	number(&line, caches, index, "coherency_line_size");
	number(&ways, caches, index, "ways_of_associativity");
	number(&sets, caches, index, "number_of_sets");
	if (!line && (ways || sets))
		line = 64;
	if (!ways && sets && bytes)
		ways = (int64_t)(bytes / (uint64_t)(line * sets));
	if (!sets && ways)
		sets = (int64_t)(bytes / (uint64_t)(line * ways));
	return (struct cache_sizes){ bytes, (uint64_t)line, (uint64_t)ways,
			      (uint64_t)sets };
}

static void refuse(const struct caches *caches, const struct cache_sizes *t)
{
	char said[32], made[32];

	text_bytes(said, sizeof(said), t->bytes);
	text_bytes(made, sizeof(made), t->line * t->ways * t->sets);
	snprintf(caches->refused, caches->room, "the kernel says %s, but %u "
		 "ways x %u sets x %u bytes are %s", said, (unsigned)t->ways,
		 (unsigned)t->sets, (unsigned)t->line, made);
}

/*
 * Arm firmware and hypervisors often give only the size, or sizes that
 * contradict each other: ways and sets are used only if their product fits the
 * size.
 */
static void read_cache(struct cache_geometry *c, const struct caches *caches,
		       const char *index)
{
	const struct cache_sizes t = read_sizes(caches, index);

	if (!t.ways || !t.sets) {
		*c = (struct cache_geometry){
			.only_bytes = t.bytes, .line_bytes = (uint32_t)t.line,
		};
		return;
	}
	if (t.bytes && t.line * t.ways * t.sets != t.bytes) {
		if (caches->asked == c)
			refuse(caches, &t);
		return;
	}
	*c = (struct cache_geometry){
		.present = true, .line_bytes = (uint32_t)t.line,
		.sets = (uint32_t)t.sets, .ways = (uint32_t)t.ways, .slices = 1,
	};
}

static void one_cache(void *ctx, const char *name)
{
	const struct caches *c = ctx;
	struct cache_geometry *slot;
	int64_t level;
	char type[32];

	if (strncmp(name, "index", 5) ||
	    !number(&level, c, name, "level") ||
	    sysfile_text(type, sizeof(type), c->sysroot, "%s/%s/type",
			 c->folder, name) <= 0)
		return;
	slot = slot_of(c->geometry, level, type);
	if (slot)
		read_cache(slot, c, name);
}

static void read_caches(struct caches *caches, int cpu)
{
	snprintf(caches->folder, sizeof(caches->folder),
		 "/sys/devices/system/cpu/cpu%d/cache", cpu);
	sysfile_list(caches->sysroot, caches->folder, one_cache, caches);
}

void sysfs_caches(struct geometry *out, const char *sysroot, int cpu)
{
	struct caches caches = { .geometry = out, .sysroot = sysroot };

	memset(out, 0, sizeof(*out));
	read_caches(&caches, cpu);
}

void sysfs_cache_refused(char *out, size_t room, const char *sysroot, int cpu,
			 const char *name)
{
	struct geometry g = { 0 };
	struct caches caches = {
		.geometry = &g, .sysroot = sysroot, .refused = out,
		.room = room,
		.asked = !strcmp(name, "L1d") ? &g.l1d :
			 !strcmp(name, "L1i") ? &g.l1i :
			 !strcmp(name, "L2") ? &g.l2 : &g.l3,
	};

	text_copy(out, room, "");
	read_caches(&caches, cpu);
}
