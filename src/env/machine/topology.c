/* SPDX-License-Identifier: MIT */
/* Reading hwloc's topology, of this machine or of a recorded line. */
#include <hwloc.h>
#include <hwloc/cpukinds.h>
#include <hwloc/export.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sysfile.h"
#include "base/text.h"
#include "env/machine/sysfs-topology.h"
#include "env/machine/topology.h"

static struct cache_geometry *slot_of(struct geometry *g, hwloc_obj_type_t type)
{
	switch (type) {
	case HWLOC_OBJ_L1CACHE:
		return &g->l1d;
	case HWLOC_OBJ_L1ICACHE:
		return &g->l1i;
	case HWLOC_OBJ_L2CACHE:
		return &g->l2;
	case HWLOC_OBJ_L3CACHE:
		return &g->l3;
	default:
		return NULL;
	}
}

/* hwloc: associativity -1 is fully associative, 0 is not known. */
static void set_cache(struct cache_geometry *c,
		      const struct hwloc_cache_attr_s *cache)
{
	const uint32_t line = cache->linesize ? cache->linesize : 64;
	const uint64_t lines = cache->size / line;
	const uint64_t ways = cache->associativity == -1 ? lines :
			      (uint64_t)cache->associativity;

	if (cache->associativity == 0 || !lines || lines % ways ||
	    lines > UINT32_MAX)
		return;
	*c = (struct cache_geometry){
		.present = true, .line_bytes = line, .slices = 1,
		.sets = (uint32_t)(lines / ways), .ways = (uint32_t)ways,
	};
}

void topology_caches(struct geometry *out)
{
	hwloc_topology_t topology;
	hwloc_obj_t obj;

	if (hwloc_topology_init(&topology))
		return;
	hwloc_topology_set_icache_types_filter(topology,
					       HWLOC_TYPE_FILTER_KEEP_ALL);
	if (hwloc_topology_load(topology) == 0) {
		obj = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PU, 0);
		for (; obj; obj = obj->parent) {
			struct cache_geometry *c = slot_of(out, obj->type);

			if (c)
				set_cache(c, &obj->attr->cache);
		}
	}
	hwloc_topology_destroy(topology);
}

/* ---- all of the machine -------------------------------------------------- */

static const struct { hwloc_obj_type_t type; const char *name; }
cache_types[] = {
	{ HWLOC_OBJ_L1CACHE, "L1d" }, { HWLOC_OBJ_L1ICACHE, "L1i" },
	{ HWLOC_OBJ_L2CACHE, "L2" }, { HWLOC_OBJ_L2ICACHE, "L2i" },
	{ HWLOC_OBJ_L3CACHE, "L3" }, { HWLOC_OBJ_L4CACHE, "L4" },
};

static unsigned count(hwloc_topology_t t, hwloc_obj_type_t type)
{
	const int n = hwloc_get_nbobjs_by_type(t, type);

	return n > 0 ? (unsigned)n : 0;
}

static void add_cache(struct topology *out, const char *name, hwloc_obj_t obj)
{
	struct topology_cache *c = topology_cache(out, name,
						  obj->attr->cache.size);

	if (!c || c->count++)
		return;
	c->first = hwloc_bitmap_first(obj->cpuset);
	c->sharers = (unsigned)hwloc_bitmap_weight(obj->cpuset);
	hwloc_bitmap_list_snprintf(c->cpus, sizeof(c->cpus), obj->cpuset);
}

static void add_caches(struct topology *out, hwloc_topology_t t)
{
	for (size_t i = 0; i < sizeof(cache_types) / sizeof(cache_types[0]);
	     i++)
		for (unsigned n = 0; n < count(t, cache_types[i].type); n++)
			add_cache(out, cache_types[i].name,
				  hwloc_get_obj_by_type(t, cache_types[i].type,
							n));
}

/* Have all caches of a level the same size? */
static bool are_alike(hwloc_topology_t t)
{
	struct topology shape = { .known = false };

	add_caches(&shape, t);
	for (unsigned i = 1; i < shape.caches; i++)
		if (!strcmp(shape.cache[i].name, shape.cache[i - 1].name))
			return false;
	return true;
}

static void read_loaded(struct topology *out, hwloc_topology_t t)
{
	const int kinds = hwloc_cpukinds_get_nr(t, 0);

	out->known = true;
	out->packages = count(t, HWLOC_OBJ_PACKAGE);
	out->nodes = count(t, HWLOC_OBJ_NUMANODE);
	out->cores = count(t, HWLOC_OBJ_CORE);
	out->cpus = count(t, HWLOC_OBJ_PU);
	out->kinds = kinds > 0 ? (unsigned)kinds : 0;
	out->memory_bytes = hwloc_get_root_obj(t)->total_memory;
	add_caches(out, t);
}

/* At most 4096 CPUs: hwloc would also build "pack:999999 core:999999". */
static bool is_small(const char *line)
{
	uint64_t cpus = 1;
	char *end;

	for (const char *c = strchr(line, ':'); c; c = strchr(end, ':')) {
		const unsigned long n = strtoul(c + 1, &end, 10);

		if (!n || n > 4096 || (cpus *= n) > 4096)
			return false;
	}
	return true;
}

/* Gives hwloc the recorded line; false if there is none that can be used. */
static bool set_recorded(hwloc_topology_t t, const char *sysroot)
{
	char line[512];

	return sysfile_text(line, sizeof(line), sysroot, "/assay-topology") >
		       0 && is_small(line) &&
	       !hwloc_topology_set_synthetic(t, line);
}

bool topology_synthetic(char *out, size_t room, const char *sysroot)
{
	hwloc_topology_t t;
	bool written;

	if (hwloc_topology_init(&t))
		return false;
	hwloc_topology_set_icache_types_filter(t, HWLOC_TYPE_FILTER_KEEP_ALL);
	written = (sysroot_is_live(sysroot) || set_recorded(t, sysroot)) &&
		!hwloc_topology_load(t) && are_alike(t) &&
		hwloc_topology_export_synthetic(t, out, room, 0) > 0;
	hwloc_topology_destroy(t);
	return written;
}

void topology_read(struct topology *out, const char *sysroot)
{
	hwloc_topology_t t;

	memset(out, 0, sizeof(*out));
	if (hwloc_topology_init(&t))
		return;
	hwloc_topology_set_icache_types_filter(t, HWLOC_TYPE_FILTER_KEEP_ALL);
	if ((sysroot_is_live(sysroot) || set_recorded(t, sysroot)) &&
	    !hwloc_topology_load(t))
		read_loaded(out, t);
	hwloc_topology_destroy(t);
	if (!out->known)
		sysfs_topology(out, sysroot);
}
