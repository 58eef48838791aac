/* SPDX-License-Identifier: MIT */
/*
 * The caches and TLBs of a machine's first CPU: from sysfs, which knows sets
 * and ways; where /sys is hidden, from hwloc, which can ask the CPU itself.
 * Replacement policies are never told: LRU stands in.
 */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "env/cpuid-caches.h"
#include "env/env.h"
#include "env/machine.h"
#include "env/probe.h"
#include "env/sysfile.h"
#include "env/tlb.h"
#include "env/topology.h"

static const char cache_folder[] = "/sys/devices/system/cpu/cpu0/cache";

static struct cache_geometry *slot_of(struct geometry *g, int64_t level,
				      const char *type)
{
	if (level == 1)
		return !strcmp(type, "Instruction") ? &g->l1i : &g->l1d;
	if (!strcmp(type, "Instruction"))
		return NULL;
	return level == 2 ? &g->l2 : level == 3 ? &g->l3 : NULL;
}

static bool number(int64_t *out, const char *sysroot, const char *index,
		   const char *file)
{
	return sysfile_number(out, sysroot, "%s/%s/%s", cache_folder, index,
			      file) && *out > 0 && *out <= UINT32_MAX;
}

/* "48K": sysfs always uses K. */
static uint64_t size_bytes(const char *sysroot, const char *index)
{
	uint64_t bytes = 0;
	char text[32];

	if (sysfile_text(text, sizeof(text), sysroot, "%s/%s/size",
			 cache_folder, index) > 0)
		text_count(&bytes, text, NULL);
	return bytes;
}

/*
 * Arm firmware often tells only the size, or sizes that contradict: what does
 * not multiply out is not believed.
 */
static void read_cache(struct cache_geometry *c, const char *sysroot,
		       const char *index)
{
	const uint64_t bytes = size_bytes(sysroot, index);
	int64_t line = 64, ways = 0, sets = 0;

	number(&line, sysroot, index, "coherency_line_size");
	number(&ways, sysroot, index, "ways_of_associativity");
	number(&sets, sysroot, index, "number_of_sets");
	if (!ways && sets && bytes)
		ways = (int64_t)(bytes / (uint64_t)(line * sets));
	if (!sets && ways)
		sets = (int64_t)(bytes / (uint64_t)(line * ways));
	if (!ways || !sets ||
	    (bytes && (uint64_t)line * (uint64_t)ways * (uint64_t)sets !=
			      bytes))
		return;
	*c = (struct cache_geometry){
		.present = true, .line_bytes = (uint32_t)line,
		.sets = (uint32_t)sets, .ways = (uint32_t)ways, .slices = 1,
	};
}

struct caches {
	struct geometry *geometry;
	const char *sysroot;
};

static void one_cache(void *ctx, const char *name)
{
	const struct caches *c = ctx;
	struct cache_geometry *slot;
	int64_t level;
	char type[32];

	if (strncmp(name, "index", 5) ||
	    !number(&level, c->sysroot, name, "level") ||
	    sysfile_text(type, sizeof(type), c->sysroot, "%s/%s/type",
			 cache_folder, name) <= 0)
		return;
	slot = slot_of(c->geometry, level, type);
	if (slot)
		read_cache(slot, c->sysroot, name);
}

void env_cpuid_geometry(struct geometry *out, const char *sysroot)
{
	struct machine_id id;
	struct probe probe;

	memset(out, 0, sizeof(*out));
	probe_init_quiet(&probe, sysroot);
	machine_identify(&id, &probe);
	cpuid_caches(out, &id, &probe);
	tlb_fill(out, &id, &probe);
}

int env_geometry(struct geometry *out, const char *sysroot,
		 struct assay_error *err)
{
	struct caches caches = { out, sysroot };
	struct machine_id id;
	struct probe probe;

	(void)err;
	memset(out, 0, sizeof(*out));
	probe_init_quiet(&probe, sysroot);
	machine_identify(&id, &probe);
	text_copy(out->name, sizeof(out->name), id.name);
	out->isa = id.isa == MACHINE_ARM ? ISA_AARCH64 : ISA_X86_64;
	sysfile_list(sysroot, cache_folder, one_cache, &caches);
	if (!out->l1d.present && sysroot_is_live(sysroot))
		topology_caches(out);
	if (!out->l1d.present)
		cpuid_caches(out, &id, &probe);
	tlb_fill(out, &id, &probe);
	return 0;
}
