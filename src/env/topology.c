/* SPDX-License-Identifier: MIT */
/* hwloc's view of this machine. */
#include <hwloc.h>

#include "env/topology.h"

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
static void fill(struct cache_geometry *c,
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
				fill(c, &obj->attr->cache);
		}
	}
	hwloc_topology_destroy(topology);
}
